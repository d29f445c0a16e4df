//! A run with one trial per probe; every optional field is present once and absent once.

use goodput_model::experiment::execution_record::{CellExecution, CellOutcome, ExperimentStep};
use goodput_model::experiment::{
    BetterDirection, ComparisonOperator, ExecutionOrder, ExperimentDesign, ExperimentQuestion, Factor,
    FactorLevel, LevelMethod, LevelPrices, ManualStepCheck, MeasuredMetric, MetricRequirement, ProbeLine,
    RepeatPolicy,
};
use goodput_model::host::CpuTimes;
use goodput_model::probe::{PingPongPattern, SocketOptions, StopCondition, TransferDirection};
use goodput_model::run::RunHeader;
use goodput_model::trial::{EndRole, Flow, MeasurementWindow, Medium, SocketReport, TcpStatistics};
use goodput_model::*;
use std::collections::BTreeMap;

pub const RUN: &str = "01a1fc42-d27b-7000-8000-0123456789ab";

pub fn head() -> RunHeader {
    RunHeader {
        format: goodput_store::format::RUN_FORMAT_VERSION,
        id: RunId(RUN.parse().unwrap()),
        started: "2026-11-21T04:00:00.123456789Z".into(),
        version: "0.1.0".into(),
        command: ["goodput", "stream", "lab:b", "--label", "card=größer \"1\""].map(String::from).into(),
        seed: u64::MAX,
        labels: BTreeMap::from([("card".into(), "größer \"1\"".into())]),
    }
}

pub fn trials() -> Vec<Trial> {
    vec![stream(), pingpong(), request()]
}

/// Every kind of step, and of an experiment's contents.
pub fn steps() -> Vec<ExperimentStep> {
    let at = "2026-11-21T04:00:01Z".to_string();
    let levels = BTreeMap::from([("nic".to_string(), "b".to_string()), ("mtu".into(), "9000".into())]);
    let cell = CellExecution { number: 2, block: 0, levels, probe: "tcp".into() };
    let ended =
        |outcome| ExperimentStep::CellEnded { number: 2, outcome, trials: vec![TrialId(2)], at: at.clone() };
    vec![
        ExperimentStep::Declared { experiment: Box::new(experiment()), text: "name = \"größer\"\n".into() },
        ExperimentStep::Resumed { at: at.clone() },
        ExperimentStep::LevelSet {
            factor: "mtu".into(),
            level: "9000".into(),
            obtained: vec!["lab:a: 9000".into()],
            at: at.clone(),
        },
        ExperimentStep::CellStarted { cell, at: at.clone() },
        ended(CellOutcome::Done),
        ended(CellOutcome::TimedOut),
        ended(CellOutcome::Failed { cause: "refused".into() }),
        ended(CellOutcome::NotSet { cause: "mtu of lab:a is 1500".into() }),
        ExperimentStep::Restored { factor: "mtu".into(), obtained: vec![] },
        ExperimentStep::NotRestored { factor: "nic".into(), cause: "lab:a does not answer".into() },
    ]
}

fn experiment() -> Experiment {
    let level = |name: &str| FactorLevel { name: name.into(), value: name.into() };
    let factor = |name: &str, means| Factor {
        name: name.into(),
        levels: vec![level("a"), level("b")],
        means,
        hard_to_change: name == "nic",
    };
    let knob = |interface: Option<&str>| LevelMethod::Knob {
        on: vec!["server".into()],
        knob: "mtu".into(),
        interface: interface.map(Into::into),
    };
    let command = |more: Option<&str>| LevelMethod::Command {
        on: "server".into(),
        set: "set {level}".into(),
        read: more.map(Into::into),
        restore: more.map(Into::into),
    };
    let is = BTreeMap::from([("a".to_string(), "e1000".to_string())]);
    let verify = ManualStepCheck { on: "server".into(), fact: "interfaces.eth0.driver".into(), is };
    let only = BTreeMap::from([("nic".to_string(), vec!["a".to_string()])]);
    Experiment {
        name: "nics".into(),
        title: "Adapters".into(),
        hosts: BTreeMap::from([("server".into(), "lab:b".into())]),
        lab: Some("[[host]]\nname = \"a\"\n".into()),
        factors: vec![
            factor("nic", LevelMethod::ByHand { ask: "put in {level}".into(), verify: vec![verify] }),
            factor("cc", LevelMethod::Argument),
            factor("medium", LevelMethod::Lab { paths: vec!["links.1.rate".into()] }),
            factor("mtu", knob(Some("eth0"))),
            factor("gro", knob(None)),
            factor("x", command(Some("cat"))),
            factor("y", command(None)),
        ],
        probes: vec![ProbeLine {
            name: "tcp".into(),
            run: "stream {server} --congestion {cc}".into(),
            measures: vec![MeasuredMetric { figure: "goodput_bps".into(), better: BetterDirection::Higher }],
            only: only.clone(),
            time_limit: Nanos::SECOND,
        }],
        design: ExperimentDesign::Fractional { generators: vec!["D=ABC".into()] },
        excluded: vec![BTreeMap::from([("nic".into(), "b".into())])],
        order: ExecutionOrder { shuffled: true, seed: u64::MAX },
        repeats: RepeatPolicy { warm_up: 1, least: 2, most: 3, width_percent: Some(0.1 + 0.2) },
        requirements: vec![MetricRequirement {
            text: "tcp.goodput_bps >= 900 Mbit/s".into(),
            probe: Some("tcp".into()),
            figure: "goodput_bps".into(),
            size_bytes: None,
            relation: ComparisonOperator::AtLeast,
            value: 9e8,
            only: only.clone(),
        }],
        prices: vec![LevelPrices {
            factor: "nic".into(),
            level: "a".into(),
            from: 1e4,
            to: 1.5e5,
            currency: "JPY".into(),
        }],
        questions: vec![ExperimentQuestion::Depends { probe: "tcp".into(), on: "nic".into(), only }],
    }
}

