//! Measures between lab hosts: the program runs itself again inside the `--from` host, before any thread
//! starts. One variable passes what it must know of the lab.

use crate::args::host_name::HostName;
use crate::args::measure_args::MeasureInvocation;
use crate::command::lab;
use crate::failure::Failure;
use goodput_control::HostAddress;
use goodput_lab::{HostState, LabHostRef, LabOrHostName, LabState};
use goodput_model::trial::{HostBus, Medium};
use goodput_words::message;
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
    pub fn host_address(&self, host: &LabOrHostName) -> Option<HostAddress> {
        let found = self.hosts.iter().find(|(name, ..)| *name == host.to_string());
        found.map(|(_, address, port)| HostAddress::new(address.clone(), *port))
    }

    /// The server's own connection and bus limit its traffic.
    fn limit_to_server(&mut self, state: &LabState, server: &LabOrHostName) {
        let link = state.topology.links.iter().find(|l| l.hosts.contains(server));
        self.medium = link.and_then(|l| l.medium_for_host(server)).map(medium);
        self.bus = bus(state, &[server]);
    }
}

pub fn current_lab() -> Option<LabContext> {
    serde_json::from_str(&std::env::var(VARIABLE).ok()?).ok()
}

/// Raises the priority of a coordinator that takes no part in the measurement.
pub fn raise_coordinator_priority() {
    if current_lab().is_some_and(|place| place.seat) {
        // Without the privilege control messages may be late; agents tolerate some of that.
        let _ = goodput_lab::raise_priority();
    }
}

pub fn is_inside_lab() -> bool {
    std::env::var_os(VARIABLE).is_some()
}

/// Runs the program again in a lab's host, and returns its exit code.
pub fn rerun_in_lab_host(place: LabExecutionHost, words: &[OsString]) -> Result<u8, Failure> {
    let LabExecutionHost { lab, host, context } = place;
    let mut command = Command::new(lab::current_executable()?);
    command.args(&words[1..]);
    command.env(VARIABLE, serde_json::to_string(&context).unwrap_or_default());
    lab::run_in_lab_host(&lab, &host, command)
}

/// A host of a lab that is to run the program.
pub struct LabExecutionHost {
    lab: LabState,
    host: LabOrHostName,
    context: LabContext,
}

pub fn lab_host_for_measurement(order: &MeasureInvocation) -> Result<Option<LabExecutionHost>, Failure> {
    let (peer, from) = (order.host.lab_host(), order.from.as_ref().and_then(HostName::lab_host));
    if peer.is_some() && order.from.is_some() && from.is_none() {
        return Err(Failure::usage_error("a lab's host can only be measured from inside its lab")
            .with_cause("--from names a host that is not in the lab")
            .with_hint("--from lab:NAME, or omit --from"));
    }
    let Some(host) = peer.or(from) else { return Ok(None) };
    let state = lab::find_lab(&host.lab)?;
    let (host, context) = place_in(&state, from.map(|host| &host.host), peer.map(|host| &host.host))?;
    Ok(Some(LabExecutionHost { lab: state, host, context }))
}

/// The coordinator runs on a host outside the load, else on the first client: the server's CPU is measured.
pub fn lab_host_for_load_test(
    server: &HostName,
    clients: &[HostName],
) -> Result<Option<LabExecutionHost>, Failure> {
    let lab_of = |host: &HostName| host.lab_host().map(|host| host.lab.clone());
    if clients.iter().any(|c| lab_of(c) != lab_of(server)) {
        return Err(Failure::usage_error("server and clients are not in one lab")
            .with_cause("hosts of a lab are reached from inside their lab only")
            .with_hint("specify hosts of one lab, as lab:NAME or lab:NAME@LAB, or none"));
    }
    let clients: Vec<&LabHostRef> = clients.iter().filter_map(HostName::lab_host).collect();
    let (Some(server), Some(first)) = (server.lab_host(), clients.first()) else { return Ok(None) };
    let state = lab::find_lab(&server.lab)?;
    let free = free_host(&state, &server.host, |name| {
        server.host == *name || clients.iter().any(|client| client.host == *name)
    });
    let (host, mut context) = place_in(&state, free.or(Some(&first.host)), Some(&server.host))?;
    context.seat = free.is_some();
    context.limit_to_server(&state, &server.host);
    Ok(Some(LabExecutionHost { lab: state, host, context }))
}

