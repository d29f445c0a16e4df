//! Conclusions, findings and requirements as statements with links to their cells.

use super::{ExperimentResults, RequirementResult};
use crate::display_text::{DisplayText, comma_list};
use crate::experiment::cell_statistics;
use crate::page::{Block, CellLink, PageStatement};
use crate::table::Align::{Left, Right};
use crate::table::{Cell, ColumnDefinitions, Table};
use goodput_model::Message;
use goodput_model::experiment::conclusion::{Conclusion, ConclusionAnswer};
use goodput_words::message;
use std::collections::{BTreeMap, BTreeSet};

const LINKS: usize = 12;

/// Answers to questions, then standard conclusions, then findings.
pub(super) fn conclusion_page_blocks(results: &ExperimentResults<'_>) -> Vec<Block> {
    let mut owner: BTreeMap<usize, usize> = BTreeMap::new();
    for (number, cell) in results.cells.iter().enumerate() {
        owner.extend(cell.rows.iter().map(|row| (*row, number)));
    }
    let (usual, spared) = usual(results.conclusions.iter().map(|c| &c.sure));
    let written = |c: &&Conclusion| {
        let said = conclusion(results, &owner, c);
        if usual == Some(&c.sure) { PageStatement { sure: DisplayText::default(), ..said } } else { said }
    };
    let (asked, own): (Vec<&Conclusion>, Vec<&Conclusion>) =
        results.conclusions.iter().partition(|c| c.question.is_some());
    let mut blocks = Vec::new();
    if !asked.is_empty() {
        blocks.push(Block::lead_paragraph(answers(&asked)));
        blocks.push(Block::statements(asked.iter().map(written).collect()));
    }
    if !own.is_empty() {
        if !asked.is_empty() {
            blocks.push(Block::note("Further conclusions from the data:"));
        }
        blocks.push(Block::statements(own.iter().map(written).collect()));
    }
    if let Some(sure) = usual {
        blocks.push(Block::note(match spared {
            true => message!(report_unless_something_else_is_said_how { sure }),
            false => message!(report_how_sure_saidsure { sure }),
        }));
    }
    if !results.source.findings.is_empty() {
        blocks.push(Block::note("Limitations of the measurement:"));
        let sorted = crate::text::text_block::sort_by_severity(results.source.findings);
        blocks.push(Block::findings(sorted));
    }
    blocks
}

/// A confidence shared by at least three statements, stated once; and whether others differ.
fn usual<'a>(all: impl Iterator<Item = &'a Message>) -> (Option<&'a Message>, bool) {
    let mut counted: BTreeMap<&str, (usize, &Message)> = BTreeMap::new();
    for sure in all.filter(|s| !s.is_empty()) {
        counted.entry(sure.as_str()).or_insert((0, sure)).0 += 1;
    }
    let most = counted.values().max_by_key(|(n, _)| *n).filter(|(n, _)| *n > 2);
    (most.map(|(_, sure)| *sure), counted.len() > 1)
}

fn answers(asked: &[&Conclusion]) -> Message {
    if let [one] = asked {
        let answer = Message::from(word(one.answer));
        return message!(report_the_question_is_answered_saidanswer { answer });
    }
    let counted = |kind| asked.iter().filter(|c| c.answer == Some(kind)).count();
    let (yes, no) = (counted(ConclusionAnswer::Yes), counted(ConclusionAnswer::No));
    let (mixed, unknown) = (counted(ConclusionAnswer::Mixed), counted(ConclusionAnswer::Unknown));
    let answers = [
        (yes > 0).then(|| message!(part_so_many_yes { count: yes })),
        (no > 0).then(|| message!(part_so_many_no { count: no })),
        (mixed > 0).then(|| message!(part_so_many_in_part { count: mixed })),
        (unknown > 0).then(|| message!(part_so_many_not_known { count: unknown })),
    ];
    let answers = comma_list(answers.into_iter().flatten());
    message!(report_questions_answered { count: asked.len(), answers })
}

fn word(answer: Option<ConclusionAnswer>) -> &'static str {
    match answer {
        Some(ConclusionAnswer::Yes) => "yes",
        Some(ConclusionAnswer::No) => "no",
        Some(ConclusionAnswer::Mixed) => "partly",
        Some(ConclusionAnswer::Unknown) => "undetermined",
        None => "",
    }
}

fn conclusion(
    results: &ExperimentResults<'_>,
    owner: &BTreeMap<usize, usize>,
    c: &Conclusion,
) -> PageStatement {
    let cells: BTreeSet<usize> = c.rows.iter().filter_map(|row| owner.get(row)).copied().collect();
    let data = results.source.data;
    let link = |number: &usize| {
        let found = &results.cells[*number];
        let probe = data.measures.get(found.measure).map(|m| m.probe.clone()).unwrap_or_default();
        let place = super::table_dimension::cell_place(data, found);
        CellLink {
            cell: cell_statistics::cell_anchor_id(*number),
            words: message!(part_experiment_pair { first: probe, then: place }).into(),
        }
    };
    let mut evidence: Vec<DisplayText> = c.finding.evidence.iter().map(DisplayText::from).collect();
    evidence.retain(|line| !line.trim().is_empty() && (c.sure.is_empty() || !line.contains(c.sure.as_str())));
    evidence.dedup();
    PageStatement {
        severity: None,
        answer: word(c.answer).into(),
        sure: (&c.sure).into(),
        evidence,
        links: cells.iter().take(LINKS).map(link).collect(),
        more: cells.len().saturating_sub(LINKS),
        ..PageStatement::from_finding(&c.finding)
    }
}

pub(super) fn requirement_page_blocks(all: &[RequirementResult]) -> Vec<Block> {
    if all.is_empty() {
        return Vec::new();
    }
    let not = all.iter().filter(|h| h.verdict != "met").count();
    let lead = match (not, all.len()) {
        (0, 1) => message!(report_the_requirement_is_met),
        (0, n) => message!(report_all_count_requirements_are_met { count: n }),
        (not, n) => message!(report_experiment_requirements_not_met { count: not, all: n }),
    };
    let deciding = |one: &RequirementResult, of: fn(&(String, DisplayText, String)) -> Cell| {
        one.cells.first().map_or("".into(), of)
    };
    let columns: ColumnDefinitions<'_, &RequirementResult> = &[
        ("requirement", Left, &|one| (&one.text).into()),
        ("verdict", Left, &|one| (&one.verdict).into()),
        ("deciding combination", Left, &|one| deciding(one, |c| (&c.0).into())),
        ("measured value", Right, &|one| deciding(one, |c| c.1.clone().into())),
    ];
    let table = Table::from_items("Requirements", all, columns);
    let mut blocks = vec![Block::lead_paragraph(lead), Block::table(table)];
    for one in all.iter().filter(|h| h.verdict != "met" && h.cells.len() > 1) {
        let columns: ColumnDefinitions<'_, &(String, DisplayText, String)> = &[
            ("combination", Left, &|(at, ..)| at.into()),
            ("measured value", Right, &|(_, figure, _)| figure.clone().into()),
            ("verdict", Left, &|(.., verdict)| verdict.into()),
        ];
        let title = message!(report_where_what_holds_and_where_not { what: &one.text });
        blocks.push(Block::table(Table::from_items(title, &one.cells, columns)));
    }
    blocks
}
