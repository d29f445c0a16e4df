//! A check of a path: which trials it makes, and what they found. Pure: the same trials always give the same
//! result. See `docs/methods/check.md`; texts are in `locales/*/check.ftl`.

mod plan;
mod requirement;
mod settings;
mod text;

pub use plan::CheckPlan;
pub use requirement::judge_requirement;
pub use text::next_step;

use crate::rate_search::search_trials::worst_direction_counts;
use crate::rate_search::{TrialVerdict, decide_trial_verdict};
use goodput_model::check::{CheckStep, CheckedCpu, PathCheck, UnmeasuredStep};
use goodput_model::probe::{StopCondition, TransferDirection};
use goodput_model::summary::{CpuSummary, LatencySummary, TrialSummary};
use goodput_model::trial::{EndpointRole, TrialPurpose};
use goodput_model::{Message, Probe, Trial, TrialOutcome};
use goodput_words::message;
use goodput_words::message_argument::time_arg;

/// Fewer probes have no p99.
const MIN_P99_COUNT: u64 = 100;

struct CheckTrial<'a> {
    step: CheckStep,
    trial: &'a Trial,
    summary: &'a TrialSummary,
}

/// `None` for a run that is no check. Each trial has its summary at the same place.
pub(crate) fn check_path(trials: &[&Trial], summaries: &[TrialSummary]) -> Option<PathCheck> {
    let all = trials.iter().copied().zip(summaries);
    let made: Vec<CheckTrial<'_>> = all
        .filter(|(trial, _)| trial.purpose == Some(TrialPurpose::Check))
        .filter_map(|(trial, summary)| {
            Some(CheckTrial { step: CheckStep::from_probe(&trial.probe)?, trial, summary })
        })
        .collect();
    if made.is_empty() {
        return None;
    }
    let mtu = last(&made, CheckStep::PathMtu).and_then(TrialSummary::path_mtu);
    let (send, receive) = (last(&made, CheckStep::Send), last(&made, CheckStep::Receive));
    let both = last(&made, CheckStep::Both);
    let idle = latency(last(&made, CheckStep::IdleLatency));
    let (loaded_send, loaded_receive) = (latency(send), latency(receive));
    let p50 = |l: Option<LatencySummary>| l.map(|l| l.p50);
    let p99 = |l: Option<LatencySummary>| l.filter(|l| l.count >= MIN_P99_COUNT).map(|l| l.p99);
    let limit = [send, receive].into_iter().flatten().map(|s| &s.limit).find(|l| l.goodput_bps.is_some());
    let sweep = last(&made, CheckStep::MessageSizes).and_then(TrialSummary::size_sweep_summary);
    let udp = lossless_rate(&made);
    let busiest = busiest_tcp_trial(&made);
    let mut check = PathCheck {
        from: host(&made, EndpointRole::Connect, "connecting end"),
        to: host(&made, EndpointRole::Listen, "listening end"),
        path_mtu_send_bytes: mtu.and_then(|m| m.forward),
        path_mtu_receive_bytes: mtu.and_then(|m| m.reverse),
        idle_latency_p50_ns: p50(idle),
        idle_latency_p99_ns: p99(idle),
        loaded_latency_send_p50_ns: p50(loaded_send),
        loaded_latency_send_p99_ns: p99(loaded_send),
        loaded_latency_receive_p50_ns: p50(loaded_receive),
        loaded_latency_receive_p99_ns: p99(loaded_receive),
        tcp_send_bps: goodput(send, TransferDirection::Send),
        tcp_receive_bps: goodput(receive, TransferDirection::Receive),
        tcp_both_send_bps: goodput(both, TransferDirection::Send),
        tcp_both_receive_bps: goodput(both, TransferDirection::Receive),
        limit_bps: limit.and_then(|l| l.goodput_bps),
        limit_name: limit.and_then(|l| l.limiting_medium_or_bus()).map(str::to_string),
        percent_of_limit_send: send.and_then(|s| s.percent_of_limit),
        percent_of_limit_receive: receive.and_then(|s| s.percent_of_limit),
        udp_lossless_bps: udp.as_ref().map(|rate| rate.bps),
        udp_confirmed: udp.is_some_and(|rate| rate.confirmed),
        half_size_bytes: sweep.and_then(|s| s.half_size_bytes),
        saturation_size_bytes: sweep.and_then(|s| s.saturation_size_bytes),
        cpu_from: checked_cpu(busiest, EndpointRole::Connect),
        cpu_to: checked_cpu(busiest, EndpointRole::Listen),
        ..PathCheck::default()
    };
    check.notes = settings::notable_settings(&made, &check);
    check.not_measured =
        CheckStep::ALL.into_iter().filter_map(|step| unmeasured_step(&made, &check, step)).collect();
    check.sentence = text::conclude(&check);
    check.next = next_step(&check, "HOST");
    Some(check)
}

