//! Each cause alone, mixed, and none; and misleading observations.

use super::{CpuSeen, DiskSeen, Judgement, Observations, QuotaSeen, judge};
use goodput_model::file::FileWay;
use goodput_model::summary::{FileCause, Level};

const MB: f64 = 8e6;

/// Two hosts, 1 Gbit/s, nothing saturated: 60 MB/s where 117.7 MB/s are possible.
fn idle() -> Observations {
    let cpu = CpuSeen {
        busy: Some(20.0),
        busiest: 35.0,
        cpus: 4.0,
        shared: false,
        threads: 40.0,
        softirq: 5.0,
        iowait: 2.0,
        quota: None,
    };
    Observations {
        way: FileWay::Write,
        remote: true,
        mounted: false,
        rate: 60.0 * MB,
        accepted: 97.0,
        medium: Some((117.7 * MB, "1000base-t".to_string())),
        net_only: Some(117.0 * MB),
        clients: vec![cpu],
        server: CpuSeen { threads: 0.0, ..cpu },
        local_disk: Some(DiskSeen { busy: Some(15.0), alone: Some(400.0 * MB), moved: None }),
        place_disk: Some(DiskSeen { busy: Some(30.0), alone: None, moved: Some(100.0) }),
        local_wait: Some(5.0),
        place_wait: Some(90.0),
    }
}

fn cause(seen: &Observations) -> Option<FileCause> {
    judge(seen).cause
}

fn level(judged: &Judgement, resource: FileCause) -> Level {
    judged.resources.iter().find(|r| r.resource == resource).map(|r| r.level).unwrap()
}

#[test]
fn nothing_used_up_is_nothing_named() {
    let judged = judge(&idle());
    assert_eq!(judged.cause, None);
    assert_eq!(judged.because, "no monitored resource was at its limit");
    assert!(judged.resources.iter().all(|r| r.level == Level::Clear), "{:?}", judged.resources);
}

#[test]
fn the_wire_by_its_limit_and_by_what_it_carried_alone() {
    let mut seen = Observations { rate: 113.0 * MB, ..idle() };
    let judged = judge(&seen);
    assert_eq!(judged.cause, Some(FileCause::Wire));
    // 113 MB/s over all of the time are 116.5 until it was accepted, 99.6 % of the smaller bound.
    assert_eq!(
        judged.because,
        "99.6 % of the 117.0 MB/s that the network carried by itself (1000base-t allows 117.7 MB/s)"
    );
    seen.medium = None;
    assert_eq!(cause(&seen), Some(FileCause::Wire));
    seen.net_only = None;
    assert_eq!((cause(&seen), level(&judge(&seen), FileCause::Wire)), (None, Level::Unknown));
}

#[test]
fn a_copy_that_waited_for_its_own_disk_did_not_wait_for_the_wire() {
    let seen = Observations { rate: 110.0 * MB, local_wait: Some(85.0), place_wait: Some(10.0), ..idle() };
    assert_eq!(cause(&seen), None);
}

#[test]
fn more_than_the_wire_carries_names_nothing() {
    let judged = judge(&Observations { rate: 140.0 * MB, ..idle() });
    assert_eq!(judged.cause, None);
    assert!(
        judged.because.starts_with("it reached 144.3 MB/s, more than the 117.7 MB/s that 1000base-t"),
        "{judged:?}"
    );
}

#[test]
fn a_client_without_cpu_time() {
    let mut seen = idle();
    let all = CpuSeen { busy: Some(98.5), busiest: 99.5, threads: 250.0, softirq: 20.0, ..seen.clients[0] };
    seen.clients = vec![all];
    assert_eq!(cause(&seen), Some(FileCause::ClientCpu));
    // One saturated CPU of four is the copy's when its threads and the network's interrupts use it.
    let one = CpuSeen { busy: Some(30.0), busiest: 99.0, threads: 88.0, softirq: 4.0, ..all };
    seen.clients = vec![one];
    assert_eq!(cause(&seen), Some(FileCause::ClientCpu));
    seen.clients = vec![CpuSeen { threads: 20.0, ..one }];
    assert_eq!((cause(&seen), level(&judge(&seen), FileCause::ClientCpu)), (None, Level::Near));
    seen.clients = vec![CpuSeen { threads: 20.0, softirq: 1.0, ..all }];
    assert_eq!((cause(&seen), level(&judge(&seen), FileCause::ClientCpu)), (None, Level::Near));
    seen.clients = vec![all, idle().clients[0]];
    assert_eq!(cause(&seen), None);
}

