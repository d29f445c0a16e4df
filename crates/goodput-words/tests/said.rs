//! Report pages contain no untranslated English sentence.

use goodput_words::localized_number::is_quantity;
use goodput_words::sentence_patterns::{PhraseKind, SentencePatterns};
use serde_json::Value;
use std::fs;
use std::path::Path;

const NOT_OURS: [&str; 4] = [
    "Throughput ",
    "the send buffer is 208 KiB where 4 MiB were asked",
    "the wire is the limit: ",
    "lab:b: kernel copied",
];

fn list<'a>(of: &'a Value, name: &str) -> &'a [Value] {
    of[name].as_array().map_or(&[], Vec::as_slice)
}

fn text(of: &Value, name: &str) -> String {
    of[name].as_str().unwrap_or_default().to_string()
}

/// Headings, sentences and captions of a block; no cells.
fn sentences(block: &Value) -> Vec<String> {
    // Of typed messages only.
    if block["kind"] == "diagram" {
        return Vec::new();
    }
    let strings = |of: &Value, name: &str| -> Vec<String> {
        list(of, name).iter().filter_map(Value::as_str).map(str::to_string).collect()
    };
    let mut all = vec![text(block, "text"), text(block, "title")];
    for statement in list(block, "statements") {
        if statement["message"].is_null() {
            all.push(text(statement, "text"));
        }
        all.extend([text(statement, "sure"), text(statement, "answer")]);
    }
    for table in [&block["short"], &block["whole"]] {
        all.push(text(table, "title"));
        all.extend(strings(table, "notes"));
    }
    all.extend(["x", "y"].map(|axis| text(&block[axis], "label")));
    for name in ["limits", "marks"] {
        all.extend(list(block, name).iter().map(|line| text(line, "label")));
    }
    all.extend(strings(block, "notes"));
    all
}

#[test]
fn every_sentence_of_the_golden_pages_is_found() {
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("../goodput-report/tests/golden");
    let phrases = SentencePatterns::load_english();
    let found = |text: &str| {
        is_quantity(text)
            || [PhraseKind::Sentence, PhraseKind::Part]
                .iter()
                .any(|kind| phrases.match_text(text, *kind).is_some())
    };
    let (mut pages, mut lost) = (0, Vec::new());
    for entry in fs::read_dir(&golden).expect("the folder of the golden files") {
        let path = entry.expect("an entry of a folder").path();
        let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        if !(name.starts_with("view-") && name.ends_with(".json")) {
            continue;
        }
        pages += 1;
        let page: Value = serde_json::from_slice(&fs::read(&path).expect("a golden file")).expect("JSON");
        for section in list(&page, "sections") {
            let blocks = list(section, "blocks").iter().flat_map(sentences);
            let all = std::iter::once(text(section, "title")).chain(blocks);
            let ours = all.filter(|t| !t.is_empty() && !NOT_OURS.iter().any(|other| t.starts_with(other)));
            lost.extend(ours.filter(|t| !found(t)).map(|t| format!("{name}: {t}")));
        }
    }
    assert!(pages > 5, "{pages} pages in {}", golden.display());
    assert!(lost.is_empty(), "these stay English:\n{}", lost.join("\n"));
}