fn last<'a>(made: &[CheckTrial<'a>], step: CheckStep) -> Option<&'a TrialSummary> {
    made.iter().rev().find(|t| t.step == step).map(|t| t.summary)
}

fn host(made: &[CheckTrial<'_>], role: EndpointRole, unknown: &str) -> String {
    let mut names = made.iter().filter_map(|t| t.trial.endpoint_report(role)).map(|end| end.host.as_str());
    names.find(|name| !name.is_empty()).unwrap_or(unknown).to_string()
}

fn latency(summary: Option<&TrialSummary>) -> Option<LatencySummary> {
    summary.and_then(TrialSummary::latency_summary)
}

fn goodput(summary: Option<&TrialSummary>, direction: TransferDirection) -> Option<u64> {
    summary?.direction_summaries().iter().find(|d| d.direction == direction)?.goodput_bps
}

struct LosslessRate {
    bps: u64,
    confirmed: bool,
}

/// The highest of the rates that passed in a trial of full length, else in a short one.
fn lossless_rate(made: &[CheckTrial<'_>]) -> Option<LosslessRate> {
    let passed = made.iter().filter_map(|t| {
        let Probe::Datagram(settings) = &t.trial.probe else { return None };
        let search = settings.search?;
        let counts = worst_direction_counts(t.summary)?;
        let verdict = decide_trial_verdict(&counts, search.loss_percent / 100.0);
        let bps = counts.sent_rate.min(counts.delivered_rate).0;
        let confirmed = settings.stop == StopCondition::Time(search.full);
        (verdict == TrialVerdict::Passed).then_some(LosslessRate { bps, confirmed })
    });
    passed.max_by_key(|rate| (rate.confirmed, rate.bps))
}

fn busiest_tcp_trial<'a>(made: &[CheckTrial<'a>]) -> Option<&'a TrialSummary> {
    let tcp = [CheckStep::Send, CheckStep::Receive, CheckStep::Both].into_iter();
    let busiest = |summary: &TrialSummary| {
        summary.hosts.iter().filter_map(|h| h.cpu.as_ref()).map(busiest_percent).fold(0.0, f64::max)
    };
    tcp.filter_map(|step| last(made, step)).max_by(|a, b| busiest(a).total_cmp(&busiest(b)))
}

fn busiest_percent(cpu: &CpuSummary) -> f64 {
    cpu.busy_percent_per_cpu.iter().copied().fold(cpu.busy_percent, f64::max)
}

fn checked_cpu(summary: Option<&TrialSummary>, role: EndpointRole) -> Option<CheckedCpu> {
    let cpu = summary?.hosts.iter().find(|h| h.role == role)?.cpu.as_ref()?;
    let (scope, busy_percent) = (cpu.scope, cpu.busy_percent);
    Some(CheckedCpu { scope, busy_percent, busiest_percent: busiest_percent(cpu) })
}

/// `None` for a step that was measured.
fn unmeasured_step(made: &[CheckTrial<'_>], check: &PathCheck, step: CheckStep) -> Option<UnmeasuredStep> {
    let search = step == CheckStep::LosslessRate;
    if search && check.udp_lossless_bps.is_some() {
        return None;
    }
    let round_trip =
        check.idle_latency_p50_ns.filter(|ns| step == CheckStep::MessageSizes && !plan::sweep_fits(*ns));
    let outcome = made.iter().rev().find(|t| t.step == step).map(|t| &t.trial.outcome);
    let cause = match (outcome, round_trip) {
        (None, Some(ns)) => message!(check_round_trip_too_long { round_trip: time_arg(ns as f64) }),
        (None, None) => message!(check_not_begun),
        (Some(TrialOutcome::Partial { cause } | TrialOutcome::Failed { cause }), _) => {
            Message::from(cause.as_str())
        }
        (Some(TrialOutcome::Complete), _) if search => message!(check_lost_at_every_rate),
        (Some(TrialOutcome::Complete), _) => return None,
    };
    Some(UnmeasuredStep { step, cause })
}
