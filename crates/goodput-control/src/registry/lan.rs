//! Agents of the local network: found by multicast, then identified over mutual TLS.

use super::{ListedAgent, format_socket_address};
use crate::address::{AgentRoute, CONTROL_PORT, HostAddress};
use crate::identify::identify_agent;
use crate::identity::Identity;
use crate::message_bus::{CallError, ScoutReply, Scouting, ZenohBus};
use crate::protocol::{HelloResponse, protocol_version_from_agent_id};
use crate::{ControlError, preflight};
use goodput_host::LocalAddress;
use goodput_model::trial::TrialTimeouts;
use goodput_model::units::Nanos;
use std::collections::HashMap;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// How long answers are awaited.
const WINDOW: Duration = Duration::from_secs(1);
/// When the question is repeated, because multicast may be lost.
const RETRY_INTERVAL: Duration = Duration::from_millis(400);
/// Limit for each address of an agent.
const CONNECT_TIMEOUT: Duration = Duration::from_millis(1500);
/// Limit for the answer to `hello` on an open session.
const HELLO_TIMEOUT: Duration = Duration::from_secs(2);

pub(super) type AgentAndSession = (ListedAgent, Option<ZenohBus>);

/// Everybody who answers within about a second.
pub(super) fn discover_lan_agents(
    identity: Option<&Identity>,
    deadlines: &TrialTimeouts,
) -> Result<Vec<ListedAgent>, ControlError> {
    let (tell, told) = channel();
    let ask = || {
        let tell = tell.clone();
        Scouting::start(move |heard| {
            let _ = tell.send(heard);
        })
    };
    let begun = Instant::now();
    let _first = ask()?;
    let mut second = None;
    let own = goodput_host::local_addresses().unwrap_or_default();
    thread::scope(|scope| {
        let mut asked = HashMap::new();
        loop {
            let next = if second.is_none() { RETRY_INTERVAL } else { WINDOW };
            match told.recv_timeout(next.saturating_sub(begun.elapsed())) {
                Ok(ScoutReply { id, .. })
                    if protocol_version_from_agent_id(&id).is_none() || asked.contains_key(&id) => {}
                Ok(heard) => {
                    let (id, own) = (heard.id.clone(), &own);
                    asked.insert(
                        id,
                        scope.spawn(move || identify_found_agent(&heard, own, identity, None, deadlines).0),
                    );
                }
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) if second.is_none() => second = Some(ask()?),
                Err(RecvTimeoutError::Timeout) => break,
            }
        }
        let mut listed: Vec<ListedAgent> =
            asked.into_values().filter_map(|asking| asking.join().ok()).collect();
        if identity.is_none() {
            listed.extend(find_local_agent(deadlines));
        }
        Ok(listed)
    })
}

/// The agent on this machine without a key: it listens on loopback only, where multicast does not reach it.
/// `None` also for a hidden one.
pub(super) fn find_local_agent(deadlines: &TrialTimeouts) -> Option<ListedAgent> {
    let addr = SocketAddr::from((Ipv4Addr::LOCALHOST, CONTROL_PORT));
    let (hello, _) = open(addr, None, None, deadlines).ok()?;
    (!hello.hidden).then(|| ListedAgent::from_hello(hello, AgentRoute::At(addr)))
}

/// Identifies an agent that answered. With a lease the session is kept.
pub(super) fn identify_found_agent(
    heard: &ScoutReply,
    own: &[LocalAddress],
    identity: Option<&Identity>,
    lease: Option<Duration>,
    deadlines: &TrialTimeouts,
) -> AgentAndSession {
    let places = likely(heard, own);
    let mut trouble = None;
    for addr in &places {
        match open(*addr, identity, lease, deadlines) {
            Ok((hello, bus)) if hello.agent == heard.id => {
                return (
                    ListedAgent::from_hello(hello, AgentRoute::At(*addr)),
                    lease.is_some().then_some(bus),
                );
            }
            // Another host has the same address.
            Ok(_) => {}
            Err(e) => {
                trouble.get_or_insert((*addr, e));
            }
        }
    }
    let (address, why) = match (trouble, places.first()) {
        (Some((addr, e)), _) => (format_socket_address(addr), e),
        (None, Some(addr)) => (
            format_socket_address(*addr),
            refused(format_socket_address(*addr), "another agent is reached at this address"),
        ),
        (None, None) => (
            "no address".to_string(),
            refused(heard.id.clone(), "it names no address that can be reached from here"),
        ),
    };
    (ListedAgent::from_failed_hello(&heard.id, &address, &why), None)
}

fn open(
    addr: SocketAddr,
    identity: Option<&Identity>,
    lease: Option<Duration>,
    deadlines: &TrialTimeouts,
) -> Result<(HelloResponse, ZenohBus), ControlError> {
    let host =
        HostAddress { way: AgentRoute::At(addr), ..HostAddress::new(addr.ip().to_string(), addr.port()) };
    let soon = Nanos::from(CONNECT_TIMEOUT);
    let deadlines = TrialTimeouts {
        connect: deadlines.connect.min(soon),
        first_byte: deadlines.first_byte.min(soon),
        ..*deadlines
    };
    preflight::check_agent(&host, None, identity, &deadlines)?;
    let opening = CONNECT_TIMEOUT + CONNECT_TIMEOUT;
    let bus = match lease {
        Some(lease) => ZenohBus::connect_with_lease(addr, identity, lease, opening)?,
        None => ZenohBus::connect(addr, identity, opening)?,
    };
    let (hello, _) =
        identify_agent(&bus, "*", (&format_socket_address(addr), None), identity, HELLO_TIMEOUT)?;
    Ok((hello, bus))
}

/// Addresses of an agent, the most likely first: on a network of this host, and not an address of this host,
/// which is more often a container bridge than a local agent.
fn likely(heard: &ScoutReply, own: &[LocalAddress]) -> Vec<SocketAddr> {
    let link_local = |ip: IpAddr| matches!(ip, IpAddr::V6(ip) if ip.is_unicast_link_local());
    let mut places: Vec<SocketAddr> =
        heard.places.iter().map(|(addr, _)| *addr).filter(|a| !link_local(a.ip())).collect();
    places.sort_by_key(|addr| {
        let ip = addr.ip();
        let ours = ip.is_loopback() || own.iter().any(|o| o.ip == ip);
        (ours, !own.iter().any(|o| o.contains(ip)), ip.is_ipv6())
    });
    places.dedup();
    places
}

fn refused(host: String, why: &str) -> ControlError {
    ControlError::Call { host, what: "hello", source: CallError::Refused { message: why.into() } }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> SocketAddr {
        text.parse().unwrap()
    }

    #[test]
    fn the_address_on_our_network_is_tried_first_and_our_own_last() {
        let own = |ip: &str| LocalAddress { ip: ip.parse().unwrap(), prefix: 24, interface: "eth0".into() };
        let places =
            ["172.17.0.1:5303", "192.0.2.9:5303", "[fe80::1]:5303", "[fd00::9]:5303", "10.0.0.9:5303"];
        let heard = ScoutReply { id: "x".into(), places: places.iter().map(|p| (at(p), true)).collect() };
        let found = likely(&heard, &[own("10.0.0.1"), own("172.17.0.1")]);
        let expected = ["10.0.0.9:5303", "192.0.2.9:5303", "[fd00::9]:5303", "172.17.0.1:5303"].map(at);
        assert_eq!(found, expected);
    }
}
