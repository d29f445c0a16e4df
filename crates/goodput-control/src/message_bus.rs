//! The interface to the messaging engine. Keys are chunks joined by `/`; in a pattern `*` matches exactly one
//! chunk. [`CallError`] separates the four ways in which a call fails.

mod combined;
mod memory;
mod zenoh;

pub use combined::CombinedBus;
pub use memory::MemoryBus;
pub use zenoh::{MAX_SESSIONS, ROUTER_LEASE_DURATION, ScoutReply, Scouting, ZenohBus, ZenohListenSettings};

use crate::seconds_arg;
use goodput_words::{Message, error_messages, message};
use std::any::Any;
use std::time::Duration;

pub type RequestHandler = Box<dyn Fn(&[u8]) -> Result<Vec<u8>, Message> + Send + Sync>;
/// Receives publications (key, payload). Runs on the engine's thread and must not block.
pub type PublicationListener = Box<dyn Fn(&str, &[u8]) + Send + Sync>;
/// Receives presence changes. Runs on the engine's thread and must not block.
pub type PresenceWatcher = Box<dyn Fn(&str, PresenceStatus) + Send + Sync>;

pub trait MessageBus: Send + Sync {
    /// Calls the server of `key`; waits for its answer until `deadline`.
    fn call(&self, key: &str, payload: &[u8], deadline: Duration) -> Result<Vec<u8>, CallError>;

    /// Calls every server of a matching key; the answers that arrive before the deadline, without refusals.
    fn call_all(
        &self,
        pattern: &str,
        payload: &[u8],
        deadline: Duration,
    ) -> Result<Vec<CallReply>, CallError>;

    /// Serves `key` until the registration is dropped.
    fn serve(&self, key: &str, handler: RequestHandler) -> Result<BusRegistration, BusError>;

    /// Publishes to all subscribers. Unreliable; never waits for a slow subscriber.
    fn publish(&self, key: &str, payload: &[u8]) -> Result<(), BusError>;

    /// Receives matching publications until the registration is dropped.
    fn subscribe(&self, pattern: &str, listener: PublicationListener) -> Result<BusRegistration, BusError>;

    /// Announces presence until the registration is dropped or this process dies.
    fn announce_presence(&self, key: &str) -> Result<BusRegistration, BusError>;

    /// Matching present keys that are known before `deadline`.
    fn list_present_keys(&self, pattern: &str, deadline: Duration) -> Result<Vec<String>, BusError>;

    /// Reports present keys, then arrivals and departures.
    fn watch_presence(&self, pattern: &str, watcher: PresenceWatcher) -> Result<BusRegistration, BusError>;
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallReply {
    pub key: String,
    pub payload: Vec<u8>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PresenceStatus {
    Up,
    /// Departed, died, or silent for the length of the engine's lease.
    Down,
}

#[must_use = "dropping it ends what was registered"]
pub struct BusRegistration {
    _held: Box<dyn Any + Send + Sync>,
}

impl BusRegistration {
    pub(crate) fn new(held: impl Any + Send + Sync) -> BusRegistration {
        BusRegistration { _held: Box::new(held) }
    }
}

/// `Busy`: the server exists and did not answer in time. `Died`: it died after it accepted the call.
#[derive(Debug, Clone, PartialEq)]
pub enum CallError {
    NoAgent { key: String },
    Busy { key: String, deadline: Duration },
    Died { key: String },
    Refused { message: Message },
    Bus(BusError),
}

error_messages! {
    CallError {
        CallError::NoAgent { key } => message!(error_nobody_answers { key }),
        CallError::Busy { key, deadline } =>
            message!(error_no_answer_from { key, seconds: seconds_arg(deadline.as_secs_f64()) }),
        CallError::Died { key } => message!(error_went_away { key }),
        CallError::Refused { message } => message,
        CallError::Bus(e) => e.message(),
    }
    from { BusError => CallError::Bus }
}

#[derive(Debug, Clone, PartialEq)]
pub struct BusError {
    pub what: Message,
    pub cause: Message,
}

error_messages! {
    BusError {
        BusError { what, cause } => message!(list_colon { what, why: cause }),
    }
}

pub(crate) fn key_matches(pattern: &str, key: &str) -> bool {
    let (mut p, mut k) = (pattern.split('/'), key.split('/'));
    loop {
        match (p.next(), k.next()) {
            (None, None) => return true,
            (Some(p), Some(k)) if p == "*" || p == k => {}
            _ => return false,
        }
    }
}

/// A name as one chunk of a key: syntax characters become `_`.
pub fn escape_key_chunk(name: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_') { c } else { '_' };
    match name {
        "" => "_".to_string(),
        name => name.chars().map(plain).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_and_a_name_are_one_chunk() {
        assert!(key_matches("a/*/c", "a/b/c") && key_matches("a", "a"));
        assert!(!key_matches("a/*/c", "a/b/d/c") && !key_matches("a/*", "a"));
        assert_eq!(["web 1/*?#$", ""].map(escape_key_chunk), ["web_1_____", "_"]);
    }
}
