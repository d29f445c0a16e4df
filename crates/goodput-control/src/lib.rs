//! Control plane: orders and events between a coordinator and agents. [`agent::Agent`] waits on a host for
//! orders, [`session::Session`] gives them to a server and its clients. Both use [`protocol`] over a
//! [`bus::MessageBus`]. The lab key or certificates ([`key`], [`identity`], [`signed`]) and the agent's rules
//! ([`agent::policy`]) decide who may give orders; [`preflight`] explains unreachable hosts; [`registry`]
//! finds agents.

pub mod address;
pub mod agent;
pub mod agent_router;
mod credentials;
mod error;
pub mod experiment;
#[cfg(test)]
mod fake;
pub mod files;
mod identify;
pub mod identity;
mod ip_prefix;
pub mod knobs;
pub mod lab_key;
pub mod message_bus;
pub mod preflight;
pub mod prober;
pub mod protocol;
pub mod registry;
pub mod session;
pub mod signed_bus;

pub use address::{AGENT_ROUTER_PORT, AgentRoute, AgentRouterAddress, CONTROL_PORT, DATA_PORT, HostAddress};
pub use agent::{Agent, AgentSettings};
pub use credentials::Credentials;
pub use error::ControlError;
pub use goodput_probe::CancelFlag;
pub use lab_key::LabKey;
pub use registry::AgentRegistry;
pub use session::{NamedHost, Session, SessionError, SessionHosts, TrialPlan, ViewerFlag};
pub use signed_bus::SigningMessageBus;

use goodput_model::MessageArg;
use goodput_words::message_argument::quantity_arg;
use ring::rand::{SecureRandom, SystemRandom};
use sha2::{Digest, Sha256};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

fn path_text(path: &Path) -> String {
    path.display().to_string()
}

/// Without the unit, which is part of the message: `1.7`.
fn seconds_arg(seconds: f64) -> MessageArg {
    quantity_arg(seconds, "", seconds.to_string())
}

/// `1.7 s`.
fn time_arg(seconds: f64) -> MessageArg {
    quantity_arg(seconds, "s", format!("{seconds} s"))
}

/// `2 s`.
fn whole_seconds_arg(seconds: f64) -> MessageArg {
    quantity_arg(seconds, "s", format!("{seconds:.0} s"))
}

/// A panic elsewhere leaves the data consistent, so lock poisoning is ignored.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> Result<JoinHandle<()>, ControlError> {
    let started = thread::Builder::new().name(name.into()).spawn(work);
    started.map_err(|source| ControlError::Thread { source })
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

fn random<const N: usize>() -> Result<[u8; N], ControlError> {
    let mut bytes = [0; N];
    SystemRandom::new().fill(&mut bytes).map_err(|_| ControlError::Random)?;
    Ok(bytes)
}

/// 64 random bits in hexadecimal.
fn random_name() -> Result<String, ControlError> {
    Ok(data_encoding::HEXLOWER.encode(&random::<8>()?))
}

fn sha256(bytes: &[u8]) -> String {
    data_encoding::HEXLOWER.encode(&Sha256::digest(bytes))
}
