//! `goodput agent`: waits on this host for orders until it is told to end.

use crate::args::agent::{Agent as Order, Spool};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::{failure, interrupt};
use goodput_control::agent::{Agent, AgentSettings};
use goodput_control::key::LabKey;
use std::path::{Path, PathBuf};
use std::sync::mpsc;

/// Opens both ports, says where, and waits.
pub fn run(order: Order) -> Result<Exit, Failure> {
    let (end, ended) = mpsc::channel();
    let signals = interrupt::watch(move || {
        let _ = end.send(());
    });
    signals.map_err(|e| Failure::from_error(Exit::CannotMeasure, "cannot wait for signals", &e))?;
    let key = lab_key(order.key_file.as_deref())?;
    let usual = AgentSettings::default();
    let name = order.name.unwrap_or(usual.name);
    let spool = spool_folder(order.spool, &name, order.port);
    let settings = AgentSettings {
        name,
        address: order.bind,
        control_port: order.port,
        data_port: order.data_port,
        spool,
    };
    let agent = Agent::listen(&settings, key.as_ref())
        .map_err(|e| failure::control("the agent did not start", &e))?;
    eprintln!("{}", agent.notice());
    // A closed channel means that the thread for signals is gone, and nobody could end us politely.
    let _ = ended.recv();
    drop(agent);
    Ok(Exit::Done)
}

/// The folder for results not yet fetched; two agents of one user never share it.
fn spool_folder(asked: Spool, name: &str, port: u16) -> Option<PathBuf> {
    match asked {
        Spool::Memory => None,
        Spool::Folder(folder) => Some(folder),
        Spool::Usual => {
            let absolute = |v: &str| std::env::var_os(v).map(PathBuf::from).filter(|p| p.is_absolute());
            absolute("XDG_STATE_HOME")
                .or_else(|| absolute("HOME").map(|h| h.join(".local/state")))
                .map(|state| state.join(format!("goodput/spool/{name}-{port}")))
        }
    }
}

/// The lab key: the file that was named, or the first of the usual places.
pub fn lab_key(named: Option<&Path>) -> Result<Option<LabKey>, Failure> {
    LabKey::find(named)
        .map(|found| found.map(|(key, _): (LabKey, PathBuf)| key))
        .map_err(|e| Failure::from_error(Exit::Usage, "the lab key cannot be used", &e).try_this(e.hint()))
}
