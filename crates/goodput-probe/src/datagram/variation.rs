//! Interarrival jitter (RFC 3550) and one-way delay variation (RFC 3393) of one flow. Both use differences on
//! each clock, so clocks need not be synchronised. Valid only with a send and receive call per datagram.

use goodput_model::Series;
use hdrhistogram::Histogram;

/// Larger variations are recorded as this.
const LARGEST_NS: u64 = 60_000_000_000;
/// RFC 3550 section 6.4.1.
const GAIN: f64 = 1.0 / 16.0;

pub(super) struct DelayVariation {
    last: Option<(u64, u64)>,
    jitter: f64,
    /// Three significant digits.
    histogram: Histogram<u32>,
}

impl DelayVariation {
    pub fn new() -> Option<DelayVariation> {
        let histogram = Histogram::new_with_bounds(1, LARGEST_NS, 3).ok()?;
        Some(DelayVariation { last: None, jitter: 0.0, histogram })
    }

    /// In ns, each on its own clock: D(i−1, i) = (R(i) − R(i−1)) − (S(i) − S(i−1)), and J += (|D| − J) / 16.
    #[inline(always)]
    pub fn add_arrival(&mut self, arrived: u64, sent: u64) {
        if let Some((arrived_before, sent_before)) = self.last {
            let (r, s) = (arrived.wrapping_sub(arrived_before), sent.wrapping_sub(sent_before));
            let d = (r.wrapping_sub(s) as i64).unsigned_abs();
            self.jitter += (d as f64 - self.jitter) * GAIN;
            self.histogram.saturating_record(d);
        }
        self.last = Some((arrived, sent));
    }

    pub fn jitter_ns(&self) -> Option<f64> {
        (!self.histogram.is_empty()).then_some(self.jitter)
    }

    pub fn distribution_series(&self, name: String) -> Series {
        let rows = || self.histogram.iter_recorded();
        let values = rows().map(|v| v.value_iterated_to() as i64).collect();
        let counts = rows().map(|v| v.count_at_value() as i64).collect();
        Series::new(name, vec![("value_ns", values), ("count", counts)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_steady_path_has_no_jitter_whatever_the_clocks_say() {
        let mut v = DelayVariation::new().unwrap();
        assert_eq!(v.jitter_ns(), None);
        // The sender's clock may have any value and wrap.
        for i in 0..100u64 {
            v.add_arrival(5_000 + 1_000 * i, (u64::MAX - 50_000).wrapping_add(1_000 * i));
        }
        assert_eq!(v.jitter_ns(), Some(0.0));
        assert_eq!(v.distribution_series("x".into()).column("count"), Some(&[99][..]));
    }

    #[test]
    fn the_estimate_is_that_of_rfc_3550() {
        // Appendix A.8 in floating point: transit 10, 26, 10, 10 gives |D| = 16, 16, 0.
        let mut v = DelayVariation::new().unwrap();
        for (i, transit) in [10, 26, 10, 10].into_iter().enumerate() {
            let sent = 1_000 * i as u64;
            v.add_arrival(sent + transit, sent);
        }
        let second = 1.0 + 15.0 / 16.0;
        assert!((v.jitter_ns().unwrap() - (second - second / 16.0)).abs() < 1e-12);
        let series = v.distribution_series("x".into());
        assert_eq!(["value_ns", "count"].map(|name| series.column(name).unwrap()), [[0, 16], [1, 2]]);
    }
}
