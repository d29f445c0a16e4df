//! Each cause alone, mixed, and none; and misleading observations.

use super::{
    CopyObservations, CpuObservation, CpuQuotaObservation, DiskObservation, determine_limiting_resource,
};
use goodput_model::file::FileDirection;
use goodput_model::summary::{LimitingResource, SaturationLevel};

const MB: f64 = 8e6;

/// Two hosts, 1 Gbit/s, nothing saturated: 60 MB/s where 117.7 MB/s are possible.
fn idle() -> CopyObservations {
    let four = CpuObservation { cpus: 4.0, softirq: 5.0, iowait: 2.0, ..CpuObservation::default() };
    let cpu = CpuObservation { busy: Some(20.0), busiest: 35.0, threads: 40.0, ..four };
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
        local_disk: disk(15.0, Some(400.0 * MB), None),
        place_disk: disk(30.0, None, Some(100.0)),
        local_wait: Some(5.0),
        place_wait: Some(90.0),
    }
}

fn cause(seen: &CopyObservations) -> Option<LimitingResource> {
    determine_limiting_resource(seen).cause
}

/// Nothing is named, and this resource is at that level.
fn only_at(seen: &CopyObservations, resource: LimitingResource, level: SaturationLevel) {
    let judged = determine_limiting_resource(seen);
    assert_eq!(judged.cause, None);
    let found = judged.resources.iter().find(|r| r.resource == resource).map(|r| r.level);
    assert_eq!(found, Some(level), "{judged:?}");
}

fn says(seen: &CopyObservations, cause: Option<LimitingResource>, part: &str) {
    let judged = determine_limiting_resource(seen);
    assert_eq!(judged.cause, cause);
    assert!(judged.because.contains(part), "{judged:?}");
}

fn disk(busy: f64, alone: Option<f64>, moved: Option<f64>) -> Option<DiskObservation> {
    Some(DiskObservation { busy: Some(busy), alone, moved })
}

#[test]
fn nothing_used_up_is_nothing_named() {
    let judged = determine_limiting_resource(&idle());
    assert_eq!((judged.cause, judged.because.as_str()), (None, "no monitored resource was at its limit"));
    assert!(judged.resources.iter().all(|r| r.level == SaturationLevel::Clear), "{:?}", judged.resources);
}

#[test]
fn the_wire_by_its_limit_and_by_what_it_carried_alone() {
    let mut seen = CopyObservations { rate: 113.0 * MB, ..idle() };
    // 113 MB/s over all of the time are 116.5 until it was accepted, 99.6 % of the smaller bound.
    let told = "99.6 % of the 117.0 MB/s measured for the network alone (1000base-t allows 117.7 MB/s)";
    says(&seen, Some(LimitingResource::Wire), told);
    seen.medium = None;
    assert_eq!(cause(&seen), Some(LimitingResource::Wire));
    seen.net_only = None;
    only_at(&seen, LimitingResource::Wire, SaturationLevel::Unknown);
    // A copy that waited for its own disk did not wait for the wire.
    let waits = (Some(85.0), Some(10.0));
    seen = CopyObservations { rate: 110.0 * MB, local_wait: waits.0, place_wait: waits.1, ..idle() };
    assert_eq!(cause(&seen), None);
    let more = "the rate of 144.3 MB/s exceeds the 117.7 MB/s that 1000base-t";
    says(&CopyObservations { rate: 140.0 * MB, ..idle() }, None, more);
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
    for near in
        [CpuObservation { threads: 20.0, ..one }, CpuObservation { threads: 20.0, softirq: 1.0, ..all }]
    {
        seen.clients = vec![near];
        only_at(&seen, LimitingResource::ClientCpu, SaturationLevel::Near);
    }
    seen.clients = vec![all, idle().clients[0]];
    assert_eq!(cause(&seen), None);
}

