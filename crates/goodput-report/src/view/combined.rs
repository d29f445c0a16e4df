//! Combined results: points of a load run, trials of a file run.

use super::figures_of;
use super::placement::FindingPlacement;
use crate::page::{Block, Section};
use crate::probe::load::{adapter_table, clients_of_run, points_table, saturation_table};
use crate::probe::{file, load};
use goodput_model::summary::{Document, FileRun, Summary};

pub(super) fn load_run(document: &Document, points: &[&Summary]) -> Section {
    let mut told = load::run::sentences(document, points).into_iter();
    let mut blocks: Vec<Block> = told.next().map(Block::lead).into_iter().collect();
    blocks.extend(told.map(Block::text));
    let findings = load::run::merged(document, points);
    let mut beside = FindingPlacement::new(&findings);
    for figure in figures_of(document, false) {
        beside.figure(figure);
    }
    beside.result(points_table(points));
    let curves = document.load_curves.as_ref();
    let all: Vec<_> = curves.iter().flat_map(|c| c.over_size.iter().chain(&c.over_clients)).collect();
    beside.result(saturation_table(&all));
    beside.counters(adapter_table(points));
    beside.cpu(clients_of_run(points));
    blocks.extend(beside.finish());
    Section { title: "One server with many clients (load)".into(), blocks }
}

pub(super) fn file_run(document: &Document, run: &FileRun, summaries: &[&Summary]) -> Section {
    let mut blocks = Vec::new();
    for (i, (sentence, try_next)) in file::run::sentences(run, summaries).into_iter().enumerate() {
        blocks.push(if i == 0 { Block::lead(sentence) } else { Block::text(sentence) });
        if !try_next.is_empty() {
            blocks.push(Block::note(format!("try: {try_next}")));
        }
    }
    let findings = file::run::merged(run, summaries);
    let mut beside = FindingPlacement::new(&findings);
    for figure in figures_of(document, true) {
        beside.figure(figure);
    }
    for curve in &run.mixes {
        let last = curve.points.last().and_then(|p| p.trials.first());
        let found = summaries.iter().find(|s| Some(&s.trial) == last).and_then(|s| s.file());
        if let Some(drawn) = found.map(file::figures::classes) {
            beside.figure(drawn);
        }
    }
    for table in file::run::tables(run, summaries) {
        beside.result(table);
    }
    blocks.extend(beside.finish());
    Section { title: "File access (file)".into(), blocks }
}
