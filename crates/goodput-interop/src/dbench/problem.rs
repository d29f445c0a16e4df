//! Errors and warnings about load files.

use std::fmt;

/// A line that was passed over, or understood in spite of how it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warning {
    /// The line, counted from 1.
    pub line: u32,
    pub text: String,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.text)
    }
}

/// Why a file is not taken as a load file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {fault}")]
pub struct LoadError {
    /// The line, counted from 1; the last one for what is missing altogether.
    pub line: u32,
    pub fault: Fault,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    #[error("the path {path:?} is refused: {why}")]
    Path {
        /// As it stands, at most its first 80 characters.
        path: String,
        why: &'static str,
    },
    /// Something of dbench 5 that is not played.
    #[error("{word} is made up by dbench 5 while it runs and is not played here")]
    MadeUp { word: String },
    /// A load file of dbench 1.
    #[error("{word} is an operation of dbench 1; load files of dbench 3 to 5 are read")]
    DbenchOne { word: String },
    /// A control line without its number, or with one that cannot be meant.
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

impl LoadError {
    pub fn hint(&self) -> String {
        match &self.fault {
            Fault::Path { .. } => "paths of a load file begin with \\ and stay below it".into(),
            Fault::MadeUp { .. } => {
                "leave the line out, or write the names and numbers that are meant".into()
            }
            Fault::DbenchOne { .. } | Fault::NoOperation => {
                "name a load file such as /usr/share/dbench/client.txt, or play ours: office".into()
            }
            Fault::Gzip { .. } => "fetch the file anew, or unpack it with gunzip to see".into(),
            Fault::Control { .. } | Fault::TooMany { .. } | Fault::TooLarge { .. } => {
                "correct the line, or divide the file".into()
            }
        }
    }
}

/// Why a load cannot be written as a load file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("operation {operation} of the load cannot be written: {why}")]
pub struct WriteError {
    /// Which, from 1.
    pub operation: usize,
    pub why: &'static str,
}

/// The first 80 characters: enough to know a word again.
pub(super) fn short(text: &str) -> String {
    text.chars().take(80).collect()
}
