//! The metrics of RFC 6349 for one direction of a stream.

use crate::host::Fact;
use serde::{Deserialize, Serialize};

/// RFC 6349, section 4. A metric that could not be computed has its reason.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Rfc6349Metrics {
    /// Actual over ideal transfer time (section 4.1); ideal is the limit of one direction.
    pub transfer_time_ratio: Fact<f64>,
    /// Bytes not retransmitted, of all bytes sent (section 4.2).
    pub tcp_efficiency_percent: Fact<f64>,
    /// Increase of the mean round trip over the baseline (section 4.3).
    pub buffer_delay_percent: Fact<f64>,
    /// Mean of the sender's smoothed round trips in the window.
    pub round_trip_mean_us: Option<f64>,
    /// Minimum RTT of the connections themselves (tcpi_min_rtt). The RFC wants that of an idle path (section
    /// 3.2), so the buffer delay is a lower bound.
    pub round_trip_baseline_us: Option<u32>,
}
