//! The report of file work: one trial, and a whole run with what limits its copies.

mod benchmark_tables;
mod copy_tables;
pub(crate) mod csv;
pub(crate) mod figures;
mod limit_verdict;
mod mix_tables;
pub(crate) mod run_section;
pub(crate) mod settings;

use super::{ProbeReport, format_percentiles};
use crate::csv::table::{CsvTable, IntervalByteCount};
use crate::figure::Figure;
use crate::number_format::{
    capitalize, format_count, format_file_size, format_megabytes_per_second, format_nanos, format_number,
    format_percent,
};
use crate::table::cell::{self, optional_cell};
use crate::table::{Cell, Table};
use crate::wording::{
    endpoint_name, format_cpu_usage, format_saturation_point, format_share_of_goodput_limit,
};
use goodput_analysis::file_results::{location, summarize_file_run};
use goodput_model::file::{FileDirection, FileWorkload};
use goodput_model::summary::{
    FileCopy, FileCopyKind, FileCopyVerdict, FileOperationMixCurve, FileOperationMixPoint,
    FileOperationTimeBreakdown, FileOperationTimeModel, ResultDocument, TrialSummary, TrialsMedian,
};
use goodput_model::trial::EndpointRole;
use goodput_model::{File, Trial};

impl ProbeReport for File {
    fn title(&self) -> &'static str {
        "File access (file)"
    }

    /// `a → smb://nas/media`, `smb://nas/media → a`, `a ↔ /mnt`.
    fn format_endpoints(&self, summary: &TrialSummary) -> String {
        let (who, at) = (who(summary, self), location::summary_location(summary).unwrap_or_default());
        match &self.work {
            FileWorkload::Copy { way: FileDirection::Write, .. }
            | FileWorkload::Row { way: FileDirection::Write, .. } => {
                format!("{who} → {at}")
            }
            FileWorkload::Copy { .. } | FileWorkload::Row { .. } => format!("{at} → {who}"),
            FileWorkload::Mix { .. } => format!("{who} ↔ {at}"),
            FileWorkload::Prepare { .. } | FileWorkload::Remove => format!("{who}, {at}"),
        }
    }

    fn has_goodput_limit(&self) -> bool {
        self.is_measured_workload()
    }

    fn format_result(&self, summary: &TrialSummary) -> Option<String> {
        match &self.work {
            FileWorkload::Prepare { file } => {
                let with =
                    file.map_or(String::new(), |f| format!(" with a file of {}", format_file_size(f.0)));
                return Some(format!("created the workspace {}{with}", self.workspace));
            }
            FileWorkload::Remove => return Some(format!("deleted the workspace {}", self.workspace)),
            _ => {}
        }
        let (found, bps) = (summary.file_summary()?, summary.goodput_bps?);
        let rate = format_megabytes_per_second(bps as f64);
        let mut text = match &self.work {
            FileWorkload::Copy { way, size, .. } => {
                let verb = if *way == FileDirection::Write { "written" } else { "read" };
                match (found.accepted_bps.zip(found.accepted_ns), found.durable_bps.zip(found.durable_ns)) {
                    (Some((accepted, after)), Some((durable, whole))) => format!(
                        "{} {verb}, accepted after {} ({}), durable after {} ({})",
                        format_file_size(size.0),
                        format_nanos(after),
                        format_megabytes_per_second(accepted as f64),
                        format_nanos(whole),
                        format_megabytes_per_second(durable as f64)
                    ),
                    _ => format!(
                        "{} {verb} in {}: {rate}",
                        format_file_size(size.0),
                        format_nanos(summary.elapsed_ns)
                    ),
                }
            }
            FileWorkload::Row { name, way, .. } => {
                let verb = direction_verb(*way);
                format!("{name} {verb} rate: {rate}, {} IOPS", format_number(found.operations_per_second))
            }
            FileWorkload::Mix { load, players: each, .. } => format!(
                "mix {} with {}: {rate}, {} operations per second",
                location::workload_mix_name(load),
                format_simulated_client_count(u64::from(*each) * self.clients.len().max(1) as u64),
                format_number(found.operations_per_second)
            ),
            FileWorkload::Prepare { .. } | FileWorkload::Remove => return None,
        };
        if !matches!(self.work, FileWorkload::Copy { .. }) {
            text.push_str(&format!(" over {}", format_nanos(summary.elapsed_ns)));
            if let Some(l) = summary.latency_summary() {
                text.push_str(&format!("; {}", format_percentiles(&l)));
            }
        }
        text.push_str(&format_share_of_goodput_limit(summary));
        Some(text)
    }

    fn format_short_result(&self, summary: &TrialSummary) -> Option<String> {
        let rate = || Some(format_megabytes_per_second(summary.goodput_bps? as f64));
        Some(match &self.work {
            FileWorkload::Prepare { .. } => "workspace made".into(),
            FileWorkload::Remove => "workspace removed".into(),
            _ => format!("{} {}", trial_name(self), rate()?),
        })
    }

    fn format_cpu_usage(&self, summary: &TrialSummary) -> Option<String> {
        self.is_measured_workload().then(|| format_cpu_usage(summary))
    }

    fn settings_rows(&self) -> Vec<(&'static str, Cell)> {
        settings::trial_settings(self)
    }

    fn result_tables(&self, summary: &TrialSummary) -> Vec<Table> {
        summary.file_summary().map(mix_tables::operation_classes_table).into_iter().collect()
    }

    // Copies and rows have one class, and are drawn together.
    fn figures(&self, summary: &TrialSummary, _trial: Option<&Trial>) -> Vec<Figure> {
        let classes = summary.file_summary().filter(|_| matches!(self.work, FileWorkload::Mix { .. }));
        classes.map(figures::operation_classes_figure).into_iter().collect()
    }

    fn csv_interval_byte_counts(&self, summary: &TrialSummary) -> Vec<IntervalByteCount> {
        summary.file_summary().map(csv::interval_byte_counts).unwrap_or_default()
    }

    fn user_chosen_names(&self) -> Vec<String> {
        self.clients.clone()
    }

    fn csv_tables(document: &ResultDocument, summaries: &[&TrialSummary]) -> Vec<CsvTable> {
        let groups = csv::file_results_csv(document.file_run.as_ref());
        [csv::operation_classes_csv(summaries), groups, csv::trials_csv(summaries)]
            .into_iter()
            .flatten()
            .collect()
    }
}

