//! File runs: copies to a share, a drive mark, a mix over players with its load on disk and wire.

use super::*;
use goodput_model::file::*;

const S: u64 = 1_000_000_000;
const SIZE: u64 = 600_000_000;
/// 1000base-t in bit/s.
const WIRE: u64 = 941_482_444;

fn share() -> FileLocation {
    FileLocation::Smb {
        host: "nas".into(),
        port: 445,
        domain: None,
        user: Some("ann".into()),
        share: "media".into(),
        path: String::new(),
    }
}

fn settings(place: FileLocation, work: FileWorkload) -> File {
    let workspace = ".goodput-019aa3f2-7c11-7e4b-9d00-123456789abc".into();
    let file = File::new(vec!["pc".into()], place, workspace, work);
    File { verify: VerifyMode::Sample, seed: 7, ..file }
}

fn facts(place: &FileLocation) -> FileLocationFacts {
    match place {
        FileLocation::Folder { .. } => FileLocationFacts {
            engine: "io_uring".into(),
            file_system: Some("ext4".into()),
            mount: Some("rw,relatime".into()),
            device: Some("259:1".into()),
            direct: Some(true),
            alignment: Some(Bytes(512)),
            ..FileLocationFacts::default()
        },
        FileLocation::Sink { .. } => {
            FileLocationFacts { engine: "agent".into(), ..FileLocationFacts::default() }
        }
        _ => FileLocationFacts {
            engine: "smb 3.1.1".into(),
            max_io: Some((Bytes(8 << 20), Bytes(8 << 20))),
            signed: Some(true),
            encrypted: Some(false),
            connections: Some(1),
            ..FileLocationFacts::default()
        },
    }
}

fn result(settings: File, bytes: u64, elapsed_ns: u64, busy: [f64; 2]) -> TrialSummary {
    let place = settings.place.clone();
    let mut s = blank(Probe::File(settings));
    s.elapsed_ns = elapsed_ns;
    s.bytes = Some(bytes);
    s.goodput_bps = Some((bytes as f64 * 8e9 / elapsed_ns.max(1) as f64) as u64);
    let host =
        |name, role, busy| host(name, role, CpuSummary { cpus: 4, ..cpu(CpuAccountingScope::Host, busy) });
    s.hosts = vec![host("pc", EndpointRole::Connect, busy[0])];
    if !matches!(place, FileLocation::Folder { .. }) {
        s.hosts.push(host("nas", EndpointRole::Listen, busy[1]));
        s.limit = limit(
            Some(WIRE),
            Some("1000base-t"),
            "1448 of 1538 bytes on the wire are user data (MTU 1500, IPv4, TCP with timestamps), \
                without the headers of the file protocol (SMB, NFS)",
        );
        s.percent_of_limit = s.goodput_bps.map(|g| g as f64 * 100.0 / WIRE as f64);
    } else {
        s.limit.reason = "the location is not reached over a network".into();
    }
    s
}

/// Read and written of `bps`.
fn by_direction(direction: FileDirection, bps: u64) -> (u64, u64) {
    if direction == FileDirection::Read { (bps, 0) } else { (0, bps) }
}

fn latency(each_ns: f64, count: u64) -> LatencySummary {
    latencies(count, [0.6, 1.0, 0.93, 1.3, 1.9, 3.1, 4.8, 7.7].map(|factor| (each_ns * factor) as u64))
}

fn prepare(place: FileLocation) -> TrialSummary {
    let work = FileWorkload::Prepare { file: Some(Bytes(SIZE)) };
    result(settings(place, work), 0, 5 * S, [3.0, 2.0])
}

