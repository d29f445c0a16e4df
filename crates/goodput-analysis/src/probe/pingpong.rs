//! Message-size sweep: one point for each size from its batches, and metrics of the sweep. Series of the
//! connecting end: `batches` (`size_bytes`, `pass`, `batch`, `repeats`, `elapsed_ns`, `median_rtt_ns`,
//! `min_rtt_ns`; whole round trips, 0 where only the batch was timed), `round_trips` (`batch`: row in
//! `batches`; `rtt_ns`), `sizes` (`size_bytes`, `cap_reached`).

use super::{ProbeAnalysis, TrialMeasurement, find_series};
use crate::confidence_interval::ConfidenceInterval;
use crate::latency::LatencyDistribution;
use crate::medium_limit::{TrafficDirections, TrafficKind};
use crate::pass_drift::PassDrift;
use crate::stopping_rule::{self, BatchTime, TimeEstimate};
use crate::sweep_summary;
use goodput_model::probe::{PingPongMethod, PingPongPattern, TransferDirection};
use goodput_model::run_comparison::ComparedQuantity;
use goodput_model::summary::{
    HalfRtt, PingPongPoint, PingPongResult, ProbeResult, SizeSweepSummary, TheoreticalGoodputLimit,
};
use goodput_model::trial::{EndpointReport, EndpointRole};
use goodput_model::{Message, PingPong, Trial};
use std::collections::{BTreeMap, BTreeSet};

impl ProbeAnalysis for PingPong {
    fn measure_trial(&self, trial: &Trial, _: &TheoreticalGoodputLimit) -> TrialMeasurement {
        measure(trial, self)
    }

    fn traffic_directions(&self, _: &Trial) -> Result<TrafficDirections, &'static str> {
        let direction = if self.pattern == PingPongPattern::TwoWay {
            TransferDirection::Both
        } else {
            TransferDirection::Send
        };
        Ok(TrafficDirections {
            directions: direction.one_way_directions(),
            one_way: false,
            packets: TrafficKind::RepliedSegments,
        })
    }

    fn primary_metric(&self) -> &'static str {
        "sweep.latency_ns"
    }

    fn host_pair_metric(&self) -> Option<&'static str> {
        (self.pattern == PingPongPattern::PingPong).then_some("half_rtt_ns.p50")
    }

    fn compared_quantities(&self) -> &'static [ComparedQuantity] {
        &[ComparedQuantity::HalfRoundTripNs, ComparedQuantity::GoodputBps]
    }

    fn describe_settings(&self) -> Message {
        "pingpong".into()
    }

    fn clear_run_specific_settings(&mut self) {
        if let PingPongMethod::Native { seed, .. } = &mut self.method {
            *seed = 0;
        }
    }
}

fn measure(trial: &Trial, settings: &PingPong) -> TrialMeasurement {
    let Some(end) = trial.endpoint_report(EndpointRole::Connect).or(trial.ends.first()) else {
        return TrialMeasurement::default();
    };
    let (points, drift) = points(end, settings);
    TrialMeasurement {
        elapsed_ns: end.window.elapsed().0,
        result: Some(ProbeResult::PingPong(PingPongResult {
            half_rtt_ns: points.first().and_then(|p| p.half_rtt_ns),
            sweep: sweep_summary::summarize_sweep(&points)
                .map(|s| SizeSweepSummary { drift_percent: drift.map(|d| 100.0 * d.deviation), ..s }),
            points,
        })),
        ..TrialMeasurement::default()
    }
}

struct Row {
    pass: u32,
    repeats: u64,
    /// Whole exchange: elapsed over repeats.
    mean_ns: f64,
    /// Median and minimum whole round trip, where each was timed.
    median_ns: Option<f64>,
    least_ns: Option<u64>,
}

/// In ascending order, and the shared drift of a native sweep; sizes without a usable batch are left out.
fn points(end: &EndpointReport, settings: &PingPong) -> (Vec<PingPongPoint>, Option<PassDrift>) {
    let (by_size, sizes_of_rows) = rows(end);
    let mut round_trips = round_trips(end, &sizes_of_rows);
    let capped = capped(end);
    let native = matches!(settings.method, PingPongMethod::Native { .. });
    let all: Vec<Vec<BatchTime>> = by_size.values().map(|rows| batches(rows, settings.pattern)).collect();
    let (drift, near) = match native {
        true => (PassDrift::estimate_between_passes(&all), PassDrift::estimate_for_each_size(&all)),
        false => (None, vec![None; all.len()]),
    };
    let points = by_size
        .iter()
        .zip(all.iter().zip(near))
        .filter_map(|((size, rows), (batches, near))| {
            let samples = round_trips.remove(size).unwrap_or_default();
            let estimate = if native { Some(stopping_rule::estimate_time(batches)?) } else { None };
            let mut point = point(*size, rows, &samples, settings.pattern, estimate)?;
            point.cap_reached = capped.contains(size);
            if let (Some(drift), Some((low, high))) = (near, point.interval_ns) {
                let wide = drift.widen_interval(ConfidenceInterval { low, high }, point.time_ns);
                point.interval_ns = Some((wide.low, wide.high));
            }
            Some(point)
        })
        .collect();
    (points, drift)
}

/// A ping-pong's time is half the exchange; streaming is one way; two-way is the exchange of two messages.
fn share_of(pattern: PingPongPattern) -> f64 {
    if pattern == PingPongPattern::PingPong { 0.5 } else { 1.0 }
}

