//! Blocks of a text: lines, tables and findings, and how they are written.

use crate::escape::escape_for_terminal;
use crate::path_diagram::PathDiagram;
use crate::table::Table;
use goodput_model::{Finding, Message, Severity};

/// Tables are laid out last, so that they can be translated first.
#[derive(Debug, Clone, PartialEq)]
pub enum TextBlock {
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

    pub(crate) fn add_message(&mut self, line: &Message) {
        self.0.push(TextBlock::Message(line.clone()));
    }

    pub(crate) fn add_findings(&mut self, findings: Vec<Finding>) {
        if !findings.is_empty() {
            self.0.push(TextBlock::Findings(findings));
        }
    }

    pub(crate) fn add_table(&mut self, table: Table) {
        self.add_text(&format!("\n{}\n", escape_for_terminal(&table.title)));
        self.0.push(TextBlock::Table(table));
    }
}

/// `width` in columns; `None` if the output is no terminal.
pub fn blocks_to_text(parts: &[TextBlock], width: Option<u16>) -> String {
    let write = |part: &TextBlock| match part {
        TextBlock::Text(text) => text.clone(),
        TextBlock::Table(table) => table.to_text(width),
        TextBlock::Findings(all) => format!("\n{}", format_findings(all)),
        TextBlock::Message(line) => format!("{}\n", escape_for_terminal(line)),
        TextBlock::Diagram(diagram) => format!("{}\n", escape_for_terminal(&diagram.to_line())),
    };
    parts.iter().map(write).collect()
}

/// By severity, each with a hint.
pub fn format_findings(findings: &[Finding]) -> String {
    let mut out = String::new();
    for f in sort_by_severity(findings) {
        out.push_str(&format!("{}: {}\n", severity_label(f.severity), escape_for_terminal(&f.text)));
        if !f.try_next.is_empty() {
            out.push_str(&format!("  try: {}\n", escape_for_terminal(&f.try_next)));
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
