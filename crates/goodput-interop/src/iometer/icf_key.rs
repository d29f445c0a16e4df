//! The keys of an `.icf`: lines that begin with an apostrophe. Case and blanks around commas do not matter.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum IcfSection {
    Setup,
    Display,
    Specs,
    Managers,
}

impl IcfSection {
    pub fn section_name(self) -> &'static str {
        match self {
            IcfSection::Setup => "TEST SETUP",
            IcfSection::Display => "RESULTS DISPLAY",
            IcfSection::Specs => "ACCESS SPECIFICATIONS",
            IcfSection::Managers => "MANAGER LIST",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum IcfKey {
    Section(IcfSection),
    End(IcfSection),
    /// The end of some files.
    Version,
    Description,
    RunTime,
    RampUp,
    Spawn,
    Record,
    WorkerCycling,
    DiskCycling,
    QueueCycling,
    TestType,
    Display,
    SpecName,
    SpecLines,
    Manager,
    Address,
    Worker,
    WorkerType,
    /// A heading without information of its own.
    Block,
    Outstanding,
    DiskSize,
    LocalInterface,
    ViOutstanding,
    Assigned,
    Target,
    TargetType,
    TargetManager,
    EndWorker,
    EndManager,
}

const WHOLE: &[(&str, IcfKey)] = &[
    ("end test setup", IcfKey::End(IcfSection::Setup)),
    ("end results display", IcfKey::End(IcfSection::Display)),
    ("end access specifications", IcfKey::End(IcfSection::Specs)),
    ("end manager list", IcfKey::End(IcfSection::Managers)),
    ("test description", IcfKey::Description),
    ("run time", IcfKey::RunTime),
    ("default workers to spawn", IcfKey::Spawn),
    ("default disk workers to spawn", IcfKey::Spawn),
    ("default network workers to spawn", IcfKey::Spawn),
    ("record results", IcfKey::Record),
    ("worker cycling", IcfKey::WorkerCycling),
    ("disk cycling", IcfKey::DiskCycling),
    ("queue depth cycling", IcfKey::QueueCycling),
    ("test type", IcfKey::TestType),
    ("access specification name", IcfKey::SpecName),
    ("access specification name,default assignment", IcfKey::SpecName),
    ("manager id,manager name", IcfKey::Manager),
    ("manager network address", IcfKey::Address),
    ("worker", IcfKey::Worker),
    ("worker type", IcfKey::WorkerType),
    ("default target settings for worker", IcfKey::Block),
    ("end default target settings for worker", IcfKey::Block),
    ("local network interface", IcfKey::LocalInterface),
    ("vi outstanding ios", IcfKey::ViOutstanding),
    ("assigned access specs", IcfKey::Assigned),
    ("end assigned access specs", IcfKey::Block),
    ("target assignments", IcfKey::Block),
    ("end target assignments", IcfKey::Block),
    ("target", IcfKey::Target),
    ("target type", IcfKey::TargetType),
    ("target manager id,manager name", IcfKey::TargetManager),
    ("end target", IcfKey::Block),
    ("end worker", IcfKey::EndWorker),
    ("end manager", IcfKey::EndManager),
];

/// Keys whose remainder differs between versions, or is decoration.
const BEGINNINGS: &[(&str, IcfKey)] = &[
    ("test setup", IcfKey::Section(IcfSection::Setup)),
    ("results display", IcfKey::Section(IcfSection::Display)),
    ("access specifications", IcfKey::Section(IcfSection::Specs)),
    ("manager list", IcfKey::Section(IcfSection::Managers)),
    ("version ", IcfKey::Version),
    ("ramp up time", IcfKey::RampUp),
    ("record last update results", IcfKey::Display),
    ("bar chart", IcfKey::Display),
    ("size,", IcfKey::SpecLines),
    ("number of outstanding ios", IcfKey::Outstanding),
    ("disk maximum size", IcfKey::DiskSize),
];

impl IcfKey {
    /// `None` when no version of IOmeter writes it.
    pub fn from_line(line: &str) -> Option<IcfKey> {
        let plain = plain(line.trim().strip_prefix('\'')?);
        let whole = WHOLE.iter().find(|(name, _)| *name == plain);
        whole.or_else(|| BEGINNINGS.iter().find(|(name, _)| plain.starts_with(name))).map(|(_, key)| *key)
    }

    pub fn parse_section_start(line: &str) -> Option<IcfSection> {
        match IcfKey::from_line(line) {
            Some(IcfKey::Section(section)) => Some(section),
            _ => None,
        }
    }
}

fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !out.is_empty() && !out.ends_with(',') && !word.starts_with(',') {
            out.push(' ');
        }
        out.extend(word.chars().flat_map(char::to_lowercase));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spelling_matters_little_and_other_lines_are_no_keys() {
        for (line, key) in [
            ("'TEST SETUP ====", IcfKey::Section(IcfSection::Setup)),
            ("'test   setup", IcfKey::Section(IcfSection::Setup)),
            ("'END Test Setup", IcfKey::End(IcfSection::Setup)),
            ("'Manager ID,manager NAME", IcfKey::Manager),
            ("'Target manager ID ,  manager name", IcfKey::TargetManager),
            ("'size, % of size, % reads, % random, delay, burst", IcfKey::SpecLines),
            ("'Access specification name, default assignment", IcfKey::SpecName),
            ("'ACCESS SPECIFICATIONS", IcfKey::Section(IcfSection::Specs)),
            ("'Ramp Up Time (s)", IcfKey::RampUp),
            ("'Version 1.1.0", IcfKey::Version),
        ] {
            assert_eq!(IcfKey::from_line(line), Some(key), "{line}");
        }
        for line in ["", "'", "' hours minutes seconds", "Run Time", "'Worker cycle", "'Targets", "'Versions"]
        {
            assert_eq!(IcfKey::from_line(line), None, "{line}");
        }
    }
}
