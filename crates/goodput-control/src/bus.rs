//! What control needs from a messaging engine; nothing of any engine is named above `bus/`.
//!
//! Keys are chunks joined by `/`; in a pattern `*` stands for exactly one chunk. The four ways in which a
//! call can come back without an answer are kept apart ([`CallError`]), because each needs another sentence.

mod joint;
mod memory;
mod zenoh;

pub use joint::JointBus;
pub use memory::MemoryBus;
pub use zenoh::{Heard, Known, MOST_SESSIONS, ROUTED_LEASE, Scouting, ZenohBus};

use std::any::Any;
use std::time::Duration;

/// Answers calls: the payload in, the answer or a refusal out. Runs on a thread of its own, so it may wait.
pub type Handler = Box<dyn Fn(&[u8]) -> Result<Vec<u8>, String> + Send + Sync>;
/// Hears what is published: key and payload. Runs on the engine's thread and must not wait.
pub type Listener = Box<dyn Fn(&str, &[u8]) + Send + Sync>;
/// Hears who comes and goes. Runs on the engine's thread and must not wait.
pub type Watcher = Box<dyn Fn(&str, Presence) + Send + Sync>;

/// Calls, messages and presence between a coordinator and its agents.
pub trait Bus: Send + Sync {
    /// Asks the one who serves `key` and waits for the answer, `deadline` at the most.
    fn call(&self, key: &str, payload: &[u8], deadline: Duration) -> Result<Vec<u8>, CallError>;

    /// Asks everyone who serves a key that fits `pattern`, and returns what came back until all have
    /// answered or the deadline has passed. Those who refused or died are not in the list.
    fn call_all(&self, pattern: &str, payload: &[u8], deadline: Duration) -> Result<Vec<Answer>, CallError>;

    /// Answers calls to `key` until the registration is dropped.
    fn serve(&self, key: &str, handler: Handler) -> Result<Registration, BusError>;

    /// Tells everyone who listens. May be dropped on the way; never waits for a slow listener.
    fn publish(&self, key: &str, payload: &[u8]) -> Result<(), BusError>;

    /// Hears what is published on keys that fit `pattern` until the registration is dropped.
    fn subscribe(&self, pattern: &str, listener: Listener) -> Result<Registration, BusError>;

    /// Is present as `key` until the registration is dropped, or this process dies.
    fn announce(&self, key: &str) -> Result<Registration, BusError>;

    /// The keys that fit `pattern` under which somebody is present now; what is not known after `deadline`
    /// is left out.
    fn present(&self, pattern: &str, deadline: Duration) -> Result<Vec<String>, BusError>;

    /// Hears who is present already, who comes and who goes.
    fn watch(&self, pattern: &str, watcher: Watcher) -> Result<Registration, BusError>;
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// Who answered: the key served.
    pub key: String,
    pub payload: Vec<u8>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Presence {
    Up,
    /// Has gone: said so, died, or was not heard of for the length of the engine's lease.
    Down,
}

/// Something that lasts until it is dropped: a handler, a listener, a presence.
#[must_use = "dropping it ends what was registered"]
pub struct Registration {
    _held: Box<dyn Any + Send + Sync>,
}

impl Registration {
    pub(crate) fn new(held: impl Any + Send + Sync) -> Registration {
        Registration { _held: Box::new(held) }
    }
}

/// Why a call brought no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CallError {
    /// Nobody serves the key.
    #[error("nobody answers to {key}")]
    NoAgent { key: String },
    /// It is there, or was a moment ago, and did not answer in time.
    #[error("no answer from {key} within {} s", deadline.as_secs_f64())]
    Busy { key: String, deadline: Duration },
    /// It had taken the call and went away before answering.
    #[error("{key} went away in the middle of a call")]
    Died { key: String },
    #[error("{message}")]
    Refused { message: String },
    /// The engine itself failed.
    #[error(transparent)]
    Bus(#[from] BusError),
}

/// The messaging engine failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{what}: {cause}")]
pub struct BusError {
    pub what: String,
    pub cause: String,
}

/// True when `key` fits `pattern`.
pub(crate) fn fits(pattern: &str, key: &str) -> bool {
    let (mut p, mut k) = (pattern.split('/'), key.split('/'));
    loop {
        match (p.next(), k.next()) {
            (None, None) => return true,
            (Some(p), Some(k)) if p == "*" || p == k => {}
            _ => return false,
        }
    }
}

/// A name as one chunk of a key: whatever an engine may read as syntax becomes `_`.
pub fn chunk(name: &str) -> String {
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
    fn a_star_is_one_chunk() {
        assert!(fits("a/*/c", "a/b/c"));
        assert!(!fits("a/*/c", "a/b/d/c"));
        assert!(!fits("a/*", "a"));
        assert!(fits("a", "a"));
    }

    #[test]
    fn a_name_is_one_chunk() {
        assert_eq!(chunk("web 1/*?#$"), "web_1_____");
        assert_eq!(chunk(""), "_");
    }
}
