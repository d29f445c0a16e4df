//! Computations on results: estimates with uncertainty, stopping rules, limits, summaries, findings. Pure
//! functions only: no I/O, no clock; random numbers come from a seed that the caller stores.

pub mod check;
pub mod compare_runs;
pub mod confidence_interval;
pub mod cpu;
pub mod datagram_losses;
pub mod descriptive_statistics;
pub mod diagnosis;
pub mod experiment;
pub mod file_results;
pub mod finding;
pub mod inventory_difference;
pub mod latency;
pub mod load_curve;
pub mod load_grid;
pub mod medium_limit;
pub mod pass_drift;
pub mod performance_claim;
pub mod primary_metric;
mod probe;
pub mod random;
pub mod rank_statistics;
pub mod rate_search;
pub mod result_document;
pub mod size_schedule;
pub mod stopping_rule;
pub mod summary;
pub mod sweep_summary;

use goodput_model::MessageArg;
use goodput_words::message_argument::quantity_arg;

/// Without grouping: `1538`, `1882.96 Mbit/s`.
pub(crate) fn ungrouped_arg(value: f64, decimals: usize, unit: &str) -> MessageArg {
    let space = if unit.is_empty() { "" } else { " " };
    quantity_arg(value, unit, format!("{value:.decimals$}{space}{unit}"))
}
