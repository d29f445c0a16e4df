//! A result's first sentences, in terminal, report and list: measurement, share of the limit, CPU cost.

use super::probe_report;
use crate::number_format::format_optional_value;
use crate::wording::{format_goodput_limit, trim_full_stop};
use goodput_model::TrialOutcome;
use goodput_model::summary::TrialSummary;

pub(crate) fn format_endpoints(summary: &TrialSummary) -> String {
    probe_report(&summary.probe).format_endpoints(summary)
}

pub(crate) fn format_headline(summary: &TrialSummary) -> String {
    let way = format_endpoints(summary);
    let result = probe_report(&summary.probe).format_result(summary);
    match (&summary.outcome, result) {
        (TrialOutcome::Failed { cause }, _) => format!("{way}: no result: {}.", trim_full_stop(cause)),
        (TrialOutcome::Partial { cause }, None) => format!("{way}: ended early: {}.", trim_full_stop(cause)),
        (TrialOutcome::Partial { cause }, Some(result)) => {
            format!("{way}: ended early: {}; result until then: {result}.", trim_full_stop(cause))
        }
        (TrialOutcome::Complete, None) => format!("{way}: no data was counted."),
        (TrialOutcome::Complete, Some(result)) => format!("{way}: {result}."),
    }
}

/// For a list: `94.13 Mbit/s`, `12.31 µs, best 41.20 Gbit/s`, `45,213/s, p99 35.00 µs`.
pub(crate) fn format_short_headline(summary: &TrialSummary) -> String {
    let words = probe_report(&summary.probe).format_short_result(summary);
    match (&summary.outcome, words) {
        (TrialOutcome::Failed { .. }, _) => "failed".into(),
        (TrialOutcome::Partial { .. }, Some(words)) => format!("{words} (was aborted)"),
        (TrialOutcome::Partial { .. }, None) => "ended early".into(),
        (TrialOutcome::Complete, words) => format_optional_value(words, |w| w),
    }
}

pub(crate) fn summary_sentences(summary: &TrialSummary) -> Vec<String> {
    let mut out = vec![format_headline(summary)];
    if !matches!(summary.outcome, TrialOutcome::Failed { .. }) {
        let report = probe_report(&summary.probe);
        out.extend(report.has_goodput_limit().then(|| format_goodput_limit(summary)));
        out.extend(report.format_cpu_usage(summary));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::documents;

    #[test]
    fn the_smaller_of_medium_and_bus_is_named_and_a_partial_result_keeps_its_figure() {
        let mut s = documents::stream_100();
        (s.limit.bus, s.limit.bounded_by) = (Some("isa-16".into()), Some("isa-16".into()));
        s.limit.goodput_bps = Some(66_640_000);
        let (headline, limit) = (format_headline(&s), format_goodput_limit(&s));
        assert!(headline.ends_with("of what isa-16 allows."), "{headline}");
        assert!(limit.starts_with("Limit: 66.64 Mbit/s on isa-16: "), "{limit}");
        let mut s = documents::request_closed();
        s.outcome = TrialOutcome::Partial { cause: "b was killed.".into() };
        let text = format_headline(&s);
        let words = "a ↔ b: ended early: b was killed; result until then: 45,213 TCP";
        assert!(text.starts_with(words), "{text}");
    }

    #[test]
    fn a_transfer_too_short_for_two_clocks_has_its_time_on_one() {
        let mut s = documents::stream_short();
        s.goodput_bps = None;
        let stream = s.result.stream().unwrap();
        (stream.transfer_ns, stream.transfer_bps) = (Some(130_000_000), Some(61_540_000));
        let words = "a → b: 61.54 Mbit/s of user data over 130.0 ms on the sender's clock.";
        assert_eq!(format_headline(&s), words);
    }
}
