//! Checks an experiment's lines before anything is measured, and estimates their duration.

use super::lab_names::qualify_lab_hosts;
use super::measurement_process;
use crate::args::file::{FileMeasurement, FileTask};
use crate::args::iometer_icf::IcfArgs;
use crate::args::load::{LoadClients, LoadInvocation, LoadPlanSource};
use crate::args::measure_args::MeasureInvocation;
use crate::args::{self, Command, ParseOutcome, ProbeInvocation};
use crate::exit::ExitStatus;
use crate::failure::Failure;
use goodput_experiment::{ExecutionPlan, probe_command};
use goodput_lab::LabOrHostName;
use goodput_model::experiment::execution_record::CellExecution;
use goodput_model::{Experiment, Message, Nanos};
use goodput_words::message;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::ffi::OsString;

/// A command's time besides its windows: start, host lookup, recording.
const AROUND: Nanos = Nanos(Nanos::SECOND.0);
/// Of all different lines of an experiment, which are kept while it is checked.
const MAX_LINES_BYTES: usize = 64 << 20;
/// A trial's time besides its window.
const AROUND_A_TRIAL: Nanos = Nanos(Nanos::SECOND.0 / 5);

/// Duration of a line by its settings; `None` if unknown.
pub type CommandDurations = BTreeMap<Vec<String>, Option<Nanos>>;

