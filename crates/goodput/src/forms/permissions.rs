//! The permissions that a line needs from a page, and what a page never may do.

use crate::args::credentials::CredentialSource;
use crate::args::file::target::FileTarget;
use crate::args::file::{FileMeasurement, FileTask, ReplaySource};
use crate::args::iometer_icf::IcfArgs;
use crate::args::load::LoadPlanSource;
use crate::args::measure_args::MeasureOptions;
use crate::args::run::RunArgs;
use crate::args::{Command, ProbeInvocation};
use crate::command::run::experiment_has_command_factors;
use crate::failure::Failure;
use goodput_server::forms::JobPermission;
use std::path::Path;

/// Why only a local user may run a line; `None` if a page may.
pub fn local_only_reason(command: &Command) -> Option<&'static str> {
    const NO_MEASUREMENT: &str = "it measures nothing";
    const PRINTS: &str = "what it prints with --json nobody would read; the page shows it anyway";
    const OF_AN_EXPERIMENT: &str = "only an experiment adds its trials to a run that is there";
    match command {
        Command::Run(order) if order.check => Some("--check explains, and measures nothing"),
        Command::Run(order) => order.json.then_some(PRINTS),
        command => match command.measure_options() {
            Some(MeasureOptions { into: Some(_), .. }) => Some(OF_AN_EXPERIMENT),
            Some(MeasureOptions { json: true, .. }) => Some(PRINTS),
            Some(_) => None,
            None => Some(NO_MEASUREMENT),
        },
    }
}

/// The permissions that a line needs; fails if an experiment's file may not be read.
pub fn permissions_for_command(command: &Command) -> Result<Vec<JobPermission>, Failure> {
    let mut asked = Vec::new();
    let mut ask = |needs: bool, leave: JobPermission| {
        if needs && !asked.contains(&leave) {
            asked.push(leave);
        }
    };
    if let Some(options) = command.measure_options() {
        ask(options.runs.is_some(), JobPermission::Write);
        ask(options.credentials != CredentialSource::Usual, JobPermission::Files);
    }
    match command {
        Command::Probe(ProbeInvocation::Measure(order)) => ask(order.np_out.is_some(), JobPermission::Write),
        Command::Probe(ProbeInvocation::Load(order))
        | Command::Icf(IcfArgs::FromPlan { load: order, .. }) => {
            ask(order.write_icf.is_some(), JobPermission::Write);
            ask(matches!(order.source, LoadPlanSource::Icf { .. }), JobPermission::Files);
        }
        Command::Probe(ProbeInvocation::File(order)) => {
            ask(order.at.password_file.is_some(), JobPermission::Files);
            ask(reads_load_file(order), JobPermission::Files);
            ask(works_here(order), JobPermission::Folders);
        }
        Command::Run(order) => {
            ask(order.runs.is_some(), JobPermission::Write);
            ask(order.credentials != CredentialSource::Usual, JobPermission::Files);
            ask(experiment_has_command_factors(known_as_experiment(order)?)?, JobPermission::Commands);
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
    let here = order.at.from.is_empty() || order.at.from.iter().any(|host| host.lab_host().is_some());
    let local = order.parts.iter().any(|part| part.work.client_folder().is_some());
    here && (local || matches!(order.at.target, FileTarget::Folder(_)))
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
