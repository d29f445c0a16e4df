//! Combines warnings and errors of an experiment's trials: each rule once, with its number of trials.

use goodput_model::{Finding, MessageArg, Severity, TrialId};
use goodput_words::message;

const NAMED: usize = 8;

/// Warnings and errors in order of appearance. Each is the finding of its first trial, with the others as
/// evidence. `all` is the number of trials.
pub(super) fn group_trial_findings(
    trials: impl IntoIterator<Item = (TrialId, Vec<Finding>)>,
    all: usize,
) -> Vec<Finding> {
    let mut found: Vec<(Finding, Vec<TrialId>)> = Vec::new();
    for (trial, findings) in trials {
        for finding in findings.into_iter().filter(|f| f.severity > Severity::Note) {
            match found.iter_mut().find(|(first, _)| first.id == finding.id) {
                Some((_, of)) => of.push(trial),
                None => found.push((finding, vec![trial])),
            }
        }
    }
    found.into_iter().map(|(finding, of)| summary_finding(finding, &of, all)).collect()
}

fn summary_finding(finding: Finding, of: &[TrialId], all: usize) -> Finding {
    let mut names: Vec<MessageArg> = of.iter().take(NAMED).map(|t| t.0.to_string().into()).collect();
    let first = names.first().cloned().unwrap_or_default();
    if of.len() > NAMED {
        names.push(message!(report_and_more { count: of.len() - NAMED }).into());
    }
    let Finding { id, severity, text, evidence, try_next } = finding;
    Finding {
        id,
        severity,
        text: message!(finding_in_trials { count: of.len(), all, first, finding: text }),
        evidence: [message!(part_evidence_trials { numbers: names })].into_iter().chain(evidence).collect(),
        try_next,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(id: &str, severity: Severity, text: &str) -> Finding {
        let (evidence, try_next) = (vec!["relay.frames = 7".into()], "measure again".into());
        Finding { id: id.into(), severity, text: text.into(), evidence, try_next }
    }

    #[test]
    fn a_rule_is_told_once_with_its_trials_and_notes_are_not() {
        let late = |ms: u32| finding("relay-late", Severity::Error, &format!("{ms} ms late"));
        let trials = (1..=20).map(|number| {
            let mut findings = vec![finding("relayed", Severity::Note, "a relay imitated a - b")];
            if number % 2 == 0 {
                findings.push(late(number));
            }
            if number == 5 {
                findings.push(finding("steal", Severity::Warning, "3 % were stolen"));
            }
            (TrialId(number), findings)
        });
        let found = group_trial_findings(trials, 20);
        assert_eq!(found.iter().map(|f| f.id.as_str()).collect::<Vec<_>>(), ["relay-late", "steal"]);
        assert_eq!(found[0].text, "10 of 20 trials, first in trial 2: 2 ms late");
        assert_eq!(found[0].evidence, ["trials 2, 4, 6, 8, 10, 12, 14, 16, and 2 more", "relay.frames = 7"]);
        assert_eq!((found[0].severity, found[0].try_next.as_str()), (Severity::Error, "measure again"));
        assert_eq!(found[1].text, "1 of 20 trials, first in trial 5: 3 % were stolen");
        assert!(group_trial_findings([(TrialId(1), vec![])], 1).is_empty());
    }
}
