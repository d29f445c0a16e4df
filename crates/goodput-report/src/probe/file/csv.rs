//! File work as CSV: a row per trial, per operation class, and per group of equal settings.

use super::{direction_verb, trial_name};
use crate::csv::table::{self as csv, CsvField, CsvTable, IntervalByteCount};
use goodput_analysis::file_results::location;
use goodput_model::file::FileWorkload;
use goodput_model::summary::{
    CpuSummary, FileBenchmarkResult, FileCopy, FileCopyKind, FileCopyVerdict, FileOpClassSummary,
    FileOperationMixCurve, FileOperationMixPoint, FileRunSummary, FileSummary, TrialSummary, TrialsMedian,
};
use goodput_model::trial::EndpointRole;
use goodput_model::{File, Probe, TrialId};

fn sizes(work: &FileWorkload) -> [Option<u64>; 4] {
    match work {
        FileWorkload::Copy { block, depth, .. } => [Some(block.0), Some((*depth).into()), Some(1), None],
        FileWorkload::Row { block, queue, threads, .. } => {
            [Some(block.0), Some((*queue).into()), Some((*threads).into()), None]
        }
        FileWorkload::Mix { players, .. } => [None, None, None, Some((*players).into())],
        FileWorkload::Prepare { .. } | FileWorkload::Remove => [None; 4],
    }
}

fn cpu(summary: &TrialSummary, role: EndpointRole) -> Option<&CpuSummary> {
    summary.hosts.iter().find(|h| h.role == role)?.cpu.as_ref()
}

fn quota(summary: &TrialSummary, role: EndpointRole) -> Option<f64> {
    cpu(summary, role)?.quota?.used_percent
}

pub(crate) fn trials_csv(summaries: &[&TrialSummary]) -> Option<CsvTable> {
    type Row<'a> = (&'a TrialSummary, &'a File, &'a FileSummary);
    let rows = summaries.iter().filter_map(|s| match &s.probe {
        Probe::File(settings) => Some((*s, settings, s.file_summary()?)),
        _ => None,
    });
    let columns: csv::CsvColumnDefinitions<'_, Row<'_>> = &[
        ("trial", |(s, ..)| s.trial.0.into()),
        ("work", |(_, settings, _)| trial_name(settings).as_str().into()),
        ("place", |(s, ..)| location::summary_location(s).into()),
        ("elapsed_ns", |(s, ..)| s.elapsed_ns.into()),
        ("bytes", |(s, ..)| s.bytes.into()),
        ("read_bps", |(.., f)| f.read_bps.into()),
        ("written_bps", |(.., f)| f.written_bps.into()),
        ("accepted_ns", |(.., f)| f.accepted_ns.into()),
        ("durable_ns", |(.., f)| f.durable_ns.into()),
        ("accepted_bps", |(.., f)| f.accepted_bps.into()),
        ("durable_bps", |(.., f)| f.durable_bps.into()),
        ("operations_per_second", |(.., f)| f.operations_per_second.into()),
        ("block_bytes", |(_, settings, _)| sizes(&settings.work)[0].into()),
        ("queue", |(_, settings, _)| sizes(&settings.work)[1].into()),
        ("threads", |(_, settings, _)| sizes(&settings.work)[2].into()),
        ("players", |(_, settings, _)| sizes(&settings.work)[3].into()),
        ("clients", |(.., f)| f.clients.into()),
        ("latency_p50_ns", |(s, ..)| s.latency_summary().map(|l| l.p50).into()),
        ("latency_p99_ns", |(s, ..)| s.latency_summary().map(|l| l.p99).into()),
        ("latency_max_ns", |(s, ..)| s.latency_summary().map(|l| l.max).into()),
        ("unexpected", |(.., f)| f.unexpected_status_count().into()),
        ("client_cpu_busy_percent", |(s, ..)| cpu(s, EndpointRole::Connect).map(|c| c.busy_percent).into()),
        ("server_cpu_busy_percent", |(s, ..)| cpu(s, EndpointRole::Listen).map(|c| c.busy_percent).into()),
        ("client_quota_used_percent", |(s, ..)| quota(s, EndpointRole::Connect).into()),
        ("server_quota_used_percent", |(s, ..)| quota(s, EndpointRole::Listen).into()),
        ("local_wait_percent", |(.., f)| f.local_wait_percent.into()),
        ("place_wait_percent", |(.., f)| f.place_wait_percent.into()),
        ("local_disk_busy_percent", |(.., f)| f.local_disk.as_ref().map(|d| d.busy_percent).into()),
        ("place_disk_busy_percent", |(.., f)| f.place_disk.as_ref().map(|d| d.busy_percent).into()),
        ("resident_percent", |(.., f)| f.cache.resident_percent.into()),
        ("server_resident_percent", |(.., f)| f.cache.server_resident_percent.into()),
        ("stamping_percent", |(.., f)| f.stamping_percent.into()),
        ("limit_bps", |(s, ..)| s.limit.goodput_bps.into()),
        ("engine", |(.., f)| (&f.facts.engine).into()),
        ("file_system", |(.., f)| f.facts.file_system.as_ref().into()),
        ("direct", |(.., f)| f.facts.direct.into()),
    ];
    csv::build_table("file", columns, rows)
}

