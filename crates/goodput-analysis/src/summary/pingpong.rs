//! Ping-pong: batches → one point a size, and what a sweep says as a whole.
//!
//! Series of the connecting end: `batches` (`size_bytes`, `pass`, `batch`, `repeats`, `elapsed_ns`,
//! `median_rtt_ns`, `min_rtt_ns`; whole round trips, 0 where only the batch was timed), `round_trips` (`batch`: row in
//! `batches`; `rtt_ns`), `sizes` (`size_bytes`, `cap_reached`).

use super::{Measured, series};
use crate::latency::Distribution;
use crate::stopping::{self, Batch};
use crate::sweep;
use goodput_model::PingPong;
use goodput_model::Trial;
use goodput_model::probe::{Pattern, PingPongMethod};
use goodput_model::summary::{HalfRtt, Point};
use goodput_model::trial::{EndReport, Role};
use std::collections::{BTreeMap, BTreeSet};

pub(super) fn measure(trial: &Trial, settings: &PingPong) -> Measured {
    let Some(end) = trial.end(Role::Connect).or(trial.ends.first()) else { return Measured::default() };
    let points = points(end, settings);
    Measured {
        elapsed_ns: end.window.elapsed().0,
        half_rtt_ns: points.first().and_then(|p| p.half_rtt_ns),
        sweep: sweep::derive(&points),
        points,
        ..Measured::default()
    }
}

/// One timed batch or loop of a size.
struct Row {
    pass: u32,
    repeats: u64,
    /// Whole exchange: elapsed over repeats.
    mean_ns: f64,
    /// Median and least whole round trip, where each was timed.
    median_ns: Option<f64>,
    least_ns: Option<u64>,
}

/// One point a size in ascending order; sizes without a usable batch are absent.
fn points(end: &EndReport, settings: &PingPong) -> Vec<Point> {
    let (by_size, sizes_of_rows) = rows(end);
    let mut round_trips = round_trips(end, &sizes_of_rows);
    let capped = capped(end);
    by_size
        .iter()
        .filter_map(|(size, rows)| {
            let samples = round_trips.remove(size).unwrap_or_default();
            point(*size, rows, &samples, settings, capped.contains(size))
        })
        .collect()
}

/// The rows of each size, and the size of each row of the series.
fn rows(end: &EndReport) -> (BTreeMap<u64, Vec<Row>>, Vec<u64>) {
    let mut by_size: BTreeMap<u64, Vec<Row>> = BTreeMap::new();
    let mut sizes_of_rows = Vec::new();
    let Some(batches) = series(end, "batches") else { return (by_size, sizes_of_rows) };
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

/// The single round trips of each size.
fn round_trips(end: &EndReport, sizes_of_rows: &[u64]) -> BTreeMap<u64, Distribution> {
    let mut values: BTreeMap<u64, Vec<i64>> = BTreeMap::new();
    if let Some(found) = series(end, "round_trips") {
        let (rows, times) = (found.column("batch"), found.column("rtt_ns"));
        for (row, time) in rows.unwrap_or_default().iter().zip(times.unwrap_or_default()) {
            if let Some(size) = usize::try_from(*row).ok().and_then(|r| sizes_of_rows.get(r)) {
                values.entry(*size).or_default().push(*time);
            }
        }
    }
    values.into_iter().map(|(size, v)| (size, Distribution::of(v))).collect()
}

/// Sizes that the time cap ended.
fn capped(end: &EndReport) -> BTreeSet<u64> {
    let Some(sizes) = series(end, "sizes") else { return BTreeSet::new() };
    let (size, cap) = (sizes.column("size_bytes"), sizes.column("cap_reached"));
    size.unwrap_or_default()
        .iter()
        .zip(cap.unwrap_or_default())
        .filter(|(_, cap)| **cap != 0)
        .filter_map(|(size, _)| u64::try_from(*size).ok())
        .collect()
}

fn point(
    size: u64,
    rows: &[Row],
    samples: &Distribution,
    settings: &PingPong,
    cap_reached: bool,
) -> Option<Point> {
    // A ping-pong's time is half the exchange; streaming is one way already, two-way counts the whole exchange
    // in which two messages move.
    let (share, messages) = match settings.pattern {
        Pattern::PingPong => (0.5, 1.0),
        Pattern::Streaming => (1.0, 1.0),
        Pattern::TwoWay => (1.0, 2.0),
    };
    let native = matches!(settings.method, PingPongMethod::Native { .. });
    let repeats = rows.iter().fold(0u64, |sum, r| sum.saturating_add(r.repeats));
    let loops: Vec<f64> = rows.iter().map(|r| r.mean_ns * share).collect();
    let (time_ns, interval_ns) = if native {
        let batches: Vec<Batch> = rows
            .iter()
            .map(|r| Batch { pass: r.pass, time_ns: r.median_ns.unwrap_or(r.mean_ns) * share })
            .collect();
        let found = stopping::estimate(&batches)?;
        (found.time_ns, found.interval.map(|i| (i.low, i.high)))
    } else {
        (loops.iter().copied().fold(f64::INFINITY, f64::min), None)
    };
    let goodput = size as f64 * 8e9 * messages / time_ns;
    if !(time_ns > 0.0 && time_ns.is_finite() && goodput.is_finite()) {
        return None;
    }
    let half_rtt_ns = (settings.pattern == Pattern::PingPong).then(|| {
        if native {
            native_half_rtt(rows, samples, repeats, time_ns)
        } else {
            compat_half_rtt(&loops, time_ns)
        }
    });
    Some(Point {
        size_bytes: size,
        repeats,
        batches: u32::try_from(rows.len()).unwrap_or(u32::MAX),
        time_ns,
        goodput_bps: goodput.round() as u64,
        interval_ns,
        half_rtt_ns,
        cap_reached,
    })
}

/// From every round trip where all were kept. A cut sample has no tail to speak of: then no p99, the median
/// of batch medians stands for the median, and the least comes from the batches, which are always whole.
fn native_half_rtt(rows: &[Row], samples: &Distribution, repeats: u64, time_ns: f64) -> HalfRtt {
    let least = rows.iter().filter_map(|r| r.least_ns).min().map(|l| l / 2);
    let whole = samples.count() == repeats;
    let quantile = |q| samples.quantile(q).filter(|_| whole).map(|rtt| rtt / 2);
    let p50 = quantile(0.5).unwrap_or(time_ns.round() as u64);
    HalfRtt { min: least.unwrap_or(p50), p50, p99: quantile(0.99) }
}

/// Whole loops only: the best and the median of the loops' means.
fn compat_half_rtt(loops: &[f64], best_ns: f64) -> HalfRtt {
    let p50 = crate::describe::median(loops).unwrap_or(best_ns);
    HalfRtt { min: best_ns.round() as u64, p50: p50.round() as u64, p99: None }
}
