//! A text that people read, in a table, a figure or a page: a message with its arguments. JSON has its English text.

use goodput_model::{Message, MessageArg};
use goodput_words::message;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Serialize, Serializer};
use std::borrow::Cow;
use std::fmt;
use std::ops::Deref;

pub(crate) use goodput_words::{comma_list, semicolon_list};

/// Dereferences to its message, which dereferences to the English text. A text without an identifier is a fixed text
/// of `locales/en`, a name, or a number with its unit.
#[derive(Debug, Clone, Default)]
pub struct DisplayText(Message);

impl DisplayText {
    pub fn message(&self) -> &Message {
        &self.0
    }

    /// `say` gives the text in the reader's language.
    pub fn localize(&mut self, say: impl FnOnce(&Message) -> String) {
        let said = say(&self.0);
        self.0 = said.into();
    }
}

/// `one two`: sentences one after the other.
pub(crate) fn sentences(items: impl IntoIterator<Item = Message>) -> Message {
    let joined = items.into_iter().reduce(|first, then| message!(list_sentences { first, then }));
    joined.unwrap_or_default()
}

/// Without the full stop, which a sentence around it adds.
pub(crate) fn trim_full_stop(text: &Message) -> Message {
    let trimmed = text.trim().trim_end_matches('.');
    if text.id().is_empty() { trimmed.into() } else { text.clone() }
}

impl Deref for DisplayText {
    type Target = Message;

    fn deref(&self) -> &Message {
        &self.0
    }
}

impl fmt::Display for DisplayText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl<T: Into<Message>> From<T> for DisplayText {
    fn from(text: T) -> DisplayText {
        DisplayText(text.into())
    }
}

impl From<DisplayText> for MessageArg {
    fn from(text: DisplayText) -> MessageArg {
        text.0.into()
    }
}

impl PartialEq for DisplayText {
    fn eq(&self, other: &DisplayText) -> bool {
        self.as_str() == other.as_str()
    }
}

impl Eq for DisplayText {}

impl PartialEq<str> for DisplayText {
    fn eq(&self, other: &str) -> bool {
        self.as_str() == other
    }
}

impl PartialEq<&str> for DisplayText {
    fn eq(&self, other: &&str) -> bool {
        self.as_str() == *other
    }
}

impl Serialize for DisplayText {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self)
    }
}

impl JsonSchema for DisplayText {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        String::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        String::json_schema(generator)
    }
}
