//! Blocks of a text: lines, tables and findings, and how they are written.

use crate::escape::escape_for_terminal;
use crate::path_diagram::PathDiagram;
use crate::table::Table;
use goodput_model::{Finding, Message, Severity};
use goodput_words::message;
use std::fmt::Write;

/// Tables are laid out last, so that they can be translated first.
#[derive(Debug, Clone, PartialEq)]
pub enum TextBlock {
    /// Line breaks and indents, the same in every language.
    Text(String),
    /// Its title is in the lines before it.
    Table(Table),
    Findings(Vec<Finding>),
    /// A line.
    Message(Message),
    Diagram(PathDiagram),
}

#[derive(Debug, Default)]
pub(crate) struct TextBlockList(pub(crate) Vec<TextBlock>);

impl TextBlockList {
    pub(crate) fn add_text(&mut self, lines: &str) {
        match self.0.last_mut() {
            Some(TextBlock::Text(text)) => text.push_str(lines),
            _ => self.0.push(TextBlock::Text(lines.to_string())),
        }
    }

    pub(crate) fn add_message(&mut self, line: impl Into<Message>) {
        self.0.push(TextBlock::Message(line.into()));
    }

    pub(crate) fn add_findings(&mut self, findings: Vec<Finding>) {
        if !findings.is_empty() {
            self.0.push(TextBlock::Findings(findings));
        }
    }

    pub(crate) fn add_table(&mut self, table: Table) {
        self.add_text("\n");
        self.add_message(table.title.message());
        self.0.push(TextBlock::Table(table));
    }
}

/// `width` in columns; `None` if the output is no terminal.
pub fn blocks_to_text(parts: &[TextBlock], width: Option<u16>) -> String {
    let write = |part: &TextBlock| match part {
        TextBlock::Text(text) => text.clone(),
        TextBlock::Table(table) => table.to_text(width),
        TextBlock::Findings(all) => format!("\n{}", format_findings(all, Message::to_string)),
        TextBlock::Message(line) => format!("{}\n", escape_for_terminal(line)),
        TextBlock::Diagram(diagram) => format!("{}\n", escape_for_terminal(&diagram.to_line())),
    };
    parts.iter().map(write).collect()
}

/// By severity, each with a hint. `say` gives a line in the reader's language.
pub fn format_findings(findings: &[Finding], say: impl Fn(&Message) -> String) -> String {
    let mut out = String::new();
    for f in sort_by_severity(findings) {
        let said = f.text.clone();
        let line = match f.severity {
            Severity::Note => message!(line_note { said }),
            Severity::Warning => message!(line_warning { said }),
            Severity::Error => message!(line_error { said }),
        };
        let _ = writeln!(out, "{}", escape_for_terminal(&say(&line)));
        if !f.try_next.is_empty() {
            let advice = message!(line_try { said: f.try_next.clone() });
            let _ = writeln!(out, "  {}", escape_for_terminal(&say(&advice)));
        }
    }
    out
}

pub(crate) fn sort_by_severity(findings: &[Finding]) -> Vec<&Finding> {
    let mut sorted: Vec<&Finding> = findings.iter().collect();
    sorted.sort_by_key(|f| std::cmp::Reverse(f.severity));
    sorted
}

pub(crate) fn severity_label(severity: Severity) -> &'static str {
    match severity {
        Severity::Note => "note",
        Severity::Warning => "warning",
        Severity::Error => "error",
    }
}
