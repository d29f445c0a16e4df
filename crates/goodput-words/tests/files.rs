//! Compares Fluent files with each other, with the rules, and with the English in the code.

use fluent_bundle::{FluentArgs, FluentBundle, FluentResource};
use goodput_words::messages::{fluent_sources, message_keys};
use goodput_words::{Language, Translator, finding_message_key};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

const FILES: [&str; 8] =
    ["page", "report", "findings", "conclusions", "diagnosis", "check", "errors", "help"];
/// Of texts that the program says; the page and the help have their own tests.
const SAID: [&str; 6] = ["report", "findings", "conclusions", "diagnosis", "check", "errors"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn text(language: Language, file: &str) -> String {
    let path = root().join(format!("locales/{}/{file}.ftl", language.bcp47_tag()));
    fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
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
            assert_eq!(text(language, file), embedded);
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
    for folder in inside(&root().join("crates")).iter() {
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

/// Texts of clap, and of constants.
const ELSEWHERE: [&str; 3] =
    ["error-args-utf8", "cause-archive-unpacks-to-too-much", "cause-archive-long-headers"];

/// Each message is constructed, or its fixed English stands in the code.
#[test]
fn every_message_is_used() {
    let code = code();
    let words: BTreeSet<&str> =
        code.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| word.contains('_')).collect();
    let mut unused = Vec::new();
    for file in SAID {
        let source = text(Language::English, file);
        let mut bundle = FluentBundle::default();
        bundle.add_resource(FluentResource::try_new(source.clone()).expect("Fluent")).expect("no key twice");
        for key in message_keys(&source) {
            let typed = code.contains(&format!("message!({}", key.replace(['-', '.'], "_")))
                || words.contains(key.replace(['-', '.'], "_").as_str())
                || source.contains(&format!("{{ {key} }}"));
            let (id, attribute) = key.split_once('.').map_or((key.as_str(), None), |(id, a)| (id, Some(a)));
            let message = bundle.get_message(id).expect("a message");
            let pattern =
                attribute.map_or_else(|| message.value(), |a| Some(message.get_attribute(a)?.value()));
            let english = bundle.format_pattern(pattern.expect("a text"), None, &mut Vec::new());
            let composed = file == "diagnosis" || key.starts_with("rule-") || ELSEWHERE.contains(&&*key);
            if !typed && !composed && !code.contains(&*english) {
                unused.push(format!("{file}.ftl: {key} = {english}"));
            }
        }
    }
    assert!(unused.is_empty(), "no code says these any more:\n{}", unused.join("\n"));
}

/// Of two fixed texts with the same English, the second is found by its key only.
#[test]
fn fixed_texts_with_the_same_english_are_typed() {
    let fixed = goodput_words::fixed_texts::FixedTexts::load();
    let (code, bundle) = (code(), goodput_words::messages::MessageBundle::for_language(Language::English));
    let mut ambiguous = Vec::new();
    for key in SAID.iter().flat_map(|file| message_keys(&text(Language::English, file))) {
        let Some(english) = bundle.format(&key, &FluentArgs::new()) else { continue };
        let other = fixed.key_of(&english).is_some_and(|first| first != key);
        if other
            && !code.contains(&key.replace(['-', '.'], "_"))
            && !key.starts_with("rule-")
            && !key.starts_with("path-")
            && !key.starts_with("quantity-")
        {
            ambiguous.push(format!("{key} = {english}"));
        }
    }
    assert!(ambiguous.is_empty(), "other messages have the same English:\n{}", ambiguous.join("\n"));
}