/// At so many MB/s until accepted, then a flush of so many ms.
fn copy(
    place: FileLocation,
    way: FileDirection,
    local: Option<&str>,
    mb: f64,
    flush_ms: u64,
    repeat: u64,
) -> TrialSummary {
    let work = FileWorkload::Copy {
        way,
        size: Bytes(SIZE),
        block: Bytes(1 << 20),
        depth: 8,
        local: local.map(String::from),
    };
    let mb = mb * (1.0 + 0.006 * wobble(repeat * 31 + mb as u64));
    let accepted = (SIZE as f64 * 1e3 / mb) as u64;
    let flushes = flush_ms > 0;
    let elapsed = accepted + flush_ms * 1_000_000;
    let is_share = matches!(place, FileLocation::Smb { .. });
    let busy = if is_share { [31.0, 44.0] } else { [12.0, 9.0] };
    let facts = facts(&place);
    let mut s = result(settings(place, work), SIZE, elapsed, busy);
    let disk = |device: &str, bps: u64, busy_percent| DiskUsage {
        device: device.into(),
        read_bps: by_direction(way, bps).0,
        written_bps: by_direction(way, bps).1,
        busy_percent,
        queue: busy_percent / 60.0,
    };
    let bps = s.goodput_bps.unwrap_or(0);
    let (read_bps, written_bps) = by_direction(way, bps);
    let (resident_percent, how) = (Some(0.0), "dropped".into());
    s.result.file().unwrap().file = Some(Box::new(FileSummary {
        clients: 1,
        read_bps,
        written_bps,
        accepted_ns: flushes.then_some(accepted),
        durable_ns: flushes.then_some(elapsed),
        accepted_bps: flushes.then_some((mb * 8e6) as u64),
        durable_bps: flushes.then_some(bps),
        operations_per_second: 573.0 * 1e9 / elapsed as f64,
        facts,
        cache: CacheResidency { resident_percent, server_resident_percent: resident_percent, how },
        verified: Some(VerificationCounts { bytes: 256 * 4096, wrong: 0 }),
        local_disk: local.map(|_| disk("259:1", 0, 21.0)),
        place_disk: is_share.then(|| disk("8:0", bps, 34.0)),
        local_wait_percent: local.map(|_| 4.2),
        place_wait_percent: local.map(|_| 93.1),
        stamping_percent: Some(0.3),
        round_trip_ns: Some(180_000),
        ..FileSummary::default()
    }));
    if is_share {
        let text = "every message to and from the share is signed, which costs CPU time at both ends";
        s.findings.push(finding("share-signed", Severity::Note, text, &[], ""));
    }
    s
}

/// The article's copy to a share over 1 Gbit/s: the wire limits it.
pub fn file_copies() -> ResultDocument {
    let local = FileLocation::Folder { path: "/home/ann".into() };
    let null = FileLocation::Sink { sink: SinkStorageKind::Null };
    let mut trials = vec![prepare(share())];
    for repeat in 0..5 {
        trials.extend([
            copy(share(), FileDirection::Write, Some("/home/ann"), 114.6, 210, repeat),
            copy(local.clone(), FileDirection::Read, None, 1_930.0, 0, repeat),
            copy(null.clone(), FileDirection::Write, None, 117.2, 0, repeat),
            copy(share(), FileDirection::Read, Some("/home/ann"), 113.1, 120, repeat + 50),
            copy(local.clone(), FileDirection::Write, None, 1_410.0, 90, repeat),
            copy(null.clone(), FileDirection::Read, None, 117.1, 0, repeat),
        ]);
    }
    run_of(trials)
}

fn file_result(per_second: f64, latency_ns: Option<LatencySummary>, file: FileSummary) -> ProbeResult {
    let (transactions_per_second, file) = (Some(per_second), Some(Box::new(file)));
    ProbeResult::File(FileResult { transactions_per_second, latency_ns, file })
}

/// 5 s with this time per operation, in µs.
fn row(name: &str, way: FileDirection, block: u64, queue: u16, each_us: f64, repeat: u64) -> TrialSummary {
    let pattern =
        if name.starts_with("SEQ") { FileAccessPattern::Sequential } else { FileAccessPattern::Random };
    let work = FileWorkload::Row {
        name: name.into(),
        way,
        pattern,
        block: Bytes(block),
        queue,
        threads: 1,
        size: Bytes(1 << 30),
        time: Nanos(5 * S),
    };
    let each = each_us * (1.0 + 0.02 * wobble(repeat * 17 + block + u64::from(queue)));
    let count = (5e6 * f64::from(queue) / each) as u64;
    let mut s = result(settings(share(), work), count * block, 5 * S, [18.0, 26.0]);
    let (latency_ns, per_second) = (Some(latency(each * 1e3, count)), count as f64 / 5.0);
    let class = if way == FileDirection::Read { FileOpClass::Read } else { FileOpClass::Write };
    let (read_bps, written_bps) = by_direction(way, s.goodput_bps.unwrap_or(0));
    let file = FileSummary {
        clients: 1,
        read_bps,
        written_bps,
        operations_per_second: per_second,
        classes: vec![FileOpClassSummary {
            class,
            count,
            per_second,
            failed_as_expected: 0,
            unexpected: 0,
            bytes: count * block,
            latency_ns,
        }],
        facts: facts(&share()),
        round_trip_ns: Some(180_000),
        ..FileSummary::default()
    };
    s.result = file_result(per_second, latency_ns, file);
    s
}

