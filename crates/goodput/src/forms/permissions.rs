//! The permissions that a line needs from a page, and what a page never may do.

use crate::args::credentials::CredentialSource;
use crate::args::file::target::FileTarget;
use crate::args::file::{FileMeasurement, FileTask, ReplaySource};
use crate::args::host_name::HostName;
use crate::args::iometer_icf::IcfArgs;
use crate::args::load::LoadPlanSource;
use crate::args::measure_args::MeasureOptions;
use crate::args::run::{ResumeTarget, RunArgs};
use crate::args::why::WhyInvocation;
use crate::args::{Command, ProbeInvocation};
use crate::command::knob_session::is_here;
use crate::command::run::{ExperimentSource, commands_of_experiment};
use crate::failure::Failure;
use goodput_model::experiment::LevelSettingMethod;
use goodput_model::file::SinkStorageKind;
use goodput_server::forms::JobPermission;
use std::collections::BTreeSet;

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

/// Adds the permissions that a line needs, except for what an experiment's file adds to them.
pub fn permissions_for_command(command: &Command, asked: &mut BTreeSet<JobPermission>) {
    let mut ask = |needs: bool, leave: JobPermission| asked.extend(needs.then_some(leave));
    if let Some(options) = command.measure_options() {
        ask(options.runs.is_some(), JobPermission::Write);
        ask(options.credentials != CredentialSource::Usual, JobPermission::Files);
    }
    match command {
        Command::Probe(ProbeInvocation::Measure(order)) => ask(order.np_out.is_some(), JobPermission::Write),
        Command::Why(order) => match &**order {
            WhyInvocation::Stream(order) => {
                let changes_hosts = order.diagnosis.is_some_and(|asked| asked.allow_knob);
                ask(changes_hosts, JobPermission::Knobs);
            }
            // A lab host shares this machine's folders.
            WhyInvocation::Copy(order) => {
                let host = order.at.target.host().and_then(HostName::lab_host);
                ask(host.is_some(), JobPermission::Folders);
            }
        },
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
            ask(order.runs.is_some() || resumes_elsewhere(order), JobPermission::Write);
            ask(order.credentials != CredentialSource::Usual, JobPermission::Files);
        }
        _ => {}
    }
}

/// Adds the permissions that an experiment's factors and lines need; fails if a line is no measurement.
pub fn permissions_for_experiment(
    order: &RunArgs,
    source: &ExperimentSource,
    asked: &mut BTreeSet<JobPermission>,
) -> Result<(), Failure> {
    // A resumed run may have begun in either form.
    let forms = match order.experiment.resume {
        Some(_) => vec![false, true],
        None => vec![order.quick],
    };
    for quick in forms {
        let experiment = source.build_experiment(quick, order.seed);
        for factor in &experiment.factors {
            match &factor.means {
                LevelSettingMethod::Command { .. } => {
                    asked.insert(JobPermission::Commands);
                }
                // The policy of an agent decides for its host.
                LevelSettingMethod::Knob { on, .. } => {
                    let mut hosts = on.iter().filter_map(|role| experiment.hosts.get(role));
                    asked.extend(hosts.any(|host| is_here(host)).then_some(JobPermission::Knobs));
                }
                LevelSettingMethod::Argument
                | LevelSettingMethod::Lab { .. }
                | LevelSettingMethod::ByHand { .. } => {}
            }
        }
        for command in commands_of_experiment(&experiment, &order.connection_options())? {
            permissions_for_command(&command, asked);
        }
    }
    Ok(())
}

/// True unless the resumed run is named as in the server's store: the path of another folder is accepted too.
fn resumes_elsewhere(order: &RunArgs) -> bool {
    match &order.experiment.resume {
        None | Some(ResumeTarget::Newest) => false,
        Some(ResumeTarget::Named(run)) => {
            run != "last" && !run.chars().all(|c| c.is_ascii_hexdigit() || c == '-')
        }
    }
}

fn reads_load_file(order: &FileMeasurement) -> bool {
    order.parts.iter().any(
        |part| matches!(&part.work, FileTask::Replay(plan) if matches!(plan.load, ReplaySource::File(_))),
    )
}

/// In this machine's folders, which lab hosts share. Another host's policy decides for its own.
fn works_here(order: &FileMeasurement) -> bool {
    let at = &order.at;
    let of_lab = |host: &HostName| host.lab_host().is_some();
    let local = order.parts.iter().any(|part| part.work.client_folder().is_some());
    let client = at.from.is_empty() || at.from.iter().any(of_lab);
    let of_client = client && (local || matches!(at.target, FileTarget::Folder(_)));
    let of_server = at.server.as_ref().is_some_and(of_lab) && at.server_folder.is_some();
    let of_sink =
        matches!(&at.target, FileTarget::Sink { host, sink: SinkStorageKind::Disk { .. } } if of_lab(host));
    of_client || of_server || of_sink
}
