//! File work: single trials, and combined results of a run.

use super::sample::*;
use goodput_analysis::compare_runs::{compare_summaries, count_unmatched_settings};
use goodput_analysis::diagnosis::{intervention_of, observe};
use goodput_analysis::file_results::summarize_file_run;
use goodput_analysis::summary::summarize_trial;
use goodput_model::diagnosis::{Intervention, InterventionKind};
use goodput_model::file::*;
use goodput_model::host::CpuQuotaAccounting;
use goodput_model::probe::TransferDirection;
use goodput_model::run_comparison::{ChangeVerdict, ComparedQuantity};
use goodput_model::summary::{
    FileCopyKind, FileRunSummary, LimitingResource, SaturationLevel, SaturationPoint, TrialSummary,
};
use goodput_model::trial::EndpointRole;
use goodput_model::*;

mod runs;

const SIZE: u64 = 1_000_000_000;

fn share() -> FileLocation {
    let (host, share, path) = ("nas".into(), "media".into(), String::new());
    FileLocation::Smb { host, port: 445, domain: None, user: None, share, path }
}

fn folder(path: &str) -> FileLocation {
    FileLocation::Folder { path: path.into() }
}

pub(super) fn settings(place: FileLocation, work: FileWorkload) -> File {
    let file = File::new(vec!["a".into()], place, ".goodput-x".into(), work);
    File { verify: VerifyMode::Sample, seed: 3, ..file }
}

fn copying(way: FileDirection, local: Option<&str>) -> FileWorkload {
    FileWorkload::Copy {
        way,
        size: Bytes(SIZE),
        block: Bytes(1 << 20),
        depth: 8,
        local: local.map(String::from),
    }
}

fn account(class: FileOpClass, count: u64, bytes: u64) -> FileOpClassCounts {
    FileOpClassCounts { class, count, failed_as_expected: 0, unexpected: 0, bytes }
}

/// 1 GB in the 10 s of the window, accepted after 9 s; with an agent at the server.
fn copy_trial(place: FileLocation, way: FileDirection, local: Option<&str>) -> Trial {
    let writes = way == FileDirection::Write;
    let (class, name) =
        if writes { (FileOpClass::Write, "latency-write") } else { (FileOpClass::Read, "latency-read") };
    let report = FileReport {
        facts: FileLocationFacts { engine: "smb 3.1.1".into(), ..FileLocationFacts::default() },
        bytes_read: if writes { 0 } else { SIZE },
        bytes_written: if writes { SIZE } else { 0 },
        accepted_ns: writes.then_some(9 * S),
        durable_ns: writes.then_some(10 * S),
        local_wait_ns: local.map(|_| S / 2),
        place_wait_ns: local.map(|_| 9 * S),
        local_disk: local.map(|_| disk(SIZE, 2)),
        classes: vec![account(class, 954, SIZE)],
        verified: Some(VerificationCounts { bytes: 1 << 20, wrong: 0 }),
        stamping_ns: S / 50,
        cache: cached(0.0),
        ..FileReport::default()
    };
    let mut ends = vec![EndpointReport {
        operations: 954,
        file: Some(Box::new(report)),
        series: vec![latencies(name, 80_000_000, 954)],
        ..end(EndpointRole::Connect, [30, 20])
    }];
    if !matches!(place, FileLocation::Folder { .. }) {
        let seen =
            FileReport { place_disk: Some(disk(SIZE, 3)), cache: cached(0.2), ..FileReport::default() };
        let (host, file) = ("nas".into(), Some(Box::new(seen)));
        ends.push(EndpointReport { host, file, ..end(EndpointRole::Listen, [40, 30]) });
    }
    Trial { medium: ethernet(1_000), ..trial(Probe::File(settings(place, copying(way, local))), ends) }
}

fn disk(bytes: u64, busy_s: u64) -> DiskCounters {
    let (moved, busy, weighted) = (Bytes(bytes), Nanos(busy_s * S), Nanos(busy_s * 4 * S));
    DiskCounters { device: "8:0".into(), read: moved, written: moved, busy, weighted }
}

fn cached(percent: f64) -> CacheResidency {
    CacheResidency { resident_percent: Some(percent), ..CacheResidency::default() }
}

fn report(trial: &mut Trial) -> &mut FileReport {
    trial.ends[0].file.as_deref_mut().expect("there is a report")
}

fn work(trial: &mut Trial) -> &mut File {
    match &mut trial.probe {
        Probe::File(settings) => settings,
        other => panic!("{other:?}"),
    }
}

