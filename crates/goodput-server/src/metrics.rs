//! Metrics of schedules, agents, jobs and the server, computed for each request.
//!
//! [`collect_metrics`] is the source for Prometheus ([`to_openmetrics`]) and for OpenTelemetry ([`push`]). Names follow
//! <https://prometheus.io/docs/practices/naming/> and are stable; a test compares them with `docs/metrics.md`
//! and the Grafana dashboard.

mod metric;
pub mod otlp;
pub mod otlp_exporter;
mod process_metrics;

pub use metric::{Metric, MetricKind, MetricLabels};
pub use process_metrics::ProcessMetrics;

use crate::hosts::documents::{HostDocument, HostState};
use crate::schedule::schedule_state::Schedule;
use jiff::Timestamp;
use prometheus_client::encoding::text::encode;
use prometheus_client::registry::Registry;

#[derive(Debug, Default)]
pub struct MetricsSnapshot {
    pub now: Timestamp,
    pub schedules: Vec<Schedule>,
    pub agents: Vec<HostDocument>,
    pub watching: bool,
    pub jobs: Vec<(&'static str, u64)>,
    pub readers: u64,
    pub process: ProcessMetrics,
    pub version: String,
}

pub fn collect_metrics(snapshot: &MetricsSnapshot) -> Vec<Metric> {
    let mut told = Vec::new();
    schedules(&mut told, snapshot);
    agents(&mut told, snapshot);
    server(&mut told, snapshot);
    told
}

/// OpenMetrics 1.0 text.
pub fn to_openmetrics(snapshot: &MetricsSnapshot) -> String {
    let mut registry = Registry::default();
    collect_metrics(snapshot).iter().for_each(|metric| metric.register(&mut registry));
    let mut text = String::new();
    // Writing into a String cannot fail.
    let _ = encode(&mut text, &registry);
    text
}

fn gauge(told: &mut Vec<Metric>, name: &'static str, help: &'static str, value: f64) {
    gauges(told, name, help, [(MetricLabels::new(), value)]);
}

fn gauges(
    told: &mut Vec<Metric>,
    name: &'static str,
    help: &'static str,
    values: impl IntoIterator<Item = (MetricLabels, f64)>,
) {
    told.push(Metric::gauge(name, help, values));
}

/// `_total` is appended to their names.
fn counters(
    told: &mut Vec<Metric>,
    name: &'static str,
    help: &'static str,
    values: impl IntoIterator<Item = (MetricLabels, u64)>,
) {
    // Exact up to 2^53.
    told.push(Metric::counter(name, help, values.into_iter().map(|(labels, value)| (labels, value as f64))));
}

fn schedules(told: &mut Vec<Metric>, snapshot: &MetricsSnapshot) {
    let all = &snapshot.schedules;
    let of = |s: &Schedule| vec![("schedule", s.kept.order.name.clone())];
    figures(told, all);
    diagnoses(told, all);
    let ended = all.iter().filter_map(|s| Some((of(s), seconds(s.kept.last.as_ref()?.at))));
    gauges(told, "goodput_schedule_last_run_timestamp_seconds", "When the last run ended", ended);
    let next = all.iter().filter_map(|s| Some((of(s), seconds(s.next_start(snapshot.now)?))));
    gauges(told, "goodput_schedule_next_run_timestamp_seconds", "When the next run begins", next);
    let enabled = all.iter().map(|s| (of(s), flag(s.kept.order.enabled)));
    gauges(told, "goodput_schedule_enabled", "1 for a schedule that is on, 0 for one that rests", enabled);
    let in_a_row = all.iter().map(|s| (of(s), f64::from(s.kept.failures_in_a_row)));
    gauges(told, "goodput_schedule_failures_in_a_row", "Runs that failed in a row, up to the last", in_a_row);
    let rules = all.iter().flat_map(|s| {
        s.alert_states().map(move |(rule, holds)| ([of(s), vec![("rule", rule)]].concat(), flag(holds)))
    });
    gauges(told, "goodput_schedule_alert", "1 while a rule of the schedule holds", rules);
    let untold = all.iter().map(|s| (of(s), s.kept.letters.len() as f64));
    gauges(told, "goodput_schedule_letters_waiting", "Alerts that the webhook has not taken yet", untold);
    let runs = all.iter().map(|s| (of(s), s.kept.runs));
    counters(told, "goodput_schedule_runs", "Turns that ended, well or not", runs);
    let failed = all.iter().map(|s| (of(s), s.kept.failed));
    counters(told, "goodput_schedule_failed_runs", "Turns that failed", failed);
    let missed = all.iter().map(|s| (of(s), s.kept.missed_turns));
    counters(told, "goodput_schedule_missed_turns", "Turns that were not measured", missed);
}

/// The last value of each schedule, named by its base unit.
fn figures(told: &mut Vec<Metric>, all: &[Schedule]) {
    const NAMES: [(&str, &str, f64); 5] = [
        ("bit/s", "goodput_schedule_last_bits_per_second", 1.0),
        ("ns", "goodput_schedule_last_seconds", 1e-9),
        ("1/s", "goodput_schedule_last_per_second", 1.0),
        ("byte", "goodput_schedule_last_bytes", 1.0),
        ("%", "goodput_schedule_last_ratio", 0.01),
    ];
    let values = |has_unit: &dyn Fn(&str) -> bool, scale: f64| -> Vec<_> {
        let value = |s: &Schedule| {
            let f = s.kept.last.as_ref()?.figure.as_ref()?;
            let labels = vec![("schedule", s.kept.order.name.clone()), ("figure", f.name.clone())];
            (has_unit(&f.unit) && f.value.is_finite()).then_some((labels, f.value * scale))
        };
        all.iter().filter_map(value).collect()
    };
    for (unit, name, scale) in NAMES {
        let values = values(&|of| of == unit, scale);
        gauges(told, name, "The primary metric of the last run, as the label `figure` names it", values);
    }
    let others = values(&|of| !NAMES.iter().any(|(known, ..)| *known == of), 1.0);
    gauges(told, "goodput_schedule_last_value", "The same where the figure has none of these units", others);
}

/// What the last run of `goodput why` named.
fn diagnoses(told: &mut Vec<Metric>, all: &[Schedule]) {
    let unproven = ["not-proven".to_string()];
    let mut named = Vec::new();
    for schedule in all {
        let last = schedule.kept.last.as_ref();
        let Some(found) = last.and_then(|last| last.diagnosis.as_ref()) else { continue };
        let causes = if found.causes.is_empty() { &unproven[..] } else { &found.causes[..] };
        named.extend(causes.iter().map(|cause| {
            let labels: MetricLabels = vec![
                ("schedule", schedule.kept.order.name.clone()),
                ("from", found.from.clone()),
                ("to", found.to.clone()),
                ("cause", cause.clone()),
            ];
            (labels, 1.0)
        }));
    }
    gauges(told, "goodput_diagnosis_cause", "1 for what the last diagnosis of the schedule named", named);
}

fn agents(told: &mut Vec<Metric>, snapshot: &MetricsSnapshot) {
    let of = |a: &HostDocument| vec![("agent", a.name.as_ref().unwrap_or(&a.address).clone())];
    let all = &snapshot.agents;
    gauge(told, "goodput_agents", "Agents that are there", all.len() as f64);
    let watching = flag(snapshot.watching);
    gauge(told, "goodput_agents_watched", "1 while agents can be watched, 0 while they cannot", watching);
    let reachable = all.iter().map(|a| (of(a), flag(a.trouble.is_none())));
    gauges(
        told,
        "goodput_agent_up",
        "1 for an agent that takes orders from here, 0 for one that does not",
        reachable,
    );
    let is_busy =
        all.iter().filter_map(|a| Some((of(a), flag(matches!(a.state.as_ref()?, HostState::Busy { .. })))));
    gauges(told, "goodput_agent_busy", "1 while an agent has given itself to a coordinator", is_busy);
    let waiting = all.iter().filter_map(|a| match a.state {
        Some(HostState::Busy { waiting, .. }) => Some((of(a), f64::from(waiting))),
        Some(HostState::Idle) => Some((of(a), 0.0)),
        None => None,
    });
    gauges(told, "goodput_agent_waiting", "Coordinators that wait for an agent", waiting);
    let cpus = all.iter().filter_map(|a| Some((of(a), f64::from(a.facts.as_ref()?.cpus))));
    gauges(told, "goodput_agent_cpus", "Logical CPUs of the agent's host", cpus);
    let info = all.iter().filter_map(|a| {
        let facts = a.facts.as_ref()?;
        let mut labels = of(a);
        labels.extend([
            ("hostname", facts.hostname.clone()),
            ("kernel", facts.kernel.clone()),
            ("cpu_model", facts.cpu_model.clone()),
            ("version", a.version.clone().unwrap_or_default()),
            ("groups", a.groups.join(",")),
        ]);
        Some((labels, 1.0))
    });
    gauges(told, "goodput_agent_facts", "What an agent says of its host; always 1", info);
}

fn server(told: &mut Vec<Metric>, snapshot: &MetricsSnapshot) {
    let jobs = snapshot.jobs.iter().map(|(state, n)| (vec![("state", state.to_string())], *n as f64));
    gauges(told, "goodput_jobs", "Jobs of this server, by state", jobs);
    gauge(told, "goodput_live_readers", "Pages that listen to live events", snapshot.readers as f64);
    let version = [(vec![("version", snapshot.version.clone())], 1.0)];
    gauges(told, "goodput_server_build", "The program's version; always 1", version);
    // Standard names (https://prometheus.io/docs/instrumenting/writing_clientlibs/#process-metrics).
    let process = &snapshot.process;
    for (name, help, value) in [
        ("process_resident_memory_bytes", "Resident memory size", process.resident_bytes),
        ("process_start_time_seconds", "Start of the process since the Unix epoch", process.started),
        ("process_open_fds", "Open file descriptors", process.open_files),
        ("process_threads", "Threads", process.threads),
    ] {
        if let Some(value) = value {
            gauge(told, name, help, value);
        }
    }
    if let Some(seconds) = process.cpu_seconds {
        let used = [(MetricLabels::new(), seconds)];
        told.push(Metric::counter("process_cpu_seconds", "User and system CPU time", used));
    }
}

fn flag(is: bool) -> f64 {
    f64::from(u8::from(is))
}

fn seconds(at: Timestamp) -> f64 {
    at.as_millisecond() as f64 / 1e3
}

#[cfg(test)]
mod tests;
