//! Combined results of a run's trials.

use super::*;
use FileDirection::{Read, Write};

pub(super) fn run_of(summaries: &[TrialSummary]) -> FileRunSummary {
    let numbered: Vec<TrialSummary> =
        (1..).zip(summaries).map(|(n, s)| TrialSummary { trial: TrialId(n), ..s.clone() }).collect();
    summarize_file_run(&numbered.iter().collect::<Vec<_>>()).expect("there is a measured trial")
}

/// Copies both ways with their reference measurements, three times, modified by `change`.
fn copies(change: &dyn Fn(&mut Trial)) -> FileRunSummary {
    let mut summaries = Vec::new();
    for _ in 0..3 {
        for (way, other) in [(Write, Read), (Read, Write)] {
            let at_place = copy_trial(share(), way, Some("/home"));
            let mut alone = copy_trial(folder("/home"), other, None);
            report(&mut alone).facts.file_system = Some("ext4".into());
            scale_bytes(&mut alone, 4, 1);
            let mut net = copy_trial(FileLocation::Sink { sink: SinkStorageKind::Null }, way, None);
            net.ends[1].file = None;
            scale_bytes(&mut net, 117, 100);
            for mut trial in [at_place, alone, net] {
                change(&mut trial);
                summaries.push(summarize_trial(&trial));
            }
        }
    }
    run_of(&summaries)
}

fn scale_bytes(trial: &mut Trial, by: u64, of: u64) {
    let r = report(trial);
    (r.bytes_read, r.bytes_written) = (r.bytes_read * by / of, r.bytes_written * by / of);
}

fn causes(run: &FileRunSummary) -> Vec<Option<LimitingResource>> {
    run.verdicts.iter().map(|v| v.cause).collect()
}

fn is_at(trial: &Trial, place: &FileLocation) -> bool {
    matches!(&trial.probe, Probe::File(f) if f.place == *place)
}

#[test]
fn a_run_puts_copies_together_and_knows_what_each_was_for() {
    let run = copies(&|_| {});
    let kinds: Vec<_> = run.copies.iter().map(|c| (c.kind, c.way, c.rate_bps.trials)).collect();
    let both = |kind| [(kind, Write, 3), (kind, Read, 3)];
    let all = [FileCopyKind::Copy, FileCopyKind::LocalAlone, FileCopyKind::NetOnly];
    assert_eq!(kinds, all.map(both).concat());
    let write = &run.copies[0];
    let medians = [write.accepted_bps.unwrap(), write.durable_bps.unwrap(), write.time_ns].map(|s| s.median);
    assert_eq!(medians, [888_888_889.0, 800_000_000.0, 10e9]);
    let (client, server) = (write.client_cpu_percent, write.server_cpu_percent);
    assert_eq!((client, server, write.limit_bps), (Some(25.0), Some(35.0), Some(941_482_444)));
    // Until accepted, the write reached 94.4 % of the network's limit: saturated. The read reached 85 %.
    assert_eq!(causes(&run), [Some(LimitingResource::Wire), None]);
    let [write, read] = [&run.verdicts[0].text, &run.verdicts[1].text];
    let flushed = "writing to smb://nas/media reached 100.0 MB/s including the flush";
    assert!(write.starts_with(&format!("{flushed}, limited by the network link: 95.0 % of")), "{write}");
    let open = "the bottleneck cannot be determined: no resource was certainly at its limit; closest to it: ";
    assert!(read.contains(&format!("{open}the network link (")), "{read}");
}

