//! Why a lab could not be started.

use goodput_words::{ErrorMessage, Message, error_messages, message};
use serde::{Deserialize, Serialize};
use std::io;

/// As the keeper reports it through the pipe.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LabStartFailure {
    pub kind: LabStartFailureKind,
    pub what: Message,
    pub cause: Option<Message>,
    pub hint: Option<Message>,
}

error_messages! {
    LabStartFailure {
        LabStartFailure { what, cause: Some(why), .. } => message!(list_colon { what, why }),
        LabStartFailure { what, .. } => what,
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum LabStartFailureKind {
    NotPermitted,
    ToolMissing,
    /// A link, a limit of a host, or what has no kind of its own.
    Network,
    HostCommand,
}

impl LabStartFailure {
    pub(crate) fn new(what: impl Into<Message>) -> LabStartFailure {
        LabStartFailure { kind: LabStartFailureKind::Network, what: what.into(), cause: None, hint: None }
    }

    /// For `map_err`.
    pub(crate) fn wrap_error<E: Into<io::Error>>(
        what: impl Into<Message>,
    ) -> impl FnOnce(E) -> LabStartFailure {
        let failure = LabStartFailure::new(what);
        move |cause| {
            let cause: io::Error = cause.into();
            LabStartFailure { cause: Some(cause.message()), ..failure }
        }
    }

    pub(crate) fn with_kind(self, kind: LabStartFailureKind) -> LabStartFailure {
        LabStartFailure { kind, ..self }
    }

    pub(crate) fn with_hint(self, hint: impl Into<Message>) -> LabStartFailure {
        LabStartFailure { hint: Some(hint.into()), ..self }
    }

    /// The failure of a larger step.
    pub(crate) fn with_context(self, what: Message) -> LabStartFailure {
        LabStartFailure { cause: Some(self.message()), what, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_keeps_every_cause() {
        let source = io::Error::from_raw_os_error(libc::ENOENT);
        let inner = LabStartFailure::wrap_error("cannot run /none")(source);
        let outer = inner.with_context("cannot put host a onto its bus".into());
        assert!(outer.cause.unwrap().starts_with("cannot run /none: No such file"));
    }
}
