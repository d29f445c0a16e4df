//! Measures between lab hosts: the program runs itself again inside the `--from` host, before any thread
//! starts. One variable passes what it must know of the lab.

use crate::args::file::FileInvocation;
use crate::args::host_name::HostName;
use crate::args::level_setter::LevelSetterArgs;
use crate::args::measure_args::MeasureInvocation;
use crate::command::lab;
use crate::failure::Failure;
use goodput_control::HostAddress;
use goodput_lab::{HostState, LabHostRef, LabState, Name};
use goodput_model::trial::{HostBus, Medium};
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;

const VARIABLE: &str = "GOODPUT_LAB_PLACE";

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LabContext {
    pub from: String,
    /// Name, address and control port of HOST if it is in the lab.
    pub peer: Option<(String, String, u16)>,
    pub key_file: PathBuf,
    pub medium: Option<Medium>,
    #[serde(default)]
    pub bus: Option<HostBus>,
    /// Name, address and control port of every reachable host.
    #[serde(default)]
    pub hosts: Vec<(String, String, u16)>,
    /// True if this host takes no part in the measurement.
    #[serde(default)]
    pub seat: bool,
}

impl LabContext {
    pub fn host_address(&self, host: &Name) -> Option<HostAddress> {
        let found = self.hosts.iter().find(|(name, ..)| *name == host.to_string());
        found.map(|(_, address, port)| HostAddress::new(address.clone(), *port))
    }
}

pub fn current_lab() -> Option<LabContext> {
    serde_json::from_str(&std::env::var(VARIABLE).ok()?).ok()
}

/// Raises the priority of a coordinator that takes no part in the measurement.
pub fn raise_process_priority() {
    if current_lab().is_some_and(|place| place.seat) {
        // Without the privilege control messages may be late; agents tolerate some of that.
        let _ = goodput_lab::raise_priority();
    }
}

/// Runs the program inside the lab if a lab host is named, and returns its exit code. `None` if this process
/// measures.
pub fn run_measure_in_lab(order: &MeasureInvocation, words: &[OsString]) -> Result<Option<u8>, Failure> {
    if std::env::var_os(VARIABLE).is_some() {
        return Ok(None);
    }
    let (name, from, peer) = match (&order.host, &order.from) {
        (HostName::Lab(host), None) => (&host.lab, None, Some(&host.host)),
        (HostName::Lab(host), Some(HostName::Lab(from))) => (&host.lab, Some(&from.host), Some(&host.host)),
        (HostName::Address(_) | HostName::Name(_), Some(HostName::Lab(from))) => {
            (&from.lab, Some(&from.host), None)
        }
        (HostName::Lab(_), Some(HostName::Address(_) | HostName::Name(_))) => {
            return Err(Failure::usage_error("a lab's host can only be measured from inside its lab")
                .with_cause("--from names a host that is not in the lab")
                .with_hint("--from lab:NAME, or omit --from"));
        }
        (HostName::Address(_) | HostName::Name(_), _) => return Ok(None),
    };
    let state = lab::find_lab(name)?;
    let from = start(&state, from, peer)?;
    let place = place_in(&state, &from, peer)?;
    again(&state, &from, &place, words)
}

/// The same for a load. The coordinator runs on a host without a part in it, else on the first client: never
/// on the server, whose CPU is measured.
pub fn run_load_in_lab(
    server: &HostName,
    clients: &[HostName],
    words: &[OsString],
) -> Result<Option<u8>, Failure> {
    if std::env::var_os(VARIABLE).is_some() {
        return Ok(None);
    }
    let lab_of = |host: &HostName| match host {
        HostName::Lab(host) => Some(host.lab.clone()),
        HostName::Address(_) | HostName::Name(_) => None,
    };
    let lab = lab_of(server);
    if clients.iter().any(|c| lab_of(c) != lab) {
        return Err(Failure::usage_error("server and clients are not in one lab")
            .with_cause("hosts of a lab are reached from inside their lab only")
            .with_hint("specify hosts of one lab, as lab:NAME or lab:NAME@LAB, or none"));
    }
    let (Some(lab), Some(HostName::Lab(seat)), HostName::Lab(server)) = (lab, clients.first(), server) else {
        return Ok(None);
    };
    let state = lab::find_lab(&lab)?;
    let taken = |host: &&HostState| {
        let is = |name: &HostName| matches!(name, HostName::Lab(lab) if lab.host == host.name);
        host.name == server.host || clients.iter().any(is)
    };
    let reaches = |host: &&HostState| state.link_between(&host.name, &server.host).is_some();
    let free = state.hosts.iter().find(|h| !taken(h) && reaches(h));
    let seat = free.map_or(&seat.host, |host| &host.name);
    let from = start(&state, Some(seat), Some(&server.host))?;
    let mut place = place_in(&state, &from, Some(&server.host))?;
    place.seat = free.is_some();
    // The server's own connection limits its traffic.
    let link = state.topology.links.iter().find(|l| l.hosts.contains(&server.host));
    place.medium = link.and_then(|l| l.medium_for_host(&server.host)).map(medium);
    place.bus = bus(&state, &[&server.host]);
    again(&state, &from, &place, words)
}

