//! English sentences found again: which message a sentence was made of, and what its variables were.
//!
//! A template is an English message cut at its variables. It fits a sentence whose beginning, end and parts between are
//! the template's; each variable takes as little as it can without parting brackets, and none but the last more than a
//! name. One whose name begins with `figure` takes nothing but a figure, one with `bare` nothing but a word without a
//! blank, one with `must` nothing but a part of a sentence that is found itself. A fit counts only if the message, filled with what was read, gives the sentence back letter by
//! letter; of two that fit, the one with more letters of its own is meant. So nothing is guessed: a sentence that nobody
//! translated, or whose English has changed, is not found. The same in TypeScript: `web/src/words/source_text.ts`.

use crate::Language;
use crate::figure;
use crate::messages::{Messages, keys, sources};
use fluent_bundle::FluentArgs;
use std::collections::HashMap;

/// A message cut at its variables.
struct Template {
    key: String,
    /// What stands before, between and after the variables; one more than those.
    parts: Vec<String>,
    names: Vec<String>,
}

impl Template {
    fn letters(&self) -> usize {
        self.parts.iter().map(String::len).sum()
    }

    /// The variables' texts, by name; `None` when the sentence is of another form.
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
                // A variable is never empty.
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
            if name.starts_with("figure") && !figure::is_figure(text)
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

/// What a text is looked for among.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Whole sentences, headings, single words.
    Sentence,
    /// Parts of sentences: messages `clause-…`, and what is a part as well.
    Clause,
    /// Parts that sentences are put together of: messages `part-…`. No part fits what is not wholly one of ours, so that
    /// one may be asked for (`{ $must… }`) and may stand by itself.
    Part,
}

impl Kind {
    fn of_key(key: &str) -> Kind {
        match key.split_once('-') {
            Some(("clause", _)) => Kind::Clause,
            Some(("part", _)) => Kind::Part,
            _ => Kind::Sentence,
        }
    }
}

/// The messages of a kind, by what they say.
#[derive(Default)]
struct Book {
    exact: HashMap<String, String>,
    templates: Vec<Template>,
}

/// The English messages, by what they say.
pub struct Phrases {
    english: Messages,
    books: [Book; 3],
}

impl Phrases {
    /// Those of `report`, `errors`, and of `findings` the sentences and their clauses; a finding's title is no sentence.
    pub fn of_english() -> Phrases {
        let english = Messages::of(Language::English);
        let mut all = Phrases { english, books: Default::default() };
        for (file, text) in sources(Language::English) {
            // Of findings, which are typed, only the parts that other sentences share.
            let shared = |key: &String| *file != "findings" || Kind::of_key(key) != Kind::Sentence;
            for key in keys(text).into_iter().filter(|key| is_said(key) && shared(key)) {
                all.add(key);
            }
        }
        // The order of equal ones is that of the files.
        for book in &mut all.books {
            book.templates.sort_by_key(|t| std::cmp::Reverse(t.letters()));
        }
        all
    }

    fn add(&mut self, key: String) {
        let Some(raw) = self.english.format(&key, &FluentArgs::new()) else { return };
        let book = &mut self.books[Kind::of_key(&key) as usize];
        let (parts, names) = cut(&raw);
        if names.is_empty() {
            book.exact.entry(raw).or_insert(key);
        } else {
            book.templates.push(Template { key, parts, names });
        }
    }

    /// The key of the message that this was made of, and its variables.
    pub fn find(&self, text: &str, kind: Kind) -> Option<(String, Vec<(String, String)>)> {
        match kind {
            // A clause may hold anybody's words, a part only ours: what is a part is nothing else.
            Kind::Clause => self.look(text, Kind::Part).or_else(|| self.look(text, Kind::Clause)),
            other => self.look(text, other),
        }
    }