#[test]
fn a_quota_is_a_cpu() {
    let mut seen = Observations { accepted: 100.0, ..idle() };
    let quota = |used, throttled| Some(QuotaSeen { cpus: 0.25, used, throttled });
    seen.clients[0] = CpuSeen { shared: true, quota: quota(Some(99.0), 97.0), ..seen.clients[0] };
    let judged = judge(&seen);
    assert_eq!(judged.cause, Some(FileCause::ClientCpu));
    assert_eq!(judged.because, "99.0 % of its quota of 0.25 CPUs (throttled in 97.0 % of the quota periods)");
    seen.clients[0].quota = quota(None, 95.0);
    assert_eq!(cause(&seen), Some(FileCause::ClientCpu));
    seen.clients[0].quota = quota(Some(60.0), 55.0);
    assert_eq!((cause(&seen), level(&judge(&seen), FileCause::ClientCpu)), (None, Level::Near));
    seen.clients[0].quota = quota(Some(30.0), 2.0);
    assert_eq!(level(&judge(&seen), FileCause::ClientCpu), Level::Clear);
    seen.server = CpuSeen { quota: quota(Some(98.0), 99.0), ..seen.server };
    assert_eq!(cause(&seen), Some(FileCause::ServerCpu));
}

#[test]
fn a_server_without_cpu_time() {
    let mut seen = idle();
    seen.server = CpuSeen { busy: Some(99.0), busiest: 99.0, cpus: 1.0, ..seen.server };
    assert_eq!(cause(&seen), Some(FileCause::ServerCpu));
    seen.accepted = 100.0;
    seen.server = CpuSeen { busy: Some(30.0), busiest: 100.0, cpus: 4.0, ..seen.server };
    let judged = judge(&seen);
    assert_eq!(judged.cause, None);
    assert!(judged.because.contains("nearest to it: the server's CPU (30.0 % of its 4 CPUs"), "{judged:?}");
}

#[test]
fn a_cpu_rests_during_the_flush() {
    let mut seen = Observations { accepted: 90.0, ..idle() };
    seen.server = CpuSeen { busy: Some(88.0), busiest: 89.0, ..seen.server };
    assert_eq!(cause(&seen), Some(FileCause::ServerCpu), "88 % in all were 97.8 % while data moved");
}

#[test]
fn a_cpu_that_both_ends_share_is_nobodys() {
    let mut seen = idle();
    let both = CpuSeen { busy: Some(99.0), busiest: 100.0, cpus: 2.0, shared: true, ..seen.server };
    (seen.clients, seen.server) = (vec![both], both);
    assert_eq!(cause(&seen), None);
    seen.rate = 114.0 * MB;
    assert_eq!(cause(&seen), Some(FileCause::Wire));
    seen.rate = 104.0 * MB;
    assert_eq!(cause(&seen), None, "at nine tenths either may be it");
}

#[test]
fn the_clients_disk_by_what_it_does_alone_and_by_its_busy_time() {
    let mut seen = Observations { local_wait: Some(80.0), place_wait: Some(10.0), ..idle() };
    seen.local_disk = Some(DiskSeen { busy: Some(6.0), alone: Some(61.0 * MB), moved: None });
    assert_eq!(cause(&seen), Some(FileCause::ClientDisk), "a throttle does not show as busy");
    seen.local_disk = Some(DiskSeen { busy: Some(97.0), alone: None, moved: None });
    assert_eq!(cause(&seen), Some(FileCause::ClientDisk));
    seen.local_disk = Some(DiskSeen { busy: Some(97.0), alone: Some(300.0 * MB), moved: None });
    assert_eq!(cause(&seen), None);
    seen.local_disk = Some(DiskSeen { busy: Some(97.0), alone: None, moved: None });
    seen.local_wait = Some(3.0);
    assert_eq!(cause(&seen), None);
    let flushed = Observations { way: FileWay::Read, accepted: 40.0, ..idle() };
    assert_eq!(cause(&flushed), Some(FileCause::ClientDisk));
}

