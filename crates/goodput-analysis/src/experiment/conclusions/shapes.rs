//! Statements about curves over a size: where one dips or collapses, and where it saturates.
//! [`crate::experiment::curve_shape`] computes them.

use super::cells::CellKey;
use super::level_subsets::level_subsets;
use super::{ConclusionDraft, wording};
use crate::experiment::curve_shape::{Breach, Kind, Shape, saturation, shape};
use crate::experiment::curves::{Curve, curves as curves_of};
use crate::random::SplitMix64;
use goodput_model::Severity;
use goodput_model::experiment::Better;
use goodput_model::experiment::conclusion::Conclusion;
use goodput_model::experiment::data::{DataSet, Observed};
use goodput_model::summary::Saturation;

const MAX_NAMED: usize = 4;
/// Fixed, so that the same data gives the same sentences.
const SEED: u64 = 1;

/// For each rate over sizes: breaches of its curves by kind, and where they saturate.
pub(super) fn curves(data: &DataSet) -> Vec<Conclusion> {
    let mut found = Vec::new();
    for (measure, head) in data.measures.iter().enumerate() {
        if !head.over_size || head.unit != "bit/s" || head.better != Better::Higher {
            continue;
        }
        let all = curves_of(data, measure);
        if all.is_empty() {
            continue;
        }
        let shapes: Vec<(&Curve, Shape)> = all.iter().map(|c| (c, shape(c))).collect();
        for kind in [Kind::CollapseAbove, Kind::CollapseBelow, Kind::Fall, Kind::Dip] {
            found.extend(breaches(data, measure, &shapes, kind));
        }
        found.extend(unbroken(data, measure, &shapes));
        found.extend(saturations(data, measure, &all));
    }
    found
}

fn place(measure: usize, curve: &Curve) -> CellKey {
    CellKey { measure, size: None, levels: curve.levels.clone() }
}

fn rows(data: &DataSet, measure: usize, curves: &[&Curve]) -> Vec<usize> {
    let belongs = |row: &goodput_model::experiment::data::Row| {
        row.measure == measure
            && matches!(row.value, Observed::Value(_))
            && curves.iter().any(|c| c.levels == row.levels)
    };
    (0..data.rows.len()).filter(|r| belongs(&data.rows[*r])).collect()
}

fn sure(curves: &[&Curve]) -> String {
    let repeats = curves.iter().flat_map(|c| &c.points).map(|p| p.by_block.len()).min().unwrap_or(0);
    let from = if repeats >= 2 { "its repeats" } else { "its neighbours, as there are no repeats" };
    format!("beyond the noise of each point as {from} show it, shared out over all pairs of sizes")
}

fn breaches(data: &DataSet, measure: usize, shapes: &[(&Curve, Shape)], kind: Kind) -> Option<Conclusion> {
    let of = |shape: &Shape| match shape {
        Shape::Seen { breaches, .. } => {
            breaches.iter().filter(|b| b.kind == kind).cloned().collect::<Vec<Breach>>()
        }
        Shape::CannotTell { .. } => Vec::new(),
    };
    let broken: Vec<(&Curve, Vec<Breach>)> =
        shapes.iter().map(|(c, s)| (*c, of(s))).filter(|(_, b)| !b.is_empty()).collect();
    if broken.is_empty() {
        return None;
    }
    let said = |(curve, found): &(&Curve, Vec<Breach>)| {
        let each: Vec<String> = found.iter().map(|b| collapse_text(data, measure, b)).collect();
        let at = wording::place(data, &place(measure, curve));
        if at.is_empty() { each.join(" and ") } else { format!("{at} {}", each.join(" and ")) }
    };
    let mut named: Vec<String> = broken.iter().take(MAX_NAMED).map(said).collect();
    if broken.len() > MAX_NAMED {
        let places: Vec<(CellKey, bool)> =
            shapes.iter().map(|(c, s)| (place(measure, c), !of(s).is_empty())).collect();
        named.push(format!("in all: {}", wording::parts(data, &level_subsets(data, &places))));
    }
    let (id, verb, try_next) = match kind {
        Kind::CollapseAbove => (
            "collapse",
            "collapses above a size",
            "look at what a long burst fills: adapter memory, the bus, a switch's queue; a slower link mode may cure it",
        ),
        Kind::CollapseBelow => (
            "collapse",
            "collapses below a size",
            "look at what each message waits for: interrupt moderation, polling",
        ),
        Kind::Fall => ("fall", "falls above a size", "look at caches, copies and buffers at that size"),
        Kind::Dip => (
            "dip",
            "dips",
            "measure more sizes around it; look at segment limits and delayed acknowledgements",
        ),
    };
    let text = format!(
        "{} {verb} {}: {}",
        wording::probes(data, &[measure]),
        wording::in_combinations(broken.len(), shapes.len()),
        named.join("; ")
    );
    let curves: Vec<&Curve> = broken.iter().map(|(c, _)| *c).collect();
    let evidence = broken.iter().flat_map(|(c, found)| {
        let at = wording::place(data, &place(measure, c));
        found.iter().map(move |b| {
            format!(
                "{at}: {} at {}, {} lost ({} to {})",
                wording::amount(data, measure, b.rate),
                wording::size(b.deepest),
                wording::percent(b.depth),
                wording::percent(b.depth_interval.0),
                wording::percent(b.depth_interval.1)
            )
        })
    });
    let draft = ConclusionDraft::new(id, text).try_this(try_next);
    Some(
        ConclusionDraft {
            severity: if kind == Kind::Dip { Severity::Note } else { Severity::Warning },
            evidence: evidence.collect(),
            rows: rows(data, measure, &curves),
            sure: sure(&curves),
            ..draft
        }
        .done(),
    )
}

