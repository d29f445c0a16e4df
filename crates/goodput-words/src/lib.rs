//! Texts in English, Japanese and Russian, from the Fluent files in `locales/`; the web page reads its own,
//! `page.ftl`. Other crates write English; [`Translator::said`] finds the message of an English sentence, extracts its
//! variables and formats the message in another language. Unknown sentences stay English (see [`phrases`]).
//! Machine-readable output (`--json`, CSV) is never translated. Reasons: `docs/decisions/languages.md`.
//!
//! Pure: no I/O, no clock; the environment is an argument of [`Language::chosen`].

pub mod language;
pub mod localized_number;
pub mod message_argument;
pub mod messages;
pub mod number_format;
pub mod sentence_patterns;
pub mod typed_message;

pub use language::Language;

use fluent_bundle::types::FluentNumber;
use fluent_bundle::{FluentArgs, FluentValue};
use goodput_model::{Message, MessageArg};
use messages::MessageBundle;
use sentence_patterns::{PhraseKind, SentencePatterns};
use std::sync::OnceLock;

/// Prefixes of lines, before a colon: messages `line-…`.
const HEADS: [&str; 7] = ["error", "cause", "hint", "warning", "note", "try", "confidence"];

pub struct Translator {
    language: Language,
    own: OnceLock<MessageBundle>,
    phrases: OnceLock<SentencePatterns>,
}

impl Translator {
    /// Loads a language at the first text, in some milliseconds: create it once. English needs no loading.
    pub fn new(language: Language) -> Translator {
        Translator { language, own: OnceLock::new(), phrases: OnceLock::new() }
    }

    fn own(&self) -> &MessageBundle {
        self.own.get_or_init(|| MessageBundle::for_language(self.language))
    }

    fn phrases(&self) -> Option<&SentencePatterns> {
        (self.language != Language::English).then(|| self.phrases.get_or_init(SentencePatterns::load_english))
    }

    pub fn language(&self) -> Language {
        self.language
    }

    /// A message (`rule-steal`) or attribute (`rule-steal.try`) without variables.
    pub fn message_by_key(&self, key: &str) -> Option<String> {
        self.own().format(key, &FluentArgs::new())
    }

    /// The short title of a finding, if any.
    pub fn finding_title(&self, finding: &str) -> Option<String> {
        self.message_by_key(&finding_message_key(finding))
    }

    /// A finding's text; if it is not translated, its title and the English sentence.
    pub fn translate_finding(&self, id: &str, message: Option<&Message>, english: &str) -> String {
        if self.language == Language::English {
            return english.to_string();
        }
        let titled = || self.finding_title(id).map(|title| format!("{title}: {english}"));
        let typed = message.and_then(|message| self.translated(message));
        typed
            .or_else(|| self.translate_sentence(english))
            .or_else(titled)
            .unwrap_or_else(|| english.to_string())
    }

    /// In this language; English if it is in no locale.
    pub fn format_message(&self, message: &Message) -> String {
        self.translated(message).unwrap_or_else(|| message.to_string())
    }

    fn translated(&self, message: &Message) -> Option<String> {
        if self.language == Language::English {
            return None;
        }
        if message.id().is_empty() {
            return self.sentence_or_part(message.as_str());
        }
        let mut args = FluentArgs::new();
        for (name, arg) in message.args() {
            args.set(name.to_string(), self.value(arg));
        }
        self.own().format(message.id(), &args)
    }

