//! Blocks of a text: lines, tables and findings, and how they are written.

use crate::escape::plain;
use crate::table::Table;
use goodput_model::{Finding, Severity};

/// Tables are laid out last, so that they can be translated first.
#[derive(Debug, Clone, PartialEq)]
pub enum TextBlock {
    Text(String),
    /// Its title is in the lines before it.
    Table(Table),
    Findings(Vec<Finding>),
}

#[derive(Debug, Default)]
pub(crate) struct Parts(pub(crate) Vec<TextBlock>);

impl Parts {
    pub(crate) fn text(&mut self, lines: &str) {
        match self.0.last_mut() {
            Some(TextBlock::Text(text)) => text.push_str(lines),
            _ => self.0.push(TextBlock::Text(lines.to_string())),
        }
    }

    pub(crate) fn findings(&mut self, findings: Vec<Finding>) {
        self.0.push(TextBlock::Findings(findings));
    }

    pub(crate) fn table(&mut self, table: Table) {
        self.text(&format!("\n{}\n", plain(&table.title)));
        self.0.push(TextBlock::Table(table));
    }
}

/// `width` in columns; `None` if the output is no terminal.
pub fn written(parts: &[TextBlock], width: Option<u16>) -> String {
    let write = |part: &TextBlock| match part {
        TextBlock::Text(text) => text.clone(),
        TextBlock::Table(table) => table.to_text(width),
        TextBlock::Findings(all) => format!("\n{}", findings(all)),
    };
    parts.iter().map(write).collect()
}

/// By severity, each with a hint.
pub fn findings(findings: &[Finding]) -> String {
    let mut out = String::new();
    for f in by_gravity(findings) {
        out.push_str(&format!("{}: {}\n", severity(f.severity), plain(&f.text)));
        if !f.try_next.is_empty() {
            out.push_str(&format!("  try: {}\n", plain(&f.try_next)));
        }
    }
    out
}

pub(crate) fn by_gravity(findings: &[Finding]) -> Vec<&Finding> {
    let mut sorted: Vec<&Finding> = findings.iter().collect();
    sorted.sort_by_key(|f| std::cmp::Reverse(f.severity));
    sorted
}

pub(crate) fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Note => "note",
        Severity::Warning => "warning",
        Severity::Error => "error",
    }
}