fn collapse_text(data: &DataSet, measure: usize, breach: &Breach) -> String {
    let (good, bad) = breach.edge;
    let lost = format!(
        "(down to {} at {}, {} lost)",
        wording::amount(data, measure, breach.rate),
        wording::size(breach.deepest),
        wording::percent(breach.depth)
    );
    match breach.kind {
        Kind::CollapseBelow => {
            format!("up to {} {lost}, good from {} on", wording::size(good), wording::size(bad))
        }
        Kind::Dip => {
            format!("from {} to {} {lost}", wording::size(breach.sizes.0), wording::size(breach.sizes.1))
        }
        _ => format!("between {} and {} {lost}", wording::size(good), wording::size(bad)),
    }
}

fn unbroken(data: &DataSet, measure: usize, shapes: &[(&Curve, Shape)]) -> Option<Conclusion> {
    let whole: Vec<(&Curve, f64)> = shapes
        .iter()
        .filter_map(|(c, s)| match s {
            Shape::Seen { breaches, visible, .. } if breaches.is_empty() => Some((*c, *visible)),
            _ => None,
        })
        .collect();
    let visible = whole.iter().map(|(_, v)| *v).fold(0.0, f64::max);
    if whole.is_empty() {
        return None;
    }
    let at = if whole.len() == shapes.len() {
        String::new()
    } else {
        let seen = |c: &Curve| whole.iter().any(|(w, _)| w.levels == c.levels);
        let places: Vec<(CellKey, bool)> = shapes.iter().map(|(c, _)| (place(measure, c), seen(c))).collect();
        format!(" ({})", wording::parts(data, &level_subsets(data, &places)))
    };
    let text = format!(
        "{} neither dips nor collapses over its sizes {}{at}; a loss of {} would have been seen",
        wording::probes(data, &[measure]),
        wording::in_combinations(whole.len(), shapes.len()),
        wording::percent(visible)
    );
    let curves: Vec<&Curve> = whole.iter().map(|(c, _)| *c).collect();
    let draft = ConclusionDraft::new("no-collapse", text);
    Some(ConclusionDraft { rows: rows(data, measure, &curves), sure: sure(&curves), ..draft }.done())
}

