//! Work on files as CSV: a row a trial, a row a class of operation of each, a row for what trials of equal settings come to.

use super::{Writer, cell, number};
use crate::headline::file::trial;
use goodput_analysis::file::place;
use goodput_model::Probe;
use goodput_model::file::{FileWay, FileWork};
use goodput_model::summary::{FileCopyKind, FileRun, Spread, Summary};
use goodput_model::trial::Role;

fn way(way: FileWay) -> String {
    if way == FileWay::Write { "write".into() } else { "read".into() }
}

/// One row a measured trial: its raw figures.
pub(super) fn trials(summaries: &[&Summary]) -> String {
    let mut out = Writer::new(&[
        "trial",
        "work",
        "place",
        "elapsed_ns",
        "bytes",
        "read_bps",
        "written_bps",
        "accepted_ns",
        "durable_ns",
        "accepted_bps",
        "durable_bps",
        "operations_per_second",
        "block_bytes",
        "queue",
        "threads",
        "players",
        "clients",
        "latency_p50_ns",
        "latency_p99_ns",
        "latency_max_ns",
        "unexpected",
        "client_cpu_busy_percent",
        "server_cpu_busy_percent",
        "client_quota_used_percent",
        "server_quota_used_percent",
        "local_wait_percent",
        "place_wait_percent",
        "local_disk_busy_percent",
        "place_disk_busy_percent",
        "resident_percent",
        "server_resident_percent",
        "stamping_percent",
        "limit_bps",
        "engine",
        "file_system",
        "direct",
    ]);
    for s in summaries {
        let (Probe::File(settings), Some(f)) = (&s.probe, s.file()) else { continue };
        let (block, queue, threads, players) = match &settings.work {
            FileWork::Copy { block, depth, .. } => (Some(block.0), Some((*depth).into()), Some(1), None),
            FileWork::Row { block, queue, threads, .. } => {
                (Some(block.0), Some((*queue).into()), Some(u64::from(*threads)), None)
            }
            FileWork::Mix { players, .. } => (None, None, None, Some(u64::from(*players))),
            FileWork::Prepare { .. } | FileWork::Remove => (None, None, None, None),
        };
        let cpu = |role| s.hosts.iter().find(|h| h.role == role).and_then(|h| h.cpu.as_ref());
        let quota = |role| cpu(role).and_then(|c| c.quota?.used_percent);
        out.row(&[
            s.trial.to_string(),
            trial(settings),
            place::of(s).unwrap_or_default(),
            s.elapsed_ns.to_string(),
            cell(s.bytes),
            f.read_bps.to_string(),
            f.written_bps.to_string(),
            cell(f.accepted_ns),
            cell(f.durable_ns),
            cell(f.accepted_bps),
            cell(f.durable_bps),
            number(Some(f.operations_per_second)),
            cell(block),
            cell(queue),
            cell(threads),
            cell(players),
            f.clients.to_string(),
            cell(s.latency().map(|l| l.p50)),
            cell(s.latency().map(|l| l.p99)),
            cell(s.latency().map(|l| l.max)),
            f.unexpected().to_string(),
            number(cpu(Role::Connect).map(|c| c.busy_percent)),
            number(cpu(Role::Listen).map(|c| c.busy_percent)),
            number(quota(Role::Connect)),
            number(quota(Role::Listen)),
            number(f.local_wait_percent),
            number(f.place_wait_percent),
            number(f.local_disk.as_ref().map(|d| d.busy_percent)),
            number(f.place_disk.as_ref().map(|d| d.busy_percent)),
            number(f.cache.resident_percent),
            number(f.cache.server_resident_percent),
            number(f.stamping_percent),
            cell(s.limit.goodput_bps),
            f.facts.engine.clone(),
            f.facts.file_system.clone().unwrap_or_default(),
            f.facts.direct.map_or_else(String::new, |d| d.to_string()),
        ]);
    }
    out.text
}

/// One row a class of operation of each trial.
pub(super) fn classes(summaries: &[&Summary]) -> String {
    let mut out = Writer::new(&[
        "trial",
        "operation",
        "count",
        "per_second",
        "bytes",
        "failed_as_expected",
        "unexpected",
        "latency_min_ns",
        "latency_p50_ns",
        "latency_p99_ns",
        "latency_p999_ns",
        "latency_max_ns",
    ]);
    for s in summaries {
        for c in s.file().iter().flat_map(|f| &f.classes) {
            let at =
                |of: fn(&goodput_model::summary::LatencySummary) -> u64| cell(c.latency_ns.map(|l| of(&l)));
            out.row(&[
                s.trial.to_string(),
                c.class.name().into(),
                c.count.to_string(),
                number(Some(c.per_second)),
                c.bytes.to_string(),
                c.failed_as_expected.to_string(),
                c.unexpected.to_string(),
                at(|l| l.min),
                at(|l| l.p50),
                at(|l| l.p99),
                at(|l| l.p999),
                at(|l| l.max),
            ]);
        }
    }
    out.text
}

