//! Quantities with types, integers until the last step. Parsing is strict: a unit with two readings (`64K`,
//! `100M`) is an error that names both, and so is a number without its unit.

use serde::{Deserialize, Serialize};
use std::error::Error;
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

/// Why a typed quantity is invalid. `goodput_words::quantity_error` has the texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QuantityError {
    pub typed: String,
    pub kind: QuantityKind,
    pub fault: QuantityFault,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QuantityKind {
    Size,
    Rate,
    Time,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum QuantityFault {
    NoNumber,
    NoUnit,
    UnknownUnit {
        unit: String,
    },
    /// Not a whole number of the smallest unit, or too large.
    NotWhole,
    /// `64K`, and what was meant: `64kB` or `64KiB`.
    TwoReadings {
        unit: String,
        one: String,
        other: String,
    },
    /// `100M` as a rate.
    BitsOrBytes {
        unit: String,
        number: String,
        bits: &'static str,
    },
    /// `5m` as a time.
    MinutesOrMilliseconds {
        unit: String,
        number: String,
    },
}

impl QuantityKind {
    pub fn name(self) -> &'static str {
        match self {
            QuantityKind::Size => "size",
            QuantityKind::Rate => "rate",
            QuantityKind::Time => "time",
        }
    }

    /// The smallest first.
    pub fn unit_names(self) -> impl Iterator<Item = &'static str> {
        self.units().iter().map(|(name, _)| *name)
    }

    pub fn example(self) -> &'static str {
        match self {
            QuantityKind::Size => "64KiB",
            QuantityKind::Rate => "100Mbit",
            QuantityKind::Time => "10s",
        }
    }

    fn units(self) -> &'static Units {
        match self {
            QuantityKind::Size => SIZE_UNITS,
            QuantityKind::Rate => RATE_UNITS,
            QuantityKind::Time => TIME_UNITS,
        }
    }
}

impl QuantityFault {
    /// The unit has two readings.
    pub fn is_ambiguous(&self) -> bool {
        use QuantityFault::{BitsOrBytes, MinutesOrMilliseconds, TwoReadings};
        matches!(self, TwoReadings { .. } | BitsOrBytes { .. } | MinutesOrMilliseconds { .. })
    }
}

impl fmt::Display for QuantityError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = self.kind.name();
        write!(f, "{:?} is not a {what}: ", self.typed)?;
        match &self.fault {
            QuantityFault::NoNumber => f.write_str("the value does not start with a number"),
            QuantityFault::NoUnit => f.write_str("the unit is missing"),
            QuantityFault::UnknownUnit { unit } => write!(f, "{unit:?} is not a unit of {what}"),
            QuantityFault::NotWhole => {
                write!(f, "it is not a whole number of {} that fits", self.kind.units()[0].0)
            }
            QuantityFault::TwoReadings { unit, .. } => write!(f, "the unit {unit} is ambiguous"),
            QuantityFault::BitsOrBytes { unit, .. } => write!(f, "{unit} has two readings, bits and bytes"),
            QuantityFault::MinutesOrMilliseconds { unit, .. } => {
                write!(f, "{unit} has two readings, minutes and milliseconds")
            }
        }
    }
}

impl Error for QuantityError {}

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

/// `bare` is the scale of a number without a unit.
fn parse(
    text: &str,
    kind: QuantityKind,
    bare: Option<u64>,
    ambiguous: impl Fn(&str, &str) -> Option<QuantityFault>,
) -> Result<u64, QuantityError> {
    let refuse = |fault| QuantityError { typed: text.to_string(), kind, fault };
    let (number, unit) = split(text);
    if number.is_empty() {
        return Err(refuse(QuantityFault::NoNumber));
    }
    let scale = if unit.is_empty() {
        bare.ok_or_else(|| refuse(QuantityFault::NoUnit))?
    } else if let Some((_, scale)) = kind.units().iter().find(|(name, _)| *name == unit) {
        *scale
    } else {
        let unknown = || QuantityFault::UnknownUnit { unit: unit.to_string() };
        return Err(refuse(ambiguous(number, unit).unwrap_or_else(unknown)));
    };
    scaled(number, scale).ok_or_else(|| refuse(QuantityFault::NotWhole))
}

