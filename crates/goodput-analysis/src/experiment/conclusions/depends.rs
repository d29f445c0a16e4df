//! Does the metric depend on a factor, and for a numeric factor up to which level? Each combination of the
//! others gives a curve over its levels, *flat* if all its values are within [`MAX_NEGLIGIBLE_CHANGE`].

use super::cells::{CellKey, LevelGroup, MeasuredCell, group_by_factor, select_cells};
use super::contrast::{ContrastResult, compare_two_cells};
use super::{ConclusionDraft, LevelFilter, MAX_NEGLIGIBLE_CHANGE, wording};
use goodput_model::experiment::conclusion::{Conclusion, ConclusionAnswer};
use goodput_model::experiment::data_set::DataSet;
use goodput_model::{Message, MessageArg};
use goodput_words::message;

/// A smaller step down does not end a rise.
const STEP: f64 = 0.05;

#[derive(Debug, Clone, Copy, PartialEq)]
enum CurveTrend {
    /// All within [`MAX_NEGLIGIBLE_CHANGE`].
    Flat,
    /// Numeric: rises from the first to the last without a significant step down.
    Rises,
    /// Numeric: falls from the first to the last without a significant step up.
    Falls,
    Varies,
    /// More than [`MAX_NEGLIGIBLE_CHANGE`] apart, but not significantly.
    Unclear,
}

struct Curve {
    place: CellKey,
    /// In numeric order where possible, else in that of the table.
    cells: Vec<(usize, MeasuredCell)>,
    look: CurveTrend,
    ratio: f64,
    /// Index into `cells` from which on it is flat; the last one where only that is left.
    flat_from: usize,
}

pub(super) fn answer_dependence_question(
    data: &DataSet,
    measures: &[usize],
    on: &str,
    only: &LevelFilter,
) -> Conclusion {
    let found = group_by_factor(data, &select_cells(data, measures, only), on);
    if found.is_empty() {
        let what = if measures.is_empty() {
            message!(rule_depends_the_values).into()
        } else {
            wording::metric_names_arg(data, measures)
        };
        let text = message!(rule_depends_no_pairs {
            what,
            lines: measures.len(),
            factor: wording::append_filter_condition(data, on, only),
        });
        return ConclusionDraft::unknown("depends", text, message!(rule_depends_try_measure { factor: on }))
            .done();
    }
    statement(data, measures, on, only, found).done()
}

/// For each factor: what its effect depends on. Factors without comparable levels are skipped.
pub(super) fn dependence_conclusions(data: &DataSet) -> Vec<Conclusion> {
    let measures = super::measures_like_first(data);
    let none = LevelFilter::new();
    let all = select_cells(data, &measures, &none);
    let each = data.factors.iter().filter_map(|axis| {
        let found = group_by_factor(data, &all, &axis.name);
        (!found.is_empty()).then(|| statement(data, &measures, &axis.name, &none, found).done())
    });
    each.collect()
}

fn statement(
    data: &DataSet,
    measures: &[usize],
    on: &str,
    only: &LevelFilter,
    found: Vec<LevelGroup>,
) -> ConclusionDraft {
    let comparisons = found.len();
    let curves: Vec<Curve> = found.into_iter().map(|group| curve(data, on, group, comparisons)).collect();
    let count = |look: fn(CurveTrend) -> bool| curves.iter().filter(|c| look(c.look)).count();
    let (flat, unclear) = (count(|l| l == CurveTrend::Flat), count(|l| l == CurveTrend::Unclear));
    let draft = match (flat, unclear, curves.len() - flat - unclear) {
        (_, 0, 0) => independent(data, measures, on, only, &curves),
        (_, _, 0) => untold(data, measures, on, only, &curves),
        (0, 0, _) => dependent(data, measures, on, only, &curves),
        _ => mixed(data, measures, on, only, &curves),
    };
    draft.on(curves.iter().flat_map(|c| c.cells.iter().map(|(_, cell)| cell)), comparisons)
}

