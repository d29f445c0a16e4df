//! Curves of a load run over the request size and over the number of clients, with their saturation points.
//! `curve/shape.rs` decides what belongs on one curve, `curve/saturation.rs` where it saturates.

mod saturation;
mod shape;

pub use saturation::{MIN_INTERVAL_SAMPLES, MIN_RATE_GAIN};

use crate::descriptive_statistics::{mean, median};
use crate::finding::advice_for_finding;
use crate::random::SplitMix64;
use goodput_model::summary::{
    CpuSummary, LoadCurve, LoadCurvePoint, LoadCurves, LoadSummary, SaturationPoint, TrialSummary,
};
use goodput_model::trial::EndpointRole;
use goodput_model::{CpuAccountingScope, Finding, Load, Message, Probe, Severity};
use goodput_words::message;
use saturation::{IntervalSamples, RESAMPLE_COUNT, ResampledRates, find_saturation};
use shape::LoadCurveKey;
use std::collections::BTreeMap;

#[derive(Clone, Copy)]
struct Measured<'a> {
    summary: &'a TrialSummary,
    settings: &'a Load,
    load: &'a LoadSummary,
}

/// The curves of these trials; those of other probes and those without a result are skipped. `None` for fewer
/// than two points. Deterministic.
pub fn build_load_curves(summaries: &[&TrialSummary]) -> Option<LoadCurves> {
    let points: Vec<Measured<'_>> = summaries.iter().filter_map(|s| measured(s)).collect();
    if points.len() < 2 {
        return None;
    }
    let mut shapes: Vec<(LoadCurveKey, Vec<Measured<'_>>)> = Vec::new();
    for point in points.iter().copied() {
        let shape = LoadCurveKey::from_load(point.settings);
        match shapes.iter_mut().find(|(known, _)| *known == shape) {
            Some((_, theirs)) => theirs.push(point),
            None => shapes.push((shape, vec![point])),
        }
    }
    let names = shape::load_curve_names(&shapes.iter().map(|(shape, _)| shape).collect::<Vec<_>>());
    let mut random = SplitMix64::new(points[0].settings.seed);
    let mut curves = LoadCurves { findings: findings(&points), ..LoadCurves::default() };
    for ((_, theirs), name) in shapes.iter().zip(&names) {
        let by_clients = grouped(theirs, |p| Some(p.load.requested_client_count()));
        for (clients, group) in by_clients {
            let over = grouped(&group, |p| p.load.size_bytes);
            curves.over_size.extend(curve(name, &over, Some(clients), None, &mut random));
        }
        // A mix of sizes is on no curve over sizes, but on those over clients.
        let by_size = grouped(theirs, |p| Some(p.load.size_bytes));
        for (size, group) in by_size {
            let over = grouped(&group, |p| Some(u64::from(p.load.clients)));
            curves.over_clients.extend(curve(name, &over, None, size, &mut random));
        }
    }
    Some(curves)
}

fn measured(summary: &TrialSummary) -> Option<Measured<'_>> {
    match &summary.probe {
        Probe::Load(settings) => Some(Measured { summary, settings, load: summary.load_summary()? }),
        _ => None,
    }
}

/// In order of the key; points without one are left out.
fn grouped<'a, K: Ord>(
    points: &[Measured<'a>],
    key: impl Fn(&Measured<'a>) -> Option<K>,
) -> BTreeMap<K, Vec<Measured<'a>>> {
    let mut groups: BTreeMap<K, Vec<Measured<'a>>> = BTreeMap::new();
    for point in points {
        if let Some(key) = key(point) {
            groups.entry(key).or_default().push(*point);
        }
    }
    groups
}

/// `None` for fewer than two places.
fn curve(
    name: &Message,
    groups: &BTreeMap<u64, Vec<Measured<'_>>>,
    clients: Option<u16>,
    size_bytes: Option<u64>,
    random: &mut SplitMix64,
) -> Option<LoadCurve> {
    let first = groups.values().next()?.first()?;
    if groups.len() < 2 {
        return None;
    }
    let samples: Vec<Vec<IntervalSamples>> = groups
        .values()
        .map(|group| group.iter().map(|p| IntervalSamples::from_intervals(&p.load.intervals)).collect())
        .collect();
    let resampled: Vec<ResampledRates> =
        samples.iter().map(|s| ResampledRates::bootstrap(s, RESAMPLE_COUNT, random)).collect();
    let points: Vec<LoadCurvePoint> = groups
        .iter()
        .zip(&resampled)
        .map(|((at, group), resampled)| curve_point(*at, group, resampled))
        .collect();
    // The first of equals: the smallest.
    let best = points.iter().rev().max_by_key(|p| p.goodput_bps)?;
    let places: Vec<u64> = points.iter().map(|p| p.at).collect();
    let rates: Vec<f64> = points.iter().map(|p| p.goodput_bps as f64).collect();
    Some(LoadCurve {
        name: name.clone(),
        traffic: first.load.traffic,
        clients,
        size_bytes,
        best_bps: best.goodput_bps,
        best_at: best.at,
        saturation: find_saturation(&places, &rates, &resampled),
        points,
    })
}

