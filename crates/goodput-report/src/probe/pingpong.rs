//! The report of a sweep of message sizes.

mod figures;

use super::{ProbeReport, setting_row, yes_or_no};
use crate::csv::table::{self as csv, CsvTable};
use crate::figure::Figure;
use crate::table::Align::{Left, Right};
use crate::table::cell::{
    count, nanos, optional_cell, percent, rate, size, size_setting, time, time_setting, volume,
};
use crate::table::{Cell, ColumnDefinitions, Table};
use crate::wording::format_share_of_goodput_limit;
use goodput_model::Trial;
use goodput_model::probe::{PingPong, PingPongMethod, PingPongPattern};
use goodput_model::summary::{PingPongPoint, ResultDocument, TrialSummary};

impl ProbeReport for PingPong {
    fn title(&self) -> &'static str {
        "Throughput by message size (pingpong)"
    }

    fn format_result(&self, summary: &TrialSummary) -> Option<String> {
        let sweep = summary.size_sweep_summary()?;
        let smallest = summary
            .pingpong_points()
            .first()
            .map_or_else(|| "the smallest message".into(), |p| size(p.size_bytes));
        let latency = time(sweep.latency_ns);
        let of_smallest = match self.pattern {
            PingPongPattern::PingPong => format!("{latency} half RTT for a message of {smallest}"),
            PingPongPattern::Streaming => format!("{latency} per message of {smallest}"),
            PingPongPattern::TwoWay => {
                format!("{latency} for a simultaneous exchange of {smallest} in both directions")
            }
        };
        let mut text = format!(
            "{of_smallest}, highest rate {} at {}",
            rate(sweep.best_bps),
            size(sweep.best_size_bytes)
        );
        text.push_str(&format_share_of_goodput_limit(summary));
        if let Some(half) = sweep.half_size_bytes.filter(|h| h.is_finite() && *h >= 0.0) {
            text.push_str(&format!(
                "; at least half of the highest rate from {} upwards",
                volume(half.round() as u64)
            ));
        }
        Some(text)
    }

    fn format_short_result(&self, summary: &TrialSummary) -> Option<String> {
        summary.size_sweep_summary().map(|s| format!("{}, best {}", time(s.latency_ns), rate(s.best_bps)))
    }

    fn settings_rows(&self) -> Vec<(&'static str, Cell)> {
        let sizes = match (self.sizes.first(), self.sizes.last()) {
            (Some(first), Some(last)) => format!(
                "{} sizes, {} to {}",
                count(self.sizes.len() as u64),
                size_setting(*first),
                size_setting(*last)
            ),
            _ => "none".into(),
        };
        let pattern = match self.pattern {
            PingPongPattern::PingPong => "ping-pong; the time is half the RTT",
            PingPongPattern::Streaming => "one direction; the receiver measures the time",
            PingPongPattern::TwoWay => "both directions at once; the time covers the whole exchange",
        };
        let mut rows = vec![setting_row("message sizes", sizes), setting_row("traffic pattern", pattern)];
        match &self.method {
            PingPongMethod::Native { width_percent, cap, passes, batches, seed } => {
                rows.push(setting_row(
                    "measurement method",
                    "native: median of the batch medians, with its 95 % interval",
                ));
                rows.push(setting_row(
                    "stop condition",
                    format!(
                        "95 % interval at most {width_percent} % wide after at least {passes} passes and \
                         {batches} batches, or {} per size",
                        time_setting(*cap)
                    ),
                ));
                rows.push(setting_row("run order seed", seed.to_string()));
            }
            PingPongMethod::Compat { trials, run_time, repeats, reset } => {
                rows.push(setting_row(
                    "measurement method",
                    format!("NetPIPE 3.7.2: best of {trials} loops, one shared buffer"),
                ));
                rows.push(setting_row(
                    "loop",
                    repeats.map_or_else(
                        || format!("about {}", time_setting(*run_time)),
                        |n| format!("{} repeats", count(n.into())),
                    ),
                ));
                rows.push(setting_row("new connection for each loop", yes_or_no(*reset)));
            }
        }
        rows.push(setting_row("cold caches", yes_or_no(self.cold)));
        rows.push(setting_row("every byte verified", yes_or_no(self.integrity)));
        rows
    }

    fn result_tables(&self, summary: &TrialSummary) -> Vec<Table> {
        std::iter::once(size_sweep_table(summary, self)).chain(derived_metrics_table(summary)).collect()
    }

    fn figures(&self, summary: &TrialSummary, _trial: Option<&Trial>) -> Vec<Figure> {
        vec![
            figures::throughput_figure(summary, self),
            figures::transfer_time_by_size_figure(summary, self),
            figures::network_signature_figure(summary, self),
            figures::saturation_figure(summary, self),
        ]
    }

    fn csv_tables(_document: &ResultDocument, summaries: &[&TrialSummary]) -> Vec<CsvTable> {
        let rows = summaries.iter().flat_map(|s| s.pingpong_points().iter().map(move |p| (*s, p)));
        let columns: csv::CsvColumnDefinitions<'_, (&TrialSummary, &PingPongPoint)> = &[
            ("trial", |(s, _)| s.trial.0.into()),
            ("size_bytes", |(_, p)| p.size_bytes.into()),
            ("repeats", |(_, p)| p.repeats.into()),
            ("batches", |(_, p)| p.batches.into()),
            ("time_ns", |(_, p)| p.time_ns.into()),
            ("interval_low_ns", |(_, p)| p.interval_ns.map(|i| i.0).into()),
            ("interval_high_ns", |(_, p)| p.interval_ns.map(|i| i.1).into()),
            ("goodput_bps", |(_, p)| p.goodput_bps.into()),
            ("half_rtt_min_ns", |(_, p)| p.half_rtt_ns.map(|h| h.min).into()),
            ("half_rtt_p50_ns", |(_, p)| p.half_rtt_ns.map(|h| h.p50).into()),
            ("half_rtt_p99_ns", |(_, p)| p.half_rtt_ns.and_then(|h| h.p99).into()),
            ("cap_reached", |(_, p)| p.cap_reached.into()),
        ];
        csv::build_table("points", columns, rows).into_iter().collect()
    }
}

