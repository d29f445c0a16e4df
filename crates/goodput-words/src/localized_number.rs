//! Numbers and dates in English sentences, and their format in other languages.

use crate::Language;
use fluent_bundle::FluentValue;
use fluent_bundle::types::FluentNumber;

/// Units that may follow a number after a space.
const UNITS: [&str; 28] = [
    "%", "B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB", "kB", "MB", "GB", "kB/s", "MB/s", "GB/s", "bit/s",
    "kbit/s", "Mbit/s", "Gbit/s", "Tbit/s", "Pbit/s", "Ebit/s", "ns", "µs", "ms", "s", "min", "h", "MHz",
];
/// Signs that may precede a number.
const BEFORE: [&str; 5] = ["± ", "< ", "+", "-", "−"];
/// Digits that a double represents exactly.
const DIGITS: usize = 15;

/// A number as Fluent's, which selects the plural and keeps decimals and grouping; a quantity (`1,234.5 ms`)
/// or date in the language's format; other text unchanged. Ungrouped numbers stay: they may be ports.
pub fn to_fluent_value(language: Language, text: &str) -> FluentValue<'static> {
    if is_number(text)
        && let Ok(mut number) = text.replace(',', "").parse::<FluentNumber>()
    {
        number.options.use_grouping = text.contains(',');
        return FluentValue::Number(number);
    }
    FluentValue::String(localize_number(language, text).into())
}

/// True for a number with or without unit: `0.5`, `1,234.5 ms`, `45,213/s`, `± 0.7 %`. Identifies numeric cells.
pub fn is_quantity(text: &str) -> bool {
    parted(text).is_some()
}

/// Formats a date for the language; other text is unchanged.
pub fn localize_date(language: Language, text: &str) -> String {
    instant(language, text).unwrap_or_else(|| text.to_string())
}

/// Formats a number or date for the language; other text is unchanged.
pub fn localize_number(language: Language, text: &str) -> String {
    let own = match (parted(text), language) {
        (_, Language::English) => None,
        // Russian: space for thousands, decimal comma (GOST 8.417).
        (Some((before, number, after)), Language::Russian) => {
            let number = number.replace(',', "\u{a0}").replace('.', ",");
            Some(format!("{before}{number}{after}"))
        }
        (Some(_), Language::Japanese) => None,
        (None, _) => instant(language, text),
    };
    own.unwrap_or_else(|| text.to_string())
}

/// Splits text into prefix, number, and unit with its separator.
fn parted(text: &str) -> Option<(&str, &str, &str)> {
    let at = BEFORE.iter().find(|before| text.starts_with(**before)).map_or(0, |before| before.len());
    let (before, rest) = text.split_at(at);
    let end = rest.find(|c: char| !c.is_ascii_digit() && c != ',' && c != '.').unwrap_or(rest.len());
    let (number, after) = rest.split_at(end);
    let unit =
        after.is_empty() || after == "/s" || after.strip_prefix(' ').is_some_and(|u| UNITS.contains(&u));
    (unit && is_number(number)).then_some((before, number, after))
}

/// Formats the day of `2026-11-21 03:45:46 UTC`; time and zone stay.
fn instant(language: Language, text: &str) -> Option<String> {
    let (day, rest) = text.split_once(' ')?;
    let mut parts = day.split('-');
    let (year, month, date) = (parts.next()?, parts.next()?, parts.next()?);
    let digits = |t: &str, n: usize| t.len() == n && t.bytes().all(|b| b.is_ascii_digit());
    let is_day = digits(year, 4) && digits(month, 2) && digits(date, 2) && parts.next().is_none();
    let time = rest.strip_suffix(" UTC")?;
    let is_time = time.len() == 8 && time.bytes().all(|b| b.is_ascii_digit() || b == b':');
    if !is_day || !is_time {
        return None;
    }
    match language {
        Language::English => None,
        Language::Japanese => Some(format!("{year}/{month}/{date} {rest}")),
        Language::Russian => Some(format!("{date}.{month}.{year} {rest}")),
    }
}

