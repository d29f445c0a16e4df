//! Combined results of a run's trials.

use super::*;

pub(super) fn run_of(summaries: &[TrialSummary]) -> FileRun {
    let numbered: Vec<TrialSummary> =
        (1..).zip(summaries).map(|(n, s)| TrialSummary { trial: TrialId(n), ..s.clone() }).collect();
    summarize_file_run(&numbered.iter().collect::<Vec<_>>()).expect("there is a measured trial")
}

/// Copies both ways with their reference measurements, three times, modified by `change`.
fn copies(change: &dyn Fn(&mut Trial)) -> FileRun {
    let mut summaries = Vec::new();
    for _ in 0..3 {
        for (way, other) in
            [(FileDirection::Write, FileDirection::Read), (FileDirection::Read, FileDirection::Write)]
        {
            let mut at_place = copy_trial(share(), way, Some("/home"));
            let mut alone = copy_trial(folder("/home"), other, None);
            report(&mut alone).facts.file_system = Some("ext4".into());
            let r = report(&mut alone);
            (r.bytes_read, r.bytes_written) = (r.bytes_read * 4, r.bytes_written * 4);
            let mut net = copy_trial(FileLocation::Sink { sink: AgentSink::Null }, way, None);
            net.ends[1].file = None;
            let r = report(&mut net);
            let full = 1_170_000_000;
            (r.bytes_read, r.bytes_written) = if way == FileDirection::Write { (0, full) } else { (full, 0) };
            for trial in [&mut at_place, &mut alone, &mut net] {
                change(trial);
                summaries.push(summarize_trial(trial));
            }
        }
    }
    run_of(&summaries)
}

fn causes(run: &FileRun) -> Vec<Option<LimitingResource>> {
    run.verdicts.iter().map(|v| v.cause).collect()
}

fn is_at(trial: &Trial, place: &FileLocation) -> bool {
    matches!(&trial.probe, Probe::File(f) if f.place == *place)
}

#[test]
fn a_run_puts_copies_together_and_knows_what_each_was_for() {
    let run = copies(&|_| {});
    let kinds: Vec<(FileCopyKind, FileDirection, u32)> =
        run.copies.iter().map(|c| (c.kind, c.way, c.rate_bps.trials)).collect();
    use FileCopyKind::*;
    use FileDirection::{Read, Write};
    assert_eq!(
        kinds,
        [
            (Copy, Write, 3),
            (Copy, Read, 3),
            (LocalAlone, Write, 3),
            (LocalAlone, Read, 3),
            (NetOnly, Write, 3),
            (NetOnly, Read, 3)
        ]
    );
    let write = &run.copies[0];
    assert_eq!(write.accepted_bps.unwrap().median, 888_888_889.0);
    assert_eq!(write.durable_bps.unwrap().median, 800_000_000.0);
    assert_eq!(write.time_ns.median, 10e9);
    assert_eq!((write.client_cpu_percent, write.server_cpu_percent), (Some(25.0), Some(35.0)));
    assert_eq!(write.limit_bps, Some(941_482_444));
}

#[test]
fn a_run_with_nothing_planted_names_only_what_was_measured() {
    // Until accepted, the write reached 94.4 % of the network's limit: saturated. The read reached 85 %.
    let run = copies(&|_| {});
    assert_eq!(causes(&run), [Some(LimitingResource::Wire), None]);
    let text = &run.verdicts[0].text;
    assert!(
        text.starts_with(
            "writing to smb://nas/media reached 100.0 MB/s including the flush, limited by the network link: 95.0 % of"
        ),
        "{text}"
    );
    let text = &run.verdicts[1].text;
    assert!(
        text.contains(
            "the bottleneck cannot be determined: no resource was certainly at its limit; closest to it: the network link ("
        ),
        "{text}"
    );
}

