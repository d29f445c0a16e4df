//! File work as CSV: a row per trial, per operation class, and per group of equal settings.

use super::trial;
use crate::csv::table::{self as csv, CsvTable, Field, Interval};
use goodput_analysis::file::place;
use goodput_model::file::{FileWay, FileWork};
use goodput_model::summary::{
    CpuSummary, FileClass, FileCopy, FileCopyKind, FileMixCurve, FileMixPoint, FileRow, FileRun, FileSummary,
    Spread, Summary,
};
use goodput_model::trial::Role;
use goodput_model::{File, Probe, TrialId};

fn way(way: FileWay) -> &'static str {
    if way == FileWay::Write { "write" } else { "read" }
}

fn sizes(work: &FileWork) -> [Option<u64>; 4] {
    match work {
        FileWork::Copy { block, depth, .. } => [Some(block.0), Some((*depth).into()), Some(1), None],
        FileWork::Row { block, queue, threads, .. } => {
            [Some(block.0), Some((*queue).into()), Some((*threads).into()), None]
        }
        FileWork::Mix { players, .. } => [None, None, None, Some((*players).into())],
        FileWork::Prepare { .. } | FileWork::Remove => [None; 4],
    }
}

fn cpu(summary: &Summary, role: Role) -> Option<&CpuSummary> {
    summary.hosts.iter().find(|h| h.role == role)?.cpu.as_ref()
}

fn quota(summary: &Summary, role: Role) -> Option<f64> {
    cpu(summary, role)?.quota?.used_percent
}

pub(crate) fn trials(summaries: &[&Summary]) -> Option<CsvTable> {
    type Row<'a> = (&'a Summary, &'a File, &'a FileSummary);
    let rows = summaries.iter().filter_map(|s| match &s.probe {
        Probe::File(settings) => Some((*s, settings, s.file()?)),
        _ => None,
    });
    let columns: csv::Columns<'_, Row<'_>> = &[
        ("trial", |(s, ..)| s.trial.0.into()),
        ("work", |(_, settings, _)| trial(settings).into()),
        ("place", |(s, ..)| place::of(s).into()),
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
        ("latency_p50_ns", |(s, ..)| s.latency().map(|l| l.p50).into()),
        ("latency_p99_ns", |(s, ..)| s.latency().map(|l| l.p99).into()),
        ("latency_max_ns", |(s, ..)| s.latency().map(|l| l.max).into()),
        ("unexpected", |(.., f)| f.unexpected().into()),
        ("client_cpu_busy_percent", |(s, ..)| cpu(s, Role::Connect).map(|c| c.busy_percent).into()),
        ("server_cpu_busy_percent", |(s, ..)| cpu(s, Role::Listen).map(|c| c.busy_percent).into()),
        ("client_quota_used_percent", |(s, ..)| quota(s, Role::Connect).into()),
        ("server_quota_used_percent", |(s, ..)| quota(s, Role::Listen).into()),
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
    csv::table("file", columns, rows)
}

pub(crate) fn classes(summaries: &[&Summary]) -> Option<CsvTable> {
    type Row<'a> = (&'a Summary, &'a FileClass);
    let rows = summaries
        .iter()
        .flat_map(|s| s.file().into_iter().flat_map(move |f| f.classes.iter().map(move |c| (*s, c))));
    let columns: csv::Columns<'_, Row<'_>> = &[
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
    csv::table("file_classes", columns, rows)
}

enum Group<'a> {
    Copy(&'a FileCopy, &'static str),
    Row(&'a FileRow),
    Mix(&'a FileMixCurve, &'a FileMixPoint),
}

impl Group<'_> {
    fn kind(&self) -> &'static str {
        match self {
            Group::Copy(c, _) => match c.kind {
                FileCopyKind::Copy => "copy",
                FileCopyKind::LocalAlone => "local_alone",
                FileCopyKind::NetOnly => "net_only",
            },
            Group::Row(_) => "row",
            Group::Mix(..) => "mix",
        }
    }

    fn trials(&self) -> &[TrialId] {
        match self {
            Group::Copy(c, _) => &c.trials,
            Group::Row(r) => &r.trials,
            Group::Mix(_, p) => &p.trials,
        }
    }

    fn rate(&self) -> Spread {
        match self {
            Group::Copy(c, _) => c.rate_bps,
            Group::Row(r) => r.rate_bps,
            Group::Mix(_, p) => p.rate_bps,
        }
    }

    fn accepted(&self) -> Option<Spread> {
        if let Group::Copy(c, _) = self { c.accepted_bps } else { None }
    }

    fn durable(&self) -> Option<Spread> {
        if let Group::Copy(c, _) = self { c.durable_bps } else { None }
    }
}

