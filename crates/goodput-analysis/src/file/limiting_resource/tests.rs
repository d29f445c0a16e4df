//! Each cause alone, mixed, and none; and misleading observations.

use super::{
    CopyObservations, CpuObservation, DiskObservation, LimitingResourceVerdict, QuotaObservation,
    determine_limiting_resource,
};
use goodput_model::file::FileDirection;
use goodput_model::summary::{LimitingResource, SaturationLevel};

const MB: f64 = 8e6;

/// Two hosts, 1 Gbit/s, nothing saturated: 60 MB/s where 117.7 MB/s are possible.
fn idle() -> CopyObservations {
    let cpu = CpuObservation {
        busy: Some(20.0),
        busiest: 35.0,
        cpus: 4.0,
        shared: false,
        threads: 40.0,
        softirq: 5.0,
        iowait: 2.0,
        quota: None,
    };
    CopyObservations {
        way: FileDirection::Write,
        remote: true,
        mounted: false,
        rate: 60.0 * MB,
        accepted: 97.0,
        medium: Some((117.7 * MB, "1000base-t".to_string())),
        net_only: Some(117.0 * MB),
        clients: vec![cpu],
        server: CpuObservation { threads: 0.0, ..cpu },
        local_disk: Some(DiskObservation { busy: Some(15.0), alone: Some(400.0 * MB), moved: None }),
        place_disk: Some(DiskObservation { busy: Some(30.0), alone: None, moved: Some(100.0) }),
        local_wait: Some(5.0),
        place_wait: Some(90.0),
    }
}

fn cause(seen: &CopyObservations) -> Option<LimitingResource> {
    determine_limiting_resource(seen).cause
}

fn level(judged: &LimitingResourceVerdict, resource: LimitingResource) -> SaturationLevel {
    judged.resources.iter().find(|r| r.resource == resource).map(|r| r.level).unwrap()
}

#[test]
fn nothing_used_up_is_nothing_named() {
    let judged = determine_limiting_resource(&idle());
    assert_eq!(judged.cause, None);
    assert_eq!(judged.because, "no monitored resource was at its limit");
    assert!(judged.resources.iter().all(|r| r.level == SaturationLevel::Clear), "{:?}", judged.resources);
}

#[test]
fn the_wire_by_its_limit_and_by_what_it_carried_alone() {
    let mut seen = CopyObservations { rate: 113.0 * MB, ..idle() };
    let judged = determine_limiting_resource(&seen);
    assert_eq!(judged.cause, Some(LimitingResource::Wire));
    // 113 MB/s over all of the time are 116.5 until it was accepted, 99.6 % of the smaller bound.
    assert_eq!(
        judged.because,
        "99.6 % of the 117.0 MB/s measured for the network alone (1000base-t allows 117.7 MB/s)"
    );
    seen.medium = None;
    assert_eq!(cause(&seen), Some(LimitingResource::Wire));
    seen.net_only = None;
    assert_eq!(
        (cause(&seen), level(&determine_limiting_resource(&seen), LimitingResource::Wire)),
        (None, SaturationLevel::Unknown)
    );
}

#[test]
fn a_copy_that_waited_for_its_own_disk_did_not_wait_for_the_wire() {
    let seen =
        CopyObservations { rate: 110.0 * MB, local_wait: Some(85.0), place_wait: Some(10.0), ..idle() };
    assert_eq!(cause(&seen), None);
}

#[test]
fn more_than_the_wire_carries_names_nothing() {
    let judged = determine_limiting_resource(&CopyObservations { rate: 140.0 * MB, ..idle() });
    assert_eq!(judged.cause, None);
    assert!(
        judged.because.starts_with("it reached 144.3 MB/s, more than the 117.7 MB/s that 1000base-t"),
        "{judged:?}"
    );
}

