//! Holds the statistics of experiments to what they declare: false alarms under drift, power, coverage. Seeds are
//! fixed, so a run gives the same counts each time; every test prints its table (`cargo test
//! experiment_statistics -- --nocapture`).

mod coverage;
mod false_alarms;
mod lab_noise;
mod noise;
mod played;
mod power;
mod steadiness;
