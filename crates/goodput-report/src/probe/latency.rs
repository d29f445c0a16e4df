//! The report of a latency probe: RTT, idle or under load, and losses.

use super::latency_figures::{
    latency_distribution_figure, latency_over_time_figure, latency_quantiles_from_samples,
};
use super::over_time::goodput_over_time_figure;
use super::request::request_results_table;
use super::stream::stream_table;
use super::{ProbeReport, percentile_clauses, setting_row, stop, wait};
use crate::csv::table::{self as csv, CsvTable};
use crate::display_text::comma_list;
use crate::figure::Figure;
use crate::table::Align::{Left, Right};
use crate::table::cell::{
    count, nanos, optional_cell, percent, rate, size_setting, time_change, time_setting,
};
use crate::table::{Cell, ColumnDefinitions, Table};
use crate::wording::{format_direction, with_share_of_goodput_limit};
use goodput_model::probe::TransferDirection::{Both, Receive, Send};
use goodput_model::probe::{Probe, StopCondition, TransferDirection};
use goodput_model::summary::{LatencyProbesSummary, LatencySummary, ResultDocument, TrialSummary};
use goodput_model::{Latency, Message, Trial};
use goodput_words::message;

impl ProbeReport for Latency {
    fn title(&self) -> &'static str {
        if self.load.is_none() { "Idle latency (latency)" } else { "Latency under load (latency)" }
    }

    fn has_goodput_limit(&self) -> bool {
        self.load.is_some()
    }

    /// `idle: median 61.20 µs, p99 latency 80.00 µs, maximum 1.200 ms, none of 1,000 probes lost`.
    fn result(&self, summary: &TrialSummary) -> Option<Message> {
        let probes = summary.latency_probes()?;
        let load = match self.load {
            None => message!(part_latency_idle),
            Some(direction) => {
                let way = format_direction(summary, direction);
                match summary.goodput_bps {
                    None => message!(part_under_tcp_load { way }),
                    Some(bps) => with_share_of_goodput_limit(
                        message!(part_under_tcp_load_at { way, rate: rate(bps) }),
                        summary,
                    ),
                }
            }
        };
        let mut parts = match summary.latency_summary() {
            None => vec![message!(part_no_probe_answered)],
            Some(l) => {
                let maximum = message!(part_worst { time: nanos(l.max) });
                percentile_clauses(&l).into_iter().chain([maximum]).collect()
            }
        };
        parts.push(match probes.lost {
            0 => message!(part_none_of_probes_lost { all: probes.sent }),
            lost => message!(part_so_many_probes_lost {
                count: lost,
                all: probes.sent,
                share: lost_percent(&probes)
            }),
        });
        Some(message!(part_latency_result { load, more: comma_list(parts) }))
    }

    /// `idle p50 61.20 µs`, `both directions p50 12.30 ms, 3 lost`.
    fn short_result(&self, summary: &TrialSummary) -> Option<Message> {
        let l = summary.latency_summary()?;
        let median = message!(part_latency_p50 { load: load_name(self), time: nanos(l.p50) });
        let probes = summary.latency_probes().filter(|p| p.lost > 0);
        let lost = probes.map(|p| message!(part_latency_lost { count: p.lost }));
        Some(comma_list([median].into_iter().chain(lost)))
    }

    fn settings_rows(&self) -> Vec<(&'static str, Cell)> {
        let count = self.connections;
        let load = match self.load {
            None => message!(report_path_is_idle),
            Some(Send) => message!(report_tcp_load_sends { count }),
            Some(Receive) => message!(report_tcp_load_receives { count }),
            Some(Both) => message!(report_tcp_load_both { count }),
        };
        let (size, time) = (size_setting(self.size), time_setting(self.interval));
        vec![
            setting_row("load", load),
            setting_row("probes", message!(report_udp_probes { size, time })),
            setting_row("wait method", wait(self.wait)),
            setting_row("measurement end", stop(StopCondition::Time(self.time))),
            setting_row("warm-up (not counted)", time_setting(self.warm_up)),
        ]
    }

    fn result_tables(&self, summary: &TrialSummary) -> Vec<Table> {
        let mut tables = vec![latency_table(summary)];
        if self.load.is_some() && !summary.direction_summaries().is_empty() {
            tables.push(stream_table(summary));
        }
        tables
    }

    fn figures(&self, summary: &TrialSummary, trial: Option<&Trial>) -> Vec<Figure> {
        vec![
            latency_over_time_figure(summary, trial),
            latency_distribution_figure(
                summary,
                &trial.map(latency_quantiles_from_samples).unwrap_or_default(),
            ),
            goodput_over_time_figure(summary, self.load.map_or(1, |d| d.one_way_directions().len()), None),
        ]
    }

    fn csv_tables(_document: &ResultDocument, summaries: &[&TrialSummary]) -> Vec<CsvTable> {
        type Row<'a> = (&'a TrialSummary, &'a Latency, LatencyProbesSummary);
        let rows = summaries.iter().filter_map(|s| match &s.probe {
            Probe::Latency(settings) => Some((*s, settings, s.latency_probes()?)),
            _ => None,
        });
        let columns: csv::CsvColumnDefinitions<'_, Row<'_>> = &[
            ("trial", |(s, ..)| s.trial.0.into()),
            ("load", |(_, settings, _)| load_name(settings).as_str().into()),
            ("sent", |(.., p)| p.sent.into()),
            ("answered", |(.., p)| p.answered.into()),
            ("lost", |(.., p)| p.lost.into()),
            ("round_trip_p50_ns", |(.., p)| p.round_trip_ns.map(|r| r.p50).into()),
            ("goodput_bps", |(s, ..)| s.goodput_bps.into()),
        ];
        csv::build_table("probes", columns, rows).into_iter().collect()
    }
}

