//! Numbers and combinations as arguments of the messages of conclusions.

use super::LevelFilter;
use super::cells::{CellKey, MeasuredCell};
use super::level_subsets::{SIZE_FACTOR_NAME, find_level_subsets, level_names};
use goodput_model::experiment::data_set::{DataSet, PROBE_FACTOR_NAME};
use goodput_model::{Message, MessageArg};
use goodput_words::message;
use goodput_words::message_argument::{fixed_decimals_arg, quantity_arg};
use goodput_words::number_format::{format_count, format_grouped_digits};
use goodput_words::typed_message::arg_english_text;
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
    format_grouped_digits(value, decimals)
}

fn with_unit(number: &str, unit: &str) -> String {
    if unit.is_empty() { number.to_string() } else { format!("{number} {unit}") }
}

fn format_measured_value(data: &DataSet, measure: usize, value: f64) -> String {
    let (number, unit) = scaled(data, measure, value, value);
    with_unit(&number, &unit)
}

pub(super) fn measured_value_arg(data: &DataSet, measure: usize, value: f64) -> MessageArg {
    let unit = data.measures.get(measure).map_or("", |m| m.unit.as_str());
    quantity_arg(value, unit, format_measured_value(data, measure, value))
}

/// `8.65 to 9.33 Mbit/s`; one value where both print alike. With several units, the span of the first one's.
pub(super) fn measured_value_range_arg<'a>(
    data: &DataSet,
    cells: impl IntoIterator<Item = &'a MeasuredCell>,
) -> MessageArg {
    let values: Vec<(usize, f64)> = cells.into_iter().map(|c| (c.place.measure, c.median_value())).collect();
    let Some(measure) = values.first().map(|v| v.0) else { return MessageArg::default() };
    let head = |m: usize| data.measures.get(m).map(|h| &h.unit);
    let (low, high) = min_and_max(values.iter().filter(|(m, _)| head(*m) == head(measure)).map(|v| v.1));
    let ((least, _), (most, unit)) = (scaled(data, measure, low, high), scaled(data, measure, high, high));
    let (same, unit) = (least == most, quantity_arg(high, &unit, with_unit(&most, &unit)));
    if same { unit } else { range_arg(quantity_arg(low, "", least), unit) }
}

/// `64 B to 256 B`; the high one where both print alike.
pub(super) fn range_arg(low: MessageArg, high: MessageArg) -> MessageArg {
    if arg_english_text(&low) == arg_english_text(&high) {
        high
    } else {
        message!(clause_span { low, high }).into()
    }
}

/// `1.10 times`.
pub(super) fn ratio_message(ratio: f64) -> Message {
    if ratio.is_infinite() {
        message!(clause_infinitely_many_times)
    } else {
        message!(clause_times { factor: ratio_arg(ratio) })
    }
}

pub(super) fn ratio_arg(ratio: f64) -> MessageArg {
    match ratio {
        r if r.is_infinite() => message!(clause_infinitely_many).into(),
        r => fixed_decimals_arg(r, if r >= 10.0 { 0 } else { 2 }, ""),
    }
}

/// `1.10 to 1.30 times`; one ratio where both print alike.
pub(super) fn ratio_range_message(ratios: impl IntoIterator<Item = f64>) -> Message {
    let (low, high) = min_and_max(ratios);
    match (ratio_arg(low), ratio_arg(high)) {
        (low, high) if arg_english_text(&low) != arg_english_text(&high) => {
            message!(clause_times_span { low, high })
        }
        _ => ratio_message(high),
    }
}

pub(super) fn min_and_max(values: impl IntoIterator<Item = f64>) -> (f64, f64) {
    values.into_iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(v), h.max(v)))
}

pub(super) fn share_as_percent_arg(share: f64) -> MessageArg {
    fixed_decimals_arg(share * 100.0, 1, "%")
}

