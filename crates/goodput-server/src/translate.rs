//! Translates pages, figures, tables and terminal output from English to the reader's language, for the
//! command line and the server. Names that users chose ([`goodput_report::page::names`]) and data for
//! programs are not translated.
//!
//! Answers of the API are [`Localize`]: [`crate::route`] translates them, in the language of the request, just before they
//! are written.

use axum::http::HeaderMap;
use axum::http::header::ACCEPT_LANGUAGE;
use goodput_model::{Finding, Message};
use goodput_report::display_text::DisplayText;
use goodput_report::figure::{Axis, Figure};
use goodput_report::page::{Block, Page, PageStatement};
use goodput_report::path_diagram::PathDiagram;
use goodput_report::table::Table;
use goodput_report::text::{TextBlock, format_findings};
use goodput_report::view::ExperimentDocument;
use goodput_store::index::Facets;
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

/// An answer of the API. Its texts for people are translated in place; without any there is nothing to do.
pub trait Localize {
    fn localize(&mut self, _words: &Translator) {}

    fn localized(mut self, words: &Translator) -> Self
    where
        Self: Sized,
    {
        self.localize(words);
        self
    }
}

impl<T: Localize> Localize for Vec<T> {
    fn localize(&mut self, words: &Translator) {
        localize_all(words, self);
    }
}

/// One without an identifier is looked up by its whole English text.
impl Localize for Message {
    fn localize(&mut self, words: &Translator) {
        *self = words.format_message(self).into();
    }
}

impl Localize for DisplayText {
    fn localize(&mut self, words: &Translator) {
        DisplayText::localize(self, |message| words.format_message(message));
    }
}

impl Localize for &'static serde_json::Value {}
impl Localize for Facets {}

impl Localize for Page {
    fn localize(&mut self, words: &Translator) {
        let Some(speaker) = DocumentTranslator::new(words, &self.names) else { return };
        speaker.say(&mut self.title);
        speaker.translate_all(&mut self.under);
        for section in &mut self.sections {
            speaker.say(&mut section.title);
            section.blocks.iter_mut().for_each(|block| speaker.block(block));
        }
    }
}

impl Localize for PathDiagram {
    fn localize(&mut self, words: &Translator) {
        self.translate(|message| words.format_message(message));
    }
}

impl Localize for ExperimentDocument {
    fn localize(&mut self, words: &Translator) {
        localize_labels(words, self.probes.iter_mut().map(|probe| &mut probe.figure));
        let figures = self.cells.iter_mut().filter_map(|cell| cell.figure.as_mut());
        localize_labels(words, figures.flat_map(|figure| [&mut figure.name, &mut figure.text]));
        for cell in &mut self.cells {
            cell.reason = words.format_message(&Message::from(&cell.reason));
        }
    }
}

pub fn requested_translator(headers: &HeaderMap) -> &'static Translator {
    translator(requested_language(headers))
}

/// The language of an answer: of those that `Accept-Language` names (RFC 9110, section 12.5.4) the one with the greatest
/// weight; English without it.
fn requested_language(headers: &HeaderMap) -> Language {
    let lines = headers.get_all(ACCEPT_LANGUAGE).into_iter().filter_map(|line| line.to_str().ok());
    let mut best = (0.0, Language::English);
    for range in lines.flat_map(|line| line.split(',')) {
        let (tag, weight) = range.split_once(';').unwrap_or((range, "q=1"));
        let weight = weight.trim().strip_prefix("q=").and_then(|q| q.parse::<f32>().ok()).unwrap_or(0.0);
        if let Some(language) = Language::from_tag(tag.trim())
            && weight > best.0
        {
            best = (weight, language);
        }
    }
    best.1
}

pub fn localize_all<'a, T: Localize + 'a>(words: &Translator, texts: impl IntoIterator<Item = &'a mut T>) {
    texts.into_iter().for_each(|text| text.localize(words));
}

