//! From the words of a table back to a number, so that a reader can sort by it. What is read is as exact as the words
//! are: four digits of a measured figure.

use super::{RATE, TIME, VOLUME};

/// Larger times than those that are measured.
const LONG: [(&str, f64); 2] = [("min", 6e10), ("h", 3.6e12)];

/// A number that a cell begins with.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Read {
    /// In its base unit.
    pub value: f64,
    /// The base unit: `bit/s`, `B`, `B/s`, `ns`, `%`, `1/s`, or empty for a number without one.
    pub unit: &'static str,
}

/// The number at the beginning of a cell; `None` where the cell does not begin with one.
/// `94.13 Mbit/s (not as asked)` gives 94,130,000 bit/s; `1–3` gives 1; `< 0.001` gives 0.001.
pub fn read(text: &str) -> Option<Read> {
    let text = text.trim().trim_start_matches(['<', '>', '≤', '≥', '±', '≈']).trim_start();
    let (sign, text) = match text.strip_prefix(['-', '−']) {
        Some(rest) => (-1.0, rest),
        None => (1.0, text.strip_prefix('+').unwrap_or(text)),
    };
    let end = text.find(|c: char| !c.is_ascii_digit() && c != ',' && c != '.').unwrap_or(text.len());
    let (digits, rest) = text.split_at(end);
    // A date, an address or a name that begins with digits is no number.
    let number: f64 = digits.trim_end_matches([',', '.']).replace(',', "").parse().ok()?;
    let rest = rest.trim_start_matches(' ');
    let end = rest.find([' ', ',', ';', '(', ')', '–']).unwrap_or(rest.len());
    let (scale, unit) = base(&rest[..end])?;
    Some(Read { value: sign * number * scale, unit })
}

/// The size of a unit in its base unit, and that; `None` for a word that is none.
fn base(unit: &str) -> Option<(f64, &'static str)> {
    let of = |units: &[(&str, f64)]| units.iter().find(|(name, _)| *name == unit).map(|(_, scale)| *scale);
    if let Some(scale) = of(RATE) {
        return Some((scale, "bit/s"));
    }
    if let Some(scale) = of(TIME).or(of(&LONG)) {
        return Some((scale, "ns"));
    }
    if let Some(scale) = of(VOLUME) {
        return Some((scale, "B"));
    }
    match unit {
        "" | "of" | "to" | "CPU" | "CPUs" => Some((1.0, "")),
        "%" => Some((1.0, "%")),
        "/s" => Some((1.0, "1/s")),
        "kB/s" => Some((1e3, "B/s")),
        "MB/s" => Some((1e6, "B/s")),
        "GB/s" => Some((1e9, "B/s")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::{count, per_second, percent, plain, rate, size, time, volume};
    use super::*;

    #[test]
    fn cells_of_tables_are_read() {
        for (text, value) in [
            ("94.13 Mbit/s", 94_130_000.0),
            ("64 KiB", 65_536.0),
            ("12,285 B", 12_285.0),
            ("12.31 µs", 12_310.0),
            ("99.9 %", 99.9),
            ("45,213/s", 45_213.0),
            ("-2.500", -2.5),
            ("+3.1 %", 3.1),
            ("112.4 MB/s", 112.4e6),
            ("1–3", 1.0),
            ("< 0.001", 0.001),
            ("94.13 Mbit/s (not as asked)", 94_130_000.0),
            ("+8.0 to +12.0 % (within)", 8.0),
            ("3 of 6", 3.0),
        ] {
            let got = read(text).unwrap_or_else(|| panic!("{text}"));
            let got = got.value;
            assert!((got - value).abs() <= value.abs() * 1e-12, "{text}: {got}");
        }
        assert_eq!(read("7 MiB").map(|r| r.unit), Some("B"));
        for text in ["", "–", "cubic", "2026-11-21", "10.0.0.1", "8139too", "failed", "95th", "1e9x"] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    proptest::proptest! {
        /// What is written is read back as exactly as it was written, so that sorting by it is sorting by the words.
        #[test]
        fn what_is_written_is_read_back(v in 0.001f64..9e14) {
            let whole = v as u64;
            for (text, value, digits) in [
                (rate(whole), whole as f64, 0.0006_f64),
                (time(v), v, 0.06),
                (volume(whole), whole as f64, 0.0006),
                (size(whole), whole as f64, 0.0),
                (count(whole), whole as f64, 0.0),
            ] {
                let got = read(&text).unwrap().value;
                let allowed = if value >= 1000.0 { value * digits.min(0.0006) } else { digits.max(0.06) };
                proptest::prop_assert!((got - value).abs() <= allowed + 0.5, "{} {} {}", text, got, value);
            }
            for text in [percent(v), per_second(v), plain(v)] {
                proptest::prop_assert!(read(&text).is_some(), "{}", text);
            }
        }
    }
}