pub(crate) fn operation_classes_csv(summaries: &[&TrialSummary]) -> Option<CsvTable> {
    type Row<'a> = (&'a TrialSummary, &'a FileOpClassSummary);
    let rows = summaries
        .iter()
        .flat_map(|s| s.file_summary().into_iter().flat_map(move |f| f.classes.iter().map(move |c| (*s, c))));
    let columns: csv::CsvColumnDefinitions<'_, Row<'_>> = &[
        ("trial", |(s, _)| s.trial.0.into()),
        ("operation", |(_, c)| c.class.name().into()),
        ("count", |(_, c)| c.count.into()),
        ("per_second", |(_, c)| c.per_second.into()),
        ("bytes", |(_, c)| c.bytes.into()),
        ("failed_as_expected", |(_, c)| c.failed_as_expected.into()),
        ("unexpected", |(_, c)| c.unexpected.into()),
        ("latency_min_ns", |(_, c)| c.latency_ns.map(|l| l.min).into()),
        ("latency_p50_ns", |(_, c)| c.latency_ns.map(|l| l.p50).into()),
        ("latency_p99_ns", |(_, c)| c.latency_ns.map(|l| l.p99).into()),
        ("latency_p999_ns", |(_, c)| c.latency_ns.map(|l| l.p999).into()),
        ("latency_max_ns", |(_, c)| c.latency_ns.map(|l| l.max).into()),
    ];
    csv::build_table("file_classes", columns, rows)
}

/// Trials with equal settings: of a copy, a line of the drive benchmark, or a point of a mix.
#[derive(Default)]
struct Group<'a> {
    kind: &'static str,
    name: &'a str,
    place: &'a str,
    way: &'static str,
    players: Option<u64>,
    trials: &'a [TrialId],
    rate: Option<TrialsMedian>,
    accepted: Option<TrialsMedian>,
    durable: Option<TrialsMedian>,
    operations_per_second: Option<f64>,
    latency_p50_ns: Option<f64>,
    latency_p99_ns: Option<f64>,
    cause: &'static str,
}

