//! The language in which people are spoken to. Everything is written in English by the crates below; here it is said in
//! the reader's language on its way to the screen and into reports (`goodput-words`). What programs read is left alone.

use goodput_model::Finding;
use goodput_model::summary::Document;
use goodput_report::page::{Block, Page, Statement};
use goodput_report::table::Table;
use goodput_words::{Language, Words};
use std::borrow::Cow;
use std::ffi::OsString;
use std::sync::OnceLock;

/// The option that names a language, wherever it stands.
pub const OPTION: &str = "--lang";

/// Chosen once, when the program starts.
static WORDS: OnceLock<Words> = OnceLock::new();

/// Chooses the language by `--lang` among the arguments, else by the environment.
pub fn choose(words: &[OsString]) {
    let typed = typed(words);
    let variable = |name: &str| std::env::var(name).ok();
    WORDS.get_or_init(|| Words::of(Language::chosen(typed.as_deref(), variable)));
}

/// The value of the first `--lang` that is ours: what follows `--`, and what `lab exec` runs, is not.
fn typed(words: &[OsString]) -> Option<String> {
    let foreign = words.windows(2).position(|w| w[0] == "lab" && w[1] == "exec");
    let ours = words[..foreign.unwrap_or(words.len())].iter().take_while(|w| *w != "--");
    let mut ours = ours.map(|w| w.to_string_lossy());
    while let Some(word) = ours.next() {
        if word == OPTION {
            return ours.next().map(|w| w.into_owned());
        }
        if let Some(value) = word.strip_prefix(OPTION).and_then(|rest| rest.strip_prefix('=')) {
            return Some(value.to_string());
        }
    }
    None
}

/// Lines of English as the reader reads them.
pub fn text(english: &str) -> String {
    WORDS.get().map_or_else(|| english.to_string(), |words| words.text(english))
}

/// A result whose findings, where their sentences stay English, begin with their titles in the reader's language. What is
/// translated is translated line by line ([`text`]), since findings of several trials are told together.
pub fn document(document: &Document) -> Cow<'_, Document> {
    let Some(words) = WORDS.get().filter(|w| w.language() != Language::English) else {
        return Cow::Borrowed(document);
    };
    let named = |f: &mut Finding| {
        if words.said(&f.text).is_none() {
            f.text = words.finding(&f.id, &f.text);
        }
    };
    let mut own = document.clone();
    let trials = own.summary.iter_mut().chain(&mut own.trials).flat_map(|s| &mut s.findings);
    trials.chain(own.load_curves.iter_mut().flat_map(|c| &mut c.findings)).for_each(named);
    Cow::Owned(own)
}

/// A page whose headings and sentences are in the reader's language. Its figures stay figures, and names stay names.
pub fn page(mut page: Page) -> Page {
    let Some(words) = WORDS.get().filter(|w| w.language() != Language::English) else { return page };
    let say = |text: &mut String| {
        if let Some(said) = words.said(text) {
            *text = said;
        }
    };
    page.under.iter_mut().for_each(say);
    for section in &mut page.sections {
        say(&mut section.title);
        for one in &mut section.blocks {
            if let Block::Statements { statements } = one {
                statements.iter_mut().for_each(|s| s.text = words.finding(&s.id, &s.text));
            }
            block(one, &say);
        }
    }
    page
}

fn block(block: &mut Block, say: &impl Fn(&mut String)) {
    match block {
        Block::Lead { text } | Block::Text { text } | Block::Note { text } | Block::Caption { text } => {
            say(text)
        }
        Block::Statements { statements } => statements.iter_mut().for_each(|s| statement(s, say)),
        Block::Table(tables) => {
            [&mut tables.short, &mut tables.whole].into_iter().for_each(|t| table(t, say))
        }
        Block::Figure(figure) => {
            say(&mut figure.title);
            figure.notes.iter_mut().for_each(say);
        }
        Block::Files { files } => files.iter_mut().for_each(|f| say(&mut f.what)),
    }
}

fn statement(statement: &mut Statement, say: &impl Fn(&mut String)) {
    [&mut statement.sure, &mut statement.try_next].into_iter().for_each(say);
}

fn table(table: &mut Table, say: &impl Fn(&mut String)) {
    say(&mut table.title);
    table.columns.iter_mut().for_each(|(name, _)| say(name));
    table.notes.iter_mut().for_each(say);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<OsString> {
        line.split(' ').map(OsString::from).collect()
    }

    #[test]
    fn the_option_is_found_in_both_forms_and_only_among_our_own() {
        assert_eq!(typed(&words("goodput --lang ja list")).as_deref(), Some("ja"));
        assert_eq!(typed(&words("goodput stream h --lang=ru")).as_deref(), Some("ru"));
        assert_eq!(typed(&words("goodput stream h --language ru")), None);
        assert_eq!(typed(&words("goodput lab exec a --lang ru")), None);
        assert_eq!(typed(&words("goodput x -- --lang ru")), None);
        assert_eq!(typed(&words("goodput x --lang")), None);
    }

    #[test]
    fn the_help_names_every_language() {
        let tags: Vec<&str> = Language::ALL.iter().map(|l| l.tag()).collect();
        let help = crate::args::table().render_help().to_string();
        assert!(help.contains(&format!("{OPTION} {}, GOODPUT_LANG", tags.join("|"))), "{help}");
    }
}
