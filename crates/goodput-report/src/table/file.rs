//! Tables of work on files: copies, the drive mark, a mix over its players, and what limits the copies.

mod copies;
mod mix;
mod rows;
mod verdict;

pub use copies::copies_table;
pub use mix::{classes_table, mix_table, split_table};
pub use rows::{latency_table, marks_table, round_trip_table};
pub use verdict::resources_table;

use super::cell::{Cell, or_none, plain, time};
use goodput_model::summary::Spread;

/// MB/s without the unit that the column names.
fn mb(bps: f64) -> Cell {
    plain(bps / 8e6)
}

/// Both ends of an interval in MB/s.
fn mb_interval(spread: &Spread) -> Cell {
    or_none(spread.interval, |(low, high)| mb(low).followed(format_args!(" to {}", mb(high))))
}

/// A time of an operation.
fn latency(ns: Option<f64>) -> Cell {
    or_none(ns, |ns| time(ns.max(0.0).round()))
}

/// What an interval of few trials is.
const INTERVALS: &str = "95 %: interval of the median by order statistics; of fewer than six trials their range, which is less sure.";