impl<'a> Group<'a> {
    fn of_copy(c: &'a FileCopy, verdicts: &[FileCopyVerdict]) -> Group<'a> {
        let kind = match c.kind {
            FileCopyKind::Copy => "copy",
            FileCopyKind::LocalAlone => "local_alone",
            FileCopyKind::NetOnly => "net_only",
        };
        let of_copy = verdicts.iter().filter(|_| c.kind == FileCopyKind::Copy);
        let verdict = of_copy.into_iter().find(|v| v.way == c.way && v.place == c.place);
        Group {
            kind,
            place: &c.place,
            way: direction_verb(c.way),
            trials: &c.trials,
            rate: Some(c.rate_bps),
            accepted: c.accepted_bps,
            durable: c.durable_bps,
            cause: verdict.map_or("", |v| v.cause.map_or("inconclusive", |cause| cause.description())),
            ..Group::default()
        }
    }

    fn of_row(r: &'a FileBenchmarkResult) -> Group<'a> {
        Group {
            kind: "row",
            name: &r.name,
            place: &r.place,
            way: direction_verb(r.way),
            trials: &r.trials,
            rate: Some(r.rate_bps),
            operations_per_second: Some(r.iops.median),
            latency_p50_ns: r.latency_p50_ns.map(|l| l.median),
            latency_p99_ns: r.latency_p99_ns.map(|l| l.median),
            ..Group::default()
        }
    }

    fn of_mix(m: &'a FileOperationMixCurve, p: &'a FileOperationMixPoint) -> Group<'a> {
        Group {
            kind: "mix",
            name: &m.load,
            place: &m.place,
            players: Some(p.players),
            trials: &p.trials,
            rate: Some(p.rate_bps),
            operations_per_second: Some(p.operations_per_second.median),
            latency_p99_ns: p.latency_p99_ns,
            ..Group::default()
        }
    }
}

fn low(spread: Option<TrialsMedian>) -> CsvField {
    spread.and_then(|s| s.interval).map(|i| i.0).into()
}

fn high(spread: Option<TrialsMedian>) -> CsvField {
    spread.and_then(|s| s.interval).map(|i| i.1).into()
}

pub(crate) fn file_results_csv(run: Option<&FileRunSummary>) -> Option<CsvTable> {
    let run = run?;
    let copies = run.copies.iter().map(|c| Group::of_copy(c, &run.verdicts));
    let mixes = run.mixes.iter().flat_map(|m| m.points.iter().map(move |p| Group::of_mix(m, p)));
    let columns: csv::CsvColumnDefinitions<'_, Group<'_>> = &[
        ("kind", |g| g.kind.into()),
        ("name", |g| g.name.into()),
        ("place", |g| g.place.into()),
        ("way", |g| g.way.into()),
        ("players", |g| g.players.into()),
        ("trials", |g| csv::join_trial_ids(g.trials).into()),
        ("rate_median_bps", |g| g.rate.map(|s| s.median).into()),
        ("rate_low_bps", |g| low(g.rate)),
        ("rate_high_bps", |g| high(g.rate)),
        ("rate_best_bps", |g| g.rate.map(|s| s.best).into()),
        ("accepted_median_bps", |g| g.accepted.map(|s| s.median).into()),
        ("accepted_low_bps", |g| low(g.accepted)),
        ("accepted_high_bps", |g| high(g.accepted)),
        ("accepted_best_bps", |g| g.accepted.map(|s| s.best).into()),
        ("durable_median_bps", |g| g.durable.map(|s| s.median).into()),
        ("durable_low_bps", |g| low(g.durable)),
        ("durable_high_bps", |g| high(g.durable)),
        ("durable_best_bps", |g| g.durable.map(|s| s.best).into()),
        ("operations_per_second", |g| g.operations_per_second.into()),
        ("latency_p50_ns", |g| g.latency_p50_ns.into()),
        ("latency_p99_ns", |g| g.latency_p99_ns.into()),
        ("cause", |g| g.cause.into()),
    ];
    let rows = run.rows.iter().map(Group::of_row);
    csv::build_table("file_groups", columns, copies.chain(rows).chain(mixes))
}

pub(super) fn interval_byte_counts(file: &FileSummary) -> Vec<IntervalByteCount> {
    csv::consecutive_intervals("file", file.intervals.iter().copied()).collect()
}
