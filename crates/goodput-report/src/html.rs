//! A page as one HTML file for offline use, light, dark and print.
//!
//! No script and no requests; the content security policy forbids both. Statements link to their cells, and
//! data is embedded. [`crate::foreign::escape_for_markup`] escapes foreign text.

mod style;

use crate::escape::escape_for_markup;
use crate::page::{AttachedFile, Block, CellLink, Localizer, Page, PageStatement};
use crate::svg::{self, Picture, Theme};
use crate::table::{Align, CellAnchor, Table};
use crate::text::text_block::severity_label;
use data_encoding::BASE64;
use goodput_model::Message;
use goodput_words::message;
use std::collections::BTreeMap;
use std::fmt::Write;

/// A table with more rows scrolls, except in print.
const TALL: usize = 24;

pub fn page_to_html(page: &Page, localizer: &Localizer<'_>) -> String {
    let mut out = head(&page.title, localizer.tag);
    let _ = write!(out, "<header>\n<h1>{}</h1>\n", escape_for_markup(&page.title));
    for line in &page.under {
        let _ = writeln!(out, "<p class=\"when\">{}</p>", sentence(line));
    }
    out.push_str("</header>\n");
    for (number, section) in page.sections.iter().enumerate() {
        let _ = write!(out, "<section>\n<h2>{}. {}</h2>\n", number + 1, escape_for_markup(&section.title));
        for (at, block) in section.blocks.iter().enumerate() {
            // Trials of one kind have figures of the same name.
            write_block(&mut out, block, &format!("s{}-{}", number + 1, at + 1), localizer);
        }
        out.push_str("</section>\n");
    }
    out.push_str("</main>\n</body>\n</html>\n");
    out
}

fn write_block(out: &mut String, block: &Block, prefix: &str, localizer: &Localizer<'_>) {
    match block {
        Block::Lead { text } => {
            let _ = writeln!(out, "<p class=\"headline\">{}</p>", sentence(text));
        }
        Block::Text { text } => {
            let _ = writeln!(out, "<p>{}</p>", sentence(text));
        }
        Block::Note { text } | Block::Caption { text } => {
            let _ = writeln!(out, "<p class=\"note\">{}</p>", sentence(text));
        }
        Block::Statements { statements: all } => statements(out, all, localizer),
        Block::Table(tables) => write_table(out, &tables.whole),
        Block::Figure(figure) => {
            let _ = write!(out, "<figure>\n{}</figure>\n", svg::figure_to_svg(figure, Theme::Inline, prefix));
        }
        Block::Diagram(diagram) => {
            let _ = write!(out, "<figure>\n{}</figure>\n", diagram.to_svg(Theme::Inline, prefix));
        }
        Block::Files { files } => attached(out, files),
    }
}

fn statements(out: &mut String, all: &[PageStatement], localizer: &Localizer<'_>) {
    if all.is_empty() {
        return;
    }
    // Findings are styled by severity, answers by number.
    let (list, class) = match all.iter().all(|s| s.severity.is_some()) {
        true => ("ul", "findings"),
        false => ("ol", "findings said"),
    };
    let say = |message: Message| (localizer.say)(&message);
    let _ = writeln!(out, "<{list} class=\"{class}\">");
    for s in all {
        let word = s.severity.map_or("note", severity_label);
        let _ = write!(out, "<li class=\"{word}\">");
        if s.severity.is_some() {
            let _ = write!(out, "<strong>{}</strong> ", escape_for_markup(&say(word.into())));
        }
        if !s.answer.is_empty() {
            let _ = write!(out, "<strong>{}</strong> ", escape_for_markup(&s.answer));
        }
        out.push_str(&sentence(&s.text));
        if !s.sure.is_empty() {
            let sure = say(message!(line_confidence { said: s.sure.clone() }));
            let _ = write!(out, "<br><small>{}</small>", sentence(&sure));
        }
        if !s.try_next.is_empty() {
            let advice = Message::from(&s.try_next);
            let _ = write!(out, "<br>{}", sentence(&say(message!(line_try { said: advice }))));
        }
        if !s.evidence.is_empty() || !s.links.is_empty() {
            let title = escape_for_markup(&say("Evidence".into()));
            let _ = write!(out, "<details><summary>{title}</summary><small>");
            for line in &s.evidence {
                let _ = write!(out, "{}<br>", sentence(line));
            }
            let link = |l: &CellLink| {
                format!("<a href=\"#{}\">{}</a>", escape_for_markup(&l.cell), escape_for_markup(&l.words))
            };
            out.push_str(&s.links.iter().map(link).collect::<Vec<_>>().join(" · "));
            if s.more > 0 {
                let _ = write!(out, " · {}", sentence(&say(message!(report_and_more { count: s.more }))));
            }
            out.push_str("</small></details>");
        }
        out.push_str("</li>\n");
    }
    let _ = writeln!(out, "</{list}>");
}