#[test]
fn accepted_and_durable_stand_apart() {
    let s = summarize_trial(&copy_trial(share(), FileDirection::Write, Some("/home")));
    let f = s.file_summary().unwrap();
    assert_eq!((s.bytes, s.goodput_bps, s.elapsed_ns), (Some(SIZE), Some(800_000_000), 10 * S));
    let rates = (f.accepted_bps, f.durable_bps, f.written_bps, f.read_bps);
    assert_eq!(rates, (Some(888_888_889), Some(800_000_000), 800_000_000, 0));
    let (place, local) = (f.place_disk.as_ref().unwrap(), f.local_disk.as_ref().unwrap());
    assert_eq!((place.busy_percent, place.queue, local.busy_percent), (30.0, 1.2, 20.0));
    let shares =
        [f.cache.server_resident_percent, f.local_wait_percent, f.place_wait_percent, f.stamping_percent];
    assert_eq!(shares, [0.2, 5.0, 90.0, 0.2].map(Some));
    assert_eq!(f.verified.unwrap().bytes, 1 << 20);
    // 1 Gbit/s carries 941.5 Mbit/s of user data.
    assert!((s.percent_of_limit.unwrap() - 84.97).abs() < 0.01, "{:?}", s.percent_of_limit);
    assert!(s.limit.reason.ends_with("the headers of the file protocol (SMB, NFS)"), "{}", s.limit.reason);
    assert_eq!(s.findings, []);
    let text = serde_json::to_string(&s).unwrap();
    let again: TrialSummary = serde_json::from_str(&text).unwrap();
    assert_eq!(serde_json::to_string(&again).unwrap(), text);
}

#[test]
fn what_is_no_measurement_has_a_length_and_nothing_else() {
    let mut trial = copy_trial(share(), FileDirection::Write, None);
    work(&mut trial).work = FileWorkload::Remove;
    let s = summarize_trial(&trial);
    assert_eq!((s.elapsed_ns, s.file_summary()), (10 * S, None));
    assert_eq!([s.bytes, s.goodput_bps, s.limit.goodput_bps], [None; 3]);
    assert_eq!(summarize_file_run(&[&s]), None);
    let mut trial = copy_trial(share(), FileDirection::Write, None);
    trial.ends.remove(0);
    assert_eq!(summarize_trial(&trial).file_summary(), None);
}

#[test]
fn a_folder_has_a_wire_only_where_its_file_system_has() {
    let mut trial = copy_trial(folder("/mnt"), FileDirection::Write, None);
    report(&mut trial).facts.file_system = Some("ext4".into());
    assert_eq!(summarize_trial(&trial).limit.reason, "the location is not reached over a network");
    report(&mut trial).facts.file_system = Some("cifs".into());
    assert!(summarize_trial(&trial).limit.goodput_bps.is_some());
}

#[test]
fn more_than_the_wire_is_no_result_of_the_network() {
    let mut trial = copy_trial(share(), FileDirection::Read, None);
    report(&mut trial).bytes_read = 2 * SIZE;
    report(&mut trial).cache.resident_percent = Some(98.0);
    let s = summarize_trial(&trial);
    let Finding { id, text, .. } = &s.findings[0];
    assert!(text.starts_with("200.0 MB/s exceeds the limit of 117.7 MB/s for "), "{text}");
    assert!(text.ends_with("98.0 % of the file was in this host's memory"), "{text}");
    let verdict = &summarize_file_run(&[&s]).unwrap().verdicts[0];
    assert_eq!((id.as_str(), verdict.cause), ("faster-than-wire", None));
    let mut trial = copy_trial(share(), FileDirection::Write, None);
    report(&mut trial).accepted_ns = Some(2 * S);
    assert_eq!(ids(&trial), ["accepted-by-cache"]);
}

#[test]
fn a_disk_that_may_limit_is_tested_by_a_diagnosis() {
    let disk = FileLocation::Sink { sink: SinkStorageKind::Disk { path: None } };
    let trial = copy_trial(disk, FileDirection::Read, None);
    let verdict = &summarize_file_run(&[&summarize_trial(&trial)]).unwrap().verdicts[0];
    assert_eq!(verdict.cause, None);
    let next = "run goodput why HOST:disk --direction receive, which tests whether the disk limits";
    assert_eq!(verdict.try_next, next);
}

