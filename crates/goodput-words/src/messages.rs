//! Loads Fluent files and formats their messages.

use crate::Language;
use crate::localized_number;
use flate2::read::GzDecoder;
use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource};
use std::io::Read;

include!(concat!(env!("OUT_DIR"), "/sources.rs"));

/// Name and text of all files except the web page's.
pub fn fluent_sources(language: Language) -> impl Iterator<Item = (&'static str, String)> {
    compressed(language).into_iter().map(|(file, packed)| {
        let mut text = String::new();
        // Packed by build.rs.
        let _ = GzDecoder::new(packed).read_to_string(&mut text);
        (file, text)
    })
}

pub struct MessageBundle {
    bundle: FluentBundle<FluentResource>,
}

impl MessageBundle {
    /// Skips invalid and duplicate entries; a test forbids both.
    pub fn for_language(language: Language) -> MessageBundle {
        let mut bundle = FluentBundle::new_concurrent(vec![language.bcp47_tag().parse().unwrap_or_default()]);
        // No language here mixes text directions.
        bundle.set_use_isolating(false);
        match language {
            Language::English => {}
            Language::Japanese => bundle.set_formatter(Some(localized_number::format_japanese_number)),
            Language::Russian => bundle.set_formatter(Some(localized_number::format_russian_number)),
        }
        for (_, text) in fluent_sources(language) {
            let resource = match FluentResource::try_new(text) {
                Ok(resource) | Err((resource, _)) => resource,
            };
            // The first of duplicates counts.
            let _ = bundle.add_resource(resource);
        }
        MessageBundle { bundle }
    }

    /// A message, or its attribute `.name`. `None` for unknown keys and where a variable is missing.
    pub fn format(&self, key: &str, args: &FluentArgs<'_>) -> Option<String> {
        let (id, attribute) = key.split_once('.').map_or((key, None), |(id, name)| (id, Some(name)));
        let message = self.bundle.get_message(id)?;
        let pattern = match attribute {
            Some(name) => message.get_attribute(name)?.value(),
            None => message.value()?,
        };
        let mut errors = Vec::new();
        let text = self.bundle.format_pattern(pattern, Some(args), &mut errors).into_owned();
        errors.is_empty().then_some(text)
    }
}

/// Keys in file order: `id` of each message with a value, `id.attribute` of each attribute. In Fluent's
/// grammar an identifier starts its line, and an attribute is a dot after spaces.
pub fn message_keys(source: &str) -> Vec<String> {
    let mut keys = Vec::new();
    let mut message = "";
    for line in source.lines() {
        let Some((name, value)) = line.split_once('=') else { continue };
        let name = name.trim_end();
        if let Some(attribute) = name.trim_start().strip_prefix('.').filter(|_| name.starts_with(' ')) {
            keys.push(format!("{message}.{attribute}"));
        } else if is_identifier(name) {
            message = name;
            let alone = value.trim().is_empty() && next_is_attribute(source, line);
            if !alone {
                keys.push(message.to_string());
            }
        }
    }
    keys
}

/// True when the next line of the source begins an attribute.
fn next_is_attribute(source: &str, line: &str) -> bool {
    let at = line.as_ptr() as usize - source.as_ptr() as usize + line.len();
    source[at..].lines().nth(1).is_some_and(|next| next.trim_start().starts_with('.'))
}

fn is_identifier(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_messages_and_attributes() {
        let source = "# a = b\none = x = y\n    .try = z\ntwo =\n    .text = t\nthree = { $n ->\n    [one] a=b\n   *[other] c\n}\n";
        assert_eq!(message_keys(source), ["one", "one.try", "two.text", "three"]);
    }

    #[test]
    fn a_message_without_a_variable_or_an_unknown_one_is_none() {
        let english = MessageBundle::for_language(Language::English);
        for key in ["clause-between", "clause-between.try", "nobody-wrote-this"] {
            assert_eq!(english.format(key, &FluentArgs::new()), None, "{key}");
        }
        assert_eq!(english.format("clause-both-hosts", &FluentArgs::new()).as_deref(), Some("both hosts"));
    }
}
