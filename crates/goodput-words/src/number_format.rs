//! How a quantity is written for a person: one rule a kind, used by every text, table, figure and page.
//!
//! * **Rates** are decimal and keep four significant digits: `941.5 Mbit/s`, `1.000 Gbit/s`.
//! * **Message sizes** are binary and exact: `64 KiB`, `1.5 KiB`, `12,285 B`. A size gets the largest unit of
//!   which it is a whole or half multiple below 10,000; anything else is written in bytes, because a sweep's
//!   `64 KiB` and `64 KiB + 3 B` must not read alike.
//! * **Volumes** (totals that were measured) are binary and keep four significant digits: `112.2 MiB`; an
//!   exact one is written as a size.
//! * **Times** keep four significant digits: `12.31 µs`, `10.00 s`; whole nanoseconds below 1 µs stay whole.
//! * **Settings** (a rate or a time that somebody asked for) are exact and lose trailing zeros: `100 Mbit/s`, `10 s`.
//! * **Percentages** have one decimal, **counts** a comma every three digits.
//!
//! The unit follows the rounded value: 999.96 Mbit/s is `1.000 Gbit/s`. What is not a number is [`NONE`].
//! `fixtures/numbers.json` holds examples that every front end must reproduce.

use goodput_model::{BitRate, Bytes, Nanos};

pub const MISSING_VALUE: &str = "–";

pub const BIT_RATE_UNITS: &[(&str, f64)] = &[
    ("bit/s", 1.0),
    ("kbit/s", 1e3),
    ("Mbit/s", 1e6),
    ("Gbit/s", 1e9),
    ("Tbit/s", 1e12),
    ("Pbit/s", 1e15),
    ("Ebit/s", 1e18),
];
pub const TIME_UNITS: &[(&str, f64)] = &[("ns", 1.0), ("µs", 1e3), ("ms", 1e6), ("s", 1e9)];
pub const BYTE_UNITS: &[(&str, f64)] = &[
    ("B", 1.0),
    ("KiB", 1024.0),
    ("MiB", 1_048_576.0),
    ("GiB", 1_073_741_824.0),
    ("TiB", 1_099_511_627_776.0),
    ("PiB", 1_125_899_906_842_624.0),
    ("EiB", 1_152_921_504_606_846_976.0),
];

/// Decimals for four significant digits, at most `most`.
fn decimals(value: f64, most: usize) -> usize {
    let before = if value < 1.0 { 1 } else { value.log10().floor() as usize + 1 };
    4usize.saturating_sub(before).min(most)
}

/// Four significant digits, with the unit of the rounded value.
fn scaled(value: f64, units: &[(&str, f64)]) -> String {
    if !value.is_finite() {
        return MISSING_VALUE.into();
    }
    let sign = if value < 0.0 { "-" } else { "" };
    let value = value.abs();
    let mut at = units.iter().rposition(|(_, scale)| value >= *scale).unwrap_or(0);
    loop {
        let (name, scale) = units[at];
        let shown = value / scale;
        let digits = decimals(shown, 3);
        let text = format!("{shown:.digits$}");
        let rounded: f64 = text.parse().unwrap_or(shown);
        // Rounding may reach the next unit (999.96 -> 1000), or one more digit (99.996 -> 100.00).
        if units.get(at + 1).is_some_and(|(_, next)| rounded >= next / scale) {
            at += 1;
            continue;
        }
        let text = format!("{shown:.*}", decimals(rounded, 3).min(digits));
        return format!("{sign}{} {name}", group(&text));
    }
}

/// Adds commas for thousands.
fn group(text: &str) -> String {
    let (whole, fraction) = text.split_once('.').map_or((text, None), |(w, f)| (w, Some(f)));
    let mut out = String::new();
    for (i, c) in whole.chars().enumerate() {
        if i > 0 && (whole.len() - i) % 3 == 0 && out.chars().last().is_some_and(|c| c.is_ascii_digit()) {
            out.push(',');
        }
        out.push(c);
    }
    if let Some(fraction) = fraction {
        out.push('.');
        out.push_str(fraction);
    }
    out
}