fn point_time(pattern: PingPongPattern, method: &PingPongMethod) -> &'static str {
    match (pattern, method) {
        (PingPongPattern::PingPong, PingPongMethod::Native { .. }) => "half RTT",
        (PingPongPattern::PingPong, PingPongMethod::Compat { .. }) => "best half RTT",
        (PingPongPattern::Streaming, _) => "time per message",
        (PingPongPattern::TwoWay, _) => "time per exchange",
    }
}

pub fn size_sweep_table(summary: &TrialSummary, settings: &PingPong) -> Table {
    let columns: ColumnDefinitions<'_, &PingPongPoint> = &[
        ("size", Right, &|p| size(p.size_bytes)),
        ("repeats", Right, &|p| count(p.repeats)),
        (point_time(settings.pattern, &settings.method), Right, &|p| time(p.time_ns)),
        // Half the width in per cent of the time: `± 0.8 %`.
        ("95 % interval", Right, &|p| match p.interval_ns {
            Some((low, high)) if p.time_ns > 0.0 => {
                percent((high - low) * 50.0 / p.time_ns).with_prefix("± ")
            }
            _ => Cell::Missing,
        }),
        ("minimum", Right, &|p| optional_cell(p.half_rtt_ns, |h| nanos(h.min))),
        ("p50", Right, &|p| optional_cell(p.half_rtt_ns, |h| nanos(h.p50))),
        ("p99", Right, &|p| optional_cell(p.half_rtt_ns.and_then(|h| h.p99), nanos)),
        ("goodput", Right, &|p| rate(p.goodput_bps)),
        ("", Left, &|p| if p.cap_reached { "time limit reached" } else { "" }.into()),
    ];
    let mut table = Table::from_items("Message sizes", summary.pingpong_points(), columns);
    let capped = summary.pingpong_points().iter().filter(|p| p.cap_reached).count() as u64;
    if capped > 0 {
        table.notes.push(format!(
            "time limit reached: the time for a size ended before its confidence interval reached the \
             requested width ({} of {}).",
            count(capped),
            count(summary.pingpong_points().len() as u64)
        ));
    }
    table.without_empty_columns()
}

pub fn derived_metrics_table(summary: &TrialSummary) -> Option<Table> {
    let sweep = summary.size_sweep_summary()?;
    let mut table = Table::new("Values derived from the message sizes", &[("", Left), ("", Left)]);
    let smallest =
        summary.pingpong_points().first().map_or_else(String::new, |p| format!(" of {}", size(p.size_bytes)));
    let mut row = |name, value| table.add_row_unless_empty(name, [value]);
    row("latency (time of the smallest message)", time(sweep.latency_ns).with_suffix(smallest));
    row(
        "highest goodput of any size",
        rate(sweep.best_bps).with_suffix(format_args!(" at {}", size(sweep.best_size_bytes))),
    );
    let half = sweep.half_size_bytes;
    row("size that reaches half the highest goodput (n½)", optional_cell(half, |b| volume(b.round() as u64)));
    let saturation = optional_cell(sweep.saturation_size_bytes, size);
    row("saturation size (larger messages gain little)", saturation);
    Some(table)
}
