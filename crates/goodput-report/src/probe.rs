//! The report of each kind of probe, behind one trait.

mod clock;
pub(crate) mod datagram;
pub(crate) mod file;
pub(crate) mod headline;
pub(crate) mod latency;
mod latency_figures;
pub(crate) mod load;
pub(crate) mod mtu;
mod over_time;
pub(crate) mod pingpong;
pub(crate) mod request;
pub(crate) mod stream;

use crate::csv::table::{CsvTable, IntervalByteCount};
use crate::display_text::comma_list;
use crate::figure::Figure;
use crate::number_format::format_value_with_unit;
use crate::table::cell::{nanos, optional_cell, rate, size_setting, time_setting, volume};
use crate::table::{Align, Cell, Table, host_cpu_usage};
use crate::wording::{self, endpoint_name, format_direction, format_endpoints};
use goodput_model::Message;
use goodput_model::probe::{Probe, StopCondition, TransferDirection, WaitMode};
use goodput_model::summary::{DirectionSummary, LatencySummary, ResultDocument, TrialSummary};
use goodput_model::trial::{EndpointRole, Trial};
use goodput_words::message;

/// Implemented by a probe's settings.
pub(crate) trait ProbeReport {
    fn title(&self) -> &'static str;

    fn format_endpoints(&self, summary: &TrialSummary) -> String {
        format_endpoints(summary)
    }

    fn connecting_host(&self, summary: &TrialSummary) -> String {
        endpoint_name(summary, EndpointRole::Connect)
    }

    fn has_many_clients(&self) -> bool {
        false
    }

    /// Without hosts; `None` if nothing was counted.
    fn result(&self, summary: &TrialSummary) -> Option<Message>;

    fn short_result(&self, summary: &TrialSummary) -> Option<Message>;

    fn has_goodput_limit(&self) -> bool {
        true
    }

    fn cpu_usage(&self, summary: &TrialSummary) -> Option<Message> {
        Some(wording::cpu_usage_sentence(summary))
    }

    fn cpu_table(&self, summary: &TrialSummary) -> Option<Table> {
        host_cpu_usage::host_cpu_usage_table(summary)
    }

    fn settings_rows(&self) -> Vec<(&'static str, Cell)>;

    fn result_tables(&self, summary: &TrialSummary) -> Vec<Table>;

    /// The stored trial allows figures from samples.
    fn figures(&self, _summary: &TrialSummary, _trial: Option<&Trial>) -> Vec<Figure> {
        Vec::new()
    }

    fn csv_interval_byte_counts(&self, _summary: &TrialSummary) -> Vec<IntervalByteCount> {
        Vec::new()
    }

    /// Tables of this probe alone, of all trials of a document.
    fn csv_tables(_document: &ResultDocument, _summaries: &[&TrialSummary]) -> Vec<CsvTable>
    where
        Self: Sized,
    {
        Vec::new()
    }

    fn user_chosen_names(&self) -> Vec<String> {
        Vec::new()
    }
}

macro_rules! dispatch {
    ($($variant:ident $module:ident,)*) => {
        pub(crate) fn probe_report(probe: &Probe) -> &dyn ProbeReport {
            match probe {
                $(Probe::$variant(settings) => settings,)*
            }
        }

        pub(crate) fn probe_csv_tables(document: &ResultDocument, summaries: &[&TrialSummary]) -> Vec<CsvTable> {
            let all = [$(goodput_model::probe::$module::$variant::csv_tables(document, summaries)),*];
            all.into_iter().flatten().collect()
        }
    };
}

goodput_model::for_each_probe!(dispatch);

/// In the order of the report; metrics without a measurement have no figure. The stored `trial` allows
/// figures from samples, such as the full latency distribution.
pub fn trial_figures(summary: &TrialSummary, trial: Option<&Trial>) -> Vec<Figure> {
    let all = probe_report(&summary.probe).figures(summary, trial);
    all.into_iter().filter(|f| !f.is_empty()).collect()
}

/// The combined figures of a load run or a file run.
pub fn figures_across_trials(document: &ResultDocument) -> Vec<Figure> {
    let points = crate::summaries_of_load_trials(document);
    let loads = document
        .load_curves
        .as_ref()
        .map(|curves| load::figures::figures_for_load_run(curves, &points))
        .unwrap_or_default();
    let files = document.file_run.as_ref().map(file::figures::file_run_figures).unwrap_or_default();
    loads.into_iter().chain(files).collect()
}

/// The metrics of a trial that only its probe yields.
fn own_metrics(summary: &TrialSummary) -> Option<Table> {
    let mut table = Table::new("Metrics", &[("", Align::Left), ("", Align::Right)]);
    for metric in summary.probe.metrics().filter(|metric| metric.is_probe_specific()) {
        if let Some(value) = metric.trial_value(summary) {
            table.add_row([
                Cell::from(metric.label),
                Cell::formatted_number(value, &format_value_with_unit(value, metric.unit())),
            ]);
        }
    }
    (!table.rows.is_empty()).then_some(table)
}

pub(crate) fn setting_row(name: &'static str, value: impl Into<Cell>) -> (&'static str, Cell) {
    (name, value.into())
}

pub(crate) fn yes_or_no(is: bool) -> &'static str {
    if is { "yes" } else { "no" }
}