    fn value(&self, arg: &MessageArg) -> FluentValue<'static> {
        match arg {
            MessageArg::Text(text) => FluentValue::String(text.clone().into()),
            MessageArg::Count(count) => {
                let mut number = FluentNumber::from(*count);
                number.options.use_grouping = *count >= 1000;
                FluentValue::Number(number)
            }
            MessageArg::Quantity(quantity) => {
                localized_number::to_fluent_value(self.language, &quantity.text)
            }
            MessageArg::Message(message) => FluentValue::String(self.format_message(message).into()),
            MessageArg::List(all) => {
                let each: Vec<String> = all.iter().map(|arg| self.written(arg)).collect();
                let comma = if self.language == Language::Japanese { "、" } else { ", " };
                FluentValue::String(each.join(comma).into())
            }
        }
    }

    fn written(&self, arg: &MessageArg) -> String {
        match self.value(arg) {
            FluentValue::String(text) => text.into_owned(),
            FluentValue::Number(number) => {
                localized_number::localize_number(self.language, &number.as_string())
            }
            _ => String::new(),
        }
    }

    /// Translates an English sentence of our crates; `None` if unknown, and for English.
    pub fn translate_sentence(&self, english: &str) -> Option<String> {
        self.find(english, PhraseKind::Sentence)
    }

    /// Translates a stand-alone text (cell, legend entry, heading) if known; formats numbers and dates. Not
    /// for user-supplied names, which may equal a known word.
    pub fn translate_label(&self, english: &str) -> String {
        if localized_number::is_quantity(english) {
            return localized_number::localize_number(self.language, english);
        }
        self.sentence_or_part(english)
            .unwrap_or_else(|| localized_number::localize_number(self.language, english))
    }

    /// Parts of sentences may stand alone too.
    fn sentence_or_part(&self, english: &str) -> Option<String> {
        self.find(english, PhraseKind::Sentence).or_else(|| self.find(english, PhraseKind::Part))
    }

    /// Translates a text of the help (`help.ftl`): a paragraph, heading or word.
    pub fn translate_help(&self, english: &str) -> Option<String> {
        self.find(english, PhraseKind::Help)
    }

    /// Translates several sentences, each where known.
    pub fn translate_sentences(&self, english: &str) -> String {
        if let Some(said) = self.translate_sentence(english) {
            return said;
        }
        let mut out: Vec<String> = Vec::new();
        let mut rest = english;
        while let Some((first, then)) = rest.split_once(". ") {
            out.push(self.translate_label(&format!("{first}.")));
            rest = then;
        }
        out.push(self.translate_label(rest));
        out.join(" ")
    }

    /// Translates known terminal lines, keeping indentation. Prefixes such as `error:` are always translated.
    pub fn translate_terminal_text(&self, english: &str) -> String {
        if self.language == Language::English {
            return english.to_string();
        }
        let line = |line: &str| {
            let bare = line.trim_start();
            let indent = &line[..line.len() - bare.len()];
            let said = self.headed(bare).or_else(|| self.translate_sentence(bare));
            said.map_or_else(|| line.to_string(), |said| format!("{indent}{said}"))
        };
        english.split('\n').map(line).collect::<Vec<_>>().join("\n")
    }

    /// Translates `error: …`, `try: …`: prefix and text.
    fn headed(&self, line: &str) -> Option<String> {
        let (word, rest) = line.split_once(": ")?;
        let known = HEADS.contains(&word).then(|| format!("line-{}", word.replace(' ', "-")))?;
        let mut args = FluentArgs::new();
        args.set("said", self.translate_sentence(rest).unwrap_or_else(|| rest.to_string()));
        self.own().format(&known, &args)
    }

    fn find(&self, english: &str, kind: PhraseKind) -> Option<String> {
        let (key, variables) = self.phrases()?.match_text(english, kind)?;
        let mut args = FluentArgs::new();
        for (name, text) in variables {
            // Only known parts; host names and addresses stay.
            let said = match name.as_str() {
                n if n.starts_with("clause") => self.find(&text, PhraseKind::Clause),
                n if n.starts_with("must") => self.find(&text, PhraseKind::Part),
                n if n.starts_with("said") => self.sentence_or_part(&text),
                _ => None,
            };
            args.set(
                name,
                said.map_or_else(|| localized_number::to_fluent_value(self.language, &text), Into::into),
            );
        }
        self.own().format(&key, &args)
    }
}

