//! Texts in the saved state of a schedule, which are documents of the API too: a typed message as an object, so that it
//! is translated when somebody asks, any other text as a string. Answers of the API are localized, so they have strings.

use goodput_words::Message;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum StoredText {
    Plain(String),
    Typed(Message),
}

impl From<&Message> for StoredText {
    fn from(message: &Message) -> StoredText {
        match message.id().is_empty() {
            true => StoredText::Plain(message.to_string()),
            false => StoredText::Typed(message.clone()),
        }
    }
}

impl From<StoredText> for Message {
    fn from(text: StoredText) -> Message {
        match text {
            StoredText::Plain(text) => text.into(),
            StoredText::Typed(message) => message,
        }
    }
}

pub fn serialize<S: Serializer>(message: &Message, to: S) -> Result<S::Ok, S::Error> {
    StoredText::from(message).serialize(to)
}

pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Message, D::Error> {
    StoredText::deserialize(from).map(Message::from)
}

/// The same where it may be missing.
pub mod option {
    use super::{Message, StoredText};
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub fn serialize<S: Serializer>(message: &Option<Message>, to: S) -> Result<S::Ok, S::Error> {
        message.as_ref().map(StoredText::from).serialize(to)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Message>, D::Error> {
        Ok(Option::<StoredText>::deserialize(from)?.map(Message::from))
    }
}

#[cfg(test)]
mod tests {
    use crate::schedule::due_occurrence::MissedExecutions;
    use crate::tests::at;
    use crate::translate::{Localize, translator};
    use goodput_words::{Language, message};
    use serde_json::from_value;

    #[test]
    fn a_text_is_read_back_with_its_type_and_an_answer_has_a_string() {
        let turn = at("2026-03-01T00:00:00Z");
        let reason = message!(served_it_answered { status: "503" });
        let mut missed = MissedExecutions { from: turn, to: turn, count: 1, more: false, reason };
        let stored = serde_json::to_value(&missed).unwrap();
        assert_eq!(stored["reason"]["id"], "served-it-answered");
        assert_eq!(from_value::<MissedExecutions>(stored).unwrap(), missed);
        missed.reason.localize(translator(Language::English));
        let answered = serde_json::to_value(&missed).unwrap();
        assert_eq!(answered["reason"], "the server answered 503");
        assert_eq!(from_value::<MissedExecutions>(answered).unwrap(), missed);
    }
}
