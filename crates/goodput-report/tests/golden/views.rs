//! Pages as JSON with one block per line, as browser and one-file report read them.

use super::{check, document, documents};
use goodput_analysis::result_document::document_from_trials;
use goodput_model::Run;
use goodput_model::summary::ResultDocument;
use goodput_report::page::Page;
use goodput_report::{trial_summaries, view};
use std::collections::BTreeSet;

fn json(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).unwrap_or_else(|e| panic!("{e}"))
}

fn lines(page: &Page) -> String {
    let mut out = String::new();
    out.push_str(&format!(
        "{{\"title\":{},\"under\":{},\"sections\":[\n",
        json(&page.title),
        json(&page.under)
    ));
    for (i, section) in page.sections.iter().enumerate() {
        let comma = if i > 0 { ",\n" } else { "" };
        out.push_str(&format!("{comma}{{\"title\":{},\"blocks\":[\n", json(&section.title)));
        let blocks: Vec<String> = section.blocks.iter().map(json).collect();
        out.push_str(&blocks.join(",\n"));
        out.push_str("\n]}");
    }
    out.push_str(&format!("\n],\"names\":{}}}\n", json(&page.names)));
    assert_eq!(out.replace('\n', ""), json(page).replace('\n', ""));
    out
}

fn page(document: &ResultDocument) -> Page {
    let trials: Vec<_> = trial_summaries(document).into_iter().map(documents::trial_of).collect();
    view::run_report_page(document, Some(&documents::head()), &trials)
}

#[test]
fn a_page_of_each_probe() {
    for (name, document) in [
        ("stream", document(documents::stream_100())),
        ("pingpong", document(documents::sweep_few())),
        ("request", document(documents::request_few())),
        ("datagram", document(documents::datagram_exact())),
        ("search", documents::search()),
        ("mtu", document(documents::mtu_narrow())),
        ("latency", document(documents::latency_loaded())),
        ("load", documents::load_cycle()),
        ("file-copies", documents::file_copies()),
        ("file-mixes", documents::file_mixes()),
    ] {
        check(&format!("view-{name}.json"), &lines(&page(&document)));
    }
}

#[test]
fn a_page_of_a_stored_run() {
    let text = include_str!("../../../../fixtures/runs/v2/expected.json");
    let run: Run = serde_json::from_str(text).unwrap();
    let document = document_from_trials(Some(run.head.id), &run.trials);
    check("view-stored.json", &lines(&view::run_report_page(&document, Some(&run.head), &run.trials)));
}

#[test]
fn a_comparison_of_two_runs() {
    let run = |summary: goodput_model::summary::TrialSummary, id: u128| Run {
        head: goodput_model::run::RunHeader {
            id: goodput_model::RunId(uuid::Uuid::from_u128(id)),
            ..documents::head()
        },
        trials: vec![documents::trial_of(&summary)],
        steps: Vec::new(),
        finished: true,
    };
    let (first, second) = (run(documents::latency_idle(), 1), run(documents::latency_loaded(), 2));
    let sides = [view::RunInput { run: &first, data: None }, view::RunInput { run: &second, data: None }];
    check("view-compare.json", &lines(&view::comparison_page(&sides)));
}

fn names(schema: &serde_json::Value, members: &mut BTreeSet<String>, words: &mut BTreeSet<String>) {
    match schema {
        serde_json::Value::Object(map) => {
            for (key, value) in map {
                match (key.as_str(), value) {
                    ("properties", serde_json::Value::Object(own)) => members.extend(own.keys().cloned()),
                    ("const", serde_json::Value::String(word)) => {
                        words.insert(word.clone());
                    }
                    ("enum", serde_json::Value::Array(all)) => {
                        words.extend(all.iter().filter_map(|w| w.as_str().map(String::from)));
                    }
                    _ => {}
                }
                names(value, members, words);
            }
        }
        serde_json::Value::Array(all) => all.iter().for_each(|v| names(v, members, words)),
        _ => {}
    }
}

/// The front end's handwritten types have every name.
#[test]
fn the_front_ends_types_have_every_name() {
    let read = |file: &str| {
        let path = format!("{}/../../web/src/api/{file}", env!("CARGO_MANIFEST_DIR"));
        std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"))
    };
    let types = read("view.ts") + &read("types.ts");
    let (mut members, mut words) = (BTreeSet::new(), BTreeSet::new());
    for schema in [schemars::schema_for!(Page), schemars::schema_for!(view::ExperimentDocument)] {
        names(schema.as_value(), &mut members, &mut words);
    }
    assert!(members.len() > 50 && words.len() > 25, "{members:?} {words:?}");
    for member in members {
        let there = [format!("{member}:"), format!("{member}?:")].iter().any(|m| types.contains(m.as_str()));
        assert!(there, "web/src/api/view.ts has no {member}");
    }
    for word in words {
        assert!(types.contains(&format!("\"{word}\"")), "web/src/api/view.ts has no \"{word}\"");
    }
}
