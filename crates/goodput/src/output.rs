//! What goes to standard output: one document with `--json`, otherwise text. A reader that went away
//! (`goodput list | head -1`) is no error.

use crate::failure::Failure;
use crate::language;
use goodput_model::summary::Document;
use serde::Serialize;
use std::ffi::OsString;
use std::io::Write;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// A person: text, and errors on standard error.
    Text,
    /// A program: one document (`--json`).
    Document,
    /// A program that watches: lines as things happen (`--events`).
    Events,
}

impl Form {
    /// What stands anywhere in the arguments, however wrong the rest is.
    pub fn of(args: &[OsString]) -> Form {
        match (crate::args::wants(args, "--events"), crate::args::wants(args, "--json")) {
            (true, _) => Form::Events,
            (false, true) => Form::Document,
            (false, false) => Form::Text,
        }
    }
}

pub fn text(text: &str) {
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

/// Writes one JSON document on lines of its own.
pub fn json(value: &impl Serialize) {
    // Our documents hold only what JSON can say; should one not, the reader still gets a document.
    let words = serde_json::to_string_pretty(value).unwrap_or_else(|e| {
        serde_json::json!({ "error": { "error": "the result cannot be written", "cause": e.to_string(),
            "hint": null, "exit_code": 4 } })
        .to_string()
    });
    text(&format!("{words}\n"));
}

/// Writes a result: the document itself, or its tables.
pub fn result(document: &Document, as_json: bool) {
    if as_json {
        match goodput_report::json::document(document) {
            Ok(words) => text(&format!("{}\n", words.trim_end())),
            Err(_) => json(document),
        }
    } else {
        text(&format!("{}\n", language::tables(document, width()).trim_end()));
    }
}

/// Tells of a failure: on standard error for a person, as a document on standard output for a program.
pub fn failure(failure: &Failure, as_json: bool) {
    if as_json {
        json(&failure.whole_document());
    } else {
        eprintln!("{}", language::text(&failure.to_string()));
    }
}

/// Columns of the terminal that standard output is, if it is one.
pub fn width() -> Option<u16> {
    terminal_size::terminal_size_of(std::io::stdout()).map(|(columns, _)| columns.0)
}
