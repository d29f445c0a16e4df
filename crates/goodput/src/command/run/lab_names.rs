//! Resolves hosts of the experiment's own lab: `lab:b` is a host of the lab that is created for it.

use goodput_lab::LabOrHostName;
use goodput_model::{Experiment, RunId};

const PREFIX: &str = "lab:";
/// Letters of the experiment's name in the lab's name, so that the whole is a valid name.
const LETTERS: usize = 18;

/// The same after a resume.
pub fn experiment_lab_name(experiment: &str, run: RunId) -> Option<LabOrHostName> {
    let run = run.to_string();
    let plain = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' };
    let name: String = experiment.chars().take(LETTERS).map(plain).collect();
    format!("exp-{}-{}", name.trim_matches('-'), &run[run.len() - 8..]).parse().ok()
}

/// Adds the experiment's lab to lab hosts without one: `lab:c[1-20]`, `lab:b:null`, `--from=lab:a`.
pub fn qualify_lab_hosts(word: &str, lab: Option<&LabOrHostName>) -> String {
    let Some(lab) = lab else { return word.to_string() };
    let mut done = String::new();
    let mut rest = word;
    while let Some(at) = rest.find(PREFIX) {
        let (before, host) = (&rest[..at], &rest[at + PREFIX.len()..]);
        let begins = before.chars().last().or_else(|| done.chars().last());
        let length = length_of_host(host);
        done.push_str(before);
        done.push_str(PREFIX);
        done.push_str(&host[..length]);
        rest = &host[length..];
        if length > 0 && !rest.starts_with('@') && begins.is_none_or(|c| !c.is_ascii_alphanumeric()) {
            done.push('@');
            done.push_str(lab.as_str());
        }
    }
    done + rest
}

/// Letters, digits, hyphens, and ranges in brackets.
fn length_of_host(text: &str) -> usize {
    let mut depth = 0u32;
    let part_of_it = |c: char| match c {
        '[' => {
            depth += 1;
            true
        }
        ']' => {
            let inside = depth > 0;
            depth = depth.saturating_sub(1);
            inside
        }
        _ => c.is_ascii_alphanumeric() || c == '-',
    };
    text.len() - text.trim_start_matches(part_of_it).len()
}

pub fn qualify_experiment_hosts(experiment: &Experiment, lab: Option<&LabOrHostName>) -> Experiment {
    let hosts =
        experiment.hosts.iter().map(|(role, host)| (role.clone(), qualify_lab_hosts(host, lab))).collect();
    Experiment { hosts, ..experiment.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_host_of_a_lab_gets_its_lab() {
        let lab: LabOrHostName = "exp-1".parse().unwrap();
        let cases = [
            ("lab:b", "lab:b@exp-1"),
            ("lab:b@other", "lab:b@other"),
            ("lab:a,lab:c[1-20],x", "lab:a@exp-1,lab:c[1-20]@exp-1,x"),
            ("--from=lab:a", "--from=lab:a@exp-1"),
            ("lab:b:disk=/srv", "lab:b@exp-1:disk=/srv"),
            ("smb://ann@lab:nas/share", "smb://ann@lab:nas@exp-1/share"),
            ("stream", "stream"),
            ("collab:b", "collab:b"),
            ("lab:", "lab:"),
        ];
        for (typed, meant) in cases {
            assert_eq!(qualify_lab_hosts(typed, Some(&lab)), meant);
            assert_eq!(qualify_lab_hosts(typed, None), typed);
        }
    }

    #[test]
    fn a_lab_has_a_name_of_its_own() {
        let run = RunId("01a1fc42-d27b-7000-8000-0123456789ab".parse().unwrap());
        let name = |of: &str| experiment_lab_name(of, run).map(|name| name.as_str().to_string());
        assert_eq!(name("jumbo-frames").unwrap(), "exp-jumbo-frames-456789ab");
        assert_eq!(name("Größe_of everything at all").unwrap(), "exp-gr--e-of-everythin-456789ab");
        assert!(name("").is_none_or(|name| name.len() <= 32));
    }
}
