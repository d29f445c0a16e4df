use super::*;
use crate::schedule::alert::Alert;
use crate::schedule::api_documents::{NamedCauses, ScheduleExecutionOutcome, ScheduleRequest};
use crate::tests::{at, reading, schedule_order};
use goodput_model::agent::DiscoveredAgent;
use goodput_model::host::HostFacts;
use std::collections::BTreeSet;

fn schedule(name: &str, figure: Option<(&str, f64, &str)>) -> Schedule {
    let alerts = vec![Alert::Below { value: 9e8 }, Alert::Failed { times: 3 }];
    let order = ScheduleRequest { name: name.into(), alerts, ..schedule_order() };
    let mut schedule = Schedule::new(order, 1, at("2026-03-01T00:00:00Z"));
    let figure = figure.map(|(name, value, unit)| reading(name, value, unit));
    let turn = at("2026-03-01T01:00:00Z");
    let ended = ScheduleExecutionOutcome {
        turn,
        at: at("2026-03-01T01:00:12Z"),
        run: None,
        exit: Some(0),
        reason: None,
        figure,
        diagnosis: None,
    };
    schedule.start_occurrence(turn);
    schedule.finish_occurrence(ended, &[], &[]);
    schedule.kept.turned = turn;
    schedule
}

fn agent(name: &str, state: Option<HostState>) -> HostDocument {
    let cpu_model = "a \"fast\" one\\\nof 2020".into();
    let agent = DiscoveredAgent {
        name: Some(name.into()),
        facts: Some(HostFacts { cpu_model, cpus: 8, ..HostFacts::default() }),
        ..DiscoveredAgent::default()
    };
    HostDocument::from_agent(&agent, state)
}

/// Figure, its value and unit, and the sample of the schedule of that name.
const FIGURES: [(&str, f64, &str, &str, f64); 6] = [
    ("goodput_bps", 8e8, "bit/s", "bits_per_second", 8e8),
    ("latency_ns.p50", 125_000_000.0, "ns", "seconds", 0.125),
    ("transactions_per_second", 45_213.0, "1/s", "per_second", 45_213.0),
    ("path_mtu.forward", 1500.0, "byte", "bytes", 1500.0),
    ("hosts[b].cpu.busy_percent", 50.0, "%", "ratio", 0.5),
    ("pe_index", 12.5, "Mbit/s per %", "value", 12.5),
];

/// Every metric has a sample.
fn full() -> MetricsSnapshot {
    let busy = HostState::Busy { holder: "lab".into(), since: None, until: None, waiting: 2 };
    let mut schedules = vec![schedule("new", None), schedule("nightly", Some(("goodput_bps", 8e8, "bit/s")))];
    for (schedule, causes) in
        schedules.iter_mut().zip([vec![], vec!["loss".to_string(), "policer".to_string()]])
    {
        let found = NamedCauses { from: "a".into(), to: "b".into(), causes };
        schedule.kept.last.as_mut().unwrap().diagnosis = Some(found);
    }
    schedules.extend(FIGURES.map(|(name, value, unit, ..)| schedule(name, Some((name, value, unit)))));
    MetricsSnapshot {
        now: at("2026-03-01T01:30:00Z"),
        schedules,
        agents: vec![agent("a", Some(HostState::Idle)), agent("b", Some(busy)), agent("c", None)],
        watching: true,
        jobs: vec![("waiting", 1), ("running", 0)],
        readers: 2,
        process: ProcessMetrics { cpu_seconds: Some(1.5), ..ProcessMetrics::current() },
        version: "0.1.0".into(),
    }
}

fn value(text: &str, sample: &str) -> f64 {
    let line = text.lines().find_map(|l| l.strip_prefix(sample)?.strip_prefix(' '));
    line.unwrap_or_else(|| panic!("{sample} is not in\n{text}")).parse().unwrap()
}