/// Fluent identifiers contain no dot.
pub fn finding_message_key(finding: &str) -> String {
    format!("rule-{}", finding.replace('.', "-"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message;
    use crate::message_argument::percent_arg;

    #[test]
    fn findings_are_said_with_their_numbers_in_three_languages_and_names_left_alone() {
        let whose = message!(clause_both_hosts);
        let steal = message!(rule_steal_text { percent: percent_arg(7.2), whose });
        let said = |language| Translator::new(language).format_message(&steal);
        let english = "7.2 % of the CPU time of both hosts was steal (taken by the hypervisor)";
        assert_eq!(said(Language::English), english);
        assert_eq!(said(Language::Japanese), "ハイパーバイザーが 両ホスト の CPU 時間の 7.2 % を取りました");
        assert_eq!(said(Language::Russian), "гипервизор забрал 7,2 % времени CPU: оба хоста");
        // A host name may equal a known word.
        let (interface, host, dropped, packets) = ("eth0", "both hosts", 12u64, 3000u64);
        let drops = message!(rule_interface_drops_text { interface, host, dropped, packets });
        let said = Translator::new(Language::Russian).format_message(&drops);
        assert_eq!(said, "both hosts: eth0 отбросил пакетов: 12, при этом прошло: 3\u{a0}000");
    }

    #[test]
    fn a_word_by_itself_may_be_a_figure() {
        let words = Translator::new(Language::Russian);
        assert_eq!(words.translate_label("retransmitted"), "отправлено повторно");
        assert_eq!(words.translate_label("1,234.5 ms"), "1\u{a0}234,5 ms");
        assert_eq!(words.translate_label("smb://nas/media"), "smb://nas/media");
        assert_eq!(Translator::new(Language::English).translate_label("1,234.5 ms"), "1,234.5 ms");
    }

    #[test]
    fn a_cause_may_be_a_sentence_or_a_part_of_one() {
        let words = Translator::new(Language::Russian);
        let cause = Message::from("the client c1 did not answer for 10 s");
        let said = words.format_message(&message!(rule_partial_result_text { cause }));
        assert_eq!(said, "испытание прервалось: клиент c1: не отвечал 10 s");
        let said = words.translate_sentence("Limit: 941.5 Mbit/s on 1000base-t: 1448 of 1538 bytes on the wire are user data (MTU 1500, IPv4, TCP with timestamps).");
        assert!(said.unwrap().contains("MTU 1500, IPv4, TCP с метками времени"));
    }

    #[test]
    fn plurals_follow_the_number() {
        let words = Translator::new(Language::Russian);
        let said = |n: u32| words.format_message(&message!(rule_connection_errors_text { count: n }));
        assert_eq!(said(1), "1 соединение не открылось или оборвалось");
        assert_eq!(said(3), "3 соединения не открылись или оборвались");
        assert_eq!(said(11), "11 соединений не открылись или оборвались");
        assert_eq!(said(21), "21 соединение не открылось или оборвалось");
    }

    #[test]
    fn lines_keep_their_place_and_unknown_ones_their_words() {
        let words = Translator::new(Language::Russian);
        let text = "warning: cable\n  hint: omit --quick\n\nnobody wrote this";
        let russian = "предупреждение: cable\n  подсказка: уберите --quick\n\nnobody wrote this";
        assert_eq!(words.translate_terminal_text(text), russian);
        assert_eq!(Translator::new(Language::English).translate_terminal_text(text), text);
        // The prefix is not part of the sentence.
        let said = words.translate_terminal_text("error: --size 64K is not accepted");
        assert_eq!(said, "ошибка: --size 64K не принимается");
    }

    #[test]
    fn titles_go_by_identifier() {
        let words = Translator::new(Language::Japanese);
        assert_eq!(words.finding_title("half-duplex").as_deref(), Some("半二重"));
        assert!(words.finding_title("experiment.host_changed").is_some());
        assert_eq!(words.finding_title("nobody-wrote-this"), None);
        let duplex = message!(rule_half_duplex_text { interface: "eth0", host: "a" });
        let said = words.translate_finding("half-duplex", Some(&duplex), &duplex);
        assert_eq!(said, "a の eth0 は半二重で動いています");
        let relayed =
            |language| Translator::new(language).translate_finding("relayed", None, "a relay did it");
        assert_eq!(relayed(Language::Japanese), "中継が媒体を模擬した: a relay did it");
        assert_eq!(relayed(Language::English), "a relay did it");
    }
}
