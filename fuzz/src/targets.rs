//! The targets: one function for each kind of untrusted bytes. `fuzz/seeds` says what each starts from.

use goodput_analysis::finding::find_problems;
use goodput_analysis::summary::summarize_trial;
use goodput_control::LabKey;
use goodput_control::agent::policy::Policy;
use goodput_control::identity::{Identity, PeerIdentity};
use goodput_control::protocol::{
    AgentVersionInfo, EndpointResult, HelloRequest, HelloResponse, HoldKnobsRequest, JobStatusRequest,
    JobStatusResponse, LeaseRequest, LeaseStatus, PresenceKey, ReachabilityRequest, ReachabilityResponse,
    ReadKnobRequest, RestoreKnobsRequest, SetKnobRequest, StartJobRequest, StoredResult, request_zenoh_key,
};
use goodput_control::signed_bus::verify_request;
use goodput_experiment::ExperimentFile;
use goodput_host::knob::Knob;
use goodput_interop::iometer::{self, CsvLayout, DiskWorkerPolicy, StageSettings};
use goodput_interop::{dbench, netpipe, published_data::PublishedDataDescription};
use goodput_lab::Topology;
use goodput_model::agent::AgentState;
use goodput_model::event::LiveProgress;
use goodput_model::event_line::EventLine;
use goodput_model::probe::PingPongPattern;
use goodput_model::{Nanos, Run};
use goodput_server::api::{forms, jobs, runs, session};
use goodput_server::schedule::api_documents::ScheduleRequest;
use goodput_server::schedule::webhook::HttpTarget;
use goodput_store::archive::unpack_archive;
use goodput_store::index::build_index_entry;
use goodput_store::reader::{read_run, read_run_header};
use goodput_store::sample_chunk::decode_chunk_within;
use serde::de::DeserializeOwned;
use std::path::Path;
use std::sync::LazyLock;
use tempfile::TempDir;

#[derive(Clone, Copy)]
pub struct Target {
    pub name: &'static str,
    pub run: fn(&[u8]),
    /// Most that it may allocate for inputs as long as those of `fuzz/run`.
    pub most_mib: usize,
}

const fn target(name: &'static str, run: fn(&[u8])) -> Target {
    Target { name, run, most_mib: 32 }
}

pub const TARGETS: [Target; 20] = [
    target("data_port", goodput_probe::fuzz::decode_arrivals),
    target("sink", goodput_probe::fuzz::serve_sink_requests),
    target("bus", bus),
    target("run_header", run_header),
    target("events", events),
    target("results_csv", results_csv),
    target("chunk", chunk),
    // `ALWAYS_ACCEPTED_BYTES` of an archive are files on disk or beside the runs.
    Target { most_mib: 64, ..target("archive", archive) },
    target("netpipe", netpipe),
    // Ten thousand runs of a file, each with its workers.
    Target { most_mib: 256, ..target("icf", icf) },
    target("dbench", dbench),
    // Twenty thousand cells of a table.
    Target { most_mib: 64, ..target("published", published) },
    // A hundred thousand combinations of levels.
    Target { most_mib: 512, ..target("experiment", experiment) },
    target("topology", topology),
    target("smb", goodput_file::smb::parse_replies),
    target("nfs", goodput_file::nfs::parse_replies),
    target("netlink", goodput_host::fuzz::parse_netlink),
    target("kernel_text", kernel_text),
    target("host_files", goodput_host::fuzz::parse_files),
    target("http_body", http_body),
];

/// While compiling, so that a program holds its own target only: unreachable code slows libFuzzer down.
pub const fn find(name: &str) -> Target {
    let mut at = 0;
    while at < TARGETS.len() {
        if equal(TARGETS[at].name.as_bytes(), name.as_bytes()) {
            return TARGETS[at];
        }
        at += 1;
    }
    panic!("no such target")
}

const fn equal(one: &[u8], other: &[u8]) -> bool {
    let mut at = 0;
    while at < one.len() && at < other.len() && one[at] == other[at] {
        at += 1;
    }
    at == one.len() && at == other.len()
}

