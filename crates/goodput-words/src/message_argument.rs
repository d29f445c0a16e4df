//! Quantities as arguments of messages.

use crate::number_format;
use goodput_model::{Arg, Quantity};

fn quantity(value: f64, unit: &str, text: String) -> Arg {
    // JSON has no such number.
    if value.is_finite() {
        Arg::Quantity(Quantity { value, unit: unit.to_string().into(), text })
    } else {
        Arg::Text(text)
    }
}

pub fn rate(bits_per_second: f64) -> Arg {
    quantity(bits_per_second, "bit/s", number_format::rate_f(bits_per_second))
}

/// Exact: `117,665,792 B`.
pub fn bytes(bytes: impl Into<i128>) -> Arg {
    let bytes: i128 = bytes.into();
    let sign = if bytes < 0 { "-" } else { "" };
    let size = u64::try_from(bytes.unsigned_abs()).unwrap_or(u64::MAX);
    quantity(bytes as f64, "B", format!("{sign}{} B", number_format::count(size)))
}

/// `64 KiB`.
pub fn size(bytes: u64) -> Arg {
    quantity(bytes as f64, "B", number_format::size(bytes))
}

pub fn time(ns: f64) -> Arg {
    quantity(ns, "ns", number_format::time(ns))
}

pub fn percent(value: f64) -> Arg {
    quantity(value, "%", number_format::percent(value))
}

/// `+3.1 %`.
pub fn signed_percent(value: f64) -> Arg {
    quantity(value, "%", number_format::signed_percent(value))
}

/// `1,234.50 Mbit/s`.
pub fn fixed(value: f64, decimals: usize, unit: &str) -> Arg {
    let space = if unit.is_empty() { "" } else { " " };
    quantity(value, unit, format!("{}{space}{unit}", number_format::grouped(value, decimals)))
}
