//! Offset and drift of a client's clock. Pure. Offset and delay per exchange: RFC 5905, section 8. The
//! offset's error is at most half of the path asymmetry, so short round trips are better. Drift is nearly
//! constant: a line is fitted, each exchange weighted by its delay above the minimum.

use goodput_model::load::ClientWindowSkew;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ClockExchange {
    /// T1, client's clock.
    pub sent: u64,
    /// T2, server's clock.
    pub arrived: u64,
    /// T3, server's clock.
    pub left: u64,
    /// T4, client's clock.
    pub back: u64,
}

impl ClockExchange {
    /// Client minus server (the negative of RFC 5905's θ).
    pub fn offset(&self) -> i64 {
        let way = |client: u64, server: u64| i128::from(client) - i128::from(server);
        ((way(self.sent, self.arrived) + way(self.back, self.left)) / 2) as i64
    }

    /// Round-trip delay.
    pub fn round_trip_delay(&self) -> u64 {
        self.back.saturating_sub(self.sent).saturating_sub(self.left.saturating_sub(self.arrived))
    }

    pub fn midpoint(&self) -> u64 {
        self.sent + self.back.saturating_sub(self.sent) / 2
    }
}

/// Exchanges with more than this above the minimum delay waited in a queue, on an unknown way.
pub(super) fn is_near_min_delay(delay: u64, least: u64) -> bool {
    delay <= least.saturating_mul(2).saturating_add(50_000)
}

pub(super) fn min_delay_exchange(exchanges: &[ClockExchange]) -> Option<&ClockExchange> {
    exchanges.iter().min_by_key(|e| e.round_trip_delay())
}

/// Assumed accuracy of the best exchange in ns: wake-up jitter of some µs.
const FLOOR_NS: f64 = 2_000.0;
/// Prior standard deviation of the drift (ns per s): computer clocks agree within some tens of ppm. It damps
/// short and noisy measurements.
const DEFAULT_DRIFT: f64 = 50_000.0;

/// Client minus server, as a line over the client's clock.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct ClockOffsetModel {
    at: u64,
    base: i64,
    /// Offset to `base` at `at`.
    rest: f64,
    drift: f64,
}

impl ClockOffsetModel {
    /// Weighted least squares through the reliable exchanges; `None` without any.
    pub fn fit(exchanges: &[ClockExchange]) -> Option<ClockOffsetModel> {
        let best = min_delay_exchange(exchanges)?;
        let (at, base, least) = (best.midpoint(), best.offset(), best.round_trip_delay());
        let (mut s, mut sx, mut sxx, mut sy, mut sxy) = (0.0, 0.0, 0.0, 0.0, 0.0);
        for e in exchanges.iter().filter(|e| is_near_min_delay(e.round_trip_delay(), least)) {
            let x = (i128::from(e.midpoint()) - i128::from(at)) as f64 / 1e9;
            let y = (e.offset() - base) as f64;
            let doubt = FLOOR_NS + (e.round_trip_delay() - least) as f64 / 2.0;
            let w = 1.0 / (doubt * doubt);
            (s, sx, sxx) = (s + w, sx + w * x, sxx + w * x * x);
            (sy, sxy) = (sy + w * y, sxy + w * x * y);
        }
        // The prior drift is one more observation around the centre.
        let spread = sxx - sx * sx / s + 1.0 / (DEFAULT_DRIFT * DEFAULT_DRIFT);
        let slope = (sxy - sx * sy / s) / spread;
        Some(ClockOffsetModel { at, base, rest: (sy - slope * sx) / s, drift: slope / 1e9 })
    }

    pub fn through_points(first: (u64, i64), second: (u64, i64)) -> ClockOffsetModel {
        let span = (i128::from(second.0) - i128::from(first.0)) as f64;
        let drift = if span > 0.0 { (second.1 - first.1) as f64 / span } else { 0.0 };
        ClockOffsetModel { at: first.0, base: first.1, rest: 0.0, drift }
    }

    /// Client minus server at this client time.
    pub fn offset_at(&self, client: u64) -> i64 {
        let since = (i128::from(client) - i128::from(self.at)) as f64;
        self.base + (self.rest + self.drift * since).round() as i64
    }

    pub fn server_time_at(&self, client: u64) -> u64 {
        (i128::from(client) - i128::from(self.offset_at(client))) as u64
    }

    pub fn client_time_at(&self, server: u64) -> u64 {
        let since = (i128::from(server) + i128::from(self.base) - i128::from(self.at)) as f64;
        let since = (since + self.rest) / (1.0 - self.drift);
        (i128::from(self.at) + since.round() as i128) as u64
    }

    /// Parts per billion that the client's clock is faster.
    pub fn drift_ppb(&self) -> i64 {
        (self.drift * 1e9).round() as i64
    }
}

/// Knowledge about a finished window; on the client's clock except t0 and t1.
pub(crate) struct WindowTiming {
    pub t0: u64,
    pub t1: u64,
    /// The line used, the line at the end, and half the minimum delay.
    pub used: ClockOffsetModel,
    pub latest: ClockOffsetModel,
    pub error_ns: u64,
    pub measured_at: u64,
    /// First and last counted read or write.
    pub first: Option<u64>,
    pub last: Option<u64>,
}

