//! Figures read out of an English sentence, as the reader writes them.

use crate::Language;
use fluent_bundle::FluentValue;
use fluent_bundle::types::FluentNumber;

/// Units that may follow a number in our sentences.
const UNITS: [&str; 18] = [
    "%", "B", "KiB", "MiB", "GiB", "TiB", "kB/s", "MB/s", "bit/s", "kbit/s", "Mbit/s", "Gbit/s", "Tbit/s",
    "ns", "µs", "ms", "s", "points",
];
/// Digits of a number that a double holds exactly.
const DIGITS: usize = 15;

/// A figure as a number, which chooses the plural and is written with the decimals that it had; a quantity (`1,234.5 ms`)
/// with the reader's signs; anything else as it is. A number is never grouped: it may be a port.
pub fn value(language: Language, text: &str) -> FluentValue<'static> {
    if is_number(text)
        && let Ok(number) = text.parse::<FluentNumber>()
    {
        return FluentValue::Number(number);
    }
    match text.split_once(' ') {
        Some((number, unit))
            if language == Language::Russian && UNITS.contains(&unit) && is_grouped(number) =>
        {
            // In Russian thousands are parted by a space and the decimal sign is a comma (GOST 8.417).
            let signs = number.replace(',', "\u{a0}").replace('.', ",");
            FluentValue::String(format!("{signs} {unit}").into())
        }
        _ => FluentValue::String(text.to_string().into()),
    }
}

/// `0`, `12`, `12.50`; not `007`, `1e3`, `1.2.3`, which may be anything.
fn is_number(text: &str) -> bool {
    let (whole, fraction) = text.split_once('.').map_or((text, None), |(w, f)| (w, Some(f)));
    let digits = |t: &str| !t.is_empty() && t.bytes().all(|b| b.is_ascii_digit());
    let plain = digits(whole) && (whole == "0" || !whole.starts_with('0'));
    plain && fraction.is_none_or(digits) && text.len() <= DIGITS
}

/// A number whose thousands may be parted by commas.
fn is_grouped(text: &str) -> bool {
    is_number(&text.replace(',', "")) && !text.starts_with(',') && !text.contains(",,")
}

/// Writes numbers with a decimal comma. To be handed to a bundle as its formatter.
pub fn with_comma<M>(value: &FluentValue<'_>, _: &M) -> Option<String> {
    match value {
        FluentValue::Number(number) => Some(number.as_string().replace('.', ",")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(language: Language, text: &str) -> String {
        match value(language, text) {
            FluentValue::Number(n) if language == Language::Russian => n.as_string().replace('.', ","),
            FluentValue::Number(n) => n.as_string().into_owned(),
            FluentValue::String(s) => s.into_owned(),
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn figures_keep_their_decimals() {
        assert_eq!(written(Language::Japanese, "12.50"), "12.50");
        assert_eq!(written(Language::Russian, "12.50"), "12,50");
        assert_eq!(written(Language::Russian, "0.000"), "0,000");
        assert_eq!(written(Language::Russian, "1,234.5 ms"), "1\u{a0}234,5 ms");
        assert_eq!(written(Language::Russian, "93.66 Mbit/s"), "93,66 Mbit/s");
    }

    #[test]
    fn what_only_looks_like_one_is_left() {
        for text in ["10.0.0.1", "007", "1e3", "6.17.0", "eth0", "1.5 x", ",5 ms", "12345678901234567890", ""]
        {
            assert_eq!(written(Language::Russian, text), text);
        }
    }
}