fn curve(data: &DataSet, on: &str, group: LevelGroup, comparisons: usize) -> Curve {
    let numbers =
        data.factors.iter().find(|a| a.name == on).map(|a| a.numbers.as_slice()).unwrap_or_default();
    let mut cells = group.cells;
    if !numbers.is_empty() {
        let number = |level: usize| numbers.get(level).copied().unwrap_or(f64::INFINITY);
        cells.sort_by(|a, b| number(a.0).total_cmp(&number(b.0)));
    }
    let values: Vec<f64> = cells.iter().map(|(_, c)| c.median_value()).collect();
    let ratio = spread(&values);
    let look = if ratio <= 1.0 + MAX_NEGLIGIBLE_CHANGE {
        CurveTrend::Flat
    } else if even_at_the_ends(data, &cells, comparisons) {
        CurveTrend::Unclear
    } else if !numbers.is_empty()
        && steps(&values, |a, b| b >= a * (1.0 - STEP))
        && last_over_first(&values) > 1.0
    {
        CurveTrend::Rises
    } else if !numbers.is_empty()
        && steps(&values, |a, b| b <= a * (1.0 + STEP))
        && last_over_first(&values) < 1.0
    {
        CurveTrend::Falls
    } else {
        CurveTrend::Varies
    };
    let flat_from = (0..values.len()).find(|from| spread(&values[*from..]) <= 1.0 + MAX_NEGLIGIBLE_CHANGE);
    Curve {
        place: group.place,
        look,
        ratio,
        flat_from: flat_from.unwrap_or(values.len().saturating_sub(1)),
        cells,
    }
}

/// Largest over smallest; infinite where only the smallest is 0.
fn spread(values: &[f64]) -> f64 {
    let (low, high) = wording::min_and_max(values.iter().copied());
    if high == low { 1.0 } else { high / low.max(0.0) }
}

fn steps(values: &[f64], holds: impl Fn(f64, f64) -> bool) -> bool {
    values.windows(2).all(|pair| holds(pair[0], pair[1]))
}

fn last_over_first(values: &[f64]) -> f64 {
    match values {
        [first, .., last] => last / first,
        _ => 1.0,
    }
}

/// Whether the best level does not differ significantly from the worst.
fn even_at_the_ends(data: &DataSet, cells: &[(usize, MeasuredCell)], comparisons: usize) -> bool {
    let by_value = |a: &&(usize, MeasuredCell), b: &&(usize, MeasuredCell)| {
        a.1.median_value().total_cmp(&b.1.median_value())
    };
    let ends = cells.iter().max_by(by_value).zip(cells.iter().min_by(by_value));
    let better = |cell: &MeasuredCell| data.measures.get(cell.place.measure).map(|m| m.better);
    // Any two levels might have been the extremes.
    let pairs = comparisons * cells.len() * cells.len().saturating_sub(1) / 2;
    let told = ends.and_then(|((_, most), (_, least))| compare_two_cells(most, least, better(most)?, pairs));
    told.is_some_and(|c| matches!(c.told, ContrastResult::Even | ContrastResult::Open))
}

fn independent(
    data: &DataSet,
    measures: &[usize],
    on: &str,
    only: &LevelFilter,
    curves: &[Curve],
) -> ConclusionDraft {
    let worst = worst(curves);
    let all = || curves.iter().flat_map(|c| c.cells.iter().map(|(_, cell)| cell));
    let (what, lines) = (wording::metric_names_arg(data, measures), measures.len());
    let factor = wording::append_filter_condition(data, on, only);
    let share = wording::share_as_percent_arg(worst.map_or(0.0, |w| w.ratio - 1.0));
    let combinations = wording::combination_count_message(curves.len(), curves.len());
    let span = wording::measured_value_range_arg(data, all());
    let text = match from_level(data, on, curves, |_| 0) {
        Some(level) => {
            message!(rule_depends_flat_from { what, lines, factor, level, share, combinations, span })
        }
        None => message!(rule_depends_flat { what, lines, factor, share, combinations, span }),
    };
    let ends = worst.into_iter().flat_map(ends);
    ConclusionDraft::new("depends", text)
        .says(ConclusionAnswer::No)
        .showing(data, ends)
        .try_this(message!(rule_depends_try { factor: on, what: wording::metric_names_arg(data, measures) }))
}

