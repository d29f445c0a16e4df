//! Statements about curves over a size: where one dips or collapses, and where it saturates.
//! [`crate::experiment::curve_shape`] computes them.

use super::cells::CellKey;
use super::level_subsets::find_level_subsets;
use super::{ConclusionDraft, wording};
use crate::experiment::curve_shape::{
    BreachKind, CurveShape, MonotonicityBreach, analyze_curve_shape, find_saturation,
};
use crate::experiment::curves::{SizeCurve, curves_of_measure as curves_of};
use crate::random::SplitMix64;
use goodput_model::Severity;
use goodput_model::experiment::BetterDirection;
use goodput_model::experiment::conclusion::Conclusion;
use goodput_model::experiment::data_set::{DataSet, ObservedValue};
use goodput_model::summary::SaturationPoint;

const MAX_NAMED: usize = 4;
/// Fixed, so that the same data gives the same sentences.
const SEED: u64 = 1;

/// For each rate over sizes: breaches of its curves by kind, and where they saturate.
pub(super) fn curve_shape_conclusions(data: &DataSet) -> Vec<Conclusion> {
    let mut found = Vec::new();
    for (measure, head) in data.measures.iter().enumerate() {
        if !head.over_size || head.unit != "bit/s" || head.better != BetterDirection::Higher {
            continue;
        }
        let all = curves_of(data, measure);
        if all.is_empty() {
            continue;
        }
        let shapes: Vec<(&SizeCurve, CurveShape)> = all.iter().map(|c| (c, analyze_curve_shape(c))).collect();
        for kind in [BreachKind::CollapseAbove, BreachKind::CollapseBelow, BreachKind::Fall, BreachKind::Dip]
        {
            found.extend(breaches(data, measure, &shapes, kind));
        }
        found.extend(unbroken(data, measure, &shapes));
        found.extend(saturations(data, measure, &all));
    }
    found
}

fn place(measure: usize, curve: &SizeCurve) -> CellKey {
    CellKey { measure, size: None, levels: curve.levels.clone() }
}

fn rows(data: &DataSet, measure: usize, curves: &[&SizeCurve]) -> Vec<usize> {
    let belongs = |row: &goodput_model::experiment::data_set::DataRow| {
        row.measure == measure
            && matches!(row.value, ObservedValue::Value(_))
            && curves.iter().any(|c| c.levels == row.levels)
    };
    (0..data.rows.len()).filter(|r| belongs(&data.rows[*r])).collect()
}

fn sure(curves: &[&SizeCurve]) -> String {
    let repeats = curves.iter().flat_map(|c| &c.points).map(|p| p.by_block.len()).min().unwrap_or(0);
    let noise = if repeats >= 2 {
        "larger than the noise, estimated from the repeats of each point and corrected for all pairs of sizes"
    } else {
        "larger than the noise, estimated from neighbouring points because there are no repeats, and corrected \
         for all pairs of sizes"
    };
    noise.to_string()
}

