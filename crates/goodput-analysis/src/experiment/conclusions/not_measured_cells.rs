//! Combinations that were not measured, or failed: an empty cell is always reported.

use super::cells::CellKey;
use super::{ConclusionDraft, wording};
use goodput_model::experiment::conclusion::Conclusion;
use goodput_model::experiment::data_set::{DataRow, DataSet, ObservedValue};
use goodput_model::{Message, Severity};
use goodput_words::message;
use std::collections::BTreeMap;

const MAX_SHOWN: usize = 10;

pub(super) fn unmeasured_cell_conclusions(data: &DataSet) -> Vec<Conclusion> {
    let gap = |row: &DataRow| matches!(row.value, ObservedValue::NotMeasured);
    let places = places(data, gap, true);
    let missing = places.iter().filter(|(_, wanted)| *wanted).count();
    if missing == 0 {
        return Vec::new();
    }
    let text = message!(rule_not_measured_text {
        n: missing,
        all: places.len(),
        places: wording::level_subsets_arg(data, &places).unwrap_or_default(),
    });
    let draft = ConclusionDraft::new("not-measured", text).try_this(message!(rule_not_measured_try));
    let rows = (0..data.rows.len()).filter(|r| gap(&data.rows[*r])).collect();
    vec![ConclusionDraft { rows, sure: message!(sure_counted), ..draft }.done()]
}

/// Combinations without a value in some or all of their repeats.
pub(super) fn failed_cell_conclusions(data: &DataSet) -> Vec<Conclusion> {
    let failure = |row: &DataRow| matches!(row.value, ObservedValue::Failed(_));
    let places = places(data, failure, false);
    let count = places.iter().filter(|(_, wanted)| *wanted).count();
    if count == 0 {
        return Vec::new();
    }
    let rows: Vec<usize> = (0..data.rows.len()).filter(|r| failure(&data.rows[*r])).collect();
    let mut reasons: BTreeMap<&str, (&Message, usize)> = BTreeMap::new();
    for row in &rows {
        if let ObservedValue::Failed(reason) = &data.rows[*row].value {
            reasons.entry(reason.as_str()).or_insert((reason, 0)).1 += 1;
        }
    }
    let reasons =
        reasons.into_values().map(|(reason, n)| message!(rule_failed_reason { reason: reason.clone(), n }));
    let text = message!(rule_failed_text {
        n: count,
        all: places.len(),
        times: rows.len(),
        places: wording::level_subsets_arg(data, &places).unwrap_or_default(),
        reasons: wording::join_with_semicolons(reasons).unwrap_or_default(),
    });
    let draft = ConclusionDraft::new("failed", text).try_this(message!(rule_failed_try));
    let shown = rows.iter().take(MAX_SHOWN).filter_map(|r| data.rows.get(*r)).map(|r| r.evidence.clone());
    let evidence = shown.collect();
    vec![
        ConclusionDraft {
            severity: Severity::Warning,
            rows,
            evidence,
            sure: message!(sure_counted),
            ..draft
        }
        .done(),
    ]
}

/// Every combination, all sizes together, and whether it is wanted: at all of its rows, or at any.
fn places(data: &DataSet, wanted: impl Fn(&DataRow) -> bool, all: bool) -> Vec<(CellKey, bool)> {
    let mut found: BTreeMap<CellKey, bool> = BTreeMap::new();
    for row in &data.rows {
        let place = CellKey { measure: row.measure, size: None, levels: row.levels.clone() };
        let this = wanted(row);
        let known = found.entry(place).or_insert(this);
        *known = if all { *known && this } else { *known || this };
    }
    found.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::super::fixture::tcp_data_set;
    use super::*;

    #[test]
    fn gaps_and_failures_are_named_by_what_they_share() {
        let some = tcp_data_set(|link, os, _| Some(1.0).filter(|_| link != "fast" || os != "old"));
        let found = &unmeasured_cell_conclusions(&some)[0];
        assert_eq!(found.finding.text, "3 of 18 combinations were not measured: fast, old");
        assert_eq!(found.rows.len(), 3);
        let mut some = tcp_data_set(|_, _, _| Some(1.0));
        assert!(unmeasured_cell_conclusions(&some).is_empty());
        // Failures keep their reason.
        for row in some.rows.iter_mut().filter(|r| r.levels["link"] == "slow" && r.levels["cpu"] == "1") {
            row.value = ObservedValue::Failed("timed out after 60 s".into());
        }
        let found = &failed_cell_conclusions(&some)[0].finding;
        let told = "2 of 18 combinations failed, 2 times in total (slow, cpu 1): timed out after 60 s (2)";
        assert_eq!((found.text.as_str(), found.severity), (told, Severity::Warning));
    }
}
