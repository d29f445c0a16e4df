//! Why orders could not be given or taken: each error with its cause and what to type.

use crate::bus::{BusError, CallError};
use crate::identity::IdentityError;
use crate::key::KeyError;
use crate::preflight::PreflightError;
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
    /// The agent speaks another protocol.
    #[error(
        "{host} runs goodput {their_version}, which speaks protocol {theirs}; this is {our_version} with protocol {ours}"
    )]
    Version {
        /// The host as typed.
        host: String,
        /// Its protocol.
        theirs: u16,
        /// Its program version.
        their_version: String,
        /// Our protocol.
        ours: u16,
        /// Our program version.
        our_version: String,
    },
    /// The agent did not prove that it knows the lab key.
    #[error("{host} has not shown that it knows the lab key")]
    Unproved {
        /// The host as typed.
        host: String,
    },
    /// An agent call failed before or outside a trial.
    #[error("the agent on {host} does not do what it was asked ({what})")]
    Call {
        /// The host as typed, or "this host".
        host: String,
        /// What was asked.
        what: &'static str,
        /// What came back.
        source: CallError,
    },
    /// The named host cannot take data connections.
    #[error("{host} takes no data connections")]
    NoDataPort {
        /// The host as typed.
        host: String,
    },
    /// Interrupted before a trial had begun.
    #[error("interrupted before the trial began")]
    Interrupted,
    /// An address to listen on that strangers can reach, without a key.
    #[error("an agent without a lab key does not listen on {address}")]
    KeyNeeded {
        /// The address asked for.
        address: IpAddr,
    },
    /// The key cannot be used.
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
    Door(#[from] ProbeError),
    /// The folder for results cannot be used.
    #[error("cannot keep results in {folder}")]
    Spool {
        /// The folder.
        folder: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A trial was measured and could not be stored; the agents still keep its parts.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// No thread to be had.
    #[error("cannot start a thread")]
    Thread {
        /// What the system said.
        source: io::Error,
    },
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
                | ControlError::Version { .. }
                | ControlError::Unproved { .. }
                | ControlError::Call { .. }
                | ControlError::NoDataPort { .. }
        )
    }

    /// What lies behind it, in a sentence; `None` when the error says it all.
    pub fn cause(&self) -> Option<String> {
        match self {
            ControlError::Preflight(e) => Some(e.cause()),
            ControlError::Version { theirs, ours, .. } => {
                let older = if theirs < ours { "the agent's" } else { "this" };
                Some(format!("{older} program is the older one"))
            }
            ControlError::Unproved { .. } => Some(
                "its certificate comes from an authority that is not the lab key's; somebody may be in between"
                    .into(),
            ),
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
            ControlError::Version { .. } => Some("install the same version on both hosts".into()),
            ControlError::Unproved { host } => {
                Some(format!("compare the key files of this host and {host}, and check the address"))
            }
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
            ControlError::Bus(_) | ControlError::Door(_) => Some(
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
