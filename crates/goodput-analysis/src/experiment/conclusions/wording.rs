//! Numbers and places in the sentences of statements.

use super::LevelFilter;
use super::cells::{CellKey, MeasuredCell};
use super::level_subsets::{LevelSubset, SIZE_FACTOR, level_names};
use goodput_model::experiment::data_set::{DataSet, PROBE_FACTOR};
use std::collections::{BTreeMap, BTreeSet};

const MAX_PARTS: usize = 3;

/// Value and unit as the source prints them, else with four significant digits.
fn scaled(data: &DataSet, measure: usize, value: f64, like: f64) -> (String, String) {
    if let Some(printed) = data.printed.iter().find(|p| p.measure == measure) {
        return (
            format!("{:.*}", usize::from(printed.decimals), value / printed.scale),
            printed.unit.clone(),
        );
    }
    let unit = data.measures.get(measure).map_or("", |m| m.unit.as_str());
    let steps: &[(&str, f64)] = match unit {
        "bit/s" => &[("bit/s", 1.0), ("kbit/s", 1e3), ("Mbit/s", 1e6), ("Gbit/s", 1e9)],
        "ns" => &[("ns", 1.0), ("µs", 1e3), ("ms", 1e6), ("s", 1e9)],
        _ => &[],
    };
    let step = steps.iter().rev().find(|(_, scale)| like.abs() >= *scale).or(steps.first());
    let (unit, scale) = step.copied().unwrap_or((unit, 1.0));
    (digits(value / scale), unit.to_string())
}

/// Four significant digits, no decimals from 1,000 on.
fn digits(value: f64) -> String {
    let before = if value.abs() < 1.0 { 1 } else { value.abs().log10().floor() as usize + 1 };
    let decimals = 4usize.saturating_sub(before).min(3);
    grouped(&format!("{value:.decimals$}"))
}

fn grouped(text: &str) -> String {
    let (sign, text) = text.strip_prefix('-').map_or(("", text), |rest| ("-", rest));
    let (whole, rest) = text.find('.').map_or((text, ""), |at| text.split_at(at));
    let mut out = String::from(sign);
    for (at, digit) in whole.chars().enumerate() {
        if at > 0 && (whole.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out + rest
}

fn with_unit(number: &str, unit: &str) -> String {
    if unit.is_empty() { number.to_string() } else { format!("{number} {unit}") }
}

pub(super) fn format_measured_value(data: &DataSet, measure: usize, value: f64) -> String {
    let (number, unit) = scaled(data, measure, value, value);
    with_unit(&number, &unit)
}

/// For example `8.65 to 9.33 Mbit/s`; one value where both print alike. Cells in several units give the span
/// of the first one's.
pub(super) fn format_value_range<'a>(
    data: &DataSet,
    cells: impl IntoIterator<Item = &'a MeasuredCell>,
) -> String {
    let values: Vec<(usize, f64)> = cells.into_iter().map(|c| (c.place.measure, c.value())).collect();
    let Some(measure) = values.first().map(|v| v.0) else { return String::new() };
    let unit = |m: usize| data.measures.get(m).map(|h| &h.unit);
    let same = values.iter().filter(|(m, _)| unit(*m) == unit(measure)).map(|v| v.1);
    let (low, high) = same.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(v), h.max(v)));
    let ((low, _), (high, unit)) = (scaled(data, measure, low, high), scaled(data, measure, high, high));
    if low == high { with_unit(&high, &unit) } else { format!("{low} to {}", with_unit(&high, &unit)) }
}

pub(super) fn format_ratio(ratio: f64) -> String {
    format!("{} times", factor(ratio))
}

fn factor(ratio: f64) -> String {
    match ratio {
        r if r.is_infinite() => "infinitely many".to_string(),
        r if r >= 10.0 => grouped(&format!("{r:.0}")),
        r => format!("{r:.2}"),
    }
}

pub(super) fn format_ratio_range(ratios: impl IntoIterator<Item = f64>) -> String {
    let (low, high) = min_and_max(ratios);
    let (low, high) = (factor(low), factor(high));
    if low == high { format!("{high} times") } else { format!("{low} to {high} times") }
}

pub(super) fn min_and_max(values: impl IntoIterator<Item = f64>) -> (f64, f64) {
    values.into_iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(v), h.max(v)))
}

pub(super) fn format_percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}

pub(super) fn format_price(value: f64) -> String {
    let decimals = if value >= 100.0 { 0 } else { 2 };
    grouped(&format!("{value:.decimals$}"))
}

