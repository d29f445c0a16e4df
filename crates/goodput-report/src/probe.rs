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

use crate::csv::table::{CsvTable, Interval};
use crate::figure::Figure;
use crate::number::{count, of_unit};
use crate::table::cell::{size_setting, time_setting};
use crate::table::{Align, Cell, Table, hosts};
use crate::wording::{self, between_ends, end_name};
use goodput_model::probe::{Probe, Stop, Wait};
use goodput_model::summary::{Document, Summary};
use goodput_model::trial::{Role, Trial};

/// Implemented by a probe's settings.
pub(crate) trait ProbeReport {
    fn title(&self) -> &'static str;

    fn between(&self, summary: &Summary) -> String {
        between_ends(summary)
    }

    fn connects(&self, summary: &Summary) -> String {
        end_name(summary, Role::Connect)
    }

    fn has_many_clients(&self) -> bool {
        false
    }

    /// Without hosts; `None` if nothing was counted.
    fn result(&self, summary: &Summary) -> Option<String>;

    fn short(&self, summary: &Summary) -> Option<String>;

    fn is_limited(&self) -> bool {
        true
    }

    fn cpu(&self, summary: &Summary) -> Option<String> {
        Some(wording::cpu(summary))
    }

    fn cpu_table(&self, summary: &Summary) -> Option<Table> {
        hosts::hosts_table(summary)
    }

    fn settings(&self) -> Vec<(&'static str, Cell)>;

    fn tables(&self, summary: &Summary) -> Vec<Table>;

    /// The stored trial allows figures from samples.
    fn figures(&self, _summary: &Summary, _trial: Option<&Trial>) -> Vec<Figure> {
        Vec::new()
    }

    fn intervals(&self, _summary: &Summary) -> Vec<Interval> {
        Vec::new()
    }

    /// Tables of this probe alone, of all trials of a document.
    fn csv(_document: &Document, _summaries: &[&Summary]) -> Vec<CsvTable>
    where
        Self: Sized,
    {
        Vec::new()
    }

    fn names(&self) -> Vec<String> {
        Vec::new()
    }
}

macro_rules! dispatch {
    ($($variant:ident $module:ident,)*) => {
        pub(crate) fn of(probe: &Probe) -> &dyn ProbeReport {
            match probe {
                $(Probe::$variant(settings) => settings,)*
            }
        }

        pub(crate) fn csv(document: &Document, summaries: &[&Summary]) -> Vec<CsvTable> {
            let all = [$(goodput_model::probe::$module::$variant::csv(document, summaries)),*];
            all.into_iter().flatten().collect()
        }
    };
}

goodput_model::for_each_probe!(dispatch);

/// In the order of the report; metrics without a measurement have no figure. The stored `trial` allows
/// figures from samples, such as the full latency distribution.
pub fn figures(summary: &Summary, trial: Option<&Trial>) -> Vec<Figure> {
    let all = of(&summary.probe).figures(summary, trial);
    all.into_iter().filter(|f| !f.is_empty()).collect()
}

/// The combined figures of a load run or a file run.
pub fn run_figures(document: &Document) -> Vec<Figure> {
    let points = crate::load_points(document);
    let loads = document
        .load_curves
        .as_ref()
        .map(|curves| load::figures::of_run(curves, &points))
        .unwrap_or_default();
    let files = document.file_run.as_ref().map(file::figures::of_run).unwrap_or_default();
    loads.into_iter().chain(files).collect()
}

/// The metrics of a trial that only its probe yields.
fn own_metrics(summary: &Summary) -> Option<Table> {
    let mut table = Table::new("Metrics", &[("", Align::Left), ("", Align::Right)]);
    for metric in summary.probe.metrics().filter(|metric| metric.is_of_one_probe()) {
        if let Some(value) = metric.get(summary) {
            table.row([Cell::from(metric.label), Cell::written(value, &of_unit(value, metric.unit()))]);
        }
    }
    (!table.rows.is_empty()).then_some(table)
}

pub(crate) fn row(name: &'static str, value: impl Into<Cell>) -> (&'static str, Cell) {
    (name, value.into())
}

pub(crate) fn yes(is: bool) -> &'static str {
    if is { "yes" } else { "no" }
}

fn stop(stop: Stop) -> String {
    match stop {
        Stop::Time(t) => format!("after {}", time_setting(t)),
        Stop::Bytes(b) => format!("after {} in each direction", size_setting(b)),
        Stop::Count(n) => format!("after {} in each direction", count(n)),
    }
}

fn wait(wait: Wait) -> &'static str {
    match wait {
        Wait::Sleep => "blocking (thread sleeps in the kernel)",
        Wait::Spin => "busy polling; uses one CPU at each end",
    }
}
