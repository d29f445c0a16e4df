//! Errors for the user: `error:`, `cause:`, `hint:` on a terminal, one document with `--json`.

pub use goodput_server::problem::chain;

use crate::exit::Exit;
use goodput_control::ControlError;
use goodput_model::summary::{Document, ErrorDocument, SCHEMA};
use std::fmt;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    pub exit: Exit,
    pub error: String,
    pub cause: Option<String>,
    pub hint: Option<String>,
}

impl Failure {
    pub fn new(exit: Exit, error: impl Into<String>) -> Failure {
        Failure { exit, error: error.into(), cause: None, hint: None }
    }

    /// Exit code 2.
    pub fn usage(error: impl Into<String>) -> Failure {
        Failure::new(Exit::Usage, error)
    }

    pub fn because(mut self, cause: impl Into<String>) -> Failure {
        self.cause = Some(cause.into());
        self
    }

    pub fn try_this(mut self, hint: impl Into<String>) -> Failure {
        self.hint = Some(hint.into());
        self
    }

    pub fn from_error(exit: Exit, what: impl Into<String>, error: &dyn std::error::Error) -> Failure {
        Failure::new(exit, what).because(chain(error))
    }

    pub fn document(&self) -> ErrorDocument {
        ErrorDocument {
            error: self.error.clone(),
            cause: self.cause.clone(),
            hint: self.hint.clone(),
            exit_code: self.exit.code(),
        }
    }

    pub fn whole_document(&self) -> Document {
        Document {
            schema: SCHEMA.to_string(),
            run: None,
            summary: None,
            trials: Vec::new(),
            search: None,
            load_curves: None,
            file_run: None,
            error: Some(self.document()),
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

pub fn control(what: &str, error: &ControlError) -> Failure {
    let mut failure = Failure::new(Exit::from(error), format!("{what}: {error}"));
    failure.cause = error.cause();
    failure.hint = error.hint();
    failure
}

impl From<&ControlError> for Exit {
    fn from(error: &ControlError) -> Exit {
        match error {
            ControlError::Interrupted => Exit::Interrupted,
            ControlError::KeyNeeded { .. } | ControlError::Ambiguous { .. } => Exit::Usage,
            e if e.is_unreachable() => Exit::Unreachable,
            _ => Exit::CannotMeasure,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_lines_and_a_document() {
        let f = Failure::usage("--size 64K").because("K has two readings").try_this("64kB or 64KiB");
        assert_eq!(f.to_string(), "error: --size 64K\ncause: K has two readings\nhint: 64kB or 64KiB");
        let json = serde_json::to_value(f.whole_document()).unwrap();
        assert_eq!(json["error"]["exit_code"], 2);
        assert_eq!(json["schema"], SCHEMA);
    }

    #[test]
    fn a_chain_says_each_thing_once() {
        #[derive(Debug, thiserror::Error)]
        #[error("cannot read the key")]
        struct Outer(#[source] std::io::Error);
        let e = Outer(std::io::Error::other("no such file"));
        assert_eq!(chain(&e), "cannot read the key: no such file");
    }
}
