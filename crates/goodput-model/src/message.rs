//! A text for a person: the identifier of a Fluent message with its arguments, and the English text that they give.

use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::ops::Deref;

/// A text that can be translated. It dereferences to its English text.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Message {
    /// Key in `locales/`: a message (`rule-steal`) or an attribute (`rule-steal.text`). Empty for an
    /// untranslated text.
    id: Cow<'static, str>,
    args: MessageArgs,
    #[serde(skip_serializing_if = "String::is_empty")]
    text: String,
}

/// Messages and lists within a message. JSON has at most three levels for each, and its readers stop at 128.
const MAX_DEPTH: usize = 32;

pub type MessageArgs = BTreeMap<Cow<'static, str>, MessageArg>;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MessageArg {
    /// A name or another program's text: the same in every language.
    Text(String),
    /// A number of things; selects the plural form.
    Count(u64),
    Quantity(MessageQuantity),
    Message(Box<Message>),
    List(Vec<MessageArg>),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MessageQuantity {
    pub value: f64,
    pub unit: Cow<'static, str>,
    /// The number and the unit in English.
    pub text: String,
}

impl Message {
    /// Called by `goodput_words::message!`. A message that is nested too deeply, or has no identifier, is its text only.
    pub fn new(id: impl Into<Cow<'static, str>>, args: MessageArgs, text: String) -> Message {
        let id = id.into();
        let known = !id.is_empty() && args.values().all(|arg| arg.depth() <= MAX_DEPTH);
        if known { Message { id, args, text } } else { text.into() }
    }

    fn depth(&self) -> usize {
        self.args.values().map(MessageArg::depth).max().unwrap_or_default()
    }

    /// Key in `locales/`; empty for an untranslated text.
    pub fn id(&self) -> &str {
        &self.id
    }

    pub fn args(&self) -> &MessageArgs {
        &self.args
    }

    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Without the English text, for a document that already has it.
    pub fn without_text(&self) -> Option<Message> {
        (!self.id.is_empty()).then(|| Message { text: String::new(), ..self.clone() })
    }

    pub fn with_text(self, text: String) -> Message {
        Message { text, ..self }
    }
}

impl MessageArg {
    fn depth(&self) -> usize {
        match self {
            MessageArg::Text(_) | MessageArg::Count(_) | MessageArg::Quantity(_) => 0,
            MessageArg::Message(message) => 1 + message.depth(),
            MessageArg::List(all) => 1 + all.iter().map(MessageArg::depth).max().unwrap_or_default(),
        }
    }
}

/// From its own form, or from a text, as older versions wrote it.
impl<'de> Deserialize<'de> for Message {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Message, D::Error> {
        struct MessageVisitor;

        #[derive(Deserialize)]
        struct Form {
            id: Cow<'static, str>,
            #[serde(default)]
            args: MessageArgs,
            #[serde(default)]
            text: String,
        }

        impl<'de> Visitor<'de> for MessageVisitor {
            type Value = Message;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a message or a text")
            }

            fn visit_str<E>(self, text: &str) -> Result<Message, E> {
                Ok(text.into())
            }

            fn visit_map<A: MapAccess<'de>>(self, members: A) -> Result<Message, A::Error> {
                let Form { id, args, text } = Form::deserialize(MapAccessDeserializer::new(members))?;
                Ok(Message::new(id, args, text))
            }
        }

        from.deserialize_any(MessageVisitor)
    }
}

/// As its English text, in documents for scripts; read back, it is untranslated.
pub mod english {
    use super::Message;
    use serde::{Deserialize, Deserializer, Serializer};

    pub fn serialize<S: Serializer>(message: &Message, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(message)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Message, D::Error> {
        Ok(String::deserialize(from)?.into())
    }
}

/// The same where it may be missing.
pub mod english_option {
    use super::Message;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub fn serialize<S: Serializer>(message: &Option<Message>, to: S) -> Result<S::Ok, S::Error> {
        message.as_deref().serialize(to)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Message>, D::Error> {
        Ok(Option::<String>::deserialize(from)?.map(Message::from))
    }
}

/// Modules for a field that is flattened: its English text, and as `…_message` what it was made of.
macro_rules! text_with_message {
    ($($module:ident: $type:ident as $field:literal, $message:literal;)*) => {$(
        pub(crate) mod $module {
            #[allow(unused_imports, reason = "one of them is the type")]
            use super::{Message, OptionalMessage, TextAndMessage};
            use serde::{Deserialize, Deserializer, Serialize, Serializer};

            #[derive(Serialize, Deserialize)]
            struct Form {
                #[serde(rename = $field)]
                text: <$type as TextAndMessage>::Text,
                #[serde(rename = $message, default, skip_serializing_if = "Option::is_none")]
                message: Option<Message>,
            }

            pub fn serialize<S: Serializer>(text: &$type, to: S) -> Result<S::Ok, S::Error> {
                let (text, message) = text.split();
                Form { text, message }.serialize(to)
            }

            pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<$type, D::Error> {
                let Form { text, message } = Form::deserialize(from)?;
                Ok($type::join(text, message))
            }
        }
    )*};
}

text_with_message! {
    cause: Message as "cause", "cause_message";
    why: Message as "why", "why_message";
    title: Message as "title", "title_message";
    text: Message as "text", "text_message";
    error: Message as "error", "error_message";
    optional_cause: OptionalMessage as "cause", "cause_message";
    optional_hint: OptionalMessage as "hint", "hint_message";
}

type OptionalMessage = Option<Message>;

trait TextAndMessage: Sized {
    type Text;