/// `33.8 % to 92.8 %`; one share where both print alike.
pub(super) fn percent_range_arg(shares: impl IntoIterator<Item = f64>) -> MessageArg {
    let (low, high) = min_and_max(shares);
    range_arg(share_as_percent_arg(low), share_as_percent_arg(high))
}

pub(super) fn price_arg(value: f64) -> MessageArg {
    fixed_decimals_arg(value, if value >= 100.0 { 0 } else { 2 }, "")
}

/// `a, b and c`.
pub(super) fn join_with_and<T: Into<MessageArg>>(items: impl IntoIterator<Item = T>) -> MessageArg {
    joined(items, |more, last| message!(clause_list_and { more, last }))
}

/// `a, b or c`.
pub(super) fn join_with_or<T: Into<MessageArg>>(items: impl IntoIterator<Item = T>) -> MessageArg {
    joined(items, |more, last| message!(clause_list_or { more, last }))
}

fn joined<T: Into<MessageArg>>(
    items: impl IntoIterator<Item = T>,
    last: fn(MessageArg, MessageArg) -> Message,
) -> MessageArg {
    let mut items: Vec<MessageArg> = items.into_iter().map(Into::into).collect();
    match (items.pop(), items.len()) {
        (None, _) => MessageArg::default(),
        (Some(one), 0) => one,
        (Some(end), 1) => last(items.remove(0), end).into(),
        (Some(end), _) => last(MessageArg::List(items), end).into(),
    }
}

/// `a; b; c`. `None` without an item.
pub(super) fn join_with_semicolons<T: Into<MessageArg> + From<Message>>(
    items: impl IntoIterator<Item = T>,
) -> Option<T> {
    items.into_iter().reduce(|one, then| message!(clause_semicolon { one, then }).into())
}

pub(super) fn combination_count_message(count: usize, of: usize) -> Message {
    match count {
        1 if of == 1 => message!(clause_in_the_one),
        0 => message!(clause_in_none { n: of }),
        n if n == of => message!(clause_in_all { n }),
        n => message!(clause_in_some { n, all: of }),
    }
}

/// The same with the combinations in brackets.
pub(super) fn combination_count_message_with_names(
    count: usize,
    of: usize,
    places: Option<MessageArg>,
) -> Message {
    let combinations = combination_count_message(count, of);
    match places {
        Some(places) => message!(clause_in_places { combinations, places }),
        None => combinations,
    }
}

fn format_size(bytes: u64) -> String {
    match bytes {
        b if b >= 1 << 20 && b.is_multiple_of(1 << 20) => format!("{} MiB", format_count(b >> 20)),
        b if b >= 1 << 10 && b.is_multiple_of(1 << 10) => format!("{} KiB", format_count(b >> 10)),
        b => format!("{} B", format_count(b)),
    }
}

pub(super) fn byte_size_arg(bytes: u64) -> MessageArg {
    quantity_arg(bytes as f64, "B", format_size(bytes))
}

/// A number, an `on` or a name that two factors share has the factor's name before it.
pub(super) fn level_names_arg(data: &DataSet, factor: &str, levels: &[String]) -> MessageArg {
    if factor == SIZE_FACTOR_NAME {
        return sizes(data, levels);
    }
    let shared = |level: &String| {
        data.factors.iter().filter(|a| a.levels.contains(level)).count() > 1
            || level.parse::<f64>().is_ok()
            || ["on", "off", "yes", "no", "true", "false"].contains(&level.as_str())
    };
    let value = join_with_or(levels);
    if factor != PROBE_FACTOR_NAME && levels.iter().any(shared) {
        name_value_message(factor, value).into()
    } else {
        value
    }
}

/// `cpu 2`.
pub(super) fn name_value_message(name: impl Into<MessageArg>, value: impl Into<MessageArg>) -> Message {
    message!(clause_name_and_value { name, value })
}

