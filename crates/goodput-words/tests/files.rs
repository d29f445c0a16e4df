//! Compares Fluent files with each other, with the rules, and with the English in the code.

use fluent_bundle::{FluentBundle, FluentResource};
use goodput_words::messages::{fluent_sources, message_keys};
use goodput_words::{Language, Translator, finding_message_key};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

const FILES: [&str; 8] =
    ["page", "report", "findings", "conclusions", "diagnosis", "check", "errors", "help"];
const PATTERNS: [&str; 2] = ["report", "errors"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn text(language: Language, file: &str) -> String {
    let path = root().join(format!("locales/{}/{file}.ftl", language.bcp47_tag()));
    fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// File, key and words of each pattern.
fn patterns() -> Vec<(&'static str, String, String)> {
    let mut all = Vec::new();
    for file in PATTERNS {
        let source = text(Language::English, file);
        let pairs = source.lines().filter(|line| !line.starts_with('#')).filter_map(|l| l.split_once('='));
        all.extend(pairs.map(|(key, words)| (file, key.trim().to_string(), words.trim().to_string())));
    }
    all
}

/// The variables of each message; those that only select a variant if `with_selectors`.
fn variables(source: &str, with_selectors: bool) -> BTreeMap<String, BTreeSet<String>> {
    let known: BTreeSet<String> = message_keys(source).into_iter().collect();
    let mut all: BTreeMap<String, BTreeSet<String>> =
        known.iter().map(|key| (key.clone(), BTreeSet::new())).collect();
    let (mut message, mut key) = (String::new(), String::new());
    for line in source.lines().filter(|l| !l.starts_with('#')) {
        let name = line.split('=').next().unwrap_or("").trim_end();
        let has_attribute = |key: &String| key.split_once('.').is_some_and(|(of, _)| of == name);
        if known.contains(name) || known.iter().any(has_attribute) {
            (message, key) = (name.to_string(), name.to_string());
        } else if let Some(attribute) = name.trim_start().strip_prefix('.') {
            key = format!("{message}.{attribute}");
        }
        if let Some(found) = all.get_mut(&key) {
            let is_name = |c: &char| c.is_ascii_alphanumeric() || *c == '-' || *c == '_';
            let named = line.split('$').skip(1).map(|rest| {
                let name: String = rest.chars().take_while(is_name).collect();
                (rest[name.len()..].starts_with(" ->"), name)
            });
            found.extend(named.filter(|(selects, _)| with_selectors || !selects).map(|(_, name)| name));
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
        let of = |language, with_selectors| variables(&text(language, file), with_selectors);
        let (printed, all) = (of(Language::English, false), of(Language::English, true));
        assert!(!all.is_empty(), "{file}.ftl");
        for language in [Language::Japanese, Language::Russian] {
            let other = of(language, true);
            let name = format!("{}/{file}.ftl", language.bcp47_tag());
            assert!(other.keys().eq(all.keys()), "{name}: keys differ");
            for (key, names) in &other {
                // A language that needs no variants does not select one.
                assert!(names.is_superset(&printed[key]) && names.is_subset(&all[key]), "{name}: {key}");
            }
        }
    }
}

/// Patterns must have a single variant.
#[test]
fn patterns_are_plain_text_and_variables() {
    for (file, key, words) in patterns() {
        assert!(!words.contains("->") && !words.contains("{ \""), "{file}.ftl: {key}");
        let inside = words.split("{ ").skip(1).filter(|rest| !rest.starts_with('$')).count();
        assert_eq!(inside, 0, "{file}.ftl: {key}");
    }
}

fn form(pattern: &str) -> String {
    let mut pieces = pattern.split("{ $");
    let mut form = pieces.next().unwrap_or("").to_string();
    for piece in pieces {
        let (name, behind) = piece.split_once(" }").unwrap_or((piece, ""));
        let classes = ["figure", "bare", "must", "clause", "said"];
        let class = classes.into_iter().find(|class| name.starts_with(class)).unwrap_or("name");
        form.push_str(&format!("{{{class}}}{behind}"));
    }
    form
}

/// The second of two equal patterns would never be found.
#[test]
fn no_two_patterns_of_a_kind_read_alike() {
    let mut seen: BTreeMap<(Option<&str>, String), String> = BTreeMap::new();
    let mut twice = Vec::new();
    for (_, key, pattern) in patterns() {
        // Titles are not searched, and advice may repeat.
        if key.starts_with("line-") || key.starts_with("rule-") || key == ".try" {
            continue;
        }
        let kind = ["clause-", "part-"].into_iter().find(|kind| key.starts_with(kind));
        if let Some(first) = seen.insert((kind, form(&pattern)), key.clone()) {
            twice.push(format!("{first} and {key}: {pattern}"));
        }
    }
    assert!(twice.is_empty(), "the second of these is never found:\n{}", twice.join("\n"));
}

#[test]
fn every_rule_has_a_title_in_every_language_and_no_other_has() {
    for language in Language::ALL {
        let words = Translator::new(language);
        for rule in goodput_analysis::finding::FINDING_RULES {
            assert!(words.finding_title(rule.id).is_some(), "{} in {}", rule.id, language.bcp47_tag());
        }
    }
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

/// The source with its documentation, without other comments; strings over several lines are joined.
fn code() -> String {
    let mut all = String::new();
    for folder in inside(&root().join("crates")).iter().filter(|f| !f.ends_with("goodput-words")) {
        gather(&folder.join("src"), &mut all);
    }
    let is_comment = |line: &str| line.starts_with("//") && !line.starts_with("///");
    let lines: Vec<&str> = all.lines().filter(|line| !is_comment(line.trim_start())).collect();
    let joined: String = lines.join("\n").split("\\\n").map(str::trim_start).collect();
    joined.replace("\\\"", "\"")
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
    "of 1 CPU busy (only the server is pinned",
    "CPUs busy (only the server is pinned",
    "TCP, the connecting end sends",
    "TCP, the connecting end receives",
    "peak rate per direction",
    "a quota of 1 CPU, throttled in",
    "of the quota of 1 CPU (throttled in",
    "were lost on the path or at the receiver's socket or in the receiving host below its sockets, which was not counted",
    "max; it took",
    "note is shown next to the related chart or table",
    "the smallest number measured, additional clients increase the rate by at most 5",
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
    for (_, key, words) in patterns() {
        if key.starts_with("rule-") || FOREIGN.iter().any(|beginning| key.starts_with(beginning)) {
            continue;
        }
        // What stands before, between and after the variables.
        let parts = words.split("{ $").enumerate().map(|(i, part)| match i {
            0 => part,
            _ => part.split_once(" }").map_or("", |(_, behind)| behind),
        });
        let told = parts.map(|p| p.trim_matches(|c: char| !c.is_alphanumeric()));
        let told = told.filter(|p| p.len() >= TOLD && !SCATTERED.contains(p));
        lost.extend(told.filter(|p| !stands_in(&code, p)).map(|p| format!("{key} {p:?}")));
    }
    assert!(lost.is_empty(), "no code says this any more:\n{}", lost.join("\n"));
}
