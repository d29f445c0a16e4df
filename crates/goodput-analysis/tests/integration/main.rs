//! Estimates, statistics of experiments and summaries of trials, compared with known values.

mod coverage;
mod experiment_statistics;
mod summaries;
