//! Quantities as arguments of messages.

use crate::number_format;
use goodput_model::{MessageArg, MessageQuantity};

/// With this English text, for example `112.2 Mbit/s`.
pub fn quantity_arg(value: f64, unit: &str, text: String) -> MessageArg {
    // JSON has no such number.
    if value.is_finite() {
        MessageArg::Quantity(MessageQuantity { value, unit: unit.to_string().into(), text })
    } else {
        MessageArg::Text(text)
    }
}

/// Exact: `117,665,792 B`.
pub fn exact_bytes_arg(bytes: impl Into<i128>) -> MessageArg {
    let bytes: i128 = bytes.into();
    let sign = if bytes < 0 { "-" } else { "" };
    let size = u64::try_from(bytes.unsigned_abs()).unwrap_or(u64::MAX);
    quantity_arg(bytes as f64, "B", format!("{sign}{} B", number_format::format_count(size)))
}

pub fn time_arg(ns: f64) -> MessageArg {
    quantity_arg(ns, "ns", number_format::format_time(ns))
}

pub fn percent_arg(value: f64) -> MessageArg {
    quantity_arg(value, "%", number_format::format_percent(value))
}

/// `+3.1 %`.
pub fn signed_percent_arg(value: f64) -> MessageArg {
    quantity_arg(value, "%", number_format::format_signed_percent(value))
}

/// `1,234.50 Mbit/s`.
pub fn fixed_decimals_arg(value: f64, decimals: usize, unit: &str) -> MessageArg {
    let space = if unit.is_empty() { "" } else { " " };
    quantity_arg(
        value,
        unit,
        format!("{}{space}{unit}", number_format::format_grouped_digits(value, decimals)),
    )
}
