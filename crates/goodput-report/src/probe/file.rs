//! The report of file work: one trial, and a whole run with what limits its copies.

mod copies;
pub(crate) mod csv;
pub(crate) mod figures;
mod mix;
mod rows;
pub(crate) mod run;
pub(crate) mod settings;
mod verdict;

use super::ProbeReport;
use crate::csv::table::{CsvTable, Interval};
use crate::figure::Figure;
use crate::number::{count, length, megabytes, nanos, percent, plain};
use crate::table::cell::{self, or_none};
use crate::table::{Cell, Table};
use crate::wording::{cpu, end_name, share_of_limit};
use goodput_analysis::file::{of_run, place};
use goodput_model::file::{FileWay, FileWork};
use goodput_model::summary::{
    Document, FileCopy, FileCopyKind, FileMixCurve, FileMixPoint, FileRun, FileSplit, FileVerdict,
    RoundTripModel, Saturation, Spread, Summary,
};
use goodput_model::trial::Role;
use goodput_model::{File, Trial};

impl ProbeReport for File {
    fn title(&self) -> &'static str {
        "File access (file)"
    }

    fn between(&self, summary: &Summary) -> String {
        way(summary, self)
    }

    fn is_limited(&self) -> bool {
        self.measures()
    }

    fn result(&self, summary: &Summary) -> Option<String> {
        result(summary, self)
    }

    fn short(&self, summary: &Summary) -> Option<String> {
        short(summary, self)
    }

    fn cpu(&self, summary: &Summary) -> Option<String> {
        self.measures().then(|| cpu(summary))
    }

    fn settings(&self) -> Vec<(&'static str, Cell)> {
        settings::of_trial(self)
    }

    fn tables(&self, summary: &Summary) -> Vec<Table> {
        summary.file().map(mix::classes_table).into_iter().collect()
    }

    // Copies and rows have one class, and are drawn together.
    fn figures(&self, summary: &Summary, _trial: Option<&Trial>) -> Vec<Figure> {
        let classes = summary.file().filter(|_| matches!(self.work, FileWork::Mix { .. }));
        classes.map(figures::classes).into_iter().collect()
    }

    fn intervals(&self, summary: &Summary) -> Vec<Interval> {
        summary.file().map(csv::intervals).unwrap_or_default()
    }

    fn names(&self) -> Vec<String> {
        self.clients.clone()
    }

    fn csv(document: &Document, summaries: &[&Summary]) -> Vec<CsvTable> {
        let groups = csv::groups(document.file_run.as_ref());
        [csv::classes(summaries), groups, csv::trials(summaries)].into_iter().flatten().collect()
    }
}

pub(crate) fn players(n: u64) -> String {
    if n == 1 { "1 simulated client".into() } else { format!("{} simulated clients", count(n)) }
}

fn who(summary: &Summary, settings: &File) -> String {
    match settings.clients.len() {
        0 | 1 => end_name(summary, Role::Connect),
        n => format!("{n} clients"),
    }
}

/// `a → smb://nas/media`, `smb://nas/media → a`, `a ↔ /mnt`.
fn way(summary: &Summary, settings: &File) -> String {
    let (who, at) = (who(summary, settings), place::of(summary).unwrap_or_default());
    match &settings.work {
        FileWork::Copy { way: FileWay::Write, .. } | FileWork::Row { way: FileWay::Write, .. } => {
            format!("{who} → {at}")
        }
        FileWork::Copy { .. } | FileWork::Row { .. } => format!("{at} → {who}"),
        FileWork::Mix { .. } => format!("{who} ↔ {at}"),
        FileWork::Prepare { .. } | FileWork::Remove => format!("{who}, {at}"),
    }
}