/// `None` if nothing was counted. If clocks are too coarse for a rate, the byte count is still valid.
fn transfer_clause(summary: &TrialSummary) -> Option<Message> {
    let time = nanos(summary.elapsed_ns);
    Some(match (summary.goodput_bps, summary.bytes.filter(|b| *b > 0)) {
        (Some(goodput), _) => message!(part_rate_over { rate: rate(goodput), time }),
        (None, moved) => {
            let transferred = message!(part_moved_in { volume: volume(moved?), time });
            comma_list([transferred, message!(part_gives_no_rate)])
        }
    })
}

/// `(a → b 941.5 Mbit/s, b → a 938.2 Mbit/s)` after a text.
fn with_goodput_by_direction(what: Message, summary: &TrialSummary) -> Message {
    let one = |d: &DirectionSummary| {
        let way = format_direction(summary, d.direction);
        message!(part_way_figure { way, figure: optional_cell(d.goodput_bps, rate) })
    };
    message!(part_with_parts { what, parts: comma_list(summary.direction_summaries().iter().map(one)) })
}

/// A table of rows with names, and a column for each direction.
fn directions_table(title: &str, summary: &TrialSummary) -> Table {
    let mut table = Table::new(title, &[("", Align::Left)]);
    let name = |d: &DirectionSummary| (format_direction(summary, d.direction).into(), Align::Right);
    table.columns.extend(summary.direction_summaries().iter().map(name));
    table
}

fn sending_end(direction: TransferDirection, both: &'static str) -> &'static str {
    match direction {
        TransferDirection::Send => "the connecting end sends",
        TransferDirection::Receive => "the connecting end receives",
        TransferDirection::Both => both,
    }
}

/// `median 35.00 µs`, and the p99 of enough values.
fn percentile_clauses(l: &LatencySummary) -> Vec<Message> {
    let p99 = (l.count >= 100).then(|| message!(part_within_99 { time: nanos(l.p99) }));
    [Some(message!(part_median { time: nanos(l.p50) })), p99].into_iter().flatten().collect()
}

fn stop(stop: StopCondition) -> Message {
    match stop {
        StopCondition::Time(t) => message!(report_stop_after { what: time_setting(t) }),
        StopCondition::Bytes(b) => message!(report_stop_after_in_each_direction { what: size_setting(b) }),
        StopCondition::Count(n) => message!(report_stop_after_in_each_direction { what: n }),
    }
}

fn wait(wait: WaitMode) -> &'static str {
    match wait {
        WaitMode::Sleep => "blocking (thread sleeps in the kernel)",
        WaitMode::Spin => "busy polling; uses one CPU at each end",
    }
}
