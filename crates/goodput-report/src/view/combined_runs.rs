//! Combined results: points of a load run, trials of a file run.

use super::figures_of;
use super::finding_placement::FindingPlacement;
use crate::page::{Block, Section};
use crate::probe::load::{
    adapter_counters_table, clients_table_for_load_run, saturation_table, table_of_load_points,
};
use crate::probe::{file, load};
use goodput_analysis::finding::FindingSection;
use goodput_model::summary::{FileRunSummary, ResultDocument, TrialSummary};
use goodput_words::message;

pub(super) fn section_for_load_run(document: &ResultDocument, points: &[&TrialSummary]) -> Section {
    let mut blocks = Block::paragraphs(load::run_section::summary_sentences(document, points));
    let findings = load::run_section::merge_findings(document, points);
    let mut beside = FindingPlacement::new(&findings);
    for figure in figures_of(document, false) {
        beside.add_figure(figure);
    }
    beside.add_table(table_of_load_points(points), FindingSection::Result);
    let curves = document.load_curves.as_ref();
    let all: Vec<_> = curves.iter().flat_map(|c| c.over_size.iter().chain(&c.over_clients)).collect();
    beside.add_table(saturation_table(&all), FindingSection::Result);
    beside.add_table(adapter_counters_table(points), FindingSection::Counters);
    beside.add_table(clients_table_for_load_run(points), FindingSection::Cpu);
    blocks.extend(beside.into_blocks());
    Section { title: "One server with many clients (load)".into(), blocks }
}

pub(super) fn section_for_file_run(
    document: &ResultDocument,
    run: &FileRunSummary,
    summaries: &[&TrialSummary],
) -> Section {
    let mut blocks = Vec::new();
    for (i, (sentence, try_next)) in
        file::run_section::summary_sentences(run, summaries).into_iter().enumerate()
    {
        blocks.push(if i == 0 { Block::lead_paragraph(sentence) } else { Block::paragraph(sentence) });
        if !try_next.is_empty() {
            blocks.push(Block::note(message!(line_try { said: try_next })));
        }
    }
    let findings = file::run_section::merge_findings(run, summaries);
    let mut beside = FindingPlacement::new(&findings);
    for figure in figures_of(document, true) {
        beside.add_figure(figure);
    }
    for curve in &run.mixes {
        let last = curve.points.last().and_then(|p| p.trials.first());
        let found = summaries.iter().find(|s| Some(&s.trial) == last).and_then(|s| s.file_summary());
        if let Some(drawn) = found.map(file::figures::operation_classes_figure) {
            beside.add_figure(drawn);
        }
    }
    for table in file::run_section::file_run_tables(run, summaries) {
        beside.add_table(table, FindingSection::Result);
    }
    blocks.extend(beside.into_blocks());
    Section { title: "File access (file)".into(), blocks }
}