#[test]
fn a_diagnosis_observes_a_copy_with_its_storage() {
    let disk = || FileLocation::Sink { sink: SinkStorageKind::Disk { path: None } };
    let written = |change: fn(&mut Trial)| {
        let mut trial = copy_trial(disk(), FileDirection::Write, None);
        report(&mut trial).place_wait_ns = Some(9 * S);
        change(&mut trial);
        observe(&trial, &summarize_trial(&trial))
    };
    let seen = written(|_| {}).unwrap();
    assert_eq!((seen.goodput_bps, seen.settings.direction), (8e8, TransferDirection::Send));
    assert_eq!([seen.sender.host.as_str(), seen.receiver.host.as_str()], ["a", "nas"]);
    assert_eq!((seen.receiver.running, seen.receiver.busiest_cpu), (0.1, 0.4));
    let storage = seen.storage.unwrap();
    assert_eq!((storage.host.as_str(), storage.busy, storage.waited), ("nas", Some(0.3), Some(0.9)));
    let read = copy_trial(disk(), FileDirection::Read, None);
    let seen = observe(&read, &summarize_trial(&read)).unwrap();
    assert_eq!(seen.settings.direction, TransferDirection::Receive);
    assert_eq!([seen.sender.host.as_str(), seen.receiver.host.as_str()], ["nas", "a"]);
    assert_eq!(seen.storage.unwrap().host, "nas");
    assert_eq!(written(|t| t.outcome = TrialOutcome::Partial { cause: "x".into() }), None);
    assert_eq!(written(|t| work(t).work = FileWorkload::Remove), None);
    // Its trials are no benchmark.
    let mut trial = copy_trial(disk(), FileDirection::Write, None);
    assert_eq!(intervention_of(&trial.probe), None);
    assert!(summarize_file_run(&[&summarize_trial(&trial)]).is_some());
    let sham = Intervention::new(InterventionKind::Sham, 1.0);
    work(&mut trial).intervention = Some(sham);
    assert_eq!(intervention_of(&trial.probe), Some(sham));
    assert_eq!(summarize_file_run(&[&summarize_trial(&trial)]), None);
}

#[test]
fn caches_are_told() {
    let mut trial = copy_trial(share(), FileDirection::Read, None);
    trial.ends[1].file.as_deref_mut().unwrap().cache = cached(60.0);
    assert_eq!(ids(&trial), ["server-cache-warm"]);
    trial.ends.truncate(1);
    assert_eq!(ids(&trial), ["server-cache-unknown"]);
    let mut trial = copy_trial(folder("/home"), FileDirection::Read, None);
    report(&mut trial).facts.direct = Some(false);
    report(&mut trial).cache = cached(40.0);
    assert_eq!(ids(&trial), ["read-from-cache", "direct-not-obtained"]);
    report(&mut trial).facts.direct = Some(true);
    assert_eq!(ids(&trial), Vec::<String>::new(), "direct I/O reads past it");
    report(&mut trial).facts.direct = None;
    work(&mut trial).access = CacheMode::Cached;
    assert_eq!(ids(&trial), ["cache-took-part"]);
}

#[test]
fn what_the_place_is_and_does_is_told() {
    let with = |change: &dyn Fn(&mut Trial)| {
        let mut trial = copy_trial(folder("/home"), FileDirection::Write, None);
        change(&mut trial);
        ids(&trial)
    };
    let wrong = VerificationCounts { bytes: 9, wrong: 2 };
    assert_eq!(with(&|t| report(t).facts.file_system = Some("tmpfs".into())), ["no-disk"]);
    assert_eq!(with(&|t| report(t).facts.file_system = Some("btrfs".into())), ["file-system-compresses"]);
    let signed = |t: &mut Trial| report(t).facts.signed = Some(true);
    assert_eq!(with(&signed), ["share-signed"]);
    assert_eq!(with(&|t| (signed(t), report(t).facts.encrypted = Some(true)).0), ["share-encrypted"]);
    assert_eq!(with(&|t| report(t).stamping_ns = S / 5), ["stamping-cost"]);
    assert_eq!(with(&|t| report(t).verified = Some(wrong)), ["file-data-differs"]);
    assert_eq!(with(&|t| work(t).flush = FlushMode::None), ["not-durable"]);
    assert_eq!(with(&|t| t.ends[0].cpu = end(EndpointRole::Connect, [99, 10]).cpu), ["file-cpu-saturated"]);
}