pub fn format_rate(bits_per_second: u64) -> String {
    format_rate_f64(bits_per_second as f64)
}

/// Whole bits below 1 kbit/s.
pub fn format_rate_f64(bits_per_second: f64) -> String {
    if (0.0..999.5).contains(&bits_per_second) {
        return format!("{} bit/s", bits_per_second.round());
    }
    scaled(bits_per_second, BIT_RATE_UNITS)
}

pub fn format_rate_setting(rate: BitRate) -> String {
    exact(rate.0, &[("Gbit/s", 1_000_000_000), ("Mbit/s", 1_000_000), ("kbit/s", 1_000), ("bit/s", 1)])
}

/// A time that somebody asked for, exact: `10 s`, `150 ms`.
pub fn format_time_setting(time: Nanos) -> String {
    exact(time.0, &[("s", 1_000_000_000), ("ms", 1_000_000), ("µs", 1_000), ("ns", 1)])
}

/// The largest unit that needs at most two decimals.
fn exact(value: u64, units: &[(&str, u64)]) -> String {
    for (name, scale) in units {
        if value < *scale {
            continue;
        }
        let (whole, rest) = (value / scale, value % scale);
        if rest == 0 {
            return format!("{} {name}", format_count(whole));
        }
        if rest % (scale / 100).max(1) == 0 && *scale >= 100 {
            let hundredths = format!("{:02}", rest / (scale / 100));
            return format!("{}.{} {name}", format_count(whole), hundredths.trim_end_matches('0'));
        }
    }
    format!("{} {}", format_count(value), units.last().map_or("", |u| u.0))
}

pub fn format_size(bytes: u64) -> String {
    for (name, shift) in [("EiB", 60), ("PiB", 50), ("TiB", 40), ("GiB", 30), ("MiB", 20), ("KiB", 10)] {
        let unit = 1u64 << shift;
        if bytes >= unit && bytes.is_multiple_of(unit / 2) && bytes >> shift < 10_000 {
            let half = if bytes.is_multiple_of(unit) { "" } else { ".5" };
            return format!("{}{half} {name}", format_count(bytes >> shift));
        }
    }
    format!("{} B", format_count(bytes))
}

pub fn format_size_setting(bytes: Bytes) -> String {
    format_size(bytes.0)
}

/// Four significant digits; an exact value is formatted as a size.
pub fn format_data_volume(bytes: u64) -> String {
    let unit = BYTE_UNITS.iter().rposition(|(_, scale)| bytes as f64 >= *scale).unwrap_or(0);
    let exact = format_size(bytes);
    if unit == 0 || exact.ends_with(BYTE_UNITS[unit].0) {
        return exact;
    }
    scaled(bytes as f64, BYTE_UNITS)
}

/// Mean bytes per call: `131,072 B` becomes `128 KiB`, `1447.6` becomes `1.414 KiB`.
pub fn format_data_volume_f64(bytes: f64) -> String {
    if bytes.is_finite() && bytes >= 0.0 && bytes.fract() == 0.0 && bytes < 9e15 {
        return format_data_volume(bytes as u64);
    }
    scaled(bytes, BYTE_UNITS)
}

/// In nanoseconds: `12.31 µs`, `10.00 s`, `312.4 ns`.
pub fn format_time(ns: f64) -> String {
    if ns.is_finite() && ns.abs() < 999.95 {
        let text = format!("{ns:.1}");
        let text = text.strip_suffix(".0").unwrap_or(&text);
        return format!("{} ns", if text == "-0" { "0" } else { text });
    }
    scaled(ns, TIME_UNITS)
}

pub fn format_nanos(ns: u64) -> String {
    format_time(ns as f64)
}

