//! Documents, plans and repeats of experiments.

mod coverage;
mod documents;
mod properties;