/// Three or more consecutive sizes as `1 B to 256 B`.
fn sizes(data: &DataSet, levels: &[String]) -> MessageArg {
    let all: BTreeSet<u64> = data.rows.iter().filter_map(|r| r.size_bytes).collect();
    let wanted: BTreeSet<u64> = levels.iter().filter_map(|l| l.parse().ok()).collect();
    let mut runs: Vec<Vec<u64>> = Vec::new();
    let mut last = false;
    for size in all.union(&wanted) {
        let here = wanted.contains(size);
        match runs.last_mut() {
            Some(run) if here && last => run.push(*size),
            _ if here => runs.push(vec![*size]),
            _ => {}
        }
        last = here;
    }
    let in_words = |run: &Vec<u64>| match run.as_slice() {
        [first, _, .., end] => vec![range_arg(byte_size_arg(*first), byte_size_arg(*end))],
        few => few.iter().map(|s| byte_size_arg(*s)).collect(),
    };
    join_with_or(runs.iter().flat_map(in_words))
}

pub(super) fn level_name_arg(data: &DataSet, factor: &str, name: &str) -> MessageArg {
    level_names_arg(data, factor, std::slice::from_ref(&name.to_string()))
}

/// Probe line first, then the factors in the order of the tables: `udp, windows-nt4, pentium 75`. `None` for all.
fn level_subset(data: &DataSet, held: &BTreeMap<String, Vec<String>>) -> Option<MessageArg> {
    let order = [PROBE_FACTOR_NAME]
        .into_iter()
        .chain(data.factors.iter().map(|a| a.name.as_str()))
        .chain([SIZE_FACTOR_NAME]);
    let mut all: Vec<MessageArg> =
        order.filter_map(|f| held.get(f).map(|ls| level_names_arg(data, f, ls))).collect();
    match all.len() {
        0 => None,
        1 => all.pop(),
        _ => Some(MessageArg::List(all)),
    }
}

/// The combinations of [`find_level_subsets`], for example `udp, windows-nt4; tcp`, the rest counted. `None` where they
/// have nothing in common.
pub(super) fn level_subsets_arg(data: &DataSet, places: &[(CellKey, bool)]) -> Option<MessageArg> {
    let parts = find_level_subsets(data, places);
    let rest: usize = parts.iter().skip(MAX_PARTS).map(|p| p.count).sum();
    let more = (rest > 0).then(|| message!(clause_so_many_more { n: rest }).into());
    join_with_semicolons(
        parts.iter().take(MAX_PARTS).filter_map(|p| level_subset(data, &p.levels)).chain(more),
    )
}

/// Factors with one level only are left out.
pub(super) fn combination_arg(data: &DataSet, place: &CellKey) -> Option<MessageArg> {
    let mut names = level_names(data, place);
    if data.measures.iter().map(|m| &m.probe).collect::<BTreeSet<_>>().len() < 2 {
        names.remove(PROBE_FACTOR_NAME);
    }
    for axis in data.factors.iter().filter(|a| a.levels.len() < 2) {
        names.remove(&axis.name);
    }
    level_subset(data, &names.into_iter().map(|(f, l)| (f, vec![l])).collect())
}

/// The same with the condition of a question: `what with link 10base-t and os linux`.
pub(super) fn append_filter_condition(
    data: &DataSet,
    what: impl Into<MessageArg>,
    only: &LevelFilter,
) -> MessageArg {
    if only.is_empty() {
        return what.into();
    }
    let order = data.factors.iter().filter_map(|a| only.get(&a.name).map(|l| (&a.name, l)));
    let place = join_with_and(order.map(|(factor, levels)| name_value_message(factor, join_with_or(levels))));
    message!(clause_what_where { what, place }).into()
}

/// For example `tcp and udp`; a metric other than the primary one is named.
pub(super) fn metric_names_arg(data: &DataSet, measures: &[usize]) -> MessageArg {
    let name = |m: &usize| -> Option<MessageArg> {
        let head = data.measures.get(*m)?;
        let primary_metric = data.measures.iter().position(|other| other.probe == head.probe) == Some(*m);
        let (metric, probe) = (&head.figure, &head.probe);
        Some(if primary_metric {
            probe.into()
        } else {
            message!(part_conclusion_metric { metric, probe }).into()
        })
    };
    join_with_and(measures.iter().filter_map(name))
}