impl WindowTiming {
    /// How well the window was kept, judged by a later exchange; without one the edges are unknown.
    pub fn window_skew(&self, after: Option<&ClockExchange>) -> ClientWindowSkew {
        let found = after.map(|e| (e.midpoint(), e.offset()));
        let truth = found.map(|f| {
            ClockOffsetModel::through_points((self.measured_at, self.used.offset_at(self.measured_at)), f)
        });
        let on_server = |client: Option<u64>| Some((client?, truth?)).map(|(c, line)| line.server_time_at(c));
        ClientWindowSkew {
            offset_ns: self.used.offset_at(self.used.client_time_at(self.t0)),
            offset_error_ns: self.error_ns,
            drift_ppb: self.used.drift_ppb(),
            first_ns: on_server(self.first).map(|at| at.wrapping_sub(self.t0) as i64),
            last_ns: on_server(self.last).map(|at| self.t1.wrapping_sub(at) as i64),
            surprise_ns: found.map_or(0, |(at, offset)| offset - self.latest.offset_at(at)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn exchange(server: u64, offset: i64, ppb: i64, there: u64, back: u64) -> ClockExchange {
        let client = |t: u64| {
            (i128::from(t) + i128::from(offset) + i128::from(t) * i128::from(ppb) / 1_000_000_000) as u64
        };
        let (arrived, left) = (server + there, server + there + 3_000);
        ClockExchange { sent: client(server), arrived, left, back: client(left + back) }
    }

    #[test]
    fn the_formula_of_rfc_5905() {
        let e = ClockExchange { sent: 1_000, arrived: 1_110, left: 1_115, back: 1_045 };
        assert_eq!((e.offset(), e.round_trip_delay(), e.midpoint()), (-90, 40, 1_022));
    }

    proptest! {
        /// Realistic offset and drift, asymmetries up to 20 µs, some exchanges delayed up to 50 ms: after 60
        /// s the end is met within 200 µs.
        #[test]
        fn sixty_seconds_later_the_clock_is_known(
            offset in -5_000_000_000i64..5_000_000_000, ppb in -50_000i64..50_000, span in 3_500_000_000u64..4_500_000_000,
            noise in proptest::collection::vec((0u64..20_000, 0u64..20_000, 0u64..50_000_000, 0u8..4), 64))
        {
            let start = 90_000_000_000_000u64;
            let exchanges: Vec<ClockExchange> = noise.iter().zip(0u64..).map(|(&(there, back, queue, stuck), i)| {
                // Sixteen at each end, the others in between.
                let at = match i { 0..16 => i * 200_000, 48.. => span + i * 200_000, _ => span * (i - 15) / 33 };
                let queue = if stuck == 0 { queue } else { 0 };
                exchange(start + at, offset, ppb, 30_000 + there, 30_000 + back + queue)
            }).collect();
            let line = ClockOffsetModel::fit(&exchanges).unwrap();
            let t1 = start + span + 61_000_000_000;
            let truth = exchange(t1, offset, ppb, 0, 0).sent;
            let missed = line.client_time_at(t1).abs_diff(truth);
            prop_assert!(missed <= 200_000, "missed by {missed} ns");
            prop_assert!(line.server_time_at(line.client_time_at(t1)).abs_diff(t1) <= 1);
        }
    }

    #[test]
    fn a_short_measurement_does_not_invent_a_drift() {
        // Without a prior, two groups 1 ms apart that differ by 10 µs would give 10,000 ppm.
        let exchanges = [(1_000_000_000, 30_000), (1_001_000_000, 50_000)]
            .map(|(server, there)| exchange(server, 0, 0, there, 30_000));
        let line = ClockOffsetModel::fit(&exchanges).unwrap();
        assert!(line.drift_ppb().abs() < 50_000, "{line:?}");
    }

    #[test]
    fn skew_is_judged_by_the_exchange_after_the_window() {
        // Assumed drift 0, 1 s ahead; true drift 100 ppm.
        let t0 = 100_000_000_000u64;
        let used = ClockOffsetModel::through_points((t0, 1_000_000_000), (t0 + 1_000, 1_000_000_000));
        let after = exchange(t0 + 12_000_000_000, 1_000_000_000 - 10_000_000, 100_000, 1_000, 1_000);
        // 100 ppm over 100 s are 10 ms: at t0 both lines agree.
        assert!(after.offset().abs_diff(1_001_200_000) < 2_000);
        let (measured_at, t1, last) = (t0 + 1_000_000_000, t0 + 10_000_000_000, Some(t0 + 11_000_000_000));
        let (latest, error_ns, first) = (used, 7, Some(measured_at));
        let kept = WindowTiming { t0, t1, used, latest, error_ns, measured_at, first, last };
        let skew = kept.window_skew(Some(&after));
        assert_eq!((skew.offset_ns, skew.offset_error_ns, skew.drift_ppb), (1_000_000_000, 7, 0));
        assert!(skew.surprise_ns.abs_diff(1_200_000) < 2_000, "{skew:?}");
        assert_eq!(skew.first_ns, Some(0));
        // 10 s at 100 ppm: the last client instant was 1 ms before the server's t1.
        assert!(skew.last_ns.unwrap().abs_diff(1_000_000) < 200_000, "{skew:?}");
        assert_eq!(kept.window_skew(None).last_ns, None);
    }
}
