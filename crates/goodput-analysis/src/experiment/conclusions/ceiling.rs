//! How near values are to the medium's theoretical limit; a value above it is an error.

use super::cells::{CellKey, MeasuredCell, select_cells};
use super::{ConclusionDraft, LevelFilter, wording};
use goodput_model::experiment::conclusion::Conclusion;
use goodput_model::experiment::data_set::{DataSet, TheoreticalBound};
use goodput_model::{Message, Severity};
use goodput_words::message;

const ROUNDING: f64 = 0.001;
/// Below this share of the limit the medium is not the bottleneck.
const FAR: f64 = 0.9;

/// Bounds of one value and reason, with the cells that they apply to.
struct Ceiling<'a> {
    bound: &'a TheoreticalBound,
    cells: Vec<MeasuredCell>,
}

/// One statement for each measure with bounds, and one for each bound that is exceeded.
pub(super) fn medium_limit_conclusions(data: &DataSet) -> Vec<Conclusion> {
    let mut found = Vec::new();
    for measure in 0..data.measures.len() {
        let mut ceilings: Vec<Ceiling<'_>> = Vec::new();
        for bound in data.bounds.iter().filter(|b| b.measure == measure && b.value > 0.0) {
            let cells = held(data, bound);
            let same = |c: &&mut Ceiling<'_>| c.bound.value == bound.value && c.bound.reason == bound.reason;
            match ceilings.iter_mut().find(same) {
                Some(known) => known.cells.extend(cells),
                None if cells.is_empty() => {}
                None => ceilings.push(Ceiling { bound, cells }),
            }
        }
        found.extend(ceilings.iter().filter_map(|c| above(data, c.bound, &c.cells)));
        found.extend(nearness(data, measure, &ceilings));
    }
    found
}

fn held(data: &DataSet, bound: &TheoreticalBound) -> Vec<MeasuredCell> {
    let only: LevelFilter = bound.levels.iter().map(|(f, l)| (f.clone(), vec![l.clone()])).collect();
    select_cells(data, &[bound.measure], &only)
}

fn nearness(data: &DataSet, measure: usize, ceilings: &[Ceiling<'_>]) -> Option<Conclusion> {
    let best = |c: &Ceiling<'_>| {
        c.cells.iter().max_by(|a, b| a.median_value().total_cmp(&b.median_value())).cloned()
    };
    let each: Vec<(&Ceiling<'_>, MeasuredCell)> =
        ceilings.iter().filter_map(|c| Some((c, best(c)?))).collect();
    let least = each.iter().min_by(|a, b| {
        (a.1.median_value() / a.0.bound.value).total_cmp(&(b.1.median_value() / b.0.bound.value))
    })?;
    let all = select_cells(data, &[measure], &LevelFilter::new());
    let at = |ceiling: &Ceiling<'_>| {
        let places: Vec<(CellKey, bool)> = all
            .iter()
            .map(|cell| (cell.place.clone(), ceiling.cells.iter().any(|own| own.place == cell.place)))
            .collect();
        wording::level_subsets_arg(data, &places)
    };
    let said = |(ceiling, cell): &(&Ceiling<'_>, MeasuredCell)| {
        let share = wording::share_as_percent_arg(cell.median_value() / ceiling.bound.value);
        let figure = wording::measured_value_arg(data, measure, cell.median_value());
        let limit = wording::measured_value_arg(data, measure, ceiling.bound.value);
        let n = ceiling.cells.len();
        match at(ceiling) {
            Some(place) => message!(rule_ceiling_share_with { share, place, figure, limit, n }),
            None => message!(rule_ceiling_share { share, figure, limit, n }),
        }
    };
    let text = message!(rule_ceiling_text {
        what: wording::metric_names_arg(data, &[measure]),
        shares: wording::join_with_and(each.iter().map(said)),
    });
    let try_next = match at(least.0) {
        Some(place) if least.1.median_value() < FAR * least.0.bound.value => {
            message!(rule_ceiling_try { place })
        }
        _ => Message::default(),
    };
    let draft = ConclusionDraft::new("ceiling", text)
        .on(ceilings.iter().flat_map(|c| &c.cells), each.len())
        .showing(data, each.iter().map(|(_, cell)| cell))
        .try_this(try_next);
    let reasons = each.iter().map(|(c, _)| c.bound.reason.clone());
    let evidence = draft.evidence.iter().cloned().chain(reasons).collect();
    Some(ConclusionDraft { evidence, ..draft }.done())
}

fn above(data: &DataSet, bound: &TheoreticalBound, cells: &[MeasuredCell]) -> Option<Conclusion> {
    let over: Vec<&MeasuredCell> =
        cells.iter().filter(|c| c.median_value() > bound.value * (1.0 + ROUNDING)).collect();
    let most = over.iter().copied().max_by(|a, b| a.median_value().total_cmp(&b.median_value()))?;
    let text = message!(values_above_limit {
        n: over.len(),
        all: cells.len(),
        what: wording::metric_names_arg(data, &[bound.measure]),
        figure: wording::measured_value_arg(data, bound.measure, most.median_value()),
        place: wording::combination_arg(data, &most.place).unwrap_or_default(),
        limit: wording::measured_value_arg(data, bound.measure, bound.value),
    });
    let draft = ConclusionDraft::new("above-limit", text)
        .on(over.iter().copied(), cells.len())
        .showing(data, over.iter().copied())
        .try_this(message!(values_above_limit_try));
    let evidence = draft.evidence.iter().cloned().chain([bound.reason.clone()]).collect();
    Some(ConclusionDraft { severity: Severity::Error, evidence, ..draft }.done())
}

#[cfg(test)]
mod tests {
    use super::super::fixture::tcp_data_set;
    use super::*;

    fn with_bound(figure: f64) -> Vec<Conclusion> {
        let mut data = tcp_data_set(|link, _, _| Some(if link == "slow" { figure } else { 5e7 }));
        let levels = [("link".to_string(), "slow".to_string())].into();
        data.bounds =
            vec![TheoreticalBound { measure: 0, levels, value: 9_240_000.0, reason: "10base-t".into() }];
        medium_limit_conclusions(&data)
    }

    #[test]
    fn the_share_of_the_limit_follows_the_figure_and_above_it_is_an_error() {
        let found = with_bound(8_990_000.0);
        let told =
            "tcp achieves 97.3 % of the limit with slow (8.990 Mbit/s of 9.240 Mbit/s, best of 6 values)";
        assert_eq!((found.len(), found[0].finding.text.as_str()), (1, told));
        let found = with_bound(9_500_000.0);
        assert_eq!((found.len(), found[0].finding.severity), (2, Severity::Error));
        let above = "6 of 6 values of tcp exceed the limit of the medium: 9.500 Mbit/s";
        assert!(found[0].finding.text.starts_with(above), "{found:?}");
        assert_eq!(with_bound(9_241_000.0).len(), 1);
    }
}
