//! Two or more runs against the first: significant changes, overlaid figures, differing settings and hosts.

use super::overlay_figures::build_overlay_figures;
use super::without_empty;
use crate::display_text::DisplayText;
use crate::experiment::{cell_statistics, comparison_tables, figure as of_experiment, pivot_table};
use crate::figure::Figure;
use crate::grouping::distinct_items;
use crate::page::user_chosen_names::UserChosenNames;
use crate::page::{Block, Page, PageStatement, Section};
use crate::probe::{figures_across_trials, trial_figures};
use crate::settings_tables::probe_settings_table;
use crate::table::runs::format_start_time;
use crate::table::{Align, Cell, Table, host_difference as differences, run_comparison as changes};
use crate::text::text_block::sort_by_severity;
use goodput_analysis::compare_runs::have_same_settings;
use goodput_analysis::experiment::comparison::compare_data_sets;
use goodput_analysis::{compare_runs, inventory_difference, result_document};
use goodput_model::experiment::data_set::DataSet;
use goodput_model::summary::{ResultDocument, TrialSummary};
use goodput_model::{Finding, Message, Run, Severity, TrialOutcome};
use goodput_words::message;

const LETTERS: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
/// The same runs always compare alike.
const SEED: u64 = 0;

#[derive(Debug, Clone, Copy)]
pub struct ComparedRunData<'a> {
    pub run: &'a Run,
    pub data: Option<&'a DataSet>,
}

struct ComparedRun<'a> {
    name: &'a str,
    side: ComparedRunData<'a>,
    document: ResultDocument,
}

impl ComparedRun<'_> {
    fn summaries(&self) -> Vec<TrialSummary> {
        crate::trial_summaries(&self.document).into_iter().cloned().collect()
    }
}

