//! Makes a folder with RUNS runs for `make page-prove`; with SAMPLES above 0 the newest is a latency trial of
//! that size. Arguments: FOLDER RUNS SAMPLES. The first few dozen runs are recorded normally, the others are
//! copies with new names, times and labels.

#[path = "made_up/latency.rs"]
mod latency;

use goodput_model::probe::{StopCondition, TransferDirection};
use goodput_model::run::RunHeader;
use goodput_model::series::Series;
use goodput_model::trial::{EndpointRole, Flow, SocketReport, TrialOutcome};
use goodput_model::{Nanos, Probe, Recorder, RunId, Stream, Trial, TrialId};
use goodput_store::{RunWriter, format, new_run_header};
use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::path::Path;

const RECORDED: u64 = 48;
/// 2026-01-01T00:00:00Z.
const FIRST_S: u64 = 1_767_225_600;
/// Samples of every other latency trial.
const FEW: usize = 2_000;
const WINDOW_NS: i64 = 10_000_000_000;
const INTERVAL_NS: i64 = 100_000_000;

/// Files of a run except its head: name and content.
type Files = Vec<(String, Vec<u8>)>;

struct Template {
    command: Vec<String>,
    files: Files,
}

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [folder, runs, samples] = words.as_slice() else {
        return Err("FOLDER RUNS SAMPLES are wanted".into());
    };
    let (root, runs, samples) = (Path::new(folder), runs.parse::<u64>()?, samples.parse::<usize>()?);
    let aside = tempfile::tempdir()?;
    let templates =
        (0..RECORDED.min(runs)).map(|n| template(n, aside.path())).collect::<Result<Vec<_>, _>>()?;
    for (n, template) in (0..runs).zip(templates.iter().cycle()) {
        let is_largest = samples > 0 && n + 1 == runs;
        let head = head(n, if is_largest { words_of("latency b") } else { template.command.clone() })?;
        if is_largest {
            lay_out(root, &head, &recorded(aside.path(), &latency::trial(samples))?)?;
            println!("{}", head.id);
        } else {
            lay_out(root, &head, &template.files)?;
        }
    }
    Ok(())
}

fn words_of(line: &str) -> Vec<String> {
    format!("goodput {line}").split_whitespace().map(String::from).collect()
}

fn template(n: u64, aside: &Path) -> Result<Template, Box<dyn Error>> {
    let [from, to] = [format!("client{}", n % 5), format!("server{}", n % 12)];
    let (command, trial) = if n % 3 < 2 {
        (format!("stream {to} --from {from} --time 10s"), stream([&from, &to], 11_000_000 + n * 250_000))
    } else {
        (format!("latency {to} --from {from}"), latency::trial(FEW))
    };
    Ok(Template { command: words_of(&command), files: recorded(aside, &trial)? })
}

fn recorded(aside: &Path, trial: &Trial) -> Result<Files, Box<dyn Error>> {
    let mut writer = RunWriter::create(aside, new_run_header("0", Vec::new(), 0, BTreeMap::new()))?;
    writer.record(trial)?;
    writer.finish()?;
    let folder = writer.folder();
    let mut files = vec![(format::EVENTS_FILE.to_string(), fs::read(folder.join(format::EVENTS_FILE))?)];
    for entry in fs::read_dir(folder.join(format::SAMPLES_FOLDER))? {
        let path = entry?.path();
        let name = path.strip_prefix(folder)?.display().to_string();
        files.push((name, fs::read(&path)?));
    }
    Ok(files)
}

fn head(n: u64, command: Vec<String>) -> Result<RunHeader, Box<dyn Error>> {
    let second = FIRST_S + n * 60;
    let mut rest = [0; 10];
    rest[2..].copy_from_slice(&n.to_be_bytes());
    let id = uuid::Builder::from_unix_timestamp_millis(second * 1_000, &rest).into_uuid();
    let labels = [("nic", format!("x{}", n % 8)), ("room", (n % 100).to_string())];
    let labels = labels.map(|(key, value)| (key.to_string(), value));
    Ok(RunHeader {
        id: RunId(id),
        started: jiff::Timestamp::from_second(i64::try_from(second)?)?.to_string(),
        ..new_run_header(env!("CARGO_PKG_VERSION"), command, n, BTreeMap::from(labels))
    })
}

fn lay_out(root: &Path, head: &RunHeader, files: &[(String, Vec<u8>)]) -> Result<(), Box<dyn Error>> {
    let folder = root.join(head.id.to_string());
    fs::create_dir_all(folder.join(format::SAMPLES_FOLDER))?;
    fs::write(folder.join(format::RUN_HEADER_FILE), serde_json::to_vec_pretty(head)?)?;
    for (name, bytes) in files {
        fs::write(folder.join(name), bytes)?;
    }
    Ok(())
}

fn stream(hosts: [&str; 2], bytes_per_second: u64) -> Trial {
    let ends: Vec<i64> = (1..=WINDOW_NS / INTERVAL_NS).map(|n| n * INTERVAL_NS).collect();
    // A 2 % wave, so that the curve does not compress to nothing.
    let wave = |end: &i64| 1.0 + 0.02 * (*end as f64 / 7e8).sin();
    let bytes: Vec<i64> =
        ends.iter().map(|end| (bytes_per_second as f64 * wave(end) / 10.0) as i64).collect();
    let all: i64 = bytes.iter().sum();
    let samples = Series::new("intervals", vec![("end_ns", ends), ("bytes", bytes)]);
    let roles =
        [EndpointRole::Connect, EndpointRole::Listen].into_iter().zip(hosts).zip([Vec::new(), vec![samples]]);
    let ends = roles.map(|((role, host), series)| {
        let mut end = latency::end(role, host, WINDOW_NS, series);
        end.flows = vec![flow(role == EndpointRole::Listen, all.unsigned_abs())];
        end
    });
    Trial {
        id: TrialId(1),
        probe: Probe::Stream(Stream {
            direction: TransferDirection::Send,
            stop: StopCondition::Time(Nanos(WINDOW_NS.unsigned_abs())),
            ..Stream::default()
        }),
        ends: ends.collect(),
        outcome: TrialOutcome::Complete,
        shared: false,
        medium: None,
        bus: None,
        excluded: Vec::new(),
        purpose: None,
    }
}

fn flow(receives: bool, bytes: u64) -> Flow {
    Flow {
        index: 0,
        direction: TransferDirection::Send,
        receives,
        before_bytes: 0,
        window_bytes: bytes,
        after_bytes: 0,
        tcp_window: None,
        calls: bytes >> 17,
        first_byte_ns: Some(1),
        last_byte_ns: Some(WINDOW_NS.unsigned_abs()),
        socket: SocketReport {
            local: "10.0.0.1:40000".into(),
            remote: "10.0.0.2:5304".into(),
            mss: Some(1448),
            ..SocketReport::default()
        },
        tcp: None,
        zero_copy: None,
        thread: None,
        datagrams: None,
    }
}
