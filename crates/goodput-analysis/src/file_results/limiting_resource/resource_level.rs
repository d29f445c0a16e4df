//! How much of each resource a copy used.

use super::observations::{CopyObservations, CpuObservation, CpuQuotaObservation, DiskObservation};
use super::thresholds::*;
use super::wording::{and_list, megabytes_arg};
use goodput_model::file::FileDirection;
use goodput_model::summary::{LimitingResource, SaturationLevel};
use goodput_model::{Message, MessageArg};
use goodput_words::message;
use goodput_words::message_argument::{fixed_decimals_arg, percent_arg};

#[derive(Debug, Clone, PartialEq)]
pub(super) struct ResourceSaturation {
    pub resource: LimitingResource,
    pub level: SaturationLevel,
    /// True when saturation of anything else could have gained little.
    pub is_limiting: bool,
    pub text: Message,
}

type Found = (SaturationLevel, bool, Message);

fn unknown() -> Found {
    (SaturationLevel::Unknown, false, message!(part_not_measured))
}

pub(super) fn resource_saturations(seen: &CopyObservations) -> Vec<ResourceSaturation> {
    let mut used = Vec::new();
    let mut add = |resource, (level, is_limiting, text): Found| {
        used.push(ResourceSaturation { resource, level, is_limiting, text });
    };
    if seen.remote {
        add(LimitingResource::Wire, wire(seen));
    }
    let moving = seen.data_phase_time_percent();
    add(LimitingResource::ClientCpu, clients(&seen.clients, moving));
    if seen.remote {
        add(LimitingResource::ServerCpu, cpu(&seen.server, false, moving));
    }
    let local = seen.local_disk.as_ref().map(|disk| local_disk(seen, disk));
    let place = seen.place_disk.as_ref().map(|disk| place_disk(seen, disk));
    // A folder of the client has its disk there, too: the busier one counts.
    let (clients, servers) = if seen.remote { (local, place) } else { (fuller(local, place), None) };
    if let Some(found) = clients {
        add(LimitingResource::ClientDisk, found);
    }
    if let Some(found) = servers {
        add(LimitingResource::ServerDisk, found);
    }
    used
}

fn fuller(one: Option<Found>, other: Option<Found>) -> Option<Found> {
    [one, other].into_iter().flatten().max_by_key(|(level, is_limiting, _)| (*level, *is_limiting))
}

/// Why these values cannot be a copy over this network.
pub(super) fn explain_impossible_rate(seen: &CopyObservations) -> Option<Message> {
    let (allowed, medium) = seen.medium.as_ref().filter(|_| seen.remote)?;
    let rate = seen.data_phase_rate().max(seen.rate);
    (rate > allowed * IMPOSSIBLE_RATE_FACTOR).then(|| {
        let (rate, allowed) = (megabytes_arg(rate), megabytes_arg(*allowed));
        message!(part_cause_impossible { rate, allowed, medium })
    })
}

/// The rate against the lower of the medium's limit and the rate of the network alone.
fn wire(seen: &CopyObservations) -> Found {
    let rate = seen.data_phase_rate();
    // A rate that the copy exceeded was not the network's limit.
    let carried = seen.net_only.filter(|net| rate <= net * IMPOSSIBLE_RATE_FACTOR);
    let of_medium = seen.medium.as_ref().filter(|(bps, _)| carried.is_none_or(|net| *bps <= net));
    let least = of_medium.map(|(bps, _)| *bps).or(carried);
    let Some(allowed) = least.filter(|bps| *bps > 0.0) else { return unknown() };
    let percent = rate * 100.0 / allowed;
    let (share, rate) = (percent_arg(percent), megabytes_arg(allowed));
    let text = match (of_medium, &seen.medium) {
        (Some((_, medium)), _) => message!(part_of_what_medium_allows { share, rate, medium }),
        (None, Some((limit, medium))) => {
            let limit = megabytes_arg(*limit);
            message!(part_of_what_the_network_carried_allows { share, rate, medium, limit })
        }
        (None, None) => message!(part_of_what_the_network_carried { share, rate }),
    };
    // A copy that mostly waited for its own disk did not wait for the network.
    let elsewhere = seen.local_wait.is_some_and(|wait| wait > MAX_LOCAL_DISK_WAIT_PERCENT);
    match percent {
        s if s >= WIRE_SATURATED_PERCENT && elsewhere => (SaturationLevel::Near, false, text),
        s if s >= WIRE_SATURATED_PERCENT => (SaturationLevel::Saturated, s >= WIRE_LIMITING_PERCENT, text),
        s if s >= WIRE_NEARLY_SATURATED_PERCENT => (SaturationLevel::Near, false, text),
        _ => (SaturationLevel::Clear, false, text),
    }
}