fn result(summary: &Summary, settings: &File) -> Option<String> {
    match &settings.work {
        FileWork::Prepare { file } => {
            let with = file.map_or(String::new(), |f| format!(" with a file of {}", length(f.0)));
            return Some(format!("created the workspace {}{with}", settings.workspace));
        }
        FileWork::Remove => return Some(format!("deleted the workspace {}", settings.workspace)),
        _ => {}
    }
    let (found, bps) = (summary.file()?, summary.goodput_bps?);
    let rate = megabytes(bps as f64);
    let mut text = match &settings.work {
        FileWork::Copy { way, size, .. } => {
            let verb = if *way == FileWay::Write { "written" } else { "read" };
            match (found.accepted_bps.zip(found.accepted_ns), found.durable_bps.zip(found.durable_ns)) {
                (Some((accepted, after)), Some((durable, whole))) => format!(
                    "{} {verb}, accepted after {} ({}), durable after {} ({})",
                    length(size.0),
                    nanos(after),
                    megabytes(accepted as f64),
                    nanos(whole),
                    megabytes(durable as f64)
                ),
                _ => format!("{} {verb} in {}: {rate}", length(size.0), nanos(summary.elapsed_ns)),
            }
        }
        FileWork::Row { name, way, .. } => {
            let verb = if *way == FileWay::Write { "write" } else { "read" };
            format!("{name} {verb} rate: {rate}, {} IOPS", plain(found.operations_per_second))
        }
        FileWork::Mix { load, players: each, .. } => format!(
            "mix {} with {}: {rate}, {} operations per second",
            place::load(load),
            players(u64::from(*each) * settings.clients.len().max(1) as u64),
            plain(found.operations_per_second)
        ),
        FileWork::Prepare { .. } | FileWork::Remove => return None,
    };
    if !matches!(settings.work, FileWork::Copy { .. }) {
        text.push_str(&format!(" over {}", nanos(summary.elapsed_ns)));
        if let Some(l) = summary.latency() {
            text.push_str(&format!("; median {}", nanos(l.p50)));
            if l.count >= 100 {
                text.push_str(&format!(", p99 latency {}", nanos(l.p99)));
            }
        }
    }
    text.push_str(&share_of_limit(summary));
    Some(text)
}

fn short(summary: &Summary, settings: &File) -> Option<String> {
    let rate = || Some(megabytes(summary.goodput_bps? as f64));
    Some(match &settings.work {
        FileWork::Prepare { .. } => "workspace made".into(),
        FileWork::Remove => "workspace removed".into(),
        _ => format!("{} {}", trial(settings), rate()?),
    })
}

/// `write copy`, `read 4K QD32`, `office, 4 simulated clients`.
pub(crate) fn trial(settings: &File) -> String {
    let verb = |way: &FileWay| if *way == FileWay::Write { "write" } else { "read" };
    match &settings.work {
        FileWork::Copy { way, .. } => format!("{} copy", verb(way)),
        FileWork::Row { name, way, .. } => format!("{} {name}", verb(way)),
        FileWork::Mix { load, players: each, .. } => {
            let all = u64::from(*each) * settings.clients.len().max(1) as u64;
            format!("{}, {}", place::load(load), players(all))
        }
        FileWork::Prepare { .. } => "prepare".into(),
        FileWork::Remove => "remove".into(),
    }
}

/// `write to smb://nas/media`, `read, local disk only (/home)`, `write, network only (nas:null)`.
pub(crate) fn copy_name(copy: &FileCopy) -> String {
    let (verb, to) = if copy.way == FileWay::Write { ("write", "to ") } else { ("read", "from ") };
    match copy.kind {
        FileCopyKind::Copy => format!("{verb} {to}{}", copy.place),
        FileCopyKind::LocalAlone => format!("{verb}, local disk only ({})", copy.place),
        FileCopyKind::NetOnly => format!("{verb}, network only ({})", copy.place),
    }
}

pub(crate) fn verdict(verdict: &FileVerdict) -> String {
    let mut letters = verdict.text.chars();
    let first: String = letters.next().map(|c| c.to_uppercase().collect()).unwrap_or_default();
    format!("{first}{}.", letters.as_str().trim_end_matches('.'))
}

pub(crate) fn whole_run(run: &FileRun) -> Vec<String> {
    let mut out: Vec<String> = run.verdicts.iter().map(verdict).collect();
    out.extend(run.mixes.iter().map(saturation));
    out.extend(run.round_trips.iter().map(round_trip));
    out.extend(run.splits.iter().map(split));
    out
}

/// `office at smb://nas/media: highest rate 84.2 MB/s with 8 simulated clients; above 4 simulated clients,
/// more add at most 5 %.`
pub(crate) fn saturation(curve: &FileMixCurve) -> String {
    let mut text = format!(
        "{} at {}: highest rate {} with {}",
        curve.load,
        curve.place,
        megabytes(curve.best_bps),
        players(curve.best_at)
    );
    let first = curve.points.first().map(|p| p.players);
    text.push_str(&match &curve.saturation {
        None => String::new(),
        Some(Saturation::Reached { at, least, most }) => {
            let sure = if least == most {
                String::new()
            } else {
                format!(" (95 % interval {} to {})", count(*least), players(*most))
            };
            let smallest = if Some(*at) == first { ", the smallest number measured" } else { "" };
            format!("; above {}{smallest}, more add at most 5 %{sure}", players(*at))
        }
        Some(Saturation::NotReached) => {
            "; not saturated: the highest numbers of simulated clients still add more than 5 %".into()
        }
        Some(Saturation::CannotTell { reason }) => {
            format!("; the saturation point cannot be determined: {reason}")
        }
    });
    text.push('.');
    text
}

