//! Measuring between hosts of a lab: the program runs itself again inside the `--from` host, before any
//! thread starts. There it is the ordinary two-host form; what it must know of the lab comes in one variable.

use crate::args::host_name::HostName;
use crate::args::measuring::Measure;
use crate::command::lab;
use crate::failure::Failure;
use goodput_lab::{LabHost, LabState, Name};
use goodput_model::trial::Medium;
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;

/// The variable by which the program outside tells the program inside.
const VARIABLE: &str = "GOODPUT_LAB_PLACE";

/// What the program inside knows of the lab.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Place {
    /// The host it runs in.
    pub from: String,
    /// Name, address and control port of HOST, when that is a lab's host too.
    pub peer: Option<(String, String, u16)>,
    /// The lab's key.
    pub key_file: PathBuf,
    /// What the link between the two stands for.
    pub medium: Option<Medium>,
}

/// The place, if this is the program inside.
pub fn place() -> Option<Place> {
    serde_json::from_str(&std::env::var(VARIABLE).ok()?).ok()
}

/// Runs the program again inside the lab if a host of a lab is meant; the exit code is then that one's.
/// `None` when this process is to measure itself.
pub fn enter(order: &Measure, words: &[OsString]) -> Result<Option<u8>, Failure> {
    if std::env::var_os(VARIABLE).is_some() {
        return Ok(None);
    }
    let (name, from, peer) = match (&order.host, &order.from) {
        (HostName::Lab(host), None) => (&host.lab, None, Some(&host.host)),
        (HostName::Lab(host), Some(HostName::Lab(from))) => (&host.lab, Some(&from.host), Some(&host.host)),
        (HostName::Address(_), Some(HostName::Lab(from))) => (&from.lab, Some(&from.host), None),
        (HostName::Lab(_), Some(HostName::Address(_))) => {
            return Err(Failure::usage("a lab's host can only be measured from inside its lab")
                .because("--from names a host that is not in the lab")
                .try_this("--from lab:NAME, or leave --from out"));
        }
        (HostName::Address(_), _) => return Ok(None),
    };
    let state = lab::find(name)?;
    let from = start(&state, from, peer)?;
    let place = place_in(&state, &from, peer)?;
    let mut command = Command::new(lab::this_program()?);
    command.args(&words[1..]);
    command.env(VARIABLE, serde_json::to_string(&place).unwrap_or_default());
    lab::inside(&state, &from, command).map(Some)
}

/// The host to start from: the one named, else a neighbour of HOST.
fn start(state: &LabState, from: Option<&Name>, peer: Option<&Name>) -> Result<Name, Failure> {
    for name in from.into_iter().chain(peer) {
        if state.host(name).is_none() {
            let known: Vec<String> = state
                .hosts
                .iter()
                .map(|h| LabHost { host: h.name.clone(), lab: state.name.clone() }.to_string())
                .collect();
            return Err(Failure::usage(format!("lab {} has no host {name}", state.name))
                .try_this(format!("use one of {}", known.join(", "))));
        }
    }
    if let (Some(from), Some(peer)) = (from, peer)
        && from == peer
    {
        return Err(Failure::usage("both ends are the same host").try_this("name another host with --from"));
    }
    from.cloned().or_else(|| state.neighbour(peer?).map(|h| h.name.clone())).ok_or_else(|| {
        Failure::usage("no other host of the lab reaches it")
            .try_this("name the other end with --from lab:NAME")
    })
}

fn place_in(state: &LabState, from: &Name, peer: Option<&Name>) -> Result<Place, Failure> {
    let mut place =
        Place { from: from.to_string(), peer: None, key_file: state.key_file.clone(), medium: None };
    if let Some(peer) = peer {
        let address = state.address(from, peer).ok_or_else(|| {
            Failure::usage(format!("{from} does not reach {peer}"))
                .because("they are on no link together, and no host between them forwards")
                .try_this("measure between neighbours, or write forward = true at a host of the topology")
        })?;
        let port = state.host(peer).and_then(|h| h.ports.get("control")).copied();
        place.peer =
            Some((peer.to_string(), address.to_string(), port.unwrap_or(goodput_control::CONTROL_PORT)));
        place.medium = state
            .link_between(from, peer)
            .and_then(|l| l.medium.as_ref())
            .map(|m| Medium::new(m.name.clone(), m.rate, m.mtu));
    }
    Ok(place)
}
