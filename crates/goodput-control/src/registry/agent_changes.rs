//! Follows arrivals, departures and states of agents without polling. At a router Zenoh reports presence, on
//! a network departures; [`Scouting`] finds arrivals every 8 s. Agents are asked once and publish changes.

use super::lan::{self, AgentAndSession};
use super::{ListedAgent, connect_to_router, via_router as site};
use crate::ControlError;
use crate::address::AgentRouterAddress;
use crate::identity::Identity;
use crate::message_bus::{
    BusRegistration, MessageBus, PresenceStatus, ROUTER_LEASE_DURATION, ScoutReply, Scouting, ZenohBus,
};
use crate::protocol::{PresenceKey, agent_state_zenoh_key, protocol_version_from_agent_id};
use goodput_model::agent::AgentState;
use goodput_model::trial::TrialTimeouts;
use goodput_probe::CancelFlag;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

/// Interval of the check for cancellation.
const POLL_INTERVAL: Duration = Duration::from_millis(100);
/// An agent that cannot be asked is gone after this silence: twice the scouting interval and a margin.
const AGENT_EXPIRY: Duration = Duration::from_secs(20);

#[derive(Debug, Clone, PartialEq)]
pub enum AgentChange {
    /// Arrived, or can be asked now.
    Came(Box<ListedAgent>),
    Went {
        id: String,
    },
    State {
        id: String,
        state: AgentState,
    },
}

enum AgentEvent {
    ScoutReply(ScoutReply),
    SurveyResult(Box<AgentAndSession>),
    Here(PresenceKey),
    Gone(String),
    State(String, AgentState),
}

fn follow(
    bus: &dyn MessageBus,
    who: &str,
    tell: &Sender<AgentEvent>,
) -> Result<[BusRegistration; 2], ControlError> {
    let (presence, states) = (tell.clone(), tell.clone());
    let on_presence = move |key: &str, seen| {
        let Some(present) = PresenceKey::parse(key) else { return };
        let _ = presence.send(match seen {
            PresenceStatus::Up => AgentEvent::Here(present),
            PresenceStatus::Down => AgentEvent::Gone(present.id),
        });
    };
    let on_state = move |key: &str, payload: &[u8]| {
        let id = key.rsplit('/').next().unwrap_or_default().to_string();
        if let Ok(state) = serde_json::from_slice(payload) {
            let _ = states.send(AgentEvent::State(id, state));
        }
    };
    Ok([
        bus.subscribe(&agent_state_zenoh_key("*"), Box::new(on_state))?,
        bus.watch_presence(who, Box::new(on_presence))?,
    ])
}

pub(super) fn watch_agents_via_router(
    router: &AgentRouterAddress,
    identity: Option<Arc<Identity>>,
    deadlines: &TrialTimeouts,
    tell: &mut dyn FnMut(AgentChange),
    cancel: &CancelFlag,
) -> Result<(), ControlError> {
    let bus = Arc::new(connect_to_router(router, identity.as_deref(), deadlines)?);
    let (send, news) = channel();
    let _following = follow(&*bus, PresenceKey::ANY_AGENT_PATTERN, &send)?;
    // Those already present are asked all at once.
    let mut listed = site::list_agents(&*bus, router, identity.as_deref())?;
    listed.sort_by(|a, b| a.sort_key().cmp(&b.sort_key()));
    let mut there: HashSet<String> = HashSet::new();
    for one in listed {
        there.insert(one.agent.id.clone());
        tell(AgentChange::Came(Box::new(one)));
    }
    while let Some(heard) = next(&news, cancel) {
        match heard {
            Some(AgentEvent::Here(present)) if there.insert(present.id.clone()) => {
                let (bus, router, identity) = (bus.clone(), router.clone(), identity.clone());
                let send = send.clone();
                query_in_thread(move || {
                    if let Ok(listed) = site::query_agent(&*bus, &present, &router, identity.as_deref()) {
                        let _ = send.send(AgentEvent::SurveyResult(Box::new((listed, None))));
                    }
                });
            }
            Some(AgentEvent::SurveyResult(met)) if there.contains(&met.0.agent.id) => {
                tell(AgentChange::Came(Box::new(met.0)));
            }
            Some(AgentEvent::Gone(id)) if there.remove(&id) => tell(AgentChange::Went { id }),
            Some(AgentEvent::State(id, state)) if there.contains(&id) => {
                tell(AgentChange::State { id, state })
            }
            _ => {}
        }
    }
    Ok(())
}