#[test]
fn a_quota_is_a_cpu() {
    let mut seen = CopyObservations { accepted: 100.0, ..idle() };
    let quota = |used, throttled| Some(CpuQuotaObservation { cpus: 0.25, used, throttled });
    seen.clients[0] = CpuObservation { shared: true, quota: quota(Some(99.0), 97.0), ..seen.clients[0] };
    let told = "99.0 % of the quota of 0.25 CPUs (throttled in 97.0 % of the quota periods)";
    says(&seen, Some(LimitingResource::ClientCpu), told);
    seen.clients[0].quota = quota(None, 95.0);
    assert_eq!(cause(&seen), Some(LimitingResource::ClientCpu));
    seen.clients[0].quota = quota(Some(60.0), 55.0);
    only_at(&seen, LimitingResource::ClientCpu, SaturationLevel::Near);
    seen.clients[0].quota = quota(Some(30.0), 2.0);
    only_at(&seen, LimitingResource::ClientCpu, SaturationLevel::Clear);
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
    says(&seen, None, "closest to it: the server's CPU (30.0 % of the host's 4 CPUs");
    // A CPU rests during the flush.
    seen = CopyObservations { accepted: 90.0, ..idle() };
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
    let client_disk = Some(LimitingResource::ClientDisk);
    // A throttle does not show as busy.
    for (busy, alone, expected) in
        [(6.0, Some(61.0 * MB), client_disk), (97.0, Some(300.0 * MB), None), (97.0, None, client_disk)]
    {
        seen.local_disk = disk(busy, alone, None);
        assert_eq!(cause(&seen), expected, "{busy} {alone:?}");
    }
    seen.local_wait = Some(3.0);
    assert_eq!(cause(&seen), None);
    let flushed = CopyObservations { way: FileDirection::Read, accepted: 40.0, ..idle() };
    assert_eq!(cause(&flushed), Some(LimitingResource::ClientDisk));
}

#[test]
fn the_servers_disk_by_the_flush_its_busy_time_and_those_who_wait_for_it() {
    let mut seen = CopyObservations { rate: 40.0 * MB, accepted: 35.0, ..idle() };
    says(&seen, Some(LimitingResource::ServerDisk), "65.0 % of the time was spent in the flush");
    seen.mounted = true;
    assert_eq!(cause(&seen), None);
    seen = CopyObservations { way: FileDirection::Read, accepted: 100.0, rate: 40.0 * MB, ..idle() };
    let (server, place_disk) = (CpuObservation::default(), Some(DiskObservation::default()));
    let unseen = CopyObservations { server, place_disk, ..seen.clone() };
    says(&unseen, None, "no data is available on the server's CPU and the server's disk");
    let server_disk = Some(LimitingResource::ServerDisk);
    for (busy, moved, iowait, expected) in
        [(96.0, 101.0, 2.0, server_disk), (4.0, 3.0, 93.0, None), (4.0, 101.0, 93.0, server_disk)]
    {
        (seen.place_disk, seen.server.iowait) = (disk(busy, None, Some(moved)), iowait);
        assert_eq!(cause(&seen), expected, "{busy} {moved} {iowait}");
    }
    (seen.server.shared, seen.local_wait) = (true, Some(40.0));
    assert_eq!(cause(&seen), None);
}

#[test]
fn what_nobody_watched_may_be_it_too() {
    let mut seen =
        CopyObservations { rate: 106.0 * MB, net_only: None, server: CpuObservation::default(), ..idle() };
    says(&seen, None, "the bottleneck may be the network link (92.8 % of the 117.7 MB/s");
    says(&seen, None, ", but no data is available on the server's CPU");
    seen.rate = 113.0 * MB;
    assert_eq!(cause(&seen), Some(LimitingResource::Wire));
    let (clients, place_disk) = (vec![CpuObservation::default()], disk(98.0, None, None));
    assert_eq!(cause(&CopyObservations { remote: false, clients, place_disk, ..idle() }), None);
}

#[test]
fn two_that_are_used_up_are_none() {
    let mut seen = CopyObservations { rate: 113.0 * MB, ..idle() };
    seen.clients[0] = CpuObservation { busy: Some(99.0), busiest: 99.9, threads: 300.0, ..seen.clients[0] };
    for part in ["the network link (", "and the client's CPU (", "each alone could be the bottleneck"] {
        says(&seen, None, part);
    }
}

#[test]
fn a_folder_of_this_host_has_no_wire_and_no_server() {
    let place_disk = disk(98.0, None, None);
    let seen = CopyObservations { remote: false, medium: None, net_only: None, place_disk, ..idle() };
    let judged = determine_limiting_resource(&seen);
    assert_eq!((judged.cause, judged.resources.len()), (Some(LimitingResource::ClientDisk), 2), "{judged:?}");
}
