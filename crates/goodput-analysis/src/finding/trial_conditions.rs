//! Rules about the course of a trial: interrupted, shared, cut short, capped.

use super::{Hit, of_host};
use goodput_model::probe::{BulkTransfer, StopCondition};
use goodput_model::summary::TrialSummary;
use goodput_model::{Message, Nanos, Probe, Trial, TrialOutcome};
use goodput_words::message;
use goodput_words::message_argument::{fixed_decimals_arg, time_arg};

pub(super) fn check_partial_trial(trial: &Trial, _: &TrialSummary) -> Vec<Hit> {
    match &trial.outcome {
        TrialOutcome::Partial { cause } => {
            vec![Hit::new(
                message!(rule_partial_result_text { cause: Message::from(cause.as_str()) }),
                ["outcome = partial".to_string()],
            )]
        }
        TrialOutcome::Complete | TrialOutcome::Failed { .. } => Vec::new(),
    }
}

pub(super) fn check_concurrent_trials(trial: &Trial, _: &TrialSummary) -> Vec<Hit> {
    let hit = || Hit::new(message!(rule_shared_run_text), ["shared = true".to_string()]);
    trial.shared.then(hit).into_iter().collect()
}

pub(super) fn check_measurement_window_too_short(trial: &Trial, summary: &TrialSummary) -> Vec<Hit> {
    let Some(BulkTransfer { stop, .. }) = trial.probe.settings().bulk_transfer() else { return Vec::new() };
    let refused = summary.direction_summaries().iter().any(|d| d.goodput_bps.is_none() && d.bytes > 0);
    if matches!(stop, StopCondition::Time(_)) || !refused {
        return Vec::new();
    }
    let error = trial.ends.iter().map(|e| e.window.clock_error_ns).max().unwrap_or(0);
    let text = message!(rule_window_too_short_text {
        elapsed: time_arg(summary.elapsed_ns as f64),
        error: time_arg(error as f64),
    });
    let evidence = [format!("elapsed_ns = {}", summary.elapsed_ns), format!("clock_error_ns = {error}")];
    vec![Hit::new(text, evidence)]
}

pub(super) fn check_time_limit_reached(_: &Trial, summary: &TrialSummary) -> Vec<Hit> {
    let sizes: Vec<String> = summary
        .pingpong_points()
        .iter()
        .filter(|p| p.cap_reached)
        .map(|p| p.size_bytes.to_string())
        .collect();
    if sizes.is_empty() {
        return Vec::new();
    }
    let text = message!(rule_cap_reached_text { count: sizes.len(), all: summary.pingpong_points().len() });
    vec![Hit::new(text, [format!("points with cap_reached, by size_bytes: {}", sizes.join(" "))])]
}

pub(super) fn check_zero_copy_fallback(trial: &Trial, _: &TrialSummary) -> Vec<Hit> {
    let flows = || trial.ends.iter().flat_map(|e| &e.flows).filter_map(|f| f.zero_copy);
    let copied = flows().fold(0u64, |sum, (copied, _)| sum.saturating_add(copied));
    let all = flows().fold(0u64, |sum, (_, all)| sum.saturating_add(all));
    let hit = || {
        Hit::new(
            message!(rule_zero_copy_copied_text { copied, all }),
            [format!("zero_copy = ({copied}, {all})")],
        )
    };
    (copied > 0).then(hit).into_iter().collect()
}

pub(super) fn check_receive_coalescing_enabled(trial: &Trial, _: &TrialSummary) -> Vec<Hit> {
    let Probe::Stream(settings) = &trial.probe else { return Vec::new() };
    let hit = |delay: Nanos| {
        Hit::new(
            message!(rule_receive_coalescing_text {
                time: fixed_decimals_arg(delay.0 as f64 / 1e3, 0, "µs")
            }),
            [format!("receive_coalescing = {} ns", delay.0)],
        )
    };
    settings.receive_coalescing_delay().map(hit).into_iter().collect()
}

pub(super) fn report_endpoint_notes(trial: &Trial, _: &TrialSummary) -> Vec<Hit> {
    let of_end = |end: &goodput_model::EndpointReport| -> Vec<Hit> {
        end.notes.iter().map(|note| Hit::new(of_host(&end.host, note), [])).collect()
    };
    trial.ends.iter().flat_map(of_end).collect()
}
