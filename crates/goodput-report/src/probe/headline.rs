//! A result's first sentences, in terminal, report and list: measurement, share of the limit, CPU cost.

use super::probe_report;
use crate::display_text::{sentences, trim_full_stop};
use crate::number_format::MISSING_VALUE;
use crate::wording::goodput_limit_sentence;
use goodput_model::summary::TrialSummary;
use goodput_model::{Message, TrialOutcome};
use goodput_words::message;

pub(crate) fn format_endpoints(summary: &TrialSummary) -> String {
    probe_report(&summary.probe).format_endpoints(summary)
}

pub(crate) fn headline(summary: &TrialSummary) -> Message {
    let way = format_endpoints(summary);
    let result = probe_report(&summary.probe).result(summary);
    match (&summary.outcome, result) {
        (TrialOutcome::Failed { cause }, _) => {
            message!(report_way_nothing_was_measured_cause { way, cause: trim_full_stop(&cause.into()) })
        }
        (TrialOutcome::Partial { cause }, None) => {
            message!(report_way_broke_off_cause { way, cause: trim_full_stop(&cause.into()) })
        }
        (TrialOutcome::Partial { cause }, Some(result)) => message!(report_way_broke_off_until_then {
            way,
            cause: trim_full_stop(&cause.into()),
            result: result
        }),
        (TrialOutcome::Complete, None) => message!(report_way_nothing_was_counted { way }),
        (TrialOutcome::Complete, Some(result)) => message!(report_way_result { way, result: result }),
    }
}

/// For a list: `94.13 Mbit/s`, `12.31 µs, best 41.20 Gbit/s`, `45,213/s, p99 35.00 µs`.
pub(crate) fn short_headline(summary: &TrialSummary) -> Message {
    let result = probe_report(&summary.probe).short_result(summary);
    match (&summary.outcome, result) {
        (TrialOutcome::Failed { .. }, _) => message!(report_failed),
        (TrialOutcome::Partial { .. }, Some(result)) => message!(report_short_aborted { result }),
        (TrialOutcome::Partial { .. }, None) => message!(report_broke_off),
        (TrialOutcome::Complete, result) => result.unwrap_or_else(|| MISSING_VALUE.into()),
    }
}

pub(crate) fn summary_sentences(summary: &TrialSummary) -> Vec<Message> {
    let mut out = vec![headline(summary)];
    if !matches!(summary.outcome, TrialOutcome::Failed { .. }) {
        let report = probe_report(&summary.probe);
        out.extend(report.has_goodput_limit().then(|| goodput_limit_sentence(summary)));
        out.extend(report.cpu_usage(summary));
    }
    out
}

/// For those who cannot see a figure: the headline and the limit.
pub(crate) fn headline_and_limit(summary: &TrialSummary) -> Message {
    sentences([headline(summary), goodput_limit_sentence(summary)])
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
        let (first, limit) = (headline(&s), goodput_limit_sentence(&s));
        assert!(first.ends_with("of what isa-16 allows."), "{first}");
        assert!(limit.starts_with("Limit: 66.64 Mbit/s on isa-16: "), "{limit}");
        let mut s = documents::request_closed();
        s.outcome = TrialOutcome::Partial { cause: "b was killed.".into() };
        let text = headline(&s);
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
        assert_eq!(headline(&s), words);
    }
}
