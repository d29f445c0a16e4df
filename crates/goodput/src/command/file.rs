//! `goodput file`: one run of trials on files, with preparation and clean-up.

pub mod clean;
pub mod dbench_load_file;
pub mod file_errors;
mod hosts;
mod password;
mod plan;
mod run_file_step;
pub mod trial_labels;
pub mod why;

use super::measurement::{Measurement, MeasurementContext};
use super::peer_session::PeerSession;
use crate::args::file::target::FileTarget;
use crate::args::file::{FileBenchmark, FileMeasurement, FileTask};
use crate::args::host_name::HostName;
use crate::exit::ExitStatus;
use crate::failure::{self, Failure};
use crate::lab_exec;
use crate::screen::ProgressScreen;
use goodput_control::Session;
use goodput_file::smb_password;
use goodput_model::Message;
use goodput_model::file::{
    FileLocation, FileOperationMixSource, SMB_PORT, SinkStorageKind, WORKSPACE_PREFIX,
};
use goodput_words::message;
use plan::{FileBenchmarkContext, FileBenchmarkTrials, OFFICE_WORKLOAD_SEED};
use uuid::Uuid;

pub fn run_file(order: FileMeasurement, words: Vec<String>) -> Result<ExitStatus, Failure> {
    let lab = lab_exec::current_lab();
    let options = &order.options;
    let mut warnings = Vec::new();
    let sources: Vec<Option<FileOperationMixSource>> =
        order.parts.iter().map(|part| source(part, &order, &mut warnings)).collect::<Result<_, _>>()?;
    let place = hosts::resolve_target(&order.at.target, lab.as_ref())?;
    let local = order.parts.iter().find_map(|part| part.work.client_folder());
    let here = hosts::client_runs_locally(&order.at, lab.as_ref());
    // Before a thread handles signals: Ctrl-C at the question ends the program.
    if let (FileLocation::Smb { user: Some(user), host, .. }, true) = (&place, here) {
        password::load_password(order.at.password_file.as_deref(), user, host)?;
    }
    let context = MeasurementContext::new(options, lab.as_ref())?;
    if here {
        hosts::ensure_target_usable(&place, local, &options.trial_timeouts())?;
    }
    let hosts = hosts::resolve_hosts(&order.at, &place, local, lab.as_ref(), &context.registry)?;
    let session = Session::open(&hosts, context.shown.as_ref(), &options.trial_timeouts())
        .map_err(|e| failure::failure_from_control_error("cannot measure", &e))?;
    let mut screen = ProgressScreen::new(options, None);
    warnings.into_iter().for_each(|said| screen.print_message(message!(line_warning { said })));
    print_file_notes(&session, &order, here, &mut screen);
    let clients = session.client_names();
    let part = |(part, source): (&FileBenchmark, &Option<FileOperationMixSource>)| {
        let [workspace, beside] = [(); 2].map(|()| format!("{WORKSPACE_PREFIX}{}", Uuid::now_v7()));
        let setting = FileBenchmarkContext {
            place: &place,
            clients: &clients,
            agent: hosts.server.is_some(),
            server_folder: order.at.server_folder.as_deref(),
            workspace: &workspace,
            beside: &beside,
            source: source.as_ref(),
        };
        setting.build_benchmark_trials(part, order.order, order.rounds, context.seed)
    };
    let plans: Vec<FileBenchmarkTrials> = order.parts.iter().zip(&sources).map(part).collect();
    let planned: usize = plans.iter().map(|c| c.measure.len()).sum();
    screen.set_trial_count(planned as u32);
    let reached = PeerSession::Agents(Box::new(session));
    let mut measurement =
        Measurement::open(&context, &reached, words, screen, None)?.with_file_target(&place);
    let cleaning = cleaning(&order.at.target);
    for plan in plans {
        run_file_step::run_file_benchmark(&mut measurement, plan, &context.cancel, &cleaning);
        if !measurement.should_continue() {
            break;
        }
    }
    let concluded = measurement.finish(Some(planned));
    smb_password::clear_password();
    concluded.map(|(exit, _)| exit)
}

