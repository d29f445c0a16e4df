//! Simulations of the statistics of experiments: false alarms under drift, power, coverage. Seeds are fixed;
//! every test prints its table (`cargo test experiment_statistics -- --nocapture`).

mod coverage;
mod false_alarms;
mod lab_noise;
pub mod noise;
mod played;
mod power;
mod steadiness;
