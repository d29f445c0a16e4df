//! Method and machines: each table once for all trials that share it.

use crate::page::{Block, Section, TableVariants};
use crate::probe::{self, file, load};
use crate::settings;
use crate::table::{Align, Table, cell::ordinal, inventory};
use goodput_model::probe::Probe;
use goodput_model::summary::{ResultDocument, TrialSummary};
use goodput_model::trial::EndRole;
use goodput_model::{Trial, TrialId};

const CHIEF: [&str; 6] = [
    "machine.kernel",
    "machine.product",
    "machine.hypervisor",
    "machine.memory_bytes",
    "processor.model",
    "processor.online",
];
const OF_A_TRIAL: [&str; 3] = ["measurement window", "clock uncertainty", "notes"];

#[derive(Debug, Default)]
struct Shared {
    all: Vec<(Table, Vec<TrialId>)>,
}

impl Shared {
    fn add(&mut self, table: Table, trial: TrialId) {
        if table.rows.is_empty() {
            return;
        }
        match self.all.iter_mut().find(|(known, _)| *known == table) {
            Some((_, trials)) => trials.push(trial),
            None => self.all.push((table, vec![trial])),
        }
    }

    fn extend(&mut self, table: Option<Table>, trial: TrialId) {
        if let Some(table) = table {
            self.add(table, trial);
        }
    }

    fn tables(self) -> Vec<Table> {
        let several = |table: &Table| self.all.iter().filter(|(t, _)| t.title == table.title).count() > 1;
        let named = |(table, trials): &(Table, Vec<TrialId>)| {
            let mut table = table.clone();
            if several(&table) {
                table.title = format!("{}, {}", table.title, of_trials(trials));
            }
            table
        };
        self.all.iter().map(named).collect()
    }
}

/// `trial 3`, `trials 1, 2 and 4`, `trials 1 to 9`.
fn of_trials(trials: &[TrialId]) -> String {
    let numbers: Vec<u32> = trials.iter().map(|t| t.0).collect();
    let row = numbers.windows(2).all(|w| w[1] == w[0] + 1);
    match numbers.as_slice() {
        [] => String::new(),
        [one] => format!("trial {one}"),
        [first, .., last] if row && numbers.len() > 2 => format!("trials {first} to {last}"),
        [others @ .., last] => {
            let others: Vec<String> = others.iter().map(u32::to_string).collect();
            format!("trials {} and {last}", others.join(", "))
        }
    }
}

pub(super) fn method_sections(document: &ResultDocument, trials: &[Trial]) -> Vec<Section> {
    let all = crate::trial_summaries(document);
    let points = crate::summaries_of_load_trials(document);
    let files = crate::find_file_run(document);
    let (mut settings, mut machines, mut inventories) =
        (Shared::default(), Shared::default(), Shared::default());
    let several = all.len() > 1;
    let mut moments = Vec::new();
    for summary in &all {
        let trial = trials.iter().find(|t| t.id == summary.trial);
        let in_points = points.iter().any(|p| p.trial == summary.trial);
        let in_files = files.is_some() && matches!(summary.probe, Probe::File(_));
        if in_points || in_files {
            continue;
        }
        settings.add(settings::probe_settings_table(&summary.probe), summary.trial);
        if probe::of(&summary.probe).has_many_clients() {
            for table in trial.map(load_method).unwrap_or_default() {
                machines.add(table, summary.trial);
            }
            continue;
        }
        settings.extend(settings::socket_options_table(summary, trial), summary.trial);
        if let Some(table) = settings::host_environment_table(trial) {
            let (machine, moment) = if several { parted(table) } else { (table, None) };
            machines.add(machine, summary.trial);
            moments.extend(moment.map(|m| (summary.trial, m)));
        }
        inventories.extend(trial.and_then(inventory::trial_hosts_table), summary.trial);
    }
    let mut how = settings.tables();
    let mut whose = machines.tables();
    how.extend(windows(&moments));
    if !points.is_empty() {
        how.push(load::settings::run_settings_table(&points));
        whose.extend(widest(trials, &points).map(load_method).unwrap_or_default());
    }
    let mut facts = inventories.tables();
    if let Some((_, summaries)) = &files {
        how.push(file::settings::run_settings_table(summaries));
        how.push(file::settings::targets_table(summaries));
        let trial = widest(trials, summaries);
        whose.extend(settings::host_environment_table(trial));
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
    let (left, right) = (Align::Left, Align::Right);
    let columns = [
        ("trial", right),
        ("endpoint", left),
        ("measurement window", right),
        ("clock uncertainty", right),
        ("notes", left),
    ];
    let mut table = Table::new("Measurement windows and clock uncertainty", &columns);
    table.heads = 2;
    for (trial, moment) in moments {
        let cell = |name: &str, column: usize| {
            let row = moment.rows.iter().find(|r| r[0] == name);
            row.and_then(|r| r.get(column)).cloned().unwrap_or("".into())
        };
        for (column, (end, _)) in moment.columns.iter().enumerate().skip(1) {
            let mut row = vec![ordinal(trial.0), end.into()];
            row.extend(OF_A_TRIAL.map(|name| cell(name, column)));
            table.add_row(row);
        }
    }
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
        ends: trial.ends.iter().filter(|e| e.role == EndRole::Listen).cloned().collect(),
        ..trial.clone()
    };
    let whole = inventory::trial_hosts_table(&server)
        .map(|table| Table { title: "Server hardware and software".into(), ..table });
    [load::settings::socket_table(trial), load::settings::hosts_table(trial), whole]
        .into_iter()
        .flatten()
        .collect()
}
