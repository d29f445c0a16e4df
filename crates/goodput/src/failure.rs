//! Errors for the user: `error:`, `cause:`, `hint:` on a terminal, one document with `--json`.

use crate::exit::ExitStatus;
use goodput_analysis::result_document::document_from_trials;
use goodput_control::ControlError;
use goodput_model::Message;
use goodput_model::summary::{ErrorDocument, ResultDocument};
use goodput_words::error_message::foreign_error;
use goodput_words::{ErrorMessage, message};
use std::error::Error;
use std::fmt;

#[derive(Debug, Clone, PartialEq)]
pub struct Failure {
    pub exit: ExitStatus,
    pub error: Message,
    pub cause: Option<Message>,
    pub hint: Option<Message>,
}

impl Failure {
    pub fn new(exit: ExitStatus, error: impl Into<Message>) -> Failure {
        Failure { exit, error: error.into(), cause: None, hint: None }
    }

    /// Exit code 2.
    pub fn usage_error(error: impl Into<Message>) -> Failure {
        Failure::new(ExitStatus::Usage, error)
    }

    pub fn with_cause(mut self, cause: impl Into<Message>) -> Failure {
        self.cause = Some(cause.into());
        self
    }

    pub fn with_hint(mut self, hint: impl Into<Message>) -> Failure {
        self.hint = Some(hint.into());
        self
    }

    /// The error with its sources is the cause.
    pub fn from_error(exit: ExitStatus, what: impl Into<Message>, error: &impl ErrorMessage) -> Failure {
        Failure::new(exit, what).with_cause(error.message_with_sources())
    }

    /// The same with an error of another crate, whose text is English.
    pub fn from_foreign_error(
        exit: ExitStatus,
        what: impl Into<Message>,
        error: &(dyn Error + 'static),
    ) -> Failure {
        Failure::new(exit, what).with_cause(foreign_error(error))
    }

    /// Error and cause on one line.
    pub fn one_line_message(&self) -> Message {
        match &self.cause {
            Some(cause) => message!(list_colon { what: &self.error, why: cause }),
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

    /// `error: …`, `cause: …`, `hint: …`.
    pub fn lines(&self) -> Vec<Message> {
        let cause = self.cause.as_ref().map(|cause| message!(line_cause { said: cause }));
        let hint = self.hint.as_ref().map(|hint| message!(line_hint { said: hint }));
        [Some(message!(line_error { said: &self.error })), cause, hint].into_iter().flatten().collect()
    }
}

/// Turns the error of a library into a failure, with the chain of errors as its cause.
pub trait OrFailure<T> {
    fn or_failure(self, exit: ExitStatus, what: impl Into<Message>) -> Result<T, Failure>;
}

impl<T, E: ErrorMessage> OrFailure<T> for Result<T, E> {
    fn or_failure(self, exit: ExitStatus, what: impl Into<Message>) -> Result<T, Failure> {
        self.map_err(|e| Failure::from_error(exit, what, &e))
    }
}

pub trait WithHint {
    fn with_hint(self, hint: impl Into<Message>) -> Self;
}

impl<T> WithHint for Result<T, Failure> {
    fn with_hint(self, hint: impl Into<Message>) -> Self {
        self.map_err(|failure| failure.with_hint(hint))
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines: Vec<String> = self.lines().iter().map(Message::to_string).collect();
        f.write_str(&lines.join("\n"))
    }
}

pub fn failure_from_control_error(what: impl Into<Message>, error: &ControlError) -> Failure {
    let both = message!(list_colon { what: what.into(), why: error.message() });
    let failure = Failure::new(ExitStatus::from(error), both);
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
