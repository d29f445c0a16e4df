//! The first sentences of a result: the measurement, its share of the limit, its CPU cost. Shared by
//! terminal, report and list.

use super::of;
use crate::number::or_none;
use crate::wording::{bare, limit};
use goodput_model::Outcome;
use goodput_model::summary::Summary;

pub(crate) fn between(summary: &Summary) -> String {
    of(&summary.probe).between(summary)
}

pub(crate) fn headline(summary: &Summary) -> String {
    let way = between(summary);
    let result = of(&summary.probe).result(summary);
    match (&summary.outcome, result) {
        (Outcome::Failed { cause }, _) => format!("{way}: no result: {}.", bare(cause)),
        (Outcome::Partial { cause }, None) => format!("{way}: ended early: {}.", bare(cause)),
        (Outcome::Partial { cause }, Some(result)) => {
            format!("{way}: ended early: {}; result until then: {result}.", bare(cause))
        }
        (Outcome::Complete, None) => format!("{way}: no data was counted."),
        (Outcome::Complete, Some(result)) => format!("{way}: {result}."),
    }
}

/// For a list: `94.13 Mbit/s`, `12.31 µs, best 41.20 Gbit/s`, `45,213/s, p99 35.00 µs`.
pub(crate) fn short(summary: &Summary) -> String {
    let words = of(&summary.probe).short(summary);
    match (&summary.outcome, words) {
        (Outcome::Failed { .. }, _) => "failed".into(),
        (Outcome::Partial { .. }, Some(words)) => format!("{words} (broke off)"),
        (Outcome::Partial { .. }, None) => "ended early".into(),
        (Outcome::Complete, words) => or_none(words, |w| w),
    }
}

pub(crate) fn sentences(summary: &Summary) -> Vec<String> {
    let mut out = vec![headline(summary)];
    if !matches!(summary.outcome, Outcome::Failed { .. }) {
        let report = of(&summary.probe);
        out.extend(report.is_limited().then(|| limit(summary)));
        out.extend(report.cpu(summary));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::documents;

    #[test]
    fn the_smaller_of_medium_and_bus_is_named() {
        let mut s = documents::stream_100();
        (s.limit.bus, s.limit.bounded_by) = (Some("isa-16".into()), Some("isa-16".into()));
        s.limit.goodput_bps = Some(66_640_000);
        assert!(headline(&s).ends_with("of what isa-16 allows."), "{}", headline(&s));
        assert!(limit(&s).starts_with("Limit: 66.64 Mbit/s on isa-16: "), "{}", limit(&s));
    }

    #[test]
    fn a_partial_result_keeps_its_figure() {
        let mut s = documents::request_closed();
        s.outcome = Outcome::Partial { cause: "b was killed.".into() };
        let text = headline(&s);
        assert!(text.starts_with("a ↔ b: broke off: b was killed; until then 45,213 TCP"), "{text}");
    }
}