#[test]
fn the_servers_disk_by_the_flush_its_busy_time_and_those_who_wait_for_it() {
    let mut seen = Observations { rate: 40.0 * MB, accepted: 35.0, ..idle() };
    let judged = judge(&seen);
    assert_eq!(judged.cause, Some(FileCause::ServerDisk));
    assert!(judged.because.ends_with("65.0 % of the time went into the flush"), "{judged:?}");
    seen.mounted = true;
    assert_eq!(cause(&seen), None);
    let read = Observations { way: FileWay::Read, accepted: 100.0, rate: 40.0 * MB, ..idle() };
    seen = read.clone();
    seen.place_disk = Some(DiskSeen { busy: Some(96.0), alone: None, moved: Some(101.0) });
    assert_eq!(cause(&seen), Some(FileCause::ServerDisk));
    seen.place_disk = Some(DiskSeen { busy: Some(4.0), alone: None, moved: Some(101.0) });
    seen.server.iowait = 93.0;
    assert_eq!(cause(&seen), Some(FileCause::ServerDisk));
    seen.place_disk = Some(DiskSeen { busy: Some(4.0), alone: None, moved: Some(3.0) });
    assert_eq!(cause(&seen), None);
    seen.place_disk = Some(DiskSeen { busy: Some(4.0), alone: None, moved: Some(101.0) });
    seen.server.shared = true;
    seen.local_wait = Some(40.0);
    assert_eq!(cause(&seen), None);
    seen = Observations { server: CpuSeen::default(), place_disk: Some(DiskSeen::default()), ..read };
    let judged = judge(&seen);
    assert_eq!(judged.cause, None);
    assert!(
        judged.because.ends_with("no data is available on the server's CPU and the server's disk"),
        "{judged:?}"
    );
}

#[test]
fn what_nobody_watched_may_be_it_too() {
    let mut seen = Observations { rate: 106.0 * MB, net_only: None, server: CpuSeen::default(), ..idle() };
    let judged = judge(&seen);
    assert_eq!(judged.cause, None);
    assert!(judged.because.starts_with("it may be the wire (92.8 % of the 117.7 MB/s"), "{judged:?}");
    assert!(judged.because.ends_with(", but no data is available on the server's CPU"), "{judged:?}");
    seen.rate = 113.0 * MB;
    assert_eq!(cause(&seen), Some(FileCause::Wire));
    let mut seen = Observations { remote: false, clients: vec![CpuSeen::default()], ..idle() };
    seen.place_disk = Some(DiskSeen { busy: Some(98.0), alone: None, moved: None });
    assert_eq!(cause(&seen), None);
}

#[test]
fn two_that_are_used_up_are_none() {
    let mut seen = Observations { rate: 113.0 * MB, ..idle() };
    seen.clients[0] = CpuSeen { busy: Some(99.0), busiest: 99.9, threads: 300.0, ..seen.clients[0] };
    let judged = judge(&seen);
    assert_eq!(judged.cause, None);
    assert!(
        judged.because.contains("the wire (") && judged.because.contains("and the client's CPU ("),
        "{judged:?}"
    );
    assert!(judged.because.ends_with("each would be enough"), "{judged:?}");
}

#[test]
fn a_folder_of_this_host_has_no_wire_and_no_server() {
    let mut seen = Observations { remote: false, medium: None, net_only: None, ..idle() };
    seen.place_disk = Some(DiskSeen { busy: Some(98.0), alone: None, moved: None });
    let judged = judge(&seen);
    assert_eq!(judged.cause, Some(FileCause::ClientDisk));
    assert_eq!(judged.resources.len(), 2, "{:?}", judged.resources);
}
