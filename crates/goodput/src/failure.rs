//! Errors for the user: `error:`, `cause:`, `hint:` on a terminal, one document with `--json`.

pub use goodput_server::problem::error_chain;

use crate::exit::ExitStatus;
use goodput_control::ControlError;
use goodput_model::summary::{ErrorDocument, RESULT_SCHEMA, ResultDocument};
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

    pub fn from_error(exit: ExitStatus, what: impl Into<String>, error: &dyn std::error::Error) -> Failure {
        Failure::new(exit, what).with_cause(error_chain(error))
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
        ResultDocument {
            schema: RESULT_SCHEMA.to_string(),
            run: None,
            summary: None,
            trials: Vec::new(),
            search: None,
            load_curves: None,
            file_run: None,
            error: Some(self.error_document()),
        }
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

pub fn from_control_error(what: &str, error: &ControlError) -> Failure {
    let mut failure = Failure::new(ExitStatus::from(error), format!("{what}: {error}"));
    failure.cause = error.cause();
    failure.hint = error.hint();
    failure
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
    fn three_lines_and_a_document() {
        let f = Failure::usage_error("--size 64K")
            .with_cause("the unit K is ambiguous")
            .with_hint("64kB or 64KiB");
        assert_eq!(f.to_string(), "error: --size 64K\ncause: the unit K is ambiguous\nhint: 64kB or 64KiB");
        let json = serde_json::to_value(f.result_document()).unwrap();
        assert_eq!(json["error"]["exit_code"], 2);
        assert_eq!(json["schema"], RESULT_SCHEMA);
    }

    #[test]
    fn a_chain_says_each_thing_once() {
        #[derive(Debug, thiserror::Error)]
        #[error("cannot read the key")]
        struct Outer(#[source] std::io::Error);
        let e = Outer(std::io::Error::other("no such file"));
        assert_eq!(error_chain(&e), "cannot read the key: no such file");
    }
}