fn json<T: DeserializeOwned>(data: &[u8]) -> Option<T> {
    serde_json::from_slice(data).ok()
}

/// Messages of the bus after decryption, as every kind.
fn bus(data: &[u8]) {
    static IDENTITY: LazyLock<Identity> = LazyLock::new(|| {
        let key = LabKey::generate().expect("random bytes");
        Identity::new(&key, "fuzz").expect("an identity of a new key")
    });
    static POLICY: LazyLock<Policy> = LazyLock::new(|| {
        let rules = "[limits]\nrate = \"1Gbit\"\ntime = \"5min\"\nconnections = 64\nbytes = \"100GB\"\n\
                     [peers]\naddresses = [\"10.0.0.0/8\", \"::/0\"]\n[folders]\nallowed = [\"/srv\"]\n";
        Policy::from_toml(rules, Path::new("policy.toml")).expect("a policy")
    });
    let _ = verify_request(Some(IDENTITY.prover()), &request_zenoh_key("agent", "start"), data);
    if let Some(start) = json::<StartJobRequest>(data) {
        goodput_probe::fuzz::validate_order(&start.order);
        let _ = POLICY.check_trial(&start, &PeerIdentity::KeyHolder);
    }
    let _ = (json::<HelloRequest>(data), json::<LeaseRequest>(data), json::<JobStatusRequest>(data));
    let _ =
        (json::<ReadKnobRequest>(data), json::<HoldKnobsRequest>(data), json::<RestoreKnobsRequest>(data));
    let _ = (json::<SetKnobRequest>(data), json::<ReachabilityRequest>(data));
    let _ = json::<ReachabilityResponse>(data);
    let _ = (json::<AgentVersionInfo>(data), json::<HelloResponse>(data), json::<AgentState>(data));
    let _ = (json::<LeaseStatus>(data), json::<JobStatusResponse>(data), json::<Vec<StoredResult>>(data));
    let _ = (json::<EndpointResult>(data), json::<LiveProgress>(data), json::<EventLine>(data));
    if let Ok(text) = std::str::from_utf8(data) {
        let _ = PresenceKey::parse(text);
        let (knob, value) = text.split_once('\n').unwrap_or((text, ""));
        let _ = knob.parse::<Knob>().map(|knob| knob.normalize_value(value));
    }
}

macro_rules! stored {
    ($file:literal) => {
        include_bytes!(concat!("../../fixtures/runs/v2/01a1fc42-d27b-7000-8000-0123456789ab/", $file))
    };
}

/// The stored run's folder with another file in it.
fn run_folder(name: &str, data: &[u8]) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::create_dir(folder.path().join("samples")).expect("a folder for samples");
    let files: [(&str, &[u8]); 5] = [
        ("run.json", stored!("run.json")),
        ("samples/1-lab_b-intervals.chunk", stored!("samples/1-lab_b-intervals.chunk")),
        ("samples/2-localhost-round_trips.chunk", stored!("samples/2-localhost-round_trips.chunk")),
        ("samples/2-localhost-round_trips-2.chunk", stored!("samples/2-localhost-round_trips-2.chunk")),
        (name, data),
    ];
    for (name, bytes) in files {
        std::fs::write(folder.path().join(name), bytes).expect("a file of a run");
    }
    folder
}

fn run_header(data: &[u8]) {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("run.json"), data).expect("a file of a run");
    let _ = read_run_header(folder.path());
}

fn events(data: &[u8]) {
    let folder = run_folder("events.jsonl", data);
    let _ = build_index_entry(folder.path());
    for trial in read_run(folder.path()).map(|run| run.trials).unwrap_or_default() {
        let _ = find_problems(&trial, &summarize_trial(&trial));
    }
}

fn results_csv(data: &[u8]) {
    let folder = run_folder("events.jsonl", data);
    let Ok(Run { head, trials, .. }) = read_run(folder.path()) else { return };
    for layout in [CsvLayout::V1_1, CsvLayout::Y1999] {
        let _ = iometer::csv_from_run(&head, &trials, layout);
    }
}