pub(super) fn join_list<S: AsRef<str>>(items: &[S], last: &str) -> String {
    match items {
        [] => String::new(),
        [one] => one.as_ref().to_string(),
        [first @ .., end] => {
            let first: Vec<&str> = first.iter().map(AsRef::as_ref).collect();
            format!("{} {last} {}", first.join(", "), end.as_ref())
        }
    }
}

pub(super) fn format_combination_count(count: usize, of: usize) -> String {
    match count {
        _ if of == 1 && count == 1 => "in the one combination measured".to_string(),
        0 => format!("in none of {of} combination{}", plural_suffix(of)),
        n if n == of => format!("in all {n} of {of} combinations"),
        n => format!("in {n} of {of} combinations"),
    }
}

pub(super) fn plural_suffix(count: usize) -> &'static str {
    if count == 1 { "" } else { "s" }
}

pub(super) fn format_size(bytes: u64) -> String {
    match bytes {
        b if b >= 1 << 20 && b.is_multiple_of(1 << 20) => format!("{} MiB", grouped(&(b >> 20).to_string())),
        b if b >= 1 << 10 && b.is_multiple_of(1 << 10) => format!("{} KiB", grouped(&(b >> 10).to_string())),
        b => format!("{} B", grouped(&b.to_string())),
    }
}

/// A number, an `on` or a name that two factors share has the factor's name before it.
pub(super) fn format_levels(data: &DataSet, factor: &str, levels: &[String]) -> String {
    if factor == SIZE_FACTOR {
        return sizes(data, levels);
    }
    let shared = |level: &String| {
        data.factors.iter().filter(|a| a.levels.contains(level)).count() > 1
            || level.parse::<f64>().is_ok()
            || ["on", "off", "yes", "no", "true", "false"].contains(&level.as_str())
    };
    let named = join_list(levels, "or");
    if factor != PROBE_FACTOR && levels.iter().any(shared) { format!("{factor} {named}") } else { named }
}

/// Three or more consecutive sizes as `1 B to 256 B`.
fn sizes(data: &DataSet, levels: &[String]) -> String {
    let all: BTreeSet<u64> = data.rows.iter().filter_map(|r| r.size_bytes).collect();
    let named: BTreeSet<u64> = levels.iter().filter_map(|l| l.parse().ok()).collect();
    let mut runs: Vec<Vec<u64>> = Vec::new();
    let mut last = false;
    for size in all.union(&named) {
        let here = named.contains(size);
        match runs.last_mut() {
            Some(run) if here && last => run.push(*size),
            _ if here => runs.push(vec![*size]),
            _ => {}
        }
        last = here;
    }
    let in_words = |run: &Vec<u64>| match run.as_slice() {
        [first, _, .., end] => vec![format!("{} to {}", format_size(*first), format_size(*end))],
        few => few.iter().map(|s| format_size(*s)).collect(),
    };
    join_list(&runs.iter().flat_map(in_words).collect::<Vec<String>>(), "or")
}

pub(super) fn format_level(data: &DataSet, factor: &str, name: &str) -> String {
    format_levels(data, factor, std::slice::from_ref(&name.to_string()))
}

/// Probe line first, then the factors in the order of the tables: `udp, windows-nt4, pentium 75`.
pub(super) fn format_level_subset(data: &DataSet, held: &BTreeMap<String, Vec<String>>) -> String {
    let order =
        [PROBE_FACTOR].into_iter().chain(data.factors.iter().map(|a| a.name.as_str())).chain([SIZE_FACTOR]);
    let named: Vec<String> = order
        .filter_map(|f| held.get(f).map(|ls| format_levels(data, f, ls)))
        .filter(|t| !t.is_empty())
        .collect();
    named.join(", ")
}

/// For example `(udp, windows-nt4) and (tcp)`, the rest counted.
pub(super) fn format_level_subsets(data: &DataSet, parts: &[LevelSubset]) -> String {
    let mut named: Vec<String> =
        parts.iter().take(MAX_PARTS).map(|p| format_level_subset(data, &p.levels)).collect();
    let rest: usize = parts.iter().skip(MAX_PARTS).map(|p| p.count).sum();
    if rest > 0 {
        named.push(format!("and {rest} more"));
    }
    named.retain(|n| !n.is_empty());
    match named.len() {
        0 | 1 => named.concat(),
        _ => named.join("; "),
    }
}

/// Factors with one level only are left out.
pub(super) fn format_combination(data: &DataSet, place: &CellKey) -> String {
    let mut names = level_names(data, place);
    if data.measures.iter().map(|m| &m.probe).collect::<BTreeSet<_>>().len() < 2 {
        names.remove(PROBE_FACTOR);
    }
    for axis in data.factors.iter().filter(|a| a.levels.len() < 2) {
        names.remove(&axis.name);
    }
    format_level_subset(data, &names.into_iter().map(|(f, l)| (f, vec![l])).collect())
}

