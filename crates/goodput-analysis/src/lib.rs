//! Computations on results: estimates with uncertainty, stopping rules, limits, summaries, findings. Pure
//! functions only: no I/O, no clock; random numbers come from a seed that the caller stores.

pub mod claim;
pub mod compare_runs;
pub mod cpu;
pub mod curve;
pub mod datagram_account;
pub mod describe;
pub mod difference;
pub mod document;
pub mod drift;
pub mod experiment;
pub mod file;
pub mod finding;
pub mod grid;
pub mod interval;
pub mod latency;
pub mod limit;
pub mod primary_metric;
mod probe;
pub mod random;
pub mod rank;
pub mod schedule;
pub mod search;
pub mod stopping;
pub mod summary;
pub mod sweep;
