//! Texts without variables (headings, labels, notes, and all of the help) by their English: the code contains them as
//! they stand in `locales/en`.

use crate::Language;
use crate::messages::{fluent_sources, message_keys};
use fluent_bundle::FluentArgs;
use std::collections::HashMap;

/// A name may equal such a word (`on`, `data`): it is said by its key only.
fn is_word_of_a_sentence(key: &str, text: &str) -> bool {
    (key.starts_with("part-") || key.starts_with("clause-")) && text.bytes().all(|b| b.is_ascii_lowercase())
}

#[derive(Default)]
pub struct FixedTexts {
    keys: HashMap<String, String>,
    /// A word of the help may mean something else elsewhere.
    help: HashMap<String, String>,
}

impl FixedTexts {
    pub fn load() -> FixedTexts {
        let english = crate::messages::MessageBundle::for_language(Language::English);
        let mut all = FixedTexts::default();
        for (file, text) in fluent_sources(Language::English) {
            let texts = if file == "help" { &mut all.help } else { &mut all.keys };
            for key in message_keys(&text) {
                // Titles of findings have an identifier of their own.
                if key.starts_with("rule-") && !key.contains('.') {
                    continue;
                }
                if let Some(text) = english.format(&key, &FluentArgs::new())
                    && !is_word_of_a_sentence(&key, &text)
                {
                    texts.entry(text).or_insert(key);
                }
            }
        }
        all
    }

    pub fn key_of(&self, english: &str) -> Option<&str> {
        self.keys.get(english).map(String::as_str)
    }

    pub fn help_key_of(&self, english: &str) -> Option<&str> {
        self.help.get(english).map(String::as_str)
    }
}
