//! Simulated copies with one resource far below the others, seen through noise: the cause must be found, and
//! no wrong one named, even where the bottleneck is not observed.

use super::{
    CopyObservations, CpuObservation, CpuQuotaObservation, DiskObservation, determine_limiting_resource,
};
use crate::random::SplitMix64;
use goodput_model::file::FileDirection;
use goodput_model::summary::LimitingResource;
use std::f64::consts::TAU;

const MB: f64 = 8e6;
/// Standard deviation of a median of a few trials: more than copies of seconds have on a quiet host.
const NOISE: f64 = 0.015;

struct SimulationRandom(SplitMix64);

impl SimulationRandom {
    fn uniform(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * ((self.0.next_u64() >> 11) as f64 + 0.5) / (1u64 << 53) as f64
    }

    fn heads(&mut self) -> bool {
        self.0.next_u64() >> 63 == 1
    }

    fn normal(&mut self) -> f64 {
        (-2.0 * self.uniform(0.0, 1.0).ln()).sqrt() * (TAU * self.uniform(0.0, 1.0)).cos()
    }

    fn seen(&mut self, value: f64) -> f64 {
        value * (1.0 + NOISE * self.normal())
    }

    fn share(&mut self, value: f64) -> f64 {
        self.seen(value.min(100.0)).clamp(0.0, 100.0)
    }
}

/// Capacities in bit/s of payload; nothing observes the protocol.
#[derive(Clone, Copy, Debug)]
struct SimulatedCapacity {
    wire: f64,
    client: f64,
    server: f64,
    local: f64,
    disk: f64,
    protocol: f64,
}

impl SimulatedCapacity {
    fn of(chance: &mut SimulationRandom) -> SimulatedCapacity {
        let wire = 117.7 * MB;
        let mut more = |low, high| wire * chance.uniform(low, high);
        let [client, server] = [more(1.5, 6.0), more(1.5, 6.0)];
        let [local, disk, protocol] = [more(1.5, 20.0), more(1.5, 20.0), more(1.4, 5.0)];
        SimulatedCapacity { wire, client, server, local, disk, protocol }
    }

    fn capacity(&mut self, resource: LimitingResource) -> &mut f64 {
        match resource {
            LimitingResource::Wire => &mut self.wire,
            LimitingResource::ClientCpu => &mut self.client,
            LimitingResource::ServerCpu => &mut self.server,
            LimitingResource::ClientDisk => &mut self.local,
            LimitingResource::ServerDisk => &mut self.disk,
        }
    }

