//! Method and machines: each table once for all trials that share it.

use crate::display_text::DisplayText;
use crate::grouping::group_by_key;
use crate::page::{Block, Section, TableVariants};
use crate::probe::{self, file, load};
use crate::settings_tables;
use crate::table::Align::{Left, Right};
use crate::table::{ColumnDefinitions, Table, cell::ordinal, inventory};
use goodput_model::probe::Probe;
use goodput_model::summary::{ResultDocument, TrialSummary};
use goodput_model::trial::EndpointRole;
use goodput_model::{Message, MessageArg, Trial, TrialId};
use goodput_words::message;

const CHIEF: [&str; 6] = [
    "machine.kernel",
    "machine.product",
    "machine.hypervisor",
    "machine.memory_bytes",
    "processor.model",
    "processor.online",
];
const OF_A_TRIAL: [&str; 3] = ["measurement window", "clock uncertainty", "notes"];

/// Each table once, with its trials in the title if others have the same title.
fn shared_tables(tables: impl IntoIterator<Item = (Table, TrialId)>) -> Vec<Table> {
    let all = group_by_key(tables.into_iter().filter(|(table, _)| !table.rows.is_empty()));
    let several = |table: &Table| all.iter().filter(|(t, _)| t.title == table.title).count() > 1;
    let named = |(table, trials): &(Table, Vec<TrialId>)| {
        let mut table = table.clone();
        if several(&table) {
            table.title = title_of_trials(table.title, trials).into();
        }
        table
    };
    all.iter().map(named).collect()
}

/// `Title, trial 3`, `Title, trials 1, 2 and 4`, `Title, trials 1 to 9`.
fn title_of_trials(title: DisplayText, trials: &[TrialId]) -> Message {
    let row = trials.windows(2).all(|w| w[1].0 == w[0].0 + 1);
    let name = TrialId::to_string;
    let numbers = match trials {
        [] => return title.message().clone(),
        [one] => return message!(report_title_of_trial { title, number: name(one) }),
        [first, .., last] if row && trials.len() > 2 => {
            message!(part_from_to { least: name(first), most: name(last) })
        }
        [others @ .., last] => {
            let others: MessageArg = others.iter().map(name).collect::<Vec<_>>().into();
            message!(part_list_and { more: others, last: name(last) })
        }
    };
    message!(report_title_of_trials { title, numbers })
}

pub(super) fn measurement_method_sections(document: &ResultDocument, trials: &[Trial]) -> Vec<Section> {
    let all = crate::trial_summaries(document);
    let points = crate::summaries_of_load_trials(document);
    let files = crate::file_run_with_trials(document);
    let (mut settings, mut machines, mut inventories) = (Vec::new(), Vec::new(), Vec::new());
    let several = all.len() > 1;
    let mut moments = Vec::new();
    for summary in &all {
        let trial = trials.iter().find(|t| t.id == summary.trial);
        let in_points = points.iter().any(|p| p.trial == summary.trial);
        let in_files = files.is_some() && matches!(summary.probe, Probe::File(_));
        if in_points || in_files {
            continue;
        }
        let of_trial = |table: Table| (table, summary.trial);
        settings.push(of_trial(settings_tables::probe_settings_table(&summary.probe)));
        if probe::probe_report(&summary.probe).has_many_clients() {
            machines.extend(trial.map(load_method).unwrap_or_default().into_iter().map(of_trial));
            continue;
        }
        settings.extend(settings_tables::socket_options_table(summary, trial).map(of_trial));
        if let Some(table) = settings_tables::host_environment_table(trial) {
            let (machine, moment) = if several { parted(table) } else { (table, None) };
            machines.push(of_trial(machine));
            moments.extend(moment.map(|m| (summary.trial, m)));
        }
        inventories.extend(trial.and_then(inventory::trial_hosts_table).map(of_trial));
    }
    let mut how = shared_tables(settings);
    let mut whose = shared_tables(machines);
    how.extend(windows(&moments));
    if !points.is_empty() {
        how.push(load::settings::run_settings_table(&points));
        whose.extend(widest(trials, &points).map(load_method).unwrap_or_default());
    }
    let mut facts = shared_tables(inventories);
    if let Some((_, summaries)) = &files {
        how.push(file::settings::run_settings_table(summaries));
        how.push(file::settings::file_locations_table(summaries));
        let trial = widest(trials, summaries);
        whose.extend(settings_tables::host_environment_table(trial));
        facts.extend(trial.and_then(inventory::trial_hosts_table));
    }
    let mut blocks: Vec<Block> = whose.into_iter().map(Block::table).collect();
    blocks.extend(facts.into_iter().map(inventoried));
    vec![
        Section { title: "Method".into(), blocks: how.into_iter().map(Block::table).collect() },
        Section { title: "Hardware and software".into(), blocks },
    ]
}

fn widest<'a>(trials: &'a [Trial], of: &[&TrialSummary]) -> Option<&'a Trial> {
    trials.iter().filter(|t| of.iter().any(|s| s.trial == t.id)).max_by_key(|t| t.ends.len())
}

fn parted(table: Table) -> (Table, Option<Table>) {
    let (mine, rest): (Vec<_>, Vec<_>) =
        table.rows.iter().cloned().partition(|row| OF_A_TRIAL.iter().any(|name| row[0] == *name));
    let moment = Table { rows: mine, ..table.clone() };
    (Table { rows: rest, ..table }, (!moment.rows.is_empty()).then_some(moment))
}

fn windows(moments: &[(TrialId, Table)]) -> Option<Table> {
    let ends = moments.iter().flat_map(|(trial, moment)| {
        let ends = moment.columns.iter().enumerate().skip(1);
        ends.map(move |(column, (end, _))| (trial, moment, column, end))
    });
    let cell = |name: &str, moment: &Table, column: usize| {
        let row = moment.rows.iter().find(|r| r[0] == name);
        row.and_then(|r| r.get(column)).cloned().unwrap_or("".into())
    };
    let [window, uncertainty, notes] = OF_A_TRIAL;
    let columns: ColumnDefinitions<'_, (&TrialId, &Table, usize, &DisplayText)> = &[
        ("trial", Right, &|(trial, ..)| ordinal(trial.0)),
        ("endpoint", Left, &|(.., end)| (*end).clone().into()),
        (window, Right, &|(_, moment, column, _)| cell(window, moment, *column)),
        (uncertainty, Right, &|(_, moment, column, _)| cell(uncertainty, moment, *column)),
        (notes, Left, &|(_, moment, column, _)| cell(notes, moment, *column)),
    ];
    let mut table = Table::from_items("Measurement windows and clock uncertainty", ends, columns);
    table.heads = 2;
    (!table.rows.is_empty()).then(|| table.without_empty_columns())
}

fn inventoried(whole: Table) -> Block {
    let mut short = whole.clone();
    short.rows.retain(|row| CHIEF.iter().any(|name| row[0] == *name));
    if short.rows.is_empty() {
        return Block::table(whole);
    }
    Block::Table(Box::new(TableVariants { short, whole }))
}

fn load_method(trial: &Trial) -> Vec<Table> {
    let server = Trial {
        ends: trial.ends.iter().filter(|e| e.role == EndpointRole::Listen).cloned().collect(),
        ..trial.clone()
    };
    let whole = inventory::trial_hosts_table(&server)
        .map(|table| Table { title: "Server hardware and software".into(), ..table });
    [load::settings::socket_table(trial), load::settings::host_facts_table(trial), whole]
        .into_iter()
        .flatten()
        .collect()
}