fn breaches(
    data: &DataSet,
    measure: usize,
    shapes: &[(&SizeCurve, CurveShape)],
    kind: BreachKind,
) -> Option<Conclusion> {
    let of = |shape: &CurveShape| match shape {
        CurveShape::Seen { breaches, .. } => {
            breaches.iter().filter(|b| b.kind == kind).cloned().collect::<Vec<MonotonicityBreach>>()
        }
        CurveShape::CannotTell { .. } => Vec::new(),
    };
    let broken: Vec<(&SizeCurve, Vec<MonotonicityBreach>)> =
        shapes.iter().map(|(c, s)| (*c, of(s))).filter(|(_, b)| !b.is_empty()).collect();
    if broken.is_empty() {
        return None;
    }
    let said = |(curve, found): &(&SizeCurve, Vec<MonotonicityBreach>)| {
        let each: Vec<String> = found.iter().map(|b| collapse_text(data, measure, b)).collect();
        let at = wording::format_combination(data, &place(measure, curve));
        if at.is_empty() { each.join(" and ") } else { format!("{at} {}", each.join(" and ")) }
    };
    let mut named: Vec<String> = broken.iter().take(MAX_NAMED).map(said).collect();
    if broken.len() > MAX_NAMED {
        let places: Vec<(CellKey, bool)> =
            shapes.iter().map(|(c, s)| (place(measure, c), !of(s).is_empty())).collect();
        named.push(format!(
            "in all of: {}",
            wording::format_level_subsets(data, &find_level_subsets(data, &places))
        ));
    }
    let (id, verb, try_next) = match kind {
        BreachKind::CollapseAbove => (
            "collapse",
            "collapses above a certain size",
            "check what a long burst fills: adapter memory, bus, switch queue; a slower link mode may help",
        ),
        BreachKind::CollapseBelow => (
            "collapse",
            "collapses below a certain size",
            "check what delays each message: interrupt moderation or polling",
        ),
        BreachKind::Fall => {
            ("fall", "decreases above a certain size", "check caches, copies and buffers of that size")
        }
        BreachKind::Dip => (
            "dip",
            "dips at some sizes",
            "measure more sizes around the dip; check segment limits and delayed acknowledgements",
        ),
    };
    let text = format!(
        "{} {verb} {}: {}",
        wording::format_probe_lines(data, &[measure]),
        wording::format_combination_count(broken.len(), shapes.len()),
        named.join("; ")
    );
    let curves: Vec<&SizeCurve> = broken.iter().map(|(c, _)| *c).collect();
    let evidence = broken.iter().flat_map(|(c, found)| {
        let at = wording::format_combination(data, &place(measure, c));
        found.iter().map(move |b| {
            format!(
                "{at}: {} at {}, {} lower ({} to {})",
                wording::format_measured_value(data, measure, b.rate),
                wording::format_size(b.deepest),
                wording::format_percent(b.depth),
                wording::format_percent(b.depth_interval.0),
                wording::format_percent(b.depth_interval.1)
            )
        })
    });
    let draft = ConclusionDraft::new(id, text).try_this(try_next);
    Some(
        ConclusionDraft {
            severity: if kind == BreachKind::Dip { Severity::Note } else { Severity::Warning },
            evidence: evidence.collect(),
            rows: rows(data, measure, &curves),
            sure: sure(&curves),
            ..draft
        }
        .done(),
    )
}

fn collapse_text(data: &DataSet, measure: usize, breach: &MonotonicityBreach) -> String {
    let (good, bad) = breach.edge;
    let lost = format!(
        "(down to {} at {}, {} lower)",
        wording::format_measured_value(data, measure, breach.rate),
        wording::format_size(breach.deepest),
        wording::format_percent(breach.depth)
    );
    match breach.kind {
        BreachKind::CollapseBelow => {
            format!(
                "up to {} {lost}, normal from {} upwards",
                wording::format_size(good),
                wording::format_size(bad)
            )
        }
        BreachKind::Dip => {
            format!(
                "from {} to {} {lost}",
                wording::format_size(breach.sizes.0),
                wording::format_size(breach.sizes.1)
            )
        }
        _ => format!("between {} and {} {lost}", wording::format_size(good), wording::format_size(bad)),
    }
}

