//! Statistics of experiments: from a data set to comparisons, effects and conclusions. Every file has a
//! method page in `docs/methods/` and is tested against published values.

pub mod bootstrap;
pub mod cell_samples;
pub mod change_point;
pub mod change_requirement;
pub mod comparison;
pub mod conclusions;
pub mod curve_shape;
pub mod curves;
pub mod data_set;
pub mod detectable_change;
pub mod effects;
pub mod host_changes;
mod least_squares;
pub mod level_ranking;
pub mod multiple_testing;
pub mod paired_comparison;
pub mod price_performance;
pub mod primary_metric;
pub mod rank_sum_test;
pub mod sign_flip_test;
pub mod steady_state;
#[cfg(test)]
pub(crate) mod test_data;
pub mod transfer_time_model;
mod trial_findings;
pub mod unpaired_comparison;
