//! Pages as JSON with one block per line, as browser and one-file report read them.

use super::documents::{self, check_golden, single_trial};
use goodput_analysis::result_document::document_from_trials;
use goodput_model::run::RunHeader;
use goodput_model::summary::{ResultDocument, TrialSummary};
use goodput_model::{Run, RunId};
use goodput_report::page::Page;
use goodput_report::{trial_summaries, view};
use serde_json::Value;
use std::collections::BTreeSet;

fn json(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).unwrap_or_else(|e| panic!("{e}"))
}

fn lines(page: &Page) -> String {
    let sections = page.sections.iter().map(|section| {
        let blocks: Vec<String> = section.blocks.iter().map(json).collect();
        format!("{{\"title\":{},\"blocks\":[\n{}\n]}}", json(&section.title), blocks.join(",\n"))
    });
    let out = format!(
        "{{\"title\":{},\"under\":{},\"sections\":[\n{}\n],\"names\":{}}}\n",
        json(&page.title),
        json(&page.under),
        sections.collect::<Vec<_>>().join(",\n"),
        json(&page.names)
    );
    assert_eq!(out.replace('\n', ""), json(page).replace('\n', ""));
    out
}

fn page(document: &ResultDocument) -> Page {
    let trials: Vec<_> = trial_summaries(document).into_iter().map(documents::trial_of).collect();
    view::build_run_report_page(document, Some(&documents::head()), &trials)
}

#[test]
fn a_page_of_each_probe() {
    for (name, document) in [
        ("stream", single_trial(documents::stream_100())),
        ("pingpong", single_trial(documents::sweep_few())),
        ("request", single_trial(documents::request_few())),
        ("datagram", single_trial(documents::datagram_exact())),
        ("search", documents::search()),
        ("mtu", single_trial(documents::mtu_narrow())),
        ("why", documents::why()),
        ("latency", single_trial(documents::latency_loaded())),
        ("load", documents::load_cycle()),
        ("file-copies", documents::file_copies()),
        ("file-mixes", documents::file_mixes()),
    ] {
        check_golden(&format!("view-{name}.json"), &lines(&page(&document)));
    }
}

#[test]
fn a_page_of_a_stored_run() {
    let text = include_str!("../../../../fixtures/runs/v2/expected.json");
    let run: Run = serde_json::from_str(text).unwrap();
    let document = document_from_trials(Some(run.head.id), &run.trials);
    check_golden(
        "view-stored.json",
        &lines(&view::build_run_report_page(&document, Some(&run.head), &run.trials)),
    );
}

#[test]
fn a_comparison_of_two_runs() {
    let run = |summary: TrialSummary, id: u128| Run {
        head: RunHeader { id: RunId(uuid::Uuid::from_u128(id)), ..documents::head() },
        trials: vec![documents::trial_of(&summary)],
        steps: Vec::new(),
        finished: true,
    };
    let (first, second) = (run(documents::latency_idle(), 1), run(documents::latency_loaded(), 2));
    let sides = [
        view::ComparedRunData { run: &first, data: None },
        view::ComparedRunData { run: &second, data: None },
    ];
    check_golden("view-compare.json", &lines(&view::comparison_page(&sides)));
}

fn names(schema: &Value, members: &mut BTreeSet<String>, words: &mut BTreeSet<String>) {
    members.extend(schema["properties"].as_object().into_iter().flat_map(|own| own.keys().cloned()));
    let known = schema["enum"].as_array().into_iter().flatten().chain([&schema["const"]]);
    words.extend(known.filter_map(|word| word.as_str().map(String::from)));
    let of_object = schema.as_object().into_iter().flat_map(|map| map.values());
    for child in of_object.chain(schema.as_array().into_iter().flatten()) {
        names(child, members, words);
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