    fn split(&self) -> (Self::Text, Option<Message>);
    fn join(text: Self::Text, message: Option<Message>) -> Self;
}

impl TextAndMessage for Message {
    type Text = String;

    fn split(&self) -> (String, Option<Message>) {
        (self.to_string(), self.without_text())
    }

    fn join(text: String, message: Option<Message>) -> Message {
        message.unwrap_or_default().with_text(text)
    }
}

impl TextAndMessage for Option<Message> {
    type Text = Option<String>;

    fn split(&self) -> (Option<String>, Option<Message>) {
        (self.as_ref().map(Message::to_string), self.as_ref().and_then(Message::without_text))
    }

    fn join(text: Option<String>, message: Option<Message>) -> Option<Message> {
        text.map(|text| Message::join(text, message))
    }
}

/// The same for a list.
pub mod english_list {
    use super::Message;
    use serde::{Deserialize, Deserializer, Serializer};

    pub fn serialize<S: Serializer>(messages: &[Message], to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(messages.iter().map(Message::as_str))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Message>, D::Error> {
        Ok(Vec::<String>::deserialize(from)?.into_iter().map(Message::from).collect())
    }
}

impl Deref for Message {
    type Target = str;

    fn deref(&self) -> &str {
        &self.text
    }
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text)
    }
}

impl PartialEq<str> for Message {
    fn eq(&self, other: &str) -> bool {
        self.text == other
    }
}

impl PartialEq<&str> for Message {
    fn eq(&self, other: &&str) -> bool {
        self.text == *other
    }
}

impl From<String> for Message {
    fn from(text: String) -> Message {
        Message { text, ..Message::default() }
    }
}

impl From<&String> for Message {
    fn from(text: &String) -> Message {
        text.clone().into()
    }
}

impl From<&Message> for Message {
    fn from(message: &Message) -> Message {
        message.clone()
    }
}

impl From<&str> for Message {
    fn from(text: &str) -> Message {
        text.to_string().into()
    }
}

impl Default for MessageArg {
    fn default() -> MessageArg {
        MessageArg::Text(String::new())
    }
}

macro_rules! arg_from {
    ($($type:ty, $value:ident => $arg:expr;)*) => {
        $(
            impl From<$type> for MessageArg {
                fn from($value: $type) -> MessageArg {
                    $arg
                }
            }
        )*
    };
}

arg_from! {
    String, text => MessageArg::Text(text);
    &String, text => MessageArg::Text(text.clone());
    &str, text => MessageArg::Text(text.to_string());
    &Message, message => MessageArg::Message(Box::new(message.clone()));
    Message, message => MessageArg::Message(Box::new(message));
    u64, count => MessageArg::Count(count);
    u32, count => MessageArg::Count(count.into());
    u16, count => MessageArg::Count(count.into());
    usize, count => MessageArg::Count(count as u64);
}

impl<T: Into<MessageArg>> From<Vec<T>> for MessageArg {
    fn from(all: Vec<T>) -> MessageArg {
        MessageArg::List(all.into_iter().map(Into::into).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nested(depth: usize) -> Message {
        let within = |message: Message, _| {
            let args = MessageArgs::from([("what".into(), message.into())]);
            Message::new("x", args, "text".into())
        };
        (0..depth).fold(Message::from("text"), within)
    }

    #[test]
    fn what_is_nested_too_deeply_is_its_text_and_reads_back_as_it_was_written() {
        for depth in [1, MAX_DEPTH, MAX_DEPTH + 1, 200] {
            let message = nested(depth);
            assert_eq!((message.as_str(), message.depth() <= MAX_DEPTH), ("text", true), "{depth}");
            let text = serde_json::to_string(&vec![vec![vec![&message]]]).unwrap();
            let again: Vec<Vec<Vec<Message>>> = serde_json::from_str(&text).unwrap();
            assert_eq!(again[0][0][0], message, "{depth}");
        }
        assert_eq!(nested(MAX_DEPTH).id(), "x");
    }

    #[test]
    fn a_text_of_an_older_version_and_a_form_without_identifier_are_untranslated_texts() {
        let read = |json: &str| serde_json::from_str::<Message>(json).unwrap();
        assert_eq!(read(r#""it broke""#), Message::from("it broke"));
        assert_eq!(
            read(r#"{"id":"","args":{"a":{"text":"b"}},"text":"it broke"}"#),
            Message::from("it broke")
        );
    }
}
