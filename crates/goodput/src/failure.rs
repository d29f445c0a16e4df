//! Errors for the user: `error:`, `cause:`, `hint:` on a terminal, one document with `--json`.

pub use goodput_server::problem::error_chain;

use crate::exit::ExitStatus;
use goodput_analysis::result_document::document_from_trials;
use goodput_control::ControlError;
use goodput_model::summary::{ErrorDocument, ResultDocument};
use std::error::Error;
use std::fmt;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    pub exit: ExitStatus,
    pub error: String,
    pub cause: Option<String>,
    pub hint: Option<String>,
}

impl Failure {
    pub fn new(exit: ExitStatus, error: impl Into<String>) -> Failure {
        Failure { exit, error: error.into(), cause: None, hint: None }
    }

    /// Exit code 2.
    pub fn usage_error(error: impl Into<String>) -> Failure {
        Failure::new(ExitStatus::Usage, error)
    }

    pub fn with_cause(mut self, cause: impl Into<String>) -> Failure {
        self.cause = Some(cause.into());
        self
    }

    pub fn with_hint(mut self, hint: impl Into<String>) -> Failure {
        self.hint = Some(hint.into());
        self
    }

    pub fn from_error(exit: ExitStatus, what: impl Into<String>, error: &dyn Error) -> Failure {
        Failure::new(exit, what).with_cause(error_chain(error))
    }

    /// Error and cause on one line.
    pub fn one_line_message(&self) -> String {
        match &self.cause {
            Some(cause) => format!("{}: {cause}", self.error),
            None => self.error.clone(),
        }
    }

    pub fn error_document(&self) -> ErrorDocument {
        ErrorDocument {
            error: self.error.clone(),
            cause: self.cause.clone(),
            hint: self.hint.clone(),
            exit_code: self.exit.code(),
        }
    }

    pub fn result_document(&self) -> ResultDocument {
        ResultDocument { error: Some(self.error_document()), ..document_from_trials(None, []) }
    }
}

/// Turns the error of a library into a failure, with the chain of errors as its cause.
pub trait OrFailure<T> {
    fn or_failure(self, exit: ExitStatus, what: impl Into<String>) -> Result<T, Failure>;
}

impl<T, E: Error> OrFailure<T> for Result<T, E> {
    fn or_failure(self, exit: ExitStatus, what: impl Into<String>) -> Result<T, Failure> {
        self.map_err(|e| Failure::from_error(exit, what, &e))
    }
}

pub trait WithHint {
    fn with_hint(self, hint: impl Into<String>) -> Self;
}

impl<T> WithHint for Result<T, Failure> {
    fn with_hint(self, hint: impl Into<String>) -> Self {
        self.map_err(|failure| failure.with_hint(hint))
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "error: {}", self.error)?;
        if let Some(cause) = &self.cause {
            write!(f, "\ncause: {cause}")?;
        }
        if let Some(hint) = &self.hint {
            write!(f, "\nhint: {hint}")?;
        }
        Ok(())
    }
}

pub fn failure_from_control_error(what: &str, error: &ControlError) -> Failure {
    let failure = Failure::new(ExitStatus::from(error), format!("{what}: {error}"));
    Failure { cause: error.cause(), hint: error.hint(), ..failure }
}

impl From<&ControlError> for ExitStatus {
    fn from(error: &ControlError) -> ExitStatus {
        match error {
            ControlError::Interrupted => ExitStatus::Interrupted,
            ControlError::KeyNeeded { .. } | ControlError::Ambiguous { .. } => ExitStatus::Usage,
            e if e.is_unreachable() => ExitStatus::Unreachable,
            _ => ExitStatus::CannotMeasure,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chain_says_each_thing_once() {
        #[derive(Debug, thiserror::Error)]
        #[error("cannot read the key")]
        struct Outer(#[source] std::io::Error);
        let e = Outer(std::io::Error::other("no such file"));
        assert_eq!(error_chain(&e), "cannot read the key: no such file");
    }
}