#[test]
fn planted_causes_are_named_from_trials() {
    let slow = |trial: &mut Trial| {
        if is_at(trial, &share()) {
            let r = report(trial);
            (r.bytes_read, r.bytes_written) = (r.bytes_read / 2, r.bytes_written / 2);
        }
    };
    let cause = |change: &dyn Fn(&mut Trial)| {
        causes(&copies(&|trial| {
            slow(trial);
            change(trial);
        }))
    };
    let both = |cause| vec![Some(cause); 2];
    assert_eq!(cause(&|_| {}), [None, None]);
    let quota = CpuQuotaAccounting {
        cpus: 0.2,
        used_ns: Some(199 * S / 100),
        periods: 1_000,
        throttled_periods: 980,
        throttled_ns: 9 * S,
    };
    let sender_limited = |trial: &mut Trial, role: EndRole| {
        for end in trial.ends.iter_mut().filter(|e| e.role == role) {
            end.cpu.as_mut().unwrap().quota = Some(quota);
        }
    };
    assert_eq!(cause(&|t| sender_limited(t, EndRole::Connect)), both(LimitingResource::ClientCpu));
    assert_eq!(cause(&|t| sender_limited(t, EndRole::Listen)), both(LimitingResource::ServerCpu));
    let one_kernel = |trial: &mut Trial| {
        trial.ends.iter_mut().for_each(|e| e.facts.boot_id = "one".into());
    };
    let shared = |role| cause(&|t| (one_kernel(t), sender_limited(t, role)).0);
    assert_eq!(shared(EndRole::Connect), both(LimitingResource::ClientCpu));
    assert_eq!(shared(EndRole::Listen), both(LimitingResource::ServerCpu));
    let local = |trial: &mut Trial| {
        if is_at(trial, &folder("/home")) {
            let r = report(trial);
            (r.bytes_read, r.bytes_written) = (r.bytes_read / 8, r.bytes_written / 8);
            (r.accepted_ns, r.durable_ns) = (None, None);
        } else if is_at(trial, &share()) {
            report(trial).local_wait_ns = Some(7 * S);
        }
    };
    assert_eq!(cause(&local), both(LimitingResource::ClientDisk));
    let busy = |trial: &mut Trial| {
        if is_at(trial, &share()) {
            trial.ends[1].file.as_deref_mut().unwrap().place_disk = Some(disk(SIZE / 2, 10));
        }
    };
    assert_eq!(cause(&busy), both(LimitingResource::ServerDisk));
    let flush = |trial: &mut Trial| {
        let r = report(trial);
        r.accepted_ns = r.accepted_ns.map(|_| 3 * S);
    };
    assert_eq!(cause(&flush), [Some(LimitingResource::ServerDisk), None]);
}

#[test]
fn a_cpu_that_ended_the_network_alone_makes_it_no_bound() {
    let run = copies(&|trial| {
        trial.medium = None;
        if is_at(trial, &FileLocation::Sink { sink: AgentSink::Null }) {
            let r = report(trial);
            (r.bytes_read, r.bytes_written) = (r.bytes_read.min(1) * SIZE, r.bytes_written.min(1) * SIZE);
            trial.ends[0].cpu = end(EndRole::Connect, [99, 99]).cpu;
        }
    });
    assert_eq!(causes(&run), [None, None]);
    let wire = run.verdicts[0].resources.iter().find(|r| r.resource == LimitingResource::Wire).unwrap();
    assert_eq!(wire.level, SaturationLevel::Unknown);
}

#[test]
fn trials_that_broke_off_are_in_no_figure() {
    let whole = summarize_trial(&copy_trial(share(), FileDirection::Write, None));
    let mut broken = copy_trial(share(), FileDirection::Write, None);
    broken.outcome = TrialOutcome::Partial { cause: "the server went away.".into() };
    let run = run_of(&[whole, summarize_trial(&broken)]);
    assert_eq!(run.copies[0].rate_bps.trials, 1);
    assert_eq!(
        run.findings[0].text,
        "1 trial was interrupted and is excluded from every result: the server went away"
    );
}

fn mix_trial(place: FileLocation, players: u16, per_second: u64) -> Trial {
    let mut trial = copy_trial(place, FileDirection::Read, None);
    work(&mut trial).work = FileWork::Mix {
        load: FileMixSource::LoadFile { path: "/usr/share/dbench/client.txt".into(), sha256: "ab".into() },
        players,
        warm_up: Nanos(S),
        time: Nanos(10 * S),
        max_errors: 10,
        rate: None,
    };
    let count = per_second * 10;
    let bytes = count * 8_000;
    trial.ends[0].operations = count;
    trial.ends[0].series = vec![
        latencies("read", 100_000, count as i64 / 2),
        latencies("close", 20_000, count as i64 / 2),
        Series::new(
            "intervals-0",
            vec![
                ("end_ns", (1..=100).map(|i| i * S as i64 / 10).collect()),
                ("bytes", vec![(bytes / 100) as i64; 100]),
            ],
        ),
    ];
    let r = report(&mut trial);
    (r.bytes_read, r.bytes_written) = (bytes, 0);
    r.classes = vec![account(FileOpClass::Close, count / 2, 0), account(FileOpClass::Read, count / 2, bytes)];
    trial
}