/// Condition of a question: ` with link 10base-t`, with a leading space; empty without one.
pub(super) fn format_level_filter(data: &DataSet, only: &LevelFilter) -> String {
    if only.is_empty() {
        return String::new();
    }
    let order = data.factors.iter().filter_map(|a| only.get(&a.name).map(|l| (&a.name, l)));
    let named: Vec<String> =
        order.map(|(factor, levels)| format!("{factor} {}", join_list(levels, "or"))).collect();
    format!(" with {}", join_list(&named, "and"))
}

/// For example `tcp and udp`; a metric other than the primary one is named.
pub(super) fn format_probe_lines(data: &DataSet, measures: &[usize]) -> String {
    let name = |m: &usize| {
        let head = data.measures.get(*m)?;
        let primary_metric = data.measures.iter().position(|other| other.probe == head.probe) == Some(*m);
        Some(if primary_metric { head.probe.clone() } else { format!("{} of {}", head.figure, head.probe) })
    };
    join_list(&measures.iter().filter_map(name).collect::<Vec<_>>(), "and")
}

pub(super) fn format_evidence(data: &DataSet, cell: &MeasuredCell) -> String {
    let sources: Vec<&str> =
        cell.rows.iter().filter_map(|r| data.rows.get(*r)).map(|r| r.evidence.as_str()).collect();
    let from = match sources.as_slice() {
        [] => String::new(),
        [one] => format!(" ({one})"),
        [first, rest @ ..] => format!(" (median of {}: {first} and {} more)", cell.values.len(), rest.len()),
    };
    format!(
        "{}: {}{from}",
        format_combination(data, &cell.place),
        format_measured_value(data, cell.place.measure, cell.value())
    )
}

#[cfg(test)]
mod tests {
    use super::super::fixture;
    use super::*;
    use goodput_model::experiment::data_set::PrintedUnit;

    #[test]
    fn figures_are_written_as_the_source_prints_them() {
        let mut data = fixture::data(|_, _, _| None);
        assert_eq!(format_measured_value(&data, 0, 112_150_000.0), "112.2 Mbit/s");
        data.printed = vec![PrintedUnit { measure: 0, unit: "Mbit/s".into(), scale: 1e6, decimals: 2 }];
        assert_eq!(format_measured_value(&data, 0, 112_150_000.0), "112.15 Mbit/s");
        assert_eq!(format_measured_value(&data, 0, 8_900_000.0), "8.90 Mbit/s");
    }

    #[test]
    fn numbers_read_well() {
        assert_eq!(
            (digits(1.0), digits(999.96), digits(12_345.6)),
            ("1.000".into(), "1,000.0".into(), "12,346".into())
        );
        assert_eq!((format_price(10_000.0), format_price(7.5)), ("10,000".into(), "7.50".into()));
        assert_eq!(format_ratio_range([1.1, 1.874, 1.3]), "1.10 to 1.87 times");
        assert_eq!(format_ratio_range([1.1, 1.1]), "1.10 times");
        assert_eq!(
            (format_size(65_536), format_size(1 << 20), format_size(64)),
            ("64 KiB".into(), "1 MiB".into(), "64 B".into())
        );
        assert_eq!(join_list(&["a", "b", "c"], "or"), "a, b or c");
        assert_eq!(
            (format_combination_count(3, 3), format_combination_count(0, 2)),
            ("in all 3 of 3 combinations".into(), "in none of 2 combinations".into())
        );
    }

    #[test]
    fn sizes_that_follow_each_other_are_a_span() {
        let mut data = fixture::data(|_, _, _| Some(1.0));
        for (row, power) in data.rows.iter_mut().zip(6..) {
            row.size_bytes = Some(1 << power);
        }
        let named = |sizes: &[u64]| {
            format_levels(&data, SIZE_FACTOR, &sizes.iter().map(u64::to_string).collect::<Vec<_>>())
        };
        assert_eq!(named(&[64, 128, 256, 1024, 4096, 8192]), "64 B to 256 B, 1 KiB, 4 KiB or 8 KiB");
        assert_eq!(named(&[128]), "128 B");
    }

    #[test]
    fn a_bare_number_is_never_a_level_by_itself() {
        let data = fixture::data(|_, _, _| None);
        assert_eq!(format_levels(&data, "cpu", &["1".into(), "2".into()]), "cpu 1 or 2");
        assert_eq!(format_levels(&data, "link", &["slow".into()]), "slow");
    }
}