/// CrystalDiskMark's current rows on a share, five times each, reads before writes.
pub fn file_marks() -> ResultDocument {
    let mut trials = vec![prepare(share())];
    for way in [FileDirection::Read, FileDirection::Write] {
        let more = if way == FileDirection::Read { 1.0 } else { 1.12 };
        for repeat in 0..5 {
            trials.extend([
                row("SEQ1M Q8T1", way, 1 << 20, 8, 73_600.0 * more, repeat),
                row("SEQ1M Q1T1", way, 1 << 20, 1, 9_410.0 * more, repeat),
                row("RND4K Q32T1", way, 4096, 32, 1_480.0 * more, repeat),
                row("RND4K Q1T1", way, 4096, 1, 287.0 * more, repeat),
            ]);
        }
    }
    run_of(trials)
}

/// Players with this time per operation, in µs.
fn mix(place: FileLocation, players: u16, each_us: f64, repeat: u64) -> TrialSummary {
    let load = FileOperationMixSource::Office { seed: 1 };
    let work = FileWorkload::Mix {
        load,
        players,
        warm_up: Nanos(S),
        time: Nanos(4 * S),
        max_errors: 100,
        rate: None,
    };
    let each = each_us * (1.0 + 0.01 * wobble(repeat * 13 + u64::from(players)));
    let rate = f64::from(players) * 1e6 / each;
    let elapsed = 4 * S;
    let bytes = (rate * 8_150.0 * 4.0) as u64;
    let facts = facts(&place);
    let mut s = result(settings(place, work), bytes, elapsed, [40.0, 55.0]);
    let all = (rate * 4.0) as u64;
    let class = |class: FileOpClass, share: f64, slower: f64, failed: u64, unexpected: u64, bytes: u64| {
        let count = (all as f64 * share) as u64;
        FileOpClassSummary {
            class,
            count,
            per_second: count as f64 / 4.0,
            failed_as_expected: failed,
            unexpected,
            bytes,
            latency_ns: Some(latency(each * 1e3 * slower, count)),
        }
    };
    let file = FileSummary {
        clients: 1,
        read_bps: (bytes as f64 * 0.59 * 2.0) as u64,
        written_bps: (bytes as f64 * 0.41 * 2.0) as u64,
        operations_per_second: rate,
        classes: vec![
            class(FileOpClass::Create, 0.2, 1.4, 120, 0, 0),
            class(FileOpClass::Close, 0.2, 0.6, 0, 0, 0),
            class(FileOpClass::Read, 0.3, 0.9, 0, 0, (bytes as f64 * 0.59) as u64),
            class(FileOpClass::Write, 0.1, 1.2, 0, 3, (bytes as f64 * 0.41) as u64),
            class(FileOpClass::QueryPath, 0.2, 0.7, 44, 0, 0),
        ],
        requests_per_operation: Some(1.38),
        facts,
        surprises: vec!["line 41: write: no space left on device".into()],
        intervals: (1..=40)
            .map(|i| (i * S / 10, (bytes as f64 / 40.0 * (1.0 + 0.02 * wobble(i + repeat))) as u64))
            .collect(),
        ..FileSummary::default()
    };
    s.result = file_result(rate, Some(latency(each * 1e3, all)), file);
    s
}

/// The office profile with 1 to 8 players on the share; with all also in a folder and over the network alone.
pub fn file_mixes() -> ResultDocument {
    let folder = FileLocation::Folder { path: "/srv/media".into() };
    let net = FileLocation::Sink { sink: SinkStorageKind::Net };
    let mut trials = Vec::new();
    for repeat in 0..3 {
        for (players, each) in [(1, 410.0), (2, 422.0), (4, 512.0), (8, 1_010.0)] {
            trials.push(mix(share(), players, each, repeat));
        }
        trials.push(mix(folder.clone(), 2, 61.0, repeat));
        trials.push(mix(net.clone(), 2, 204.0, repeat));
    }
    run_of(trials)
}

pub fn file_runs() -> [(&'static str, ResultDocument); 3] {
    [("file copies", file_copies()), ("file marks", file_marks()), ("file mixes", file_mixes())]
}
