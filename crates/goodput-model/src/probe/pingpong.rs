//! The message-size sweep: settings of the probe `pingpong`.

pub(crate) mod metrics;
pub(crate) mod result;

use super::Settings;
use super::options::SocketOptions;
use crate::units::{Bytes, Nanos};
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PingPong {
    /// In the order of the schedule; the connecting end decides every size and stop.
    pub sizes: Vec<Bytes>,
    pub method: PingPongMethod,
    /// Ping-pong, streaming (`-s`) or both ways at once (`-2`).
    pub pattern: Pattern,
    /// Uses a region larger than the caches so that every message is cold.
    pub cold: bool,
    /// Checks every byte at both ends, outside the timed span.
    pub integrity: bool,
    /// TCP_NODELAY is on unless set otherwise.
    pub socket: SocketOptions,
    /// Most round trips kept as samples; batches are always kept.
    pub sample_cap: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Pattern {
    /// The time is half a round trip.
    PingPong,
    /// Timed by the receiver.
    Streaming,
    /// Both ends send, then both receive; the time is the whole exchange.
    TwoWay,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "mode", rename_all = "lowercase")]
pub enum PingPongMethod {
    /// Batches in several shuffled passes until the interval of batch medians is narrow enough.
    Native {
        /// Full width, in per cent of the median.
        width_percent: f64,
        cap: Nanos,
        passes: u32,
        batches: u32,
        seed: u64,
    },
    /// NetPIPE 3.7.2's schedule: warm-up of 100, three timed loops, best of three, one shared buffer.
    Compat {
        /// TRIALS, 3.
        trials: u32,
        /// RUNTM, 0.1 s.
        run_time: Nanos,
        /// `-n`.
        repeats: Option<u32>,
        /// `-r`: new connection after the warm-up and after every loop.
        reset: bool,
    },
}

impl Default for PingPongMethod {
    fn default() -> Self {
        PingPongMethod::Native {
            width_percent: 2.0,
            cap: Nanos(150_000_000),
            passes: 3,
            batches: 10,
            seed: 0,
        }
    }
}

impl PingPongMethod {
    /// NetPIPE 3.7.2 as Debian builds it: three loops of 0.1 s.
    pub fn netpipe() -> Self {
        PingPongMethod::Compat { trials: 3, run_time: Nanos(100_000_000), repeats: None, reset: false }
    }
}

impl Settings for PingPong {
    type Result = result::PingPongResult;

    fn window(&self) -> (Nanos, Option<Nanos>) {
        (Nanos(0), None)
    }
}
