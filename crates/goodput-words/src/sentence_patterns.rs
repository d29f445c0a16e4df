//! Finds the message and variables of an English sentence. A template is an English message split at its
//! variables. Each variable matches as little as possible with balanced brackets; only the last may be more
//! than a name. Prefixes restrict variables: `figure` to numbers, `bare` to a word, `must` to a known part. A
//! match counts only if the formatted message equals the sentence; of several, the one with the most literal
//! text wins. So changed or unknown sentences are not found.

use crate::Language;
use crate::localized_number;
use crate::messages::{MessageBundle, fluent_sources, message_keys};
use fluent_bundle::FluentArgs;
use std::collections::HashMap;

struct Template {
    key: String,
    parts: Vec<String>,
    names: Vec<String>,
}

impl Template {
    fn letters(&self) -> usize {
        self.parts.iter().map(String::len).sum()
    }

    /// Variables by name; `None` for no match.
    fn fit(&self, sentence: &str) -> Option<Vec<(String, String)>> {
        let (first, last) = (self.parts.first()?, self.parts.last()?);
        let body_end = sentence.len().checked_sub(last.len())?;
        if !sentence.starts_with(first.as_str()) || !sentence.ends_with(last.as_str()) {
            return None;
        }
        let mut found: Vec<(String, String)> = Vec::with_capacity(self.names.len());
        let mut at = first.len();
        for (i, name) in self.names.iter().enumerate() {
            let after = self.parts.get(i + 1)?;
            let end = if i + 1 == self.names.len() {
                body_end
            } else {
                // Variables are not empty.
                let from = at + sentence.get(at..)?.chars().next()?.len_utf8();
                let mut ends = sentence.get(from..)?.match_indices(after.as_str()).map(|(i, _)| from + i);
                ends.find(|end| is_balanced(&sentence[at..*end]))?
            };
            let text = sentence.get(at..end).filter(|text| !text.is_empty())?;
            if i + 1 < self.names.len()
                && !holds_sentences(name)
                && (text.contains(": ") || text.contains("; "))
            {
                return None;
            }
            if name.starts_with("figure") && !localized_number::is_quantity(text)
                || name.starts_with("bare") && text.contains(' ')
            {
                return None;
            }
            match found.iter().find(|(known, _)| known == name) {
                Some((_, known)) if known != text => return None,
                Some(_) => {}
                None => found.push((name.clone(), text.to_string())),
            }
            at = end + after.len();
        }
        Some(found)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PhraseKind {
    Sentence,
    /// Parts of sentences: messages `clause-…` and `part-…`.
    Clause,
    /// Messages `part-…`: match only if entirely known, so may be required (`{ $must… }`) and stand alone.
    Part,
    /// Texts of the help, `help-…`: whole texts, and words that mean something else elsewhere.
    Help,
}

impl PhraseKind {
    fn of_key(key: &str) -> PhraseKind {
        match key.split_once('-') {
            Some(("clause", _)) => PhraseKind::Clause,
            Some(("part", _)) => PhraseKind::Part,
            Some(("help", _)) => PhraseKind::Help,
            _ => PhraseKind::Sentence,
        }
    }
}

#[derive(Default)]
struct PhraseBook {
    exact: HashMap<String, String>,
    templates: Vec<Template>,
}

/// Files of typed messages only.
const TYPED: [&str; 3] = ["conclusions", "diagnosis", "check"];

pub struct SentencePatterns {
    english: MessageBundle,
    books: [PhraseBook; 4],
}

impl SentencePatterns {
    /// From `report`, `errors` and `help`, and the clauses of `findings`. Findings and conclusions are typed, and titles are not
    /// sentences.
    pub fn load_english() -> SentencePatterns {
        let english = MessageBundle::for_language(Language::English);
        let mut all = SentencePatterns { english, books: Default::default() };
        for (file, text) in fluent_sources(Language::English).iter().filter(|(file, _)| !TYPED.contains(file))
        {
            let shared =
                |key: &String| *file != "findings" || PhraseKind::of_key(key) != PhraseKind::Sentence;
            for key in message_keys(text).into_iter().filter(|key| is_sentence_key(key) && shared(key)) {
                all.add(key);
            }
        }
        // Stable: equal ones keep the files' order.
        for book in &mut all.books {
            book.templates.sort_by_key(|t| std::cmp::Reverse(t.letters()));
        }
        all
    }

    fn add(&mut self, key: String) {
        let Some(raw) = self.english.format(&key, &FluentArgs::new()) else { return };
        let book = &mut self.books[PhraseKind::of_key(&key) as usize];
        let (parts, names) = cut(&raw);
        if names.is_empty() {
            book.exact.entry(raw).or_insert(key);
        } else {
            book.templates.push(Template { key, parts, names });
        }
    }

    /// The message's key, and its variables.
    pub fn match_text(&self, text: &str, kind: PhraseKind) -> Option<(String, Vec<(String, String)>)> {
        match kind {
            // Clauses may contain any text, parts only ours.
            PhraseKind::Clause => {
                self.look(text, PhraseKind::Part).or_else(|| self.look(text, PhraseKind::Clause))
            }
            other => self.look(text, other),
        }
    }

    fn look(&self, text: &str, kind: PhraseKind) -> Option<(String, Vec<(String, String)>)> {
        let book = &self.books[kind as usize];
        if let Some(key) = book.exact.get(text) {
            return Some((key.clone(), Vec::new()));
        }
        book.templates.iter().find_map(|template| {
            let found = template.fit(text)?;
            let mut args = FluentArgs::new();
            for (name, said) in &found {
                args.set(name.clone(), said.as_str());
            }
            let again = self.english.format(&template.key, &args)?;
            let known = |(name, said): &(String, String)| {
                !is_bound(name) || self.look(said, PhraseKind::Part).is_some()
            };
            (again == text && found.iter().all(known)).then(|| (template.key.clone(), found))
        })
    }
}

/// True if all brackets match.
fn is_balanced(text: &str) -> bool {
    text.matches('(').count() == text.matches(')').count()
}

/// Only these, and the last variable, may match more than a name: else half of another sentence would match.
fn holds_sentences(name: &str) -> bool {
    name.starts_with("clause") || name.starts_with("said") || is_bound(name)
}

/// True if it must be a known part.
fn is_bound(name: &str) -> bool {
    name.starts_with("must")
}

/// Titles and line prefixes are excluded.
fn is_sentence_key(key: &str) -> bool {
    !key.starts_with("line-") && (!key.starts_with("rule-") || key.contains('.'))
}

/// Splits `a {$b} c` into parts (`a `, ` c`) and names (`b`).
fn cut(raw: &str) -> (Vec<String>, Vec<String>) {
    let (mut parts, mut names) = (Vec::new(), Vec::new());
    let mut rest = raw;
    while let Some((before, after)) = rest.split_once("{$") {
        let Some((name, behind)) = after.split_once('}') else { break };
        parts.push(before.to_string());
        names.push(name.to_string());
        rest = behind;
    }
    parts.push(rest.to_string());
    (parts, names)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fit(raw: &str, sentence: &str) -> Option<Vec<String>> {
        let (parts, names) = cut(raw);
        let found = Template { key: "k".into(), parts, names }.fit(sentence)?;
        Some(found.into_iter().map(|(_, text)| text).collect())
    }

    #[test]
    fn variables_take_as_little_as_they_can_and_another_form_does_not_fit() {
        assert_eq!(fit("{$host}: {$why}", "a: b: c").unwrap(), ["a", "b: c"]);
        assert_eq!(fit("from {$a} to {$b}", "from x to y").unwrap(), ["x", "y"]);
        assert_eq!(fit("{$a} B, {$a} B", "7 B, 7 B").unwrap(), ["7"]);
        assert_eq!(fit("{$a} B, {$a} B", "7 B, 8 B"), None);
        assert_eq!(fit("from {$a} to {$b}", "from x to "), None);
        assert_eq!(fit("({$a})", "()"), None);
        assert_eq!(fit("aa{$x}aa", "aaa"), None);
        assert_eq!(fit("日{$x}本", "日本"), None);
        assert_eq!(fit("{$one} is better than {$other}", "for tcp: not every one is better than b"), None);
        assert!(fit("{$saidOne} is better than {$other}", "for tcp: one is better than b").is_some());
        assert_eq!(fit("{$clauseA}, {$clauseB}", "x (1, 2), y").unwrap(), ["x (1, 2)", "y"]);
        assert_eq!(fit("{$figureLow} to {$figureHigh}", "1.02 to 1.96 ms").unwrap(), ["1.02", "1.96 ms"]);
        assert_eq!(fit("{$figureLow} to {$figureHigh}", "write to disk"), None);
        assert_eq!(fit("{$bareSecond} against {$bareFirst}", "B against A").unwrap(), ["B", "A"]);
        assert_eq!(fit("{$bareSecond} against {$bareFirst}", "points against the mean"), None);
    }

    #[test]
    fn a_part_of_a_sentence_is_no_sentence() {
        let phrases = SentencePatterns::load_english();
        assert_eq!(phrases.match_text("both hosts", PhraseKind::Sentence), None);
        assert!(phrases.match_text("both hosts", PhraseKind::Clause).is_some());
        let bound = "a ↔ b: 0.700 TCP transactions per second, one at a time, over 10.00 s.";
        assert_eq!(phrases.match_text(bound, PhraseKind::Sentence).unwrap().0, "report-way-result");
        assert_eq!(phrases.match_text("a ↔ b: nobody wrote this, over 10.00 s.", PhraseKind::Sentence), None);
    }
}