#[test]
fn a_client_without_cpu_time() {
    let mut seen = idle();
    let all =
        CpuObservation { busy: Some(98.5), busiest: 99.5, threads: 250.0, softirq: 20.0, ..seen.clients[0] };
    seen.clients = vec![all];
    assert_eq!(cause(&seen), Some(LimitingResource::ClientCpu));
    // One saturated CPU of four is the copy's when its threads and the network's interrupts use it.
    let one = CpuObservation { busy: Some(30.0), busiest: 99.0, threads: 88.0, softirq: 4.0, ..all };
    seen.clients = vec![one];
    assert_eq!(cause(&seen), Some(LimitingResource::ClientCpu));
    seen.clients = vec![CpuObservation { threads: 20.0, ..one }];
    assert_eq!(
        (cause(&seen), level(&determine_limiting_resource(&seen), LimitingResource::ClientCpu)),
        (None, SaturationLevel::Near)
    );
    seen.clients = vec![CpuObservation { threads: 20.0, softirq: 1.0, ..all }];
    assert_eq!(
        (cause(&seen), level(&determine_limiting_resource(&seen), LimitingResource::ClientCpu)),
        (None, SaturationLevel::Near)
    );
    seen.clients = vec![all, idle().clients[0]];
    assert_eq!(cause(&seen), None);
}

#[test]
fn a_quota_is_a_cpu() {
    let mut seen = CopyObservations { accepted: 100.0, ..idle() };
    let quota = |used, throttled| Some(QuotaObservation { cpus: 0.25, used, throttled });
    seen.clients[0] = CpuObservation { shared: true, quota: quota(Some(99.0), 97.0), ..seen.clients[0] };
    let judged = determine_limiting_resource(&seen);
    assert_eq!(judged.cause, Some(LimitingResource::ClientCpu));
    assert_eq!(judged.because, "99.0 % of its quota of 0.25 CPUs (throttled in 97.0 % of the quota periods)");
    seen.clients[0].quota = quota(None, 95.0);
    assert_eq!(cause(&seen), Some(LimitingResource::ClientCpu));
    seen.clients[0].quota = quota(Some(60.0), 55.0);
    assert_eq!(
        (cause(&seen), level(&determine_limiting_resource(&seen), LimitingResource::ClientCpu)),
        (None, SaturationLevel::Near)
    );
    seen.clients[0].quota = quota(Some(30.0), 2.0);
    assert_eq!(
        level(&determine_limiting_resource(&seen), LimitingResource::ClientCpu),
        SaturationLevel::Clear
    );
    seen.server = CpuObservation { quota: quota(Some(98.0), 99.0), ..seen.server };
    assert_eq!(cause(&seen), Some(LimitingResource::ServerCpu));
}

#[test]
fn a_server_without_cpu_time() {
    let mut seen = idle();
    seen.server = CpuObservation { busy: Some(99.0), busiest: 99.0, cpus: 1.0, ..seen.server };
    assert_eq!(cause(&seen), Some(LimitingResource::ServerCpu));
    seen.accepted = 100.0;
    seen.server = CpuObservation { busy: Some(30.0), busiest: 100.0, cpus: 4.0, ..seen.server };
    let judged = determine_limiting_resource(&seen);
    assert_eq!(judged.cause, None);
    assert!(judged.because.contains("closest to it: the server's CPU (30.0 % of its 4 CPUs"), "{judged:?}");
}

#[test]
fn a_cpu_rests_during_the_flush() {
    let mut seen = CopyObservations { accepted: 90.0, ..idle() };
    seen.server = CpuObservation { busy: Some(88.0), busiest: 89.0, ..seen.server };
    assert_eq!(cause(&seen), Some(LimitingResource::ServerCpu), "88 % in all were 97.8 % while data moved");
}

#[test]
fn a_cpu_that_both_ends_share_is_nobodys() {
    let mut seen = idle();
    let both = CpuObservation { busy: Some(99.0), busiest: 100.0, cpus: 2.0, shared: true, ..seen.server };
    (seen.clients, seen.server) = (vec![both], both);
    assert_eq!(cause(&seen), None);
    seen.rate = 114.0 * MB;
    assert_eq!(cause(&seen), Some(LimitingResource::Wire));
    seen.rate = 104.0 * MB;
    assert_eq!(cause(&seen), None, "at nine tenths either may be it");
}

#[test]
fn the_clients_disk_by_what_it_does_alone_and_by_its_busy_time() {
    let mut seen = CopyObservations { local_wait: Some(80.0), place_wait: Some(10.0), ..idle() };
    seen.local_disk = Some(DiskObservation { busy: Some(6.0), alone: Some(61.0 * MB), moved: None });
    assert_eq!(cause(&seen), Some(LimitingResource::ClientDisk), "a throttle does not show as busy");
    seen.local_disk = Some(DiskObservation { busy: Some(97.0), alone: None, moved: None });
    assert_eq!(cause(&seen), Some(LimitingResource::ClientDisk));
    seen.local_disk = Some(DiskObservation { busy: Some(97.0), alone: Some(300.0 * MB), moved: None });
    assert_eq!(cause(&seen), None);
    seen.local_disk = Some(DiskObservation { busy: Some(97.0), alone: None, moved: None });
    seen.local_wait = Some(3.0);
    assert_eq!(cause(&seen), None);
    let flushed = CopyObservations { way: FileDirection::Read, accepted: 40.0, ..idle() };
    assert_eq!(cause(&flushed), Some(LimitingResource::ClientDisk));
}

