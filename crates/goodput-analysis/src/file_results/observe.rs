//! Derives observations from the copies of a run, and writes the verdict's sentence.

use super::Measured;
use super::copies::{CopyGroup, copy_time_ns};
use super::limiting_resource::{
    self, CopyObservations, CpuObservation, CpuQuotaObservation, DiskObservation, LimitingResourceVerdict,
};
use super::location::{has_remote_files, is_memory_file_system, is_network_file_system};
use crate::descriptive_statistics::median;
use goodput_model::Message;
use goodput_model::file::{FileDirection, FileLocation, SinkStorageKind};
use goodput_model::host::CpuAccountingScope;
use goodput_model::summary::{
    CpuSummary, FileCopyKind, FileCopyVerdict, HostSummary, LimitingResource, SaturationLevel, TrialSummary,
};
use goodput_model::trial::EndpointRole;
use goodput_words::message;

pub(super) fn limiting_resource_verdicts(groups: &[CopyGroup<'_>]) -> Vec<FileCopyVerdict> {
    let asked = groups.iter().filter(|g| g.kind == FileCopyKind::Copy);
    asked.filter_map(|group| Some(verdict(group, &observations(group, groups)?))).collect()
}

fn verdict(group: &CopyGroup<'_>, seen: &CopyObservations) -> FileCopyVerdict {
    let judged = limiting_resource::determine_limiting_resource(seen);
    FileCopyVerdict {
        way: group.way,
        place: group.format_location(),
        trials: group.trials.iter().map(|t| t.summary.trial).collect(),
        rate_bps: seen.rate.round() as u64,
        cause: judged.cause,
        text: clause(group, seen, &judged),
        evidence: evidence(seen, &judged),
        try_next: next_step(group, seen, judged.cause),
        resources: judged.resources,
    }
}

/// An agent's disk can be tested by a diagnosis.
fn next_step(group: &CopyGroup<'_>, seen: &CopyObservations, cause: Option<LimitingResource>) -> Message {
    let is_agents_disk =
        matches!(&group.settings.place, FileLocation::Sink { sink: SinkStorageKind::Disk { .. } });
    if cause.is_none() && is_agents_disk && seen.place_disk.is_some() {
        let direction = if group.way == FileDirection::Read { " --direction receive" } else { "" };
        return message!(report_try_why_disk { command: format!("HOST:disk{direction}") });
    }
    limiting_resource::suggested_next_step(cause, seen).into()
}

/// For example `writing to smb://nas/media reached 115.2 MB/s, limited by the network link: 97.9 % of …`.
fn clause(group: &CopyGroup<'_>, seen: &CopyObservations, judged: &LimitingResourceVerdict) -> Message {
    let (place, why) = (group.format_location(), judged.because.clone());
    let what = match seen.way {
        FileDirection::Write => message!(part_file_writing_to { place }),
        FileDirection::Read => message!(part_file_reading_from { place }),
    };
    let mut rate = limiting_resource::megabytes_arg(seen.rate);
    if seen.accepted < 99.95 {
        rate = message!(part_file_including_flush { rate }).into();
    }
    let whose = match judged.cause {
        // Below a folder of the client there may be two of its disks.
        Some(LimitingResource::ClientDisk) if !seen.remote => message!(part_file_disk_of_this_host),
        Some(cause) => cause.description().into(),
        None => return message!(part_file_limit_unknown { what, rate, why }),
    };
    message!(part_file_limited_by { what, rate, whose, why })
}

fn evidence(seen: &CopyObservations, judged: &LimitingResourceVerdict) -> Vec<String> {
    let mut all = vec![format!("copy = {} bit/s", seen.rate.round())];
    if seen.accepted < 99.95 {
        all.push(format!("accepted after {:.1} % of the time", seen.accepted));
    }
    all.extend(seen.medium.iter().map(|(bps, name)| format!("{name} = {} bit/s", bps.round())));
    all.extend(seen.net_only.map(|bps| format!("net only = {} bit/s", bps.round())));
    all.extend(
        seen.local_disk.and_then(|d| d.alone).map(|bps| format!("local disk alone = {} bit/s", bps.round())),
    );
    all.extend(seen.local_wait.map(|w| format!("waited for the local disk {w:.1} %")));
    all.extend(seen.place_wait.map(|w| format!("waited for the place {w:.1} %")));
    all.extend(
        judged.resources.iter().map(|r| format!("{}: {} ({})", bare(r.resource), level(r.level), r.text)),
    );
    all
}

fn bare(cause: LimitingResource) -> &'static str {
    cause.description().trim_start_matches("the ")
}

