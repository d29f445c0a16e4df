//! How much of each resource a copy used.

use super::observations::{CpuSeen, DiskSeen, Observations, QuotaSeen};
use super::thresholds::*;
use super::wording::{megabytes, percent};
use goodput_model::file::FileWay;
use goodput_model::summary::{FileCause, Level};

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Used {
    pub resource: FileCause,
    pub level: Level,
    /// True when saturation of anything else could have gained little.
    pub is_limiting: bool,
    pub text: String,
}

type Found = (Level, bool, String);

fn unknown() -> Found {
    (Level::Unknown, false, "not measured".to_string())
}

pub(super) fn all(seen: &Observations) -> Vec<Used> {
    let mut used = Vec::new();
    let mut add = |resource, (level, is_limiting, text): Found| {
        used.push(Used { resource, level, is_limiting, text });
    };
    if seen.remote {
        add(FileCause::Wire, wire(seen));
    }
    let moving = seen.moving();
    add(FileCause::ClientCpu, clients(&seen.clients, moving));
    if seen.remote {
        add(FileCause::ServerCpu, cpu(&seen.server, false, moving));
    }
    let local = seen.local_disk.as_ref().map(|disk| local_disk(seen, disk));
    let place = seen.place_disk.as_ref().map(|disk| place_disk(seen, disk));
    // A folder of the client has its disk there, too: the busier one counts.
    let (clients, servers) = if seen.remote { (local, place) } else { (fuller(local, place), None) };
    if let Some(found) = clients {
        add(FileCause::ClientDisk, found);
    }
    if let Some(found) = servers {
        add(FileCause::ServerDisk, found);
    }
    used
}

fn fuller(one: Option<Found>, other: Option<Found>) -> Option<Found> {
    [one, other].into_iter().flatten().max_by_key(|(level, is_limiting, _)| (*level, *is_limiting))
}

/// Why these values cannot be a copy over this network.
pub(super) fn impossible(seen: &Observations) -> Option<String> {
    let (allowed, name) = seen.medium.as_ref().filter(|_| seen.remote)?;
    let rate = seen.moving_rate().max(seen.rate);
    (rate > allowed * IMPOSSIBLE).then(|| {
        format!(
            "it reached {}, more than the {} that {name} carries, so a cache on the client served the data",
            megabytes(rate),
            megabytes(*allowed)
        )
    })
}

/// The rate against the lower of the medium's limit and the rate of the network alone.
fn wire(seen: &Observations) -> Found {
    let rate = seen.moving_rate();
    // A rate that the copy exceeded was not the network's limit.
    let carried = seen.net_only.filter(|net| rate <= net * IMPOSSIBLE);
    let medium = seen.medium.as_ref().map(|(bps, name)| (*bps, format!("that {name} allows")));
    let of_medium = seen.medium.as_ref().map(|(bps, name)| format!(" ({name} allows {})", megabytes(*bps)));
    let alone =
        carried.map(|bps| (bps, format!("measured for the network alone{}", of_medium.unwrap_or_default())));
    let least = [medium, alone].into_iter().flatten().min_by(|a, b| a.0.total_cmp(&b.0));
    let Some((allowed, whose)) = least.filter(|(bps, _)| *bps > 0.0) else { return unknown() };
    let share = rate * 100.0 / allowed;
    let text = format!("{} of the {} {whose}", percent(share), megabytes(allowed));
    // A copy that mostly waited for its own disk did not wait for the network.
    let elsewhere = seen.local_wait.is_some_and(|wait| wait > OTHER_WAIT);
    match share {
        s if s >= WIRE && elsewhere => (Level::Near, false, text),
        s if s >= WIRE => (Level::Saturated, s >= WIRE_END, text),
        s if s >= WIRE_NEAR => (Level::Near, false, text),
        _ => (Level::Clear, false, text),
    }
}

