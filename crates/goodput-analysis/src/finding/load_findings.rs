//! Rules about a load: excluded clients, and how well the window was kept. `capacity.rs` finds what limits
//! the server, `counter_totals.rs` compares counts.

mod capacity;
mod counter_totals;

pub(super) use capacity::{
    check_clients_saturated, check_load_above_limit, check_medium_limit_reached, check_server_saturated,
};
pub use counter_totals::MAX_ADAPTER_BYTES_DIFFERENCE_PERCENT;
pub(super) use counter_totals::{
    check_adapter_bytes_differ, check_load_interval_totals, check_load_retransmits,
    check_received_above_kernel_count, check_received_above_sent,
};

use super::{Hit, mbit, names};
use crate::descriptive_statistics::median;
use goodput_model::load::Load;
use goodput_model::summary::{LoadClientSummary, LoadSummary, TrialSummary};
use goodput_model::{Message, Probe, Trial};
use goodput_words::message;
use goodput_words::message_argument::{fixed_decimals_arg, percent_arg, time_arg};

pub const MAX_MEASUREMENT_WINDOW_SKEW_PERCENT: f64 = 1.0;
/// A client below this share of the clients' median rate is slow.
const SLOW_SHARE: f64 = 0.5;

fn point<'a>(trial: &'a Trial, summary: &'a TrialSummary) -> Option<(&'a Load, &'a LoadSummary)> {
    match &trial.probe {
        Probe::Load(settings) => Some((settings, summary.load_summary()?)),
        _ => None,
    }
}

pub(super) fn check_excluded_clients(trial: &Trial, summary: &TrialSummary) -> Vec<Hit> {
    let Some((_, load)) = point(trial, summary) else { return Vec::new() };
    let mut causes: Vec<(&str, bool)> =
        load.excluded.iter().map(|e| (e.cause.trim_end_matches('.'), e.midway)).collect();
    causes.sort_unstable();
    causes.dedup();
    let hit = |(cause, midway): (&str, bool)| {
        let theirs = || {
            load.excluded.iter().filter(move |e| e.cause.trim_end_matches('.') == cause && e.midway == midway)
        };
        let (count, all) = (theirs().count(), load.excluded.len() + usize::from(load.clients));
        let names = names(theirs().map(|e| e.host.as_str()));
        let cause = Message::from(cause);
        let text = if midway {
            message!(rule_client_excluded_text_2 { count, all, names, cause })
        } else {
            message!(rule_client_excluded_text { count, all, names, cause })
        };
        Hit::new(text, theirs().map(|e| format!("load.excluded: {}", e.host)))
    };
    causes.into_iter().map(hit).collect()
}

pub(super) fn check_idle_clients(trial: &Trial, summary: &TrialSummary) -> Vec<Hit> {
    let Some((_, load)) = point(trial, summary) else { return Vec::new() };
    let idle: Vec<&str> =
        load.per_client.iter().filter(|c| rate(c) == 0.0).map(|c| c.name.as_str()).collect();
    let text = || message!(rule_client_idle_text { names: names(idle.iter().copied()) });
    let evidence = idle.iter().map(|name| format!("load.per_client: {name} = 0"));
    if idle.is_empty() { Vec::new() } else { vec![Hit::new(text(), evidence)] }
}

pub(super) fn check_measurement_window_skew(trial: &Trial, summary: &TrialSummary) -> Vec<Hit> {
    let Some((settings, load)) = point(trial, summary) else { return Vec::new() };
    // A mix with pauses may pause at an edge.
    let pause = settings.mixes.iter().flat_map(|m| &m.lines).map(|l| l.delay.0).max().unwrap_or(0);
    let allowed = summary.elapsed_ns as f64 * MAX_MEASUREMENT_WINDOW_SKEW_PERCENT / 100.0 + pause as f64;
    let distance = |c: &LoadClientSummary| {
        let edges = c.skew.map(|s| [s.first_ns, s.last_ns]);
        edges.into_iter().flatten().flatten().map(i64::unsigned_abs).max()
    };
    let far: Vec<(&str, u64)> = load
        .per_client
        .iter()
        .filter_map(|c| Some((c.name.as_str(), distance(c)?)))
        .filter(|(_, d)| *d as f64 > allowed)
        .collect();
    let Some(most) = far.iter().map(|(_, d)| *d).max() else { return Vec::new() };
    let text = message!(rule_window_skew_text {
        count: far.len(),
        all: load.clients,
        distance: fixed_decimals_arg(most as f64 / 1e6, 1, "ms"),
        share: fixed_decimals_arg(MAX_MEASUREMENT_WINDOW_SKEW_PERCENT, 0, "%"),
        window: time_arg(summary.elapsed_ns as f64),
        names: names(far.iter().map(|(name, _)| *name)),
    });
    let evidence = far.iter().map(|(name, d)| format!("load.per_client: {name}: {d} ns from an edge"));
    let Some(overlap) = load.overlap else { return vec![Hit::new(text, evidence)] };
    let part = percent_arg(overlap.percent);
    let next = match overlap.rates {
        Some(rates) => message!(clause_overlap_rate {
            part,
            from: time_arg(rates.start_ns as f64),
            to: time_arg(rates.end_ns as f64),
            rate: mbit(rates.goodput_bps()),
        }),
        None => message!(clause_overlap { part }),
    };
    vec![Hit::new(message!(finding_and { finding: text, next }), evidence)]
}

fn rate(client: &LoadClientSummary) -> f64 {
    client.transmit_bps as f64 + client.receive_bps as f64
}

pub(super) fn check_slow_clients(trial: &Trial, summary: &TrialSummary) -> Vec<Hit> {
    let Some((_, load)) = point(trial, summary) else { return Vec::new() };
    let Some(fairness) = load.fairness else { return Vec::new() };
    let rates: Vec<f64> = load.per_client.iter().map(rate).collect();
    let Some(middle) = median(&rates).filter(|m| *m > 0.0 && rates.len() > 2) else { return Vec::new() };
    let slow: Vec<&LoadClientSummary> =
        load.per_client.iter().filter(|c| rate(c) > 0.0).filter(|c| rate(c) < middle * SLOW_SHARE).collect();
    if slow.is_empty() {
        return Vec::new();
    }
    let text = message!(rule_client_slow_text {
        count: slow.len(),
        all: load.clients,
        rate: fixed_decimals_arg(middle / 1e6, 2, "Mbit/s"),
        names: names(slow.iter().map(|c| c.name.as_str())),
        fairness: fixed_decimals_arg(fairness, 3, ""),
    });
    let evidence = slow.iter().map(|c| format!("load.per_client: {} = {} bit/s", c.name, rate(c)));
    vec![Hit::new(text, evidence.chain([format!("load.fairness = {fairness:.4}")]))]
}

pub(super) fn check_connection_errors(trial: &Trial, summary: &TrialSummary) -> Vec<Hit> {
    let Some((_, load)) = point(trial, summary) else { return Vec::new() };
    let hit = |errors: u64| {
        let text = message!(rule_connection_errors_text { count: errors });
        Hit::new(text, [format!("load.connection_errors = {errors}")])
    };
    Some(load.connection_errors).filter(|n| *n > 0).map(hit).into_iter().collect()
}