pub(crate) fn format_simulated_client_count(n: u64) -> String {
    if n == 1 { "1 simulated client".into() } else { format!("{} simulated clients", format_count(n)) }
}

fn who(summary: &TrialSummary, settings: &File) -> String {
    match settings.clients.len() {
        0 | 1 => endpoint_name(summary, EndpointRole::Connect),
        n => format!("{n} clients"),
    }
}

pub(crate) fn direction_verb(way: FileDirection) -> &'static str {
    if way == FileDirection::Write { "write" } else { "read" }
}

/// `write to`, `read from`.
pub(crate) fn direction_verb_with_preposition(way: FileDirection) -> &'static str {
    if way == FileDirection::Write { "write to" } else { "read from" }
}

/// `write copy`, `read 4K QD32`, `office, 4 simulated clients`.
pub(crate) fn trial_name(settings: &File) -> String {
    match &settings.work {
        FileWorkload::Copy { way, .. } => format!("{} copy", direction_verb(*way)),
        FileWorkload::Row { name, way, .. } => format!("{} {name}", direction_verb(*way)),
        FileWorkload::Mix { load, players: each, .. } => {
            let all = u64::from(*each) * settings.clients.len().max(1) as u64;
            format!("{}, {}", location::workload_mix_name(load), format_simulated_client_count(all))
        }
        FileWorkload::Prepare { .. } => "prepare".into(),
        FileWorkload::Remove => "remove".into(),
    }
}

/// `write to smb://nas/media`, `read, local disk only (/home)`, `write, network only (nas:null)`.
pub(crate) fn format_copy_operation(copy: &FileCopy) -> String {
    let (verb, place) = (direction_verb(copy.way), &copy.place);
    match copy.kind {
        FileCopyKind::Copy => format!("{} {place}", direction_verb_with_preposition(copy.way)),
        FileCopyKind::LocalAlone => format!("{verb}, local disk only ({place})"),
        FileCopyKind::NetOnly => format!("{verb}, network only ({place})"),
    }
}

pub(crate) fn format_limiting_resource(verdict: &FileCopyVerdict) -> String {
    format!("{}.", capitalize(verdict.text.trim_end_matches('.')))
}

/// `office at smb://nas/media: highest rate 84.2 MB/s with 8 simulated clients; above 4 simulated clients,
/// additional clients increase the rate by at most 5 %.`
pub(crate) fn format_saturation(curve: &FileOperationMixCurve) -> String {
    let words =
        ("additional clients", "the highest numbers of simulated clients", ", the smallest number measured");
    let interval =
        |least, most| format!("{} to {}", format_count(least), format_simulated_client_count(most));
    let smallest = curve.points.first().map(|p| p.players);
    let saturation = curve.saturation.as_ref().map(|point| {
        format!(
            "; {}",
            format_saturation_point(point, smallest, words, interval, format_simulated_client_count)
        )
    });
    format!(
        "{} at {}: highest rate {} with {}{}.",
        curve.load,
        curve.place,
        format_megabytes_per_second(curve.best_bps),
        format_simulated_client_count(curve.best_at),
        saturation.unwrap_or_default()
    )
}

