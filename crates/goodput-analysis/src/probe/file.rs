//! File work: bytes of all clients in their common window, the time until a copy was accepted and until it
//! was durable, and latencies by class of operation. Series of the clients: `intervals-<thread>` (`end_ns`
//! since t0, `bytes`), `latency-<class>` (`slot`, `value_ns`, `count`). The listening end may report the
//! place's disk. Methods: `docs/methods/file.md`.

mod settings;

use super::{ProbeAnalysis, ServiceDemandUnits, TrialMeasurement, seconds_if_positive};
use crate::descriptive_statistics::mean;
use crate::latency::LatencyDistribution;
use crate::medium_limit::{self, TrafficDirections, TrafficKind};
use goodput_model::file::{
    CacheResidency, DiskCounters, FileDirection, FileOpClass, FileReport, FileWorkload, VerificationCounts,
};
use goodput_model::run_comparison::ComparedQuantity;
use goodput_model::summary::{
    DiskUsage, FileOpClassSummary, FileResult, FileSummary, ProbeResult, TheoreticalGoodputLimit,
};
use goodput_model::trial::{EndpointReport, EndpointRole};
use goodput_model::{BitRate, Bytes, File, Message, Nanos, Trial};
use std::collections::BTreeMap;

type Client<'a> = (&'a EndpointReport, &'a FileReport);

impl ProbeAnalysis for File {
    fn measure_trial(&self, trial: &Trial, _: &TheoreticalGoodputLimit) -> TrialMeasurement {
        measure(trial, self)
    }

    fn traffic_directions(&self, trial: &Trial) -> Result<TrafficDirections, &'static str> {
        let directions = medium_limit::file_traffic::traffic_directions(trial, self)?;
        Ok(TrafficDirections { directions, one_way: false, packets: TrafficKind::FileProtocol })
    }

    fn primary_metric(&self) -> &'static str {
        "goodput_bps"
    }

    fn requires_equal_settings(&self) -> bool {
        true
    }

    fn compared_quantities(&self) -> &'static [ComparedQuantity] {
        settings::compared_quantities(self)
    }

    fn describe_settings(&self) -> Message {
        settings::describe_file_workload(self)
    }

    fn clear_run_specific_settings(&mut self) {
        settings::clear_run_specific_settings(self);
    }
}

/// Without a client's report there is no result; preparation and cleanup have a length only.
fn measure(trial: &Trial, settings: &File) -> TrialMeasurement {
    let clients: Vec<Client<'_>> = trial
        .ends
        .iter()
        .filter(|end| end.role == EndpointRole::Connect)
        .filter_map(|end| Some((end, end.file.as_deref()?)))
        .collect();
    let elapsed_ns = clients.iter().map(|(end, _)| end.window.elapsed().0).max().unwrap_or(0);
    if clients.is_empty() || !settings.is_measured_workload() {
        return TrialMeasurement { elapsed_ns, ..TrialMeasurement::default() };
    }
    let (read, written) = moved(&clients, &settings.work);
    let bytes = read.saturating_add(written);
    let rate = |bytes, ns| BitRate::from_bytes_and_time(Bytes(bytes), Nanos(ns)).map(|r| r.0);
    let operations = clients.iter().fold(0u64, |sum, (end, _)| sum.saturating_add(end.operations));
    let operations_per_second = seconds_if_positive(elapsed_ns).map(|s| operations as f64 / s);
    let classes = classes(&clients, elapsed_ns);
    let accepted_ns = slowest(&clients, |r| r.accepted_ns);
    let durable_ns = slowest(&clients, |r| r.durable_ns);
    let summary = FileSummary {
        clients: u16::try_from(clients.len()).unwrap_or(u16::MAX),
        read_bps: rate(read, elapsed_ns).unwrap_or(0),
        written_bps: rate(written, elapsed_ns).unwrap_or(0),
        accepted_ns,
        durable_ns,
        accepted_bps: accepted_ns.and_then(|ns| rate(bytes, ns)),
        durable_bps: durable_ns.and_then(|ns| rate(bytes, ns)),
        operations_per_second: operations_per_second.unwrap_or(0.0),
        requests_per_operation: mean_of(&clients, |r| r.requests_per_operation),
        facts: clients[0].1.facts.clone(),
        cache: cache(trial, &clients),
        verified: verified(&clients),
        local_disk: clients[0].1.local_disk.as_ref().map(|d| disk_use(d, clients[0].0)),
        place_disk: place_disk(trial, &clients),
        local_wait_percent: waited(&clients, |r| r.local_wait_ns),
        place_wait_percent: waited(&clients, |r| r.place_wait_ns),
        stamping_percent: stamping(&clients),
        round_trip_ns: round_trip(&clients),
        surprises: clients.iter().flat_map(|(_, r)| r.surprises.iter().cloned()).collect(),
        intervals: intervals(&clients),
        classes,
    };
    TrialMeasurement {
        elapsed_ns,
        active_ns: durable_ns.or(accepted_ns).filter(|_| is_copy(&settings.work)),
        bytes: Some(bytes),
        goodput_bps: rate(bytes, elapsed_ns),
        work: Some(ServiceDemandUnits::Requests { kib: bytes as f64 / 1024.0, count: operations as f64 }),
        result: Some(ProbeResult::File(FileResult {
            transactions_per_second: operations_per_second.filter(|_| !is_copy(&settings.work)),
            latency_ns: latencies(&clients, moves(&settings.work)).to_summary(),
            file: Some(Box::new(summary)),
        })),
    }
}

