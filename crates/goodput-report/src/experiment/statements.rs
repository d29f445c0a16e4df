//! Conclusions, findings and requirements as statements with links to their cells.

use super::{ExperimentResults, RequirementResult};
use crate::experiment::cell_statistics;
use crate::page::{Block, CellLink, PageStatement};
use crate::table::Align::{Left, Right};
use crate::table::{ColumnDefinitions, Table};
use goodput_model::experiment::conclusion::{Conclusion, ConclusionAnswer};
use std::collections::{BTreeMap, BTreeSet};

const LINKS: usize = 12;

/// Answers to questions, then standard conclusions, then findings.
pub(super) fn conclusion_page_blocks(results: &ExperimentResults<'_>) -> Vec<Block> {
    let mut owner: BTreeMap<usize, usize> = BTreeMap::new();
    for (number, cell) in results.cells.iter().enumerate() {
        owner.extend(cell.rows.iter().map(|row| (*row, number)));
    }
    let (usual, spared) = usual(results.conclusions.iter().map(|c| c.sure.as_str()));
    let written = |c: &&Conclusion| {
        let said = conclusion(results, &owner, c);
        if usual == Some(c.sure.as_str()) { PageStatement { sure: String::new(), ..said } } else { said }
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
        let unless = if spared { "Confidence unless stated otherwise" } else { "Confidence" };
        blocks.push(Block::note(format!("{unless}: {sure}.")));
    }
    if !results.source.findings.is_empty() {
        blocks.push(Block::note("Limitations of the measurement:"));
        let sorted = crate::text::text_block::sort_by_severity(results.source.findings);
        blocks.push(Block::findings(sorted));
    }
    blocks
}

/// A confidence shared by at least three statements, stated once; and whether others differ.
fn usual<'a>(all: impl Iterator<Item = &'a str>) -> (Option<&'a str>, bool) {
    let mut counted: BTreeMap<&str, usize> = BTreeMap::new();
    for sure in all.filter(|s| !s.is_empty()) {
        *counted.entry(sure).or_default() += 1;
    }
    let most = counted.iter().max_by_key(|(_, n)| **n).filter(|(_, n)| **n > 2);
    (most.map(|(sure, _)| *sure), counted.len() > 1)
}

fn answers(asked: &[&Conclusion]) -> String {
    let kinds =
        [ConclusionAnswer::Yes, ConclusionAnswer::No, ConclusionAnswer::Mixed, ConclusionAnswer::Unknown];
    let counted: Vec<String> = kinds
        .into_iter()
        .map(|kind| (asked.iter().filter(|c| c.answer == Some(kind)).count(), word(Some(kind))))
        .filter(|(count, _)| *count > 0)
        .map(|(count, word)| format!("{count} {word}"))
        .collect();
    match asked.len() {
        1 => format!("Answer to the question: {}.", word(asked[0].answer)),
        n => format!("{n} questions; answers: {}.", counted.join(", ")),
    }
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
        let size =
            found.size.map(|s| format!(", {}", crate::number_format::format_size(s))).unwrap_or_default();
        CellLink {
            cell: cell_statistics::cell_anchor_id(*number),
            words: format!("{probe} {}{size}", super::table_dimension::format_levels(data, found)),
        }
    };
    let own =
        |line: &&String| !line.trim().is_empty() && (c.sure.is_empty() || !line.contains(c.sure.as_str()));
    let mut evidence: Vec<String> = c.finding.evidence.iter().filter(own).cloned().collect();
    evidence.dedup();
    PageStatement {
        severity: None,
        answer: word(c.answer).into(),
        sure: c.sure.clone(),
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
        (0, 1) => "The requirement is met.".to_string(),
        (0, n) => format!("All {n} requirements are met."),
        (not, n) => format!("{not} of {n} requirements {} not met.", if not == 1 { "is" } else { "are" }),
    };
    let deciding = |one: &RequirementResult, of: fn(&(String, String, String)) -> &String| {
        one.cells.first().map_or("".into(), |cell| of(cell).into())
    };
    let columns: ColumnDefinitions<'_, &RequirementResult> = &[
        ("requirement", Left, &|one| (&one.text).into()),
        ("verdict", Left, &|one| (&one.verdict).into()),
        ("deciding combination", Left, &|one| deciding(one, |c| &c.0)),
        ("measured value", Right, &|one| deciding(one, |c| &c.1)),
    ];
    let table = Table::from_items("Requirements", all, columns);
    let mut blocks = vec![Block::lead_paragraph(lead), Block::table(table)];
    for one in all.iter().filter(|h| h.verdict != "met" && h.cells.len() > 1) {
        let columns: ColumnDefinitions<'_, &(String, String, String)> = &[
            ("combination", Left, &|(at, ..)| at.into()),
            ("measured value", Right, &|(_, figure, _)| figure.into()),
            ("verdict", Left, &|(.., verdict)| verdict.into()),
        ];
        blocks.push(Block::table(Table::from_items(
            format!("Verdict on {} for each combination of levels", one.text),
            &one.cells,
            columns,
        )));
    }
    blocks
}
