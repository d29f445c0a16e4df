//! Quantities with types, integers until the last step. Parsing is strict: a unit with two readings (`64K`,
//! `100M`) is an error that names both, and so is a number without its unit.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Bytes(pub u64);

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct BitRate(pub u64);

/// A time span; also a reading of one host's monotonic clock where a field says so.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Nanos(pub u64);

/// Why a typed quantity is invalid, and what is accepted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{typed:?} is not a {what}: {why}")]
pub struct QuantityError {
    pub typed: String,
    /// "size", "rate" or "time".
    pub what: &'static str,
    pub why: String,
    pub hint: String,
    /// The unit has two readings, and the hint names both.
    pub is_ambiguous: bool,
}

impl BitRate {
    /// `None` when no time has passed.
    pub fn from_bytes_and_time(moved: Bytes, elapsed: Nanos) -> Option<BitRate> {
        if elapsed.0 == 0 {
            return None;
        }
        let bits = moved.0 as u128 * 8 * 1_000_000_000;
        u64::try_from((bits + elapsed.0 as u128 / 2) / elapsed.0 as u128).ok().map(BitRate)
    }
}

impl Nanos {
    pub const SECOND: Nanos = Nanos(1_000_000_000);

    /// For the last step of a computation.
    pub fn as_secs_f64(self) -> f64 {
        self.0 as f64 / 1e9
    }

    pub fn to_duration(self) -> std::time::Duration {
        std::time::Duration::from_nanos(self.0)
    }
}

impl From<std::time::Duration> for Nanos {
    fn from(d: std::time::Duration) -> Self {
        Nanos(u64::try_from(d.as_nanos()).unwrap_or(u64::MAX))
    }
}