    fn look(&self, text: &str, kind: Kind) -> Option<(String, Vec<(String, String)>)> {
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
            let known =
                |(name, said): &(String, String)| !is_bound(name) || self.look(said, Kind::Part).is_some();
            (again == text && found.iter().all(known)).then(|| (template.key.clone(), found))
        })
    }
}

/// False where a bracket is opened and not closed, or the other way round.
fn is_balanced(text: &str) -> bool {
    text.matches('(').count() == text.matches(')').count()
}

/// Only these, and a template's last variable, may hold what is more than a name: else half a sentence of another form
/// would be taken for one.
fn holds_sentences(name: &str) -> bool {
    name.starts_with("clause") || name.starts_with("said") || is_bound(name)
}

/// A part that must itself be one of ours, or the whole does not fit.
fn is_bound(name: &str) -> bool {
    name.starts_with("must")
}

/// The title of a finding is said by nobody, and a line's first word is looked at by itself.
fn is_said(key: &str) -> bool {
    !key.starts_with("line-") && (!key.starts_with("rule-") || key.contains('.'))
}

/// `a {$b} c` as its parts (`a `, ` c`) and names (`b`).
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

    fn template(raw: &str) -> Template {
        let (parts, names) = cut(raw);
        Template { key: "k".into(), parts, names }
    }

    fn fit(raw: &str, sentence: &str) -> Option<Vec<String>> {
        let found = template(raw).fit(sentence)?;
        Some(found.into_iter().map(|(_, text)| text).collect())
    }

    #[test]
    fn variables_take_as_little_as_they_can() {
        let said = fit("{$host}: {$why}", "a: b: c").unwrap();
        assert_eq!(said, ["a", "b: c"]);
        assert_eq!(fit("from {$a} to {$b}", "from x to y").unwrap(), ["x", "y"]);
        assert_eq!(fit("{$a} B, {$a} B", "7 B, 7 B").unwrap(), ["7"]);
    }

    #[test]
    fn another_form_does_not_fit() {
        assert_eq!(fit("{$a} B, {$a} B", "7 B, 8 B"), None);
        assert_eq!(fit("from {$a} to {$b}", "from x to "), None);
        assert_eq!(fit("({$a})", "()"), None);
        assert_eq!(fit("aa{$x}aa", "aaa"), None);
        assert_eq!(fit("日{$x}本", "日本"), None);
        // More than a name.
        assert_eq!(fit("{$one} is better than {$other}", "for tcp: not every one is better than b"), None);
        assert!(fit("{$saidOne} is better than {$other}", "for tcp: one is better than b").is_some());
        // Brackets are not parted.
        assert_eq!(fit("{$clauseA}, {$clauseB}", "x (1, 2), y").unwrap(), ["x (1, 2)", "y"]);
        // Figures are nothing else.
        assert_eq!(fit("{$figureLow} to {$figureHigh}", "1.02 to 1.96 ms").unwrap(), ["1.02", "1.96 ms"]);
        assert_eq!(fit("{$figureLow} to {$figureHigh}", "write to disk"), None);
        // A bare word is one.
        assert_eq!(fit("{$bareSecond} against {$bareFirst}", "B against A").unwrap(), ["B", "A"]);
        assert_eq!(fit("{$bareSecond} against {$bareFirst}", "points against the mean"), None);
    }

    #[test]
    fn a_part_of_a_sentence_is_no_sentence() {
        let phrases = Phrases::of_english();
        // Parts of sentences are no sentences.
        assert_eq!(phrases.find("both hosts", Kind::Sentence), None);
        assert!(phrases.find("both hosts", Kind::Clause).is_some());
        // What must be a part is one, or nothing fits.
        let bound = "a ↔ b: 0.700 TCP transactions a second, one at a time, over 10.00 s.";
        assert_eq!(phrases.find(bound, Kind::Sentence).unwrap().0, "report-way-result");
        assert_eq!(phrases.find("a ↔ b: nobody wrote this, over 10.00 s.", Kind::Sentence), None);
    }
}
