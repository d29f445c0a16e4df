//! A report in a terminal: plain text without escape sequences; tables replace figures.

use crate::escape::escape_for_terminal;
use crate::page::{Block, Localizer, Page, PageStatement};
use goodput_model::{Message, Severity};
use goodput_words::message;
use std::fmt::Write;

/// Most evidence lines of a statement; the rest is counted.
const EVIDENCE: usize = 4;

/// `width` in columns; `None` if the output is no terminal.
pub fn page_to_text(page: &Page, width: Option<u16>, localizer: &Localizer<'_>) -> String {
    let mut out = format!("{}\n", escape_for_terminal(&page.title));
    for line in &page.under {
        let _ = writeln!(out, "{}", escape_for_terminal(line));
    }
    for section in &page.sections {
        let written: String = section.blocks.iter().map(|b| block(b, width, localizer)).collect();
        if !written.is_empty() {
            let title = escape_for_terminal(&section.title);
            let _ = write!(out, "\n{title}\n{}\n", "=".repeat(columns(&title)));
            out.push_str(&written);
        }
    }
    out
}

/// Columns of a heading: two per East Asian wide letter (UAX #11, Japanese blocks).
fn columns(text: &str) -> usize {
    let wide =
        |c: char| matches!(c, '\u{2E80}'..='\u{A4CF}' | '\u{F900}'..='\u{FAFF}' | '\u{FF01}'..='\u{FF60}');
    text.chars().map(|c| if wide(c) { 2 } else { 1 }).sum()
}

fn block(block: &Block, width: Option<u16>, localizer: &Localizer<'_>) -> String {
    match block {
        Block::Lead { text } | Block::Text { text } => format!("{}\n", escape_for_terminal(text)),
        Block::Note { text } => format!("  {}\n", escape_for_terminal(text)),
        Block::Statements { statements: all } => {
            all.iter().enumerate().map(|(i, s)| statement(i + 1, s, localizer)).collect::<Vec<_>>().concat()
        }
        Block::Table(tables) if tables.short.rows.is_empty() => String::new(),
        Block::Table(tables) => {
            let table = &tables.short;
            format!(
                "\n{}\n{}",
                escape_for_terminal(&table.title),
                table.without_repeated_row_labels().to_text(width)
            )
        }
        Block::Diagram(diagram) => format!("  {}\n", escape_for_terminal(&diagram.to_line())),
        Block::Caption { .. } | Block::Figure(_) | Block::Files { .. } => String::new(),
    }
}

fn statement(number: usize, s: &PageStatement, localizer: &Localizer<'_>) -> String {
    let say = |text: Message| (localizer.say)(&text);
    let answer = if s.answer.is_empty() { String::new() } else { format!("{}: ", s.answer) };
    let said = format!("{answer}{}", escape_for_terminal(&s.text));
    let text = match s.severity {
        None => said,
        Some(Severity::Note) => say(message!(line_note { said })),
        Some(Severity::Warning) => say(message!(line_warning { said })),
        Some(Severity::Error) => say(message!(line_error { said })),
    };
    let mut out = format!("{number:>2}. {text}\n");
    if !s.sure.is_empty() {
        let said = escape_for_terminal(&s.sure);
        let _ = writeln!(out, "    {}", say(message!(line_confidence { said })));
    }
    for line in s.evidence.iter().take(EVIDENCE) {
        let _ = writeln!(out, "    {}", escape_for_terminal(line));
    }
    if s.evidence.len() > EVIDENCE {
        let count = s.evidence.len() - EVIDENCE;
        let _ = writeln!(out, "    {}", say(message!(report_and_more { count })));
    }
    if !s.try_next.is_empty() {
        let said = escape_for_terminal(&s.try_next);
        let _ = writeln!(out, "    {}", say(message!(line_try { said })));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_heading_is_underlined_to_its_end() {
        assert_eq!((columns("Results"), columns("Результаты"), columns("結果（MTU）")), (7, 10, 11));
    }
}