fn spread(s: Option<Spread>) -> [String; 4] {
    let s = s.as_ref();
    [
        number(s.map(|s| s.median)),
        number(s.and_then(|s| s.interval).map(|i| i.0)),
        number(s.and_then(|s| s.interval).map(|i| i.1)),
        number(s.map(|s| s.best)),
    ]
}

/// One row for what trials of equal settings come to.
pub(super) fn groups(run: Option<&FileRun>) -> String {
    let mut out = Writer::new(&[
        "kind",
        "name",
        "place",
        "way",
        "players",
        "trials",
        "rate_median_bps",
        "rate_low_bps",
        "rate_high_bps",
        "rate_best_bps",
        "accepted_median_bps",
        "accepted_low_bps",
        "accepted_high_bps",
        "accepted_best_bps",
        "durable_median_bps",
        "durable_low_bps",
        "durable_high_bps",
        "durable_best_bps",
        "operations_per_second",
        "latency_p50_ns",
        "latency_p99_ns",
        "cause",
    ]);
    let Some(run) = run else { return out.text };
    let ids = |trials: &[goodput_model::TrialId]| {
        trials.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
    };
    let mut row = |head: [String; 6], rates: [Option<Spread>; 3], tail: [String; 4]| {
        let rates = rates.into_iter().flat_map(spread);
        out.row(&head.into_iter().chain(rates).chain(tail).collect::<Vec<_>>());
    };
    for c in &run.copies {
        let kind = match c.kind {
            FileCopyKind::Copy => "copy",
            FileCopyKind::LocalAlone => "local_alone",
            FileCopyKind::NetOnly => "net_only",
        };
        let of_copy = run.verdicts.iter().filter(|_| c.kind == FileCopyKind::Copy);
        let verdict = of_copy.into_iter().find(|v| v.way == c.way && v.place == c.place);
        let cause = verdict.map_or("", |v| v.cause.map_or("cannot tell", |cause| cause.words()));
        row(
            [kind.into(), String::new(), c.place.clone(), way(c.way), String::new(), ids(&c.trials)],
            [Some(c.rate_bps), c.accepted_bps, c.durable_bps],
            [String::new(), String::new(), String::new(), cause.into()],
        );
    }
    for r in &run.rows {
        row(
            ["row".into(), r.name.clone(), r.place.clone(), way(r.way), String::new(), ids(&r.trials)],
            [Some(r.rate_bps), None, None],
            [
                number(Some(r.iops.median)),
                number(r.latency_p50_ns.map(|l| l.median)),
                number(r.latency_p99_ns.map(|l| l.median)),
                String::new(),
            ],
        );
    }
    for m in &run.mixes {
        for p in &m.points {
            row(
                [
                    "mix".into(),
                    m.load.clone(),
                    m.place.clone(),
                    String::new(),
                    p.players.to_string(),
                    ids(&p.trials),
                ],
                [Some(p.rate_bps), None, None],
                [
                    number(Some(p.operations_per_second.median)),
                    String::new(),
                    number(p.latency_p99_ns),
                    String::new(),
                ],
            );
        }
    }
    out.text
}

/// One row an interval of a trial.
pub(super) fn intervals(out: &mut Writer, summary: &Summary) {
    let mut start = 0;
    for (end, bytes) in summary.file().iter().flat_map(|f| &f.intervals) {
        out.row(&[
            summary.trial.to_string(),
            "file".into(),
            start.to_string(),
            end.to_string(),
            bytes.to_string(),
        ]);
        start = *end;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::documents;

    #[test]
    fn every_row_is_as_long_as_its_header() {
        for document in [documents::file_copies(), documents::file_marks(), documents::file_mixes()] {
            let summaries: Vec<&Summary> = document.trials.iter().collect();
            for text in [trials(&summaries), classes(&summaries), groups(document.file_run.as_ref())] {
                let columns = text.lines().next().unwrap().split(',').count();
                // A name with a comma stands in quotes.
                let bare = |l: &str| l.split('"').step_by(2).collect::<String>();
                assert!(text.lines().all(|l| bare(l).split(',').count() == columns), "{text}");
            }
            assert_eq!(
                trials(&summaries).lines().count() - 1,
                summaries.iter().filter(|s| s.file().is_some()).count()
            );
            assert!(groups(document.file_run.as_ref()).lines().count() > 1);
        }
    }
}
