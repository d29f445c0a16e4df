//! Standard output: one document with `--json`, otherwise text. A closed pipe (`goodput list | head -1`) is
//! no error.

use crate::failure::Failure;
use crate::language;
use goodput_model::summary::Document;
use serde::Serialize;
use std::ffi::OsString;
use std::io::Write;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    Text,
    /// One document (`--json`).
    Document,
    /// Lines as events happen (`--events`).
    Events,
}

impl Form {
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

pub fn json(value: &impl Serialize) {
    // Should a document fail to serialize, the reader still gets a document.
    let words = serde_json::to_string_pretty(value).unwrap_or_else(|e| {
        serde_json::json!({ "error": { "error": "the result cannot be written", "cause": e.to_string(),
            "hint": null, "exit_code": 4 } })
        .to_string()
    });
    text(&format!("{words}\n"));
}

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

pub fn failure(failure: &Failure, as_json: bool) {
    if as_json {
        json(&failure.whole_document());
    } else {
        eprintln!("{}", language::text(&failure.to_string()));
    }
}

/// `None` if standard output is not a terminal.
pub fn width() -> Option<u16> {
    terminal_size::terminal_size_of(std::io::stdout()).map(|(columns, _)| columns.0)
}