#[test]
fn a_mix_is_a_curve_over_its_players_with_each_class() {
    let s = summarize_trial(&mix_trial(share(), 4, 6_000));
    let f = s.file_summary().unwrap();
    let classes: Vec<(&str, u64, u64)> =
        f.classes.iter().map(|c| (c.class.name(), c.count, c.latency_ns.unwrap().p50)).collect();
    assert_eq!(classes, [("close", 30_000, 20_000), ("read", 30_000, 100_000)]);
    assert_eq!((s.latency().map(|l| l.count), s.transactions_per_second()), (Some(60_000), Some(6_000.0)));
    assert_eq!(f.intervals.len(), 100);
    let summaries: Vec<TrialSummary> = [(1, 2_000), (2, 4_000), (4, 6_000), (8, 6_100)]
        .map(|(players, rate)| summarize_trial(&mix_trial(share(), players, rate)))
        .to_vec();
    let run = run_of(&summaries);
    let curve = &run.mixes[0];
    assert_eq!((curve.load.as_str(), curve.place.as_str()), ("client.txt", "smb://nas/media"));
    assert_eq!(curve.points.iter().map(|p| p.players).collect::<Vec<_>>(), [1, 2, 4, 8]);
    assert_eq!((curve.best_at, curve.points[2].operations_per_second.median), (8, 6_000.0));
    assert_eq!(curve.saturation, Some(SaturationPoint::Reached { at: 4, least: 4, most: 4 }));
    assert_eq!(curve.points[0].latency_max_ns, Some(100_000));
}

#[test]
fn one_load_on_disk_wire_and_share_is_split() {
    let net = FileLocation::Sink { sink: AgentSink::Net };
    // Operation of one of two players: 500 µs over the share, 100 µs in the folder, 200 µs over the network.
    let mut summaries: Vec<TrialSummary> =
        [(share(), 4_000), (folder("/srv"), 20_000), (net.clone(), 10_000)]
            .map(|(place, rate)| summarize_trial(&mix_trial(place, 2, rate)))
            .to_vec();
    let run = run_of(&summaries);
    let split = &run.splits[0];
    assert_eq!((split.share_ns, split.disk_ns, split.wire_ns), (500_000.0, 100_000.0, 200_000.0));
    assert_eq!((split.protocol_ns, split.players), (Some(200_000.0), 2));
    summaries[1] = summarize_trial(&mix_trial(folder("/srv"), 2, 4_000));
    assert_eq!(run_of(&summaries).splits[0].protocol_ns, None);
    summaries.truncate(2);
    assert_eq!(run_of(&summaries).splits, []);
}

#[test]
fn surprises_are_counted_and_told() {
    let mut trial = mix_trial(share(), 1, 100);
    report(&mut trial).classes[1].unexpected = 7;
    report(&mut trial).surprises = vec!["line 3: read: no such file".into()];
    let finding =
        summarize_trial(&trial).findings.into_iter().find(|f| f.id == "unexpected-operations").unwrap();
    assert_eq!(
        finding.text,
        "7 of 1,000 operations had an unexpected result, for example line 3: read: no such file"
    );
}

#[test]
fn two_runs_of_the_same_work_are_compared() {
    let run = |mtu: &str, count: u64| -> Vec<TrialSummary> {
        (0..5)
            .map(|i| {
                let mut trial = row_trial("4K QD32", FileDirection::Read, 4096, 32, count + i * 10);
                work(&mut trial).clients = vec![format!("pc-{mtu}")];
                work(&mut trial).workspace = format!(".goodput-{mtu}");
                work(&mut trial).seed = i;
                summarize_trial(&trial)
            })
            .collect()
    };
    let compared = compare_summaries(&run("1500", 30_000), &run("7150", 40_000));
    assert_eq!(compared[0].what, "read 4K QD32 at smb://nas/media");
    let of = |quantity| compared.iter().find(|c| c.quantity == quantity).unwrap();
    for quantity in
        [ComparedQuantity::PayloadBps, ComparedQuantity::OperationsPerSecond, ComparedQuantity::LatencyP50Ns]
    {
        assert_eq!(of(quantity).change.verdict, ChangeVerdict::Better, "{quantity:?}");
    }
    assert!((of(ComparedQuantity::OperationsPerSecond).change.percent.unwrap() - 33.3).abs() < 0.2);
    let copy = vec![summarize_trial(&copy_trial(share(), FileDirection::Write, None)); 3];
    let quantities: Vec<ComparedQuantity> =
        compare_summaries(&copy, &copy).iter().map(|c| c.quantity).collect();
    use ComparedQuantity::*;
    assert_eq!(quantities, [AcceptedBps, DurableBps, PayloadBps, CpuPercent]);
    let mut nothing = copy_trial(share(), FileDirection::Write, None);
    work(&mut nothing).work = FileWork::Remove;
    let nothing = [summarize_trial(&nothing)];
    assert_eq!(compare_summaries(&nothing, &nothing), []);
    let both = [run("1500", 30_000), copy.clone()].concat();
    assert_eq!(
        (unmatched_counts(&both, &copy), unmatched_counts(&copy, &both), unmatched_counts(&both, &both)),
        ((1, 0), (0, 1), (0, 0))
    );
    assert_eq!(unmatched_counts(&nothing, &copy), (0, 1));
}