/// The same for file work. A single client host runs the program; several use a load's coordinator.
pub fn run_file_in_lab(order: &FileInvocation, words: &[OsString]) -> Result<Option<u8>, Failure> {
    if std::env::var_os(VARIABLE).is_some() {
        return Ok(None);
    }
    let in_lab = |host: &&HostName| match host {
        HostName::Lab(host) => Some(host.clone()),
        HostName::Address(_) | HostName::Name(_) => None,
    };
    let (from, others) = order.participating_hosts();
    let clients: Vec<LabHostRef> = from.iter().filter_map(in_lab).collect();
    let peers: Vec<LabHostRef> = others.iter().filter_map(in_lab).collect();
    let Some(lab) = clients.first().or(peers.first()).map(|host| host.lab.clone()) else { return Ok(None) };
    if clients.len() < from.len() {
        return Err(Failure::usage_error("a lab's host is only reached from inside its lab")
            .with_cause("--from names a host that is not in the lab")
            .with_hint("specify hosts of one lab with --from, or omit --from"));
    }
    let state = lab::find_lab(&lab)?;
    let peer = peers.first().map(|host| &host.host);
    let seat = match clients.as_slice() {
        [] => None,
        [one] => Some(one.host.clone()),
        [first, ..] => {
            let taken = |h: &HostState| clients.iter().chain(&peers).any(|host| host.host == h.name);
            let reaches = |h: &HostState| state.link_between(&h.name, &first.host).is_some();
            let free = state.hosts.iter().find(|h| !taken(h) && reaches(h));
            Some(free.map_or(&first.host, |h| &h.name).clone())
        }
    };
    let from = start(&state, seat.as_ref(), peer)?;
    let mut place = place_in(&state, &from, peer)?;
    if let (Some(peer), true) = (peer, clients.len() > 1) {
        let link = state.topology.links.iter().find(|l| l.hosts.contains(peer));
        place.medium = link.and_then(|l| l.medium_for_host(peer)).map(medium);
        place.bus = bus(&state, &[peer]);
    }
    again(&state, &from, &place, words)
}

/// Runs the level setter inside the lab host, where the agent is reachable whatever the links are.
pub fn run_level_setter_in_lab(order: &LevelSetterArgs, words: &[OsString]) -> Result<Option<u8>, Failure> {
    let Some(HostName::Lab(host)) = &order.host else { return Ok(None) };
    if std::env::var_os(VARIABLE).is_some() {
        return Ok(None);
    }
    let state = lab::find_lab(&host.lab)?;
    let from = start(&state, Some(&host.host), None)?;
    let place = place_in(&state, &from, None)?;
    again(&state, &from, &place, words)
}

fn again(
    state: &LabState,
    from: &Name,
    place: &LabContext,
    words: &[OsString],
) -> Result<Option<u8>, Failure> {
    let mut command = Command::new(lab::current_program()?);
    command.args(&words[1..]);
    command.env(VARIABLE, serde_json::to_string(place).unwrap_or_default());
    lab::run_in_lab_host(state, from, command).map(Some)
}

fn start(state: &LabState, from: Option<&Name>, peer: Option<&Name>) -> Result<Name, Failure> {
    for name in from.into_iter().chain(peer) {
        if state.host(name).is_none() {
            let known: Vec<String> = state
                .hosts
                .iter()
                .map(|h| LabHostRef { host: h.name.clone(), lab: state.name.clone() }.to_string())
                .collect();
            return Err(Failure::usage_error(format!("lab {} has no host {name}", state.name))
                .with_hint(format!("use one of {}", known.join(", "))));
        }
    }
    if let (Some(from), Some(peer)) = (from, peer)
        && from == peer
    {
        return Err(
            Failure::usage_error("both ends are the same host").with_hint("name another host with --from")
        );
    }
    from.cloned().or_else(|| state.first_reachable_host(peer?).map(|h| h.name.clone())).ok_or_else(|| {
        Failure::usage_error("no other host of the lab reaches it")
            .with_hint("name the other end with --from lab:NAME")
    })
}

fn medium(m: goodput_lab::LinkMedium) -> Medium {
    Medium { half_duplex: m.half_duplex, ..Medium::new(m.name, m.rate, m.mtu) }
}

fn bus(state: &LabState, hosts: &[&Name]) -> Option<HostBus> {
    let of = state.topology.hosts.iter().filter(|host| hosts.contains(&&host.name));
    let slowest = of.filter_map(|host| host.bus.as_ref()).min_by_key(|bus| bus.rate)?;
    Some(HostBus { name: slowest.name.clone(), rate: slowest.rate, shared: true })
}

fn hosts_from(state: &LabState, from: &Name) -> Vec<(String, String, u16)> {
    let reached = |host: &HostState| {
        let address = if host.name == *from { Some(host.address) } else { state.address(from, &host.name) };
        let port = host.ports.get("control").copied().unwrap_or(goodput_control::CONTROL_PORT);
        Some((host.name.to_string(), address?.to_string(), port))
    };
    state.hosts.iter().filter_map(reached).collect()
}

fn place_in(state: &LabState, from: &Name, peer: Option<&Name>) -> Result<LabContext, Failure> {
    let mut place = LabContext {
        from: from.to_string(),
        peer: None,
        key_file: state.key_file.clone(),
        medium: None,
        bus: peer.and_then(|peer| bus(state, &[from, peer])),
        hosts: hosts_from(state, from),
        seat: false,
    };
    if let Some(peer) = peer {
        let address = state.address(from, peer).ok_or_else(|| {
            Failure::usage_error(format!("{from} cannot reach {peer}"))
                .with_cause("the hosts share no link, and no host between them forwards packets")
                .with_hint("measure between neighbours, or write forward = true at a host of the topology")
        })?;
        let port = state.host(peer).and_then(|h| h.ports.get("control")).copied();
        place.peer =
            Some((peer.to_string(), address.to_string(), port.unwrap_or(goodput_control::CONTROL_PORT)));
        let link = state.topology.links.iter().find(|l| l.hosts.contains(from) && l.hosts.contains(peer));
        place.medium = link.and_then(|l| l.medium_between(from, peer)).map(medium);
    }
    Ok(place)
}
