//! The report of a sweep of message sizes.

mod figures;

use super::{ProbeReport, setting_row, yes_or_no};
use crate::csv::table::{self as csv, CsvTable};
use crate::display_text::{comma_list, semicolon_list};
use crate::figure::Figure;
use crate::table::Align::{Left, Right};
use crate::table::cell::{
    count, nanos, optional_cell, percent, rate, size, size_setting, time, time_setting, volume,
};
use crate::table::{Cell, ColumnDefinitions, Table};
use crate::wording::with_share_of_goodput_limit;
use goodput_model::probe::{PingPong, PingPongMethod, PingPongPattern};
use goodput_model::summary::{PingPongPoint, ResultDocument, TrialSummary};
use goodput_model::{Message, MessageArg, Trial};
use goodput_words::message;

impl ProbeReport for PingPong {
    fn title(&self) -> &'static str {
        "Throughput by message size (pingpong)"
    }

    fn result(&self, summary: &TrialSummary) -> Option<Message> {
        let sweep = summary.size_sweep_summary()?;
        let smallest: MessageArg = match summary.pingpong_points().first() {
            Some(point) => size(point.size_bytes).into(),
            None => message!(part_pingpong_smallest).into(),
        };
        let latency = time(sweep.latency_ns);
        let of_smallest = match self.pattern {
            PingPongPattern::PingPong => {
                message!(part_half_round_trip_of { time: latency, size: smallest })
            }
            PingPongPattern::Streaming => {
                message!(part_time_of_a_message_of { time: latency, size: smallest })
            }
            PingPongPattern::TwoWay => {
                message!(part_time_of_an_exchange_of { time: latency, size: smallest })
            }
        };
        let best = message!(part_best_at { rate: rate(sweep.best_bps), size: size(sweep.best_size_bytes) });
        let text = with_share_of_goodput_limit(comma_list([of_smallest, best]), summary);
        let half = sweep.half_size_bytes.filter(|h| h.is_finite() && *h >= 0.0);
        let half = half.map(|h| message!(part_half_of_the_best_from { size: volume(h.round() as u64) }));
        Some(semicolon_list([text].into_iter().chain(half)))
    }

    fn short_result(&self, summary: &TrialSummary) -> Option<Message> {
        let sweep = summary.size_sweep_summary()?;
        Some(message!(report_pingpong_short { time: time(sweep.latency_ns), rate: rate(sweep.best_bps) }))
    }

    fn settings_rows(&self) -> Vec<(&'static str, Cell)> {
        let sizes = match (self.sizes.first(), self.sizes.last()) {
            (Some(first), Some(last)) => message!(report_sizes_from_to {
                count: self.sizes.len(),
                least: size_setting(*first),
                most: size_setting(*last)
            }),
            _ => message!(report_none),
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
                    message!(report_interval_is_so_wide {
                        width: width_percent.to_string(),
                        passes: *passes,
                        batches: *batches,
                        time: time_setting(*cap)
                    }),
                ));
                rows.push(setting_row("run order seed", seed.to_string()));
            }
            PingPongMethod::Compat { trials, run_time, repeats, reset } => {
                rows.push(setting_row(
                    "measurement method",
                    message!(report_netpipe_best_of { trials: *trials }),
                ));
                let each = match repeats {
                    None => message!(report_about_time { time: time_setting(*run_time) }),
                    Some(count) => message!(report_so_many_repeats { count: *count }),
                };
                rows.push(setting_row("loop", each));
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
    let capped = summary.pingpong_points().iter().filter(|p| p.cap_reached).count();
    if capped > 0 {
        let all = summary.pingpong_points().len();
        table.notes.push(message!(report_cap_reached_note { count: capped, all }).into());
    }
    table.without_empty_columns()
}

pub fn derived_metrics_table(summary: &TrialSummary) -> Option<Table> {
    let sweep = summary.size_sweep_summary()?;
    let mut table = Table::new("Values derived from the message sizes", &[("", Left), ("", Left)]);
    let latency = match summary.pingpong_points().first() {
        Some(p) => time(sweep.latency_ns)
            .worded(|time| message!(part_pingpong_time_of { time, size: size(p.size_bytes) })),
        None => time(sweep.latency_ns),
    };
    let best = rate(sweep.best_bps)
        .worded(|rate| message!(report_figure_at_size { rate, size: size(sweep.best_size_bytes) }));
    let mut row = |name, value| table.add_row_unless_empty(name, [value]);
    row("latency (time of the smallest message)", latency);
    row("highest goodput of any size", best);
    let half = sweep.half_size_bytes;
    row("size that reaches half the highest goodput (n½)", optional_cell(half, |b| volume(b.round() as u64)));
    let saturation = optional_cell(sweep.saturation_size_bytes, size);
    row("saturation size (larger messages gain little)", saturation);
    Some(table)
}
