//! Statements about curves over a size: where one dips or collapses, and where it saturates.
//! [`crate::experiment::curve_shape`] computes them.

use super::cells::CellKey;
use super::{ConclusionDraft, wording};
use crate::experiment::curve_shape::{
    CurveShape, MonotonicityViolation, MonotonicityViolationKind, analyze_curve_shape, find_saturation,
};
use crate::experiment::curves::{SizeCurve, build_size_curves as curves_of};
use crate::random::SplitMix64;
use goodput_model::experiment::BetterDirection;
use goodput_model::experiment::conclusion::Conclusion;
use goodput_model::experiment::data_set::{DataSet, ObservedValue};
use goodput_model::summary::SaturationPoint;
use goodput_model::{Message, MessageArg, Severity};
use goodput_words::message;

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
        for kind in [
            MonotonicityViolationKind::CollapseAbove,
            MonotonicityViolationKind::CollapseBelow,
            MonotonicityViolationKind::Fall,
            MonotonicityViolationKind::Dip,
        ] {
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

fn sure(curves: &[&SizeCurve]) -> Message {
    let repeats = curves.iter().flat_map(|c| &c.points).map(|p| p.by_block.len()).min().unwrap_or(0);
    match repeats >= 2 {
        true => message!(sure_beyond_the_noise),
        false => message!(sure_beyond_the_noise_neighbours),
    }
}

fn breaches(
    data: &DataSet,
    measure: usize,
    shapes: &[(&SizeCurve, CurveShape)],
    kind: MonotonicityViolationKind,
) -> Option<Conclusion> {
    let of = |shape: &CurveShape| match shape {
        CurveShape::Seen { breaches, .. } => {
            breaches.iter().filter(|b| b.kind == kind).cloned().collect::<Vec<MonotonicityViolation>>()
        }
        CurveShape::CannotTell { .. } => Vec::new(),
    };
    let broken: Vec<(&SizeCurve, Vec<MonotonicityViolation>)> =
        shapes.iter().map(|(c, s)| (*c, of(s))).filter(|(_, b)| !b.is_empty()).collect();
    if broken.is_empty() {
        return None;
    }
    let said = |(curve, found): &(&SizeCurve, Vec<MonotonicityViolation>)| {
        let range = wording::join_with_and(found.iter().map(|b| collapse_text(data, measure, b)));
        match wording::combination_arg(data, &place(measure, curve)) {
            Some(place) => message!(clause_place_range { place, range }).into(),
            None => range,
        }
    };
    let mut named: Vec<MessageArg> = broken.iter().take(MAX_NAMED).map(said).collect();
    if broken.len() > MAX_NAMED {
        let places: Vec<(CellKey, bool)> =
            shapes.iter().map(|(c, s)| (place(measure, c), !of(s).is_empty())).collect();
        let places = wording::level_subsets_arg(data, &places).unwrap_or_default();
        named.push(message!(clause_in_all_these { places }).into());
    }
    let what = wording::metric_names_arg(data, &[measure]);
    let combinations = wording::combination_count_message(broken.len(), shapes.len());
    let details = wording::join_with_semicolons(named)?;
    let (id, text, try_next) = match kind {
        MonotonicityViolationKind::CollapseAbove => (
            "collapse",
            message!(rule_collapse_above { what, combinations, details }),
            message!(rule_collapse_try),
        ),
        MonotonicityViolationKind::CollapseBelow => (
            "collapse",
            message!(rule_collapse_below { what, combinations, details }),
            message!(rule_collapse_try_below),
        ),
        MonotonicityViolationKind::Fall => {
            ("fall", message!(rule_fall_text { what, combinations, details }), message!(rule_fall_try))
        }
        MonotonicityViolationKind::Dip => {
            ("dip", message!(rule_dip_text { what, combinations, details }), message!(rule_dip_try))
        }
    };
    let curves: Vec<&SizeCurve> = broken.iter().map(|(c, _)| *c).collect();
    let evidence = broken.iter().flat_map(|(c, found)| {
        let place = wording::combination_arg(data, &place(measure, c)).unwrap_or_default();
        found.iter().map(move |b| {
            message!(report_lost_at_size {
                place: place.clone(),
                rate: wording::measured_value_arg(data, measure, b.rate),
                size: wording::byte_size_arg(b.deepest),
                share: wording::share_as_percent_arg(b.depth),
                least: wording::share_as_percent_arg(b.depth_interval.0),
                most: wording::share_as_percent_arg(b.depth_interval.1),
            })
        })
    });
    let draft = ConclusionDraft::new(id, text).try_this(try_next);
    Some(
        ConclusionDraft {
            severity: if kind == MonotonicityViolationKind::Dip { Severity::Note } else { Severity::Warning },
            evidence: evidence.collect(),
            rows: rows(data, measure, &curves),
            sure: sure(&curves),
            ..draft
        }
        .done(),
    )
}

fn collapse_text(data: &DataSet, measure: usize, breach: &MonotonicityViolation) -> Message {
    let (from, to) = if breach.kind == MonotonicityViolationKind::Dip { breach.sizes } else { breach.edge };
    let (from, to) = (wording::byte_size_arg(from), wording::byte_size_arg(to));
    let rate = wording::measured_value_arg(data, measure, breach.rate);
    let (size, share) = (wording::byte_size_arg(breach.deepest), wording::share_as_percent_arg(breach.depth));
    match breach.kind {
        MonotonicityViolationKind::CollapseBelow => {
            message!(clause_breach_up_to { to: from, rate, size, share, good: to })
        }
        MonotonicityViolationKind::Dip => message!(clause_breach_from_to { from, to, rate, size, share }),
        _ => message!(clause_breach_between { from, to, rate, size, share }),
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
        None
    } else {
        let seen = |c: &SizeCurve| whole.iter().any(|(w, _)| w.levels == c.levels);
        let places: Vec<(CellKey, bool)> = shapes.iter().map(|(c, _)| (place(measure, c), seen(c))).collect();
        wording::level_subsets_arg(data, &places)
    };
    let text = message!(rule_no_collapse_text {
        what: wording::metric_names_arg(data, &[measure]),
        combinations: wording::combination_count_message_with_names(whole.len(), shapes.len(), at),
        share: wording::share_as_percent_arg(visible),
    });
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
        let (size, least, most) =
            (wording::byte_size_arg(*at), wording::byte_size_arg(*least), wording::byte_size_arg(*most));
        let details =
            if least == most { size } else { message!(rule_saturates_interval { size, least, most }).into() };
        match wording::combination_arg(data, &place(measure, curve)) {
            Some(place) => message!(clause_at_place { place, details }).into(),
            None => details,
        }
    };
    let n = reached.len().saturating_sub(MAX_NAMED);
    let more = (n > 0).then(|| message!(clause_so_many_more { n }).into());
    let details = wording::join_with_semicolons(reached.iter().take(MAX_NAMED).map(said).chain(more))?;
    let (low, high) = wording::min_and_max(reached.iter().map(|r| r.1 as f64));
    let text = message!(rule_saturates_text {
        what: wording::metric_names_arg(data, &[measure]),
        combinations: wording::combination_count_message(reached.len(), all.len()),
        from: wording::range_arg(wording::byte_size_arg(low as u64), wording::byte_size_arg(high as u64)),
        details,
    });
    let curves: Vec<&SizeCurve> = reached.iter().map(|r| r.0).collect();
    let draft = ConclusionDraft::new("saturates", text).try_this(message!(rule_saturates_try));
    let sure = message!(sure_no_later_size);
    Some(ConclusionDraft { rows: rows(data, measure, &curves), sure, ..draft }.done())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::test_data::{empty_data_set, measured_row};
    use goodput_model::experiment::data_set::DataRow;

    fn over_sizes(rate: impl Fn(&str, f64) -> f64) -> DataSet {
        let mut set = empty_data_set(&[("nic", &["good", "bad"])]);
        set.measures[0].probe = "sweep".into();
        set.measures[0].over_size = true;
        for nic in ["good", "bad"] {
            for block in 1..=6u32 {
                for power in 6..=18 {
                    let size = 1u64 << power;
                    let noise = 1.0 + 0.002 * f64::from((block * 7 + power) % 5);
                    let row = measured_row(&[("nic", nic)], block, rate(nic, size as f64) * noise);
                    set.rows.push(DataRow { size_bytes: Some(size), ..row });
                }
            }
        }
        set
    }

    fn linear(size: f64) -> f64 {
        8.0 * size / (100e-6 + 8.0 * size / 80e6)
    }

    fn texts(data: &DataSet, id: &str) -> Vec<String> {
        let found = curve_shape_conclusions(data).into_iter().filter(|c| c.finding.id == id);
        found.map(|c| c.finding.text.to_string()).collect()
    }

    #[test]
    fn a_collapse_is_placed_and_measured() {
        let collapsed =
            over_sizes(|nic, size| if nic == "bad" && size > 4096.0 { 3e6 } else { linear(size) });
        let found = texts(&collapsed, "collapse");
        let above =
            "sweep collapses above a certain size in 1 of 2 combinations: bad between 4 KiB and 8 KiB";
        assert!(found.len() == 1 && found[0].starts_with(&format!("{above} (down to 3.0")), "{found:?}");
        assert!(texts(&collapsed, "no-collapse")[0].contains("in 1 of 2 combinations (good)"));
    }

    #[test]
    fn without_a_collapse_none_is_said() {
        let clean = over_sizes(|_, size| linear(size));
        assert!(texts(&clean, "collapse").is_empty());
        assert!(texts(&clean, "no-collapse")[0].contains("in all 2 of 2 combinations"));
        assert!(texts(&clean, "saturates")[0].starts_with("sweep saturates in all 2 of 2 combinations"));
    }
}
