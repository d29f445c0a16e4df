//! Pages of every kind of run, and of stored ones.

use super::*;
use crate::documents;
use crate::page::Page;
use goodput_analysis::result_document::document_from_trials;
use goodput_model::Run;
use std::collections::BTreeSet;

fn alone(summary: TrialSummary) -> ResultDocument {
    ResultDocument { run: Some(documents::run_id()), ..documents::single_trial(summary) }
}

fn known() -> Vec<(&'static str, ResultDocument)> {
    let trials = documents::all().into_iter().map(|(name, summary)| (name, alone(summary)));
    let runs = [
        ("demo", documents::demo()),
        ("search", documents::search()),
        ("diagnosis", documents::why()),
        ("load run", documents::load_run()),
        ("load over clients", documents::load_cycle()),
    ];
    trials.chain(runs).chain(documents::file_runs()).collect()
}

fn stored() -> Vec<Run> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/runs");
    let mut versions: Vec<_> = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    versions.sort();
    let read = |path: &std::path::PathBuf| -> Run {
        let text = std::fs::read_to_string(path.join("expected.json")).unwrap();
        serde_json::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
    };
    versions.iter().map(read).collect()
}

fn whole(name: &str, page: &Page) {
    assert!(!page.title.is_empty(), "{name}");
    assert!(!page.sections.is_empty(), "{name}");
    for section in &page.sections {
        assert!(!section.title.is_empty() && !section.blocks.is_empty(), "{name}: {}", section.title);
        for block in &section.blocks {
            assert!(!block.is_empty(), "{name}, {}: {block:?}", section.title);
        }
    }
    let titles: BTreeSet<&str> = page.sections.iter().map(|s| s.title.as_str()).collect();
    assert_eq!(titles.len(), page.sections.len(), "{name}: a heading stands twice");
    for figure in page.figures() {
        assert!(!figure.title.is_empty() && !figure.description.is_empty(), "{name}: {}", figure.id);
    }
}

fn findings_are_there(name: &str, document: &ResultDocument, page: &Page) {
    let statements = page.sections.iter().flat_map(|s| &s.blocks).filter_map(|b| match b {
        Block::Statements { statements } => Some(statements),
        _ => None,
    });
    let there: BTreeSet<&str> = statements.flatten().map(|s| s.id.as_str()).collect();
    let shown = |s: &&TrialSummary| document.search.is_none() || document.summary.as_ref() == Some(*s);
    for summary in crate::trial_summaries(document).into_iter().filter(|s| shown(s)) {
        for finding in &summary.findings {
            assert!(there.contains(finding.id.as_str()), "{name}: {} is not on the page", finding.id);
        }
    }
}

#[test]
fn every_kind_of_run_is_a_page_without_empty_parts() {
    let head = documents::head();
    for (name, document) in known() {
        let trials: Vec<Trial> =
            crate::trial_summaries(&document).into_iter().map(documents::trial_of).collect();
        for trials in [&trials[..], &[]] {
            let page = build_run_report_page(&document, Some(&head), trials);
            whole(name, &page);
            findings_are_there(name, &document, &page);
        }
        whole(name, &build_run_report_page(&document, None, &[]));
    }
}

#[test]
fn every_stored_run_is_a_page_without_empty_parts() {
    let stored = stored();
    assert!(stored.len() >= 2, "{} runs", stored.len());
    for found in &stored {
        let document = document_from_trials(Some(found.head.id), &found.trials);
        let page = build_run_report_page(&document, Some(&found.head), &found.trials);
        let name = format!("format {}", found.head.format);
        whole(&name, &page);
        findings_are_there(&name, &document, &page);
    }
    let sides: Vec<ComparedRunData<'_>> =
        stored.iter().map(|run| ComparedRunData { run, data: None }).collect();
    whole("each other", &comparison_page(&sides));
}

#[test]
fn a_run_without_a_result_says_so_and_an_error_says_why() {
    let mut document = documents::empty_document();
    let text = |page: &Page| serde_json::to_string(page).unwrap();
    assert!(text(&build_run_report_page(&document, None, &[])).contains("This run contains no results."));
    document.error = Some(goodput_model::summary::ErrorDocument {
        error: "b does not answer".into(),
        cause: Some("connection refused".into()),
        hint: Some("start goodput agent on b".into()),
        exit_code: 3,
    });
    let page = build_run_report_page(&document, None, &[]);
    whole("error", &page);
    for part in ["b does not answer", "cause: connection refused", "hint: start goodput agent on b"] {
        assert!(text(&page).contains(part), "{part}");
    }
}

#[test]
fn settings_that_all_trials_share_stand_once() {
    let document = documents::run_of(vec![documents::stream_100(); 3]);
    let trials: Vec<Trial> = document.trials.iter().map(documents::trial_of).collect();
    let page = build_run_report_page(&document, None, &trials);
    let titles: Vec<&str> = page
        .sections
        .iter()
        .flat_map(|s| &s.blocks)
        .filter_map(|b| if let Block::Table(t) = b { Some(t.whole.title.as_str()) } else { None })
        .collect();
    let count = |start: &str| titles.iter().filter(|t| t.starts_with(start)).count();
    let shared = ["Settings", "Hosts at both ends", "Measurement windows and clock uncertainty"];
    assert_eq!(shared.map(count), [1, 1, 1], "{titles:?}");
    assert_eq!(page.figures().filter(|f| f.id == "trials").count(), 1);
}

#[test]
fn of_very_many_trials_those_that_matter_have_a_section() {
    let trial = TrialSummary { findings: Vec::new(), ..documents::stream_100() };
    let mut trials = vec![trial; 200];
    trials[149].outcome = TrialOutcome::Partial { cause: "b went away".into() };
    let page = build_run_report_page(&documents::run_of(trials), None, &[]);
    let own: Vec<&str> =
        page.sections.iter().map(|s| s.title.as_str()).filter(|t| t.starts_with("Trial ")).collect();
    assert_eq!(own, ["Trial 150: Bulk TCP (stream)"]);
    assert!(page.sections.iter().any(|s| s.title == "Trials without a separate section"));
}

/// A page's size is bounded by pixels, not samples.
#[test]
fn a_million_samples_are_no_larger_a_page() {
    let page = |sent: u64| {
        let mut summary = documents::latency_idle();
        summary.elapsed_ns = sent * 5_000_000;
        if let Some(probes) = summary.result.latency().and_then(|found| found.probes.as_mut()) {
            (probes.sent, probes.answered) = (sent, sent);
        }
        let trial = documents::trial_of(&summary);
        let page = build_run_report_page(&alone(summary), None, &[trial]);
        assert!(page.figures().any(|f| f.id == "latency-over-time"));
        serde_json::to_string(&page).unwrap().len()
    };
    let (few, many) = (page(20_000), page(1_000_000));
    assert!(many < 2 * few, "{few} bytes of 20,000 samples, {many} of a million");
}
