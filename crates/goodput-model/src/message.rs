//! A text for a person: the identifier of a Fluent message with its arguments, and the English text that they give.

use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::ops::Deref;

/// A text that can be translated. It dereferences to its English text.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Message {
    /// Key in `locales/`: a message (`rule-steal`) or an attribute (`rule-steal.text`). Empty for an
    /// untranslated text.
    id: Cow<'static, str>,
    args: MessageArgs,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    text: String,
}

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
    /// Called by `goodput_words::message!`.
    pub fn new(id: impl Into<Cow<'static, str>>, args: MessageArgs, text: String) -> Message {
        Message { id: id.into(), args, text }
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

/// As its English text, in documents for scripts; read back, it is untranslated.
pub(crate) mod english {
    use super::Message;
    use serde::{Deserialize, Deserializer, Serializer};

    pub fn serialize<S: Serializer>(message: &Message, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(message)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Message, D::Error> {
        Ok(String::deserialize(from)?.into())
    }
}

/// The same for a list.
pub(crate) mod english_list {
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