fn level(level: SaturationLevel) -> &'static str {
    match level {
        SaturationLevel::Unknown => "unknown",
        SaturationLevel::Clear => "not saturated",
        SaturationLevel::Near => "nearly saturated",
        SaturationLevel::Saturated => "saturated",
    }
}

fn observations(group: &CopyGroup<'_>, groups: &[CopyGroup<'_>]) -> Option<CopyObservations> {
    let trials = &group.trials;
    let first = trials.first()?;
    let file_system = first.file.facts.file_system.as_deref();
    let remote = has_remote_files(&group.settings, file_system);
    let bytes = |t: &Measured<'_>| t.summary.bytes.unwrap_or(0) as f64;
    let rate = middle(trials, |t| Some(bytes(t) * 8e9 / copy_time_ns(t).max(1) as f64))?;
    let accepted = middle(trials, |t| {
        Some(t.file.accepted_ns? as f64 * 100.0 / copy_time_ns(t).max(1) as f64)
            .filter(|_| t.file.durable_ns.is_some())
    });
    let limit = trials.iter().find_map(|t| {
        let limit = &t.summary.limit;
        Some((limit.goodput_bps? as f64, limit.limiting_medium_or_bus().unwrap_or("the medium").to_string()))
    });
    let clients = clients(trials);
    Some(CopyObservations {
        way: group.way,
        remote,
        mounted: file_system.is_some_and(is_network_file_system)
            && matches!(group.settings.place, FileLocation::Folder { .. }),
        rate,
        accepted: accepted.unwrap_or(100.0).clamp(0.0, 100.0),
        medium: limit,
        net_only: net_only(group, groups),
        server: server(trials),
        local_disk: group.local.as_ref().map(|path| DiskObservation {
            busy: middle(trials, |t| t.file.local_disk.as_ref().map(|d| d.busy_percent)),
            alone: local_alone(path, group, groups, &clients),
            moved: None,
        }),
        place_disk: has_disk(&group.settings.place, file_system).then(|| DiskObservation {
            busy: middle(trials, |t| t.file.place_disk.as_ref().map(|d| d.busy_percent)),
            alone: None,
            moved: moved(group),
        }),
        local_wait: middle(trials, |t| t.file.local_wait_percent),
        place_wait: middle(trials, |t| t.file.place_wait_percent),
        clients,
    })
}

/// `None` unless more than half of the trials have a value.
fn middle(trials: &[Measured<'_>], figure: impl Fn(&Measured<'_>) -> Option<f64>) -> Option<f64> {
    let known: Vec<f64> = trials.iter().filter_map(figure).filter(|v| v.is_finite()).collect();
    if known.len() * 2 > trials.len() { median(&known) } else { None }
}

/// What passed the place's disk in the direction of the copy, as a share of the payload.
fn moved(group: &CopyGroup<'_>) -> Option<f64> {
    middle(&group.trials, |t| {
        let disk = t.file.place_disk.as_ref()?;
        let passed = if group.way == FileDirection::Write { disk.written_bps } else { disk.read_bps };
        let payload = t.summary.goodput_bps.filter(|b| *b > 0)?;
        Some(passed as f64 * 100.0 / payload as f64)
    })
}

fn has_disk(place: &FileLocation, file_system: Option<&str>) -> bool {
    match place {
        FileLocation::Folder { .. } => !file_system.is_some_and(is_memory_file_system),
        FileLocation::Smb { .. } | FileLocation::Nfs { .. } => true,
        FileLocation::Sink { sink } => {
            matches!(sink, SinkStorageKind::Disk { .. }) && !file_system.is_some_and(is_memory_file_system)
        }
    }
}

