//! How long a report of a run with a million samples takes, from the disk to the last picture.
//!
//! ```text
//! cargo build --release -p goodput
//! cargo run --release -p goodput --example million_samples -- [SAMPLES] [ROUNDS]
//! ```
//!
//! Makes a run in a temporary folder as `goodput latency` would leave it: one trial with a million probes, each with
//! the time it was due, how late it was sent and its latency, a long tail and some lost ones among them. Then starts
//! `goodput report` on it so many times (5 unless said otherwise), each time as a process of its own, and prints what
//! each took and their median. The program is `target/release/goodput`, or what GOODPUT names. Ends with 1 where the
//! median is above [`MOST`].

use goodput_model::host::HostFacts;
use goodput_model::latency::Latency;
use goodput_model::series::Series;
use goodput_model::trial::{EndReport, Outcome, Role, Window};
use goodput_model::{Nanos, Probe, Recorder, Trial, TrialId};
use goodput_store::{RunWriter, new_head};
use std::collections::BTreeMap;
use std::error::Error;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

/// What a report of a million samples may take.
const MOST: Duration = Duration::from_secs(2);
/// Time between two probes.
const EACH_NS: i64 = 100_000;

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let samples: usize = words.next().map_or(Ok(1_000_000), |w| w.parse())?;
    let rounds: usize = words.next().map_or(Ok(5), |w| w.parse())?;
    let folder = tempfile::tempdir()?;
    let run = recorded(folder.path(), samples)?;
    let program = std::env::var_os("GOODPUT").unwrap_or_else(|| "target/release/goodput".into());
    let mut took = Vec::new();
    for round in 1..=rounds.max(1) {
        let begun = Instant::now();
        let ended = Command::new(&program)
            .arg("report")
            .arg(&run)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()?;
        if !ended.success() {
            return Err(format!("{} report {} ended with {ended}", program.display(), run.display()).into());
        }
        took.push(begun.elapsed());
        println!("round {round}: {:.3} s", begun.elapsed().as_secs_f64());
    }
    let pictures = std::fs::read_dir(&run)?
        .flatten()
        .filter(|f| f.path().extension().is_some_and(|e| e == "png"))
        .count();
    took.sort();
    let median = took[took.len() / 2];
    println!("{samples} samples, {pictures} pictures as PNG: median {:.3} s", median.as_secs_f64());
    Ok(if median <= MOST { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// A run with one trial, and its folder.
fn recorded(root: &Path, samples: usize) -> Result<std::path::PathBuf, Box<dyn Error>> {
    let command = ["goodput", "latency", "b"].map(String::from).to_vec();
    let mut writer =
        RunWriter::create(root, new_head(env!("CARGO_PKG_VERSION"), command, 1, BTreeMap::new()))?;
    let trial = trial(samples);
    writer.record(&trial)?;
    writer.finish()?;
    Ok(writer.folder().to_path_buf())
}

fn trial(samples: usize) -> Trial {
    let length = samples as i64 * EACH_NS;
    // Numbers that repeat nowhere near: xorshift64 (Marsaglia 2003), so that nothing packs better than measured ones
    // do.
    let mut state = 0x9E37_79B9_7F4A_7C15u64;
    let mut random = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1u64 << 53) as f64
    };
    let due: Vec<i64> = (0..samples as i64).map(|i| i * EACH_NS).collect();
    let late: Vec<i64> = (0..samples).map(|_| (3_000.0 - 2_000.0 * random().ln()) as i64).collect();
    let latency: Vec<i64> = (0..samples)
        .map(|i| {
            let tail = if random() < 0.001 { 40.0 } else { 1.0 };
            let slow = 1.0 + 0.4 * (i as f64 / samples as f64 * 12.0).sin();
            let ns = 45_000.0 * slow - 9_000.0 * tail * random().max(1e-12).ln();
            if random() < 0.0001 { -1 } else { ns as i64 }
        })
        .collect();
    let probes = Series::new("probes", vec![("due_ns", due), ("late_ns", late), ("latency_ns", latency)]);
    let settings =
        Latency { interval: Nanos(EACH_NS as u64), time: Nanos(length as u64), ..Latency::default() };
    Trial {
        id: TrialId(1),
        probe: Probe::Latency(settings),
        ends: vec![end(Role::Connect, "a", length, vec![probes]), end(Role::Listen, "b", length, Vec::new())],
        outcome: Outcome::Complete,
        shared: false,
        medium: None,
        bus: None,
        excluded: Vec::new(),
    }
}

fn end(role: Role, host: &str, length: i64, series: Vec<Series>) -> EndReport {
    EndReport {
        role,
        host: host.into(),
        facts: HostFacts {
            hostname: host.into(),
            boot_id: host.into(),
            kernel: "made up".into(),
            cpu_model: "made up".into(),
            cpus: 2,
            user_hz: 100,
            version: env!("CARGO_PKG_VERSION").into(),
            pinned_cpu: None,
        },
        window: Window { t0_ns: 0, t1_ns: length as u64, clock_offset_ns: 0, clock_error_ns: 1_000 },
        flows: Vec::new(),
        operations: 0,
        cpu: None,
        inventory: None,
        counters: None,
        whole_trial: None,
        path_mtu: None,
        skew: None,
        file: None,
        series,
        complete: true,
        notes: Vec::new(),
    }
}
