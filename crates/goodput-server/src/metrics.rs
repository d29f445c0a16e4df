//! Metrics of schedules, agents, jobs and the server, computed for each request.
//!
//! [`all`] is the source for Prometheus ([`text`]) and for OpenTelemetry ([`push`]). Names follow
//! <https://prometheus.io/docs/practices/naming/> and are stable; a test compares them with `docs/metrics.md`
//! and the Grafana dashboard.

mod metric;
pub mod otlp;
mod process_metrics;
pub mod push;

pub use metric::{Metric, MetricKind, MetricLabels};
pub use process_metrics::ProcessMetrics;

use crate::hosts::documents::{HostDocument, HostState};
use crate::schedule::alert::Reading;
use crate::schedule::schedule_state::Schedule;
use jiff::Timestamp;
use prometheus_client::encoding::text::encode;
use prometheus_client::registry::Registry;

#[derive(Debug, Default)]
pub struct MetricsSnapshot {
    pub schedules: Vec<ScheduleMetrics>,
    pub agents: Vec<HostDocument>,
    pub watching: bool,
    pub jobs: Vec<(&'static str, u64)>,
    pub readers: u64,
    pub process: ProcessMetrics,
    pub version: String,
}

#[derive(Debug, Clone, PartialEq)]
pub struct ScheduleMetrics {
    name: String,
    enabled: bool,
    figure: Option<Reading>,
    ended: Option<Timestamp>,
    next: Option<Timestamp>,
    runs: u64,
    failed: u64,
    failures_in_a_row: u32,
    missed: u64,
    untold: u64,
    rules: Vec<(String, bool)>,
}

impl ScheduleMetrics {
    pub fn from_schedule(schedule: &Schedule, now: Timestamp) -> ScheduleMetrics {
        let kept = &schedule.kept;
        ScheduleMetrics {
            name: kept.order.name.clone(),
            enabled: kept.order.enabled,
            figure: kept.last.as_ref().and_then(|l| l.figure.clone()),
            ended: kept.last.as_ref().map(|l| l.at),
            next: schedule.next_start(now),
            runs: kept.runs,
            failed: kept.failed,
            failures_in_a_row: kept.failures_in_a_row,
            missed: kept.missed_turns,
            untold: kept.letters.len() as u64,
            rules: schedule.alert_states().collect(),
        }
    }
}

pub fn collect_metrics(snapshot: &MetricsSnapshot) -> Vec<Metric> {
    let mut told = Vec::new();
    schedules(&mut told, &snapshot.schedules);
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

fn schedules(told: &mut Vec<Metric>, all: &[ScheduleMetrics]) {
    let of = |s: &ScheduleMetrics| vec![("schedule", s.name.clone())];
    figures(told, all);
    let ended = all.iter().filter_map(|s| Some((of(s), seconds(s.ended?))));
    gauges(told, "goodput_schedule_last_run_timestamp_seconds", "When the last run ended", ended);
    let next = all.iter().filter_map(|s| Some((of(s), seconds(s.next?))));
    gauges(told, "goodput_schedule_next_run_timestamp_seconds", "When the next run begins", next);
    let enabled = all.iter().map(|s| (of(s), flag(s.enabled)));
    gauges(told, "goodput_schedule_enabled", "1 for a schedule that is on, 0 for one that rests", enabled);
    let in_a_row = all.iter().map(|s| (of(s), f64::from(s.failures_in_a_row)));
    gauges(told, "goodput_schedule_failures_in_a_row", "Runs that failed in a row, up to the last", in_a_row);
    let rules = all.iter().flat_map(|s| {
        s.rules.iter().map(move |(rule, holds)| {
            (vec![("schedule", s.name.clone()), ("rule", rule.clone())], flag(*holds))
        })
    });
    gauges(told, "goodput_schedule_alert", "1 while a rule of the schedule holds", rules);
    let untold = all.iter().map(|s| (of(s), s.untold as f64));
    gauges(told, "goodput_schedule_letters_waiting", "Alerts that the webhook has not taken yet", untold);
    let runs = all.iter().map(|s| (of(s), s.runs));
    counters(told, "goodput_schedule_runs", "Turns that ended, well or not", runs);
    let failed = all.iter().map(|s| (of(s), s.failed));
    counters(told, "goodput_schedule_failed_runs", "Turns that failed", failed);
    let missed = all.iter().map(|s| (of(s), s.missed));
    counters(told, "goodput_schedule_missed_turns", "Turns that were not measured", missed);
}

/// The last value of each schedule, named by its base unit.
fn figures(told: &mut Vec<Metric>, all: &[ScheduleMetrics]) {
    const NAMES: [(&str, &str, f64); 5] = [
        ("bit/s", "goodput_schedule_last_bits_per_second", 1.0),
        ("ns", "goodput_schedule_last_seconds", 1e-9),
        ("1/s", "goodput_schedule_last_per_second", 1.0),
        ("byte", "goodput_schedule_last_bytes", 1.0),
        ("%", "goodput_schedule_last_ratio", 0.01),
    ];
    let known = |unit: &str| NAMES.iter().any(|(of, ..)| *of == unit);
    let figure = |s: &ScheduleMetrics, f: &Reading, scale: f64| {
        (vec![("schedule", s.name.clone()), ("figure", f.name.clone())], f.value * scale)
    };
    for (unit, name, scale) in NAMES {
        let values = all.iter().filter_map(|s| {
            let f = s.figure.as_ref().filter(|f| f.unit == unit && f.value.is_finite())?;
            Some(figure(s, f, scale))
        });
        gauges(told, name, "The primary metric of the last run, as the label `figure` names it", values);
    }
    let others = all.iter().filter_map(|s| {
        let f = s.figure.as_ref().filter(|f| !known(&f.unit) && f.value.is_finite())?;
        Some(figure(s, f, 1.0))
    });
    gauges(told, "goodput_schedule_last_value", "The same where the figure has none of these units", others);
}

fn agents(told: &mut Vec<Metric>, snapshot: &MetricsSnapshot) {
    let called = |a: &HostDocument| a.name.clone().unwrap_or_else(|| a.address.clone());
    let of = |a: &HostDocument| vec![("agent", called(a))];
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
    let busy = |a: &HostDocument| matches!(a.state, Some(HostState::Busy { .. }));
    let is_busy = all.iter().filter(|a| a.state.is_some()).map(|a| (of(a), flag(busy(a))));
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