fn unbroken(data: &DataSet, measure: usize, shapes: &[(&SizeCurve, CurveShape)]) -> Option<Conclusion> {
    let whole: Vec<(&SizeCurve, f64)> = shapes
        .iter()
        .filter_map(|(c, s)| match s {
            CurveShape::Seen { breaches, visible, .. } if breaches.is_empty() => Some((*c, *visible)),
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
        let seen = |c: &SizeCurve| whole.iter().any(|(w, _)| w.levels == c.levels);
        let places: Vec<(CellKey, bool)> = shapes.iter().map(|(c, _)| (place(measure, c), seen(c))).collect();
        format!(" ({})", wording::format_level_subsets(data, &find_level_subsets(data, &places)))
    };
    let text = format!(
        "{} neither dips nor collapses over its sizes {}{at}; a drop of {} would have been detected",
        wording::format_probe_lines(data, &[measure]),
        wording::format_combination_count(whole.len(), shapes.len()),
        wording::format_percent(visible)
    );
    let curves: Vec<&SizeCurve> = whole.iter().map(|(c, _)| *c).collect();
    let draft = ConclusionDraft::new("no-collapse", text);
    Some(ConclusionDraft { rows: rows(data, measure, &curves), sure: sure(&curves), ..draft }.done())
}

fn saturations(data: &DataSet, measure: usize, all: &[SizeCurve]) -> Option<Conclusion> {
    let mut random = SplitMix64::new(SEED);
    let found: Vec<(&SizeCurve, SaturationPoint)> =
        all.iter().map(|c| (c, find_saturation(c, &mut random))).collect();
    let reached: Vec<(&SizeCurve, u64, (u64, u64))> = found
        .iter()
        .filter_map(|(c, s)| match s {
            SaturationPoint::Reached { at, least, most } => Some((*c, *at, (*least, *most))),
            _ => None,
        })
        .collect();
    if reached.is_empty() {
        return None;
    }
    let said = |(curve, at, (least, most)): &(&SizeCurve, u64, (u64, u64))| {
        let here = wording::format_combination(data, &place(measure, curve));
        let here = if here.is_empty() { here } else { format!("{here}: ") };
        let between = if least == most {
            String::new()
        } else {
            format!(
                ", 95 % confidence interval {} to {}",
                wording::format_size(*least),
                wording::format_size(*most)
            )
        };
        format!("{here}{}{between}", wording::format_size(*at))
    };
    let named: Vec<String> = reached.iter().take(MAX_NAMED).map(said).collect();
    let more = reached.len().saturating_sub(MAX_NAMED);
    let rest = if more > 0 { format!("; and {more} more") } else { String::new() };
    let (low, high) = wording::min_and_max(reached.iter().map(|r| r.1 as f64));
    let text = format!(
        "{} saturates {}, from {} upwards: {}{rest}",
        wording::format_probe_lines(data, &[measure]),
        wording::format_combination_count(reached.len(), all.len()),
        if low == high {
            wording::format_size(low as u64)
        } else {
            format!("{} to {}", wording::format_size(low as u64), wording::format_size(high as u64))
        },
        named.join("; ")
    );
    let curves: Vec<&SizeCurve> = reached.iter().map(|r| r.0).collect();
    let draft = ConclusionDraft::new("saturates", text)
        .try_this("larger sizes do not increase the rate; the cost per message is not the limit there");
    let sure = "no larger size gives over 5 % more; 95 % bootstrap interval of the size, from resampled \
         repeats"
        .to_string();
    Some(ConclusionDraft { rows: rows(data, measure, &curves), sure, ..draft }.done())
}

#[cfg(test)]
mod tests {
    use super::*;
    use goodput_model::experiment::data_set::{DataRow, FactorAxis, MeasureHeader};

    fn over_sizes(rate: impl Fn(&str, f64) -> f64) -> DataSet {
        let mut rows = Vec::new();
        for nic in ["good", "bad"] {
            for block in 1..=6u32 {
                for power in 6..=18 {
                    let size = 1u64 << power;
                    let noise = 1.0 + 0.002 * f64::from((block * 7 + power) % 5);
                    let levels = [("nic".to_string(), nic.to_string())].into();
                    let value = ObservedValue::Value(rate(nic, size as f64) * noise);
                    let evidence = format!("trial {}", rows.len());
                    rows.push(DataRow {
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
        let factors = vec![FactorAxis {
            name: "nic".into(),
            levels: vec!["good".into(), "bad".into()],
            numbers: vec![],
        }];
        let head = MeasureHeader {
            probe: "sweep".into(),
            figure: "goodput_bps".into(),
            unit: "bit/s".into(),
            better: BetterDirection::Higher,
            over_size: true,
        };
        DataSet { factors, measures: vec![head], rows, ..DataSet::default() }
    }

    fn linear(size: f64) -> f64 {
        8.0 * size / (100e-6 + 8.0 * size / 80e6)
    }

    fn texts(data: &DataSet, id: &str) -> Vec<String> {
        curve_shape_conclusions(data)
            .into_iter()
            .filter(|c| c.finding.id == id)
            .map(|c| c.finding.text.to_string())
            .collect()
    }

    #[test]
    fn a_collapse_is_placed_and_measured() {
        let collapsed =
            over_sizes(|nic, size| if nic == "bad" && size > 4096.0 { 3e6 } else { linear(size) });
        let found = texts(&collapsed, "collapse");
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(
            found[0].starts_with("sweep collapses above a certain size in 1 of 2 combinations: bad between 4 KiB and 8 KiB (down to 3.0"),
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
            curve_shape_conclusions(&clean)
        );
        assert!(texts(&clean, "saturates")[0].starts_with("sweep saturates in all 2 of 2 combinations"));
    }
}
