//! The permissions that a line needs from a page, and what a page never may do.

use crate::args::Command;
use crate::args::credentials::CredentialSource;
use crate::args::file::target::Target;
use crate::args::file::{FileInvocation, FileMeasurement, FileTask, ReplaySource};
use crate::args::host_name::HostName;
use crate::args::load::LoadSource;
use crate::args::measure_args::MeasureOptions;
use crate::args::run::RunArgs;
use crate::command::run::experiment_runs_commands;
use crate::failure::Failure;
use goodput_server::forms::Leave;
use std::path::Path;

/// Why only a local user may run a line; `None` if a page may.
pub fn local_only_reason(command: &Command) -> Option<&'static str> {
    const NO_MEASUREMENT: &str = "it measures nothing";
    const PRINTS: &str = "what it prints with --json nobody would read; the page shows it anyway";
    const OF_AN_EXPERIMENT: &str = "only an experiment adds its trials to a run that is there";
    let of = |options: &MeasureOptions| match options {
        MeasureOptions { into: Some(_), .. } => Some(OF_AN_EXPERIMENT),
        MeasureOptions { json: true, .. } => Some(PRINTS),
        _ => None,
    };
    match command {
        Command::Measure(order) => of(&order.options),
        Command::Load(order) => of(&order.options),
        Command::File(FileInvocation::Measure(order)) => of(&order.options),
        Command::Run(order) if order.check => Some("--check explains, and measures nothing"),
        Command::Run(order) if order.json => Some(PRINTS),
        Command::Run(_) => None,
        _ => Some(NO_MEASUREMENT),
    }
}

/// The permissions that a line needs; fails if an experiment's file may not be read.
pub fn permissions_for_command(command: &Command) -> Result<Vec<Leave>, Failure> {
    let mut asked = Vec::new();
    let mut ask = |needs: bool, leave: Leave| {
        if needs && !asked.contains(&leave) {
            asked.push(leave);
        }
    };
    let of = |options: &MeasureOptions, ask: &mut dyn FnMut(bool, Leave)| {
        ask(options.runs.is_some(), Leave::Write);
        ask(options.credentials != CredentialSource::Usual, Leave::Files);
    };
    match command {
        Command::Measure(order) => {
            of(&order.options, &mut ask);
            ask(order.np_out.is_some(), Leave::Write);
        }
        Command::Load(order) => {
            of(&order.options, &mut ask);
            ask(order.write_icf.is_some(), Leave::Write);
            ask(matches!(order.source, LoadSource::Icf { .. }), Leave::Files);
        }
        Command::File(FileInvocation::Measure(order)) => {
            of(&order.options, &mut ask);
            ask(order.at.password_file.is_some(), Leave::Files);
            ask(reads_load_file(order), Leave::Files);
            ask(works_here(order), Leave::Folders);
        }
        Command::Run(order) => {
            ask(order.runs.is_some(), Leave::Write);
            ask(order.credentials != CredentialSource::Usual, Leave::Files);
            ask(experiment_runs_commands(known_as_experiment(order)?)?, Leave::Commands);
        }
        _ => {}
    }
    Ok(asked)
}

fn reads_load_file(order: &FileMeasurement) -> bool {
    order.parts.iter().any(
        |part| matches!(&part.work, FileTask::Replay(plan) if matches!(plan.load, ReplaySource::File(_))),
    )
}

/// True if it works in this machine's folders, which lab hosts share. Another host's policy decides for its
/// own.
fn works_here(order: &FileMeasurement) -> bool {
    let here = order.at.from.is_empty() || order.at.from.iter().any(|host| matches!(host, HostName::Lab(_)));
    let local = order.parts.iter().any(|part| match &part.work {
        FileTask::Copy(plan) => plan.local.is_some(),
        FileTask::Replay(plan) => plan.local.is_some(),
        FileTask::Disk(_) => false,
    });
    here && (local || matches!(order.at.target, Target::Folder(_)))
}

/// Accepts only a .toml file or a folder: others are not opened, because a refusal would quote their content.
fn known_as_experiment(order: &RunArgs) -> Result<&Path, Failure> {
    let file = order.experiment.file.as_path();
    if file.is_dir() || file.extension().is_some_and(|extension| extension == "toml") {
        return Ok(file);
    }
    Err(Failure::usage_error(format!("{} is no experiment", file.display()))
        .with_cause(
            "an experiment is a file whose name ends in .toml, or a folder with experiment.toml in it",
        )
        .with_hint("name one that lies on the server's own machine"))
}
