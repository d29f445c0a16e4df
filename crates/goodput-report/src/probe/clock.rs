//! The report of a clock difference: offset, drift and their error bounds.

use super::{ProbeReport, setting_row};
use crate::csv::table::{self as csv, CsvTable};
use crate::display_text::{comma_list, semicolon_list};
use crate::figure::{Axis, Curve, CurveStyle, Figure, Quantity};
use crate::table::cell::{count, nanos, optional_cell, plain, time, time_setting};
use crate::table::{Align, Cell, Table};
use crate::wording::{endpoint_name, format_endpoints};
use goodput_model::probe::clock::Clock;
use goodput_model::probe::clock::result::{ClockDifference, ClockResult, ClockSample};
use goodput_model::summary::{ResultDocument, TrialSummary};
use goodput_model::trial::EndpointRole;
use goodput_model::{Message, MessageArg, Trial};
use goodput_words::message;

impl ProbeReport for Clock {
    fn title(&self) -> &'static str {
        "Clock offset and drift (clock)"
    }

    fn has_goodput_limit(&self) -> bool {
        false
    }

    fn cpu_usage(&self, _summary: &TrialSummary) -> Option<Message> {
        None
    }

    fn result(&self, summary: &TrialSummary) -> Option<Message> {
        let clock = clock(summary)?;
        let host = endpoint_name(summary, EndpointRole::Listen);
        let time = time(clock.offset_ns.unsigned_abs() as f64);
        let offset = match clock.offset_ns {
            0 => message!(part_clock_agrees { host }),
            ..0 => message!(part_clock_behind { host, time }),
            _ => message!(part_clock_ahead { host, time }),
        };
        let error = nanos(clock.error_ns).with_prefix("± ");
        let offset = comma_list([MessageArg::from(offset), error.into()]);
        let drift = drift(clock).map(|drift| message!(part_clock_drift { drift }));
        let unsteady = (!clock.is_steady).then(|| message!(part_clock_drift_not_constant));
        Some(semicolon_list([offset].into_iter().chain(drift).chain(unsteady)))
    }

    fn short_result(&self, summary: &TrialSummary) -> Option<Message> {
        clock(summary).map(offset)
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

fn offset(clock: &ClockDifference) -> Message {
    message!(part_clock_offset { offset: time(clock.offset_ns as f64), error: nanos(clock.error_ns) })
}

fn drift(clock: &ClockDifference) -> Option<Message> {
    Some(message!(part_clock_ppm { drift: plain(clock.drift_ppm?), error: plain(clock.drift_error_ppm?) }))
}

fn table(clock: &ClockDifference) -> Table {
    let title = "Clock offset (listening host minus connecting host)";
    let steady = if clock.is_steady { "yes" } else { "no: a clock was set or its rate changed" };
    let mut table = Table::new(title, &[("", Align::Left), ("", Align::Right)]);
    let mut row = |name: &str, value: Cell| table.add_row([name.into(), value]);
    row("offset", offset(clock).into());
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
        message!(report_clock_offset_over_time { way: format_endpoints(summary) }),
        super::headline::headline(summary),
        Axis::linear_range("time since window start", Quantity::Time, 0.0, end as f64),
        Axis::linear_range("clock offset", Quantity::Time, low, high),
        vec![Curve::new(name, CurveStyle::Line, points).with_band("maximum error of the offset", band)],
    )
}