    fn with(mut self, planted: LimitingResource, chance: &mut SimulationRandom) -> SimulatedCapacity {
        let low = self.wire * chance.uniform(0.2, 0.6);
        if planted != LimitingResource::Wire {
            *self.capacity(planted) = low;
        }
        self
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Hosts {
    /// Own kernels, and disks that show their busy time.
    Apart,
    /// A lab on one kernel: CPU by quota, disks by throttle.
    Lab,
}

fn cpu(load: f64, hosts: Hosts, whole: f64, iowait: f64, chance: &mut SimulationRandom) -> CpuObservation {
    if hosts == Hosts::Apart {
        let busy = chance.share(load * 100.0);
        let busiest = chance.share((load * 130.0).min(100.0)).max(busy);
        let (threads, softirq, busy) = (load * 300.0, load * 20.0, Some(busy));
        return CpuObservation {
            busy,
            busiest,
            cpus: 4.0,
            shared: false,
            threads,
            softirq,
            iowait,
            quota: None,
        };
    }
    // The quota's periods are short: a lower load rarely has to wait.
    let throttled = ((load - 0.75) * 400.0).clamp(0.0, 98.0);
    let busy = Some(chance.share(whole * 100.0));
    let (busiest, softirq) = (chance.share((whole * 120.0).min(100.0)), whole * 30.0);
    let (used, throttled) = (Some(chance.share(load * 100.0)), chance.share(throttled));
    let quota = Some(CpuQuotaObservation { cpus: 0.4, used, throttled });
    CpuObservation { busy, busiest, cpus: 2.0, shared: true, threads: 20.0, softirq, iowait, quota }
}

fn observe(
    world: &SimulatedCapacity,
    way: FileDirection,
    hosts: Hosts,
    chance: &mut SimulationRandom,
) -> CopyObservations {
    // Nothing overlaps wholly: the second slowest costs a little, too.
    let smooth = chance.uniform(0.965, 0.995);
    let network = world.wire.min(world.client).min(world.server).min(world.protocol);
    let writes = way == FileDirection::Write;
    // The written disk takes what its cache held back at the end.
    let (read, written) = if writes { (world.local, world.disk) } else { (world.disk, world.local) };
    // Nothing is faster than the network, and both times are from one clock.
    let accepting = chance.seen(network.min(read) * smooth).min(world.wire);
    let behind = chance.uniform(0.0, 1.0);
    let flush_s = chance.seen((1.0 / written - behind / accepting).max(0.02 / accepting));
    let accepted_s = 1.0 / accepting;
    let rate = 1.0 / (accepted_s + flush_s);
    let limits = |capacity: f64| rate / capacity;
    let whole = (limits(world.client) * 0.2 + limits(world.server) * 0.2).min(1.0) + 0.15;
    let flush = flush_s * 100.0 / (accepted_s + flush_s);
    let local_wait = match writes {
        // A read waits most of the time, or hardly ever; a write is flushed.
        true if read < network => 85.0,
        true => 4.0,
        false => 4.0 + flush,
    };
    let server_reads = !writes && world.disk <= network;
    let iowait = if server_reads { 90.0 } else { chance.uniform(0.0, 30.0) };
    let throttled = hosts == Hosts::Lab;
    let busy = |capacity: f64, chance: &mut SimulationRandom| {
        let share = if throttled { chance.uniform(2.0, 12.0) } else { (limits(capacity) * 100.0).min(100.0) };
        Some(chance.share(share))
    };
    let alone = world.wire.min(world.protocol * 1.5).min(world.client * 1.3).min(world.server * 1.3);
    let spare = alone / (world.client * 1.3) < 0.85 && alone / (world.server * 1.3) < 0.85;
    let reading = world.local.min(world.client * 2.0);
    let local_spare = reading / (world.client * 2.0) < 0.8;
    CopyObservations {
        way,
        remote: true,
        mounted: false,
        rate,
        accepted: accepted_s * 100.0 / (accepted_s + flush_s),
        medium: Some((world.wire, "1000base-t".to_string())),
        net_only: spare.then(|| chance.seen(alone * 0.99)),
        clients: vec![cpu(limits(world.client), hosts, whole, iowait, chance)],
        server: cpu(limits(world.server), hosts, whole, iowait, chance),
        local_disk: Some(DiskObservation {
            busy: busy(world.local, chance),
            alone: local_spare.then(|| chance.seen(world.local * 0.99)),
            moved: None,
        }),
        place_disk: {
            let (busy, moved) = (busy(world.disk, chance), Some(chance.share(99.0)));
            Some(DiskObservation { busy, alone: None, moved })
        },
        local_wait: Some(chance.share(local_wait)),
        place_wait: Some(chance.share(96.0 - local_wait)),
    }
}

/// Number of right answers when each cause comes five times in random order; a wrong one fails the test.
fn right_of_25(seed: u64, hosts: Hosts) -> usize {
    let mut chance = SimulationRandom(SplitMix64::new(seed));
    let mut planted: Vec<LimitingResource> = LimitingResource::ALL.into_iter().flat_map(|c| [c; 5]).collect();
    SplitMix64::new(seed ^ 0xABCD).shuffle(&mut planted);
    let mut right = 0;
    for cause in planted {
        let world = SimulatedCapacity::of(&mut chance).with(cause, &mut chance);
        let way = if chance.heads() { FileDirection::Write } else { FileDirection::Read };
        let seen = observe(&world, way, hosts, &mut chance);
        let judged = determine_limiting_resource(&seen);
        match judged.cause {
            Some(found) if found == cause => right += 1,
            Some(_) => panic!("{seed}: planted {cause:?}, named {judged:#?} from {seen:#?}"),
            None => {}
        }
    }
    right
}

#[test]
fn planted_causes_are_found_and_none_is_wrong() {
    for hosts in [Hosts::Apart, Hosts::Lab] {
        let rounds: Vec<usize> = (0..400).map(|seed| right_of_25(seed, hosts)).collect();
        let enough = rounds.iter().filter(|right| **right >= 23).count();
        // 23 of 25 is required of a round; of many rounds one in a hundred may have a third undecided.
        assert!(enough * 100 >= rounds.len() * 99, "{enough} of {} rounds: {rounds:?}", rounds.len());
    }
}

#[test]
fn with_nothing_planted_no_more_is_named_than_there_is() {
    let mut chance = SimulationRandom(SplitMix64::new(77));
    for hosts in [Hosts::Apart, Hosts::Lab] {
        for _ in 0..2_000 {
            let mut world = SimulatedCapacity::of(&mut chance);
            // An unsaturated network: the bottleneck is the protocol, or anything by a hair.
            world.wire *= chance.uniform(0.8, 10.0);
            let way = if chance.heads() { FileDirection::Write } else { FileDirection::Read };
            let judged = determine_limiting_resource(&observe(&world, way, hosts, &mut chance));
            let Some(named) = judged.cause else { continue };
            // The named resource could not have done a quarter more, whatever else was faster.
            let least =
                LimitingResource::ALL.into_iter().map(|r| *world.capacity(r)).fold(f64::MAX, f64::min);
            let (least, at) = (least.min(world.protocol), *world.capacity(named));
            assert!(at <= least * 1.25, "{named:?} at {at} of {least} in {world:?}: {judged:?}");
        }
    }
}