/// `A single write to /mnt/nas takes a fixed 212.4 µs (RTT 180.1 µs, service time 32.3 µs) plus the
/// transfer of its bytes at 109.8 MB/s.`
pub(crate) fn format_round_trip_model(model: &FileOperationTimeModel) -> String {
    let parts = match model.round_trip_ns.zip(model.service_ns) {
        Some((trip, service)) => {
            format!(
                " (RTT {}, service time {})",
                format_nanos(trip.round() as u64),
                format_nanos(service.round() as u64)
            )
        }
        None => " (RTT and service time together)".into(),
    };
    let fit = match model.blocks.len() {
        2 => "two block sizes".to_string(),
        n => format!("{n} block sizes with a deviation of at most {}", format_percent(model.error_percent)),
    };
    format!(
        "A single {} {} takes a fixed {}{parts} plus the transfer of its bytes at {}; fitted to {fit}.",
        direction_verb_with_preposition(model.way),
        model.place,
        format_nanos(model.fixed_ns.round() as u64),
        format_megabytes_per_second(model.rate_bps)
    )
}

/// `office, 4 simulated clients at smb://nas/media: 412.0 µs per operation, of which disk …, network …,
/// protocol ….`
pub(crate) fn format_time_breakdown(split: &FileOperationTimeBreakdown) -> String {
    let part = |ns: f64| {
        format!("{} ({})", format_nanos(ns.round() as u64), format_percent(ns * 100.0 / split.share_ns))
    };
    let parts = match split.protocol_ns {
        Some(left) => {
            format!("disk {}, network {}, protocol {}", part(split.disk_ns), part(split.wire_ns), part(left))
        }
        None => format!(
            "which cannot be split: disk alone {} and network alone {} take at least as long",
            format_nanos(split.disk_ns.round() as u64),
            format_nanos(split.wire_ns.round() as u64)
        ),
    };
    let of = if split.protocol_ns.is_some() { "of which " } else { "" };
    format!(
        "{}, {} at {}: {} per operation, {of}{parts}.",
        split.load,
        format_simulated_client_count(split.players),
        split.share,
        format_nanos(split.share_ns.round() as u64)
    )
}

/// dbench's last line, for scripts: MB of 10^6 bytes, ms.
pub(crate) fn format_dbench_line(point: &FileOperationMixPoint) -> String {
    format!(
        "Throughput {:.3} MB/sec  {n} clients  {n} procs  max_latency={:.3} ms",
        point.rate_bps.median / 8e6,
        point.latency_max_ns.unwrap_or(0) as f64 / 1e6,
        n = point.players
    )
}

pub(crate) fn file_run_headline(summaries: &[TrialSummary]) -> Option<String> {
    let run = summarize_file_run(&summaries.iter().collect::<Vec<_>>())?;
    let copies = run.copies.iter().filter(|c| c.kind == FileCopyKind::Copy).map(|c| {
        let cause = run.verdicts.iter().find(|v| v.way == c.way && v.place == c.place).and_then(|v| v.cause);
        let limit = cause.map_or(String::new(), |cause| format!(" ({})", cause.description()));
        format!("{} {}{limit}", direction_verb(c.way), format_megabytes_per_second(c.rate_bps.median))
    });
    let mut words: Vec<String> = copies.collect();
    let best = run.rows.iter().max_by(|a, b| a.rate_bps.median.total_cmp(&b.rate_bps.median));
    words.extend(best.map(|r| {
        format!("{} rows, best {}", run.rows.len(), format_megabytes_per_second(r.rate_bps.median))
    }));
    words.extend(run.mixes.iter().map(|m| format!("{} {}", m.load, format_megabytes_per_second(m.best_bps))));
    Some(words.join(", "))
}

fn mb(bps: f64) -> Cell {
    cell::plain(bps / 8e6)
}

fn mb_interval(spread: &TrialsMedian) -> Cell {
    optional_cell(spread.interval, |(low, high)| mb(low).with_suffix(format_args!(" to {}", mb(high))))
}

fn latency(ns: Option<f64>) -> Cell {
    optional_cell(ns, |ns| cell::time(ns.max(0.0).round()))
}

const INTERVALS: &str = "95 %: confidence interval of the median, by order statistics; with fewer than \
    six trials, their range, at a lower confidence.";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::documents;
    use crate::probe::headline::format_headline;

    #[test]
    fn a_new_workspace_is_named_and_a_run_fits_into_a_list() {
        let trials = documents::file_copies().trials;
        let headline = format_headline(&trials[0]);
        assert!(headline.contains("created the workspace .goodput-"), "{headline}");
        let words = file_run_headline(&trials).unwrap();
        assert!(words.contains("(the network link)"), "{words}");
        assert_eq!(file_run_headline(&[]), None);
    }
}