/// Which prefix a unit begins with (0 kilo, 1 mega, 2 giga), in either case, and what follows it.
fn split_prefix(unit: &str) -> Option<(usize, &str)> {
    let letter = unit.chars().next()?.to_ascii_uppercase();
    Some((['K', 'M', 'G'].iter().position(|c| *c == letter)?, &unit[1..]))
}

/// A lone or wrongly cased prefix letter: decimal or binary?
fn size_readings(number: &str, unit: &str) -> Option<QuantityFault> {
    let (at, rest) = split_prefix(unit)?;
    matches!(rest, "" | "b" | "B" | "iB" | "ib" | "bps" | "bit" | "bit/s" | "bits").then(|| {
        let (decimal, binary) = (["kB", "MB", "GB"][at], ["KiB", "MiB", "GiB"][at]);
        let (one, other) = (format!("{number}{decimal}"), format!("{number}{binary}"));
        QuantityFault::TwoReadings { unit: unit.to_string(), one, other }
    })
}

impl FromStr for Bytes {
    type Err = QuantityError;
    /// `64`, `64 B`, `1.5 KiB`, `100MB`. `64K` is an error: 64,000 or 65,536 bytes?
    fn from_str(s: &str) -> Result<Self, QuantityError> {
        parse(s, QuantityKind::Size, Some(1), size_readings).map(Bytes)
    }
}

impl FromStr for BitRate {
    type Err = QuantityError;
    /// `100Mbit`, `2.5 Gbit/s`. `100M` is an error: bits or bytes a second?
    fn from_str(s: &str) -> Result<Self, QuantityError> {
        let plain = s.trim().strip_suffix("/s").unwrap_or(s.trim());
        let two = |number: &str, unit: &str| {
            let (at, rest) = split_prefix(unit)?;
            let bits = ["kbit", "Mbit", "Gbit"][at];
            let (unit, number) = (unit.to_string(), number.to_string());
            let fault = QuantityFault::BitsOrBytes { unit, number, bits };
            matches!(rest, "" | "b" | "B" | "bps" | "Bps").then_some(fault)
        };
        parse(plain, QuantityKind::Rate, None, two)
            .map(BitRate)
            .map_err(|e| QuantityError { typed: s.to_string(), ..e })
    }
}

impl FromStr for Nanos {
    type Err = QuantityError;
    /// `10s`, `250 ms`, `1.5min`. A bare `10` is an error: seconds or milliseconds?
    fn from_str(s: &str) -> Result<Self, QuantityError> {
        let two = |number: &str, unit: &str| {
            let (letter, number) = (unit.to_string(), number.to_string());
            let fault = QuantityFault::MinutesOrMilliseconds { unit: letter, number };
            matches!(unit, "m" | "M").then_some(fault)
        };
        parse(s, QuantityKind::Time, None, two).map(Nanos)
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
        let (unit, one, other) = ("K".into(), "64kB".into(), "64KiB".into());
        assert_eq!(e.fault, QuantityFault::TwoReadings { unit, one, other });
        assert_eq!(e.to_string(), "\"64K\" is not a size: the unit K is ambiguous");
        let rate = "100M".parse::<BitRate>().unwrap_err();
        assert!(matches!(rate.fault, QuantityFault::BitsOrBytes { bits: "Mbit", .. }), "{rate}");
        let time = "5m".parse::<Nanos>().unwrap_err();
        assert!(matches!(time.fault, QuantityFault::MinutesOrMilliseconds { .. }), "{time}");
        assert!(time.fault.is_ambiguous() && !"5 x".parse::<Nanos>().unwrap_err().fault.is_ambiguous());
    }

    #[test]
    fn a_rate_needs_time() {
        assert_eq!(BitRate::from_bytes_and_time(Bytes(125), Nanos(0)), None);
        assert_eq!(BitRate::from_bytes_and_time(Bytes(125), Nanos(1_000)), Some(BitRate(1_000_000_000)));
    }
}
