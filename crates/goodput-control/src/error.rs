//! Why orders could not be given or taken: each error with its cause and what to type.

use crate::bus::{BusError, CallError};
use crate::identity::IdentityError;
use crate::key::KeyError;
use crate::preflight::PreflightError;
use crate::registry::NoSuchAgent;
use crate::session::SessionError;
use goodput_model::record::RecordError;
use goodput_probe::ProbeError;
use std::io;
use std::net::IpAddr;
use std::path::PathBuf;

/// Why orders could not be given or taken. [`ControlError::cause`] and [`ControlError::hint`] complete the
/// sentence for the screen.
#[derive(Debug, thiserror::Error)]
pub enum ControlError {
    /// The host cannot be reached, and why.
    #[error(transparent)]
    Preflight(#[from] PreflightError),
    /// The router cannot be reached, and why.
    #[error("the router {router} cannot be joined: {source}")]
    Router { router: String, source: PreflightError },
    /// Nobody bears the name.
    #[error(transparent)]
    NoSuchAgent(#[from] NoSuchAgent),
    /// Several agents bear the name.
    #[error("{name} is the name of {} agents", all.len())]
    Ambiguous { name: String, all: Vec<String> },
    /// Nobody belongs to the group, or bears the labels.
    #[error("there is no agent {wanted} {place}")]
    NoSuchGroup {
        wanted: String,
        place: String,
        /// Groups that somebody belongs to.
        known: Vec<String>,
    },
    /// A member of a group takes no orders from here.
    #[error("{name} takes no orders from here: {cause}")]
    Member { name: String, cause: String, hint: Option<String> },
    /// No address of one host takes a data connection from the other.
    #[error("{from} finds no way for data to {to}")]
    NoWay { from: String, to: String, tried: Vec<String> },
    /// The agent speaks another protocol.
    #[error(
        "{host} runs goodput {their_version}, which speaks protocol {theirs}; this is {our_version} with protocol {ours}"
    )]
    Version { host: String, theirs: u16, their_version: String, ours: u16, our_version: String },
    /// The agent did not prove that it knows the lab key, or that it has a certificate for its name.
    #[error("{host} has not proved who it is")]
    Unproved { host: String },
    /// An agent call failed before or outside a trial.
    #[error("the agent on {host} does not do what it was asked ({what})")]
    Call { host: String, what: &'static str, source: CallError },
    /// The named host cannot take data connections.
    #[error("{host} takes no data connections")]
    NoDataPort { host: String },
    #[error("interrupted before the trial began")]
    Interrupted,
    /// An address to listen on that strangers can reach, without a key.
    #[error("an agent without a lab key does not listen on {address}")]
    KeyNeeded { address: IpAddr },
    #[error(transparent)]
    Key(#[from] KeyError),
    /// Certificates could not be made.
    #[error(transparent)]
    Identity(#[from] IdentityError),
    /// The messaging engine failed.
    #[error(transparent)]
    Bus(#[from] BusError),
    /// The data port could not be opened.
    #[error(transparent)]
    DataListener(#[from] ProbeError),
    /// The folder for results cannot be used.
    #[error("cannot keep results in {folder}")]
    Spool { folder: PathBuf, source: io::Error },
    /// A fleet cannot be put together, or a plan does not fit it.
    #[error(transparent)]
    Session(#[from] SessionError),
    /// A trial was measured and could not be stored; the agents still keep its parts.
    #[error(transparent)]
    Record(#[from] RecordError),
    #[error("cannot start a thread")]
    Thread { source: io::Error },
    /// The system has no randomness to give.
    #[error("the system gives no random bytes")]
    Random,
}

impl ControlError {
    /// True when a host could not be reached (exit code 3); otherwise the trouble is here (exit code 4),
    /// except for [`ControlError::Interrupted`].
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

    /// What lies behind it, in a sentence; `None` when the error says it all.
    pub fn cause(&self) -> Option<String> {
        match self {
            ControlError::Preflight(e) | ControlError::Router { source: e, .. } => Some(e.cause()),
            ControlError::NoSuchAgent(e) => e.cause.clone(),
            ControlError::Session(e) => e.cause(),
            ControlError::Ambiguous { all, .. } => Some(all.join("; ")),
            ControlError::NoSuchGroup { known, .. } if known.is_empty() => {
                Some("no agent that was found belongs to a group".into())
            }
            ControlError::NoSuchGroup { known, .. } => Some(format!("the groups are: {}", known.join(", "))),
            ControlError::Member { .. } => None,
            ControlError::NoWay { tried, .. } if tried.is_empty() => {
                Some("it names no address but those that both hosts have".into())
            }
            ControlError::NoWay { tried, .. } => Some(tried.join("; ")),
            ControlError::Version { theirs, ours, .. } => {
                let older = if theirs < ours { "the agent's" } else { "this" };
                Some(format!("{older} program is the older one"))
            }
            ControlError::Unproved { .. } => Some(
                "what it showed was not made with the lab key, or not with a certificate for this host; somebody may \
                 be in between"
                    .into(),
            ),
            ControlError::Identity(e) => e.cause(),
            ControlError::KeyNeeded { .. } => {
                Some("an agent does what it is told, so whoever tells it must hold the key".into())
            }
            other => std::error::Error::source(other).map(crate::chain),
        }
    }

    /// What to type or to look at; `None` when there is nothing better than the error itself.
    pub fn hint(&self) -> Option<String> {
        match self {
            ControlError::Preflight(e) => Some(e.hint()),
            ControlError::Session(e) => e.hint(),
            ControlError::Router { source: PreflightError::Refused { addr }, .. } => {
                Some(format!("start `goodput router` on {}, or name its port as HOST:PORT", addr.ip()))
            }
            ControlError::Router { source, .. } => Some(source.hint()),
            ControlError::NoSuchAgent(e) => Some(e.hint()),
            ControlError::Ambiguous { .. } => {
                Some("type the address of the one that is meant, or start them with names of their own \
                      (`goodput agent --name`)"
                    .into())
            }
            ControlError::NoSuchGroup { .. } => Some(
                "`goodput hosts` lists agents with their groups and labels; `goodput agent --group G --label K=V` \
                 gives them"
                    .into(),
            ),
            ControlError::Member { hint, .. } => hint.clone(),
            ControlError::NoWay { to, .. } => Some(format!(
                "open the data port in the firewall of {to}, or say there where data goes: \
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
                    format!("look whether `goodput agent` still runs on {host}, and try again")
                }
                CallError::Busy { .. } => {
                    format!("{host} is overloaded or the network between loses packets")
                }
                CallError::Refused { .. } | CallError::Bus(_) => format!("see what the agent on {host} says"),
            }),
            ControlError::NoDataPort { host } => Some(format!("start `goodput agent` on {host}")),
            ControlError::KeyNeeded { .. } => {
                Some("goodput key new, and copy the file it makes to the other hosts".into())
            }
            ControlError::Key(e) => Some(e.hint()),
            ControlError::Bus(_) | ControlError::DataListener(_) => Some(
                "look whether another agent has the port: `ss -ltnp`; other ports by --port and --data-port"
                    .into(),
            ),
            ControlError::Record(_) => {
                Some("make room or name another folder; the agents keep the last results until then".into())
            }
            _ => None,
        }
    }
}
