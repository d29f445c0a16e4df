//! Output: a document with `--json`, else text. A closed pipe (`goodput list | head -1`) is no error.

use crate::failure::Failure;
use crate::language;
use crate::own_args::has_option;
use goodput_model::summary::ResultDocument;
use goodput_report::escape::escape_for_terminal;
use goodput_report::experiment::text::page_to_text;
use goodput_report::page::Page;
use goodput_report::table::Table;
use serde::Serialize;
use std::ffi::OsString;
use std::io::Write;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OutputFormat {
    Text,
    /// One document (`--json`).
    Document,
    /// Lines as events happen (`--events`).
    Events,
}

impl OutputFormat {
    pub fn from_args(args: &[OsString]) -> OutputFormat {
        match (has_option(args, "--events"), has_option(args, "--json")) {
            (true, _) => OutputFormat::Events,
            (false, true) => OutputFormat::Document,
            (false, false) => OutputFormat::Text,
        }
    }
}

pub fn print_text(text: &str) {
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

pub fn print_json(value: &impl Serialize) {
    // Should a document fail to serialize, the reader still gets a document.
    let words = serde_json::to_string_pretty(value).unwrap_or_else(|e| {
        serde_json::json!({ "error": { "error": "the result cannot be written", "cause": e.to_string(),
            "hint": null, "exit_code": 4 } })
        .to_string()
    });
    print_text(&format!("{words}\n"));
}

/// With exactly one newline at its end.
pub fn with_trailing_newline(text: &str) -> String {
    format!("{}\n", text.trim_end())
}

/// In the reader's language; `names` are not translated.
pub fn table_text(table: Table, names: &[String]) -> String {
    language::translate_table(table, names).to_text(terminal_width())
}

pub fn titled_table_text(table: Table) -> String {
    let table = language::translate_table(table, &[]);
    format!("{}\n{}", escape_for_terminal(&table.title), table.to_text(terminal_width()))
}

pub fn print_tables(tables: impl IntoIterator<Item = Table>) {
    print_text(&tables.into_iter().map(titled_table_text).collect::<Vec<_>>().join("\n"));
}

pub fn page_text(page: &Page) -> String {
    page_to_text(page, terminal_width(), &language::localizer())
}

pub fn print_result(document: &ResultDocument, as_json: bool) {
    if as_json {
        match goodput_report::json::document_to_json(document) {
            Ok(words) => print_text(&with_trailing_newline(&words)),
            Err(_) => print_json(document),
        }
    } else {
        print_text(&with_trailing_newline(&language::translate_document(document, terminal_width())));
    }
}

pub fn print_failure(failure: &Failure, as_json: bool) {
    if as_json {
        print_json(&failure.result_document());
    } else {
        failure.lines().into_iter().for_each(language::print_message);
    }
}

/// `None` if standard output is not a terminal.
pub fn terminal_width() -> Option<u16> {
    terminal_size::terminal_size_of(std::io::stdout()).map(|(columns, _)| columns.0)
}
