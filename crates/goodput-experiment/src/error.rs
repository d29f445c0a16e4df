//! What is wrong with an experiment, and what to type instead.

use goodput_words::{Message, error_messages};

#[derive(Debug, Clone, PartialEq)]
pub struct ExperimentError {
    pub what: Message,
    pub hint: Message,
}

error_messages! { ExperimentError { ExperimentError { what, .. } => what } }

impl ExperimentError {
    pub(crate) fn new(what: impl Into<Message>, hint: impl Into<Message>) -> ExperimentError {
        ExperimentError { what: what.into(), hint: hint.into() }
    }
}
