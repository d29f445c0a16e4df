//! What is wrong with an experiment, and what to type instead.

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{what}")]
pub struct ExperimentError {
    pub what: String,
    pub hint: String,
}

impl ExperimentError {
    pub(crate) fn new(what: impl Into<String>, hint: impl Into<String>) -> ExperimentError {
        ExperimentError { what: what.into(), hint: hint.into() }
    }
}
