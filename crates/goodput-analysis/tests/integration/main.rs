//! Estimates, the statistics of experiments and the summaries of trials, held to values known beforehand.

mod coverage;
mod experiment_statistics;
mod summaries;
