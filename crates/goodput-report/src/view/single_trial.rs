//! The section of a single trial.

use super::finding_placement::FindingPlacement;
use crate::page::{Block, Section};
use crate::probe::{self, headline, trial_figures};
use crate::settings_tables;
use crate::table::host_counters;
use goodput_analysis::finding::FindingSection;
use goodput_model::summary::TrialSummary;
use goodput_model::{Message, Trial};
use goodput_words::message;

pub(super) fn trial_section(summary: &TrialSummary, trial: Option<&Trial>, numbered: bool) -> Section {
    let mut blocks = Block::paragraphs(headline::summary_sentences(summary));
    // Usually a finding says it; a result without findings must not hide it.
    let said = summary.findings.iter().any(|f| f.id == "setting-differs" || f.id == "congestion-differs");
    if !said {
        let told = |line: Message| Block::paragraph(message!(report_not_as_asked_line { line }));
        blocks.extend(settings_tables::unmet_socket_options(summary).into_iter().map(told));
    }
    let mut beside = FindingPlacement::new(&summary.findings);
    for figure in trial_figures(summary, trial) {
        beside.add_figure(figure);
    }
    let report = probe::probe_report(&summary.probe);
    for table in report.result_tables(summary) {
        beside.add_table(table, FindingSection::Result);
    }
    if let Some(table) = report.cpu_table(summary) {
        beside.add_table(table, FindingSection::Cpu);
    }
    if let Some(table) = host_counters::host_counters_table(summary) {
        beside.add_table(table, FindingSection::Counters);
    }
    blocks.extend(beside.into_blocks());
    let mut title = Message::from(report.title());
    if numbered {
        title = message!(report_trial_number_saidtitle { number: summary.trial.to_string(), title });
    }
    Section { title: title.into(), blocks }
}