/// The rate of the network alone, if no CPU was nearly saturated then. A folder's network may be another one.
fn net_only(group: &CopyGroup<'_>, groups: &[CopyGroup<'_>]) -> Option<f64> {
    let beside = groups.iter().find(|g| {
        g.kind == FileCopyKind::NetOnly && g.way == group.way && g.settings.clients == group.settings.clients
    })?;
    if matches!(group.settings.place, FileLocation::Folder { .. }) {
        return None;
    }
    let spare =
        clients(&beside.trials).iter().chain([&server(&beside.trials)]).all(|c| c.has_spare_cpu_time());
    spare.then(|| middle(&beside.trials, |t| t.summary.goodput_bps.map(|b| b as f64))).flatten()
}

/// The rate of the local disk alone, unless a CPU was nearly saturated. Where that copy was too short for its
/// CPU use, that of the copy to the place counts, which is higher.
fn local_alone(
    path: &str,
    group: &CopyGroup<'_>,
    groups: &[CopyGroup<'_>],
    copying: &[CpuObservation],
) -> Option<f64> {
    let beside = groups.iter().find(|g| {
        g.kind == FileCopyKind::LocalAlone
            && g.way != group.way
            && g.settings.clients == group.settings.clients
            && matches!(&g.settings.place, FileLocation::Folder { path: p } if p == path)
    })?;
    let alone = clients(&beside.trials);
    let spare =
        if alone.iter().all(|c| c.busy.is_some() || c.quota.is_some()) { &alone[..] } else { copying };
    let in_memory =
        beside.trials.iter().any(|t| t.file.facts.file_system.as_deref().is_some_and(is_memory_file_system));
    // Memory is copied by the CPU.
    let usable = spare.iter().all(CpuObservation::has_spare_cpu_time) && !in_memory;
    usable
        .then(|| {
            middle(&beside.trials, |t| Some(t.summary.bytes? as f64 * 8e9 / copy_time_ns(t).max(1) as f64))
        })
        .flatten()
}

fn clients(trials: &[Measured<'_>]) -> Vec<CpuObservation> {
    let mut names: Vec<&str> = Vec::new();
    for host in trials.iter().flat_map(|t| &t.summary.hosts).filter(|h| h.role == EndpointRole::Connect) {
        if !names.contains(&host.name.as_str()) {
            names.push(&host.name);
        }
    }
    let seen: Vec<CpuObservation> = names
        .into_iter()
        .map(|name| cpu(trials, |h: &HostSummary| h.role == EndpointRole::Connect && h.name == name))
        .collect();
    if seen.is_empty() { vec![CpuObservation::default()] } else { seen }
}

fn server(trials: &[Measured<'_>]) -> CpuObservation {
    cpu(trials, |h| h.role == EndpointRole::Listen)
}

fn cpu(trials: &[Measured<'_>], wanted: impl Fn(&HostSummary) -> bool) -> CpuObservation {
    let of = |s: &TrialSummary| s.hosts.iter().find(|h| wanted(h)).and_then(|h| h.cpu.clone());
    let middle = |figure: &dyn Fn(&CpuSummary) -> Option<f64>| middle(trials, |t| figure(&of(t.summary)?));
    let plain = |figure: fn(&CpuSummary) -> f64| middle(&|c| Some(figure(c))).unwrap_or(0.0);
    let shared = trials.iter().any(|t| of(t.summary).is_some_and(|c| is_shared(&c, t.summary)));
    let throttled = middle(&|c| Some(c.quota?.throttled_percent));
    CpuObservation {
        busy: middle(&|c| Some(c.busy_percent)),
        busiest: plain(|c| c.busy_percent_per_cpu.iter().copied().fold(c.busy_percent, f64::max)),
        cpus: plain(|c| f64::from(c.cpus)),
        shared,
        threads: plain(|c| c.probe_threads_percent),
        softirq: plain(|c| c.softirq_percent),
        iowait: plain(|c| c.iowait_percent * f64::from(c.cpus)),
        quota: middle(&|c| Some(c.quota?.cpus)).zip(throttled).map(|(cpus, throttled)| CpuQuotaObservation {
            cpus,
            used: middle(&|c| c.quota?.used_percent),
            throttled,
        }),
    }
}

/// In a lab with a pinned server, the only other host has the other CPUs to itself.
fn is_shared(cpu: &CpuSummary, summary: &TrialSummary) -> bool {
    let sharing = summary
        .hosts
        .iter()
        .filter(|h| h.cpu.as_ref().is_some_and(|c| c.scope == CpuAccountingScope::Shared));
    cpu.scope == CpuAccountingScope::Shared && sharing.count() > 1
}
