//! Errors of the control plane, each with cause and hint.

use crate::address::AgentRouterAddress;
use crate::identity::IdentityError;
use crate::message_bus::{BusError, CallError};
use crate::path_text;
use crate::preflight::PreflightError;
use crate::session::SessionError;
use goodput_model::recorder::RecordError;
use goodput_probe::ProbeError;
use goodput_words::{ErrorMessage, Message, error_messages, message, non_empty_semicolon_list};
use std::io;
use std::net::IpAddr;
use std::path::PathBuf;

/// `NoSuchGroup::known` are the groups that exist. `NoWay`: no address of one host accepts a data connection
/// from the other. `Version`: the agent uses another protocol. `KeyNeeded`: a public listening address
/// without a key. `Spool`: the folder cannot be used. `Record`: a measured trial could not be stored; the
/// agents still keep it.
/// Addresses that an error names, of those that a peer reports.
const MAX_TRIED: usize = 64;

#[derive(Debug)]
pub enum ControlError {
    Preflight(PreflightError),
    Router { router: String, source: PreflightError },
    NoSuchAgent(NoSuchAgent),
    Ambiguous { name: String, all: Vec<String> },
    NoSuchGroup { group: String, place: SearchPlace, known: Vec<String> },
    Member { name: String, cause: Message, hint: Option<Message> },
    NoWay { from: String, to: String, tried: Vec<Message> },
    Version { host: String, theirs: u16, their_version: String, ours: u16, our_version: String },
    Unproved { host: String },
    Call { host: String, what: &'static str, source: CallError },
    NoDataPort { host: String },
    Interrupted,
    KeyNeeded { address: IpAddr },
    Identity(IdentityError),
    Bus(BusError),
    DataListener(ProbeError),
    Spool { folder: PathBuf, source: io::Error },
    Session(SessionError),
    Record(RecordError),
    Thread { source: io::Error },
    Random,
}

/// Where agents were searched for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SearchPlace {
    Network,
    Router(AgentRouterAddress),
}

error_messages! {
    ControlError {
        ControlError::Preflight(e) => e.message(),
        ControlError::Router { router, source } => message!(error_router { router, why: source.message() }),
        ControlError::NoSuchAgent(e) => e.message(),
        ControlError::Ambiguous { name, all } => message!(error_ambiguous { name, count: all.len() }),
        ControlError::NoSuchGroup { group, place: SearchPlace::Network, .. } =>
            message!(error_no_agent_in_group_network { group }),
        ControlError::NoSuchGroup { group, place: SearchPlace::Router(router), .. } =>
            message!(error_no_agent_in_group_router { group, router: router.to_string() }),
        ControlError::Member { name, cause, .. } => message!(error_member { name, why: cause }),
        ControlError::NoWay { from, to, .. } => message!(error_no_way { from, to }),
        ControlError::Version { host, theirs, their_version, ours, our_version } => message!(error_version {
            host,
            theirVersion: their_version,
            theirs: theirs.to_string(),
            ourVersion: our_version,
            ours: ours.to_string(),
        }),
        ControlError::Unproved { host } => message!(error_unproved { host }),
        ControlError::Call { host, what, .. } => message!(error_call { host, what: Message::from(*what) }),
        ControlError::NoDataPort { host } => message!(error_no_data_port { host }),
        ControlError::Interrupted => "interrupted before the trial began",
        ControlError::KeyNeeded { address } =>
            message!(error_no_key_no_listen { address: address.to_string() }),
        ControlError::Identity(e) => e.message(),
        ControlError::Bus(e) => e.message(),
        ControlError::DataListener(e) => e.message(),
        ControlError::Spool { folder, .. } => message!(error_keep_results { folder: path_text(folder) }),
        ControlError::Session(e) => e.message(),
        ControlError::Record(e) =>
            message!(error_cannot_store_trial { place: &e.place, cause: Message::from(&e.cause) }),
        ControlError::Thread { .. } => "cannot start a thread",
        ControlError::Random => "cannot obtain random bytes from the operating system",
    }
    sources {
        ControlError::Preflight(PreflightError::Unreachable { source, .. }) => source,
        ControlError::Router { source, .. } => source,
        ControlError::Call { source, .. } => source,
        ControlError::Identity(IdentityError::Read { source, .. }) => source,
        ControlError::DataListener(ProbeError::Listen { source, .. }) => source,
        ControlError::Spool { source, .. } => source,
        ControlError::Thread { source } => source,
    }
    from {
        PreflightError => ControlError::Preflight,
        NoSuchAgent => ControlError::NoSuchAgent,
        IdentityError => ControlError::Identity,
        BusError => ControlError::Bus,
        ProbeError => ControlError::DataListener,
        SessionError => ControlError::Session,
        RecordError => ControlError::Record,
    }
}

