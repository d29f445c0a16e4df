//! What RFC 6349 says of a TCP transfer, of one direction of a stream.

use crate::host::Fact;
use serde::{Deserialize, Serialize};

/// The three metrics of RFC 6349, section 4, with the round trips behind one of them. Each that could not be computed says
/// why.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Rfc6349 {
    /// Actual over ideal transfer time (section 4.1); 1 is ideal. Ideal is what the limit leaves one direction.
    pub transfer_time_ratio: Fact<f64>,
    /// What was not sent again, of all bytes that were sent, in per cent (section 4.2).
    pub tcp_efficiency_percent: Fact<f64>,
    /// How much longer the mean round trip was than the baseline, in per cent of that (section 4.3).
    pub buffer_delay_percent: Fact<f64>,
    /// Mean of the smoothed round trips that the sender's kernel told inside the window, in µs.
    pub round_trip_mean_us: Option<f64>,
    /// The baseline: the least round trip of the connections themselves (tcpi_min_rtt), in µs. The RFC wants that of an
    /// idle path (section 3.2), so the delay is at least what is said.
    pub round_trip_baseline_us: Option<u32>,
}
