//! What people read, in their language: English, Japanese or Russian, from the Fluent files in `locales/`, which the web
//! page reads too.
//!
//! The other crates write English. [`Words::said`] finds the message that an English sentence was made of, reads its
//! variables back out of it, and fills the same message of the other language with them; a sentence that is not found
//! stays English ([`phrases`] says when it counts as found). So no crate but the front doors knows of languages, results
//! and their forms stay as they are, and what programs read (`--json`, CSV) is never translated.
//! Why it is done this way: `docs/decisions/languages.md`.
//!
//! Pure: no I/O, no clock. The environment is handed in ([`Language::chosen`]).

pub mod figure;
pub mod language;
pub mod messages;
pub mod phrases;

pub use language::Language;

use fluent_bundle::FluentArgs;
use messages::Messages;
use phrases::Phrases;

/// Words that a line begins with, before a colon: messages `line-…`.
const HEADS: [&str; 7] = ["error", "cause", "hint", "warning", "note", "try", "how sure"];

/// The words of one language.
pub struct Words {
    language: Language,
    own: Messages,
    /// Of English there is nothing to find again.
    phrases: Option<Phrases>,
}

impl Words {
    /// The words of a language. Reading the files takes a few milliseconds, so one is made and kept.
    pub fn of(language: Language) -> Words {
        let phrases = (language != Language::English).then(Phrases::of_english);
        Words { language, own: Messages::of(language), phrases }
    }

    /// Which language this is.
    pub fn language(&self) -> Language {
        self.language
    }

    /// A message (`rule-steal`) or an attribute of one (`rule-steal.try`) without variables; `None` when there is none.
    pub fn message(&self, key: &str) -> Option<String> {
        self.own.format(key, &FluentArgs::new())
    }

    /// The short title of a finding by its identifier; `None` for findings that have none.
    pub fn title(&self, finding: &str) -> Option<String> {
        self.message(&rule_key(finding))
    }

    /// A finding's sentence, or its title before the English sentence where that is not found: then the reader knows at least
    /// what kind of thing it is.
    pub fn finding(&self, id: &str, english: &str) -> String {
        let titled = || self.title(id).filter(|_| self.language != Language::English);
        match self.said(english) {
            Some(said) => said,
            None => titled().map_or_else(|| english.to_string(), |title| format!("{title}: {english}")),
        }
    }

    /// A sentence that one of our crates wrote in English, in this language; `None` when it is not found, and in English.
    pub fn said(&self, english: &str) -> Option<String> {
        self.find(english, false)
    }

    /// Lines of text as a terminal shows them: each line that is found is translated and keeps its indentation, every
    /// other stays as it is. Of a line like `error: …` the word is translated in any case.
    pub fn text(&self, english: &str) -> String {
        if self.phrases.is_none() {
            return english.to_string();
        }
        let line = |line: &str| {
            let bare = line.trim_start();
            let indent = &line[..line.len() - bare.len()];
            let said = self.headed(bare).or_else(|| self.said(bare));
            said.map_or_else(|| line.to_string(), |said| format!("{indent}{said}"))
        };
        english.split('\n').map(line).collect::<Vec<_>>().join("\n")
    }

    /// `error: …`, `try: …`: the word before what is said, and that.
    fn headed(&self, line: &str) -> Option<String> {
        let (word, rest) = line.split_once(": ")?;
        let known = HEADS.contains(&word).then(|| format!("line-{}", word.replace(' ', "-")))?;
        let mut args = FluentArgs::new();
        args.set("said", self.said(rest).unwrap_or_else(|| rest.to_string()));
        self.own.format(&known, &args)
    }

    fn find(&self, english: &str, clauses: bool) -> Option<String> {
        let phrases = self.phrases.as_ref()?;
        let (key, variables) = phrases.find(english, clauses)?;
        let mut args = FluentArgs::new();
        for (name, text) in variables {
            // A part that is one of ours as well. Anything else, a host's name or an address, is left as it is.
            let said = match name.as_str() {
                n if n.starts_with("clause") => self.find(&text, true),
                n if n.starts_with("said") => self.find(&text, false),
                _ => None,
            };
            args.set(name, said.map_or_else(|| figure::value(self.language, &text), Into::into));
        }
        self.own.format(&key, &args)
    }
}

/// The key of a finding's message. Identifiers of Fluent hold no dot.
pub fn rule_key(finding: &str) -> String {
    format!("rule-{}", finding.replace('.', "-"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_finding_with_its_number_in_three_languages() {
        let english = "the hypervisor took 7.2 % of the CPU time of both hosts";
        assert_eq!(Words::of(Language::English).said(english), None);
        let ja = Words::of(Language::Japanese).said(english).unwrap();
        assert_eq!(ja, "ハイパーバイザーが 両ホスト の CPU 時間の 7.2 % を取りました");
        let ru = Words::of(Language::Russian).said(english).unwrap();
        assert_eq!(ru, "гипервизор забрал 7,2 % времени CPU: оба хоста");
    }

    #[test]
    fn names_are_left_alone() {
        // A host may be called like one of our words.
        let words = Words::of(Language::Russian);
        let said = words.said("yes: eth0 dropped 12 packets beside 3000 that passed").unwrap();
        assert_eq!(said, "yes: eth0 отбросил пакетов: 12, при этом прошло: 3000");
    }

    #[test]
    fn plurals_follow_the_number() {
        let words = Words::of(Language::Russian);
        let said = |n: u32| words.said(&format!("{n} connections could not be opened or broke")).unwrap();
        assert_eq!(said(1), "1 соединение не открылось или оборвалось");
        assert_eq!(said(3), "3 соединения не открылись или оборвались");
        assert_eq!(said(11), "11 соединений не открылись или оборвались");
        assert_eq!(said(21), "21 соединение не открылось или оборвалось");
    }

    #[test]
    fn lines_keep_their_place_and_unknown_ones_their_words() {
        let words = Words::of(Language::Russian);
        let text = "warning: the trial broke off: cable\n  try: remove the cause and measure again\n\nnobody wrote this";
        assert_eq!(
            words.text(text),
            "предупреждение: испытание прервалось: cable\n  попробуйте: устраните причину и измерьте снова\n\nnobody wrote this"
        );
        assert_eq!(Words::of(Language::English).text(text), text);
        // The word is no part of what is looked for.
        assert_eq!(words.text("error: --size 64K is refused"), "ошибка: --size 64K не принимается");
        assert_eq!(words.text("hint: nobody wrote this"), "подсказка: nobody wrote this");
    }

    #[test]
    fn titles_go_by_identifier() {
        let words = Words::of(Language::Japanese);
        assert_eq!(words.title("half-duplex").as_deref(), Some("半二重"));
        assert!(words.title("experiment.host_changed").is_some());
        assert_eq!(words.title("nobody-wrote-this"), None);
        assert_eq!(words.finding("relayed", "a relay did it"), "中継が媒体を模擬した: a relay did it");
        assert_eq!(
            words.finding("half-duplex", "eth0 of a runs at half duplex"),
            "a の eth0 は半二重で動いています"
        );
        assert_eq!(Words::of(Language::English).finding("relayed", "a relay did it"), "a relay did it");
    }
}