/// At most 26 runs; fewer than two give a page that says so.
pub fn comparison_page(sides: &[ComparedRunData<'_>]) -> Page {
    let lettered: Vec<(&str, ComparedRunData<'_>)> =
        sides.iter().enumerate().filter_map(|(at, side)| Some((LETTERS.get(at..=at)?, *side))).collect();
    let under = lettered.iter().map(|(name, side)| run_description(name, side.run).into()).collect();
    let names: Vec<&str> = lettered.iter().map(|(name, _)| *name).collect();
    let title: DisplayText = match names.as_slice() {
        [] | [_] => "Comparison of runs".into(),
        [first, others @ ..] => {
            message!(report_side_against { second: others.to_vec(), first: *first }).into()
        }
    };
    if lettered.len() < 2 {
        let text = "A comparison needs at least two runs.";
        let sections =
            vec![Section { title: "Nothing to compare".into(), blocks: vec![Block::lead_paragraph(text)] }];
        return Page { title, under, sections, names: given(&lettered) };
    }
    let experiments = lettered.iter().filter(|(_, side)| side.data.is_some()).count();
    let mut sections = if experiments == lettered.len() {
        of_experiments(&lettered)
    } else if experiments == 0 {
        of_runs(&lettered)
    } else {
        let which: Vec<&str> = lettered.iter().filter(|(_, s)| s.data.is_some()).map(|(n, _)| *n).collect();
        let text = match which.len() {
            1 => message!(report_experiment_with_a_run { names: which }),
            _ => message!(report_experiments_with_a_run { names: which }),
        };
        vec![Section { title: "Changes".into(), blocks: vec![Block::lead_paragraph(text)] }]
    };
    sections.push(hosts(&lettered));
    Page { title, under, sections: without_empty(sections), names: given(&lettered) }
}

fn given(sides: &[(&str, ComparedRunData<'_>)]) -> Vec<String> {
    let mut names = UserChosenNames::default().add(sides.iter().map(|(letter, _)| letter.to_string()));
    for (_, side) in sides {
        names = names.add_from_run_header(&side.run.head).add_from_trials(&side.run.trials);
        names = side.data.into_iter().fold(names, UserChosenNames::add_from_data_set);
    }
    names.into_vec()
}

fn run_description(side: &str, run: &Run) -> Message {
    let labels: String = run.head.labels.iter().map(|(key, value)| format!(", {key} {value}")).collect();
    let command = run.head.command.join(" ") + &labels;
    let (when, run) = (format_start_time(&run.head.started), run.head.id.to_string());
    message!(report_side_when_command { side, when, command, run })
}

fn of_runs(sides: &[(&str, ComparedRunData<'_>)]) -> Vec<Section> {
    let seen: Vec<ComparedRun<'_>> = sides
        .iter()
        .map(|(name, side)| ComparedRun {
            name,
            side: *side,
            document: result_document::document_from_trials(Some(side.run.head.id), &side.run.trials),
        })
        .collect();
    let Some((first, others)) = seen.split_first() else { return Vec::new() };
    let base = first.summaries();
    let theirs: Vec<_> = others.iter().map(ComparedRun::summaries).collect();
    let results: Vec<_> = theirs.iter().map(|their| compare_runs::compare_summaries(&base, their)).collect();
    let told = others.iter().zip(&results);
    let told = told.map(|(other, result)| changes::comparison_summary(result, (first.name, other.name)));
    let mut changed = Block::paragraphs(told);
    if others.len() > 1 {
        let names: Vec<&str> = seen.iter().map(|s| s.name).collect();
        changed.push(Block::table(changes::all_runs_table(&names, &results)));
    }
    for ((other, result), their) in others.iter().zip(&results).zip(&theirs) {
        let table = changes::changes_table(
            result,
            compare_runs::count_unmatched_settings(&base, their),
            (first.name, other.name),
        );
        let title = if others.len() > 1 {
            message!(report_side_against { second: other.name, first: first.name }).into()
        } else {
            table.title.clone()
        };
        changed.push(Block::table(Table { title, ..table }));
    }
    let (laid, differing) = laid(&seen);
    vec![
        Section { title: "Changes".into(), blocks: changed },
        Section { title: "Limitations of the runs".into(), blocks: findings(&seen) },
        Section { title: "Overlaid charts".into(), blocks: laid },
        Section { title: "Differences in settings".into(), blocks: differing },
    ]
}

fn findings(seen: &[ComparedRun<'_>]) -> Vec<Block> {
    let mut all: Vec<PageStatement> = Vec::new();
    for side in seen {
        let summaries = side.summaries();
        let findings: Vec<Finding> = summaries.iter().flat_map(|s| s.findings.iter().cloned()).collect();
        let matters = |f: &&Finding| f.severity > Severity::Note;
        for finding in sort_by_severity(&findings).into_iter().filter(matters) {
            let text = message!(finding_of_side { side: side.name, finding: finding.text.clone() });
            let statement = PageStatement::from_finding(&Finding { text, ..finding.clone() });
            if !all.iter().any(|s| s.id == statement.id && s.text == statement.text) {
                all.push(statement);
            }
        }
    }
    all.sort_by_key(|s| std::cmp::Reverse(s.severity));
    vec![Block::statements(all)]
}

fn laid(seen: &[ComparedRun<'_>]) -> (Vec<Block>, Vec<Block>) {
    let together: Vec<(&str, Vec<Figure>)> =
        seen.iter().map(|s| (s.name, figures_across_trials(&s.document))).collect();
    let mut drawn: Vec<Block> = build_overlay_figures(&together).into_iter().map(Block::figure).collect();
    let mut differing = Vec::new();
    for kind in kinds(seen) {
        let figures_of = |(at, summary): &(usize, &TrialSummary)| {
            let side = &seen[*at];
            let trial = side.side.run.trials.iter().find(|t| t.id == summary.trial);
            (side.name, trial_figures(summary, trial))
        };
        let theirs: Vec<(&str, Vec<Figure>)> = kind.iter().map(figures_of).collect();
        drawn.extend(build_overlay_figures(&theirs).into_iter().map(Block::figure));
        let sides: Vec<(&str, &TrialSummary)> = kind.iter().map(|(at, s)| (seen[*at].name, *s)).collect();
        differing.extend(settings(&sides).map(Block::table));
    }
    if !drawn.is_empty() {
        let text = "Where a run has several trials with the same settings, the chart shows the first.";
        drawn.insert(0, Block::caption(text));
    }
    (drawn, differing)
}

/// Matching trials: of each side the first complete one of the same settings, else the first unmatched one of
/// the same probe. Each with its side's number.
fn kinds<'s>(seen: &'s [ComparedRun<'_>]) -> Vec<Vec<(usize, &'s TrialSummary)>> {
    let firsts: Vec<Vec<&'s TrialSummary>> = seen
        .iter()
        .map(|side| {
            let mut own: Vec<&'s TrialSummary> = Vec::new();
            for summary in crate::trial_summaries(&side.document) {
                let failed = matches!(summary.outcome, TrialOutcome::Failed { .. });
                if !failed && !own.iter().any(|s| have_same_settings(&s.probe, &summary.probe)) {
                    own.push(summary);
                }
            }
            own
        })
        .collect();
    let mut kinds: Vec<Vec<(usize, &'s TrialSummary)>> = Vec::new();
    for (at, own) in firsts.iter().enumerate() {
        for summary in own {
            add_to_kind(&mut kinds, (at, *summary), |k| have_same_settings(&k.probe, &summary.probe));
        }
    }
    // Unmatched trials are paired by probe.
    let (mut paired, alone): (Vec<_>, Vec<_>) = kinds.into_iter().partition(|k| k.len() > 1);
    let mut rest: Vec<Vec<(usize, &'s TrialSummary)>> = Vec::new();
    for (at, summary) in alone.into_iter().flatten() {
        let fits = |k: &TrialSummary| k.probe.name() == summary.probe.name();
        add_to_kind(&mut rest, (at, summary), fits);
    }
    paired.extend(rest.into_iter().filter(|k| k.len() > 1));
    paired
}

/// To the first kind that fits and has no trial of this side.
fn add_to_kind<'s>(
    kinds: &mut Vec<Vec<(usize, &'s TrialSummary)>>,
    trial: (usize, &'s TrialSummary),
    fits: impl Fn(&TrialSummary) -> bool,
) {
    let free = |kind: &&mut Vec<(usize, &'s TrialSummary)>| kind.iter().all(|(side, _)| *side != trial.0);
    match kinds.iter_mut().filter(free).find(|kind| fits(kind[0].1)) {
        Some(kind) => kind.push(trial),
        None => kinds.push(vec![trial]),
    }
}

fn settings(sides: &[(&str, &TrialSummary)]) -> Option<Table> {
    let tables: Vec<Table> = sides.iter().map(|(_, s)| probe_settings_table(&s.probe)).collect();
    let names = distinct_items(tables.iter().flat_map(|t| &t.rows).map(|row| row[0].clone()));
    let probe = sides.first()?.1.probe.name();
    let title = message!(report_settings_of_probe { probe });
    let mut table = Table::new(title, &[("setting", Align::Left)]);
    table.columns.extend(sides.iter().map(|(name, _)| ((*name).into(), Align::Left)));
    for name in names {
        let value = |t: &Table| t.rows.iter().find(|r| r[0] == name).map_or(Cell::Missing, |r| r[1].clone());
        let values: Vec<Cell> = tables.iter().map(value).collect();
        // Seeds are meant to differ.
        if values.windows(2).any(|w| w[0] != w[1]) && !name.to_string().starts_with("seed") {
            table.add_row(std::iter::once(name).chain(values));
        }
    }
    (!table.rows.is_empty()).then_some(table)
}

fn of_experiments(sides: &[(&str, ComparedRunData<'_>)]) -> Vec<Section> {
    let with_data: Vec<(&str, &DataSet)> = sides.iter().filter_map(|(n, s)| Some((*n, s.data?))).collect();
    let Some(((name, base), others)) = with_data.split_first() else { return Vec::new() };
    let mut changed = Vec::new();
    for (number, (other, data)) in others.iter().enumerate() {
        let comparison = compare_data_sets((*name, *base), (*other, *data), SEED);
        let summary = comparison_tables::summary_sentence(&comparison);
        let text = message!(report_view_side_against_summary { second: *other, first: *name, summary });
        changed.push(if number == 0 { Block::lead_paragraph(text) } else { Block::paragraph(text) });
        let suffix = if number == 0 { String::new() } else { format!("-{}", number + 1) };
        changed.extend(comparison_tables::comparison_page_blocks(&comparison, &format!("change{suffix}")));
    }
    let curves: Vec<(&str, Vec<Figure>)> =
        with_data.iter().map(|(name, data)| (*name, curves(data))).collect();
    let laid = build_overlay_figures(&curves).into_iter().map(Block::figure).collect();
    vec![
        Section { title: "Changes".into(), blocks: changed },
        Section { title: "Overlaid charts".into(), blocks: laid },
    ]
}

fn curves(data: &DataSet) -> Vec<Figure> {
    let cells = cell_statistics::compute_cell_statistics(data);
    let forms = pivot_table::pivot_layouts(data, &cells);
    let all =
        forms.iter().enumerate().flat_map(|(number, form)| of_experiment::pivot_figures(data, form, number));
    all.filter(|f| f.id.starts_with("curves-")).collect()
}

fn hosts(sides: &[(&str, ComparedRunData<'_>)]) -> Section {
    let mut blocks = Vec::new();
    if let Some(((name, first), others)) = sides.split_first() {
        for (other, side) in others {
            let found = inventory_difference::host_differences(first.run, side.run);
            let mut tables = differences::labeled_host_difference_tables(&found, (*name, *other));
            if others.len() > 1 {
                for table in &mut tables {
                    let (title, second, first) = (table.title.clone(), *other, *name);
                    table.title = message!(report_title_side_against { title, second, first }).into();
                }
            }
            blocks.extend(tables.into_iter().map(Block::table));
        }
    }
    Section { title: "Differences between the hosts".into(), blocks }
}