fn row_trial(name: &str, way: FileDirection, block: u64, queue: u16, count: u64) -> Trial {
    let mut trial = copy_trial(share(), way, None);
    let class = if way == FileDirection::Read { FileOpClass::Read } else { FileOpClass::Write };
    let (pattern, size, time) = (FileAccessPattern::Random, Bytes(1 << 30), Nanos(10 * S));
    let (name, threads) = (name.into(), 1);
    work(&mut trial).work =
        FileWorkload::Row { name, way, pattern, block: Bytes(block), queue, threads, size, time };
    trial.ends[0].operations = count;
    let each_ns = 10 * S * u64::from(queue) / count;
    trial.ends[0].series =
        vec![latencies(&format!("latency-{}", class.name()), each_ns as i64, count as i64)];
    let (r, bytes) = (report(&mut trial), count * block);
    (r.bytes_read, r.bytes_written) = if way == FileDirection::Read { (bytes, 0) } else { (0, bytes) };
    (r.accepted_ns, r.durable_ns) = (None, None);
    r.classes = vec![account(class, count, bytes)];
    trial
}

#[test]
fn operations_times_the_block_are_the_bytes() {
    let row = row_trial("4K", FileDirection::Read, 4096, 1, 30_000);
    let s = summarize_trial(&row);
    assert_eq!(s.file_summary().unwrap().operations_per_second, 3_000.0);
    assert_eq!((s.goodput_bps, s.latency_summary().map(|l| l.count)), (Some(3_000 * 4096 * 8), Some(30_000)));
    assert_eq!(s.findings, []);
    let mut short = row.clone();
    report(&mut short).bytes_read -= 4096;
    assert_eq!(ids(&short), ["file-counts-differ"]);
    let mut unsampled = row;
    unsampled.ends[0].series = vec![latencies("latency-read", 1, 29_999)];
    assert_eq!(ids(&unsampled), ["file-counts-differ"]);
}

#[test]
fn an_operation_under_way_when_the_window_opened_is_not_faster_than_the_wire() {
    const MIB: u64 = 1 << 20;
    let of = |way, queue, count| row_trial("Seq", way, MIB, queue, count);
    let limit = summarize_trial(&of(FileDirection::Read, 1, 1_000)).limit.goodput_bps.unwrap();
    // Whole operations that the network carries in 10 s.
    let carried = limit / 8 * 10 / MIB;
    assert_eq!(ids(&of(FileDirection::Read, 1, carried + 1)), Vec::<&str>::new());
    assert_eq!(ids(&of(FileDirection::Read, 1, carried + 3)), ["faster-than-wire"]);
    assert_eq!(ids(&of(FileDirection::Read, 8, carried + 8)), Vec::<&str>::new());
    // A window extended until the flush begins with its work: nothing was in flight before it.
    let mut within = of(FileDirection::Write, 1, carried + 1);
    work(&mut within).flush = FlushMode::Within;
    assert_eq!(ids(&within), ["faster-than-wire"]);
}

#[test]
fn a_drive_mark_has_best_and_median_and_the_model_of_its_round_trips() {
    let mut summaries = Vec::new();
    // 300 µs and 10 ns a byte: 4 KiB 340.96 µs, 512 KiB 5.543 ms, 1 MiB 10.786 ms. Not in the mark's order.
    for (name, block) in [("4K", 4_096u64), ("512K", 524_288), ("Seq", 1_048_576)] {
        for repeat in 0..5u64 {
            let each_ns = 300_000 + 10 * block;
            let count = 10 * S / each_ns * (98 + repeat) / 100;
            summaries.push(summarize_trial(&row_trial(name, FileDirection::Read, block, 1, count)));
        }
    }
    let run = runs::run_of(&summaries);
    assert_eq!(run.rows.iter().map(|r| r.name.as_str()).collect::<Vec<_>>(), ["Seq", "512K", "4K"]);
    let first = &run.rows[2];
    assert_eq!((first.iops.trials, first.trials.len()), (5, 5));
    assert!(first.iops.best > first.iops.median && first.rate_bps.best > first.rate_bps.median);
    assert!((first.rate_bps.median - first.iops.median * 4096.0 * 8.0).abs() < 8.0);
    assert!(first.latency_p50_ns.unwrap().best < first.latency_p50_ns.unwrap().median);
    let model = &run.round_trips[0];
    assert_eq!((model.blocks.len(), run.round_trips.len()), (3, 1));
    assert!((model.fixed_ns / 300_000.0 - 1.0).abs() < 0.02, "{model:?}");
    assert!((model.rate_bps / 8e8 - 1.0).abs() < 0.02 && model.error_percent < 1.0, "{model:?}");
}