fn load_name(settings: &Latency) -> Message {
    match settings.load {
        None => message!(part_latency_idle),
        Some(Send) => message!(part_latency_send),
        Some(Receive) => message!(report_receive),
        Some(Both) => message!(report_both_ways),
    }
}

fn lost_percent(probes: &LatencyProbesSummary) -> Cell {
    percent(probes.lost as f64 * 100.0 / probes.sent.max(1) as f64)
}

fn latency_table(summary: &TrialSummary) -> Table {
    let mut table = request_results_table(summary);
    table.title = "Probes".into();
    for row in &mut table.rows {
        if row[0] == "transactions" {
            row[0] = "answered probes".into();
        }
    }
    for note in &mut table.notes {
        if let Some(shares) = note.args().get("shares").cloned() {
            *note = message!(report_too_few_probes { shares }).into();
        }
    }
    if let Some(p) = summary.latency_probes() {
        table.rows.insert(0, vec!["sent".into(), count(p.sent)]);
        let share = lost_percent(&p);
        let lost = count(p.lost).worded(|count| message!(part_figure_in_brackets { count, share }));
        table.add_row(vec!["lost".into(), lost]);
        if let Some(late) = p.sent_late_ns {
            table.add_row(vec!["send delay, p50".into(), nanos(late.p50)]);
            table.add_row(vec!["send delay, maximum".into(), nanos(late.max)]);
        }
        if let Some(round_trip) = p.round_trip_ns {
            table.add_row(vec!["RTT from actual send time, p50".into(), nanos(round_trip.p50)]);
        }
        table.notes.push(
            "Latency is measured from the intended send time, so it includes any delay in sending the \
             probe."
                .into(),
        );
    }
    table
}

/// Idle and loaded trials with the difference at p50 and p99; `None` for fewer than two trials.
pub(crate) fn idle_vs_loaded_latency_table(summaries: &[&TrialSummary]) -> Option<Table> {
    let trials: Vec<_> = summaries
        .iter()
        .filter_map(|s| match &s.probe {
            Probe::Latency(l) => Some((*s, l)),
            _ => None,
        })
        .collect();
    if trials.len() < 2 {
        return None;
    }
    let idle = trials.iter().find(|(_, l)| l.load.is_none()).and_then(|(s, _)| s.latency_summary());
    let goodput = |s: &TrialSummary, direction: TransferDirection| {
        let found = s.direction_summaries().iter().find(|d| d.direction == direction);
        optional_cell(found.and_then(|d| d.goodput_bps), rate)
    };
    let value = |l: Option<LatencySummary>, least: u64, of: fn(&LatencySummary) -> u64| {
        l.filter(|l| l.count >= least).map(|l| of(&l))
    };
    let at = |s: &TrialSummary, least, of| optional_cell(value(s.latency_summary(), least, of), nanos);
    let added = |(s, l): &(&TrialSummary, &Latency), least, of| match (
        l.load,
        value(idle, least, of),
        value(s.latency_summary(), least, of),
    ) {
        (Some(_), Some(idle), Some(loaded)) => time_change(loaded as f64 - idle as f64),
        _ => Cell::Missing,
    };
    let columns: ColumnDefinitions<'_, (&TrialSummary, &Latency)> = &[
        ("load", Left, &|(_, settings)| load_name(settings).into()),
        ("sent", Right, &|(s, _)| goodput(s, TransferDirection::Send)),
        ("received", Right, &|(s, _)| goodput(s, TransferDirection::Receive)),
        ("p50", Right, &|(s, _)| at(s, 2, |l| l.p50)),
        ("p90", Right, &|(s, _)| at(s, 10, |l| l.p90)),
        ("p99", Right, &|(s, _)| at(s, 100, |l| l.p99)),
        ("maximum", Right, &|(s, _)| at(s, 1, |l| l.max)),
        ("latency increase at p50", Right, &|trial| added(trial, 2, |l| l.p50)),
        ("latency increase at p99", Right, &|trial| added(trial, 100, |l| l.p99)),
        ("lost", Right, &|(s, _)| {
            optional_cell(s.latency_probes(), |p| {
                count(p.lost).worded(|count| message!(report_so_many_of { count, all: p.sent }))
            })
        }),
    ];
    let table = Table::from_items("Idle and loaded latency", trials, columns);
    Some(table.without_empty_columns())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::documents;

    #[test]
    fn what_the_load_adds_and_what_was_lost_is_told() {
        let (idle, loaded) = (documents::latency_idle(), documents::latency_loaded());
        let table = idle_vs_loaded_latency_table(&[&idle, &loaded]).unwrap();
        assert_eq!(table.rows[0][0], "idle");
        let added = table.columns.iter().position(|c| c.0 == "latency increase at p50").unwrap();
        assert_eq!(table.rows[0][added], Cell::Missing);
        assert_eq!(table.rows[1][added], "+12.24 ms");
        assert_eq!(idle_vs_loaded_latency_table(&[&idle]), None);
        let goodput_model::Probe::Latency(settings) = &loaded.probe else { panic!() };
        assert_eq!(settings.short_result(&loaded).unwrap(), "send p50 12.30 ms, 8 lost");
    }
}