fn low(spread: Option<Spread>) -> Field {
    spread.and_then(|s| s.interval).map(|i| i.0).into()
}

fn high(spread: Option<Spread>) -> Field {
    spread.and_then(|s| s.interval).map(|i| i.1).into()
}

pub(crate) fn groups(run: Option<&FileRun>) -> Option<CsvTable> {
    let run = run?;
    let cause = |c: &FileCopy| {
        let of_copy = run.verdicts.iter().filter(|_| c.kind == FileCopyKind::Copy);
        let verdict = of_copy.into_iter().find(|v| v.way == c.way && v.place == c.place);
        verdict.map_or("", |v| v.cause.map_or("inconclusive", |cause| cause.words()))
    };
    let copies = run.copies.iter().map(|c| Group::Copy(c, cause(c)));
    let mixes = run.mixes.iter().flat_map(|m| m.points.iter().map(move |p| Group::Mix(m, p)));
    let columns: csv::Columns<'_, Group<'_>> = &[
        ("kind", |g| g.kind().into()),
        ("name", |g| match g {
            Group::Copy(..) => "".into(),
            Group::Row(r) => (&r.name).into(),
            Group::Mix(m, _) => (&m.load).into(),
        }),
        ("place", |g| match g {
            Group::Copy(c, _) => (&c.place).into(),
            Group::Row(r) => (&r.place).into(),
            Group::Mix(m, _) => (&m.place).into(),
        }),
        ("way", |g| match g {
            Group::Copy(c, _) => way(c.way).into(),
            Group::Row(r) => way(r.way).into(),
            Group::Mix(..) => "".into(),
        }),
        ("players", |g| if let Group::Mix(_, p) = g { p.players.into() } else { "".into() }),
        ("trials", |g| csv::trials(g.trials()).into()),
        ("rate_median_bps", |g| g.rate().median.into()),
        ("rate_low_bps", |g| low(Some(g.rate()))),
        ("rate_high_bps", |g| high(Some(g.rate()))),
        ("rate_best_bps", |g| g.rate().best.into()),
        ("accepted_median_bps", |g| g.accepted().map(|s| s.median).into()),
        ("accepted_low_bps", |g| low(g.accepted())),
        ("accepted_high_bps", |g| high(g.accepted())),
        ("accepted_best_bps", |g| g.accepted().map(|s| s.best).into()),
        ("durable_median_bps", |g| g.durable().map(|s| s.median).into()),
        ("durable_low_bps", |g| low(g.durable())),
        ("durable_high_bps", |g| high(g.durable())),
        ("durable_best_bps", |g| g.durable().map(|s| s.best).into()),
        ("operations_per_second", |g| match g {
            Group::Copy(..) => "".into(),
            Group::Row(r) => r.iops.median.into(),
            Group::Mix(_, p) => p.operations_per_second.median.into(),
        }),
        ("latency_p50_ns", |g| {
            if let Group::Row(r) = g { r.latency_p50_ns.map(|l| l.median).into() } else { "".into() }
        }),
        ("latency_p99_ns", |g| match g {
            Group::Copy(..) => "".into(),
            Group::Row(r) => r.latency_p99_ns.map(|l| l.median).into(),
            Group::Mix(_, p) => p.latency_p99_ns.into(),
        }),
        ("cause", |g| if let Group::Copy(_, cause) = g { (*cause).into() } else { "".into() }),
    ];
    csv::table("file_groups", columns, copies.chain(run.rows.iter().map(Group::Row)).chain(mixes))
}

pub(super) fn intervals(file: &FileSummary) -> Vec<Interval> {
    csv::spans("file", file.intervals.iter().copied()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::documents;

    #[test]
    fn every_row_is_as_long_as_its_header() {
        for document in [documents::file_copies(), documents::file_marks(), documents::file_mixes()] {
            let summaries: Vec<&Summary> = document.trials.iter().collect();
            let groups = groups(document.file_run.as_ref()).unwrap();
            assert!(groups.text.lines().count() > 1);
            let trials = trials(&summaries).unwrap();
            let measured = summaries.iter().filter(|s| s.file().is_some()).count();
            assert_eq!(trials.text.lines().count() - 1, measured);
            let tables = [Some(trials), classes(&summaries), Some(groups)];
            for CsvTable { text, .. } in tables.into_iter().flatten() {
                let columns = text.lines().next().unwrap().split(',').count();
                // A name with a comma is quoted.
                let bare = |l: &str| l.split('"').step_by(2).collect::<String>();
                assert!(text.lines().all(|l| bare(l).split(',').count() == columns), "{text}");
            }
        }
    }
}
