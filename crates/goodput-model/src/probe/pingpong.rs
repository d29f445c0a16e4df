//! The message-size sweep: settings of the probe `pingpong`.

pub(crate) mod metrics;
pub(crate) mod result;

use super::demand::bytes_at_rate;
use super::options::SocketOptions;
use super::{EndpointRole, LiveRateKind, ProbeSettings, TrafficDemand};
use crate::units::{Bytes, Nanos};
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PingPong {
    /// In the order of the schedule; the connecting end decides every size and stop.
    pub sizes: Vec<Bytes>,
    pub method: PingPongMethod,
    /// Ping-pong, streaming (`-s`) or both ways at once (`-2`).
    pub pattern: PingPongPattern,
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
pub enum PingPongPattern {
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
    pub fn netpipe_compatible() -> Self {
        PingPongMethod::Compat { trials: 3, run_time: Nanos(100_000_000), repeats: None, reset: false }
    }
}

impl PingPong {
    /// As many rows of two columns as a stored series can have.
    pub const MAX_SAMPLES: u32 = 1 << 25;
}

impl ProbeSettings for PingPong {
    type Result = result::PingPongResult;

    fn measurement_window(&self) -> (Nanos, Option<Nanos>) {
        (Nanos(0), None)
    }

    fn traffic_demand(&self, _role: EndpointRole, _client: u16) -> TrafficDemand {
        let sizes = self.sizes.len() as u64;
        let each = match &self.method {
            PingPongMethod::Native { cap, .. } => Some(cap.0),
            PingPongMethod::Compat { repeats: None, trials, run_time, .. } => {
                Some(run_time.0.saturating_mul(u64::from(*trials)))
            }
            PingPongMethod::Compat { .. } => None,
        };
        let time = each.map(|each| Nanos(each.saturating_mul(sizes)));
        let rate = self.socket.total_pacing_rate(1);
        let bytes = bytes_at_rate(rate, time).map(|b| Bytes(b.saturating_mul(2)));
        TrafficDemand { rate, time, connections: 1, bytes }
    }

    fn memory_demand(&self) -> Bytes {
        // A buffer each way; twice as much where messages move through it.
        let buffers = if self.cold { 4 } else { 2 };
        Bytes(self.sizes.iter().max().map_or(0, |largest| largest.0.saturating_mul(buffers)))
    }

    fn has_replies(&self) -> bool {
        true
    }

    fn live_rate_kind(&self) -> LiveRateKind {
        LiveRateKind::None
    }

    fn set_seed(&mut self, seed: u64) {
        if let PingPongMethod::Native { seed: own, .. } = &mut self.method {
            *own = seed;
        }
    }
}