/// Every line of the plan once; an error for the first that is no measurement.
pub fn parse_command_lines(
    experiment: &Experiment,
    plan: &ExecutionPlan,
    lab: Option<&LabOrHostName>,
    options: &[(&'static str, String)],
) -> Result<BTreeMap<Vec<String>, Command>, Failure> {
    let mut parsed = BTreeMap::new();
    let mut bytes: usize = 0;
    for cell in &plan.cells {
        if let Entry::Vacant(new) = parsed.entry(words(experiment, cell)?) {
            bytes += new.key().iter().map(String::len).sum::<usize>();
            if bytes > MAX_LINES_BYTES {
                return Err(Failure::usage_error("the experiment cannot be checked")
                    .with_cause("its command lines have more than 64 MiB")
                    .with_hint("use fewer levels or fewer repeats"));
            }
            let command = parse_command_line(new.key(), cell, lab, options)?;
            new.insert(command);
        }
    }
    Ok(parsed)
}

pub fn expected_durations(parsed: BTreeMap<Vec<String>, Command>) -> CommandDurations {
    parsed.into_iter().map(|(line, command)| (line, expected_duration(&command))).collect()
}

pub fn expected_cell_duration(
    experiment: &Experiment,
    expected: &CommandDurations,
    cell: &CellExecution,
) -> Option<Nanos> {
    *expected.get(&words(experiment, cell).ok()?)?
}

fn words(experiment: &Experiment, cell: &CellExecution) -> Result<Vec<String>, Failure> {
    probe_command::probe_arguments_for_cell(experiment, &cell.probe, &cell.levels).map_err(|e| {
        let what = message!(error_probe_cannot_run { probe: &cell.probe });
        Failure::from_error(ExitStatus::Usage, what, &e).with_hint(e.hint.clone())
    })
}

fn parse_command_line(
    line: &[String],
    cell: &CellExecution,
    lab: Option<&LabOrHostName>,
    options: &[(&'static str, String)],
) -> Result<Command, Failure> {
    let refused = |because: Message| {
        let levels: Vec<String> =
            cell.levels.iter().map(|(factor, level)| format!("{factor} = {level}")).collect();
        let line = line.iter().map(|w| qualify_lab_hosts(w, lab)).collect::<Vec<_>>().join(" ");
        let probe = &cell.probe;
        let error = match levels.is_empty() {
            true => message!(error_probe_line_cannot_run { probe, line }),
            false => message!(error_probe_line_cannot_run_at { probe, levels, line }),
        };
        Failure::usage_error(error).with_cause(because)
    };
    let mut words: Vec<OsString> = vec!["goodput".into()];
    words
        .extend(measurement_process::measurement_args(line, lab, options, 0).into_iter().map(OsString::from));
    words.extend(["--json".into(), "--into".into(), "run".into()]);
    let measurements = || message!(hint_probe_runs_one_of { names: goodput_model::Probe::NAMES.to_vec() });
    match args::parse(&words) {
        Ok(
            command @ (Command::Probe(
                ProbeInvocation::Measure(_) | ProbeInvocation::Load(_) | ProbeInvocation::File(_),
            )
            | Command::Icf(IcfArgs::FromPlan { .. })),
        ) => Ok(command),
        Ok(_) => Err(refused(message!(cause_measures_nothing_to_keep)).with_hint(measurements())),
        Err(ParseOutcome::Text(_)) => {
            Err(refused(message!(cause_it_asks_for_help)).with_hint(measurements()))
        }
        Err(ParseOutcome::Refused(failure)) => {
            let because = failure.one_line_message();
            Err(refused(because).with_hint(failure.hint.unwrap_or_else(measurements)))
        }
    }
}

fn expected_duration(command: &Command) -> Option<Nanos> {
    match command {
        Command::Probe(ProbeInvocation::Measure(order)) => of_measure(order),
        Command::Probe(ProbeInvocation::Load(order))
        | Command::Icf(IcfArgs::FromPlan { load: order, .. }) => of_load(order),
        Command::Probe(ProbeInvocation::File(order)) => of_files(order),
        _ => None,
    }
}

fn of_files(order: &FileMeasurement) -> Option<Nanos> {
    let replays = order.parts.iter().map(|part| match &part.work {
        FileTask::Replay(plan) => {
            let one = plan.warm_up_or_default().0 + plan.time.0 + AROUND_A_TRIAL.0;
            Some(one * plan.clients.0.len() as u64 * u64::from(order.rounds))
        }
        // Depends on the speed of the target.
        FileTask::Copy(_) | FileTask::Disk(_) => None,
    });
    replays.sum::<Option<u64>>().map(|sum| Nanos(sum + AROUND.0))
}

fn of_measure(order: &MeasureInvocation) -> Option<Nanos> {
    let one = |probe: &goodput_model::Probe| {
        let (warm_up, window) = probe.measurement_window();
        Some(warm_up.0 + window?.0 + AROUND_A_TRIAL.0)
    };
    // A search takes as many trials as it needs.
    if matches!(&order.probe, goodput_model::Probe::Datagram(d) if d.search.is_some()) {
        return None;
    }
    let round = std::iter::once(&order.probe).chain(&order.then).map(one).sum::<Option<u64>>()?;
    Some(Nanos(round * u64::from(order.options.repeat_count()) + AROUND.0))
}

fn of_load(order: &LoadInvocation) -> Option<Nanos> {
    let LoadPlanSource::Grid { clients, grid, .. } = &order.source else { return None };
    let count = match clients {
        LoadClients::Named(clients) => clients.len(),
        LoadClients::Group(_) => 1,
    };
    let names: Vec<String> = (0..count).map(|n| n.to_string()).collect();
    let one = order.settings.warm_up.0 + order.settings.time.0 + AROUND_A_TRIAL.0;
    let points =
        grid.grid_points(&names, &order.settings).len() as u64 * u64::from(order.options.repeat_count());
    Some(Nanos(points * one + AROUND.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn time_of(line: &str) -> Result<Option<Nanos>, Failure> {
        let words: Vec<String> = line.split_whitespace().map(String::from).collect();
        let levels = BTreeMap::from([("cc".to_string(), "cubic".to_string())]);
        let cell = CellExecution { number: 1, block: 1, levels, probe: "tcp".into() };
        let command = parse_command_line(&words, &cell, Some(&"exp-1".parse().unwrap()), &[])?;
        Ok(expected_duration(&command))
    }

    #[test]
    fn a_line_tells_how_long_it_takes() {
        for (line, ms) in [
            ("stream lab:b --time 2s --warm-up 1s", Some(4_200)),
            ("request b --time 2s --warm-up 1s --repeat 3", Some(10_600)),
            ("stream lab:b --bytes 1GiB", None),
            ("pingpong lab:b", None),
        ] {
            assert_eq!(time_of(line).unwrap(), ms.map(|ms| Nanos(ms * 1_000_000)), "{line}");
        }
        let load = "load lab:a --clients lab:b,lab:c --size 1KiB --time 2s --warm-up 1s";
        assert!(time_of(load).unwrap().is_some());
    }

    #[test]
    fn what_is_no_measurement_is_refused() {
        let others = ["lab up", "show last", "stream", "file clean /x", "--help"];
        let wrong = ["stream b --congestoin cubic", "stream b --no-save", "stream b --json"];
        for line in others.into_iter().chain(wrong) {
            let refused = time_of(line).unwrap_err();
            assert!(refused.hint.is_some() && refused.error.contains("at cc = cubic"), "{line}: {refused}");
        }
    }
}
