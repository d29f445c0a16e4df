//! A report as Markdown with GitHub's tables; figures are separate files.

use crate::escape::escape_for_terminal;
use crate::page::{Block, Localizer, Page, PageStatement};
use crate::table::{Align, Table};
use crate::text::text_block::severity_label;
use goodput_model::Message;
use goodput_words::message;
use std::fmt::Write;

/// `picture` maps a figure's identifier to its file; `None` omits figures.
pub fn page_to_markdown(
    page: &Page,
    picture: Option<&dyn Fn(&str) -> String>,
    localizer: &Localizer<'_>,
) -> String {
    let mut out = format!("# {}\n", words(&page.title));
    if !page.under.is_empty() {
        let lines: Vec<String> = page.under.iter().map(|l| words(l)).collect();
        let _ = write!(out, "\n{}\n", lines.join("  \n"));
    }
    for section in &page.sections {
        let written: String = section.blocks.iter().map(|b| write_block(b, picture, localizer)).collect();
        if !written.is_empty() {
            let _ = write!(out, "\n## {}\n{written}", words(&section.title));
        }
    }
    out
}

fn write_block(block: &Block, picture: Option<&dyn Fn(&str) -> String>, localizer: &Localizer<'_>) -> String {
    match block {
        Block::Lead { text } => format!("\n**{}**\n", words(text)),
        Block::Text { text } | Block::Note { text } => format!("\n{}\n", words(text)),
        Block::Caption { text } if picture.is_some() => format!("\n{}\n", words(text)),
        Block::Caption { .. } => String::new(),
        Block::Statements { statements: all } => {
            let each = all.iter().enumerate().map(|(i, s)| statement(i + 1, s, localizer));
            format!("\n{}", each.collect::<Vec<_>>().concat())
        }
        Block::Table(tables) => table_to_markdown(&tables.short),
        Block::Figure(figure) => match picture {
            Some(name) => format!(
                "\n![{}. {}]({})\n",
                words(&figure.title),
                words(&figure.description),
                name(&figure.id)
            ),
            None => String::new(),
        },
        Block::Diagram(diagram) => format!("\n{}\n", words(&diagram.to_line())),
        Block::Files { .. } => String::new(),
    }
}

fn statement(number: usize, s: &PageStatement, localizer: &Localizer<'_>) -> String {
    let say = |text: Message| (localizer.say)(&text);
    let word = s.severity.map(|s| format!("**{}** ", say(severity_label(s).into()))).unwrap_or_default();
    let answer = if s.answer.is_empty() { String::new() } else { format!("**{}:** ", s.answer) };
    let mut out = format!("{number}. {word}{answer}{}\n", words(&s.text));
    if !s.sure.is_empty() {
        let _ = writeln!(out, "   - {}", words(&say(message!(line_confidence { said: s.sure.as_str() }))));
    }
    for line in &s.evidence {
        let _ = writeln!(out, "   - {}", words(line));
    }
    if !s.try_next.is_empty() {
        let _ = writeln!(out, "   - {}", words(&say(message!(line_try { said: s.try_next.as_str() }))));
    }
    out
}

/// Repeated heads of rows are omitted.
pub fn table_to_markdown(table: &Table) -> String {
    if table.rows.is_empty() {
        return String::new();
    }
    let row = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let mut out = format!("\n### {}\n\n", words(&table.title));
    out.push_str(&row(table.columns.iter().map(|(name, _)| words(name)).collect()));
    let line = |align: &Align| if *align == Align::Right { "---:" } else { "---" }.to_string();
    out.push_str(&row(table.columns.iter().map(|(_, a)| line(a)).collect()));
    for cells in &table.without_repeated_row_labels().rows {
        out.push_str(&row(cells.iter().map(|c| words(&c.to_string())).collect()));
    }
    for note in &table.notes {
        let _ = write!(out, "\n{}\n", words(note));
    }
    out
}

fn words(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in escape_for_terminal(text).chars() {
        if matches!(c, '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '|' | '#' | '&' | '~') {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_others_wrote_stays_text() {
        assert_eq!(words("a|b *c* <script> [x](y)"), "a\\|b \\*c\\* \\<script\\> \\[x\\](y)");
        let mut t = Table::new("t|1", &[("os", Align::Left), ("v", Align::Right)]);
        t.heads = 1;
        t.add_row(["a|b", "1"]);
        t.notes.push("n".into());
        assert_eq!(table_to_markdown(&t), "\n### t\\|1\n\n| os | v |\n| --- | ---: |\n| a\\|b | 1 |\n\nn\n");
        assert_eq!(table_to_markdown(&Table::new("empty", &[("a", Align::Left)])), "");
    }
}
