//! Lists in sentences.

use crate::message;
use goodput_model::{Message, MessageArg};

/// `a, b, c`, with the comma of the language.
pub fn comma_list<T: Into<MessageArg>>(items: impl IntoIterator<Item = T>) -> Message {
    let items: Vec<MessageArg> = items.into_iter().map(Into::into).collect();
    message!(list { items })
}

/// `a; b; c`; empty without an item. Joined by halves, so that a long list is not nested deeply.
pub fn semicolon_list(items: impl IntoIterator<Item = Message>) -> Message {
    fn joined(mut items: Vec<Message>) -> Message {
        match items.len() {
            0 | 1 => items.pop().unwrap_or_default(),
            n => {
                let then = joined(items.split_off(n / 2));
                message!(list_semicolon { first: joined(items), then })
            }
        }
    }
    joined(items.into_iter().collect())
}

/// `None` without an item.
pub fn non_empty_semicolon_list(items: impl IntoIterator<Item = Message>) -> Option<Message> {
    Some(semicolon_list(items)).filter(|list| !list.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_of_thousands_keeps_its_items_and_their_order() {
        let all: Vec<String> = (0..4_096).map(|n| n.to_string()).collect();
        let list = semicolon_list(all.iter().map(|n| message!(part_figure { figure: n })));
        assert_eq!((list.as_str(), list.id()), (all.join("; ").as_str(), "list-semicolon"));
        let text = serde_json::to_string(&list).unwrap();
        assert_eq!(serde_json::from_str::<Message>(&text).unwrap(), list);
        assert_eq!(semicolon_list([]), "");
    }
}
