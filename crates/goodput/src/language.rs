//! The user's language: translates text for people (`goodput-words`) on its way to the screen and into
//! reports. Text for programs remains English.

use crate::own_args::args_before_wrapped_command;
use goodput_model::Message;
use goodput_model::summary::ResultDocument;
use goodput_report::escape::escape_for_terminal;
use goodput_report::figure::Figure;
use goodput_report::page::{Localizer, Page, user_chosen_names};
use goodput_report::path_diagram::PathDiagram;
use goodput_report::table::Table;
use goodput_report::text::{self as terminal, TextBlock};
use goodput_server::translate::{self, Localize};
use goodput_words::{Language, Translator};
use std::ffi::OsString;
use std::sync::OnceLock;

pub const LANGUAGE_OPTION: &str = "--lang";

static WORDS: OnceLock<Translator> = OnceLock::new();

/// From `--lang`, else from the environment.
pub fn choose_language(words: &[OsString]) {
    let typed = typed(words);
    let variable = |name: &str| std::env::var(name).ok();
    WORDS.get_or_init(|| Translator::new(Language::from_option_or_env(typed.as_deref(), variable)));
}

fn typed(words: &[OsString]) -> Option<String> {
    let mut ours = args_before_wrapped_command(words).map(|w| w.to_string_lossy());
    while let Some(word) = ours.next() {
        if word == LANGUAGE_OPTION {
            return ours.next().map(|w| w.into_owned());
        }
        if let Some(value) = word.strip_prefix(LANGUAGE_OPTION).and_then(|rest| rest.strip_prefix('=')) {
            return Some(value.to_string());
        }
    }
    None
}

/// English unless another language was chosen.
fn words() -> &'static Translator {
    WORDS.get_or_init(|| Translator::new(Language::English))
}

pub fn format_message(message: &Message) -> String {
    words().format_message(message)
}

pub fn translate_help(english: &str) -> String {
    words().translate_help(english).unwrap_or_else(|| english.to_string())
}

/// On standard error.
pub fn print_message(message: impl Into<Message>) {
    eprintln!("{}", escape_for_terminal(&format_message(&message.into())));
}

pub fn localizer() -> Localizer<'static> {
    Localizer { tag: words().language().bcp47_tag(), say: &format_message }
}

pub fn translate_document(result: &ResultDocument, width: Option<u16>) -> String {
    translate_text_blocks(
        terminal::text_blocks_for_document(result, width),
        user_chosen_names::user_chosen_names_in_document(result),
        width,
    )
}

/// Text and tables for this width; `names` are not translated.
pub fn translate_text_blocks(parts: Vec<TextBlock>, names: Vec<String>, width: Option<u16>) -> String {
    terminal::blocks_to_text(&translate::translate_text_blocks(words(), parts, &names), width)
}

pub fn translate_table(table: Table, names: &[String]) -> Table {
    translate::translate_table(words(), table, names)
}

pub fn translate_chart(figure: Figure, names: &[String]) -> Figure {
    translate::translate_chart(words(), figure, names)
}

pub fn translate_diagram(diagram: PathDiagram) -> PathDiagram {
    diagram.localized(words())
}

pub fn translate_page(page: Page) -> Page {
    page.localized(words())
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
        let tags: Vec<&str> = Language::ALL.iter().map(|l| l.bcp47_tag()).collect();
        let help = crate::args::build_clap_command().render_help().to_string();
        assert!(help.contains(&format!("{LANGUAGE_OPTION} {}, GOODPUT_LANG", tags.join("|"))), "{help}");
    }
}