fn stream() -> Trial {
    let intervals = Series::new(
        "intervals",
        vec![("end_ns", vec![100_000_000, 200_000_000]), ("bytes", vec![1_176_250, 1_177_698])],
    );
    let mut connect = end(EndRole::Connect, "lab:a");
    connect.flows = vec![flow(false)];
    let mut listen = end(EndRole::Listen, "lab:b");
    listen.flows = vec![Flow { zero_copy: Some((1, 2)), first_byte_ns: None, tcp: None, ..flow(true) }];
    listen.series = vec![intervals];
    listen.notes = vec!["kernel copied".into()];
    Trial {
        id: TrialId(1),
        probe: Probe::Stream(Stream {
            direction: TransferDirection::Both,
            stop: StopCondition::Bytes(Bytes(1 << 40)),
            socket: SocketOptions { congestion: Some("cubic".into()), ..SocketOptions::default() },
            read: Bytes(256 << 10),
            ..Stream::default()
        }),
        ends: vec![connect, listen],
        outcome: TrialOutcome::Complete,
        shared: false,
        medium: Some(Medium::new("ethernet 100 Mbit/s", BitRate(100_000_000), 1500)),
        bus: None,
        excluded: Vec::new(),
    }
}

/// Both ends have the same host name and series, as on loopback.
fn pingpong() -> Trial {
    let ends = [EndRole::Connect, EndRole::Listen].map(|role| {
        let mut end = end(role, "localhost");
        let values = if role == EndRole::Connect { vec![21_500, 21_700, 400_000] } else { vec![] };
        end.series = vec![Series::new("round_trips", vec![("rtt_ns", values)])];
        end
    });
    Trial {
        id: TrialId(2),
        probe: Probe::PingPong(PingPong {
            sizes: vec![Bytes(1), Bytes(1_048_573)],
            method: goodput_model::probe::PingPongMethod::Native {
                width_percent: 0.1 + 0.2,
                cap: Nanos(150_000_000),
                passes: 3,
                batches: 10,
                seed: 7,
            },
            pattern: PingPongPattern::PingPong,
            cold: false,
            integrity: true,
            socket: SocketOptions { no_delay: Some(true), ..SocketOptions::default() },
            sample_cap: 1000,
        }),
        ends: ends.into(),
        outcome: TrialOutcome::Partial { cause: "no progress for 10 s at localhost".into() },
        shared: true,
        medium: None,
        bus: None,
        excluded: Vec::new(),
    }
}

fn request() -> Trial {
    Trial {
        id: TrialId(3),
        probe: Probe::Request(Request { rate: Some(1000.1), ..Request::default() }),
        ends: vec![],
        outcome: TrialOutcome::Failed { cause: "refused".into() },
        shared: false,
        medium: None,
        bus: None,
        excluded: Vec::new(),
    }
}

fn end(role: EndRole, host: &str) -> EndReport {
    let times = CpuTimes { cpu: None, idle_ns: 9_000_000_000, user_ns: 1, ..CpuTimes::default() };
    EndReport {
        facts: HostFacts {
            hostname: host.into(),
            boot_id: "f0f0".into(),
            cpus: 2,
            user_hz: 100,
            ..HostFacts::default()
        },
        window: MeasurementWindow {
            t0_ns: 5,
            t1_ns: 10_000_000_005,
            clock_offset_ns: -17,
            clock_error_ns: 900,
        },
        operations: 3,
        cpu: Some(CpuAccounting {
            opened_ns: (1, 9),
            closed_ns: (10_000_000_001, 10_000_000_009),
            total: times,
            cpus: vec![CpuTimes { cpu: Some(0), ..times }],
            probe_threads_ns: 4,
            process_ns: 5,
            quota: None,
        }),
        ..EndReport::empty(role, host)
    }
}

fn flow(receives: bool) -> Flow {
    Flow {
        index: 0,
        direction: TransferDirection::Send,
        receives,
        before_bytes: 1,
        window_bytes: 1 << 60,
        after_bytes: 2,
        calls: 12,
        first_byte_ns: Some(6),
        last_byte_ns: Some(7),
        socket: SocketReport {
            local: "10.0.0.1:40000".into(),
            remote: "[fd00::1%2]:5304".into(),
            send_buffer: Setting { asked: Some(Bytes(1 << 20)), obtained: Some(Bytes(1 << 19)) },
            congestion: Setting { asked: Some("cubic".into()), obtained: Some("cubic".into()) },
            mss: Some(1448),
            ..SocketReport::default()
        },
        tcp: Some(TcpStatistics { bytes_acked: u64::MAX, ..TcpStatistics::default() }),
        zero_copy: None,
        tcp_window: None,
        datagrams: None,
    }
}
