//! The report of file work: one trial, and a whole run with what limits its copies.

mod benchmark_tables;
mod copy_tables;
pub(crate) mod csv;
pub(crate) mod figures;
mod limit_verdict;
mod mix_tables;
pub(crate) mod run_section;
pub(crate) mod settings;

use super::{ProbeReport, percentile_clauses};
use crate::csv::table::{CsvTable, IntervalByteCount};
use crate::display_text::{comma_list, semicolon_list};
use crate::figure::Figure;
use crate::number_format::capitalize;
use crate::table::cell::{self, length, megabytes, nanos, optional_cell, percent, plain};
use crate::table::{Cell, Table};
use crate::wording::{
    CurveVariable, cpu_usage_sentence, endpoint_name, saturation_clause, with_share_of_goodput_limit,
};
use goodput_analysis::file_results::{location, summarize_file_run};
use goodput_model::file::{FileDirection, FileWorkload};
use goodput_model::summary::{
    FileCopy, FileCopyKind, FileCopyVerdict, FileOperationMixCurve, FileOperationMixPoint,
    FileOperationTimeBreakdown, FileOperationTimeModel, FileSummary, ResultDocument, TrialSummary,
    TrialsMedian,
};
use goodput_model::trial::EndpointRole;
use goodput_model::{File, Message, MessageArg, Trial};
use goodput_words::message;

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

    fn result(&self, summary: &TrialSummary) -> Option<Message> {
        let name = &self.workspace;
        match &self.work {
            FileWorkload::Prepare { file: None } => return Some(message!(part_made_the_workspace { name })),
            FileWorkload::Prepare { file: Some(size) } => {
                return Some(message!(part_made_the_workspace_with { name, length: length(size.0) }));
            }
            FileWorkload::Remove => return Some(message!(part_removed_the_workspace { name })),
            _ => {}
        }
        let (found, rate) = (summary.file_summary()?, megabytes(summary.goodput_bps? as f64));
        let (per_second, time) = (plain(found.operations_per_second), nanos(summary.elapsed_ns));
        let parts = match &self.work {
            FileWorkload::Copy { way, size, .. } => {
                let copied = copy_result(*way, length(size.0), rate, time, found);
                return Some(with_share_of_goodput_limit(copied, summary));
            }
            FileWorkload::Row { name, way, .. } => {
                let row = match way {
                    FileDirection::Write => message!(part_row_writes { name, rate }),
                    FileDirection::Read => message!(part_row_reads { name, rate }),
                };
                [row, message!(part_iops_over { rate: per_second, time })]
            }
            FileWorkload::Mix { load, players: each, .. } => {
                let (name, players) = (location::workload_mix_name(load), all_simulated_clients(self, *each));
                let operations = message!(part_operations_a_second_over { rate: per_second, time });
                [message!(part_mix_by { name, players, rate }), operations]
            }
            FileWorkload::Prepare { .. } | FileWorkload::Remove => return None,
        };
        let latency = summary.latency_summary().map(|l| comma_list(percentile_clauses(&l)));
        let text = semicolon_list([comma_list(parts)].into_iter().chain(latency));
        Some(with_share_of_goodput_limit(text, summary))
    }

    fn short_result(&self, summary: &TrialSummary) -> Option<Message> {
        Some(match &self.work {
            FileWorkload::Prepare { .. } => message!(part_file_workspace_made),
            FileWorkload::Remove => message!(part_file_workspace_removed),
            _ => message!(part_way_figure {
                way: trial_name(self),
                figure: megabytes(summary.goodput_bps? as f64)
            }),
        })
    }

    fn cpu_usage(&self, summary: &TrialSummary) -> Option<Message> {
        self.is_measured_workload().then(|| cpu_usage_sentence(summary))
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

fn copy_result(way: FileDirection, length: Cell, rate: Cell, time: Cell, found: &FileSummary) -> Message {
    let phase = |bps: Option<u64>, ns: Option<u64>| Some((nanos(ns?), megabytes(bps? as f64)));
    let accepted = phase(found.accepted_bps, found.accepted_ns);
    let durable = phase(found.durable_bps, found.durable_ns);
    let written = way == FileDirection::Write;
    match accepted.zip(durable) {
        Some(((after, accepted), (whole, durable))) if written => {
            message!(part_written_accepted_durable { length, after, accepted, whole, durable })
        }
        Some(((after, accepted), (whole, durable))) => {
            message!(part_file_read_accepted_durable { length, after, accepted, whole, durable })
        }
        None if written => message!(part_written_in { length, time, rate }),
        None => message!(part_read_in { length, time, rate }),
    }
}

pub(crate) fn simulated_clients(count: u64) -> Message {
    message!(part_file_simulated_clients { count })
}

fn all_simulated_clients(settings: &File, each: u16) -> Message {
    simulated_clients(u64::from(each) * settings.clients.len().max(1) as u64)
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

/// `write to /mnt/nas`, `read from /mnt/nas`.
fn direction_at(way: FileDirection, place: &str) -> Message {
    match way {
        FileDirection::Write => message!(report_copy_write_to { place }),
        FileDirection::Read => message!(report_copy_read_from { place }),
    }
}

/// `write 4K QD32`.
fn row_name(way: FileDirection, name: &str) -> Message {
    match way {
        FileDirection::Write => message!(part_file_write_row { name }),
        FileDirection::Read => message!(part_file_read_row { name }),
    }
}

/// `write copy`, `read 4K QD32`, `office, 4 simulated clients`.
pub(crate) fn trial_name(settings: &File) -> Message {
    match &settings.work {
        FileWorkload::Copy { way: FileDirection::Write, .. } => message!(part_file_write_copy),
        FileWorkload::Copy { way: FileDirection::Read, .. } => message!(part_file_read_copy),
        FileWorkload::Row { name, way, .. } => row_name(*way, name),
        FileWorkload::Mix { load, players: each, .. } => {
            let name = location::workload_mix_name(load);
            comma_list([MessageArg::from(name), all_simulated_clients(settings, *each).into()])
        }
        FileWorkload::Prepare { .. } => message!(part_file_prepare),
        FileWorkload::Remove => message!(part_file_remove),
    }
}

/// `write to smb://nas/media`, `read, local disk only (/home)`, `write, network only (nas:null)`.
pub(crate) fn copy_name(copy: &FileCopy) -> Message {
    let (written, place) = (copy.way == FileDirection::Write, &copy.place);
    match copy.kind {
        FileCopyKind::Copy => direction_at(copy.way, place),
        FileCopyKind::LocalAlone if written => message!(report_copy_write_alone { place }),
        FileCopyKind::LocalAlone => message!(report_copy_read_alone { place }),
        FileCopyKind::NetOnly if written => message!(report_copy_write_network_alone { place }),
        FileCopyKind::NetOnly => message!(report_copy_read_network_alone { place }),
    }
}

/// `office at smb://nas/media`.
pub(crate) fn mix_name(curve: &FileOperationMixCurve) -> Message {
    message!(part_file_mix_at { load: &curve.load, place: location::location_text(&curve.place) })
}

/// The verdict is a clause in JSON.
pub(crate) fn limit_sentence(verdict: &FileCopyVerdict) -> Message {
    let english = format!("{}.", capitalize(verdict.text.trim_end_matches('.')));
    verdict.text.clone().with_text(english)
}

/// `office at smb://nas/media: highest rate 84.2 MB/s with 8 simulated clients; above 4 simulated clients,
/// additional clients increase the rate by at most 5 %.`
pub(crate) fn saturation_sentence(curve: &FileOperationMixCurve) -> Message {
    let (rate, whom) = (megabytes(curve.best_bps), simulated_clients(curve.best_at));
    let smallest = curve.points.first().map(|p| p.players);
    let clause = curve.saturation.as_ref().map(|point| {
        saturation_clause(CurveVariable::SimulatedClients, point, smallest, |n| simulated_clients(n).into())
    });
    let curve = mix_name(curve);
    match clause {
        Some(saturation) => message!(report_curve_best_with_saturation { curve, rate, whom, saturation }),
        None => message!(report_curve_best_with { curve, rate, whom }),
    }
}

/// `A single write to /mnt/nas takes a fixed 212.4 µs (RTT 180.1 µs, service time 32.3 µs) plus the
/// transfer of its bytes at 109.8 MB/s.`
pub(crate) fn round_trip_sentence(model: &FileOperationTimeModel) -> Message {
    let parts = match model.round_trip_ns.zip(model.service_ns) {
        Some((trip, service)) => comma_list([
            message!(part_round_trip { time: whole_nanos(trip) }),
            message!(part_service { time: whole_nanos(service) }),
        ]),
        None => message!(part_round_trip_and_service),
    };
    let fit = match model.blocks.len() {
        2 => message!(part_two_block_sizes),
        count => message!(part_block_sizes_within { count, share: percent(model.error_percent) }),
    };
    let (place, fixed, rate) = (&model.place, whole_nanos(model.fixed_ns), megabytes(model.rate_bps));
    match model.way {
        FileDirection::Write => message!(report_write_at_a_time { place, fixed, parts, rate, fit }),
        FileDirection::Read => message!(report_read_at_a_time { place, fixed, parts, rate, fit }),
    }
}

/// `office, 4 simulated clients at smb://nas/media: 412.0 µs per operation, of which disk …, network …,
/// protocol ….`
pub(crate) fn time_breakdown_sentence(split: &FileOperationTimeBreakdown) -> Message {
    let (load, place, time) = (&split.load, &split.share, whole_nanos(split.share_ns));
    let (players, disk, wire) =
        (simulated_clients(split.players), whole_nanos(split.disk_ns), whole_nanos(split.wire_ns));
    let Some(left) = split.protocol_ns else {
        return message!(report_split_cannot { load, players, place, time, disk, wire });
    };
    let share = |ns: f64| percent(ns * 100.0 / split.share_ns);
    let parts = comma_list([
        message!(part_disk_time { time: disk, share: share(split.disk_ns) }),
        message!(part_wire_time { time: wire, share: share(split.wire_ns) }),
        message!(part_protocol_time { time: whole_nanos(left), share: share(left) }),
    ]);
    message!(report_split_of_an_operation { load, players, place, time, parts })
}

/// dbench's last line, for scripts: MB of 10^6 bytes, ms.
pub(crate) fn dbench_line(point: &FileOperationMixPoint) -> String {
    format!(
        "Throughput {:.3} MB/sec  {n} clients  {n} procs  max_latency={:.3} ms",
        point.rate_bps.median / 8e6,
        point.latency_max_ns.unwrap_or(0) as f64 / 1e6,
        n = point.players
    )
}

pub(crate) fn file_run_headline(summaries: &[TrialSummary]) -> Option<Message> {
    let run = summarize_file_run(&summaries.iter().collect::<Vec<_>>())?;
    let copies = run.copies.iter().filter(|c| c.kind == FileCopyKind::Copy).map(|c| {
        let cause = run.verdicts.iter().find(|v| v.way == c.way && v.place == c.place).and_then(|v| v.cause);
        let way = Message::from(direction_verb(c.way));
        let what = message!(part_way_figure { way, figure: megabytes(c.rate_bps.median) });
        match cause.map(|cause| Message::from(cause.description())) {
            Some(parts) => message!(part_with_parts { what, parts }),
            None => what,
        }
    });
    let best = run.rows.iter().max_by(|a, b| a.rate_bps.median.total_cmp(&b.rate_bps.median));
    let rows = best
        .map(|r| message!(part_file_rows_best { count: run.rows.len(), rate: megabytes(r.rate_bps.median) }));
    let mixes =
        run.mixes.iter().map(|m| message!(part_way_figure { way: &m.load, figure: megabytes(m.best_bps) }));
    Some(comma_list(copies.chain(rows).chain(mixes)))
}

fn mb(bps: f64) -> Cell {
    plain(bps / 8e6)
}

fn mb_interval(spread: &TrialsMedian) -> Cell {
    optional_cell(spread.interval, |(low, high)| {
        mb(low).worded(|least| message!(part_from_to { least, most: mb(high) }))
    })
}

fn whole_nanos(ns: f64) -> Cell {
    cell::time(ns.max(0.0).round())
}

fn latency(ns: Option<f64>) -> Cell {
    optional_cell(ns, whole_nanos)
}

const INTERVALS: &str = "95 %: confidence interval of the median, by order statistics; with fewer than \
    six trials, their range, at a lower confidence.";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::documents;
    use crate::probe::headline::headline;

    #[test]
    fn a_new_workspace_is_named_and_a_run_fits_into_a_list() {
        let trials = documents::file_copies().trials;
        let headline = headline(&trials[0]);
        assert!(headline.contains("created the workspace .goodput-"), "{headline}");
        let words = file_run_headline(&trials).unwrap();
        assert!(words.contains("(the network link)"), "{words}");
        assert_eq!(file_run_headline(&[]), None);
    }
}