/// The class of a copy or a row; its flush is no latency. A mix consists of all.
fn moves(work: &FileWorkload) -> Option<FileOpClass> {
    match work {
        FileWorkload::Copy { way, .. } | FileWorkload::Row { way, .. } => Some(match way {
            FileDirection::Read => FileOpClass::Read,
            FileDirection::Write => FileOpClass::Write,
        }),
        FileWorkload::Prepare { .. } | FileWorkload::Mix { .. } | FileWorkload::Remove => None,
    }
}

fn is_copy(work: &FileWorkload) -> bool {
    matches!(work, FileWorkload::Copy { .. })
}

/// Bytes at the place. The local disk of a copy moves the same bytes.
fn moved(clients: &[Client<'_>], work: &FileWorkload) -> (u64, u64) {
    let sum = |of: fn(&FileReport) -> u64| clients.iter().fold(0u64, |s, (_, r)| s.saturating_add(of(r)));
    let (read, written) = (sum(|r| r.bytes_read), sum(|r| r.bytes_written));
    match work {
        FileWorkload::Copy { way: FileDirection::Read, .. } => (read, 0),
        FileWorkload::Copy { way: FileDirection::Write, .. } => (0, written),
        _ => (read, written),
    }
}

/// `None` unless all have one.
fn slowest(clients: &[Client<'_>], of: fn(&FileReport) -> Option<u64>) -> Option<u64> {
    let all: Option<Vec<u64>> = clients.iter().map(|(_, r)| of(r)).collect();
    all?.into_iter().max().filter(|ns| *ns > 0)
}

fn mean_of(clients: &[Client<'_>], of: fn(&FileReport) -> Option<f64>) -> Option<f64> {
    mean(&clients.iter().map(|(_, r)| of(r)).collect::<Option<Vec<f64>>>()?)
}

fn waited(clients: &[Client<'_>], of: fn(&FileReport) -> Option<u64>) -> Option<f64> {
    let share = |(end, report): &Client<'_>| {
        let window = end.window.elapsed().0;
        of(report).filter(|_| window > 0).map(|ns| ns as f64 * 100.0 / window as f64)
    };
    mean(&clients.iter().map(share).collect::<Option<Vec<f64>>>()?)
}

fn latencies(clients: &[Client<'_>], class: Option<FileOpClass>) -> LatencyDistribution {
    let wanted = |name: &str| match class {
        Some(class) => name.strip_prefix("latency-") == Some(class.name()),
        None => name.starts_with("latency-"),
    };
    let found = clients.iter().flat_map(|(end, _)| &end.series).filter(|s| wanted(&s.name));
    found
        .filter_map(LatencyDistribution::from_series)
        .fold(LatencyDistribution::default(), LatencyDistribution::merge)
}

/// In the order of tables.
fn classes(clients: &[Client<'_>], elapsed_ns: u64) -> Vec<FileOpClassSummary> {
    let one = |class: FileOpClass| {
        let theirs = || clients.iter().flat_map(|(_, r)| &r.classes).filter(move |c| c.class == class);
        theirs().next()?;
        let count = theirs().fold(0u64, |s, c| s.saturating_add(c.count));
        Some(FileOpClassSummary {
            class,
            count,
            per_second: seconds_if_positive(elapsed_ns).map_or(0.0, |s| count as f64 / s),
            failed_as_expected: theirs().fold(0, |s: u64, c| s.saturating_add(c.failed_as_expected)),
            unexpected: theirs().fold(0, |s: u64, c| s.saturating_add(c.unexpected)),
            bytes: theirs().fold(0, |s: u64, c| s.saturating_add(c.bytes)),
            latency_ns: latencies(clients, Some(class)).to_summary(),
        })
    };
    FileOpClass::ALL.into_iter().filter_map(one).collect()
}

/// The fullest cache of any client. The server's own report has precedence.
fn cache(trial: &Trial, clients: &[Client<'_>]) -> CacheResidency {
    let most = |of: fn(&CacheResidency) -> Option<f64>| {
        let all = clients.iter().filter_map(move |(_, r)| of(&r.cache)).filter(|p| p.is_finite());
        all.max_by(f64::total_cmp)
    };
    let server =
        trial.endpoint_report(EndpointRole::Listen).and_then(|end| end.file.as_deref()).map(|r| &r.cache);
    let told =
        server.and_then(|c| c.server_resident_percent.or(c.resident_percent)).filter(|p| p.is_finite());
    let how = clients.iter().map(|(_, r)| r.cache.how.as_str()).chain(server.map(|c| c.how.as_str()));
    let mut words: Vec<&str> = Vec::new();
    for how in how.filter(|h| !h.is_empty()) {
        if !words.contains(&how) {
            words.push(how);
        }
    }
    CacheResidency {
        resident_percent: most(|c| c.resident_percent),
        server_resident_percent: told.or_else(|| most(|c| c.server_resident_percent)),
        how: words.join("; "),
    }
}

fn verified(clients: &[Client<'_>]) -> Option<VerificationCounts> {
    let all = clients.iter().filter_map(|(_, r)| r.verified);
    all.reduce(|a, b| VerificationCounts {
        bytes: a.bytes.saturating_add(b.bytes),
        wrong: a.wrong.saturating_add(b.wrong),
    })
}

/// Of the listening end where it watches the place, else as the client sees its own.
fn place_disk(trial: &Trial, clients: &[Client<'_>]) -> Option<DiskUsage> {
    let of = |end: &EndpointReport| Some(disk_use(end.file.as_deref()?.place_disk.as_ref()?, end));
    trial
        .endpoint_report(EndpointRole::Listen)
        .and_then(of)
        .or_else(|| clients.iter().find_map(|(end, _)| of(end)))
}

fn disk_use(account: &DiskCounters, end: &EndpointReport) -> DiskUsage {
    let window = end.window.elapsed();
    let rate = |bytes| BitRate::from_bytes_and_time(bytes, window).map_or(0, |r| r.0);
    let share = |part: Nanos| part.0 as f64 / window.0.max(1) as f64;
    DiskUsage {
        device: account.device.clone(),
        read_bps: rate(account.read),
        written_bps: rate(account.written),
        busy_percent: share(account.busy) * 100.0,
        queue: share(account.weighted),
    }
}

fn stamping(clients: &[Client<'_>]) -> Option<f64> {
    let share = |(end, r): &Client<'_>| {
        let window = end.window.elapsed().0;
        (window > 0).then(|| r.stamping_ns as f64 * 100.0 / window as f64)
    };
    clients.iter().filter_map(share).max_by(f64::total_cmp)
}

fn round_trip(clients: &[Client<'_>]) -> Option<u64> {
    let flows = clients.iter().flat_map(|(end, _)| &end.flows).filter_map(|f| f.tcp);
    flows.map(|tcp| u64::from(tcp.min_rtt_us) * 1_000).filter(|ns| *ns > 0).min()
}

fn intervals(clients: &[Client<'_>]) -> Vec<(u64, u64)> {
    let mut by_end: BTreeMap<u64, u64> = BTreeMap::new();
    for (end, _) in clients {
        for found in end.series.iter().filter(|s| s.name.starts_with("intervals-")) {
            let (ends, bytes) = found.column("end_ns").zip(found.column("bytes")).unwrap_or_default();
            for (at, moved) in ends.iter().zip(bytes) {
                if let (Ok(at), Ok(moved)) = (u64::try_from(*at), u64::try_from(*moved)) {
                    let slot = by_end.entry(at).or_default();
                    *slot = slot.saturating_add(moved);
                }
            }
        }
    }
    by_end.into_iter().collect()
}
