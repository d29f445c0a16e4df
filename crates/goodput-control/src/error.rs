//! Errors of the control plane, each with cause and hint.

use crate::identity::IdentityError;
use crate::message_bus::{BusError, CallError};
use crate::preflight::PreflightError;
use crate::session::SessionError;
use goodput_model::recorder::RecordError;
use goodput_probe::ProbeError;
use std::io;
use std::net::IpAddr;
use std::path::PathBuf;

#[derive(Debug, thiserror::Error)]
pub enum ControlError {
    #[error(transparent)]
    Preflight(#[from] PreflightError),
    #[error("cannot connect to the router {router}: {source}")]
    Router { router: String, source: PreflightError },
    #[error(transparent)]
    NoSuchAgent(#[from] NoSuchAgent),
    #[error("{name} is ambiguous: {} agents have this name", all.len())]
    Ambiguous { name: String, all: Vec<String> },
    #[error("no agent found in the group {group} {place}")]
    NoSuchGroup {
        group: String,
        place: String,
        /// Groups that exist.
        known: Vec<String>,
    },
    #[error("{name} rejects commands from this host: {cause}")]
    Member { name: String, cause: String, hint: Option<String> },
    /// No address of one host accepts a data connection from the other.
    #[error("{from} cannot open a data connection to {to}")]
    NoWay { from: String, to: String, tried: Vec<String> },
    /// The agent uses another protocol.
    #[error(
        "{host} runs goodput {their_version} with protocol {theirs}; this host runs {our_version} with protocol {ours}"
    )]
    Version { host: String, theirs: u16, their_version: String, ours: u16, our_version: String },
    #[error("{host} did not authenticate itself")]
    Unproved { host: String },
    #[error("the agent on {host} did not carry out the request ({what})")]
    Call { host: String, what: &'static str, source: CallError },
    #[error("{host} does not accept data connections")]
    NoDataPort { host: String },
    #[error("interrupted before the trial began")]
    Interrupted,
    /// A public listening address without a key.
    #[error("an agent without a lab key does not listen on {address}")]
    KeyNeeded { address: IpAddr },
    #[error(transparent)]
    Identity(#[from] IdentityError),
    #[error(transparent)]
    Bus(#[from] BusError),
    #[error(transparent)]
    DataListener(#[from] ProbeError),
    /// The spool folder cannot be used.
    #[error("cannot save results in {folder}")]
    Spool { folder: PathBuf, source: io::Error },
    #[error(transparent)]
    Session(#[from] SessionError),
    /// A measured trial could not be stored; the agents still keep it.
    #[error(transparent)]
    Record(#[from] RecordError),
    #[error("cannot start a thread")]
    Thread { source: io::Error },
    #[error("cannot obtain random bytes from the operating system")]
    Random,
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
    pub fn cause(&self) -> Option<String> {
        match self {
            ControlError::Preflight(e) | ControlError::Router { source: e, .. } => Some(e.cause()),
            ControlError::NoSuchAgent(e) => e.cause.clone(),
            ControlError::Session(e) => e.cause(),
            ControlError::Ambiguous { all, .. } => Some(all.join("; ")),
            ControlError::NoSuchGroup { known, .. } if known.is_empty() => {
                Some("none of the agents found belongs to a group".into())
            }
            ControlError::NoSuchGroup { known, .. } => Some(format!("existing groups: {}", known.join(", "))),
            ControlError::Member { .. } => None,
            ControlError::NoWay { tried, .. } if tried.is_empty() => {
                Some("the host reports only addresses that both hosts have".into())
            }
            ControlError::NoWay { tried, .. } => Some(tried.join("; ")),
            ControlError::Version { theirs, ours, .. } => {
                let older = if theirs < ours {
                    "the agent runs an older version of goodput"
                } else {
                    "this host runs the older version of goodput"
                };
                Some(older.into())
            }
            ControlError::Unproved { .. } => Some(
                "the host's proof of identity was not made with the lab key or a certificate for this host; a man-in-the-middle attack is possible"
                    .into(),
            ),
            ControlError::Identity(e) => e.cause(),
            ControlError::KeyNeeded { .. } => {
                Some("an agent executes the commands it receives, so the sender must have the lab key".into())
            }
            other => std::error::Error::source(other).map(crate::chain),
        }
    }

    /// What to do next; `None` without advice.
    pub fn hint(&self) -> Option<String> {
        match self {
            ControlError::Preflight(e) => Some(e.hint()),
            ControlError::Session(e) => e.hint(),
            ControlError::Router { source: PreflightError::Refused { addr }, .. } => {
                Some(format!("start `goodput router` on {}, or give its port as HOST:PORT", addr.ip()))
            }
            ControlError::Router { source, .. } => Some(source.hint()),
            ControlError::NoSuchAgent(e) => Some(e.hint()),
            ControlError::Ambiguous { .. } => {
                Some("type the address of the agent you mean, or give each agent a unique name (`goodput \
                    agent --name`)"
                    .into())
            }
            ControlError::NoSuchGroup { .. } => Some(
                "`goodput hosts` lists agents with their groups and labels; set them with `goodput agent --group G --label K=V`"
                    .into(),
            ),
            ControlError::Member { hint, .. } => hint.clone(),
            ControlError::NoWay { to, .. } => Some(format!(
                "open the data port in the firewall of {to}, or set the data address on that host: \
                 `goodput agent --data-address ADDRESS`"
            )),
            ControlError::Version { .. } => Some("install the same version on both hosts".into()),
            ControlError::Unproved { host } => {
                Some(format!(
                    "compare the key files, or the certificates, of this host and {host}, and check the address"
                ))
            }
            ControlError::Identity(e) => Some(e.hint()),
            ControlError::Call { host, source, .. } => Some(match source {
                CallError::NoAgent { .. } | CallError::Died { .. } => {
                    format!("check whether `goodput agent` still runs on {host}, and try again")
                }
                CallError::Busy { .. } => {
                    format!("{host} is overloaded, or the network drops packets")
                }
                CallError::Refused { .. } | CallError::Bus(_) => format!("check the output of the agent \
                    on {host}"),
            }),
            ControlError::NoDataPort { host } => Some(format!("start `goodput agent` on {host}")),
            ControlError::KeyNeeded { .. } => {
                Some("run goodput key new, and copy the new file to the other hosts".into())
            }
            ControlError::Bus(_) | ControlError::DataListener(_) => Some(
                "check whether another agent uses the port: `ss -ltnp`; choose other ports with --port \
                 and --data-port"
                    .into(),
            ),
            ControlError::Record(_) => {
                Some("free disk space or choose another folder; the agents store the last results until \
                    then".into())
            }
            _ => None,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no agent named {name} {place}")]
pub struct NoSuchAgent {
    pub name: String,
    pub place: String,
    pub cause: Option<String>,
    pub known: Vec<String>,
}

impl NoSuchAgent {
    pub(crate) fn for_renamed_agent(name: &str, other: &str) -> NoSuchAgent {
        NoSuchAgent {
            name: name.to_string(),
            place: "exists any more".to_string(),
            cause: Some(format!("the agent at that address is now named {other}")),
            known: Vec::new(),
        }
    }

    pub fn hint(&self) -> String {
        match self.known.as_slice() {
            [] => "start `goodput agent` on that host; `goodput hosts` lists the agents found; type an \
                 address to reach others"
                .to_string(),
            known => format!("agents found: {}; type an address to reach other agents", known.join(", ")),
        }
    }
}
