//! The environment: roles and hosts, settings, and facts of machines that changed.

use super::Source;
use crate::number::NONE;
use crate::page::{Block, Tables};
use crate::table::cell::or_none;
use crate::table::{Align, Cell, Table};
use goodput_model::Trial;
use goodput_model::experiment::Means;
use goodput_model::experiment::record::Step;
use std::collections::{BTreeMap, BTreeSet};

/// Facts shown in terminal and Markdown; HTML has all.
const CHIEF: [&str; 8] = [
    "machine.kernel",
    "machine.product",
    "machine.hypervisor",
    "machine.memory_bytes",
    "machine.clock_source",
    "processor.model",
    "processor.online",
    "processor.smt",
];
/// Values shown of a changed fact; the rest is counted.
const VALUES: usize = 4;

pub(super) fn blocks(source: &Source<'_>) -> Vec<Block> {
    let mut blocks: Vec<Block> = [roles(source), factors(source), set(source.steps)]
        .into_iter()
        .filter(|t| !t.rows.is_empty())
        .map(Block::table)
        .collect();
    blocks.extend(not_restored(source.steps));
    let hosts = facts(source.trials);
    if !hosts.is_empty() {
        let whole = machines(&hosts, |_| true);
        let short = machines(&hosts, |name| CHIEF.contains(&name) || name.ends_with(".driver.name"));
        blocks.push(Block::Table(Box::new(Tables { short, whole })));
        let changed = changed(&hosts);
        if changed.rows.is_empty() {
            blocks.push(Block::note("Every host was the same machine with the same settings in all trials."));
        } else {
            blocks.push(Block::table(changed));
        }
    }
    blocks
}

fn roles(source: &Source<'_>) -> Table {
    let mut table = Table::new("Hosts", &[("role", Align::Left), ("host", Align::Left)]);
    for (role, host) in source.experiment.iter().flat_map(|e| &e.hosts) {
        table.row(vec![role.clone(), host.clone()]);
    }
    table
}

fn factors(source: &Source<'_>) -> Table {
    let left = Align::Left;
    let mut table = Table::new("Factors", &[("factor", left), ("levels", left), ("set by", left)]);
    for factor in source.experiment.iter().flat_map(|e| &e.factors) {
        let levels: Vec<&str> = factor.levels.iter().map(|l| l.name.as_str()).collect();
        let by = match &factor.means {
            Means::Argument => "the probe's own line".to_string(),
            Means::Lab { paths } => format!("the lab: {}", paths.join(", ")),
            Means::Knob { on, knob, .. } => format!("{knob} on {}", on.join(", ")),
            Means::Command { on, set, .. } => format!("a command on {on}: {set}"),
            Means::ByHand { ask, .. } => format!("hand: {ask}"),
        };
        table.row(vec![factor.name.clone(), levels.join(", "), by]);
    }
    table
}

fn set(steps: &[Step]) -> Table {
    let left = Align::Left;
    let mut table = Table::new(
        "Factor levels read back from the hosts",
        &[
            ("factor", left),
            ("level", left),
            (
                "value \
            read back",
                left,
            ),
        ],
    );
    let mut seen: BTreeMap<(&String, &String), BTreeSet<String>> = BTreeMap::new();
    for step in steps {
        if let Step::LevelSet { factor, level, obtained, .. } = step
            && !obtained.is_empty()
        {
            seen.entry((factor, level)).or_default().insert(obtained.join(", "));
        }
    }
    for ((factor, level), obtained) in seen {
        let all: Vec<String> = obtained.into_iter().collect();
        table.row(vec![factor.clone(), level.clone(), all.join("; ")]);
    }
    table
}

fn not_restored(steps: &[Step]) -> Vec<Block> {
    let told = |step: &Step| match step {
        Step::NotRestored { factor, cause } => {
            Some(Block::text(format!("{factor} was not put back: {cause}")))
        }
        _ => None,
    };
    steps.iter().filter_map(told).collect()
}

/// Per host and fact: each value with its number of trials.
type Facts = BTreeMap<String, BTreeMap<String, BTreeMap<String, usize>>>;

fn facts(trials: &[Trial]) -> Facts {
    let mut hosts = Facts::new();
    for end in trials.iter().flat_map(|t| &t.ends) {
        let Some(inventory) = &end.inventory else { continue };
        let host = hosts.entry(end.host.clone()).or_default();
        for (name, value) in inventory.facts() {
            *host.entry(name).or_default().entry(value).or_default() += 1;
        }
    }
    hosts
}

fn usual(values: &BTreeMap<String, usize>) -> String {
    let most = values.iter().max_by_key(|(_, n)| **n);
    most.map_or_else(|| NONE.to_string(), |(value, _)| value.clone())
}

fn machines(hosts: &Facts, shown: impl Fn(&str) -> bool) -> Table {
    let mut table = Table::new("Host hardware and software", &[("", Align::Left)]);
    table.columns.extend(hosts.keys().map(|h| (h.clone(), Align::Left)));
    let names: BTreeSet<&String> = hosts.values().flat_map(BTreeMap::keys).filter(|n| shown(n)).collect();
    for name in names {
        let mut row = vec![Cell::from(name)];
        row.extend(hosts.values().map(|f| or_none(f.get(name), usual)));
        table.row(row);
    }
    table
}

/// Facts that varied: those of factors, and others.
fn changed(hosts: &Facts) -> Table {
    let left = Align::Left;
    let mut table =
        Table::new("Host changes between trials", &[("host", left), ("property", left), ("values", left)]);
    table.heads = 2;
    for (host, facts) in hosts {
        for (name, values) in facts.iter().filter(|(_, values)| values.len() > 1) {
            let word = |n: usize| if n == 1 { "trial" } else { "trials" };
            let mut all: Vec<String> =
                values.iter().take(VALUES).map(|(v, n)| format!("{v} ({n} {})", word(*n))).collect();
            if values.len() > VALUES {
                all.push(format!("{} more", values.len() - VALUES));
            }
            table.row(vec![host.clone(), name.clone(), all.join("; ")]);
        }
    }
    table
}