/// One decimal, without `-0.0`.
pub fn format_percent(value: f64) -> String {
    if !value.is_finite() {
        return MISSING_VALUE.into();
    }
    let text = format!("{value:.1}");
    format!("{} %", group(if text == "-0.0" { "0.0" } else { &text }))
}

/// As [`percent`] from 1 %, else two significant digits: `0.012 %`.
pub fn format_small_percent(value: f64) -> String {
    let small = value.abs();
    if !value.is_finite() || small >= 0.995 {
        return format_percent(value);
    }
    if small < 1e-12 {
        return "0 %".into();
    }
    let digits = (1 - small.log10().floor() as i32).max(1) as usize;
    let text = format!("{value:.digits$}");
    format!("{} %", text.trim_end_matches('0').trim_end_matches('.'))
}

/// A calculated limit: Mbit/s with two decimals, to compare with published values: `94,148.24 Mbit/s`.
pub fn format_medium_limit_rate(rate: BitRate) -> String {
    // In hundredths of Mbit/s, rounded half up, in integers.
    let hundredths = (rate.0.saturating_add(5_000)) / 10_000;
    format!("{}.{:02} Mbit/s", format_count(hundredths / 100), hundredths % 100)
}

/// Three decimals: `94.148 %`.
pub fn format_medium_limit_percent(value: f64) -> String {
    if value.is_finite() { format!("{} %", group(&format!("{value:.3}"))) } else { MISSING_VALUE.into() }
}

/// One decimal: `11,037.7`.
pub fn format_medium_limit_packet_rate(per_second: f64) -> String {
    if per_second.is_finite() { group(&format!("{per_second:.1}")) } else { MISSING_VALUE.into() }
}

/// Peak in MB/s: whole from 100, else one decimal: `133 MB/s`, `53.2 MB/s`.
pub fn format_bus_peak_rate(bytes_per_second: u64) -> String {
    let megabytes = bytes_per_second as f64 / 1e6;
    let digits = usize::from(megabytes < 100.0);
    format!("{} MB/s", group(&format!("{megabytes:.digits$}")))
}

/// Decimal megabytes: `115.2 MB/s`.
pub fn format_megabytes_per_second(bits_per_second: f64) -> String {
    format!("{} MB/s", format_number(bits_per_second / 8e6))
}

/// A requested file length: decimal if whole, `600 MB`, else binary, `1 GiB`.
pub fn format_file_size(bytes: u64) -> String {
    for (unit, scale) in [("GB", 1_000_000_000), ("MB", 1_000_000)] {
        if bytes >= scale && bytes.is_multiple_of(scale) {
            return format!("{} {unit}", format_count(bytes / scale));
        }
    }
    format_size(bytes)
}

/// A count: `45,210`.
pub fn format_count(n: u64) -> String {
    group(&n.to_string())
}

/// Whole from 1,000, else four significant digits: `45,213/s`, `812.4/s`.
pub fn format_count_per_second(value: f64) -> String {
    format!("{}/s", format_number(value))
}

/// Whole from 1,000, else four significant digits.
pub fn format_number(value: f64) -> String {
    if !value.is_finite() {
        return MISSING_VALUE.into();
    }
    let digits = decimals(value.abs(), 3);
    // Rounding may reach one more digit (9.9997 -> 10.000).
    let rounded: f64 = format!("{value:.digits$}").parse().unwrap_or(value);
    let text = format!("{value:.*}", decimals(rounded.abs(), 3).min(digits));
    let text = if text.trim_start_matches('-').chars().all(|c| c == '0' || c == '.') { "0" } else { &text };
    group(text)
}

/// Formats a value in a base unit of [`goodput_model::metric::unit`]: `bit/s`, `ns`, `byte`, `%`, `1/s`, `µs
/// per KiB`, … or none. Packet sizes stay in bytes: `1,500 B`.
pub fn format_value_with_unit(value: f64, unit: &str) -> String {
    match unit {
        "bit/s" => format_rate_f64(value),
        "ns" => format_time(value),
        "µs" => format_time(value * 1e3),
        "byte" if (0.0..=LARGEST_PACKET).contains(&value) => format!("{} B", plain_count(value)),
        "byte" => format_data_volume_f64(value),
        "%" => format_percent(value),
        "1/s" => format_count_per_second(value),
        "" => format_number(value),
        other => format!("{} {other}", format_number(value)),
    }
}