impl ControlError {
    /// True when a host could not be reached (exit code 3) and not for local errors (exit code 4).
    pub fn is_unreachable(&self) -> bool {
        matches!(
            self,
            ControlError::Preflight(_)
                | ControlError::Router { .. }
                | ControlError::NoSuchAgent(_)
                | ControlError::NoSuchGroup { .. }
                | ControlError::Member { .. }
                | ControlError::NoWay { .. }
                | ControlError::Version { .. }
                | ControlError::Unproved { .. }
                | ControlError::Call { .. }
                | ControlError::NoDataPort { .. }
                | ControlError::Session(SessionError::Missing { .. })
        )
    }

    /// The cause in one sentence; `None` when the error says it all.
    pub fn cause(&self) -> Option<Message> {
        Some(match self {
            ControlError::Preflight(e) | ControlError::Router { source: e, .. } => e.cause(),
            ControlError::NoSuchAgent(e) => return e.cause.clone(),
            ControlError::Session(e) => return e.cause(),
            ControlError::Identity(e) => return e.cause(),
            ControlError::Ambiguous { all, .. } => all.join("; ").into(),
            ControlError::NoSuchGroup { known, .. } if known.is_empty() => {
                "none of the agents found belongs to a group".into()
            }
            ControlError::NoSuchGroup { known, .. } => {
                message!(cause_the_groups_are { names: known.clone() })
            }
            ControlError::NoWay { tried, .. } => {
                non_empty_semicolon_list(tried.iter().take(MAX_TRIED).cloned())
                    .unwrap_or_else(|| "the host reports only addresses that both hosts have".into())
            }
            ControlError::Version { theirs, ours, .. } if theirs < ours => {
                "the agent runs an older version of goodput".into()
            }
            ControlError::Version { .. } => "this host runs the older version of goodput".into(),
            ControlError::Unproved { .. } => message!(cause_in_between),
            ControlError::KeyNeeded { .. } => {
                "an agent executes the commands it receives, so the sender must have the lab key".into()
            }
            ControlError::Call { source, .. } => source.message(),
            ControlError::Spool { source, .. }
            | ControlError::Thread { source }
            | ControlError::DataListener(ProbeError::Listen { source, .. }) => source.message(),
            _ => return None,
        })
    }

    /// What to do next; `None` without advice.
    pub fn hint(&self) -> Option<Message> {
        Some(match self {
            ControlError::Preflight(e) => e.hint(),
            ControlError::Session(e) => return e.hint(),
            ControlError::Router { source: PreflightError::Refused { addr }, .. } => {
                message!(hint_start_router { host: addr.ip().to_string() })
            }
            ControlError::Router { source, .. } => source.hint(),
            ControlError::NoSuchAgent(e) => e.hint(),
            ControlError::Ambiguous { .. } => message!(hint_ambiguous),
            ControlError::NoSuchGroup { .. } => message!(hint_groups),
            ControlError::Member { hint, .. } => return hint.clone(),
            ControlError::NoWay { to, .. } => message!(hint_firewall_data { host: to }),
            ControlError::Version { .. } => "install the same version on both hosts".into(),
            ControlError::Unproved { host } => message!(hint_compare_keys { host }),
            ControlError::Identity(e) => e.hint(),
            ControlError::Call { host, source, .. } => match source {
                CallError::NoAgent { .. } | CallError::Died { .. } => {
                    message!(hint_agent_still_runs { host })
                }
                CallError::Busy { .. } => message!(hint_overloaded { host }),
                CallError::Refused { .. } | CallError::Bus(_) => message!(hint_see_what_agent_says { host }),
            },
            ControlError::NoDataPort { host } => message!(hint_start_agent_only { host }),
            ControlError::KeyNeeded { .. } => {
                "run goodput key new, and copy the new file to the other hosts".into()
            }
            ControlError::Bus(_) | ControlError::DataListener(_) => message!(hint_port_taken),
            ControlError::Record(_) => message!(hint_make_room_agents_keep),
            _ => return None,
        })
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct NoSuchAgent {
    pub name: String,
    /// `None` for an agent that was found before.
    pub place: Option<SearchPlace>,
    pub cause: Option<Message>,
    pub known: Vec<String>,
}

error_messages! {
    NoSuchAgent {
        NoSuchAgent { name, place: Some(SearchPlace::Network), .. } =>
            message!(error_no_agent_called_network { name }),
        NoSuchAgent { name, place: Some(SearchPlace::Router(router)), .. } =>
            message!(error_no_agent_called_router { name, router: router.to_string() }),
        NoSuchAgent { name, place: None, .. } => message!(error_no_agent_called_any_more { name }),
    }
}

impl NoSuchAgent {
    pub(crate) fn for_renamed_agent(name: &str, other: &str) -> NoSuchAgent {
        NoSuchAgent {
            name: name.to_string(),
            place: None,
            cause: Some(message!(cause_called_otherwise_now { name: other })),
            known: Vec::new(),
        }
    }

    pub fn hint(&self) -> Message {
        match self.known.as_slice() {
            [] => message!(hint_agents_unknown),
            known => message!(hint_agents_known { names: known.to_vec() }),
        }
    }
}
