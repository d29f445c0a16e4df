//! The latency distribution as a percentile plot: the horizontal axis is 1/(1−q), so that each nine takes the
//! same width and the tail is visible.

use super::headline::headline;
use crate::display_text::{DisplayText, comma_list};
use crate::figure::{Axis, ChartPointLabel, Curve, CurveStyle, Figure, Quantity, downsample};
use crate::table::cell::nanos;
use crate::wording::{format_direction, format_endpoints};
use goodput_analysis::latency::LatencyDistribution;
use goodput_model::MessageArg;
use goodput_model::probe::Probe;
use goodput_model::summary::TrialSummary;
use goodput_model::trial::{EndpointRole, Trial};
use goodput_words::message;

const A_DECADE: i32 = 40;

const SPANS: usize = 240;

/// With more probes, each drawing column has its own minimum and maximum.
const MANY: usize = 4 * downsample::MAX_PIXEL_COLUMNS;

/// Quantiles from stored samples, denser towards 1; empty without samples.
pub fn latency_quantiles_from_samples(trial: &Trial) -> Vec<(f64, u64)> {
    let named = |name| {
        trial.endpoint_report(EndpointRole::Connect).and_then(|e| e.series.iter().find(|s| s.name == name))
    };
    let all = match trial.probe {
        Probe::Latency(_) => named("probes")
            .and_then(|s| s.column("latency_ns"))
            .map(|c| LatencyDistribution::from_values(c.iter().copied())),
        _ => named("latency").and_then(LatencyDistribution::from_series),
    };
    let Some(all) = all.filter(|d| d.count() > 0) else {
        return Vec::new();
    };
    let mut out = vec![(0.0, all.min().unwrap_or(0))];
    for step in 1.. {
        let x = 10f64.powf(f64::from(step) / f64::from(A_DECADE));
        let q = 1.0 - 1.0 / x;
        match all.quantile(q) {
            Some(value) if x < all.count() as f64 => out.push((q, value)),
            _ => break,
        }
    }
    out
}

fn between(summary: &TrialSummary) -> MessageArg {
    let ends = format_endpoints(summary).into();
    let Probe::Latency(settings) = &summary.probe else { return ends };
    let load = match settings.load {
        None => message!(part_latency_idle),
        Some(direction) => {
            message!(part_under_tcp_load { way: format_direction(summary, direction) })
        }
    };
    comma_list([ends, load.into()]).into()
}

/// Latency of each probe over the window: median and range of each time span; empty without the stored trial.
/// A note has the losses.
pub fn latency_over_time_figure(summary: &TrialSummary, trial: Option<&Trial>) -> Figure {
    let end = trial.and_then(|t| t.endpoint_report(EndpointRole::Connect));
    let probes = end.and_then(|e| e.series.iter().find(|s| s.name == "probes"));
    let columns = probes.and_then(|p| p.column("due_ns").zip(p.column("latency_ns")));
    let rows: Vec<(f64, f64)> = columns
        .map(|(due, latency)| due.iter().zip(latency).map(|(d, l)| (*d as f64, *l as f64)).collect())
        .unwrap_or_default();
    let x =
        Axis::linear_range("time since window start", Quantity::Time, 0.0, summary.elapsed_ns.max(1) as f64);
    let each = rows.len().div_ceil(SPANS).max(1);
    let (mut points, mut band) = (Vec::new(), Vec::new());
    for span in rows.chunks(each) {
        let mut answered: Vec<f64> = span.iter().map(|r| r.1).filter(|l| *l >= 0.0).collect();
        answered.sort_by(f64::total_cmp);
        if let (Some(least), Some(most)) = (answered.first(), answered.last()) {
            let at = (span[0].0 + span[span.len() - 1].0) / 2.0;
            points.push((at, answered[answered.len() / 2]));
            band.push((at, least.max(1.0), *most));
        }
    }
    if rows.len() > MANY {
        // If every column has several probes, its band equals all points.
        let answered = rows.iter().filter(|r| r.1 >= 0.0).map(|r| (r.0, r.1.max(1.0)));
        let columns = downsample::min_max_per_column(answered, &x, downsample::MAX_PIXEL_COLUMNS);
        band = columns.iter().flat_map(|c| [c.x.0, c.x.1].map(|x| (x, c.least, c.most))).collect();
    }
    let ys: Vec<f64> =
        points.iter().map(|p| p.1.max(1.0)).chain(band.iter().flat_map(|b| [b.1, b.2])).collect();
    let lost = rows.iter().filter(|r| r.1 < 0.0).count();
    let mut notes: Vec<DisplayText> = vec!["Latency is measured from the intended send time.".into()];
    if each > 1 {
        notes.push(message!(report_each_point_is_the_median_of { n: each }).into());
    }
    if lost > 0 {
        notes.push(message!(report_n_lost_probes_are_not_in { n: lost }).into());
    }
    let band = if each > 1 { band } else { Vec::new() };
    let y = Axis::logarithmic("latency", Quantity::Time, ys.into_iter());
    let curve = Curve::new("probes", CurveStyle::Line, points).with_band("minimum to maximum", band);
    let title = message!(report_latency_over_time_way { way: between(summary) });
    let figure = Figure::new("latency-over-time", title, headline(summary), x, y, vec![curve]);
    Figure { notes, ..figure }
}

