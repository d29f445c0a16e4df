//! The environment: roles and hosts, settings, and facts of machines that changed.

use super::ResultsSource;
use crate::display_text::{comma_list, semicolon_list};
use crate::number_format::MISSING_VALUE;
use crate::page::{Block, TableVariants};
use crate::table::Align::Left;
use crate::table::cell::optional_cell;
use crate::table::{Cell, ColumnDefinitions, Table};
use goodput_model::experiment::execution_record::ExperimentStep;
use goodput_model::experiment::{Factor, LevelSettingMethod};
use goodput_model::{Message, Trial};
use goodput_words::message;
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

pub(super) fn environment_page_blocks(source: &ResultsSource<'_>) -> Vec<Block> {
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
        blocks.push(Block::Table(Box::new(TableVariants { short, whole })));
        let changed = changed(&hosts);
        if changed.rows.is_empty() {
            blocks.push(Block::note("Each host was the same machine with the same settings in all trials."));
        } else {
            blocks.push(Block::table(changed));
        }
    }
    blocks
}

fn roles(source: &ResultsSource<'_>) -> Table {
    let mut table = Table::new("Hosts", &[("role", Left), ("host", Left)]);
    for (role, host) in source.experiment.iter().flat_map(|e| &e.hosts) {
        table.add_row([role, host]);
    }
    table
}

fn factors(source: &ResultsSource<'_>) -> Table {
    let columns: ColumnDefinitions<'_, &Factor> = &[
        ("factor", Left, &|factor| (&factor.name).into()),
        ("levels", Left, &|factor| comma_list(factor.levels.iter().map(|l| &l.name)).into()),
        ("set by", Left, &|factor| setting_method(&factor.means).into()),
    ];
    Table::from_items("Factors", source.experiment.iter().flat_map(|e| &e.factors), columns)
}

fn setting_method(method: &LevelSettingMethod) -> Message {
    match method {
        LevelSettingMethod::Argument => message!(report_the_probes_own_line),
        LevelSettingMethod::Lab { paths } => message!(report_the_lab_does { paths: paths.clone() }),
        LevelSettingMethod::Knob { on, knob, .. } => {
            message!(part_experiment_knob { knob, hosts: on.clone() })
        }
        LevelSettingMethod::Command { on, set, .. } => {
            message!(report_a_command_on { host: on, command: set })
        }
        LevelSettingMethod::ByHand { ask, .. } => message!(report_by_hand { ask }),
    }
}

fn set(steps: &[ExperimentStep]) -> Table {
    let mut seen: BTreeMap<(&String, &String), BTreeSet<String>> = BTreeMap::new();
    for step in steps {
        if let ExperimentStep::LevelSet { factor, level, obtained, .. } = step
            && !obtained.is_empty()
        {
            seen.entry((factor, level)).or_default().insert(obtained.join(", "));
        }
    }
    let columns: ColumnDefinitions<'_, ((&String, &String), BTreeSet<String>)> = &[
        ("factor", Left, &|((factor, _), _)| (*factor).into()),
        ("level", Left, &|((_, level), _)| (*level).into()),
        ("value read back", Left, &|(_, obtained)| {
            obtained.iter().map(String::as_str).collect::<Vec<_>>().join("; ").into()
        }),
    ];
    Table::from_items("Factor levels read back from the hosts", seen, columns)
}

fn not_restored(steps: &[ExperimentStep]) -> Vec<Block> {
    let told = |step: &ExperimentStep| match step {
        ExperimentStep::NotRestored { factor, cause } => {
            let cause = Message::from(cause);
            Some(Block::paragraph(message!(report_factor_not_put_back { factor, cause })))
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
        for (name, value) in inventory.flatten_stable_facts() {
            *host.entry(name).or_default().entry(value).or_default() += 1;
        }
    }
    hosts
}

fn usual(values: &BTreeMap<String, usize>) -> String {
    let most = values.iter().max_by_key(|(_, n)| **n);
    most.map_or_else(|| MISSING_VALUE.to_string(), |(value, _)| value.clone())
}

fn machines(hosts: &Facts, shown: impl Fn(&str) -> bool) -> Table {
    let mut table = Table::new("Host hardware and software", &[("", Left)]);
    table.columns.extend(hosts.keys().map(|h| (h.into(), Left)));
    let names: BTreeSet<&String> = hosts.values().flat_map(BTreeMap::keys).filter(|n| shown(n)).collect();
    for name in names {
        let values = hosts.values().map(|f| optional_cell(f.get(name), usual));
        table.add_row(std::iter::once(name.into()).chain(values));
    }
    table
}

/// Facts that varied: those of factors, and others.
fn changed(hosts: &Facts) -> Table {
    let mut table =
        Table::new("Host changes between trials", &[("host", Left), ("property", Left), ("values", Left)]);
    table.heads = 2;
    for (host, facts) in hosts {
        for (name, values) in facts.iter().filter(|(_, values)| values.len() > 1) {
            let shown = values.iter().take(VALUES).map(|(value, trials)| {
                message!(part_with_parts {
                    what: value,
                    parts: message!(part_experiment_trials { count: *trials })
                })
            });
            let more = values.len().saturating_sub(VALUES);
            let more = (more > 0).then(|| message!(part_experiment_more { count: more }));
            table.add_row([Cell::from(host), name.into(), semicolon_list(shown.chain(more)).into()]);
        }
    }
    table
}
