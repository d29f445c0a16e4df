//! A load run in the terminal: result, table of points, and merged findings.

use super::points::{fitted, in_order, points_table};
use crate::escape::plain;
use crate::text::block::Parts;
use crate::wording;
use goodput_model::summary::{Document, Summary};
use goodput_model::{Arg, Finding, Load, Message, Outcome, Severity};
use goodput_words::message;

const NAMES: usize = 3;

pub(crate) fn run(out: &mut Parts, document: &Document, points: &[&Summary], width: Option<u16>) {
    for sentence in sentences(document, points) {
        out.text(&format!("{}\n", plain(&sentence)));
    }
    out.table(fitted(points_table(points), width));
    let told = merged(document, points);
    if !told.is_empty() {
        out.findings(told);
    }
}

pub(crate) fn sentences(document: &Document, points: &[&Summary]) -> Vec<String> {
    let mut out = vec![super::whole_run(points)];
    if let Some(curves) = &document.load_curves {
        out.extend(super::saturations(&curves.over_size, &curves.over_clients));
    }
    // Limits depend on the direction, not on the point.
    let mut limits: Vec<Option<u64>> = Vec::new();
    for (summary, _) in in_order(points).into_iter().filter(|(s, _)| s.load().is_some()) {
        if !limits.contains(&summary.limit.goodput_bps) {
            limits.push(summary.limit.goodput_bps);
            out.push(wording::limit(summary));
        }
    }
    out
}

pub(crate) fn merged(document: &Document, points: &[&Summary]) -> Vec<Finding> {
    let ordered = in_order(points);
    let mut counts: Vec<u16> = ordered.iter().map(|(s, l)| super::asked(s, l)).collect();
    counts.sort_unstable();
    counts.dedup();
    let name = |summary: &Summary, settings: &Load| {
        let clients = format!(" with {}", super::clients(super::asked(summary, settings).into()));
        format!("{}{}", super::point(settings), if counts.len() > 1 { clients } else { String::new() })
    };
    let mut rules: Vec<(Finding, Vec<(String, Message)>)> = Vec::new();
    let mut add = |finding: &Finding, point: String| {
        let place = (point, finding.text.clone());
        match rules.iter_mut().find(|(first, _)| first.id == finding.id) {
            Some((_, places)) => places.push(place),
            None => rules.push((finding.clone(), vec![place])),
        }
    };
    for (summary, settings) in &ordered {
        if let Outcome::Failed { cause } = &summary.outcome {
            add(&failed(cause), name(summary, settings));
        }
        summary.findings.iter().for_each(|f| add(f, name(summary, settings)));
    }
    let whole = document.load_curves.iter().flat_map(|c| c.findings.clone());
    let told = rules.into_iter().map(|(first, places)| together(first, &places, points.len(), at_points));
    whole.chain(told).collect()
}

fn at_points(names: Arg, count: usize, all: Arg, finding: Message) -> Message {
    message!(finding_at_points { count, all, names, finding })
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

pub(crate) fn together(
    first: Finding,
    places: &[(String, Message)],
    of: usize,
    at: fn(Arg, usize, Arg, Message) -> Message,
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
                0 => Arg::from(shown),
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
        document.trials[3].outcome = Outcome::Failed { cause: "srv has not answered.".into() };
        document.trials[3].result.load().unwrap().load = None;
        let points: Vec<&Summary> = document.trials.iter().collect();
        let told = merged(&document, &points);
        let found = told.iter().find(|f| f.id == "point-failed").unwrap();
        assert_eq!(found.text, "transmit 512 B: nothing was measured: srv has not answered");
    }
}