#[test]
fn planted_causes_are_named_from_trials() {
    let cause = |change: &dyn Fn(&mut Trial)| {
        causes(&copies(&|trial| {
            if is_at(trial, &share()) {
                scale_bytes(trial, 1, 2);
            }
            change(trial);
        }))
    };
    let both = |cause| vec![Some(cause); 2];
    assert_eq!(cause(&|_| {}), [None, None]);
    let (used_ns, throttled_ns) = (Some(199 * S / 100), 9 * S);
    let quota =
        CpuQuotaAccounting { cpus: 0.2, used_ns, periods: 1_000, throttled_periods: 980, throttled_ns };
    for one_kernel in [false, true] {
        let limited = |role: EndpointRole| {
            cause(&|trial| {
                for end in &mut trial.ends {
                    end.cpu.as_mut().unwrap().quota = Some(quota).filter(|_| end.role == role);
                    if one_kernel {
                        end.facts.boot_id = "one".into();
                    }
                }
            })
        };
        assert_eq!(limited(EndpointRole::Connect), both(LimitingResource::ClientCpu));
        assert_eq!(limited(EndpointRole::Listen), both(LimitingResource::ServerCpu));
    }
    let local = |trial: &mut Trial| {
        if is_at(trial, &folder("/home")) {
            scale_bytes(trial, 1, 8);
            let r = report(trial);
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
        if is_at(trial, &FileLocation::Sink { sink: SinkStorageKind::Null }) {
            scale_bytes(trial, 100, 117);
            trial.ends[0].cpu = end(EndpointRole::Connect, [99, 99]).cpu;
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
    let told = "1 trial was interrupted and is excluded from every result: the server went away";
    assert_eq!(run.findings[0].text, told);
}

fn mix_trial(place: FileLocation, players: u16, per_second: u64) -> Trial {
    let mut trial = copy_trial(place, FileDirection::Read, None);
    let load =
        FileOperationMixSource::LoadFile { path: "/usr/share/dbench/client.txt".into(), sha256: "ab".into() };
    let (warm_up, time) = (Nanos(S), Nanos(10 * S));
    work(&mut trial).work = FileWorkload::Mix { load, players, warm_up, time, max_errors: 10, rate: None };
    let count = per_second * 10;
    let bytes = count * 8_000;
    trial.ends[0].operations = count;
    let ends = (1..=100).map(|i| i * S as i64 / 10).collect();
    trial.ends[0].series = vec![
        latencies("latency-read", 100_000, count as i64 / 2),
        latencies("latency-close", 20_000, count as i64 / 2),
        Series::new("intervals-0", vec![("end_ns", ends), ("bytes", vec![(bytes / 100) as i64; 100])]),
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
    let classes = f.classes.iter().map(|c| (c.class.name(), c.count, c.latency_ns.unwrap().p50));
    assert_eq!(classes.collect::<Vec<_>>(), [("close", 30_000, 20_000), ("read", 30_000, 100_000)]);
    assert_eq!(
        (s.latency_summary().map(|l| l.count), s.transactions_per_second()),
        (Some(60_000), Some(6_000.0))
    );
    assert_eq!(f.intervals.len(), 100);
    let rates = [(1, 2_000), (2, 4_000), (4, 6_000), (8, 6_100)];
    let run = run_of(&rates.map(|(players, rate)| summarize_trial(&mix_trial(share(), players, rate))));
    let curve = &run.mixes[0];
    assert_eq!((curve.load.as_str(), curve.place.as_str()), ("client.txt", "smb://nas/media"));
    assert_eq!(curve.points.iter().map(|p| p.players).collect::<Vec<_>>(), [1, 2, 4, 8]);
    assert_eq!((curve.best_at, curve.points[2].operations_per_second.median), (8, 6_000.0));
    assert_eq!(curve.saturation, Some(SaturationPoint::Reached { at: 4, least: 4, most: 4 }));
    assert_eq!(curve.points[0].latency_max_ns, Some(100_000));
}

#[test]
fn one_load_on_disk_wire_and_share_is_split() {
    let net = FileLocation::Sink { sink: SinkStorageKind::Net };
    // Operation of one of two players: 500 µs over the share, 100 µs in the folder, 200 µs over the network.
    let places = [(share(), 4_000), (folder("/srv"), 20_000), (net, 10_000)];
    let mut summaries = places.map(|(place, rate)| summarize_trial(&mix_trial(place, 2, rate))).to_vec();
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
    let found = summarize_trial(&trial).findings;
    let told = "7 of 1,000 operations had an unexpected result, for example line 3: read: no such file";
    assert!(found.iter().any(|f| f.id == "unexpected-operations" && f.text == told), "{found:?}");
}

#[test]
fn two_runs_of_the_same_work_are_compared() {
    use ComparedQuantity::*;
    let run = |mtu: &str, count: u64| {
        let trial = |i: u64| {
            let mut trial = row_trial("4K QD32", Read, 4096, 32, count + i * 10);
            let (clients, workspace) = (vec![format!("pc-{mtu}")], format!(".goodput-{mtu}"));
            *work(&mut trial) = File { clients, workspace, seed: i, ..work(&mut trial).clone() };
            summarize_trial(&trial)
        };
        (0..5).map(trial).collect::<Vec<_>>()
    };
    let compared = compare_summaries(&run("1500", 30_000), &run("7150", 40_000));
    assert_eq!(compared[0].what, "read 4K QD32 at smb://nas/media");
    let of = |quantity| compared.iter().find(|c| c.quantity == quantity).unwrap();
    for quantity in [PayloadBps, OperationsPerSecond, LatencyP50Ns] {
        assert_eq!(of(quantity).change.verdict, ChangeVerdict::Better, "{quantity:?}");
    }
    assert!((of(OperationsPerSecond).change.percent.unwrap() - 33.3).abs() < 0.2);
    let copy = vec![summarize_trial(&copy_trial(share(), Write, None)); 3];
    let quantities: Vec<_> = compare_summaries(&copy, &copy).iter().map(|c| c.quantity).collect();
    assert_eq!(quantities, [AcceptedBps, DurableBps, PayloadBps, CpuPercent]);
    let mut nothing = copy_trial(share(), FileDirection::Write, None);
    work(&mut nothing).work = FileWorkload::Remove;
    let nothing = vec![summarize_trial(&nothing)];
    assert_eq!(compare_summaries(&nothing, &nothing), []);
    let both = [run("1500", 30_000), copy.clone()].concat();
    for (first, second, unmatched) in
        [(&both, &copy, (1, 0)), (&copy, &both, (0, 1)), (&both, &both, (0, 0)), (&nothing, &copy, (0, 1))]
    {
        assert_eq!(count_unmatched_settings(first, second), unmatched);
    }
}