fn attached(out: &mut String, files: &[AttachedFile]) {
    out.push_str("<ul>\n");
    for file in files {
        let _ = match &file.bytes {
            Some(bytes) => writeln!(
                out,
                "<li><a download=\"{}\" href=\"data:{};base64,{}\">{}</a>: {}</li>",
                escape_for_markup(&file.name),
                file.media,
                BASE64.encode(bytes),
                escape_for_markup(&file.name),
                sentence(&file.what)
            ),
            None => writeln!(out, "<li>{}: {}</li>", escape_for_markup(&file.name), sentence(&file.what)),
        };
    }
    out.push_str("</ul>\n");
}

/// Escaped, with non-breaking spaces before units.
fn sentence(text: &str) -> String {
    const UNITS: [&str; 17] = [
        "%", "B", "KiB", "MiB", "GiB", "TiB", "bit/s", "kbit/s", "Mbit/s", "Gbit/s", "Tbit/s", "ns", "µs",
        "ms", "s", "CPU", "CPUs",
    ];
    let mut out = String::with_capacity(text.len() + 32);
    let mut rest = text;
    while let Some(at) = rest.find(' ') {
        let (before, after) = (&rest[..at], &rest[at + 1..]);
        out.push_str(before);
        let word = after.split([' ', ',', ';', ')', ':']).next().unwrap_or("").trim_end_matches('.');
        let joined = before.ends_with(|c: char| c.is_ascii_digit()) && UNITS.contains(&word);
        out.push(if joined { '\u{a0}' } else { ' ' });
        rest = after;
    }
    out.push_str(rest);
    escape_for_markup(&out)
}

fn head(title: &str, tag: &str) -> String {
    format!(
        "<!DOCTYPE html>\n<html lang=\"{}\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; \
         base-uri 'none'; form-action 'none'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>{}</title>\n<style>{}{}</style>\n</head>\n<body>\n<main>\n",
        escape_for_markup(tag),
        escape_for_markup(title),
        style::PAGE_CSS,
        svg::THEME_CSS
    )
}

/// A tall table scrolls in a frame that has keyboard focus.
fn write_table(out: &mut String, table: &Table) {
    if table.rows.is_empty() {
        return;
    }
    let title = escape_for_markup(&table.title);
    let _ = writeln!(out, "<h3>{title}</h3>");
    let frame = if table.rows.len() > TALL {
        format!("<div class=\"wide tall\" role=\"region\" aria-label=\"{title}\" tabindex=\"0\">")
    } else {
        "<div class=\"wide\">".to_string()
    };
    let _ = write!(out, "{frame}\n<table aria-label=\"{title}\">\n");
    if table.columns.iter().any(|(name, _)| !name.is_empty()) {
        out.push_str("<thead><tr>");
        for (name, align) in &table.columns {
            let _ = write!(out, "<th scope=\"col\"{}>{}</th>", class(*align), escape_for_markup(name));
        }
        out.push_str("</tr></thead>\n");
    }
    out.push_str("<tbody>\n");
    let heads = spans(table);
    let mut anchors: BTreeMap<(usize, usize), Vec<&String>> = BTreeMap::new();
    for CellAnchor { row, column, id } in &table.anchors {
        anchors.entry((*row, *column)).or_default().push(id);
    }
    for (at, row) in table.rows.iter().enumerate() {
        out.push_str("<tr>");
        for (i, (cell, (_, align))) in row.iter().zip(&table.columns).enumerate() {
            let rows = heads.get(at).and_then(|h| h.get(i)).copied().unwrap_or(1);
            if rows == 0 {
                continue;
            }
            let head = i < table.heads.max(1);
            let (open, close) = if head { ("th scope=\"row\"", "th") } else { ("td", "td") };
            let over = if rows > 1 { format!(" rowspan=\"{rows}\"") } else { String::new() };
            let ids = anchors.remove(&(at, i)).unwrap_or_default();
            let own = ids.first().map(|id| format!(" id=\"{}\"", escape_for_markup(id))).unwrap_or_default();
            let more: String = ids
                .iter()
                .skip(1)
                .map(|id| format!("<span id=\"{}\"></span>", escape_for_markup(id)))
                .collect();
            let _ = write!(
                out,
                "<{open}{over}{own}{}>{more}{}</{close}>",
                class(*align),
                escape_for_markup(&cell.to_string())
            );
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody>\n</table>\n</div>\n");
    for note in &table.notes {
        let _ = writeln!(out, "<p class=\"note\">{}</p>", escape_for_markup(note));
    }
}

/// Row spans of heads: 0 if covered from above. The last head is never joined.
fn spans(table: &Table) -> Vec<Vec<usize>> {
    let joined = table.heads.saturating_sub(1);
    let mut spans = vec![vec![1; joined]; table.rows.len()];
    for at in (1..table.rows.len()).rev() {
        let (above, below) = spans.split_at_mut(at);
        for (head, span) in below[0].iter_mut().enumerate() {
            if table.rows[at][..=head] != table.rows[at - 1][..=head] {
                break;
            }
            above[at - 1][head] += std::mem::take(span);
        }
    }
    spans
}

fn class(align: Align) -> &'static str {
    match align {
        Align::Left => "",
        Align::Right => " class=\"n\"",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_stays_with_its_unit() {
        assert_eq!(sentence("10 sheep, 99.9 % of <x>."), "10 sheep, 99.9\u{a0}% of &lt;x&gt;.");
    }
}