/// An agent of this network as far as it is known.
enum AgentStatus {
    Asked,
    Followed {
        _following: [BusRegistration; 2],
        _bus: Arc<ZenohBus>,
    },
    /// Cannot be asked; present while it answers scouting.
    ScoutReply(Instant),
}

pub(super) fn watch_lan_agents(
    identity: Option<Arc<Identity>>,
    deadlines: &TrialTimeouts,
    tell: &mut dyn FnMut(AgentChange),
    cancel: &CancelFlag,
) -> Result<(), ControlError> {
    let (send, news) = channel();
    let hear = send.clone();
    let _scouting = Scouting::start(move |heard| {
        let _ = hear.send(AgentEvent::ScoutReply(heard));
    })?;
    let own: Arc<[_]> = goodput_host::local_addresses().unwrap_or_default().into();
    let mut there: HashMap<String, AgentStatus> = HashMap::new();
    while let Some(heard) = next(&news, cancel) {
        match heard {
            Some(AgentEvent::ScoutReply(heard)) if protocol_version_from_agent_id(&heard.id).is_some() => {
                match there.get_mut(&heard.id) {
                    Some(AgentStatus::ScoutReply(last)) => *last = Instant::now(),
                    Some(AgentStatus::Asked | AgentStatus::Followed { .. }) => {}
                    None => {
                        there.insert(heard.id.clone(), AgentStatus::Asked);
                        let (identity, own, deadlines) = (identity.clone(), own.clone(), *deadlines);
                        let send = send.clone();
                        query_in_thread(move || {
                            // An idle session must send little; the agent's own, shorter lease detects its
                            // departure.
                            let lease = Some(ROUTER_LEASE_DURATION);
                            let met = lan::identify_found_agent(
                                &heard,
                                &own,
                                identity.as_deref(),
                                lease,
                                &deadlines,
                            );
                            let _ = send.send(AgentEvent::SurveyResult(Box::new(met)));
                        });
                    }
                }
            }
            Some(AgentEvent::SurveyResult(met)) => {
                let (listed, bus) = *met;
                let id = listed.agent.id.clone();
                let bus = bus.map(Arc::new);
                let following = bus.and_then(|bus| {
                    Some((follow(&*bus, &PresenceKey::pattern_for_id(&id), &send).ok()?, bus))
                });
                there.insert(
                    id,
                    match following {
                        Some((_following, _bus)) => AgentStatus::Followed { _following, _bus },
                        None => AgentStatus::ScoutReply(Instant::now()),
                    },
                );
                tell(AgentChange::Came(Box::new(listed)));
            }
            Some(AgentEvent::Gone(id)) => {
                if let Some(known) = there.remove(&id) {
                    // Closing a session can take a second.
                    query_in_thread(move || drop(known));
                    tell(AgentChange::Went { id });
                }
            }
            Some(AgentEvent::State(id, state)) => tell(AgentChange::State { id, state }),
            Some(AgentEvent::ScoutReply(_) | AgentEvent::Here(_)) | None => {}
        }
        for id in silent(&there) {
            there.remove(&id);
            tell(AgentChange::Went { id });
        }
    }
    // Sessions close in parallel.
    thread::scope(|scope| {
        for known in there.into_values() {
            scope.spawn(move || drop(known));
        }
    });
    Ok(())
}

fn silent(there: &HashMap<String, AgentStatus>) -> Vec<String> {
    let gone =
        |known: &AgentStatus| matches!(known, AgentStatus::ScoutReply(last) if last.elapsed() > AGENT_EXPIRY);
    there.iter().filter(|(_, known)| gone(known)).map(|(id, _)| id.clone()).collect()
}

/// The next event, or none for now; `None` at the end.
fn next(news: &Receiver<AgentEvent>, cancel: &CancelFlag) -> Option<Option<AgentEvent>> {
    match news.recv_timeout(POLL_INTERVAL) {
        _ if cancel.is_cancelled() => None,
        Ok(news) => Some(Some(news)),
        Err(RecvTimeoutError::Timeout) => Some(None),
        Err(RecvTimeoutError::Disconnected) => None,
    }
}

/// Runs blocking work. Without a thread it is skipped, and the agent is found again.
fn query_in_thread(work: impl FnOnce() + Send + 'static) {
    let _ = thread::Builder::new().name("goodput-ask".into()).spawn(work);
}