fn batches(rows: &[Row], pattern: PingPongPattern) -> Vec<BatchTime> {
    let time = |r: &Row| r.median_ns.unwrap_or(r.mean_ns) * share_of(pattern);
    rows.iter().map(|r| BatchTime { pass: r.pass, time_ns: time(r) }).collect()
}

fn rows(end: &EndpointReport) -> (BTreeMap<u64, Vec<Row>>, Vec<u64>) {
    let mut by_size: BTreeMap<u64, Vec<Row>> = BTreeMap::new();
    let mut sizes_of_rows = Vec::new();
    let Some(batches) = find_series(end, "batches") else { return (by_size, sizes_of_rows) };
    let column = |name| batches.column(name).unwrap_or_default();
    let at =
        |name, row: usize| column(name).get(row).copied().and_then(|v| u64::try_from(v).ok()).unwrap_or(0);
    for row in 0..column("size_bytes").len() {
        let (size, repeats) = (at("size_bytes", row), at("repeats", row));
        sizes_of_rows.push(size);
        let elapsed = at("elapsed_ns", row);
        if size == 0 || repeats == 0 || elapsed == 0 {
            continue;
        }
        by_size.entry(size).or_default().push(Row {
            pass: u32::try_from(at("pass", row)).unwrap_or(u32::MAX),
            repeats,
            mean_ns: elapsed as f64 / repeats as f64,
            median_ns: Some(at("median_rtt_ns", row)).filter(|m| *m > 0).map(|m| m as f64),
            least_ns: Some(at("min_rtt_ns", row)).filter(|m| *m > 0),
        });
    }
    (by_size, sizes_of_rows)
}

fn round_trips(end: &EndpointReport, sizes_of_rows: &[u64]) -> BTreeMap<u64, LatencyDistribution> {
    let mut values: BTreeMap<u64, Vec<i64>> = BTreeMap::new();
    if let Some(found) = find_series(end, "round_trips") {
        let (rows, times) = (found.column("batch"), found.column("rtt_ns"));
        for (row, time) in rows.unwrap_or_default().iter().zip(times.unwrap_or_default()) {
            if let Some(size) = usize::try_from(*row).ok().and_then(|r| sizes_of_rows.get(r)) {
                values.entry(*size).or_default().push(*time);
            }
        }
    }
    values.into_iter().map(|(size, v)| (size, LatencyDistribution::from_values(v))).collect()
}

fn capped(end: &EndpointReport) -> BTreeSet<u64> {
    let Some(sizes) = find_series(end, "sizes") else { return BTreeSet::new() };
    let (size, cap) = (sizes.column("size_bytes"), sizes.column("cap_reached"));
    size.unwrap_or_default()
        .iter()
        .zip(cap.unwrap_or_default())
        .filter(|(_, cap)| **cap != 0)
        .filter_map(|(size, _)| u64::try_from(*size).ok())
        .collect()
}

/// Of a native sweep from its estimate, else from its best loop.
fn point(
    size: u64,
    rows: &[Row],
    samples: &LatencyDistribution,
    pattern: PingPongPattern,
    native: Option<TimeEstimate>,
) -> Option<PingPongPoint> {
    let share = share_of(pattern);
    let messages = if pattern == PingPongPattern::TwoWay { 2.0 } else { 1.0 };
    let repeats = rows.iter().fold(0u64, |sum, r| sum.saturating_add(r.repeats));
    let loops: Vec<f64> = rows.iter().map(|r| r.mean_ns * share).collect();
    let time_ns = match native {
        Some(found) => found.time_ns,
        None => loops.iter().copied().fold(f64::INFINITY, f64::min),
    };
    let interval_ns = native.and_then(|found| found.interval).map(|i| (i.low, i.high));
    let goodput = size as f64 * 8e9 * messages / time_ns;
    if !(time_ns > 0.0 && time_ns.is_finite() && goodput.is_finite()) {
        return None;
    }
    let half_rtt_ns = (pattern == PingPongPattern::PingPong).then(|| {
        if native.is_some() {
            native_half_rtt(rows, samples, repeats, time_ns)
        } else {
            compat_half_rtt(&loops, time_ns)
        }
    });
    Some(PingPongPoint {
        size_bytes: size,
        repeats,
        batches: u32::try_from(rows.len()).unwrap_or(u32::MAX),
        time_ns,
        goodput_bps: goodput.round() as u64,
        interval_ns,
        half_rtt_ns,
        cap_reached: false,
    })
}

/// From every round trip where all were kept. A truncated sample has no p99; then the median of batch medians
/// is the median, and the minimum is that of the batches, which are always complete.
fn native_half_rtt(rows: &[Row], samples: &LatencyDistribution, repeats: u64, time_ns: f64) -> HalfRtt {
    let least = rows.iter().filter_map(|r| r.least_ns).min().map(|l| l / 2);
    let whole = samples.count() == repeats;
    let quantile = |q| samples.quantile(q).filter(|_| whole).map(|rtt| rtt / 2);
    let p50 = quantile(0.5).unwrap_or(time_ns.round() as u64);
    HalfRtt { min: least.unwrap_or(p50), p50, p99: quantile(0.99) }
}

/// The best and the median of the loops' means.
fn compat_half_rtt(loops: &[f64], best_ns: f64) -> HalfRtt {
    let p50 = crate::descriptive_statistics::median(loops).unwrap_or(best_ns);
    HalfRtt { min: best_ns.round() as u64, p50: p50.round() as u64, p99: None }
}
