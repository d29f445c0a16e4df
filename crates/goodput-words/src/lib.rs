//! Texts in English, Japanese and Russian, from the Fluent files in `locales/`; the web page reads its own,
//! `page.ftl`. Texts with variables are typed messages ([`message!`]); a fixed text is known by its English
//! ([`fixed_texts`]). [`Translator::format_message`] says both in the reader's language; unknown ones stay English.
//! Machine-readable output (`--json`, CSV) is never translated. Reasons: `docs/decisions/languages.md`.
//!
//! Pure: no I/O, no clock; the environment is an argument of [`Language::chosen`].

pub mod error_message;
pub mod fixed_texts;
pub mod language;
pub mod lists;
pub mod localized_number;
pub mod message_argument;
pub mod messages;
pub mod number_format;
pub mod quantity_error;
pub mod typed_message;

pub use language::Language;
pub use lists::{comma_list, non_empty_semicolon_list, semicolon_list};

pub use error_message::ErrorMessage;
use fixed_texts::FixedTexts;
use fluent_bundle::types::FluentNumber;
use fluent_bundle::{FluentArgs, FluentValue};
pub use goodput_model::Message;
use goodput_model::MessageArg;
use messages::MessageBundle;
use std::sync::OnceLock;

pub struct Translator {
    language: Language,
    own: OnceLock<MessageBundle>,
    fixed: OnceLock<FixedTexts>,
}

impl Translator {
    /// Loads a language at the first text, in some milliseconds: create it once. English needs no loading.
    pub fn new(language: Language) -> Translator {
        Translator { language, own: OnceLock::new(), fixed: OnceLock::new() }
    }

    fn own(&self) -> &MessageBundle {
        self.own.get_or_init(|| MessageBundle::for_language(self.language))
    }

    /// `None` for English.
    fn fixed(&self) -> Option<&FixedTexts> {
        (self.language != Language::English).then(|| self.fixed.get_or_init(FixedTexts::load))
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
        let typed = message.and_then(|message| self.translated(message));
        let titled = || Some(format!("{}: {english}", self.finding_title(id)?));
        let found = typed.or_else(|| self.translated(&english.into()));
        let english = || english.to_string();
        if self.language == Language::English {
            english()
        } else {
            found.or_else(titled).unwrap_or_else(english)
        }
    }

    /// In this language; English if it is in no locale. Not for a name that a user chose, which may equal a known word.
    pub fn format_message(&self, message: &Message) -> String {
        self.translated(message).unwrap_or_else(|| message.to_string())
    }

    fn translated(&self, message: &Message) -> Option<String> {
        let fixed = self.fixed()?;
        if message.id().is_empty() {
            let number = localized_number::localize_number(self.language, message);
            let own = (number != message.as_str()).then_some(number);
            return own.or_else(|| self.message_by_key(fixed.key_of(message)?));
        }
        let mut args = FluentArgs::new();
        for (name, arg) in message.args() {
            args.set(name.to_string(), self.value(arg));
        }
        self.own().format(message.id(), &args)
    }

    fn value(&self, arg: &MessageArg) -> FluentValue<'static> {
        match arg {
            MessageArg::Text(text) => {
                FluentValue::String(localized_number::localize_date(self.language, text).into())
            }
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
        let number = |text: &str| localized_number::localize_number(self.language, text);
        match (arg, self.value(arg)) {
            (MessageArg::Count(count), _) => number(&number_format::format_count(*count)),
            (MessageArg::Quantity(quantity), _) => number(&quantity.text),
            (_, FluentValue::String(text)) => text.into_owned(),
            _ => String::new(),
        }
    }

    /// Translates a text of the help (`help.ftl`): a paragraph, heading or word.
    pub fn translate_help(&self, english: &str) -> Option<String> {
        self.message_by_key(self.fixed()?.help_key_of(english)?)
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
    fn a_fixed_text_is_known_by_its_english_and_numbers_are_written_as_in_the_language() {
        let said = |language, text: &str| Translator::new(language).format_message(&text.into());
        assert_eq!(said(Language::Russian, "retransmitted"), "отправлено повторно");
        assert_eq!(said(Language::Russian, "1,234.5 ms"), "1\u{a0}234,5 ms");
        assert_eq!(said(Language::Russian, "off"), "off");
        assert_eq!(said(Language::Russian, "smb://nas/media"), "smb://nas/media");
        assert_eq!(said(Language::English, "1,234.5 ms"), "1,234.5 ms");
    }

    #[test]
    fn a_cause_within_a_text_is_said_too() {
        let words = Translator::new(Language::Russian);
        let known =
            message!(rule_partial_result_text { cause: Message::from("interrupted before the trial began") });
        assert_eq!(words.format_message(&known), "испытание прервалось: прервано до начала испытания");
        let other = message!(rule_partial_result_text { cause: Message::from("nobody wrote this") });
        assert_eq!(words.format_message(&other), "испытание прервалось: nobody wrote this");
        let line = message!(line_error { said: known });
        assert!(words.format_message(&line).starts_with("ошибка: испытание прервалось"));
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
    fn titles_go_by_identifier() {
        let words = Translator::new(Language::Japanese);
        assert_eq!(words.finding_title("half-duplex").as_deref(), Some("半二重"));
        assert!(words.finding_title("experiment.host_changed").is_some());
        assert_eq!(words.finding_title("nobody-wrote-this"), None);
        let duplex = message!(rule_half_duplex_text { interface: "eth0", host: "a" });
        let said = words.translate_finding("half-duplex", Some(&duplex), &duplex);
        assert_eq!(said, "a の eth0 は半二重で動いています");
        let untyped = |language| Translator::new(language).translate_finding("half-duplex", None, "it is so");
        assert_eq!(untyped(Language::Japanese), "半二重: it is so");
        assert_eq!(untyped(Language::English), "it is so");
    }
}
