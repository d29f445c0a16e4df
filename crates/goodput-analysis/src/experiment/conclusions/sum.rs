//! Does one level of a factor give what others give together? Duplex against transmit plus receive is the usual one: on a link that
//! has each direction for itself it should, behind a shared bus or a busy CPU it cannot.

use super::cells::{Cell, Place, cells, groups};
use super::contrast::{Told, contrast};
use super::cover::cover;
use super::{Draft, INSENSITIVE, Only, words};
use goodput_model::experiment::Better;
use goodput_model::experiment::conclusion::{Answer, Conclusion};
use goodput_model::experiment::data::DataSet;

struct Sum {
    place: Place,
    parts: Vec<Cell>,
    whole: Cell,
    /// The whole over the sum of the parts.
    share: f64,
    /// Whether the whole is the sum, within [`INSENSITIVE`] or within what the repeats scatter.
    full: bool,
}

/// The answer for the level `whole` against the sum of `parts`. Yes means within [`INSENSITIVE`] of the sum, or above it, everywhere.
pub(super) fn answer(
    data: &DataSet,
    measures: &[usize],
    factor: &str,
    (parts, whole): (&[String], &str),
    only: &Only,
) -> Conclusion {
    let sums = sums(data, measures, factor, (parts, whole), only);
    let names: Vec<String> = parts.iter().map(|l| words::level(data, factor, l)).collect();
    let (whole, names) = (words::level(data, factor, whole), words::list(&names, "and"));
    let context = format!("for {}{}", words::probes(data, measures), words::only(data, only));
    let total = sums.len();
    let Some(least) = sums.iter().min_by(|a, b| a.share.total_cmp(&b.share)) else {
        let why = format!(
            "whether {whole} gives what {names} give together {context} cannot be told: they were nowhere measured with everything else equal"
        );
        return Draft::unknown("sum", why, "measure all of them at one combination").done();
    };
    let full = sums.iter().filter(|s| s.full).count();
    let (low, high) = words::least_and_most(sums.iter().map(|s| s.share));
    let (low, high) = (words::percent(low), words::percent(high));
    let shares = if low == high { high } else { format!("{low} to {high}") };
    let measure = least.whole.place.measure;
    let sum: f64 = least.parts.iter().map(Cell::value).sum();
    let example = format!(
        "at the least {} of {}",
        words::amount(data, measure, least.whole.value()),
        words::amount(data, measure, sum)
    );
    let (answer, verdict) = match full {
        n if n == total => (Answer::Yes, format!("gives what {names} give together")),
        0 => (Answer::No, format!("gives less than {names} together")),
        n => {
            let places: Vec<(Place, bool)> = sums.iter().map(|s| (s.place.clone(), s.full)).collect();
            let where_full = words::parts(data, &cover(data, &places));
            (
                Answer::Mixed,
                format!(
                    "gives what {names} give together in {n} of {total} combinations only ({where_full})"
                ),
            )
        }
    };
    let everywhere =
        if answer == Answer::Mixed { String::new() } else { format!(" {}", words::in_so_many(total, total)) };
    Draft::new("sum", format!("{whole} {verdict} {context}{everywhere}: {shares}, {example}"))
        .says(answer)
        .on(sums.iter().flat_map(|s| s.parts.iter().chain([&s.whole])), total)
        .showing(data, least.parts.iter().chain([&least.whole]))
        .try_this(
            "where the sum is not reached, look for what both share: a half-duplex medium, a bus, one CPU",
        )
        .done()
}

fn sums(
    data: &DataSet,
    measures: &[usize],
    factor: &str,
    (parts, whole): (&[String], &str),
    only: &Only,
) -> Vec<Sum> {
    let Some(axis) = data.factors.iter().find(|a| a.name == factor) else { return Vec::new() };
    let index = |level: &str| axis.levels.iter().position(|l| l == level);
    let Some(parts) = parts.iter().map(|l| index(l)).collect::<Option<Vec<usize>>>() else {
        return Vec::new();
    };
    let Some(whole) = index(whole) else { return Vec::new() };
    let found = groups(data, &cells(data, measures, only), factor);
    let comparisons = found.len();
    let sums = found.into_iter().filter_map(|group| {
        let of = |level: usize| group.cells.iter().find(|(l, _)| *l == level).map(|(_, c)| c.clone());
        let parts = parts.iter().map(|l| of(*l)).collect::<Option<Vec<Cell>>>()?;
        let (whole, together) = (of(whole)?, added(&parts)?);
        let against = contrast(&whole, &together, Better::Higher, comparisons)?;
        let full = against.ratio >= 1.0 - INSENSITIVE || matches!(against.told, Told::Even | Told::Open);
        Some(Sum { place: group.place.clone(), share: against.ratio, full, parts, whole })
    });
    sums.collect()
}

/// The cells' sum, block by block where they share blocks, else of their medians.
fn added(cells: &[Cell]) -> Option<Cell> {
    let first = cells.first()?;
    let of_block = |block: u32| -> Option<f64> {
        cells.iter().map(|c| c.values.iter().find(|v| v.0 == block).map(|v| v.1)).sum()
    };
    let by_block: Vec<(u32, f64)> = first.values.iter().filter_map(|v| Some((v.0, of_block(v.0)?))).collect();
    let values = if by_block.is_empty() { vec![(1, cells.iter().map(Cell::value).sum())] } else { by_block };
    Some(Cell { place: first.place.clone(), values, rows: Vec::new() })
}

#[cfg(test)]
mod tests {
    use super::super::fixture::data;
    use super::*;

    fn ask(whole: impl Fn(&str) -> f64) -> (Answer, String) {
        let data = data(|link, os, _| {
            Some(match link {
                "slow" => 899e6,
                "fast" => 901e6,
                _ => whole(os),
            })
        });
        let parts = ["slow".to_string(), "fast".to_string()];
        let found = answer(&data, &[0], "link", (&parts, "faster"), &Only::new());
        (found.answer.unwrap(), found.finding.text)
    }

    #[test]
    fn less_than_the_sum_behind_something_shared() {
        let (answer, text) = ask(|_| 1111e6);
        assert_eq!(answer, Answer::No);
        assert_eq!(
            text,
            "faster gives less than slow and fast together for tcp in all 6 of 6 combinations: 61.7 %, at the least 1.111 Gbit/s of 1.800 Gbit/s"
        );
    }

    #[test]
    fn the_whole_sum_and_some_of_it() {
        assert_eq!(ask(|_| 1790e6).0, Answer::Yes);
        let (answer, text) = ask(|os| if os == "new" { 1790e6 } else { 1000e6 });
        assert_eq!(answer, Answer::Mixed);
        assert!(text.contains("in 3 of 6 combinations only (new) for tcp: 55.6 % to 99.4 %"), "{text}");
    }
}
