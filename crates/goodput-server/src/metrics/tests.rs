use super::*;
use crate::hosts::documents::HostFactsDocument;
use crate::schedule::alert::Alert;
use crate::schedule::documents::{Ended, Order};
use crate::schedule::recurrence::When;
use std::collections::{BTreeMap, BTreeSet};

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

fn schedule(name: &str, figure: Option<(&str, f64, &str)>) -> ScheduleMetrics {
    let order = Order {
        name: name.into(),
        line: vec!["stream".into(), "b".into()],
        when: When::Every { seconds: 3600 },
        jitter_seconds: Some(0),
        enabled: true,
        alerts: vec![Alert::Below { value: 9e8 }, Alert::Failed { times: 3 }],
        webhook: None,
    };
    let mut schedule = Schedule::new(order, 1, at("2026-03-01T00:00:00Z"));
    let figure = figure.map(|(name, value, unit)| Reading {
        name: name.into(),
        value,
        unit: unit.into(),
        text: String::new(),
    });
    let turn = at("2026-03-01T01:00:00Z");
    let ended =
        Ended { turn, at: at("2026-03-01T01:00:12Z"), run: None, exit: Some(0), reason: None, figure };
    schedule.start_occurrence(turn);
    schedule.finish_occurrence(ended, &[], &[]);
    schedule.kept.turned = turn;
    ScheduleMetrics::from_schedule(&schedule, at("2026-03-01T01:30:00Z"))
}

fn agent(name: &str, state: Option<HostState>) -> HostDocument {
    HostDocument {
        id: name.into(),
        name: Some(name.into()),
        address: "10.0.0.9:5303".into(),
        version: Some("0.1.0".into()),
        protocol: Some(3),
        labels: BTreeMap::new(),
        groups: vec!["web".into()],
        facts: Some(HostFactsDocument {
            hostname: name.into(),
            kernel: "Linux 6.1".into(),
            cpu_model: "a \"fast\" one\\\nof 2020".into(),
            cpus: 8,
            boot_id: String::new(),
            pinned_cpu: None,
        }),
        data_addresses: Vec::new(),
        state,
        trouble: None,
    }
}

/// Every metric has a sample.
fn full() -> MetricsSnapshot {
    let busy = HostState::Busy { holder: "lab".into(), since: None, until: None, waiting: 2 };
    MetricsSnapshot {
        schedules: vec![
            schedule("nightly", Some(("goodput_bps", 8e8, "bit/s"))),
            schedule("ping", Some(("latency_ns.p50", 120_000.0, "ns"))),
            schedule("ask", Some(("transactions_per_second", 45_213.0, "1/s"))),
            schedule("mtu", Some(("path_mtu.forward", 1500.0, "byte"))),
            schedule("cpu", Some(("hosts[b].cpu.busy_percent", 50.0, "%"))),
            schedule("pe", Some(("pe_index", 12.5, "Mbit/s per %"))),
            schedule("new", None),
        ],
        agents: vec![agent("a", Some(HostState::Idle)), agent("b", Some(busy)), agent("c", None)],
        watching: true,
        jobs: vec![("waiting", 1), ("running", 0)],
        readers: 2,
        process: ProcessMetrics {
            resident_bytes: Some(3e7),
            started: Some(1.7e9),
            cpu_seconds: Some(1.5),
            open_files: Some(20.0),
            threads: Some(6.0),
        },
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
    let last = |name: &str, schedule: &str, figure: &str| {
        value(&text, &format!("{name}{{schedule=\"{schedule}\",figure=\"{figure}\"}}"))
    };
    assert_eq!(last("goodput_schedule_last_bits_per_second", "nightly", "goodput_bps"), 8e8);
    let seconds = last("goodput_schedule_last_seconds", "ping", "latency_ns.p50");
    assert!((seconds - 120e-6).abs() < 1e-15, "{seconds}");
    assert_eq!(last("goodput_schedule_last_per_second", "ask", "transactions_per_second"), 45_213.0);
    assert_eq!(last("goodput_schedule_last_bytes", "mtu", "path_mtu.forward"), 1500.0);
    assert_eq!(last("goodput_schedule_last_ratio", "cpu", "hosts[b].cpu.busy_percent"), 0.5);
    assert_eq!(last("goodput_schedule_last_value", "pe", "pe_index"), 12.5);
    assert!(!text.contains("_last_value{schedule=\"new\""));
}

#[test]
fn schedules_agents_and_jobs_are_counted() {
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
}

#[test]
fn what_a_host_says_cannot_break_the_text() {
    let text = to_openmetrics(&full());
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
fn every_metric_of_the_dashboard_exists() {
    let known = samples(&to_openmetrics(&full()));
    let dashboard = file("docs/grafana/goodput.json");
    let words = dashboard.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
    let named: BTreeSet<&str> =
        words.filter(|w| w.starts_with("goodput_") || w.starts_with("process_")).collect();
    assert!(named.len() >= 10, "{named:?}");
    for name in named {
        assert!(known.contains(name), "{name} does not exist");
    }
}

#[test]
fn the_page_on_metrics_names_each_of_them_and_no_other() {
    let known = samples(&to_openmetrics(&full()));
    let page = file("docs/metrics.md");
    let rows = page.lines().filter_map(|l| l.strip_prefix("| `")?.split('`').next());
    let told: BTreeSet<String> =
        rows.map(|cell| cell.split('{').next().unwrap_or(cell).to_string()).collect();
    assert_eq!(told, known);
}
