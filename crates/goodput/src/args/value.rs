//! Reads one typed value and holds it to its bounds. A refusal shows what was typed and what would be accepted.

use crate::failure::Failure;
use goodput_model::datagram::LARGEST_PAYLOAD_V4;
use goodput_model::units::QuantityError;
use goodput_model::{BitRate, Bytes, Nanos};
use std::ops::RangeInclusive;
use std::str::FromStr;

const GIB: u64 = 1 << 30;

/// Bounds of a quantity, and how a person reads them.
pub struct Bounds<T> {
    /// What is accepted.
    pub range: RangeInclusive<T>,
    /// For the hint.
    pub words: &'static str,
}

/// Message sizes, buffers, reads.
pub const SIZE: Bounds<Bytes> = Bounds { range: Bytes(1)..=Bytes(GIB), words: "1B to 1GiB" };
/// Bytes at which a trial stops.
pub const TOTAL: Bounds<Bytes> =
    Bounds { range: Bytes(1)..=Bytes(1_000_000_000_000_000), words: "1B to 1000000GB" };
/// What fits into one UDP datagram over IPv4: 65,535 less both headers.
pub const UDP_SIZE: Bounds<Bytes> =
    Bounds { range: Bytes(1)..=Bytes(LARGEST_PAYLOAD_V4), words: "1B to 65507B" };
/// Any size, for an option with bounds of its own.
pub const ANY_SIZE: Bounds<Bytes> = Bounds { range: Bytes(0)..=Bytes(u64::MAX), words: "1B to 65507B" };
/// Rates of datagrams, as payload.
pub const DATAGRAM_RATE: Bounds<BitRate> =
    Bounds { range: BitRate(1)..=BitRate(10_000_000_000_000), words: "1bit to 10000Gbit" };
/// How long a window may be.
pub const WINDOW: Bounds<Nanos> =
    Bounds { range: Nanos(10_000_000)..=Nanos(86_400_000_000_000), words: "10ms to 1440min (a day)" };
/// Warm-up.
pub const WARM_UP: Bounds<Nanos> =
    Bounds { range: Nanos(0)..=Nanos(3_600_000_000_000), words: "0s to 60min" };
/// Time a size of a sweep may take.
pub const CAP: Bounds<Nanos> =
    Bounds { range: Nanos(1_000_000)..=Nanos(60_000_000_000), words: "1ms to 1min" };
/// Deadlines.
pub const DEADLINE: Bounds<Nanos> =
    Bounds { range: Nanos(10_000_000)..=Nanos(3_600_000_000_000), words: "10ms to 60min" };
/// Round trips that limits are computed for.
pub const ROUND_TRIP: Bounds<Nanos> =
    Bounds { range: Nanos(1_000)..=Nanos(60_000_000_000), words: "1us to 1min" };
/// The delay of receive coalescing.
pub const COALESCING_DELAY: Bounds<Nanos> =
    Bounds { range: Nanos(1_000)..=Nanos(10_000_000), words: "1us to 10ms" };
/// Time between two probes of latency.
pub const PROBE_INTERVAL: Bounds<Nanos> =
    Bounds { range: Nanos(10_000)..=Nanos(10_000_000_000), words: "10us to 10s" };
/// Payload of a probe of latency: its number, up to what fits into one UDP datagram over IPv4.
pub const PROBE_SIZE: Bounds<Bytes> =
    Bounds { range: Bytes(8)..=Bytes(LARGEST_PAYLOAD_V4), words: "8B to 65507B" };
/// What a disk was measured to move in a second.
pub const DISK: Bounds<Bytes> =
    Bounds { range: Bytes(1_000)..=Bytes(1_000_000_000_000), words: "1kB to 1000GB a second" };
/// Rates of media and of pacing.
pub const RATE: Bounds<BitRate> =
    Bounds { range: BitRate(1_000)..=BitRate(10_000_000_000_000), words: "1kbit to 10000Gbit" };

/// A quantity with a unit.
pub fn quantity<T>(option: &str, typed: &str, bounds: &Bounds<T>) -> Result<T, Failure>
where
    T: FromStr<Err = QuantityError> + PartialOrd,
{
    let value = typed.parse::<T>().map_err(|e| {
        Failure::usage(format!("{option} {} is refused", shown(typed)))
            .because(e.why)
            .try_this(format!("{} ({})", e.hint, bounds.words))
    })?;
    if bounds.range.contains(&value) { Ok(value) } else { Err(outside(option, typed, bounds.words)) }
}

/// A whole number without a unit.
pub fn whole(option: &str, typed: &str, range: RangeInclusive<u64>) -> Result<u64, Failure> {
    let words = format!("{} to {}", range.start(), range.end());
    let digits = !typed.is_empty() && typed.bytes().all(|b| b.is_ascii_digit());
    match typed.parse::<u64>() {
        Ok(value) if digits && range.contains(&value) => Ok(value),
        // A number too large for the machine is outside the bounds, not "no number".
        _ if digits => Err(outside(option, typed, &words)),
        _ => Err(Failure::usage(format!("{option} {} is refused", shown(typed)))
            .because("it is not a whole number")
            .try_this(format!("type a number from {words}, without a unit"))),
    }
}

