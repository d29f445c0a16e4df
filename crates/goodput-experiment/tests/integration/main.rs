//! Documents, plans and repeats of experiments.

mod coverage;
mod documents;
mod properties;
#[path = "../../src/tests.rs"]
mod sample;