/// `detail` has quantiles (0 to 1) with latency in ns, sorted; if empty, the summary's percentiles are drawn.
pub fn latency_distribution_figure(summary: &TrialSummary, detail: &[(f64, u64)]) -> Figure {
    let mut points = Vec::new();
    let mut marks = Vec::new();
    if let Some(l) = summary.latency_summary().filter(|l| l.count > 0) {
        let most = l.count as f64;
        if detail.is_empty() {
            let known =
                [(1.0, l.min), (2.0, l.p50), (10.0, l.p90), (100.0, l.p99), (1e3, l.p999), (1e4, l.p9999)];
            // A percentile with less than one transaction above it is the maximum.
            points.extend(known.iter().filter(|(x, _)| *x <= most).map(|(x, t)| (*x, *t as f64)));
        } else {
            points.extend(
                detail
                    .iter()
                    .filter(|(q, _)| (0.0..1.0).contains(q))
                    .map(|(q, t)| (1.0 / (1.0 - q), *t as f64)),
            );
            points.retain(|(x, _)| *x <= most * (1.0 + 1e-9));
        }
        if points.last().is_none_or(|(x, _)| *x < most) {
            points.push((most, l.max as f64));
        }
        let named = [
            (2.0, l.p50, message!(part_median { time: nanos(l.p50) })),
            (100.0, l.p99, message!(part_p99_mark { time: nanos(l.p99) })),
            (most, l.max, message!(part_worst { time: nanos(l.max) })),
        ];
        let marked = named.into_iter().filter(|(x, ..)| *x <= most);
        marks.extend(marked.map(|(x, t, label)| ChartPointLabel { at: (x, t as f64), label: label.into() }));
    }
    let curve = Curve::new("measured", CurveStyle::Line, points);
    let (share, open_loop) = match &summary.probe {
        Probe::Latency(_) => ("cumulative share of probes", true),
        Probe::Request(r) => ("cumulative share of transactions", r.rate.is_some()),
        _ => ("cumulative share of transactions", false),
    };
    let figure = Figure::new(
        "latency",
        message!(report_latency_distribution_way { way: between(summary) }),
        headline(summary),
        Axis::logarithmic(share, Quantity::Quantile, curve.points.iter().map(|p| p.0)),
        Axis::logarithmic("latency", Quantity::Time, curve.points.iter().map(|p| p.1.max(1.0))),
        vec![curve],
    );
    let note = open_loop.then(|| "Latency is measured from the intended send time.".into());
    Figure { marks, notes: note.into_iter().collect(), ..figure }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::documents;

    #[test]
    fn a_stored_histogram_is_drawn_whole_and_no_transaction_is_no_curve() {
        let summary = documents::request_closed();
        let detail = latency_quantiles_from_samples(&documents::trial_of(&summary));
        assert!((100..300).contains(&detail.len()), "{}", detail.len());
        assert!(detail.windows(2).all(|w| w[0].0 < w[1].0 && w[0].1 <= w[1].1));
        let points = &latency_distribution_figure(&summary, &detail).curves[0].points;
        assert_eq!(points.first().map(|p| p.0), Some(1.0));
        assert_eq!(points.last().map(|p| p.1), Some(2_310_000.0));
        let mut summary = documents::request_few();
        summary.result.request().unwrap().latency_ns = None;
        assert!(latency_distribution_figure(&summary, &[]).is_empty());
        assert!(latency_quantiles_from_samples(&documents::trial_of(&summary)).is_empty());
    }
}
