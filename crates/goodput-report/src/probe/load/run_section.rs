//! A load run in the terminal: result, table of points, and merged findings.

use super::point_tables::{drop_overflowing_columns, sort_load_points, table_of_load_points};
use crate::display_text::{comma_list, trim_full_stop};
use crate::grouping::group_by_key;
use crate::text::text_block::TextBlockList;
use crate::wording::goodput_limit_sentence;
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
        out.add_message(sentence);
    }
    out.add_table(drop_overflowing_columns(table_of_load_points(points), width));
    out.add_findings(merge_findings(document, points));
}

pub(crate) fn summary_sentences(document: &ResultDocument, points: &[&TrialSummary]) -> Vec<Message> {
    let mut out = vec![super::run_summary(points)];
    if let Some(curves) = &document.load_curves {
        out.extend(super::saturation_sentences(&curves.over_size, &curves.over_clients));
    }
    // Limits depend on the direction, not on the point.
    let carrying =
        sort_load_points(points).into_iter().map(|(s, _)| s).filter(|s| s.load_summary().is_some());
    let by_limit = group_by_key(carrying.map(|s| (s.limit.goodput_bps, s)));
    out.extend(by_limit.iter().map(|(_, same)| goodput_limit_sentence(same[0])));
    out
}

pub(crate) fn merge_findings(document: &ResultDocument, points: &[&TrialSummary]) -> Vec<Finding> {
    let ordered = sort_load_points(points);
    let counts: BTreeSet<u16> = ordered.iter().map(|(s, l)| super::requested_client_count(s, l)).collect();
    let name = |summary: &TrialSummary, settings: &Load| {
        let point = super::load_point_name(settings);
        if counts.len() < 2 {
            return point;
        }
        let clients = super::client_count(super::requested_client_count(summary, settings).into());
        message!(part_load_point_with { point, clients })
    };
    let places = ordered.iter().flat_map(|(summary, settings)| {
        let failed = match &summary.outcome {
            TrialOutcome::Failed { cause } => Some(failed(trim_full_stop(&cause.into()))),
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

fn failed(cause: Message) -> Finding {
    Finding {
        id: "point-failed".into(),
        severity: Severity::Error,
        text: message!(rule_point_failed_text { cause }),
        evidence: Vec::new(),
        try_next: Message::default(),
    }
}

/// The first finding of each rule, with all places and their texts.
pub(crate) fn findings_by_rule<P>(
    found: impl Iterator<Item = (P, Finding)>,
) -> Vec<(Finding, Vec<(P, Message)>)> {
    let rules = group_by_key(found.map(|(place, finding)| (finding.id.clone(), (place, finding))));
    let of_rule = |(_, all): (String, Vec<(P, Finding)>)| {
        let first = all[0].1.clone();
        (first, all.into_iter().map(|(place, finding)| (place, finding.text)).collect())
    };
    rules.into_iter().map(of_rule).collect()
}

/// A place is a name or a message.
pub(crate) fn combine_findings_of_load_points<P: Clone + PartialEq + Into<MessageArg>>(
    first: Finding,
    places: &[(P, Message)],
    of: usize,
    at: fn(MessageArg, usize, MessageArg, Message) -> Message,
) -> Finding {
    let mut names: Vec<&P> = places.iter().map(|(name, _)| name).collect();
    names.dedup();
    let Some((place, said)) = places.first() else { return first };
    let same = places.iter().all(|(_, text)| text == said);
    let named = |more: Message| message!(finding_of_side { side: place.clone(), finding: more });
    let text = match names.len() {
        1 if same => named(said.clone()),
        1 => {
            let more = message!(finding_and_more { finding: said.clone(), count: places.len() - 1 });
            named(more)
        }
        all => {
            let shown = comma_list(names.iter().take(NAMES).map(|name| P::clone(name)));
            let told = match all.saturating_sub(NAMES) {
                0 => shown,
                more => message!(names_and_more { names: shown, count: more }),
            };
            let example = message!(finding_for_example { side: place.clone(), finding: said.clone() });
            at(told.into(), all, of.into(), if same { said.clone() } else { example })
        }
    };
    if names.len() < 2 {
        return Finding { text, ..first };
    }
    let at_place = |(place, text): &(P, Message)| {
        message!(finding_of_side { side: place.clone(), finding: text.clone() })
    };
    Finding { text, evidence: places.iter().map(at_place).collect(), ..first }
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