/// Units by name, and how many base units each is.
type Units = [(&'static str, u64)];

const SIZE_UNITS: &Units = &[
    ("B", 1),
    ("kB", 1_000),
    ("MB", 1_000_000),
    ("GB", 1_000_000_000),
    ("KiB", 1 << 10),
    ("MiB", 1 << 20),
    ("GiB", 1 << 30),
];
const RATE_UNITS: &Units = &[("bit", 1), ("kbit", 1_000), ("Mbit", 1_000_000), ("Gbit", 1_000_000_000)];
const TIME_UNITS: &Units =
    &[("ns", 1), ("us", 1_000), ("ms", 1_000_000), ("s", 1_000_000_000), ("min", 60_000_000_000)];

fn split(text: &str) -> (&str, &str) {
    let text = text.trim();
    let end = text.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(text.len());
    (&text[..end], text[end..].trim())
}

/// A decimal number times a whole scale, exactly; `None` if it is no number, no whole result, or too large.
fn scaled(number: &str, scale: u64) -> Option<u64> {
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    if whole.is_empty() || (number.contains('.') && fraction.is_empty()) || fraction.len() > 18 {
        return None;
    }
    let whole: u128 = whole.parse().ok()?;
    let mut total = whole.checked_mul(scale as u128)?;
    if !fraction.is_empty() {
        let part: u128 = fraction.parse().ok()?;
        let divisor = 10u128.pow(fraction.len() as u32);
        let product = part.checked_mul(scale as u128)?;
        if product % divisor != 0 {
            return None;
        }
        total = total.checked_add(product / divisor)?;
    }
    u64::try_from(total).ok()
}

fn parse(
    text: &str,
    what: &'static str,
    units: &Units,
    bare: Option<u64>,
    ambiguous: impl Fn(&str, &str) -> Option<(String, String)>,
    example: &str,
) -> Result<u64, QuantityError> {
    let refuse = |why: String| {
        let names = units.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(" ");
        let hint = format!("type a number and one of {names}, for example {example}");
        QuantityError { typed: text.to_string(), what, why, hint, is_ambiguous: false }
    };
    let (number, unit) = split(text);
    if number.is_empty() {
        return Err(refuse("the value does not start with a number".into()));
    }
    let scale = if unit.is_empty() {
        bare.ok_or_else(|| refuse("the unit is missing".into()))?
    } else if let Some((_, scale)) = units.iter().find(|(name, _)| *name == unit) {
        *scale
    } else if let Some((why, hint)) = ambiguous(number, unit) {
        return Err(QuantityError { hint, is_ambiguous: true, ..refuse(why) });
    } else {
        return Err(refuse(format!("{unit:?} is not a unit of {what}")));
    };
    scaled(number, scale)
        .ok_or_else(|| refuse(format!("it is not a whole number of {} that fits", units[0].0)))
}

/// Which prefix a unit begins with (0 kilo, 1 mega, 2 giga), in either case, and what follows it.
fn split_prefix(unit: &str) -> Option<(usize, &str)> {
    let letter = unit.chars().next()?.to_ascii_uppercase();
    Some((['K', 'M', 'G'].iter().position(|c| *c == letter)?, &unit[1..]))
}

/// The two readings of a lone or wrongly cased prefix letter, as a reason and a hint.
fn two_readings(
    number: &str,
    unit: &str,
    decimal: &[&str; 3],
    binary: &[&str; 3],
) -> Option<(String, String)> {
    let (at, rest) = split_prefix(unit)?;
    if !matches!(rest, "" | "b" | "B" | "iB" | "ib" | "bps" | "bit" | "bit/s" | "bits") {
        return None;
    }
    Some((
        format!("the unit {unit} is ambiguous"),
        format!("type {number}{} or {number}{}", decimal[at], binary[at]),
    ))
}

impl FromStr for Bytes {
    type Err = QuantityError;
    /// `64`, `64 B`, `1.5 KiB`, `100MB`. `64K` is an error: 64,000 or 65,536 bytes?
    fn from_str(s: &str) -> Result<Self, QuantityError> {
        let two = |n: &str, u: &str| two_readings(n, u, &["kB", "MB", "GB"], &["KiB", "MiB", "GiB"]);
        parse(s, "size", SIZE_UNITS, Some(1), two, "64KiB").map(Bytes)
    }
}

impl FromStr for BitRate {
    type Err = QuantityError;
    /// `100Mbit`, `2.5 Gbit/s`. `100M` is an error: bits or bytes a second?
    fn from_str(s: &str) -> Result<Self, QuantityError> {
        let plain = s.trim().strip_suffix("/s").unwrap_or(s.trim());
        let two = |n: &str, u: &str| {
            let (at, rest) = split_prefix(u)?;
            let bits = ["kbit", "Mbit", "Gbit"][at];
            matches!(rest, "" | "b" | "B" | "bps" | "Bps").then(|| {
                (
                    format!("{u} has two readings, bits and bytes"),
                    format!(
                        "type {n}{bits}, or 8 times the number if bytes a second were meant: {n}x8 {bits}"
                    ),
                )
            })
        };
        parse(plain, "rate", RATE_UNITS, None, two, "100Mbit")
            .map(BitRate)
            .map_err(|e| QuantityError { typed: s.to_string(), ..e })
    }
}

impl FromStr for Nanos {
    type Err = QuantityError;
    /// `10s`, `250 ms`, `1.5min`. A bare `10` is an error: seconds or milliseconds?
    fn from_str(s: &str) -> Result<Self, QuantityError> {
        let two = |n: &str, u: &str| {
            matches!(u, "m" | "M").then(|| {
                (format!("{u} has two readings, minutes and milliseconds"), format!("type {n}min or {n}ms"))
            })
        };
        parse(s, "time", TIME_UNITS, None, two, "10s").map(Nanos)
    }
}

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} B", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_exact_or_refused() {
        assert_eq!("64".parse(), Ok(Bytes(64)));
        assert_eq!("1.5 KiB".parse(), Ok(Bytes(1536)));
        assert_eq!("100MB".parse(), Ok(Bytes(100_000_000)));
        for bad in "|-1|1e9|0.3B|99999999999999999999|NaN|1.|.5kB|1..2kB|64 XB|１kB".split('|') {
            assert!(bad.parse::<Bytes>().is_err(), "{bad}");
        }
        assert!("10".parse::<Nanos>().is_err() && "10".parse::<BitRate>().is_err());
    }

    #[test]
    fn two_readings_are_refused_with_both() {
        let e = "64K".parse::<Bytes>().unwrap_err();
        assert_eq!(e.hint, "type 64kB or 64KiB");
        assert!("100M".parse::<BitRate>().unwrap_err().hint.contains("100Mbit"));
        assert!("5m".parse::<Nanos>().unwrap_err().hint.contains("5min or 5ms"));
    }

    #[test]
    fn a_rate_needs_time() {
        assert_eq!(BitRate::from_bytes_and_time(Bytes(125), Nanos(0)), None);
        assert_eq!(BitRate::from_bytes_and_time(Bytes(125), Nanos(1_000)), Some(BitRate(1_000_000_000)));
    }
}