/// All clients must be saturated; a single one limits only its own part.
fn clients(seen: &[CpuSeen], moving: f64) -> Found {
    let found: Vec<Found> = seen.iter().map(|one| cpu(one, true, moving)).collect();
    let least = found.iter().min_by_key(|(level, is_limiting, _)| (*level, *is_limiting));
    let most = found.iter().max_by_key(|(level, is_limiting, _)| (*level, *is_limiting));
    match (least, most) {
        (Some(least), Some(_)) if least.0 == Level::Saturated => least.clone(),
        (Some(_), Some(most)) => (most.0.min(Level::Near), false, most.2.clone()),
        _ => unknown(),
    }
}

/// While data moved: of the quota where there is one, and of the CPUs.
fn cpu(seen: &CpuSeen, client: bool, moving: f64) -> Found {
    let seen = &while_moving(seen, moving);
    let whole = processors(seen, client);
    // The CPUs may be saturated below an unused quota.
    match seen.quota.as_ref().map(quota) {
        Some(of_quota) if of_quota.0 >= whole.0 => of_quota,
        _ => whole,
    }
}

/// CPU use over the part of the time in which data moved; there was none in the rest.
fn while_moving(seen: &CpuSeen, part: f64) -> CpuSeen {
    let of = |percent: f64| (percent * 100.0 / part).min(100.0);
    CpuSeen {
        busy: seen.busy.map(of),
        busiest: of(seen.busiest),
        threads: seen.threads * 100.0 / part,
        softirq: of(seen.softirq),
        quota: seen.quota.map(|q| QuotaSeen { used: q.used.map(of), ..q }),
        ..*seen
    }
}

impl CpuSeen {
    /// True when the host is known to have spare CPU time, also of its quota.
    pub fn has_spare(&self) -> bool {
        processors(self, false).0 == Level::Clear
            && self.quota.as_ref().is_none_or(|q| quota(q).0 == Level::Clear)
    }
}

fn quota(seen: &QuotaSeen) -> Found {
    let of = if seen.cpus == 1.0 { "1 CPU".to_string() } else { format!("{:.2} CPUs", seen.cpus) };
    let throttled = format!("throttled in {} of the quota periods", percent(seen.throttled));
    let Some(used) = seen.used else {
        let text = format!("a quota of {of}, {throttled}");
        return match seen.throttled {
            t if t >= THROTTLED_ALONE => (Level::Saturated, true, text),
            t if t >= THROTTLED => (Level::Near, false, text),
            _ => (Level::Clear, false, text),
        };
    };
    let text = format!("{} of its quota of {of} ({throttled})", percent(used));
    let sender_limited = seen.throttled >= THROTTLED;
    match used {
        u if u >= QUOTA && sender_limited => (Level::Saturated, u >= QUOTA_END, text),
        u if u >= QUOTA_NEAR || sender_limited => (Level::Near, false, text),
        _ => (Level::Clear, false, text),
    }
}

fn processors(seen: &CpuSeen, client: bool) -> Found {
    let Some(busy) = seen.busy else { return unknown() };
    let all = if seen.cpus <= 1.0 { "its CPU".to_string() } else { format!("its {:.0} CPUs", seen.cpus) };
    let mut text = format!("{} of {all}", percent(busy));
    if seen.cpus > 1.0 {
        text.push_str(&format!(", busiest CPU {}", percent(seen.busiest)));
    }
    let nearly = busy >= CPU_NEAR || seen.busiest >= BUSIEST_NEAR;
    if seen.shared {
        let level = if nearly { Level::Near } else { Level::Clear };
        return (level, false, format!("{text}, which includes the work of both ends"));
    }
    // Threads are in per cent of one CPU, soft interrupts of all.
    let own = seen.threads + seen.softirq * seen.cpus;
    let ours = !client || own >= busy * seen.cpus * OWN_SHARE / 100.0;
    let one_is_ours = client && (OWN_WORK..=ONE_CPUS_WORK).contains(&own) && seen.threads >= OWN_THREADS;
    if busy >= CPU && ours {
        return (Level::Saturated, busy >= CPU_END, text);
    }
    if seen.busiest >= BUSIEST && one_is_ours {
        return (Level::Saturated, false, text);
    }
    (if nearly { Level::Near } else { Level::Clear }, false, text)
}

