//! A report as one HTML file: no script, no request to anywhere, light and dark and for paper, as [`crate::html`] has
//! it. Statements link to the cells that they rest on, and the data lie within the page to be kept.

use crate::foreign::markup;
use crate::html::{head, sentence, write_figure, write_table};
use crate::page::{Attached, Block, Link, Page, Statement};
use crate::text::severity;
use data_encoding::BASE64;
use std::fmt::Write;

/// The whole file.
pub fn write(page: &Page) -> String {
    let mut out = head(&page.title);
    let _ = write!(out, "<header>\n<h1>{}</h1>\n", markup(&page.title));
    for line in &page.under {
        let _ = writeln!(out, "<p class=\"when\">{}</p>", sentence(line));
    }
    out.push_str("</header>\n");
    for (number, section) in page.sections.iter().enumerate() {
        let _ = write!(out, "<section>\n<h2>{}. {}</h2>\n", number + 1, markup(&section.title));
        for block in &section.blocks {
            write_block(&mut out, block);
        }
        out.push_str("</section>\n");
    }
    out.push_str("</main>\n</body>\n</html>\n");
    out
}

fn write_block(out: &mut String, block: &Block) {
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
        Block::Statements { statements: all } => statements(out, all),
        Block::Table(tables) => write_table(out, &tables.whole, 3),
        Block::Figure(figure) => write_figure(out, figure, "x"),
        Block::Files { files } => attached(out, files),
    }
}

fn statements(out: &mut String, all: &[Statement]) {
    if all.is_empty() {
        return;
    }
    out.push_str("<ol class=\"findings said\">\n");
    for s in all {
        let word = s.severity.map_or("note", severity);
        let _ = write!(out, "<li class=\"{word}\">");
        if s.severity.is_some() {
            let _ = write!(out, "<strong>{word}</strong> ");
        }
        if !s.answer.is_empty() {
            let _ = write!(out, "<strong>{}</strong> ", markup(s.answer));
        }
        out.push_str(&sentence(&s.text));
        if !s.sure.is_empty() {
            let _ = write!(out, "<br><small>How sure: {}</small>", sentence(&s.sure));
        }
        if !s.try_next.is_empty() {
            let _ = write!(out, "<br>try: {}", sentence(&s.try_next));
        }
        if !s.evidence.is_empty() || !s.links.is_empty() {
            out.push_str("<details><summary>What it rests on</summary><small>");
            for line in &s.evidence {
                let _ = write!(out, "{}<br>", sentence(line));
            }
            let link = |l: &Link| format!("<a href=\"#{}\">{}</a>", markup(&l.cell), markup(&l.words));
            out.push_str(&s.links.iter().map(link).collect::<Vec<_>>().join(" · "));
            if s.more > 0 {
                let _ = write!(out, " · and {} more", s.more);
            }
            out.push_str("</small></details>");
        }
        out.push_str("</li>\n");
    }
    out.push_str("</ol>\n");
}

/// The data as links to themselves: a browser keeps what they hold, without asking anybody for it.
fn attached(out: &mut String, files: &[Attached]) {
    out.push_str("<ul>\n");
    for file in files {
        let _ = match &file.bytes {
            Some(bytes) => writeln!(
                out,
                "<li><a download=\"{}\" href=\"data:{};base64,{}\">{}</a>: {}</li>",
                markup(&file.name),
                file.media,
                BASE64.encode(bytes),
                markup(&file.name),
                sentence(&file.what)
            ),
            None => writeln!(out, "<li>{}: {}</li>", markup(&file.name), sentence(&file.what)),
        };
    }
    out.push_str("</ul>\n");
}