/// From the intervals (end in ns, bytes) of each place's trials.
pub(crate) fn saturation_from_intervals(
    places: &[u64],
    rates: &[f64],
    trials: &[Vec<&[(u64, u64)]>],
    random: &mut SplitMix64,
) -> SaturationPoint {
    let mut of_place = |group: &Vec<&[(u64, u64)]>| {
        let rows = |trial: &&[(u64, u64)]| -> Vec<(u64, u64, u64)> {
            trial.iter().map(|(end, bytes)| (*end, *bytes, 0)).collect()
        };
        let samples: Vec<IntervalSamples> =
            group.iter().map(|trial| IntervalSamples::from_intervals(&rows(trial))).collect();
        ResampledRates::bootstrap(&samples, RESAMPLE_COUNT, random)
    };
    let resampled: Vec<ResampledRates> = trials.iter().map(&mut of_place).collect();
    find_saturation(places, rates, &resampled)
}

/// From draws of each place's rate; the n-th of all places belong together. `blocks` is the number of
/// independent measurements behind them.
pub(crate) fn saturation_from_resamples(
    places: &[u64],
    rates: &[f64],
    draws: Vec<Vec<f64>>,
    blocks: usize,
) -> SaturationPoint {
    let resampled: Vec<ResampledRates> = draws
        .into_iter()
        .zip(rates)
        .map(|(draws, rate)| ResampledRates::from_resamples(*rate, draws, blocks))
        .collect();
    find_saturation(places, rates, &resampled)
}

fn curve_point(at: u64, group: &[Measured<'_>], resampled: &ResampledRates) -> LoadCurvePoint {
    let of = |f: &dyn Fn(&Measured<'_>) -> f64| mean(&group.iter().map(f).collect::<Vec<_>>()).unwrap_or(0.0);
    let all =
        |f: &dyn Fn(&Measured<'_>) -> Option<f64>| mean(&group.iter().map(f).collect::<Option<Vec<f64>>>()?);
    let transmit_bps = of(&|p| p.load.transmit_bps as f64).round() as u64;
    let receive_bps = of(&|p| p.load.receive_bps as f64).round() as u64;
    let goodput_bps = transmit_bps.saturating_add(receive_bps);
    let busy = all(&|p| server_cpu_summary(p.summary).map(|c| c.busy_percent));
    let p99 = group.iter().map(|p| p.load.reply_ns.or(p.load.handover_ns).map(|l| l.p99 as f64));
    LoadCurvePoint {
        at,
        trials: group.iter().map(|p| p.summary.trial).collect(),
        goodput_bps,
        interval_bps: resampled.confidence_interval().map(|i| {
            let i = i.extended_to_include(goodput_bps as f64);
            (i.low.round() as u64, i.high.round() as u64)
        }),
        transmit_bps,
        receive_bps,
        requests_per_second: of(&|p| p.load.requests_per_second),
        p99_ns: p99.collect::<Option<Vec<f64>>>().and_then(|all| median(&all)).map(|p99| p99.round() as u64),
        cpu_busy_percent: busy,
        pe_index: busy
            .filter(|b| *b >= crate::cpu::MIN_BUSY_PERCENT)
            .map(|busy| goodput_bps as f64 / 1e6 / busy),
        us_per_kib: all(&|p| p.summary.service_demand.and_then(|d| d.us_per_kib)),
        limit_bps: group.iter().find_map(|p| p.summary.limit.goodput_bps),
    }
}

pub fn server_cpu_summary(summary: &TrialSummary) -> Option<&CpuSummary> {
    summary.hosts.iter().find(|h| h.role == EndpointRole::Listen)?.cpu.as_ref()
}

/// Whether the points' P/E indices are comparable.
fn findings(points: &[Measured<'_>]) -> Vec<Finding> {
    let mut kinds: BTreeMap<(u32, &'static str), Vec<String>> = BTreeMap::new();
    for point in points {
        if let Some(cpu) = server_cpu_summary(point.summary) {
            let scope = match cpu.scope {
                CpuAccountingScope::Host => "own",
                CpuAccountingScope::Shared => "shared",
                CpuAccountingScope::Pinned => "pinned",
            };
            kinds.entry((cpu.cpus, scope)).or_default().push(point.summary.trial.to_string());
        }
    }
    if kinds.len() < 2 {
        return Vec::new();
    }
    let words: Vec<Message> = kinds
        .keys()
        .map(|(count, scope)| message!(clause_cpus_of { count: *count, scope: *scope }))
        .collect();
    let evidence = kinds.iter().map(|((count, scope), trials)| {
        message!(part_load_cpus_of_trials { count: *count, scope: *scope, trials: trials.join(" ") })
    });
    vec![Finding {
        id: "pe-not-comparable".to_string(),
        severity: Severity::Warning,
        text: message!(rule_pe_not_comparable_text { kinds: words }),
        evidence: evidence.collect(),
        try_next: advice_for_finding("pe-not-comparable"),
    }]
}
