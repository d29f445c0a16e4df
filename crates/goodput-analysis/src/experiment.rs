//! Statistics of experiments: from a data set to comparisons, effects and conclusions. Every file has a
//! method page in `docs/methods/` and is tested against published values.

pub mod bootstrap;
pub mod cells;
pub mod change_point;
pub mod compare;
pub mod conclusions;
pub mod curve_shape;
pub mod curves;
pub mod data;
pub mod effects;
pub mod host_record;
mod least_squares;
pub mod multiple_testing;
pub mod paired;
pub mod price;
pub mod primary_metric;
pub mod ranks;
pub mod ranksum;
pub mod required_change;
pub mod resolution;
#[cfg(test)]
mod sample;
pub mod signflip;
pub mod steady;
pub mod time_model;
mod trial_findings;
pub mod unpaired;