/// All clients must be saturated; a single one limits only its own part.
fn clients(seen: &[CpuObservation], moving: f64) -> Found {
    let found: Vec<Found> = seen.iter().map(|one| cpu(one, true, moving)).collect();
    let least = found.iter().min_by_key(|(level, is_limiting, _)| (*level, *is_limiting));
    let most = found.iter().max_by_key(|(level, is_limiting, _)| (*level, *is_limiting));
    match (least, most) {
        (Some(least), Some(_)) if least.0 == SaturationLevel::Saturated => least.clone(),
        (Some(_), Some(most)) => (most.0.min(SaturationLevel::Near), false, most.2.clone()),
        _ => unknown(),
    }
}

/// While data moved: of the quota where there is one, and of the CPUs.
fn cpu(seen: &CpuObservation, client: bool, moving: f64) -> Found {
    let seen = &while_moving(seen, moving);
    let whole = processors(seen, client);
    // The CPUs may be saturated below an unused quota.
    match seen.quota.as_ref().map(quota) {
        Some(of_quota) if of_quota.0 >= whole.0 => of_quota,
        _ => whole,
    }
}

/// CPU use over the part of the time in which data moved; there was none in the rest.
fn while_moving(seen: &CpuObservation, part: f64) -> CpuObservation {
    let of = |percent: f64| (percent * 100.0 / part).min(100.0);
    CpuObservation {
        busy: seen.busy.map(of),
        busiest: of(seen.busiest),
        threads: seen.threads * 100.0 / part,
        softirq: of(seen.softirq),
        quota: seen.quota.map(|q| CpuQuotaObservation { used: q.used.map(of), ..q }),
        ..*seen
    }
}

impl CpuObservation {
    /// True when the host is known to have spare CPU time, also of its quota.
    pub fn has_spare_cpu_time(&self) -> bool {
        processors(self, false).0 == SaturationLevel::Clear
            && self.quota.as_ref().is_none_or(|q| quota(q).0 == SaturationLevel::Clear)
    }
}

fn quota(seen: &CpuQuotaObservation) -> Found {
    let cpus: MessageArg = if seen.cpus == 1.0 { 1u64.into() } else { fixed_decimals_arg(seen.cpus, 2, "") };
    let throttled = percent_arg(seen.throttled);
    let Some(used) = seen.used else {
        let text = message!(part_file_quota_waited { cpus, throttled });
        return match seen.throttled {
            t if t >= MIN_THROTTLED_PERIODS_IF_USAGE_UNKNOWN => (SaturationLevel::Saturated, true, text),
            t if t >= MIN_THROTTLED_PERIODS_PERCENT => (SaturationLevel::Near, false, text),
            _ => (SaturationLevel::Clear, false, text),
        };
    };
    let text = message!(part_file_quota_used { used: percent_arg(used), cpus, throttled });
    let sender_limited = seen.throttled >= MIN_THROTTLED_PERIODS_PERCENT;
    match used {
        u if u >= CPU_QUOTA_SATURATED_PERCENT && sender_limited => {
            (SaturationLevel::Saturated, u >= CPU_QUOTA_LIMITING_PERCENT, text)
        }
        u if u >= CPU_QUOTA_NEARLY_SATURATED_PERCENT || sender_limited => {
            (SaturationLevel::Near, false, text)
        }
        _ => (SaturationLevel::Clear, false, text),
    }
}

fn processors(seen: &CpuObservation, client: bool) -> Found {
    let Some(busy) = seen.busy else { return unknown() };
    let text = if seen.cpus > 1.0 {
        let (count, busiest) = (seen.cpus.round_ties_even() as u64, percent_arg(seen.busiest));
        message!(part_of_its_cpus_busiest { busy: percent_arg(busy), count, busiest })
    } else {
        message!(part_of_its_cpu { busy: percent_arg(busy) })
    };
    let nearly = busy >= CPU_NEARLY_SATURATED_PERCENT || seen.busiest >= BUSIEST_CPU_NEARLY_SATURATED_PERCENT;
    if seen.shared {
        let level = if nearly { SaturationLevel::Near } else { SaturationLevel::Clear };
        return (level, false, message!(part_which_is_the_work_of_both { used: text }));
    }
    // Threads are in per cent of one CPU, soft interrupts of all.
    let own = seen.threads + seen.softirq * seen.cpus;
    let ours = !client || own >= busy * seen.cpus * MIN_COPY_CPU_SHARE_PERCENT / 100.0;
    let one_is_ours = client
        && (MIN_COPY_AND_SOFTIRQ_CPU_PERCENT..=MAX_SINGLE_THREAD_CPU_PERCENT).contains(&own)
        && seen.threads >= MIN_COPY_THREADS_CPU_PERCENT;
    if busy >= CPU_SATURATED_PERCENT && ours {
        return (SaturationLevel::Saturated, busy >= CPU_LIMITING_PERCENT, text);
    }
    if seen.busiest >= BUSIEST_CPU_SATURATED_PERCENT && one_is_ours {
        return (SaturationLevel::Saturated, false, text);
    }
    (if nearly { SaturationLevel::Near } else { SaturationLevel::Clear }, false, text)
}