/// A zstd frame of plain blocks (RFC 8878, section 3.1.1), so that the fuzzer sees what it changes.
fn zstd_frame(bytes: &[u8]) -> Vec<u8> {
    const PLAIN_SIZE_OF_FOUR_BYTES: u8 = 0xa0;
    let mut frame = vec![0x28, 0xb5, 0x2f, 0xfd, PLAIN_SIZE_OF_FOUR_BYTES];
    frame.extend((bytes.len() as u32).to_le_bytes());
    let mut blocks = bytes.chunks(128 << 10).peekable();
    loop {
        let block = blocks.next().unwrap_or_default();
        let last = blocks.peek().is_none();
        frame.extend(&((block.len() as u32) << 3 | u32::from(last)).to_le_bytes()[..3]);
        frame.extend(block);
        if last {
            return frame;
        }
    }
}

/// Whole, and as the plain part.
fn chunk(data: &[u8]) {
    const MOST: u64 = 1 << 18;
    let _ = decode_chunk_within(data, MOST);
    let _ = decode_chunk_within(&[b"GPSC\0\x01", &zstd_frame(data)[..]].concat(), MOST);
}

/// Compressed or not.
fn archive(data: &[u8]) {
    let root = tempfile::tempdir().expect("a folder");
    match data {
        [0x28, 0xb5, 0x2f, 0xfd, ..] => drop(unpack_archive(data, root.path())),
        plain => drop(unpack_archive(&zstd_frame(plain)[..], root.path())),
    }
}

fn netpipe(data: &[u8]) {
    let text = iometer::decode_text(data);
    for pattern in [PingPongPattern::PingPong, PingPongPattern::TwoWay] {
        let _ = netpipe::read_netpipe(&text, pattern);
    }
}

fn icf(data: &[u8]) {
    let Ok((plan, _)) = iometer::read_icf(&iometer::decode_text(data)) else { return };
    // Each run takes its time.
    if plan.all_runs().is_ok_and(|runs| runs.len() <= 100) {
        for disk in [DiskWorkerPolicy::LeaveOut, DiskWorkerPolicy::Below("/nowhere".into())] {
            let settings = StageSettings { disk, time: Some(Nanos(1)), ..StageSettings::default() };
            let _ = plan.build_test_stages(&settings);
        }
    }
    if let Ok(written) = iometer::write_icf(&plan) {
        assert_eq!(iometer::read_icf(&written).map(|(plan, _)| plan), Ok(plan));
    }
}

fn dbench(data: &[u8]) {
    if let Ok((load, _)) = dbench::read_load_file(data) {
        let _ = dbench::write_load_file(&load);
    }
}

/// The description, a zero byte, and the figures.
fn published(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let (description, figures) = text.split_once('\0').unwrap_or((text, ""));
    if let Ok(description) = PublishedDataDescription::parse(description) {
        let _ = description.build_data_set(figures);
    }
}

fn experiment(data: &[u8]) {
    let _ = std::str::from_utf8(data).map(|text| ExperimentFile::parse("fuzz", text));
}

fn topology(data: &[u8]) {
    let _ = std::str::from_utf8(data).map(Topology::from_toml);
}

fn kernel_text(data: &[u8]) {
    goodput_host::fuzz::parse_kernel_text(&String::from_utf8_lossy(data));
}

/// As the body of every request that has one.
fn http_body(data: &[u8]) {
    let _ = (json::<jobs::JobRequest>(data), json::<jobs::PromptAnswer>(data), json::<runs::Tags>(data));
    let _ = (json::<forms::CommandLine>(data), json::<session::LoginRequest>(data));
    let Some(schedule) = json::<ScheduleRequest>(data) else { return };
    let _ = (schedule.webhook.as_deref().map(HttpTarget::parse), schedule.when.describe());
    let _ = schedule.alerts.iter().try_for_each(|alert| alert.validate());
    if let Ok(rule) = schedule.when.to_recurrence_rule() {
        let seconds = [0, 1_797_000_000, 1_800_000_000];
        let [anchor, before, now] = seconds.map(|s| jiff::Timestamp::from_second(s).unwrap_or_default());
        let _ = (rule.shortest_interval(), rule.next_occurrence(anchor, now));
        let _ = rule.occurrences_between(anchor, before, now);
    }
}
