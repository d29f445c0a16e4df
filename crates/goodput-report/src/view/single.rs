//! The section of a single trial.

use super::placement::FindingPlacement;
use crate::page::{Block, Section};
use crate::probe::{self, figures, headline};
use crate::settings;
use crate::table::counters;
use goodput_model::Trial;
use goodput_model::summary::Summary;

pub(super) fn section(summary: &Summary, trial: Option<&Trial>, numbered: bool) -> Section {
    let mut told = headline::sentences(summary).into_iter();
    let mut blocks: Vec<Block> = told.next().map(Block::lead).into_iter().collect();
    blocks.extend(told.map(Block::text));
    // Usually a finding says it; a result without findings must not hide it.
    let said = summary.findings.iter().any(|f| f.id == "setting-differs" || f.id == "congestion-differs");
    if !said {
        let differing = settings::not_as_asked(summary).into_iter();
        blocks.extend(differing.map(|line| Block::text(format!("Differs from the request: {line}."))));
    }
    let mut beside = FindingPlacement::new(&summary.findings);
    for figure in figures(summary, trial) {
        beside.figure(figure);
    }
    let report = probe::of(&summary.probe);
    for table in report.tables(summary) {
        beside.result(table);
    }
    if let Some(table) = report.cpu_table(summary) {
        beside.cpu(table);
    }
    if let Some(table) = counters::counters_table(summary) {
        beside.counters(table);
    }
    blocks.extend(beside.finish());
    let title = report.title();
    let title = if numbered { format!("Trial {}: {title}", summary.trial) } else { title.into() };
    Section { title, blocks }
}