/// `A single write to /mnt/nas takes a fixed 212.4 µs (RTT 180.1 µs, service time 32.3 µs) plus its bytes at
/// 109.8 MB/s.`
pub(crate) fn round_trip(model: &RoundTripModel) -> String {
    let (verb, to) = if model.way == FileWay::Write { ("write", "to") } else { ("read", "from") };
    let parts = match model.round_trip_ns.zip(model.service_ns) {
        Some((trip, service)) => {
            format!(" (RTT {}, service time {})", nanos(trip.round() as u64), nanos(service.round() as u64))
        }
        None => " (RTT and service time together)".into(),
    };
    let fit = match model.blocks.len() {
        2 => "two block sizes".to_string(),
        n => format!("{n} block sizes with a deviation of at most {}", percent(model.error_percent)),
    };
    format!(
        "A single {verb} {to} {} takes a fixed {}{parts} plus its bytes at {}; fitted to {fit}.",
        model.place,
        nanos(model.fixed_ns.round() as u64),
        megabytes(model.rate_bps)
    )
}

/// `office, 4 simulated clients at smb://nas/media: 412.0 µs per operation, of which disk …, network …,
/// protocol ….`
pub(crate) fn split(split: &FileSplit) -> String {
    let part = |ns: f64| format!("{} ({})", nanos(ns.round() as u64), percent(ns * 100.0 / split.share_ns));
    let parts = match split.protocol_ns {
        Some(left) => {
            format!("disk {}, network {}, protocol {}", part(split.disk_ns), part(split.wire_ns), part(left))
        }
        None => format!(
            "which cannot be split: disk alone {} and network alone {} take at least as long",
            nanos(split.disk_ns.round() as u64),
            nanos(split.wire_ns.round() as u64)
        ),
    };
    let of = if split.protocol_ns.is_some() { "of which " } else { "" };
    format!(
        "{}, {} at {}: {} per operation, {of}{parts}.",
        split.load,
        players(split.players),
        split.share,
        nanos(split.share_ns.round() as u64)
    )
}

/// dbench's last line, for scripts: MB of 10^6 bytes, ms.
pub(crate) fn dbench(point: &FileMixPoint) -> String {
    format!(
        "Throughput {:.3} MB/sec  {n} clients  {n} procs  max_latency={:.3} ms",
        point.rate_bps.median / 8e6,
        point.latency_max_ns.unwrap_or(0) as f64 / 1e6,
        n = point.players
    )
}

pub(crate) fn run_summary(summaries: &[Summary]) -> Option<String> {
    let run = of_run(&summaries.iter().collect::<Vec<_>>())?;
    let copies = run.copies.iter().filter(|c| c.kind == FileCopyKind::Copy).map(|c| {
        let verb = if c.way == FileWay::Write { "write" } else { "read" };
        let cause = run.verdicts.iter().find(|v| v.way == c.way && v.place == c.place).and_then(|v| v.cause);
        let limit = cause.map_or(String::new(), |cause| format!(" ({})", cause.words()));
        format!("{verb} {}{limit}", megabytes(c.rate_bps.median))
    });
    let mut words: Vec<String> = copies.collect();
    let best = run.rows.iter().max_by(|a, b| a.rate_bps.median.total_cmp(&b.rate_bps.median));
    words.extend(best.map(|r| format!("{} rows, best {}", run.rows.len(), megabytes(r.rate_bps.median))));
    words.extend(run.mixes.iter().map(|m| format!("{} {}", m.load, megabytes(m.best_bps))));
    Some(words.join(", "))
}

fn mb(bps: f64) -> Cell {
    cell::plain(bps / 8e6)
}

fn mb_interval(spread: &Spread) -> Cell {
    or_none(spread.interval, |(low, high)| mb(low).followed(format_args!(" to {}", mb(high))))
}

fn latency(ns: Option<f64>) -> Cell {
    or_none(ns, |ns| cell::time(ns.max(0.0).round()))
}

const INTERVALS: &str = "95 %: confidence interval of the median, by order statistics; with fewer than \
    six trials, their range, at a lower confidence.";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::documents;
    use crate::probe::headline::headline;

    #[test]
    fn a_workspace_that_was_made_is_named() {
        let document = documents::file_copies();
        assert!(
            headline(&document.trials[0]).contains("created the workspace .goodput-"),
            "{}",
            headline(&document.trials[0])
        );
    }

    #[test]
    fn a_run_fits_into_a_list() {
        let words = run_summary(&documents::file_copies().trials).unwrap();
        assert!(words.contains("(the wire)"), "{words}");
        assert_eq!(run_summary(&[]), None);
    }
}
