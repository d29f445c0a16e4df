//! Other tools' file formats, one module a tool. Units are converted only here; an ambiguous one is an error.

pub mod dbench;
pub mod iometer;
pub mod netpipe;
pub mod published_data;

use goodput_words::{Message, message};
use serde::Serialize;
use std::fmt;

/// A line that was skipped, or understood in spite of its form.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LineWarning {
    /// Counted from 1.
    pub line: usize,
    #[serde(with = "goodput_model::message::english")]
    pub text: Message,
}

impl LineWarning {
    pub fn message(&self) -> Message {
        message!(error_line_why { line: self.line.to_string(), why: &self.text })
    }
}

impl fmt::Display for LineWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.message())
    }
}

/// At most 80 characters.
fn truncate_text(text: &str) -> &str {
    text.char_indices().nth(80).map_or(text, |(end, _)| &text[..end])
}
