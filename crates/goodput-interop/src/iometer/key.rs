//! The keys of an `.icf`: lines that begin with an apostrophe. Case and blanks around commas do not matter.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Section {
    Setup,
    Display,
    Specs,
    Managers,
}

impl Section {
    pub fn name(self) -> &'static str {
        match self {
            Section::Setup => "TEST SETUP",
            Section::Display => "RESULTS DISPLAY",
            Section::Specs => "ACCESS SPECIFICATIONS",
            Section::Managers => "MANAGER LIST",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Key {
    Section(Section),
    End(Section),
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
    EndAssigned,
    Target,
    TargetType,
    TargetManager,
    EndTarget,
    EndWorker,
    EndManager,
}

const WHOLE: &[(&str, Key)] = &[
    ("end test setup", Key::End(Section::Setup)),
    ("end results display", Key::End(Section::Display)),
    ("end access specifications", Key::End(Section::Specs)),
    ("end manager list", Key::End(Section::Managers)),
    ("test description", Key::Description),
    ("run time", Key::RunTime),
    ("default workers to spawn", Key::Spawn),
    ("default disk workers to spawn", Key::Spawn),
    ("default network workers to spawn", Key::Spawn),
    ("record results", Key::Record),
    ("worker cycling", Key::WorkerCycling),
    ("disk cycling", Key::DiskCycling),
    ("queue depth cycling", Key::QueueCycling),
    ("test type", Key::TestType),
    ("access specification name", Key::SpecName),
    ("access specification name,default assignment", Key::SpecName),
    ("manager id,manager name", Key::Manager),
    ("manager network address", Key::Address),
    ("worker", Key::Worker),
    ("worker type", Key::WorkerType),
    ("default target settings for worker", Key::Block),
    ("end default target settings for worker", Key::Block),
    ("local network interface", Key::LocalInterface),
    ("vi outstanding ios", Key::ViOutstanding),
    ("assigned access specs", Key::Assigned),
    ("end assigned access specs", Key::EndAssigned),
    ("target assignments", Key::Block),
    ("end target assignments", Key::Block),
    ("target", Key::Target),
    ("target type", Key::TargetType),
    ("target manager id,manager name", Key::TargetManager),
    ("end target", Key::EndTarget),
    ("end worker", Key::EndWorker),
    ("end manager", Key::EndManager),
];

/// Keys whose remainder differs between versions, or is decoration.
const BEGINNINGS: &[(&str, Key)] = &[
    ("test setup", Key::Section(Section::Setup)),
    ("results display", Key::Section(Section::Display)),
    ("access specifications", Key::Section(Section::Specs)),
    ("manager list", Key::Section(Section::Managers)),
    ("version ", Key::Version),
    ("ramp up time", Key::RampUp),
    ("record last update results", Key::Display),
    ("bar chart", Key::Display),
    ("size,", Key::SpecLines),
    ("number of outstanding ios", Key::Outstanding),
    ("disk maximum size", Key::DiskSize),
];

impl Key {
    /// `None` when no version of IOmeter writes it.
    pub fn of(line: &str) -> Option<Key> {
        let plain = plain(line.trim().strip_prefix('\'')?);
        let whole = WHOLE.iter().find(|(name, _)| *name == plain);
        whole.or_else(|| BEGINNINGS.iter().find(|(name, _)| plain.starts_with(name))).map(|(_, key)| *key)
    }

    pub fn section(line: &str) -> Option<Section> {
        match Key::of(line) {
            Some(Key::Section(section)) => Some(section),
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
    fn spelling_matters_little() {
        assert_eq!(Key::of("'TEST SETUP ===="), Some(Key::Section(Section::Setup)));
        assert_eq!(Key::of("'test   setup"), Some(Key::Section(Section::Setup)));
        assert_eq!(Key::of("'END Test Setup"), Some(Key::End(Section::Setup)));
        assert_eq!(Key::of("'Manager ID,manager NAME"), Some(Key::Manager));
        assert_eq!(Key::of("'Target manager ID ,  manager name"), Some(Key::TargetManager));
        assert_eq!(Key::of("'size, % of size, % reads, % random, delay, burst"), Some(Key::SpecLines));
        assert_eq!(Key::of("'Access specification name, default assignment"), Some(Key::SpecName));
        assert_eq!(Key::of("'ACCESS SPECIFICATIONS"), Some(Key::Section(Section::Specs)));
        assert_eq!(Key::of("'Ramp Up Time (s)"), Some(Key::RampUp));
        assert_eq!(Key::of("'Version 1.1.0"), Some(Key::Version));
    }

    #[test]
    fn other_lines_are_no_keys() {
        for line in ["", "'", "' hours minutes seconds", "Run Time", "'Worker cycle", "'Targets", "'Versions"]
        {
            assert_eq!(Key::of(line), None, "{line}");
        }
    }
}