fn saturations(data: &DataSet, measure: usize, all: &[Curve]) -> Option<Conclusion> {
    let mut random = SplitMix64::new(SEED);
    let found: Vec<(&Curve, Saturation)> = all.iter().map(|c| (c, saturation(c, &mut random))).collect();
    let reached: Vec<(&Curve, u64, (u64, u64))> = found
        .iter()
        .filter_map(|(c, s)| match s {
            Saturation::Reached { at, least, most } => Some((*c, *at, (*least, *most))),
            _ => None,
        })
        .collect();
    if reached.is_empty() {
        return None;
    }
    let said = |(curve, at, (least, most)): &(&Curve, u64, (u64, u64))| {
        let here = wording::place(data, &place(measure, curve));
        let here = if here.is_empty() { here } else { format!("{here}: ") };
        let between = if least == most {
            String::new()
        } else {
            format!(", surely between {} and {}", wording::size(*least), wording::size(*most))
        };
        format!("{here}{}{between}", wording::size(*at))
    };
    let named: Vec<String> = reached.iter().take(MAX_NAMED).map(said).collect();
    let more = reached.len().saturating_sub(MAX_NAMED);
    let rest = if more > 0 { format!("; and {more} more") } else { String::new() };
    let (low, high) = wording::min_and_max(reached.iter().map(|r| r.1 as f64));
    let text = format!(
        "{} saturates {}, from {} on: {}{rest}",
        wording::probes(data, &[measure]),
        wording::in_combinations(reached.len(), all.len()),
        if low == high {
            wording::size(low as u64)
        } else {
            format!("{} to {}", wording::size(low as u64), wording::size(high as u64))
        },
        named.join("; ")
    );
    let curves: Vec<&Curve> = reached.iter().map(|r| r.0).collect();
    let draft = ConclusionDraft::new("saturates", text)
        .try_this("larger sizes gain nothing; what limits there is not the cost of a message");
    let sure =
        "no later size has over 5 % more; between which sizes by 95 % of resampled repeats".to_string();
    Some(ConclusionDraft { rows: rows(data, measure, &curves), sure, ..draft }.done())
}

#[cfg(test)]
mod tests {
    use super::*;
    use goodput_model::experiment::data::{Axis, MeasureHead, Row};

    fn over_sizes(rate: impl Fn(&str, f64) -> f64) -> DataSet {
        let mut rows = Vec::new();
        for nic in ["good", "bad"] {
            for block in 1..=6u32 {
                for power in 6..=18 {
                    let size = 1u64 << power;
                    let noise = 1.0 + 0.002 * f64::from((block * 7 + power) % 5);
                    let levels = [("nic".to_string(), nic.to_string())].into();
                    let value = Observed::Value(rate(nic, size as f64) * noise);
                    let evidence = format!("trial {}", rows.len());
                    rows.push(Row {
                        levels,
                        measure: 0,
                        size_bytes: Some(size),
                        value,
                        block,
                        order: None,
                        evidence,
                    });
                }
            }
        }
        let factors =
            vec![Axis { name: "nic".into(), levels: vec!["good".into(), "bad".into()], numbers: vec![] }];
        let head = MeasureHead {
            probe: "sweep".into(),
            figure: "goodput_bps".into(),
            unit: "bit/s".into(),
            better: Better::Higher,
            over_size: true,
        };
        DataSet { factors, measures: vec![head], rows, ..DataSet::default() }
    }

    fn linear(size: f64) -> f64 {
        8.0 * size / (100e-6 + 8.0 * size / 80e6)
    }

    fn texts(data: &DataSet, id: &str) -> Vec<String> {
        curves(data).into_iter().filter(|c| c.finding.id == id).map(|c| c.finding.text.to_string()).collect()
    }

    #[test]
    fn a_collapse_is_placed_and_measured() {
        let collapsed =
            over_sizes(|nic, size| if nic == "bad" && size > 4096.0 { 3e6 } else { linear(size) });
        let found = texts(&collapsed, "collapse");
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(
            found[0].starts_with("sweep collapses above a size in 1 of 2 combinations: bad between 4 KiB and 8 KiB (down to 3.0"),
            "{}",
            found[0]
        );
        assert!(texts(&collapsed, "no-collapse")[0].contains("in 1 of 2 combinations (good)"));
    }

    #[test]
    fn without_a_collapse_none_is_said() {
        let clean = over_sizes(|_, size| linear(size));
        assert!(texts(&clean, "collapse").is_empty());
        assert!(
            texts(&clean, "no-collapse")[0].contains("in all 2 of 2 combinations"),
            "{:?}",
            curves(&clean)
        );
        assert!(texts(&clean, "saturates")[0].starts_with("sweep saturates in all 2 of 2 combinations"));
    }
}