#[test]
fn figures_are_told_in_base_units_under_their_names() {
    let text = to_openmetrics(&full());
    for (name, _, _, unit, told) in FIGURES {
        let sample = format!("goodput_schedule_last_{unit}{{schedule=\"{name}\",figure=\"{name}\"}}");
        assert_eq!(value(&text, &sample), told, "{sample}");
    }
    assert!(!text.contains("_last_value{schedule=\"new\""));
}

#[test]
fn schedules_agents_and_jobs_are_counted_and_names_cannot_break_the_text() {
    let text = to_openmetrics(&full());
    for (sample, expected) in [
        ("goodput_schedule_runs_total{schedule=\"nightly\"}", 1.0),
        ("goodput_schedule_failed_runs_total{schedule=\"nightly\"}", 0.0),
        ("goodput_schedule_missed_turns_total{schedule=\"nightly\"}", 0.0),
        ("goodput_schedule_enabled{schedule=\"nightly\"}", 1.0),
        ("goodput_schedule_alert{schedule=\"nightly\",rule=\"below 900000000\"}", 1.0),
        ("goodput_schedule_alert{schedule=\"nightly\",rule=\"failed 3\"}", 0.0),
        ("goodput_schedule_last_run_timestamp_seconds{schedule=\"nightly\"}", 1_772_326_812.0),
        ("goodput_schedule_next_run_timestamp_seconds{schedule=\"nightly\"}", 1_772_330_400.0),
        (r#"goodput_diagnosis_cause{schedule="new",from="a",to="b",cause="not-proven"}"#, 1.0),
        (r#"goodput_diagnosis_cause{schedule="nightly",from="a",to="b",cause="loss"}"#, 1.0),
        (r#"goodput_diagnosis_cause{schedule="nightly",from="a",to="b",cause="policer"}"#, 1.0),
        ("goodput_agents", 3.0),
        ("goodput_agents_watched", 1.0),
        ("goodput_agent_busy{agent=\"a\"}", 0.0),
        ("goodput_agent_busy{agent=\"b\"}", 1.0),
        ("goodput_agent_waiting{agent=\"b\"}", 2.0),
        ("goodput_agent_cpus{agent=\"c\"}", 8.0),
        ("goodput_jobs{state=\"waiting\"}", 1.0),
        ("goodput_live_readers", 2.0),
        ("process_cpu_seconds_total", 1.5),
    ] {
        assert_eq!(value(&text, sample), expected, "{sample}");
    }
    assert!(!text.contains("goodput_agent_busy{agent=\"c\"}"), "what is not known is not told");
    assert!(text.ends_with("# EOF\n"));
    assert!(text.contains(r#"cpu_model="a \"fast\" one\\\nof 2020""#), "{text}");
    for line in text.lines().filter(|l| !l.starts_with('#')) {
        let number = line.rsplit(' ').next().unwrap();
        assert!(number.parse::<f64>().is_ok(), "{line:?}");
    }
}

fn samples(text: &str) -> BTreeSet<String> {
    let name = |line: &str| line.split(['{', ' ']).next().unwrap_or("").to_string();
    text.lines().filter(|l| !l.starts_with('#')).map(name).collect()
}

fn file(path: &str) -> String {
    let path: std::path::PathBuf = [env!("CARGO_MANIFEST_DIR"), "../..", path].iter().collect();
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

#[test]
fn the_page_on_metrics_names_each_of_them_and_no_other_as_does_the_dashboard() {
    let known = samples(&to_openmetrics(&full()));
    let page = file("docs/metrics.md");
    let rows = page.lines().filter_map(|l| l.strip_prefix("| `")?.split('`').next());
    let told: BTreeSet<String> =
        rows.map(|cell| cell.split('{').next().unwrap_or(cell).to_string()).collect();
    assert_eq!(told, known);
    let dashboard = file("docs/grafana/goodput.json");
    let words = dashboard.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
    let named: BTreeSet<&str> =
        words.filter(|w| w.starts_with("goodput_") || w.starts_with("process_")).collect();
    assert!(named.len() >= 10, "{named:?}");
    for name in named {
        assert!(known.contains(name), "{name} does not exist");
    }
}
