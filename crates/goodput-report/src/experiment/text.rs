//! A report in a terminal: plain text, no colour, no escape sequence. Pictures are told in their main numbers' stead
//! by the tables beside them.

use crate::foreign::plain;
use crate::page::{Block, Page, Statement};
use crate::text::severity;
use std::fmt::Write;

/// Evidence lines of a statement; the rest is counted.
const EVIDENCE: usize = 4;

/// The whole report. `width` is the terminal's columns, `None` when the output is no terminal.
pub fn write(page: &Page, width: Option<u16>) -> String {
    let mut out = format!("{}\n", plain(&page.title));
    for line in &page.under {
        let _ = writeln!(out, "{}", plain(line));
    }
    for section in &page.sections {
        let written: String = section.blocks.iter().map(|b| block(b, width)).collect();
        if !written.is_empty() {
            let _ =
                write!(out, "\n{}\n{}\n", plain(&section.title), "=".repeat(section.title.chars().count()));
            out.push_str(&written);
        }
    }
    out
}

fn block(block: &Block, width: Option<u16>) -> String {
    match block {
        Block::Lead { text } | Block::Text { text } => format!("{}\n", plain(text)),
        Block::Note { text } => format!("  {}\n", plain(text)),
        Block::Statements { statements: all } => {
            all.iter().enumerate().map(|(i, s)| statement(i + 1, s)).collect::<Vec<_>>().concat()
        }
        Block::Table(tables) if tables.short.rows.is_empty() => String::new(),
        Block::Table(tables) => {
            let table = &tables.short;
            format!("\n{}\n{}", plain(&table.title), table.with_heads_once().to_text(width))
        }
        Block::Caption { .. } | Block::Figure(_) | Block::Files { .. } => String::new(),
    }
}

fn statement(number: usize, s: &Statement) -> String {
    let word = s.severity.map(|s| format!("{}: ", severity(s))).unwrap_or_default();
    let answer = if s.answer.is_empty() { String::new() } else { format!("{}: ", s.answer) };
    let mut out = format!("{number:>2}. {word}{answer}{}\n", plain(&s.text));
    if !s.sure.is_empty() {
        let _ = writeln!(out, "    how sure: {}", plain(&s.sure));
    }
    for line in s.evidence.iter().take(EVIDENCE) {
        let _ = writeln!(out, "    {}", plain(line));
    }
    if s.evidence.len() > EVIDENCE {
        let _ = writeln!(out, "    and {} more", s.evidence.len() - EVIDENCE);
    }
    if !s.try_next.is_empty() {
        let _ = writeln!(out, "    try: {}", plain(&s.try_next));
    }
    out
}