fn source(
    part: &FileBenchmark,
    order: &FileMeasurement,
    warnings: &mut Vec<Message>,
) -> Result<Option<FileOperationMixSource>, Failure> {
    let FileTask::Replay(plan) = &part.work else { return Ok(None) };
    let seed = order.options.seed.unwrap_or(OFFICE_WORKLOAD_SEED);
    dbench_load_file::open_replay_source(&plan.load, seed, &mut |warning| warnings.push(warning)).map(Some)
}

fn print_file_notes(session: &Session, order: &FileMeasurement, here: bool, screen: &mut ProgressScreen) {
    session.version_mismatch_warnings().iter().for_each(|sentence| screen.print_message(sentence));
    if !here && matches!(&order.at.target, FileTarget::Smb { user: Some(_), .. }) {
        let (variable, file) = (smb_password::PASSWORD_ENV, smb_password::PASSWORD_FILE_ENV);
        screen.print_message(message!(progress_file_password_of_each_host { variable, file }));
    }
    if order.parts.iter().any(|p| matches!(&p.work, FileTask::Copy(plan) if plan.local.is_none())) {
        screen
            .print_message("the copy is from and to memory; --local DIR lets a disk of the client take part");
    }
}

/// TARGET as typed; for a disk sink, the folder on its host.
fn typed(target: &FileTarget) -> String {
    let host = |host: &HostName| match host {
        HostName::Lab(host) => host.to_string(),
        HostName::Name(name) => name.clone(),
        HostName::Address(address) if address.host.contains(':') => format!("[{}]", address.host),
        HostName::Address(address) => address.host.clone(),
    };
    let below =
        |path: &str, with: &str| if path.is_empty() { String::new() } else { format!("{with}{path}") };
    match target {
        FileTarget::Folder(path) => path.clone(),
        FileTarget::Smb { host: at, port, user, share, path, .. } => {
            let user = user.as_ref().map_or(String::new(), |user| format!("{user}@"));
            let port = if *port == SMB_PORT { String::new() } else { format!(":{port}") };
            format!("smb://{user}{}{port}/{share}{}", host(at), below(path, "/"))
        }
        FileTarget::Nfs { host: at, port, mount_port, export, path } => {
            let port = port.map_or(String::new(), |port| format!(":{port}"));
            let mount = mount_port.map_or(String::new(), |port| format!("?mountport={port}"));
            format!("nfs://{}{port}{export}{}{mount}", host(at), below(path, "//"))
        }
        FileTarget::Sink { sink: SinkStorageKind::Disk { path: Some(path) }, .. } => path.clone(),
        FileTarget::Sink { .. } => "DIR".to_string(),
    }
}

fn cleaning(target: &FileTarget) -> Message {
    let typed = typed(target);
    match target {
        FileTarget::Sink { sink: SinkStorageKind::Disk { .. }, .. } => {
            message!(hint_file_clean_on_agent { target: typed })
        }
        FileTarget::Sink { .. } => "the agent forgets it after ten minutes".into(),
        FileTarget::Folder(_) | FileTarget::Smb { .. } | FileTarget::Nfs { .. } => {
            message!(hint_file_clean { target: typed })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_is_told_as_it_is_typed() {
        for target in [
            "/mnt/nas",
            "smb://ann@nas/media/a/b",
            "smb://nas:1445/media",
            "smb://ann@[fd00::2]/media",
            "smb://ann@lab:b@x:1445/media",
            "nfs://nas:2050/srv//data?mountport=2051",
        ] {
            assert_eq!(typed(&target.parse().unwrap()), target);
        }
        let disk = "nas:disk=/srv".parse().unwrap();
        assert_eq!(cleaning(&disk), "goodput file clean /srv on the agent's host removes it");
    }
}
