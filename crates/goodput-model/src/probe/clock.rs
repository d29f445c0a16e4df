//! The clock probe: its settings. It measures offset and drift between the system clocks of two hosts.

pub(crate) mod metrics;
pub mod result;

use super::{EndpointRole, LiveRateKind, ProbeSettings, StopCondition, TrafficDemand};
use crate::units::{BitRate, Bytes, Nanos};
use serde::{Deserialize, Serialize};

/// Settings of the clock probe, `docs/methods/clock.md`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Clock {
    pub time: Nanos,
    /// Time between two samples.
    pub interval: Nanos,
    /// Exchanges in each sample; the one with the least error counts.
    pub exchanges: u16,
}

impl Default for Clock {
    fn default() -> Self {
        Clock { time: Nanos(10 * Nanos::SECOND.0), interval: Nanos(100_000_000), exchanges: 8 }
    }
}

impl ProbeSettings for Clock {
    type Result = result::ClockResult;

    fn measurement_window(&self) -> (Nanos, Option<Nanos>) {
        (Nanos(0), Some(self.time))
    }

    fn traffic_demand(&self, _role: EndpointRole, _client: u16) -> TrafficDemand {
        let message = Bytes(40);
        let bits = u64::from(self.exchanges) * message.0 * 8;
        let rate = BitRate(bits.saturating_mul(Nanos::SECOND.0).div_ceil(self.interval.0.max(1)));
        StopCondition::Time(self.time).traffic_demand(Nanos(0), Some(rate), 1, 2, message)
    }

    fn has_replies(&self) -> bool {
        true
    }

    fn live_rate_kind(&self) -> LiveRateKind {
        LiveRateKind::None
    }

    fn is_cpu_use_relevant(&self) -> bool {
        false
    }
}