fn dependent(
    data: &DataSet,
    measures: &[usize],
    on: &str,
    only: &LevelFilter,
    curves: &[Curve],
) -> ConclusionDraft {
    let (what, lines) = (wording::metric_names_arg(data, measures), measures.len());
    let factor = wording::append_filter_condition(data, on, only);
    let combinations = wording::combination_count_message(curves.len(), curves.len());
    let rises = curves.iter().filter(|c| c.look == CurveTrend::Rises).count();
    let falls = curves.iter().filter(|c| c.look == CurveTrend::Falls).count();
    let times = wording::ratio_range_message(curves.iter().map(|c| c.ratio));
    let text = if rises == curves.len() || falls == curves.len() {
        let of = |end: fn(&Curve) -> usize| same_level(data, on, curves, end);
        let (high, low) = match (rises > 0, of(|c| c.cells.len() - 1), of(|_| 0)) {
            (true, last, first) => (last, first),
            (false, last, first) => (first, last),
        };
        let (high, low) = match (high.zip(low), rises > 0) {
            (Some(ends), _) => ends,
            (None, true) => (message!(rule_depends_highest).into(), message!(rule_depends_lowest).into()),
            (None, false) => (message!(rule_depends_lowest).into(), message!(rule_depends_highest).into()),
        };
        let trend = if rises > 0 {
            message!(rule_depends_rises { what, lines, factor, combinations, high, times, low })
        } else {
            message!(rule_depends_falls { what, lines, factor, combinations, high, times, low })
        };
        wording::join_with_semicolons([trend].into_iter().chain(levelling(data, on, curves)))
            .unwrap_or_default()
    } else {
        message!(rule_depends_varies { what, lines, factor, combinations, times })
    };
    let most = curves.iter().max_by(|a, b| a.ratio.total_cmp(&b.ratio));
    ConclusionDraft::new("depends", text)
        .says(ConclusionAnswer::Yes)
        .showing(data, most.into_iter().flat_map(ends))
        .try_this(message!(rule_depends_try_carefully {
            factor: on,
            times: wording::ratio_message(most.map_or(1.0, |c| c.ratio)),
        }))
}

fn mixed(
    data: &DataSet,
    measures: &[usize],
    on: &str,
    only: &LevelFilter,
    curves: &[Curve],
) -> ConclusionDraft {
    let (flat, unclear) =
        (|c: &&Curve| c.look == CurveTrend::Flat, |c: &&Curve| c.look == CurveTrend::Unclear);
    let depends: Vec<&Curve> = curves.iter().filter(|c| !flat(c) && !unclear(c)).collect();
    let named = |wanted: &dyn Fn(&&Curve) -> bool| {
        let places: Vec<(CellKey, bool)> = curves.iter().map(|c| (c.place.clone(), wanted(&c))).collect();
        wording::level_subsets_arg(data, &places).unwrap_or_default()
    };
    let mut text = vec![message!(rule_depends_in_some {
        what: wording::metric_names_arg(data, measures),
        lines: measures.len(),
        factor: wording::append_filter_condition(data, on, only),
        combinations: wording::combination_count_message(depends.len(), curves.len()),
        times: wording::ratio_range_message(depends.iter().map(|c| c.ratio)),
        places: named(&|c| !flat(c) && !unclear(c)),
    })];
    let still: Vec<&Curve> = curves.iter().filter(flat).collect();
    if !still.is_empty() {
        let share = wording::share_as_percent_arg(still.iter().map(|c| c.ratio - 1.0).fold(0.0, f64::max));
        text.push(message!(rule_depends_elsewhere_flat { n: still.len(), places: named(&flat), share }));
    }
    let n = curves.iter().filter(unclear).count();
    if n > 0 {
        text.push(message!(rule_depends_elsewhere_unclear { n, places: named(&unclear) }));
    }
    let most = depends.iter().copied().max_by(|a, b| a.ratio.total_cmp(&b.ratio));
    ConclusionDraft::new("depends", wording::join_with_semicolons(text).unwrap_or_default())
        .says(ConclusionAnswer::Mixed)
        .showing(data, most.into_iter().chain(still.first().copied()).flat_map(ends))
        .try_this(message!(rule_depends_try_where { factor: on }))
}

