//! A load run in the terminal: result, table of points, and merged findings.

use super::point_tables::{drop_overflowing_columns, sort_load_points, table_of_load_points};
use crate::escape::escape_for_terminal;
use crate::grouping::group_by_key;
use crate::text::text_block::TextBlockList;
use crate::wording;
use goodput_model::summary::{ResultDocument, TrialSummary};
use goodput_model::{Finding, Load, Message, MessageArg, Severity, TrialOutcome};
use goodput_words::message;
use std::collections::BTreeSet;

const NAMES: usize = 3;

pub(crate) fn append_run_text(
    out: &mut TextBlockList,
    document: &ResultDocument,
    points: &[&TrialSummary],
    width: Option<u16>,
) {
    for sentence in summary_sentences(document, points) {
        out.add_text(&format!("{}\n", escape_for_terminal(&sentence)));
    }
    out.add_table(drop_overflowing_columns(table_of_load_points(points), width));
    out.add_findings(merge_findings(document, points));
}

pub(crate) fn summary_sentences(document: &ResultDocument, points: &[&TrialSummary]) -> Vec<String> {
    let mut out = vec![super::format_run_summary(points)];
    if let Some(curves) = &document.load_curves {
        out.extend(super::saturation_sentences(&curves.over_size, &curves.over_clients));
    }
    // Limits depend on the direction, not on the point.
    let carrying =
        sort_load_points(points).into_iter().map(|(s, _)| s).filter(|s| s.load_summary().is_some());
    let by_limit = group_by_key(carrying.map(|s| (s.limit.goodput_bps, s)));
    out.extend(by_limit.iter().map(|(_, same)| wording::format_goodput_limit(same[0])));
    out
}

pub(crate) fn merge_findings(document: &ResultDocument, points: &[&TrialSummary]) -> Vec<Finding> {
    let ordered = sort_load_points(points);
    let counts: BTreeSet<u16> = ordered.iter().map(|(s, l)| super::requested_client_count(s, l)).collect();
    let name = |summary: &TrialSummary, settings: &Load| {
        let point = super::format_load_point_name(settings);
        let clients = super::requested_client_count(summary, settings).into();
        if counts.len() > 1 { format!("{point} with {}", super::format_client_count(clients)) } else { point }
    };
    let places = ordered.iter().flat_map(|(summary, settings)| {
        let failed = match &summary.outcome {
            TrialOutcome::Failed { cause } => Some(failed(cause)),
            _ => None,
        };
        let found = failed.into_iter().chain(summary.findings.iter().cloned());
        found.map(|finding| (name(summary, settings), finding)).collect::<Vec<_>>()
    });
    let whole = document.load_curves.iter().flat_map(|c| c.findings.clone());
    let told = findings_by_rule(places).into_iter().map(|(first, places)| {
        combine_findings_of_load_points(first, &places, points.len(), |names, count, all, finding| {
            message!(finding_at_points { count, all, names, finding })
        })
    });
    whole.chain(told).collect()
}

fn failed(cause: &str) -> Finding {
    Finding {
        id: "point-failed".into(),
        severity: Severity::Error,
        text: message!(rule_point_failed_text { cause: Message::from(cause.trim_end_matches('.')) }),
        evidence: Vec::new(),
        try_next: Message::default(),
    }
}

/// The first finding of each rule, with all places and their texts.
pub(crate) fn findings_by_rule(
    found: impl Iterator<Item = (String, Finding)>,
) -> Vec<(Finding, Vec<(String, Message)>)> {
    let rules = group_by_key(found.map(|(place, finding)| (finding.id.clone(), (place, finding))));
    let of_rule = |(_, all): (String, Vec<(String, Finding)>)| {
        let first = all[0].1.clone();
        (first, all.into_iter().map(|(place, finding)| (place, finding.text)).collect())
    };
    rules.into_iter().map(of_rule).collect()
}

pub(crate) fn combine_findings_of_load_points(
    first: Finding,
    places: &[(String, Message)],
    of: usize,
    at: fn(MessageArg, usize, MessageArg, Message) -> Message,
) -> Finding {
    let mut names: Vec<&str> = places.iter().map(|(name, _)| name.as_str()).collect();
    names.dedup();
    let Some((place, said)) = places.first() else { return first };
    let same = places.iter().all(|(_, text)| text == said);
    let named = |more: Message| message!(finding_of_side { side: place, finding: more });
    let text = match names.len() {
        1 if same => named(said.clone()),
        1 => {
            let more = message!(finding_and_more { finding: said.clone(), count: places.len() - 1 });
            named(more)
        }
        all => {
            let shown = names[..all.min(NAMES)].join(", ");
            let told = match all.saturating_sub(NAMES) {
                0 => MessageArg::from(shown),
                more => message!(names_and_more { names: shown, count: more }).into(),
            };
            let example = message!(finding_for_example { side: place, finding: said.clone() });
            at(told, all, of.into(), if same { said.clone() } else { example })
        }
    };
    let evidence = if names.len() > 1 {
        places.iter().map(|(name, text)| format!("{name}: {text}")).collect()
    } else {
        first.evidence.clone()
    };
    Finding { text, evidence, ..first }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::documents;

    #[test]
    fn a_point_that_failed_is_named_with_its_cause() {
        let mut document = documents::load_run();
        document.trials[3].outcome = TrialOutcome::Failed { cause: "srv has not answered.".into() };
        document.trials[3].result.load().unwrap().load = None;
        let points: Vec<&TrialSummary> = document.trials.iter().collect();
        let told = merge_findings(&document, &points);
        let found = told.iter().find(|f| f.id == "point-failed").unwrap();
        assert_eq!(found.text, "transmit 512 B: nothing was measured: srv has not answered");
    }
}