/// The largest IP packet (RFC 791).
const LARGEST_PACKET: f64 = 65_535.0;

fn plain_count(value: f64) -> String {
    if value.fract() == 0.0 { format_count(value as u64) } else { format_number(value) }
}

/// `1,234.50`; [`NONE`] for non-numbers.
pub fn format_grouped_digits(value: f64, decimals: usize) -> String {
    if !value.is_finite() {
        return MISSING_VALUE.into();
    }
    let text = format!("{value:.decimals$}");
    let zero = text.trim_start_matches('-').chars().all(|c| c == '0' || c == '.');
    let text = if zero { text.trim_start_matches('-') } else { &text };
    match text.strip_prefix('-') {
        Some(digits) => format!("-{}", group(digits)),
        None => group(text),
    }
}

/// A change in per cent with its sign: `+3.1 %`, `-0.42 %`.
pub fn format_signed_percent(value: f64) -> String {
    if !value.is_finite() {
        return MISSING_VALUE.into();
    }
    let decimals = if value.abs() < 1.0 { 2 } else { 1 };
    let text = format_grouped_digits(value, decimals);
    let sign = if value > 0.0 && !text.chars().all(|c| c == '0' || c == '.') { "+" } else { "" };
    format!("{sign}{text} %")
}

/// Common decimals for ascending positive values. Values published with up to two decimals keep them; others
/// get four significant digits of the middle value, at least three of the smallest, at most three decimals.
pub fn common_decimal_places(shown: &[f64]) -> usize {
    let (Some(least), Some(middle)) = (shown.first(), shown.get(shown.len() / 2)) else { return 0 };
    let exact = |places: usize| {
        let unit = 10f64.powi(places as i32);
        shown.iter().all(|v| ((v * unit).round() / unit - v).abs() <= v * 1e-12)
    };
    if let Some(places) = (0..=2).find(|p| exact(*p)) {
        return places;
    }
    let places = |value: f64, digits: i32| (digits - 1 - value.log10().floor() as i32).clamp(0, 3) as usize;
    places(*middle, 4).max(places(*least, 3))
}

pub fn capitalize(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |c| c.to_uppercase().collect::<String>() + chars.as_str())
}