/// A single client host runs the program; several use a load's coordinator.
pub fn lab_host_for_file_benchmark<'a>(
    from: &[HostName],
    others: impl Iterator<Item = &'a HostName>,
) -> Result<Option<LabExecutionHost>, Failure> {
    let clients: Vec<&LabHostRef> = from.iter().filter_map(HostName::lab_host).collect();
    let peers: Vec<&LabHostRef> = others.filter_map(HostName::lab_host).collect();
    let Some(host) = clients.first().or(peers.first()) else { return Ok(None) };
    if clients.len() < from.len() {
        return Err(Failure::usage_error("a lab's host is only reached from inside its lab")
            .with_cause("--from names a host that is not in the lab")
            .with_hint("specify hosts of one lab with --from, or omit --from"));
    }
    let state = lab::find_lab(&host.lab)?;
    let peer = peers.first().map(|host| &host.host);
    let seat = match clients.as_slice() {
        [first, _, ..] => {
            let taken = |name: &LabOrHostName| clients.iter().chain(&peers).any(|host| host.host == *name);
            free_host(&state, &first.host, taken).or(Some(&first.host))
        }
        few => few.first().map(|one| &one.host),
    };
    let (host, mut context) = place_in(&state, seat, peer)?;
    if let (Some(peer), true) = (peer, clients.len() > 1) {
        context.limit_to_server(&state, peer);
    }
    Ok(Some(LabExecutionHost { lab: state, host, context }))
}

/// The host's agent is reachable from itself whatever the links are.
pub fn lab_host_for_level_setter(host: &HostName) -> Result<Option<LabExecutionHost>, Failure> {
    let Some(host) = host.lab_host() else { return Ok(None) };
    let state = lab::find_lab(&host.lab)?;
    let (host, context) = place_in(&state, Some(&host.host), None)?;
    Ok(Some(LabExecutionHost { lab: state, host, context }))
}

/// A host without a part in the work that has a link to `near`.
fn free_host<'a>(
    state: &'a LabState,
    near: &LabOrHostName,
    taken: impl Fn(&LabOrHostName) -> bool,
) -> Option<&'a LabOrHostName> {
    let mut names = state.hosts.iter().map(|host| &host.name);
    names.find(|name| !taken(name) && state.link_between(name, near).is_some())
}

fn start(
    state: &LabState,
    from: Option<&LabOrHostName>,
    peer: Option<&LabOrHostName>,
) -> Result<LabOrHostName, Failure> {
    for name in from.into_iter().chain(peer) {
        if state.host(name).is_none() {
            let known: Vec<String> = state
                .hosts
                .iter()
                .map(|h| LabHostRef { host: h.name.clone(), lab: state.name.clone() }.to_string())
                .collect();
            let (lab, host) = (state.name.to_string(), name.to_string());
            return Err(Failure::usage_error(message!(error_args_lab_no_host { lab, host }))
                .with_hint(message!(hint_args_use_one_of { names: known })));
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

fn bus(state: &LabState, hosts: &[&LabOrHostName]) -> Option<HostBus> {
    let of = state.topology.hosts.iter().filter(|host| hosts.contains(&&host.name));
    let slowest = of.filter_map(|host| host.bus.as_ref()).min_by_key(|bus| bus.rate)?;
    Some(HostBus { name: slowest.name.clone(), rate: slowest.rate, shared: true })
}

fn hosts_from(state: &LabState, from: &LabOrHostName) -> Vec<(String, String, u16)> {
    let reached = |host: &HostState| {
        let address =
            if host.name == *from { Some(host.address) } else { state.destination_address(from, &host.name) };
        let port = host.ports.get("control").copied().unwrap_or(goodput_control::CONTROL_PORT);
        Some((host.name.to_string(), address?.to_string(), port))
    };
    state.hosts.iter().filter_map(reached).collect()
}

fn place_in(
    state: &LabState,
    from: Option<&LabOrHostName>,
    peer: Option<&LabOrHostName>,
) -> Result<(LabOrHostName, LabContext), Failure> {
    let from = start(state, from, peer)?;
    let mut place = LabContext {
        from: from.to_string(),
        peer: None,
        key_file: state.key_file.clone(),
        medium: None,
        bus: peer.and_then(|peer| bus(state, &[&from, peer])),
        hosts: hosts_from(state, &from),
        seat: false,
    };
    if let Some(peer) = peer {
        let address = state.destination_address(&from, peer).ok_or_else(|| {
            let (from, host) = (from.to_string(), peer.to_string());
            Failure::usage_error(message!(error_does_not_reach { from, host }))
                .with_cause("the hosts share no link, and no host between them forwards packets")
                .with_hint("measure between neighbours, or write forward = true at a host of the topology")
        })?;
        let port = state.host(peer).and_then(|h| h.ports.get("control")).copied();
        place.peer =
            Some((peer.to_string(), address.to_string(), port.unwrap_or(goodput_control::CONTROL_PORT)));
        let link = state.topology.links.iter().find(|l| l.hosts.contains(&from) && l.hosts.contains(peer));
        place.medium = link.and_then(|l| l.medium_between(&from, peer)).map(medium);
    }
    Ok((from, place))
}
