//! The latency distribution as a percentile plot: the horizontal axis is 1/(1−q), so that each further nine takes
//! the same room and the tail, where trouble shows first, is not squeezed against the edge.

use super::{Axis, Curve, Figure, Mark, Quantity, Style};
use crate::headline::{self, end_name};
use crate::number::nanos;
use goodput_analysis::latency::Distribution;
use goodput_model::probe::Probe;
use goodput_model::summary::Summary;
use goodput_model::trial::{Role, Trial};

/// Points a decade of 1/(1−q) that are drawn of a whole distribution.
const A_DECADE: i32 = 40;

/// Quantiles of the latencies that a trial stored, closer to each other the nearer they are to 1; empty without them.
pub fn quantiles(trial: &Trial) -> Vec<(f64, u64)> {
    let series = trial.end(Role::Connect).and_then(|e| e.series.iter().find(|s| s.name == "latency"));
    let Some(all) = series.and_then(Distribution::from_series).filter(|d| d.count() > 0) else {
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

/// The distribution. `detail` holds quantiles (0 to 1) with their latency in ns, in order, where the whole histogram
/// is at hand; empty, the percentiles of the summary are drawn.
pub fn latency_distribution(summary: &Summary, detail: &[(f64, u64)]) -> Figure {
    let mut points = Vec::new();
    let mut marks = Vec::new();
    if let Some(l) = summary.latency_ns.filter(|l| l.count > 0) {
        let most = l.count as f64;
        if detail.is_empty() {
            let known =
                [(1.0, l.min), (2.0, l.p50), (10.0, l.p90), (100.0, l.p99), (1e3, l.p999), (1e4, l.p9999)];
            // A percentile with less than one transaction above it is the maximum under another name.
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
        let named = [(2.0, l.p50, "median"), (100.0, l.p99, "p99")];
        marks.extend(
            named
                .iter()
                .filter(|(x, ..)| *x <= most)
                .map(|(x, t, name)| Mark { at: (*x, *t as f64), label: format!("{name} {}", nanos(*t)) }),
        );
        marks.push(Mark { at: (most, l.max as f64), label: format!("worst {}", nanos(l.max)) });
    }
    let curve = Curve::new("measured", Style::Line, points);
    let open_loop = matches!(&summary.probe, Probe::Request(r) if r.rate.is_some());
    Figure {
        id: "latency".into(),
        title: format!(
            "Latency distribution, {} ↔ {}",
            end_name(summary, Role::Connect),
            end_name(summary, Role::Listen)
        ),
        description: headline::headline(summary),
        x: Axis::log("share of transactions within", Quantity::Quantile, curve.points.iter().map(|p| p.0)),
        y: Axis::log("latency", Quantity::Time, curve.points.iter().map(|p| p.1.max(1.0))),
        curves: vec![curve],
        limits: Vec::new(),
        marks,
        notes: if open_loop {
            vec!["Latency counts from the intended send time.".into()]
        } else {
            Vec::new()
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::documents;

    #[test]
    fn percentiles_that_only_repeat_the_worst_are_not_drawn() {
        let figure = latency_distribution(&documents::request_few(), &[]);
        let xs: Vec<f64> = figure.curves[0].points.iter().map(|p| p.0).collect();
        assert_eq!(xs, [1.0, 2.0, 7.0]);
    }

    #[test]
    fn a_stored_histogram_is_drawn_from_its_least_to_its_most() {
        let summary = documents::request_closed();
        let detail = quantiles(&documents::trial_of(&summary));
        assert!((100..300).contains(&detail.len()), "{}", detail.len());
        assert!(detail.windows(2).all(|w| w[0].0 < w[1].0 && w[0].1 <= w[1].1));
        let points = &latency_distribution(&summary, &detail).curves[0].points;
        assert_eq!(points.first().map(|p| p.0), Some(1.0));
        assert_eq!(points.last().map(|p| p.1), Some(2_310_000.0));
    }

    #[test]
    fn no_transaction_is_no_curve() {
        let mut summary = documents::request_few();
        summary.latency_ns = None;
        assert!(latency_distribution(&summary, &[]).is_empty());
        assert!(quantiles(&documents::trial_of(&summary)).is_empty());
    }
}