pub fn format_optional_value<T>(value: Option<T>, f: impl FnOnce(T) -> String) -> String {
    value.map_or_else(|| MISSING_VALUE.into(), f)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_golden_examples_hold() {
        let golden: serde_json::Value =
            serde_json::from_str(include_str!("../../../fixtures/numbers.json")).unwrap();
        let mut seen = 0;
        for (kind, examples) in golden["kinds"].as_object().unwrap() {
            for example in examples.as_array().unwrap() {
                let (value, text) = (&example[0], example[1].as_str().unwrap());
                let (f, u) = (value.as_f64().unwrap(), value.as_u64());
                let got = match kind.as_str() {
                    "rate_bps" => format_rate(u.unwrap()),
                    "rate_setting_bps" => format_rate_setting(BitRate(u.unwrap())),
                    "size_bytes" => format_size(u.unwrap()),
                    "volume_bytes" => format_data_volume_f64(f),
                    "time_ns" => format_time(f),
                    "time_setting_ns" => format_time_setting(Nanos(u.unwrap())),
                    "percent" => format_percent(f),
                    "count" => format_count(u.unwrap()),
                    "per_second" => format_count_per_second(f),
                    "plain" => format_number(f),
                    other => panic!("unknown kind {other}"),
                };
                assert_eq!(got, text, "{kind} {value}");
                seen += 1;
            }
        }
        assert!(seen > 60, "only {seen} examples");
    }

    #[test]
    fn a_figure_is_written_by_its_unit() {
        for (value, unit, text) in [
            (94_130_000.0, "bit/s", "94.13 Mbit/s"),
            (12_310.0, "ns", "12.31 µs"),
            (117_665_792.0, "byte", "112.2 MiB"),
            (45_213.4, "1/s", "45,213/s"),
            (99.94, "%", "99.9 %"),
            (2.7104, "Mbit/s per %", "2.710 Mbit/s per %"),
            (3.0, "", "3.000"),
            (f64::NAN, "bit/s", MISSING_VALUE),
        ] {
            assert_eq!(format_value_with_unit(value, unit), text, "{value} {unit}");
        }
    }

    #[test]
    fn what_is_not_a_number_is_said_so() {
        for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            let texts = [format_time(bad), format_percent(bad), format_number(bad), format_rate_f64(bad)];
            assert_eq!(texts, [MISSING_VALUE; 4]);
        }
        assert_eq!(format_optional_value(None::<u64>, format_count), MISSING_VALUE);
    }

    #[test]
    fn rounding_keeps_four_digits_and_small_shares_two() {
        assert_eq!([9.9997, 999.96, 0.99996].map(format_number), ["10.00", "1,000", "1.000"]);
        let texts = [0.0, 12.34, 1.0, 0.01234, 0.000_099_96, f64::NAN].map(format_small_percent);
        assert_eq!(texts, ["0 %", "12.3 %", "1.0 %", "0.012 %", "0.0001 %", MISSING_VALUE]);
    }

    #[test]
    fn limits_are_written_as_tables_print_them() {
        let rates = [94_148_244_473, 9_004_999, u64::MAX].map(|rate| format_medium_limit_rate(BitRate(rate)));
        assert_eq!(rates, ["94,148.24 Mbit/s", "9.00 Mbit/s", "18,446,744,073,709.55 Mbit/s"]);
        assert_eq!(format_medium_limit_percent(94.1482), "94.148 %");
        assert_eq!(format_medium_limit_packet_rate(11_037.74), "11,037.7");
        assert_eq!(
            [format_bus_peak_rate(266_400_000), format_bus_peak_rate(53_248_000)],
            ["266 MB/s", "53.2 MB/s"]
        );
    }

    proptest::proptest! {
        #[test]
        fn four_digits_are_kept(bps in 1_000u64..=u64::MAX) {
            let text = format_rate(bps);
            let (number, unit) = text.split_once(' ').unwrap();
            let scale = BIT_RATE_UNITS.iter().find(|(name, _)| *name == unit).unwrap().1;
            let back: f64 = number.replace(',', "").parse::<f64>().unwrap() * scale;
            proptest::prop_assert!((back / bps as f64 - 1.0).abs() <= 0.000_500_1, "{bps} {text}");
            let digits = number.chars().filter(char::is_ascii_digit).count();
            proptest::prop_assert_eq!(digits, 4, "{} {}", bps, text);
        }

        #[test]
        fn sizes_are_exact(bytes in proptest::prelude::any::<u64>()) {
            let text = format_size(bytes).replace(',', "");
            let (number, unit) = text.split_once(' ').unwrap();
            let scale = BYTE_UNITS.iter().find(|(name, _)| *name == unit).unwrap().1 as u128;
            let halves = number.strip_suffix(".5").map_or_else(
                || number.parse::<u128>().unwrap() * 2,
                |n| n.parse::<u128>().unwrap() * 2 + 1,
            );
            proptest::prop_assert_eq!(halves * scale / 2, bytes as u128);
        }

        #[test]
        fn any_number_can_be_written(v in proptest::num::f64::ANY) {
            for text in [format_time(v), format_percent(v), format_number(v), format_count_per_second(v), format_data_volume_f64(v), format_rate_f64(v)] {
                proptest::prop_assert!(!text.is_empty());
            }
        }
    }
}