pub(super) fn evidence_line(data: &DataSet, cell: &MeasuredCell) -> Message {
    let place = combination_arg(data, &cell.place).unwrap_or_default();
    let figure = measured_value_arg(data, cell.place.measure, cell.median_value());
    let mut sources = cell.rows.iter().filter_map(|r| data.rows.get(*r)).map(|r| r.evidence.clone());
    match (sources.next(), sources.count()) {
        (None, _) => message!(part_conclusion_at_place { place, figure }),
        (Some(source), 0) => message!(report_at_place_from { place, figure, source }),
        (Some(source), more) => {
            message!(report_at_place_median_of { place, figure, n: cell.values.len(), source, more })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture;
    use super::*;
    use goodput_model::experiment::data_set::DisplayUnit;

    #[test]
    fn figures_are_written_as_the_source_prints_them() {
        let mut data = fixture::tcp_data_set(|_, _, _| None);
        assert_eq!(format_measured_value(&data, 0, 112_150_000.0), "112.2 Mbit/s");
        data.printed = vec![DisplayUnit { measure: 0, unit: "Mbit/s".into(), scale: 1e6, decimals: 2 }];
        assert_eq!(format_measured_value(&data, 0, 112_150_000.0), "112.15 Mbit/s");
        assert_eq!(format_measured_value(&data, 0, 8_900_000.0), "8.90 Mbit/s");
    }

    #[test]
    fn numbers_read_well() {
        assert_eq!([1.0, 999.96, 12_345.6].map(digits), ["1.000", "1,000.0", "12,346"]);
        assert_eq!([10_000.0, 7.5].map(|p| arg_english_text(&price_arg(p)).into_owned()), ["10,000", "7.50"]);
        assert_eq!(ratio_range_message([1.1, 1.874, 1.3]), "1.10 to 1.87 times");
        assert_eq!(ratio_range_message([1.1, 1.1]), "1.10 times");
        assert_eq!(ratio_range_message([1.1, f64::INFINITY]), "1.10 to infinitely many times");
        assert_eq!([65_536, 1 << 20, 64].map(format_size), ["64 KiB", "1 MiB", "64 B"]);
        assert_eq!(arg_english_text(&join_with_or(["a", "b", "c"])), "a, b or c");
        assert_eq!(arg_english_text(&join_with_and(["a", "b"])), "a and b");
        assert_eq!(combination_count_message(3, 3), "in all 3 of 3 combinations");
        assert_eq!(combination_count_message(0, 2), "in none of 2 combinations");
        assert_eq!(combination_count_message(0, 1), "in none of 1 combination");
        assert_eq!(combination_count_message(1, 1), "in the one combination measured");
    }

    #[test]
    fn sizes_that_follow_each_other_are_a_span() {
        let mut data = fixture::tcp_data_set(|_, _, _| Some(1.0));
        for (row, power) in data.rows.iter_mut().zip(6..) {
            row.size_bytes = Some(1 << power);
        }
        let named = |sizes: &[u64]| {
            let names: Vec<String> = sizes.iter().map(u64::to_string).collect();
            arg_english_text(&level_names_arg(&data, SIZE_FACTOR_NAME, &names)).into_owned()
        };
        assert_eq!(named(&[64, 128, 256, 1024, 4096, 8192]), "64 B to 256 B, 1 KiB, 4 KiB or 8 KiB");
        assert_eq!(named(&[128]), "128 B");
    }

    #[test]
    fn a_bare_number_is_never_a_level_by_itself() {
        let data = fixture::tcp_data_set(|_, _, _| None);
        assert_eq!(arg_english_text(&level_names_arg(&data, "cpu", &["1".into(), "2".into()])), "cpu 1 or 2");
        assert_eq!(arg_english_text(&level_names_arg(&data, "link", &["slow".into()])), "slow");
    }
}
