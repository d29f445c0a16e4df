//! Finds changes of hosts that no factor declares. Between two executions of the same probe line each fact of
//! a host's inventory must be equal. Exceptions: a knob may change its own setting; a lab property, command
//! or manual step may change anything, so executions are compared only where those levels are equal.

use super::data_set::recorded_experiment;
use crate::finding::advice_for_finding;
use crate::inventory_difference::inventory_differences;
use goodput_model::experiment::execution_record::{CellExecution, ExperimentStep};
use goodput_model::experiment::{Experiment, LevelSettingMethod};
use goodput_model::host::Inventory;
use goodput_model::{EndpointReport, Finding, Message, Run, Severity, TrialId};
use goodput_words::message;
use std::collections::BTreeMap;

const NAMED: usize = 3;

/// Executions are comparable with equal probe line, host, and levels of factors that may change anything.
type ComparisonKey<'r> = (&'r str, String, Vec<(&'r str, &'r str)>);

/// Each change once, in the order of the run.
pub fn find_host_changes(run: &Run) -> Vec<Finding> {
    let Some(experiment) = recorded_experiment(run) else { return Vec::new() };
    let mut before: BTreeMap<ComparisonKey<'_>, (&CellExecution, &Inventory)> = BTreeMap::new();
    let mut found = Vec::new();
    for (cell, trials) in executions(run) {
        for end in ends(run, trials) {
            let Some(inventory) = &end.inventory else { continue };
            let alike = (cell.probe.as_str(), name_of(end), broad(experiment, cell));
            if let Some((earlier, then)) = before.get(&alike)
                && then.hash != inventory.hash
            {
                found.extend(change(experiment, end, (earlier, then), (cell, inventory)));
            }
            before.insert(alike, (cell, inventory));
        }
    }
    found
}

fn executions(run: &Run) -> Vec<(&CellExecution, &[TrialId])> {
    let mut cells: BTreeMap<u32, &CellExecution> = BTreeMap::new();
    let mut ended = Vec::new();
    for step in &run.steps {
        match step {
            ExperimentStep::CellStarted { cell, .. } => drop(cells.insert(cell.number, cell)),
            ExperimentStep::CellEnded { number, trials, .. } => {
                ended.extend(cells.get(number).map(|cell| (*cell, trials.as_slice())));
            }
            _ => {}
        }
    }
    ended
}

/// Both ends of the first of these trials with an inventory.
fn ends<'r>(run: &'r Run, trials: &[TrialId]) -> impl Iterator<Item = &'r EndpointReport> {
    let with_record = |id: &TrialId| {
        let trial = run.trials.iter().find(|t| t.id == *id)?;
        trial.ends.iter().any(|e| e.inventory.is_some()).then_some(trial)
    };
    trials.iter().find_map(with_record).into_iter().flat_map(|trial| &trial.ends)
}

/// A host may have different names in two trials, and two ends may be one host.
fn name_of(end: &EndpointReport) -> String {
    format!("{:?} {}", end.role, end.host)
}

fn broad<'r>(experiment: &'r Experiment, cell: &'r CellExecution) -> Vec<(&'r str, &'r str)> {
    let anything = |means: &LevelSettingMethod| match means {
        LevelSettingMethod::Lab { .. }
        | LevelSettingMethod::Command { .. }
        | LevelSettingMethod::ByHand { .. } => true,
        LevelSettingMethod::Argument | LevelSettingMethod::Knob { .. } => false,
    };
    let factors = experiment.factors.iter().filter(|f| anything(&f.means));
    factors.filter_map(|f| Some((f.name.as_str(), cell.levels.get(&f.name)?.as_str()))).collect()
}

/// Whether a knob that differs between two executions may change this fact.
fn declares(knob: &str, interface: Option<&str>, fact: &str) -> bool {
    match knob.split_whitespace().collect::<Vec<_>>().as_slice() {
        ["sysctl", name] => fact == format!("sysctls.{name}"),
        // An interface setting may affect several facts: rings and channels, dependent offloads.
        [_, ..] => fact.strip_prefix("interfaces.").is_some_and(|rest| {
            interface.is_none_or(|name| rest.strip_prefix(name).is_some_and(|rest| rest.starts_with('.')))
        }),
        [] => false,
    }
}