/// A decimal number without a unit: digits, and at most one point.
pub fn decimal(option: &str, typed: &str, range: RangeInclusive<f64>) -> Result<f64, Failure> {
    let words = format!("{} to {}", range.start(), range.end());
    let plain =
        typed.bytes().all(|b| b.is_ascii_digit() || b == b'.') && typed.bytes().any(|b| b.is_ascii_digit());
    match typed.parse::<f64>() {
        Ok(value) if plain && range.contains(&value) => Ok(value),
        Ok(_) if plain => Err(outside(option, typed, &words)),
        _ => Err(Failure::usage(format!("{option} {} is refused", shown(typed)))
            .because("it is not a decimal number")
            .try_this(format!("type a number from {words}, for example {}", range.start()))),
    }
}

/// One of a few words.
pub fn word<T: Copy>(option: &str, typed: &str, accepted: &[(&str, T)]) -> Result<T, Failure> {
    accepted.iter().find(|(name, _)| *name == typed).map(|(_, value)| *value).ok_or_else(|| {
        let names: Vec<&str> = accepted.iter().map(|(name, _)| *name).collect();
        Failure::usage(format!("{option} {} is refused", shown(typed)))
            .because("there is no such choice")
            .try_this(format!("type {}", names.join(" or ")))
    })
}

/// CPU numbers: `0,2-3`.
pub fn cpus(option: &str, typed: &str) -> Result<Vec<u32>, Failure> {
    const MOST: u32 = 4095;
    let refuse = |why: String| {
        Failure::usage(format!("{option} {} is refused", shown(typed)))
            .because(why)
            .try_this(format!("type CPU numbers from 0 to {MOST}, for example 0,2-3"))
    };
    let number = |text: &str| -> Result<u32, Failure> {
        let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        text.parse::<u32>()
            .ok()
            .filter(|n| digits && *n <= MOST)
            .ok_or_else(|| refuse(format!("{} is no CPU number", shown(text))))
    };
    let mut list = Vec::new();
    for part in typed.split(',') {
        let (first, last) = match part.split_once('-') {
            Some((first, last)) => (number(first)?, number(last)?),
            None => (number(part)?, number(part)?),
        };
        if first > last {
            return Err(refuse(format!("{part} counts downwards")));
        }
        for cpu in first..=last {
            if list.contains(&cpu) {
                return Err(refuse(format!("CPU {cpu} is named twice")));
            }
            list.push(cpu);
        }
    }
    Ok(list)
}

/// A label `KEY=VALUE`.
pub fn label(option: &str, typed: &str) -> Result<(String, String), Failure> {
    match typed.split_once('=') {
        Some((key, value)) if !key.is_empty() && key.len() <= 64 && value.len() <= 1024 => {
            Ok((key.to_string(), value.to_string()))
        }
        _ => Err(Failure::usage(format!("{option} {} is refused", shown(typed)))
            .because("a label is a key of 1 to 64 bytes, an equals sign and a value of at most 1024 bytes")
            .try_this(format!("type {option} nic=x520"))),
    }
}

fn outside(option: &str, typed: &str, words: &str) -> Failure {
    Failure::usage(format!("{option} {} is refused", shown(typed)))
        .because("it is outside the bounds")
        .try_this(format!("type a value from {words}"))
}

/// What was typed, fit for one line: plain where it is plain, quoted and escaped where it is not.
pub fn shown(typed: &str) -> String {
    const LONG: usize = 80;
    let plain = !typed.is_empty() && typed.chars().all(|c| c.is_ascii_graphic() || c.is_alphanumeric());
    let short: String = typed.chars().take(LONG).collect();
    let mark = if short.len() < typed.len() { "…" } else { "" };
    if plain { format!("{short}{mark}") } else { format!("{short:?}{mark}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusals_show_what_was_typed_and_what_is_accepted() {
        let f = quantity("--size", "64K", &SIZE).unwrap_err();
        assert_eq!(f.error, "--size 64K is refused");
        assert_eq!(f.cause.as_deref(), Some("K has two readings"));
        assert_eq!(f.hint.as_deref(), Some("type 64kB or 64KiB (1B to 1GiB)"));
        let f = quantity("--size", "0", &SIZE).unwrap_err();
        assert_eq!(f.hint.as_deref(), Some("type a value from 1B to 1GiB"));
        let f = whole("--connections", "99999999999999999999999", 1..=128).unwrap_err();
        assert_eq!(f.cause.as_deref(), Some("it is outside the bounds"));
        assert!(whole("--connections", "+1", 1..=128).is_err());
    }

    #[test]
    fn decimals_are_plain() {
        assert_eq!(decimal("--rate", "1000.5", 0.1..=1e7), Ok(1000.5));
        for bad in ["1e3", "inf", "NaN", "-1", "", ".", "1.2.3", "0.01"] {
            assert!(decimal("--rate", bad, 0.1..=1e7).is_err(), "{bad}");
        }
    }

    #[test]
    fn cpu_lists() {
        assert_eq!(cpus("--cpus", "0,2-3"), Ok(vec![0, 2, 3]));
        for bad in ["", "a", "3-2", "1,1", "0-99999", "1-", ",", "4294967296"] {
            assert!(cpus("--cpus", bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn strange_text_is_shown_in_one_line() {
        assert_eq!(shown("a\nb"), "\"a\\nb\"");
        assert_eq!(shown(""), "\"\"");
        assert!(shown(&"x".repeat(500)).len() < 100);
    }
}