fn untold(
    data: &DataSet,
    measures: &[usize],
    on: &str,
    only: &LevelFilter,
    curves: &[Curve],
) -> ConclusionDraft {
    let unclear: Vec<&Curve> = curves.iter().filter(|c| c.look == CurveTrend::Unclear).collect();
    let text = message!(rule_depends_unclear {
        what: wording::metric_names_arg(data, measures),
        lines: measures.len(),
        factor: wording::append_filter_condition(data, on, only),
        combinations: wording::combination_count_message(unclear.len(), curves.len()),
        times: wording::ratio_range_message(unclear.iter().map(|c| c.ratio)),
    });
    ConclusionDraft::new("depends", text)
        .says(ConclusionAnswer::Unknown)
        .try_this(message!(rule_better_try_repeats))
}

/// From which level on all curves are flat, where that is neither the first nor the last of any.
fn levelling(data: &DataSet, on: &str, curves: &[Curve]) -> Option<Message> {
    let flattens = curves.iter().all(|c| c.flat_from > 0 && c.flat_from + 1 < c.cells.len());
    let level = flattens.then(|| from_level(data, on, curves, |c| c.flat_from)).flatten()?;
    Some(message!(rule_depends_remaining_change {
        level,
        share: wording::share_as_percent_arg(rest_of(curves))
    }))
}

/// Largest remaining change of any curve from where it is flat.
fn rest_of(curves: &[Curve]) -> f64 {
    let rest =
        |c: &Curve| spread(&c.cells[c.flat_from..].iter().map(|(_, c)| c.median_value()).collect::<Vec<_>>());
    curves.iter().map(rest).fold(1.0, f64::max) - 1.0
}

/// The highest level at this place over all curves; `None` for a factor without numbers.
fn from_level(
    data: &DataSet,
    on: &str,
    curves: &[Curve],
    place: impl Fn(&Curve) -> usize,
) -> Option<MessageArg> {
    let axis = data.factors.iter().find(|a| a.name == on).filter(|a| !a.numbers.is_empty())?;
    let at = curves.iter().filter_map(|c| c.cells.get(place(c)).map(|(level, _)| *level)).max()?;
    Some(wording::level_name_arg(data, on, axis.levels.get(at)?))
}

fn same_level(data: &DataSet, on: &str, curves: &[Curve], end: fn(&Curve) -> usize) -> Option<MessageArg> {
    let axis = data.factors.iter().find(|a| a.name == on)?;
    let mut at = curves.iter().filter_map(|c| c.cells.get(end(c)).map(|(level, _)| *level));
    let first = at.next()?;
    at.all(|other| other == first).then(|| wording::level_name_arg(data, on, &axis.levels[first]))
}

fn worst(curves: &[Curve]) -> Option<&Curve> {
    curves.iter().max_by(|a, b| a.ratio.total_cmp(&b.ratio))
}