#[test]
fn the_servers_disk_by_the_flush_its_busy_time_and_those_who_wait_for_it() {
    let mut seen = CopyObservations { rate: 40.0 * MB, accepted: 35.0, ..idle() };
    let judged = determine_limiting_resource(&seen);
    assert_eq!(judged.cause, Some(LimitingResource::ServerDisk));
    assert!(judged.because.ends_with("65.0 % of the time was spent in the flush"), "{judged:?}");
    seen.mounted = true;
    assert_eq!(cause(&seen), None);
    let read = CopyObservations { way: FileDirection::Read, accepted: 100.0, rate: 40.0 * MB, ..idle() };
    seen = read.clone();
    seen.place_disk = Some(DiskObservation { busy: Some(96.0), alone: None, moved: Some(101.0) });
    assert_eq!(cause(&seen), Some(LimitingResource::ServerDisk));
    seen.place_disk = Some(DiskObservation { busy: Some(4.0), alone: None, moved: Some(101.0) });
    seen.server.iowait = 93.0;
    assert_eq!(cause(&seen), Some(LimitingResource::ServerDisk));
    seen.place_disk = Some(DiskObservation { busy: Some(4.0), alone: None, moved: Some(3.0) });
    assert_eq!(cause(&seen), None);
    seen.place_disk = Some(DiskObservation { busy: Some(4.0), alone: None, moved: Some(101.0) });
    seen.server.shared = true;
    seen.local_wait = Some(40.0);
    assert_eq!(cause(&seen), None);
    seen = CopyObservations {
        server: CpuObservation::default(),
        place_disk: Some(DiskObservation::default()),
        ..read
    };
    let judged = determine_limiting_resource(&seen);
    assert_eq!(judged.cause, None);
    assert!(
        judged.because.ends_with("no data is available on the server's CPU and the server's disk"),
        "{judged:?}"
    );
}

#[test]
fn what_nobody_watched_may_be_it_too() {
    let mut seen =
        CopyObservations { rate: 106.0 * MB, net_only: None, server: CpuObservation::default(), ..idle() };
    let judged = determine_limiting_resource(&seen);
    assert_eq!(judged.cause, None);
    assert!(
        judged.because.starts_with("the bottleneck may be the network link (92.8 % of the 117.7 MB/s"),
        "{judged:?}"
    );
    assert!(judged.because.ends_with(", but no data is available on the server's CPU"), "{judged:?}");
    seen.rate = 113.0 * MB;
    assert_eq!(cause(&seen), Some(LimitingResource::Wire));
    let mut seen = CopyObservations { remote: false, clients: vec![CpuObservation::default()], ..idle() };
    seen.place_disk = Some(DiskObservation { busy: Some(98.0), alone: None, moved: None });
    assert_eq!(cause(&seen), None);
}

#[test]
fn two_that_are_used_up_are_none() {
    let mut seen = CopyObservations { rate: 113.0 * MB, ..idle() };
    seen.clients[0] = CpuObservation { busy: Some(99.0), busiest: 99.9, threads: 300.0, ..seen.clients[0] };
    let judged = determine_limiting_resource(&seen);
    assert_eq!(judged.cause, None);
    assert!(
        judged.because.contains("the network link (") && judged.because.contains("and the client's CPU ("),
        "{judged:?}"
    );
    assert!(judged.because.ends_with("each alone could be the bottleneck"), "{judged:?}");
}

#[test]
fn a_folder_of_this_host_has_no_wire_and_no_server() {
    let mut seen = CopyObservations { remote: false, medium: None, net_only: None, ..idle() };
    seen.place_disk = Some(DiskObservation { busy: Some(98.0), alone: None, moved: None });
    let judged = determine_limiting_resource(&seen);
    assert_eq!(judged.cause, Some(LimitingResource::ClientDisk));
    assert_eq!(judged.resources.len(), 2, "{:?}", judged.resources);
}
