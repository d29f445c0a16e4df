//! Metrics derived from a message-size sweep: latency, best rate, n½ and the saturation point.

use goodput_model::summary::{PingPongPoint, SizeSweepSummary};

/// From this elasticity on, time grows linearly with size: doubling a message multiplies its time by 2^0.9 =
/// 1.87 or more.
pub const LINEAR_SCALING_THRESHOLD: f64 = 0.9;

/// Points in ascending order of size; `None` without points.
pub fn summarize_sweep(points: &[PingPongPoint]) -> Option<SizeSweepSummary> {
    let first = points.first()?;
    // The first of equals: the smallest message.
    let best = points.iter().rev().max_by_key(|p| p.goodput_bps)?;
    Some(SizeSweepSummary {
        latency_ns: first.time_ns,
        best_bps: best.goodput_bps,
        best_size_bytes: best.size_bytes,
        half_size_bytes: half_size(points, best.goodput_bps),
        saturation_size_bytes: saturation_size(points),
        drift_percent: None,
    })
}

/// Hockney's n½: the smallest size that reaches half of the best goodput. Between neighbouring sizes T = a +
/// b·n, which is exact in Hockney's model; then n/T(n) = h has the solution n = a·h / (1 − b·h). `None` when
/// the smallest size already reaches half.
fn half_size(points: &[PingPongPoint], best_bps: u64) -> Option<f64> {
    let half_bps = best_bps as f64 / 2.0;
    let pair = points.windows(2).find(|w| w[1].goodput_bps as f64 >= half_bps)?;
    let (low, high) = (&pair[0], &pair[1]);
    if low.goodput_bps as f64 >= half_bps {
        return None;
    }
    // Goodput of one byte a nanosecond as the sweep counts it: 8 bit, or 16 where two messages move.
    let bits = low.goodput_bps as f64 * low.time_ns / low.size_bytes as f64;
    let (n0, n1) = (low.size_bytes as f64, high.size_bytes as f64);
    let b = (high.time_ns - low.time_ns) / (n1 - n0);
    let a = low.time_ns - b * n0;
    let h = half_bps / bits;
    let n = a * h / (1.0 - b * h);
    // Rounded goodputs may push the root slightly out of its bracket.
    n.is_finite().then(|| n.clamp(n0, n1))
}

/// The size from which on time grows near-linearly with size (Snell, Mikler, Gustafson 1996, section 2): the
/// smallest from which on every octave has an elasticity d ln T / d ln n of at least [`LINEAR_SCALING_THRESHOLD`].
/// For T = a + b·n it is at 6.5·a/b, where 87 % of the final rate is reached. `None` when the sweep does not
/// reach it or is shorter than an octave.
fn saturation_size(points: &[PingPongPoint]) -> Option<u64> {
    let elasticity = |from: &PingPongPoint| {
        let to = points.iter().find(|p| p.size_bytes / 2 >= from.size_bytes)?;
        let (size, time) = (to.size_bytes as f64 / from.size_bytes as f64, to.time_ns / from.time_ns);
        Some(time.ln() / size.ln())
    };
    points
        .iter()
        .rev()
        .filter_map(|p| Some((p.size_bytes, elasticity(p)?)))
        .take_while(|(_, e)| *e >= LINEAR_SCALING_THRESHOLD)
        .last()
        .map(|(size, _)| size)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Points of T = a + b·n, in ns.
    fn hockney(sizes: impl IntoIterator<Item = u64>, a: f64, b: f64) -> Vec<PingPongPoint> {
        let point = |size: u64| {
            let time_ns = a + b * size as f64;
            PingPongPoint {
                size_bytes: size,
                repeats: 1,
                batches: 1,
                time_ns,
                goodput_bps: (size as f64 * 8e9 / time_ns) as u64,
                interval_ns: None,
                half_rtt_ns: None,
                cap_reached: false,
            }
        };
        sizes.into_iter().map(point).collect()
    }

    #[test]
    fn hockneys_model_gives_its_own_numbers() {
        // 10 µs and 1 Gbit/s (8 ns a byte): n½ of the asymptote is a/b = 1250 B; half of the sweep's best
        // N/(a + bN) is reached at aN/(2a + bN).
        let largest = 1 << 23;
        let derived = summarize_sweep(&hockney((0..=23).map(|k| 1 << k), 10_000.0, 8.0)).unwrap();
        let n = f64::from(largest);
        let expected = 10_000.0 * n / (20_000.0 + 8.0 * n);
        assert_eq!((derived.latency_ns, derived.best_size_bytes), (10_008.0, largest as u64));
        assert!((derived.half_size_bytes.unwrap() - expected).abs() < 0.01, "{derived:?}");
        // 6.46 a/b = 8077 B: the first power of two above.
        assert_eq!(derived.saturation_size_bytes, Some(8_192));
    }

    #[test]
    fn close_neighbours_do_not_decide() {
        let sizes = crate::size_schedule::SizeSchedule::default().sizes().unwrap();
        let mut points = hockney(sizes.iter().map(|s| s.0), 10_000.0, 8.0);
        let odd = points.iter().position(|p| p.size_bytes == 65_536).unwrap();
        points[odd].time_ns *= 1.05;
        let found = summarize_sweep(&points).unwrap().saturation_size_bytes.unwrap();
        assert!((6_141..=12_291).contains(&found), "{found}");
    }

    #[test]
    fn short_and_flat_sweeps() {
        assert_eq!(summarize_sweep(&[]), None);
        let one = summarize_sweep(&hockney([100], 1000.0, 1.0)).unwrap();
        assert_eq!((one.half_size_bytes, one.saturation_size_bytes), (None, None));
        assert_eq!(summarize_sweep(&hockney([100_000, 200_000], 10.0, 1.0)).unwrap().half_size_bytes, None);
        assert_eq!(summarize_sweep(&hockney([1, 2, 4, 8], 1e6, 0.0)).unwrap().saturation_size_bytes, None);
    }
}