fn ends(curve: &Curve) -> Vec<&MeasuredCell> {
    let by_value = |a: &&&MeasuredCell, b: &&&MeasuredCell| a.median_value().total_cmp(&b.median_value());
    let cells: Vec<&MeasuredCell> = curve.cells.iter().map(|(_, c)| c).collect();
    cells.iter().max_by(by_value).into_iter().chain(cells.iter().min_by(by_value)).copied().collect()
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{tcp_data_set, two_probe_data_set, with_repeated_rows};
    use super::*;
    use crate::experiment::test_data::scale_values;

    fn ask(data: &DataSet, on: &str) -> (ConclusionAnswer, String) {
        let found = answer_dependence_question(data, &[0], on, &LevelFilter::new());
        (found.answer.unwrap(), found.finding.text.to_string())
    }

    fn number(cpu: &str) -> f64 {
        cpu.parse().unwrap()
    }

    #[test]
    fn what_stays_the_same_does_not_depend() {
        let found = ask(&tcp_data_set(|_, _, cpu| Some(9e6 + number(cpu) * 1e5)), "cpu");
        let told = "tcp does not depend on cpu: from cpu 1 upwards the values lie within 3.3 % of each other \
                    in all 6 of 6 combinations (9.100 to 9.400 Mbit/s)";
        assert_eq!(found, (ConclusionAnswer::No, told.to_string()));
    }

    #[test]
    fn what_follows_the_numbers_rises() {
        let found = ask(&tcp_data_set(|_, _, cpu| Some(1e6 * number(cpu))), "cpu");
        let rises =
            "tcp rises with cpu in all 6 of 6 combinations: cpu 4 gives 4.00 times the value of cpu 1";
        assert_eq!(found, (ConclusionAnswer::Yes, rises.to_string()));
        let (_, text) = ask(&tcp_data_set(|_, _, cpu| Some(1e6 / number(cpu))), "cpu");
        let falls =
            "tcp falls with cpu in all 6 of 6 combinations: cpu 1 gives 4.00 times the value of cpu 4";
        assert_eq!(text, falls);
        let (_, text) = ask(&tcp_data_set(|_, _, cpu| Some(1e6 * number(cpu).min(2.0))), "cpu");
        let plateau = "cpu 1; from cpu 2 upwards the remaining change is at most 0.0 %";
        assert!(text.ends_with(&format!("cpu 4 gives 2.00 times the value of {plateau}")), "{text}");
    }

    #[test]
    fn what_matters_at_one_level_only_is_named() {
        let (answer, text) = ask(
            &tcp_data_set(|link, os, _| Some(if link == "slow" || os == "old" { 1e6 } else { 2e6 })),
            "os",
        );
        assert_eq!(answer, ConclusionAnswer::Mixed);
        let at_two = "in 6 of 9 combinations, by 2.00 times between its levels (fast or faster)";
        assert!(text.contains(at_two), "{text}");
        assert!(text.ends_with("; in 3 combinations (slow) the effect is at most 0.0 %"), "{text}");
    }

    #[test]
    fn several_lines_are_asked_about_at_once() {
        let both = two_probe_data_set(|_, _, _, cpu| Some(number(cpu)));
        let text = answer_dependence_question(&both, &[0, 1], "cpu", &LevelFilter::new()).finding.text;
        assert!(text.starts_with("tcp and udp rise with cpu in all 12 of 12"), "{text}");
    }

    #[test]
    fn scatter_is_not_taken_for_an_effect() {
        let quiet = tcp_data_set(|_, _, cpu| Some(if cpu == "2" { 1.2e6 } else { 1e6 }));
        let mut noisy = with_repeated_rows(&quiet, &[1.0, 1.0, 1.0, 1.0]);
        let mut noise = [0.5, 0.7, 2.0, 1.9, 1.3].into_iter().cycle();
        scale_values(&mut noisy.rows, |_| noise.next().unwrap());
        assert_eq!(ask(&noisy, "cpu").0, ConclusionAnswer::Unknown);
        assert_eq!(
            ask(&with_repeated_rows(&quiet, &[1.0, 1.01, 0.99, 1.02]), "cpu").0,
            ConclusionAnswer::Yes
        );
    }
}
