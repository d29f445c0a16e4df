//! `goodput agent`: serves measurements on this host until it is stopped.

use super::credentials;
use crate::args::agent::AgentArgs;
use crate::exit::ExitStatus;
use crate::failure::Failure;
use crate::{failure, interrupt, output};
use goodput_control::agent::{Agent, AgentSettings, KnobJournalLocation, Policy};
use goodput_words::message;
use nix::sys::resource::{Resource, getrlimit, setrlimit};
use std::path::{Path, PathBuf};

pub fn run_agent(order: AgentArgs) -> Result<ExitStatus, Failure> {
    let mut policy = policy(order.policy.as_deref())?;
    // Permission to measure does not imply permission to write: folders must be named.
    policy.folders.get_or_insert_default().extend(order.folders.into_iter().map(PathBuf::from));
    let policy =
        policy.with_smb_accounts(&order.smb_accounts).with_knobs_and_commands(&order.knobs, &order.commands);
    if order.check {
        output::print_text(&policy.to_string());
        return Ok(ExitStatus::Done);
    }
    if policy.coordinators.is_some() && !order.routers.is_empty() {
        let rule = message!(error_agent_coordinators_rule { file: policy.file.display().to_string() });
        return Err(Failure::usage_error(rule)
            .with_cause("commands sent through a router arrive from the router's address")
            .with_hint(
                "list the names of the coordinators' certificates in coordinators.names, or omit --router",
            ));
    }
    let ended = interrupt::signal_channel()?;
    let shown = credentials::find_credentials(&order.credentials)?;
    more_files();
    let usual = AgentSettings::default();
    let name = order.name.unwrap_or(usual.name);
    let spool = spool_folder(order.spool, &name, order.port);
    let journal = match order.knob_journal {
        None => spool
            .as_ref()
            .map_or(KnobJournalLocation::None, |f| KnobJournalLocation::File(f.join("knobs.journal"))),
        Some(word) if word.as_os_str() == "memory" => KnobJournalLocation::Memory,
        Some(file) => KnobJournalLocation::File(file),
    };
    let settings = AgentSettings {
        name,
        address: order.bind,
        control_port: order.port,
        data_port: order.data_port,
        spool,
        labels: order.labels.0,
        groups: order.groups,
        data_addresses: order.data_addresses,
        hidden: order.hidden,
        journal,
    };
    let agent = Agent::listen(&settings, shown.as_ref(), policy)
        .map_err(|e| failure::failure_from_control_error("the agent did not start", &e))?;
    eprintln!("{}", agent.startup_message());
    agent.on_settings_restored(|sentence| eprintln!("{sentence}"));
    for router in order.routers {
        agent
            .join_router(router, |sentence| eprintln!("{sentence}"))
            .map_err(|e| failure::failure_from_control_error("the agent did not start", &e))?;
    }
    let _ = ended.recv();
    drop(agent);
    Ok(ExitStatus::Done)
}

/// The agent does not start without its policy, if that is named, or present but unreadable.
fn policy(file: Option<&Path>) -> Result<Policy, Failure> {
    let found = match file {
        Some(word) if word.as_os_str() == "none" => Ok(Policy::default()),
        file => Policy::load_first_found(file),
    };
    found.map_err(|e| {
        Failure::from_error(ExitStatus::Usage, "the policy cannot be used", &e).with_hint(e.hint())
    })
}

/// Raises the limit of open files to what a trial and the connections on both ports can need.
fn more_files() {
    const ENOUGH: u64 = 65_536;
    if let Ok((soft, hard)) = getrlimit(Resource::RLIMIT_NOFILE)
        && soft < hard.min(ENOUGH)
    {
        let _ = setrlimit(Resource::RLIMIT_NOFILE, hard.min(ENOUGH), hard);
    }
}

/// The folder for results not yet fetched; two agents of one user never share it.
fn spool_folder(asked: Option<PathBuf>, name: &str, port: u16) -> Option<PathBuf> {
    match asked {
        Some(word) if word.as_os_str() == "memory" => None,
        Some(folder) => Some(folder),
        None => {
            let absolute = |v: &str| std::env::var_os(v).map(PathBuf::from).filter(|p| p.is_absolute());
            absolute("XDG_STATE_HOME")
                .or_else(|| absolute("HOME").map(|h| h.join(".local/state")))
                .map(|state| state.join(format!("goodput/spool/{name}-{port}")))
        }
    }
}
