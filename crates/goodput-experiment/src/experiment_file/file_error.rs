//! Errors in an experiment's file: the line, what is wrong, what to type.

use crate::error::ExperimentError;
use crate::probe_command::closest_spelling;
use goodput_model::MessageArg;
use goodput_words::{Message, error_messages, message};

#[derive(Debug, Clone, PartialEq)]
pub struct ExperimentFileError {
    /// Counted from 1.
    pub line: usize,
    pub what: Message,
    pub hint: Message,
}

error_messages! {
    ExperimentFileError {
        ExperimentFileError { line, what, .. } => {
            message!(error_line_why { line: line.to_string(), why: what })
        },
    }
}

/// Before the line is known: the position is in bytes from the beginning.
#[derive(Debug)]
pub(crate) struct PositionedError {
    at: usize,
    error: ExperimentError,
}

pub(crate) type ParseResult<T> = Result<T, PositionedError>;

pub(crate) fn error_at_position<T>(
    at: usize,
    what: impl Into<Message>,
    hint: impl Into<Message>,
) -> ParseResult<T> {
    Err(ExperimentError::new(what, hint).at_position(at))
}

impl ExperimentError {
    pub(crate) fn at_position(self, at: usize) -> PositionedError {
        PositionedError { at, error: self }
    }
}

impl PositionedError {
    pub(crate) fn with_line_number(self, text: &str) -> ExperimentFileError {
        let ExperimentError { what, hint } = self.error;
        ExperimentFileError { line: line_of(text, self.at), what, hint }
    }
}

pub(crate) fn valid_names_hint<S: AsRef<str>>(typed: &str, known: &[S]) -> Message {
    let names: Vec<&str> = known.iter().map(AsRef::as_ref).collect();
    match (closest_spelling(typed, known), known.is_empty()) {
        (_, true) => message!(file_hint_there_is_none),
        (Some(nearest), _) => message!(file_hint_write_nearest { nearest, names }),
        (None, _) => message!(file_hint_write_one_of { names }),
    }
}

/// Two lines of a file, of which either is possible.
pub(crate) fn either_hint(one: impl Into<MessageArg>, other: &str) -> Message {
    message!(hint_experiment_this_or_that { one, other })
}

fn line_of(text: &str, at: usize) -> usize {
    text.get(..at.min(text.len())).unwrap_or("").matches('\n').count() + 1
}

/// Common mistakes have their own text.
pub(crate) fn file_error_from_toml(text: &str, error: &toml::de::Error) -> ExperimentFileError {
    let line = line_of(text, error.span().map_or(0, |span| span.start));
    let message = error.message().lines().collect::<Vec<_>>().join(" ");
    let (what, hint) = match quoted(&message).as_slice() {
        [typed, known @ ..] if message.starts_with("unknown field") => {
            (message!(file_no_key_here { key: *typed }), valid_names_hint(typed, known))
        }
        [typed, known @ ..] if message.starts_with("unknown variant") => {
            (message!(file_not_known_here { word: format!("{typed:?}") }), valid_names_hint(typed, known))
        }
        [key, ..] if message.starts_with("missing field") => {
            let hint = message!(hint_experiment_key { line: format!("{key} = …") });
            (message!(error_experiment_key_missing { key: *key }), hint)
        }
        _ => (message.as_str().into(), "docs/experiments.md shows every key with an example".into()),
    };
    ExperimentFileError { line, what, hint }
}

fn quoted(message: &str) -> Vec<&str> {
    message.split('`').skip(1).step_by(2).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_has_a_line_and_a_choice_names_what_was_meant() {
        assert_eq!([0, 1, 2, 3, 9].map(|at| line_of("a\nb\n", at)), [1, 1, 2, 2, 3]);
        assert_eq!(valid_names_hint("cubik", &["cubic", "bbr"]), "write cubic; valid names: cubic, bbr");
        assert_eq!(valid_names_hint("x", &["cubic", "bbr"]), "write one of cubic, bbr");
        assert_eq!(valid_names_hint("x", &[""; 0]), "no valid name is defined");
    }
}