fn change(
    experiment: &Experiment,
    end: &EndpointReport,
    (earlier, then): (&CellExecution, &Inventory),
    (cell, now): (&CellExecution, &Inventory),
) -> Option<Finding> {
    let varied = |name: &String| earlier.levels.get(name) != cell.levels.get(name);
    let excused = |fact: &str| {
        experiment.factors.iter().filter(|f| varied(&f.name)).any(|f| match &f.means {
            LevelSettingMethod::Knob { knob, interface, .. } => declares(knob, interface.as_deref(), fact),
            _ => false,
        })
    };
    let none = || "none".to_string();
    let facts: Vec<String> = inventory_differences(then, now)
        .into_iter()
        .filter(|d| !excused(&d.name))
        .map(|d| format!("{}: {} → {}", d.name, d.first.unwrap_or_else(none), d.second.unwrap_or_else(none)))
        .collect();
    let mut named = facts.get(..NAMED.min(facts.len())).filter(|named| !named.is_empty())?.join("; ");
    if let more @ 1.. = facts.len().saturating_sub(NAMED) {
        named.push_str(&format!("; +{more}"));
    }
    Some(Finding {
        id: "experiment.host_changed".into(),
        severity: Severity::Warning,
        text: message!(rule_experiment_host_changed_text {
            earlier: earlier.number.to_string(),
            later: cell.number.to_string(),
            host: &end.host,
            facts: named,
        }),
        evidence: facts.into_iter().map(Message::from).collect(),
        try_next: advice_for_finding("experiment.host_changed"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use goodput_model::experiment::execution_record::CellOutcome;
    use goodput_model::experiment::{
        ExecutionOrder, ExperimentDesign, Factor, FactorLevel, FactorLevels, RepeatPolicy,
    };
    use goodput_model::host::Fact;
    use goodput_model::host::inventory::Interface;
    use goodput_model::trial::EndpointRole;
    use goodput_model::{Probe, Stream, Trial, TrialOutcome};
    use serde_json::json;

    fn inventory(mtu: u32, sack: &str) -> Inventory {
        let eth0 = Interface { mtu, ..Interface::default() };
        Inventory {
            hash: format!("{mtu} {sack}"),
            sysctls: BTreeMap::from([("net.ipv4.tcp_sack".into(), Fact::Value(sack.into()))]),
            interfaces: Fact::Value(BTreeMap::from([("eth0".into(), eth0)])),
            ..Inventory::default()
        }
    }

    fn factor(name: &str, means: LevelSettingMethod) -> Factor {
        let level = |name: &str| FactorLevel { name: name.into(), value: name.into() };
        Factor { name: name.into(), levels: vec![level("1500"), level("9000")], means, hard_to_change: false }
    }

    /// Of each cell its level, and the MTU and the setting of SACK that the host has in it.
    fn changes(means: LevelSettingMethod, cells: &[(&str, u32, &str)]) -> Vec<Finding> {
        let experiment = Experiment {
            name: "x".into(),
            title: "X".into(),
            hosts: BTreeMap::new(),
            lab: None,
            factors: vec![factor("mtu", means)],
            probes: vec![],
            design: ExperimentDesign::Full,
            excluded: vec![],
            order: ExecutionOrder { shuffled: false, seed: 1 },
            repeats: RepeatPolicy { warm_up: 0, least: 1, most: 1, width_percent: None },
            requirements: vec![],
            prices: vec![],
            questions: vec![],
        };
        let mut steps =
            vec![ExperimentStep::Declared { experiment: Box::new(experiment), text: String::new() }];
        let mut trials = Vec::new();
        for (number, (level, mtu, sack)) in (1..).zip(cells) {
            let levels = FactorLevels::from([("mtu".to_string(), (*level).to_string())]);
            let cell = CellExecution { number, block: 1, levels, probe: "tcp".into() };
            let (id, at, outcome) = (TrialId(number), String::new(), CellOutcome::Done);
            steps.push(ExperimentStep::CellStarted { cell, at: at.clone() });
            steps.push(ExperimentStep::CellEnded { number, outcome, trials: vec![id], at });
            let inventory = Some(inventory(*mtu, sack));
            let ends = vec![EndpointReport { inventory, ..EndpointReport::empty(EndpointRole::Listen, "b") }];
            let (probe, outcome) = (Probe::Stream(Stream::default()), TrialOutcome::Complete);
            let (shared, medium, bus, excluded, purpose) = (false, None, None, vec![], None);
            trials.push(Trial { id, probe, ends, outcome, shared, medium, bus, excluded, purpose });
        }
        let id = "01a1fc42-d27b-7000-8000-0123456789ab";
        let head = json!({"format": 2, "id": id, "started": "", "version": "",
            "command": [], "seed": 1, "labels": {}});
        let head = serde_json::from_value(head).unwrap();
        find_host_changes(&Run { head, trials, steps, finished: true })
    }

    fn knob() -> LevelSettingMethod {
        LevelSettingMethod::Knob { on: vec!["b".into()], knob: "mtu".into(), interface: None }
    }

    #[test]
    fn what_a_factor_declares_is_no_finding() {
        assert_eq!(changes(knob(), &[("1500", 1500, "1"), ("9000", 9000, "1"), ("1500", 1500, "1")]), []);
        let hand = LevelSettingMethod::ByHand { ask: "swap".into(), verify: vec![] };
        assert_eq!(changes(hand, &[("1500", 1500, "1"), ("9000", 9000, "0")]), []);
    }

    #[test]
    fn what_no_factor_declares_is_named_once_with_both_values() {
        let found = changes(knob(), &[("1500", 1500, "1"), ("9000", 9000, "0"), ("1500", 1500, "0")]);
        assert_eq!(found.len(), 1, "{found:?}");
        for part in ["b changed between cells 1 and 2", "sysctls.net.ipv4.tcp_sack: 1 → 0"] {
            assert!(found[0].text.contains(part), "{}", found[0].text);
        }
        // A knob's own setting that changed while its level did not.
        assert_eq!(changes(knob(), &[("1500", 1500, "1"), ("1500", 1492, "1")]).len(), 1);
    }

    #[test]
    fn a_sysctl_excuses_itself_only() {
        assert!(declares("sysctl net.ipv4.tcp_sack", None, "sysctls.net.ipv4.tcp_sack"));
        assert!(!declares("sysctl net.ipv4.tcp_sack", None, "sysctls.net.core.rmem_max"));
        assert!(declares("offload gro", Some("eth0"), "interfaces.eth0.features.gro"));
        assert!(!declares("offload gro", Some("eth0"), "interfaces.eth01.features.gro"));
    }
}