/// `0`, `12`, `12.50`, `1,234`; not `007`, `1e3`, `1.2.3`, `1,23`, which may be anything.
fn is_number(text: &str) -> bool {
    let (whole, fraction) = text.split_once('.').map_or((text, None), |(w, f)| (w, Some(f)));
    let digits = |t: &str| !t.is_empty() && t.bytes().all(|b| b.is_ascii_digit());
    let plain = match whole.split_once(',') {
        None => digits(whole) && (whole == "0" || !whole.starts_with('0')),
        Some((first, others)) => {
            let led = digits(first) && first.len() <= 3 && !first.starts_with('0');
            led && others.split(',').all(|group| digits(group) && group.len() == 3)
        }
    };
    plain && fraction.is_none_or(digits) && text.len() <= DIGITS
}

/// Fluent formatter for Japanese: commas for thousands, where they were grouped.
pub fn format_japanese_number<M>(value: &FluentValue<'_>, _: &M) -> Option<String> {
    written(value, ',', '.')
}

/// Fluent formatter for Russian: spaces for thousands, decimal comma.
pub fn format_russian_number<M>(value: &FluentValue<'_>, _: &M) -> Option<String> {
    written(value, '\u{a0}', ',')
}

fn written(value: &FluentValue<'_>, thousands: char, point: char) -> Option<String> {
    let FluentValue::Number(number) = value else { return None };
    let text = number.as_string();
    let (whole, fraction) = text.split_once('.').map_or((&*text, None), |(w, f)| (w, Some(f)));
    let whole = if number.options.use_grouping { grouped(whole, thousands) } else { whole.to_string() };
    Some(match fraction {
        Some(fraction) => format!("{whole}{point}{fraction}"),
        None => whole,
    })
}

fn grouped(digits: &str, by: char) -> String {
    let mut out = String::with_capacity(digits.len() * 2);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(by);
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(language: Language, text: &str) -> String {
        let value = to_fluent_value(language, text);
        let own = match language {
            Language::English => None,
            Language::Japanese => format_japanese_number(&value, &()),
            Language::Russian => format_russian_number(&value, &()),
        };
        own.unwrap_or_else(|| match value {
            FluentValue::Number(n) => n.as_string().into_owned(),
            FluentValue::String(s) => s.into_owned(),
            other => format!("{other:?}"),
        })
    }

    #[test]
    fn figures_keep_their_decimals_and_their_grouping() {
        for text in ["12.50", "81,146"] {
            assert_eq!(said(Language::Japanese, text), text);
        }
        let texts = "12.50|0.000|81,146|5304|1,234.5 ms|93.66 Mbit/s|45,213/s|± 0.7 %|-13.8 %".split('|');
        let russian: Vec<String> = texts.map(|text| said(Language::Russian, text)).collect();
        let expected =
            "12,50|0,000|81\u{a0}146|5304|1\u{a0}234,5 ms|93,66 Mbit/s|45\u{a0}213/s|± 0,7 %|-13,8 %";
        assert_eq!(russian.join("|"), expected);
    }

    #[test]
    fn what_only_looks_like_one_is_left() {
        let others = "10.0.0.1|007|1e3|6.17.0|eth0|1.5 x|,5 ms|1,23|12345678901234567890|5/s a|-|";
        for text in others.split('|') {
            assert_eq!(said(Language::Russian, text), text);
            assert!(!is_quantity(text), "{text}");
        }
    }

    #[test]
    fn a_day_is_written_as_the_reader_does() {
        let text = "2026-11-21 03:45:46 UTC";
        assert_eq!(said(Language::English, text), text);
        assert_eq!(said(Language::Japanese, text), "2026/11/21 03:45:46 UTC");
        assert_eq!(said(Language::Russian, text), "21.11.2026 03:45:46 UTC");
        for other in ["2026-11-21 today", "2026-11-21", "26-11-21 03:45:46 UTC", "a-b-c 03:45:46 UTC"] {
            assert_eq!(said(Language::Russian, other), other);
        }
    }
}