/// Read by a write, written (and flushed) by a read.
fn local_disk(seen: &Observations, disk: &DiskSeen) -> Found {
    let flush = (seen.way == FileWay::Read).then(|| seen.flush());
    let rate = if seen.way == FileWay::Write { seen.moving_rate() } else { seen.rate };
    disk_used(disk, rate, flush, seen.local_wait)
}

fn place_disk(seen: &Observations, disk: &DiskSeen) -> Found {
    let flush = (seen.way == FileWay::Write).then(|| seen.flush());
    let found = disk_used(disk, seen.rate, flush, seen.place_wait);
    if found.0 >= Level::Saturated || !seen.remote {
        return found;
    }
    // A throttle holds requests before the device counts them; the server's iowait shows them, unless it can
    // be the client's.
    let others = seen.server.shared && seen.local_wait.is_some_and(|wait| wait > LITTLE_WAIT);
    let unsure = seen.server.shared && seen.local_disk.is_some() && seen.local_wait.is_none();
    let (Some(moved), Some(wait), Some(_)) = (disk.moved, seen.place_wait, seen.server.busy) else {
        return found;
    };
    if others || unsure || moved < MOVED || wait < PLACE_WAIT {
        return found;
    }
    let text = format!(
        "for {} of the window a process on the server waited for a disk, which transferred {} of the payload",
        percent(seen.server.iowait.min(100.0)),
        percent(moved.min(100.0))
    );
    match seen.server.iowait {
        w if w >= IOWAIT => (Level::Saturated, false, text),
        w if w >= IOWAIT_NEAR => (found.0.max(Level::Near), false, text),
        _ => found,
    }
}

/// From the rate of the disk alone, its busy time, and the flush.
fn disk_used(disk: &DiskSeen, rate: f64, flush: Option<f64>, wait: Option<f64>) -> Found {
    let share = disk.alone.filter(|alone| *alone > 0.0).map(|alone| rate * 100.0 / alone);
    let mut figures = Vec::new();
    if let (Some(share), Some(alone)) = (share, disk.alone) {
        figures.push(format!("{} of the {} measured for it alone", percent(share), megabytes(alone)));
    }
    if let Some(busy) = disk.busy {
        figures.push(format!("busy {} of the time", percent(busy)));
    }
    if let Some(flush) = flush.filter(|f| *f >= 1.0) {
        figures.push(format!("{} of the time was spent in the flush", percent(flush)));
    }
    let text = super::wording::listed(&figures);
    if flush.is_some_and(|f| f >= FLUSH) {
        return (Level::Saturated, true, text);
    }
    let level = match (share, disk.busy) {
        (Some(s), _) if s >= DISK => Level::Saturated,
        (Some(s), Some(b)) if b >= BUSY && s >= BUSY_AND_FAST => Level::Saturated,
        (None, Some(b)) if b >= BUSY => Level::Saturated,
        (Some(s), _) if s >= DISK_NEAR => Level::Near,
        (_, Some(b)) if b >= BUSY_NEAR => Level::Near,
        (None, None) => Level::Unknown,
        _ => Level::Clear,
    };
    let level = if flush.is_some_and(|f| f >= FLUSH_NEAR) { level.max(Level::Near) } else { level };
    if level == Level::Unknown {
        return unknown();
    }
    // A copy must have waited for whatever limits it.
    if level == Level::Saturated && wait.is_some_and(|w| w < MIN_WAIT) {
        return (Level::Near, false, format!("{text}, although the copy rarely waited for it"));
    }
    let is_limiting = level == Level::Saturated && share.is_some_and(|s| s >= DISK_END);
    (level, is_limiting, text)
}
