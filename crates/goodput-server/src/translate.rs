//! Translates pages, figures, tables and terminal output from English to the reader's language, for the
//! command line and the server. Names that users chose ([`goodput_report::page::names`]) and data for
//! programs are not translated.

use goodput_model::Finding;
use goodput_report::figure::{Axis, Figure};
use goodput_report::page::{Block, Page, PageStatement};
use goodput_report::table::Table;
use goodput_report::text::{TextBlock, format_findings};
use goodput_words::{Language, Translator};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::OnceLock;

pub fn translator(language: Language) -> &'static Translator {
    static ALL: [OnceLock<Translator>; Language::ALL.len()] =
        [const { OnceLock::new() }; Language::ALL.len()];
    let at = Language::ALL.iter().position(|known| *known == language).unwrap_or_default();
    ALL[at].get_or_init(|| Translator::new(language))
}

pub fn translate_page(words: &Translator, mut page: Page) -> Page {
    let Some(speaker) = DocumentTranslator::new(words, &page.names) else { return page };
    speaker.say(&mut page.title);
    speaker.translate_all(&mut page.under);
    for section in &mut page.sections {
        speaker.say(&mut section.title);
        section.blocks.iter_mut().for_each(|block| speaker.block(block));
    }
    page
}

/// Terminal output; `names` are not translated.
pub fn translate_text_blocks(
    words: &Translator,
    mut parts: Vec<TextBlock>,
    names: &[String],
) -> Vec<TextBlock> {
    let Some(speaker) = DocumentTranslator::new(words, names) else { return parts };
    for part in &mut parts {
        match part {
            TextBlock::Text(text) => *text = words.translate_terminal_text(text),
            TextBlock::Table(table) => speaker.table(table),
            TextBlock::Findings(all) => {
                all.iter_mut().for_each(|finding| translate(words, finding));
                *part =
                    TextBlock::Text(words.translate_terminal_text(&format!("\n{}", format_findings(all))));
            }
        }
    }
    parts
}

fn translate(words: &Translator, finding: &mut Finding) {
    finding.text = words.translate_finding(&finding.id, Some(&finding.text), &finding.text).into();
    finding.try_next = words.format_message(&finding.try_next).into();
}

pub fn translate_table(words: &Translator, mut table: Table, names: &[String]) -> Table {
    if let Some(speaker) = DocumentTranslator::new(words, names) {
        speaker.table(&mut table);
    }
    table
}

pub fn translate_chart(words: &Translator, mut figure: Figure, names: &[String]) -> Figure {
    if let Some(speaker) = DocumentTranslator::new(words, names) {
        speaker.figure(&mut figure);
    }
    figure
}

struct DocumentTranslator<'a> {
    words: &'a Translator,
    names: BTreeSet<String>,
}

impl<'a> DocumentTranslator<'a> {
    /// `None` for English.
    fn new(words: &'a Translator, names: &[String]) -> Option<DocumentTranslator<'a>> {
        let translates = words.language() != Language::English;
        translates.then(|| DocumentTranslator { words, names: names.iter().cloned().collect() })
    }

    fn say(&self, text: &mut String) {
        if !text.is_empty() && !self.names.contains(text.as_str()) {
            *text = self.words.translate_label(text);
        }
    }

    fn translate_all(&self, texts: &mut [String]) {
        texts.iter_mut().for_each(|text| self.say(text));
    }

    fn block(&self, block: &mut Block) {
        match block {
            Block::Lead { text } | Block::Text { text } | Block::Note { text } | Block::Caption { text } => {
                self.say(text);
            }
            Block::Statements { statements } => statements.iter_mut().for_each(|s| self.statement(s)),
            Block::Table(tables) => {
                self.table(&mut tables.short);
                self.table(&mut tables.whole);
            }
            Block::Figure(figure) => self.figure(figure),
            Block::Files { files } => files.iter_mut().for_each(|file| self.say(&mut file.what)),
        }
    }

    /// An untranslated sentence gets a translated title.
    fn statement(&self, statement: &mut PageStatement) {
        statement.text =
            self.words.translate_finding(&statement.id, statement.message.as_ref(), &statement.text);
        statement.answer = Cow::Owned(self.words.translate_label(&statement.answer));
        self.say(&mut statement.sure);
        match &statement.try_message {
            Some(message) => statement.try_next = self.words.format_message(message),
            None => self.say(&mut statement.try_next),
        }
        self.translate_all(&mut statement.evidence);
        statement.links.iter_mut().for_each(|link| self.say(&mut link.words));
    }

    fn table(&self, table: &mut Table) {
        self.say(&mut table.title);
        table.columns.iter_mut().for_each(|(name, _)| self.say(name));
        table.rows.iter_mut().flatten().for_each(|cell| cell.localize(|text| self.say(text)));
        self.translate_all(&mut table.notes);
    }

    fn figure(&self, figure: &mut Figure) {
        self.say(&mut figure.title);
        figure.description = self.words.translate_sentences(&figure.description);
        self.axis(&mut figure.x);
        self.axis(&mut figure.y);
        for curve in &mut figure.curves {
            self.say(&mut curve.name);
            self.say(&mut curve.band_name);
        }
        figure.limits.iter_mut().for_each(|limit| self.say(&mut limit.label));
        figure.marks.iter_mut().for_each(|mark| self.say(&mut mark.label));
        self.translate_all(&mut figure.notes);
    }

    fn axis(&self, axis: &mut Axis) {
        self.say(&mut axis.label);
        self.translate_all(&mut axis.names);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use goodput_report::page::Section;
    use goodput_report::table::Align;

    fn example() -> Page {
        let mut table = Table::new("Hosts at both ends", &[("", Align::Left), ("window", Align::Left)]);
        table.add_row(["window", "1,234.5 ms"]);
        table.add_row(["retransmitted", "not available"]);
        Page {
            title: "Run".into(),
            under: vec!["2026-11-21 03:45:46 UTC".into()],
            sections: vec![Section { title: "Results".into(), blocks: vec![Block::table(table)] }],
            names: vec!["window".into()],
        }
    }

    #[test]
    fn names_stay_and_everything_else_is_said() {
        let page = translate_page(translator(Language::Russian), example());
        assert_eq!((page.title.as_str(), page.sections[0].title.as_str()), ("Прогон", "Результаты"));
        assert_eq!(page.under, ["21.11.2026 03:45:46 UTC"]);
        let Block::Table(tables) = &page.sections[0].blocks[0] else { panic!("{page:?}") };
        assert_eq!(tables.whole.title, "Обе стороны");
        assert_eq!(tables.whole.columns[1].0, "window");
        assert_eq!(tables.whole.rows, [["window", "1\u{a0}234,5 ms"], ["отправлено повторно", "недоступно"]]);
    }
}