/// Stand-alone words, and numbers with their unit.
pub fn localize_labels<'a>(words: &Translator, texts: impl IntoIterator<Item = &'a mut String>) {
    texts.into_iter().for_each(|text| *text = words.format_message(&Message::from(&*text)));
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
            TextBlock::Text(_) => {}
            TextBlock::Table(table) => speaker.table(table),
            TextBlock::Message(line) => *line = speaker.said(line).into(),
            TextBlock::Diagram(diagram) => diagram.localize(words),
            TextBlock::Findings(all) => {
                all.iter_mut().for_each(|finding| translate(words, finding));
                let said = format_findings(all, |line| words.format_message(line));
                *part = TextBlock::Text(format!("\n{said}"));
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

    fn said(&self, message: &Message) -> String {
        let is_name = message.id().is_empty() && self.names.contains(message.as_str());
        if is_name { message.to_string() } else { self.words.format_message(message) }
    }

    fn say(&self, text: &mut DisplayText) {
        text.localize(|message| self.said(message));
    }

    fn translate_all(&self, texts: &mut [DisplayText]) {
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
            Block::Diagram(diagram) => diagram.localize(self.words),
            Block::Files { files } => files.iter_mut().for_each(|file| self.say(&mut file.what)),
        }
    }

    /// An untranslated sentence gets a translated title.
    fn statement(&self, statement: &mut PageStatement) {
        statement.text =
            self.words.translate_finding(&statement.id, statement.message.as_ref(), &statement.text);
        statement.answer = Cow::Owned(self.words.format_message(&Message::from(&*statement.answer)));
        self.say(&mut statement.sure);
        statement.try_next = match &statement.try_message {
            Some(message) => self.words.format_message(message),
            None => self.said(&Message::from(&statement.try_next)),
        };
        self.translate_all(&mut statement.evidence);
        statement.links.iter_mut().for_each(|link| self.say(&mut link.words));
    }

    fn table(&self, table: &mut Table) {
        self.say(&mut table.title);
        table.columns.iter_mut().for_each(|(name, _)| self.say(name));
        table.rows.iter_mut().flatten().for_each(|cell| cell.localize(|text| self.said(text)));
        self.translate_all(&mut table.notes);
    }

    fn figure(&self, figure: &mut Figure) {
        self.say(&mut figure.title);
        self.say(&mut figure.description);
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
#[path = "../../goodput-report/tests/golden/documents.rs"]
mod documents;

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;
    use goodput_model::Trial;
    use goodput_model::summary::ResultDocument;
    use goodput_report::page::Section;
    use goodput_report::path_diagram::DiagramElement;
    use goodput_report::table::Align;
    use goodput_report::{trial_summaries, view};
    use goodput_words::message;
    use goodput_words::message_argument::percent_arg;

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
    fn the_heaviest_known_language_is_requested() {
        let requested = |line: &'static str| {
            let headers = HeaderMap::from_iter([(ACCEPT_LANGUAGE, HeaderValue::from_static(line))]);
            requested_language(&headers)
        };
        assert_eq!(requested_language(&HeaderMap::new()), Language::English);
        assert_eq!(requested("de, ru;q=0.5, ja;q=0.7"), Language::Japanese);
        assert_eq!(requested("ru-RU,ru;q=0.9,en;q=0.8"), Language::Russian);
        for line in ["de, *;q=0.5", "ru;q=0", "ja;q=x", "en, ja", ""] {
            assert_eq!(requested(line), Language::English, "{line}");
        }
    }

    #[test]
    fn names_stay_and_everything_else_is_said() {
        let page = example().localized(translator(Language::Russian));
        assert_eq!((page.title.as_str(), page.sections[0].title.as_str()), ("Прогон", "Результаты"));
        assert_eq!(page.under, ["21.11.2026 03:45:46 UTC"]);
        let Block::Table(tables) = &page.sections[0].blocks[0] else { panic!("{page:?}") };
        assert_eq!(tables.whole.title, "Обе стороны");
        assert_eq!(tables.whole.columns[1].0, "window");
        assert_eq!(tables.whole.rows, [["window", "1\u{a0}234,5 ms"], ["отправлено повторно", "недоступно"]]);
    }

    #[test]
    fn a_diagram_is_said_with_its_figures() {
        let element = DiagramElement {
            name: message!(path_receive_buffer).into(),
            figure: message!(path_figure_buffer { percent: percent_arg(96.0) }).into(),
            headroom: DisplayText::default(),
            use_percent: Some(96.0),
            mark: message!(path_limit).into(),
        };
        let diagram = PathDiagram { title: message!(path_title).into(), elements: vec![element] };
        let said = diagram.localized(translator(Language::Russian));
        assert_eq!(said.to_line(), "[буфер приёма заполнен 96,0 % (предел)]");
        assert_eq!((said.title.as_str(), said.elements[0].headroom.as_str()), ("Путь данных", ""));
    }

    /// English texts of a page that a reader of Japanese or Russian would see: at least two words, and no name.
    fn untranslated(document: &ResultDocument, language: Language) -> Vec<String> {
        let trials: Vec<Trial> = trial_summaries(document).into_iter().map(documents::trial_of).collect();
        let english = view::build_run_report_page(document, Some(&documents::head()), &trials);
        let said = english.clone().localized(translator(language));
        let texts = |page: &Page| {
            let mut all = Vec::new();
            gather(&serde_json::to_value(page).unwrap(), &mut all);
            all
        };
        let is_word = |word: &str| word.len() > 2 && word.chars().all(|c| c.is_ascii_lowercase());
        let is_prose = |text: &str| text.split([' ', ',', '.', ':']).filter(|word| is_word(word)).count() > 1;
        let (english, said) = (texts(&english), texts(&said));
        assert_eq!(english.len(), said.len());
        let same = english.into_iter().zip(said).filter(|(english, said)| english == said);
        same.map(|(english, _)| english).filter(|text| is_prose(text)).collect()
    }

    fn gather(value: &serde_json::Value, all: &mut Vec<String>) {
        match value {
            serde_json::Value::String(text) => all.push(text.clone()),
            serde_json::Value::Array(values) => values.iter().for_each(|value| gather(value, all)),
            serde_json::Value::Object(members) => {
                let shown = members.iter().filter(|(name, _)| !NOT_SHOWN.contains(&name.as_str()));
                shown.for_each(|(_, value)| gather(value, all));
            }
            _ => {}
        }
    }

    /// Members that the page does not show, or whose texts are names of fields.
    const NOT_SHOWN: [&str; 6] = ["message", "try_message", "evidence", "names", "id", "kind"];
    /// Texts of the golden documents that stand for those of other programs.
    const FOREIGN: [&str; 9] = [
        "1448 of 1538 bytes on the wire are user data",
        "goodput stream lab:b",
        "nas",
        "query path",
        "smb://nas/media; /home/ann; an agent:null",
        "sysctl -w ",
        "the send buffer is 208 KiB",
        "the wire is the limit",
        "Throughput ",
    ];

    #[test]
    fn no_sentence_of_a_report_stays_english() {
        use documents::single_trial;
        let pages = [
            single_trial(documents::stream_100()),
            single_trial(documents::sweep_few()),
            single_trial(documents::request_few()),
            single_trial(documents::datagram_exact()),
            documents::search(),
            single_trial(documents::mtu_narrow()),
            documents::why(),
            single_trial(documents::latency_loaded()),
            documents::load_cycle(),
            documents::file_copies(),
            documents::file_mixes(),
        ];
        for language in [Language::Japanese, Language::Russian] {
            let mut lost: BTreeSet<String> = pages.iter().flat_map(|p| untranslated(p, language)).collect();
            lost.retain(|text| !FOREIGN.iter().any(|foreign| text.starts_with(foreign)));
            assert!(lost.is_empty(), "{}: these stay English: {lost:#?}", language.bcp47_tag());
        }
    }
}
