//! Compares Fluent files with each other, with the rules, and with the English in the code.

use fluent_bundle::{FluentBundle, FluentResource};
use goodput_words::messages::{fluent_sources, message_keys};
use goodput_words::{Language, Translator, finding_message_key};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

const FILES: [&str; 5] = ["page", "report", "findings", "conclusions", "errors"];
const PATTERNS: [&str; 3] = ["report", "conclusions", "errors"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn text(language: Language, file: &str) -> String {
    let path = root().join(format!("locales/{}/{file}.ftl", language.bcp47_tag()));
    fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn variables(source: &str) -> BTreeMap<String, BTreeSet<String>> {
    let known: BTreeSet<String> = message_keys(source).into_iter().collect();
    let mut all: BTreeMap<String, BTreeSet<String>> =
        known.iter().map(|key| (key.clone(), BTreeSet::new())).collect();
    let (mut message, mut key) = (String::new(), String::new());
    for line in source.lines().filter(|l| !l.starts_with('#')) {
        let name = line.split('=').next().unwrap_or("").trim_end();
        if known.contains(name)
            || known.iter().any(|k| k.starts_with(&format!("{name}."))) && !name.is_empty()
        {
            (message, key) = (name.to_string(), name.to_string());
        } else if let Some(attribute) = name.trim_start().strip_prefix('.') {
            key = format!("{message}.{attribute}");
        }
        if let Some(found) = all.get_mut(&key) {
            let names = line.split('$').skip(1).map(|rest| {
                rest.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '-' || *c == '_').collect()
            });
            found.extend(names);
        }
    }
    all
}

#[test]
fn every_file_is_fluent_and_no_key_stands_twice() {
    for language in Language::ALL {
        let mut bundle = FluentBundle::default();
        for file in FILES {
            let name = format!("{}/{file}.ftl", language.bcp47_tag());
            let resource = FluentResource::try_new(text(language, file));
            let resource = resource.unwrap_or_else(|(_, e)| panic!("{name}: {e:?}"));
            let added = bundle.add_resource(resource);
            added.unwrap_or_else(|e| panic!("{name} has keys that stood before: {e:?}"));
        }
        for (file, embedded) in fluent_sources(language) {
            assert_eq!(text(language, file), *embedded);
        }
    }
}

#[test]
fn all_languages_have_the_same_keys_and_variables() {
    for file in FILES {
        let english = variables(&text(Language::English, file));
        assert!(!english.is_empty(), "{file}.ftl");
        for language in [Language::Japanese, Language::Russian] {
            let other = variables(&text(language, file));
            let name = format!("{}/{file}.ftl", language.bcp47_tag());
            for key in english.keys().chain(other.keys()) {
                assert_eq!(english.get(key), other.get(key), "{name}: {key}");
            }
        }
    }
}

/// Patterns must have a single variant.
#[test]
fn patterns_are_plain_text_and_variables() {
    for file in PATTERNS {
        for line in text(Language::English, file).lines().filter(|l| !l.starts_with('#')) {
            assert!(!line.contains("->") && !line.contains("{ \""), "{file}.ftl: {line}");
            let inside = line.split("{ ").skip(1).filter(|rest| !rest.starts_with('$')).count();
            assert_eq!(inside, 0, "{file}.ftl: {line}");
        }
    }
}

fn form(pattern: &str) -> String {
    let mut pieces = pattern.split("{ $");
    let mut form = pieces.next().unwrap_or("").to_string();
    for piece in pieces {
        let (name, behind) = piece.split_once(" }").unwrap_or((piece, ""));
        let holds =
            ["figure", "bare", "must", "clause", "said"].into_iter().find(|class| name.starts_with(class));
        form.push_str(&format!("{{{}}}{behind}", holds.unwrap_or("name")));
    }
    form
}

/// The second of two equal patterns would never be found.
#[test]
fn no_two_patterns_of_a_kind_read_alike() {
    let mut seen: BTreeMap<(Option<&str>, String), String> = BTreeMap::new();
    let mut twice = Vec::new();
    for file in PATTERNS {
        for line in text(Language::English, file).lines().filter(|l| !l.starts_with('#')) {
            let Some((key, pattern)) = line.split_once(" = ") else { continue };
            let key = key.trim();
            // Titles are not searched, and advice may repeat.
            if key.starts_with("line-") || key.starts_with("rule-") || key == ".try" {
                continue;
            }
            let kind = ["clause-", "part-"].into_iter().find(|kind| key.starts_with(kind));
            if let Some(first) = seen.insert((kind, form(pattern)), key.to_string()) {
                twice.push(format!("{first} and {key}: {pattern}"));
            }
        }
    }
    assert!(twice.is_empty(), "the second of these is never found:\n{}", twice.join("\n"));
}

#[test]
fn every_rule_has_a_title_in_every_language() {
    for language in Language::ALL {
        let words = Translator::new(language);
        for rule in goodput_analysis::finding::FINDING_RULES {
            assert!(
                words.finding_title(rule.id).is_some(),
                "{}: no title for {}",
                language.bcp47_tag(),
                rule.id
            );
        }
    }
}

#[test]
fn every_title_belongs_to_a_finding() {
    let known: BTreeSet<String> =
        goodput_analysis::finding::FINDING_RULES.iter().map(|r| finding_message_key(r.id)).collect();
    let code = code();
    for key in message_keys(&text(Language::English, "findings")) {
        let Some(id) = key.strip_prefix("rule-").filter(|id| !id.contains('.')) else { continue };
        let dotted = id.replacen('-', ".", 1);
        let elsewhere = [id, &dotted].iter().any(|id| code.contains(&format!("\"{id}\"")));
        assert!(known.contains(&key) || elsewhere, "{key} is the title of no finding");
    }
}

/// String literals and documentation of the source, one a line: what the program can print.
fn code() -> String {
    let mut all = String::new();
    for folder in inside(&root().join("crates")).iter().filter(|f| !f.ends_with("goodput-words")) {
        gather(&folder.join("src"), &mut all);
    }
    let mut printed = String::new();
    let mut rest = all.as_str();
    while let Some(at) = rest.find(['"', '/', '\'']) {
        let behind = &rest[at..];
        let length = if let Some(quote) = ["'\"'", "'\\\"'"].into_iter().find(|q| behind.starts_with(q)) {
            quote.len()
        } else if behind.starts_with("//") {
            let line = behind.lines().next().unwrap_or(behind);
            if line.starts_with("///") {
                printed.push_str(line);
                printed.push('\n');
            }
            line.len()
        } else if behind.starts_with('"') {
            let raw = rest[..at].ends_with("r#");
            let text =
                if raw { behind[1..].split("\"#").next().unwrap_or("") } else { literal(&behind[1..]) };
            printed.push_str(&format!("\"{text}\"\n"));
            text.len() + 2
        } else {
            1
        };
        rest = behind.get(length..).unwrap_or("");
    }
    let joined: String = printed.split("\\\n").map(str::trim_start).collect();
    joined.replace("\\\"", "\"")
}

/// Up to the closing quote.
fn literal(behind: &str) -> &str {
    let mut escaped = false;
    let end = behind.find(|c| {
        let closing = c == '"' && !escaped;
        escaped = c == '\\' && !escaped;
        closing
    });
    &behind[..end.unwrap_or(behind.len())]
}

fn inside(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.map(|e| e.expect("an entry of a folder").path()).collect();
    paths.sort();
    paths
}

fn gather(folder: &Path, all: &mut String) {
    for path in inside(folder) {
        if path.is_dir() {
            gather(&path, all);
        } else if path.extension().is_some_and(|e| e == "rs") {
            all.push_str(&fs::read_to_string(&path).expect("a source file is text"));
        }
    }
}

/// Maximum pieces per sentence, and their minimum letters.
const PIECES: usize = 4;
const LEAST: usize = 6;
/// Shorter text between variables is not significant.
const TOLD: usize = 10;
/// Texts of clap and the system, by prefix of their keys.
const FOREIGN: [&str; 3] = ["error-unexpected-argument", "error-unrecognized", "error-os-"];
/// Sentences assembled from more or smaller pieces.
const SCATTERED: &[&str] = &[
    "of 1 CPU busy",
    "of 1 CPU busy (pinned",
    "CPUs busy (pinned",
    "of 1 CPU busy (pinned: server only",
    "CPUs busy (pinned: server only",
    "TCP, the connecting end sends",
    "TCP, the connecting end receives",
    "peak rate per direction",
    "a quota of 1 CPU, throttled in",
    "of its quota of 1 CPU (throttled in",
    "were lost on the path or at the receiver's socket or in the receiving host below its sockets, which was not counted",
    "max; it took",
    "note is shown next to the related chart or table",
    "Writing to",
];

/// True when the code contains the words in few pieces.
fn stands_in(code: &str, words: &str) -> bool {
    let mut rest = words;
    for _ in 0..PIECES {
        if rest.is_empty() || code.contains(rest) {
            return true;
        }
        // Prefixes of contained text are contained, so bisection finds the longest.
        let ends: Vec<usize> = rest.char_indices().map(|(at, _)| at).filter(|at| *at >= LEAST).collect();
        let known = ends.partition_point(|end| code.contains(&rest[..*end]));
        let Some(end) = known.checked_sub(1).and_then(|last| ends.get(last)) else { return false };
        rest = rest[*end..].trim();
    }
    rest.is_empty()
}

/// A sentence changed in the code would no longer be found.
#[test]
fn the_english_of_every_pattern_stands_in_the_code() {
    let code = code();
    let mut lost = Vec::new();
    for file in PATTERNS {
        let source = text(Language::English, file);
        for line in source.lines().filter(|l| !l.starts_with('#')) {
            let Some((key, words)) = line.split_once('=') else { continue };
            let title = key.starts_with("rule-");
            if title || FOREIGN.iter().any(|beginning| key.starts_with(beginning)) {
                continue;
            }
            let mut rest = words;
            let mut parts = Vec::new();
            while let Some((before, after)) = rest.split_once("{ $") {
                parts.push(before);
                rest = after.split_once(" }").map_or("", |(_, behind)| behind);
            }
            parts.push(rest);
            let told = parts.iter().map(|p| p.trim_matches(|c: char| !c.is_alphanumeric()));
            let told = told.filter(|p| p.len() >= TOLD && !SCATTERED.contains(p));
            lost.extend(told.filter(|p| !stands_in(&code, p)).map(|p| format!("{} {p:?}", key.trim())));
        }
    }
    assert!(lost.is_empty(), "no code says this any more:\n{}", lost.join("\n"));
}