/// Read by a write, written (and flushed) by a read.
fn local_disk(seen: &CopyObservations, disk: &DiskObservation) -> Found {
    let flush = (seen.way == FileDirection::Read).then(|| seen.flush_time_percent());
    let rate = if seen.way == FileDirection::Write { seen.data_phase_rate() } else { seen.rate };
    disk_used(disk, rate, flush, seen.local_wait)
}

fn place_disk(seen: &CopyObservations, disk: &DiskObservation) -> Found {
    let flush = (seen.way == FileDirection::Write).then(|| seen.flush_time_percent());
    let found = disk_used(disk, seen.rate, flush, seen.place_wait);
    if found.0 >= SaturationLevel::Saturated || !seen.remote {
        return found;
    }
    // A throttle holds requests before the device counts them; the server's iowait shows them, unless it can
    // be the client's.
    let others =
        seen.server.shared && seen.local_wait.is_some_and(|wait| wait > MAX_NEGLIGIBLE_DISK_WAIT_PERCENT);
    let unsure = seen.server.shared && seen.local_disk.is_some() && seen.local_wait.is_none();
    let (Some(moved), Some(wait), Some(_)) = (disk.moved, seen.place_wait, seen.server.busy) else {
        return found;
    };
    if others || unsure || moved < MIN_PAYLOAD_THROUGH_DISK_PERCENT || wait < MIN_REMOTE_DISK_WAIT_PERCENT {
        return found;
    }
    let (share, moved) = (percent_arg(seen.server.iowait.min(100.0)), percent_arg(moved.min(100.0)));
    let text = message!(part_somebody_waited_for_a_disk { share, moved });
    match seen.server.iowait {
        w if w >= IOWAIT_SATURATED_PERCENT => (SaturationLevel::Saturated, false, text),
        w if w >= IOWAIT_NEARLY_SATURATED_PERCENT => (found.0.max(SaturationLevel::Near), false, text),
        _ => found,
    }
}

/// From the rate of the disk alone, its busy time, and the flush.
fn disk_used(disk: &DiskObservation, rate: f64, flush: Option<f64>, wait: Option<f64>) -> Found {
    let share = disk.alone.filter(|alone| *alone > 0.0).map(|alone| rate * 100.0 / alone);
    let mut figures = Vec::new();
    if let (Some(share), Some(alone)) = (share, disk.alone) {
        let (share, rate) = (percent_arg(share), megabytes_arg(alone));
        figures.push(message!(part_of_what_it_does_alone { share, rate }));
    }
    if let Some(busy) = disk.busy {
        figures.push(message!(part_busy_of_the_time { share: percent_arg(busy) }));
    }
    if let Some(flush) = flush.filter(|f| *f >= 1.0) {
        figures.push(message!(part_went_into_the_flush { share: percent_arg(flush) }));
    }
    let text = and_list(figures);
    if flush.is_some_and(|f| f >= FLUSH_TIME_SATURATED_PERCENT) {
        return (SaturationLevel::Saturated, true, text);
    }
    let level = match (share, disk.busy) {
        (Some(s), _) if s >= DISK_RATE_SATURATED_PERCENT => SaturationLevel::Saturated,
        (Some(s), Some(b))
            if b >= DISK_BUSY_SATURATED_PERCENT && s >= DISK_RATE_SATURATED_WHILE_BUSY_PERCENT =>
        {
            SaturationLevel::Saturated
        }
        (None, Some(b)) if b >= DISK_BUSY_SATURATED_PERCENT => SaturationLevel::Saturated,
        (Some(s), _) if s >= DISK_RATE_NEARLY_SATURATED_PERCENT => SaturationLevel::Near,
        (_, Some(b)) if b >= DISK_BUSY_NEARLY_SATURATED_PERCENT => SaturationLevel::Near,
        (None, None) => SaturationLevel::Unknown,
        _ => SaturationLevel::Clear,
    };
    let level = if flush.is_some_and(|f| f >= FLUSH_TIME_NEARLY_SATURATED_PERCENT) {
        level.max(SaturationLevel::Near)
    } else {
        level
    };
    if level == SaturationLevel::Unknown {
        return unknown();
    }
    // A copy must have waited for whatever limits it.
    if level == SaturationLevel::Saturated && wait.is_some_and(|w| w < MIN_LIMITING_DISK_WAIT_PERCENT) {
        return (SaturationLevel::Near, false, message!(part_copy_hardly_waited { used: text }));
    }
    let is_limiting =
        level == SaturationLevel::Saturated && share.is_some_and(|s| s >= DISK_RATE_LIMITING_PERCENT);
    (level, is_limiting, text)
}
