//! The report of a clock difference: offset, drift and their error bounds.

use super::{ProbeReport, setting_row};
use crate::csv::table::{self as csv, CsvTable};
use crate::figure::{Axis, Curve, CurveStyle, Figure, Quantity};
use crate::number_format::{format_number, format_time};
use crate::table::cell::{count, nanos, optional_cell, time_setting};
use crate::table::{Align, Cell, Table};
use crate::wording::{endpoint_name, format_endpoints};
use goodput_model::Trial;
use goodput_model::probe::clock::Clock;
use goodput_model::probe::clock::result::{ClockDifference, ClockResult, ClockSample};
use goodput_model::summary::{ResultDocument, TrialSummary};
use goodput_model::trial::EndpointRole;

impl ProbeReport for Clock {
    fn title(&self) -> &'static str {
        "Clock offset and drift (clock)"
    }

    fn has_goodput_limit(&self) -> bool {
        false
    }

    fn format_cpu_usage(&self, _summary: &TrialSummary) -> Option<String> {
        None
    }

    fn format_result(&self, summary: &TrialSummary) -> Option<String> {
        let clock = clock(summary)?;
        let listening = endpoint_name(summary, EndpointRole::Listen);
        let offset = match clock.offset_ns {
            0 => format!("the clock of {listening} agrees"),
            ns => {
                let side = if ns < 0 { "behind" } else { "ahead" };
                format!("the clock of {listening} is {} {side}", format_time(ns.unsigned_abs() as f64))
            }
        };
        let drift = drift(clock).map(|drift| format!("; drift {drift}")).unwrap_or_default();
        let steady = if clock.is_steady { "" } else { "; the drift was not constant" };
        Some(format!("{offset}, ± {}{drift}{steady}", nanos(clock.error_ns)))
    }

    fn format_short_result(&self, summary: &TrialSummary) -> Option<String> {
        clock(summary).map(|clock| offset(clock.offset_ns, clock.error_ns))
    }

    fn settings_rows(&self) -> Vec<(&'static str, Cell)> {
        vec![
            setting_row("time", time_setting(self.time)),
            setting_row("sampling interval", time_setting(self.interval)),
            setting_row("exchanges per sample", count(self.exchanges.into())),
        ]
    }

    fn result_tables(&self, summary: &TrialSummary) -> Vec<Table> {
        clock(summary).map(table).into_iter().collect()
    }

    fn figures(&self, summary: &TrialSummary, _trial: Option<&Trial>) -> Vec<Figure> {
        clock(summary).map(|clock| figure(summary, clock)).into_iter().collect()
    }

    fn csv_tables(_document: &ResultDocument, summaries: &[&TrialSummary]) -> Vec<CsvTable> {
        let rows = summaries
            .iter()
            .flat_map(|s| clock(s).into_iter().flat_map(move |c| c.intervals.iter().map(move |i| (*s, i))));
        let columns: csv::CsvColumnDefinitions<'_, (&TrialSummary, &ClockSample)> = &[
            ("trial", |(s, _)| s.trial.0.into()),
            ("at_ns", |(_, sample)| sample.at_ns.into()),
            ("offset_ns", |(_, sample)| sample.offset_ns.into()),
            ("error_ns", |(_, sample)| sample.error_ns.into()),
        ];
        csv::build_table("clock", columns, rows).into_iter().collect()
    }
}

fn clock(summary: &TrialSummary) -> Option<&ClockDifference> {
    summary.result.downcast_ref::<ClockResult>()?.clock.as_ref()
}

fn offset(offset_ns: i64, error_ns: u64) -> String {
    format!("{} ± {}", format_time(offset_ns as f64), nanos(error_ns))
}

fn drift(clock: &ClockDifference) -> Option<String> {
    Some(format!("{} ± {} ppm", format_number(clock.drift_ppm?), format_number(clock.drift_error_ppm?)))
}

fn table(clock: &ClockDifference) -> Table {
    let title = "Clock offset (listening host minus connecting host)";
    let steady = if clock.is_steady { "yes" } else { "no: a clock was set or its rate changed" };
    let mut table = Table::new(title, &[("", Align::Left), ("", Align::Right)]);
    let mut row = |name: &str, value: Cell| table.add_row([name.into(), value]);
    row("offset", offset(clock.offset_ns, clock.error_ns).into());
    row("drift", optional_cell(drift(clock), |drift| drift));
    row("constant drift fits all samples", steady.into());
    row("minimum RTT of the exchanges", nanos(clock.round_trip_ns));
    row("samples", count(clock.samples));
    table
}

fn figure(summary: &TrialSummary, clock: &ClockDifference) -> Figure {
    let band: Vec<(f64, f64, f64)> = clock
        .intervals
        .iter()
        .map(|s| {
            (s.at_ns as f64, s.offset_ns as f64 - s.error_ns as f64, s.offset_ns as f64 + s.error_ns as f64)
        })
        .collect();
    let low = band.iter().map(|b| b.1).fold(f64::INFINITY, f64::min);
    let high = band.iter().map(|b| b.2).fold(f64::NEG_INFINITY, f64::max);
    let end = clock.intervals.last().map_or(0, |s| s.at_ns).max(summary.elapsed_ns);
    let name = format!(
        "{} − {}",
        endpoint_name(summary, EndpointRole::Listen),
        endpoint_name(summary, EndpointRole::Connect)
    );
    let points = clock.intervals.iter().map(|s| (s.at_ns as f64, s.offset_ns as f64)).collect();
    Figure::new(
        "clock",
        format!("Clock offset over time, {}", format_endpoints(summary)),
        super::headline::format_headline(summary),
        Axis::linear_range("time since window start", Quantity::Time, 0.0, end as f64),
        Axis::linear_range("clock offset", Quantity::Time, low, high),
        vec![Curve::new(name, CurveStyle::Line, points).with_band("maximum error of the offset", band)],
    )
}
