//! How near values are to the medium's theoretical limit; a value above it is an error.

use super::cells::{CellKey, MeasuredCell, select_cells};
use super::level_subsets::find_level_subsets;
use super::{ConclusionDraft, LevelFilter, wording};
use goodput_model::Severity;
use goodput_model::experiment::conclusion::Conclusion;
use goodput_model::experiment::data_set::{DataSet, TheoreticalBound};

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
    let best = |c: &Ceiling<'_>| c.cells.iter().max_by(|a, b| a.value().total_cmp(&b.value())).cloned();
    let each: Vec<(&Ceiling<'_>, MeasuredCell)> =
        ceilings.iter().filter_map(|c| Some((c, best(c)?))).collect();
    let least = each
        .iter()
        .min_by(|a, b| (a.1.value() / a.0.bound.value).total_cmp(&(b.1.value() / b.0.bound.value)))?;
    let all = select_cells(data, &[measure], &LevelFilter::new());
    let at = |ceiling: &Ceiling<'_>| {
        let places: Vec<(CellKey, bool)> = all
            .iter()
            .map(|cell| (cell.place.clone(), ceiling.cells.iter().any(|own| own.place == cell.place)))
            .collect();
        wording::format_level_subsets(data, &find_level_subsets(data, &places))
    };
    let said = |(ceiling, cell): &(&Ceiling<'_>, MeasuredCell)| {
        let place = at(ceiling);
        let place = if place.is_empty() { place } else { format!(" with {place}") };
        format!(
            "{} of the limit{place} ({} of {}, best of {})",
            wording::format_percent(cell.value() / ceiling.bound.value),
            wording::format_measured_value(data, measure, cell.value()),
            wording::format_measured_value(data, measure, ceiling.bound.value),
            ceiling.cells.len(),
        )
    };
    let named: Vec<String> = each.iter().map(said).collect();
    let text = format!(
        "{} achieves {}",
        wording::format_probe_lines(data, &[measure]),
        wording::join_list(&named, "and")
    );
    let far = at(least.0);
    let try_next = match far.is_empty() || least.1.value() >= FAR * least.0.bound.value {
        true => String::new(),
        false => format!("the medium is not the bottleneck with {far}: find the actual bottleneck first"),
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
        cells.iter().filter(|c| c.value() > bound.value * (1.0 + ROUNDING)).collect();
    let most = over.iter().copied().max_by(|a, b| a.value().total_cmp(&b.value()))?;
    let text = format!(
        "{} of {} values of {} exceed the limit of the medium: {} at {}, where the limit is {}",
        over.len(),
        cells.len(),
        wording::format_probe_lines(data, &[bound.measure]),
        wording::format_measured_value(data, bound.measure, most.value()),
        wording::format_combination(data, &most.place),
        wording::format_measured_value(data, bound.measure, bound.value),
    );
    let draft = ConclusionDraft::new("above-limit", text)
        .on(over.iter().copied(), cells.len())
        .showing(data, over.iter().copied())
        .try_this("check the specified medium and MTU, and whether the value counts user data only");
    let evidence = draft.evidence.iter().cloned().chain([bound.reason.clone()]).collect();
    Some(ConclusionDraft { severity: Severity::Error, evidence, ..draft }.done())
}

#[cfg(test)]
mod tests {
    use super::super::fixture::data;
    use super::*;

    fn with_bound(figure: f64) -> Vec<Conclusion> {
        let mut data = data(|link, _, _| Some(if link == "slow" { figure } else { 5e7 }));
        let levels = [("link".to_string(), "slow".to_string())].into();
        data.bounds =
            vec![TheoreticalBound { measure: 0, levels, value: 9_240_000.0, reason: "10base-t".into() }];
        medium_limit_conclusions(&data)
    }

    #[test]
    fn the_share_of_the_limit_follows_the_figure() {
        let found = with_bound(8_990_000.0);
        assert_eq!(found.len(), 1);
        assert_eq!(
            found[0].finding.text,
            "tcp achieves 97.3 % of the limit with slow (8.990 Mbit/s of 9.240 Mbit/s, best of 6)"
        );
    }

    #[test]
    fn above_the_limit_is_an_error() {
        let found = with_bound(9_500_000.0);
        assert_eq!((found.len(), found[0].finding.severity), (2, Severity::Error));
        assert!(
            found[0]
                .finding
                .text
                .starts_with("6 of 6 values of tcp exceed the limit of the medium: 9.500 Mbit/s")
        );
        assert_eq!(with_bound(9_241_000.0).len(), 1);
    }
}
