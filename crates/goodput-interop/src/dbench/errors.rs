//! Errors and warnings about load files.

use std::fmt;

/// A line that was skipped, or understood in spite of its form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoadFileWarning {
    /// Counted from 1.
    pub line: u32,
    pub text: String,
}

impl fmt::Display for LoadFileWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.text)
    }
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {fault}")]
pub struct LoadFileError {
    /// Counted from 1; the last one for what is missing altogether.
    pub line: u32,
    pub fault: LoadFileErrorKind,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LoadFileErrorKind {
    #[error("the path {path:?} is refused: {why}")]
    Path {
        /// At most its first 80 characters.
        path: String,
        why: &'static str,
    },
    #[error("{word} is made up by dbench 5 while it runs and is not played here")]
    MadeUp { word: String },
    #[error("{word} is an operation of dbench 1; load files of dbench 3 to 5 are read")]
    DbenchOne { word: String },
    #[error("{word} {why}")]
    Control { word: &'static str, why: &'static str },
    #[error("{what}: at most {most} are read")]
    TooMany { what: &'static str, most: u64 },
    #[error("{what} is {found}, at most {most} is played")]
    TooLarge { what: &'static str, found: u64, most: u64 },
    #[error("the gzip data breaks off or is damaged: {why}")]
    Gzip { why: String },
    #[error("no line of the file is an operation of a load file")]
    NoOperation,
}

impl LoadFileError {
    pub fn hint(&self) -> String {
        match &self.fault {
            LoadFileErrorKind::Path { .. } => "paths of a load file begin with \\ and stay below it".into(),
            LoadFileErrorKind::MadeUp { .. } => {
                "leave the line out, or write the names and numbers that are meant".into()
            }
            LoadFileErrorKind::DbenchOne { .. } | LoadFileErrorKind::NoOperation => {
                "name a load file such as /usr/share/dbench/client.txt, or play ours: office".into()
            }
            LoadFileErrorKind::Gzip { .. } => "fetch the file anew, or unpack it with gunzip to see".into(),
            LoadFileErrorKind::Control { .. }
            | LoadFileErrorKind::TooMany { .. }
            | LoadFileErrorKind::TooLarge { .. } => "correct the line, or divide the file".into(),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("operation {operation} of the load cannot be written: {why}")]
pub struct LoadFileWriteError {
    pub operation: usize,
    pub why: &'static str,
}

/// At most 80 characters.
pub(super) fn truncate_text(text: &str) -> String {
    text.chars().take(80).collect()
}
