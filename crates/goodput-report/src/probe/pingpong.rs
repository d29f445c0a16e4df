//! The report of a sweep of message sizes.

mod figures;

use super::{ProbeReport, row, yes};
use crate::csv::table::{self as csv, CsvTable};
use crate::figure::Figure;
use crate::table::cell::{
    count, nanos, or_none, percent, rate, size, size_setting, time, time_setting, volume,
};
use crate::table::{Align, Cell, Table};
use crate::wording::share_of_limit;
use goodput_model::Trial;
use goodput_model::probe::{Pattern, PingPong, PingPongMethod};
use goodput_model::summary::{Document, Point, Summary};

impl ProbeReport for PingPong {
    fn title(&self) -> &'static str {
        "Throughput by message size (pingpong)"
    }

    fn result(&self, summary: &Summary) -> Option<String> {
        sweep(summary, self.pattern)
    }

    fn short(&self, summary: &Summary) -> Option<String> {
        summary.sweep().map(|s| format!("{}, best {}", time(s.latency_ns), rate(s.best_bps)))
    }

    fn settings(&self) -> Vec<(&'static str, Cell)> {
        settings(self)
    }

    fn tables(&self, summary: &Summary) -> Vec<Table> {
        std::iter::once(sweep_table(summary, self)).chain(derived_table(summary)).collect()
    }

    fn figures(&self, summary: &Summary, _trial: Option<&Trial>) -> Vec<Figure> {
        vec![
            figures::throughput(summary, self),
            figures::time_over_size(summary, self),
            figures::signature(summary, self),
            figures::saturation(summary, self),
        ]
    }

    fn csv(_document: &Document, summaries: &[&Summary]) -> Vec<CsvTable> {
        csv(summaries).into_iter().collect()
    }
}

fn sweep(summary: &Summary, pattern: Pattern) -> Option<String> {
    let sweep = summary.sweep()?;
    let smallest =
        summary.points().first().map_or_else(|| "the smallest message".into(), |p| size(p.size_bytes));
    let latency = time(sweep.latency_ns);
    let of_smallest = match pattern {
        Pattern::PingPong => format!("{latency} half RTT for a message of {smallest}"),
        Pattern::Streaming => format!("{latency} per message of {smallest}"),
        Pattern::TwoWay => {
            format!("{latency} for a simultaneous exchange of {smallest} in both directions")
        }
    };
    let mut text =
        format!("{of_smallest}, highest rate {} at {}", rate(sweep.best_bps), size(sweep.best_size_bytes));
    text.push_str(&share_of_limit(summary));
    if let Some(half) = sweep.half_size_bytes.filter(|h| h.is_finite() && *h >= 0.0) {
        text.push_str(&format!("; half of the highest rate from {} upwards", volume(half.round() as u64)));
    }
    Some(text)
}

fn point_time(pattern: Pattern, method: &PingPongMethod) -> &'static str {
    match (pattern, method) {
        (Pattern::PingPong, PingPongMethod::Native { .. }) => "half RTT",
        (Pattern::PingPong, PingPongMethod::Compat { .. }) => "best half RTT",
        (Pattern::Streaming, _) => "time per message",
        (Pattern::TwoWay, _) => "time per exchange",
    }
}

fn settings(p: &PingPong) -> Vec<(&'static str, Cell)> {
    let sizes = match (p.sizes.first(), p.sizes.last()) {
        (Some(first), Some(last)) => format!(
            "{} sizes, {} to {}",
            count(p.sizes.len() as u64),
            size_setting(*first),
            size_setting(*last)
        ),
        _ => "none".into(),
    };
    let pattern = match p.pattern {
        Pattern::PingPong => "ping-pong; the time is half the RTT",
        Pattern::Streaming => "one direction; the receiver measures the time",
        Pattern::TwoWay => "both directions at once; the time covers the whole exchange",
    };
    let mut rows = vec![row("message sizes", sizes), row("traffic pattern", pattern)];
    match &p.method {
        PingPongMethod::Native { width_percent, cap, passes, batches, seed } => {
            rows.push(row(
                "measurement method",
                "native: median of the batch medians, with its 95 % \
                interval",
            ));
            rows.push(row(
                "stop condition",
                format!(
                    "interval {width_percent} % wide after {passes} passes and {batches} batches, or {} \
                     per size",
                    time_setting(*cap)
                ),
            ));
            rows.push(row("run order seed", seed.to_string()));
        }
        PingPongMethod::Compat { trials, run_time, repeats, reset } => {
            rows.push(row(
                "measurement method",
                format!(
                    "NetPIPE 3.7.2: best of {trials} loops, one \
                shared buffer"
                ),
            ));
            rows.push(row(
                "loop",
                repeats.map_or_else(
                    || format!("about {}", time_setting(*run_time)),
                    |n| format!("{} repeats", count(n.into())),
                ),
            ));
            rows.push(row("new connection for each loop", yes(*reset)));
        }
    }
    rows.push(row("cold caches", yes(p.cold)));
    rows.push(row("every byte verified", yes(p.integrity)));
    rows
}

pub fn sweep_table(summary: &Summary, settings: &PingPong) -> Table {
    let right = Align::Right;
    let mut table = Table::new(
        "Message sizes",
        &[
            ("size", right),
            ("repeats", right),
            (point_time(settings.pattern, &settings.method), right),
            ("95 % interval", right),
            ("minimum", right),
            ("p50", right),
            ("p99", right),
            ("goodput", right),
            ("", Align::Left),
        ],
    );
    for p in summary.points() {
        table.row(vec![
            size(p.size_bytes),
            count(p.repeats),
            time(p.time_ns),
            interval(p),
            or_none(p.half_rtt_ns, |h| nanos(h.min)),
            or_none(p.half_rtt_ns, |h| nanos(h.p50)),
            or_none(p.half_rtt_ns.and_then(|h| h.p99), nanos),
            rate(p.goodput_bps),
            if p.cap_reached { "time limit reached" } else { "" }.into(),
        ]);
    }
    let capped = summary.points().iter().filter(|p| p.cap_reached).count() as u64;
    if capped > 0 {
        table.notes.push(format!(
            "time limit reached: the time for a size ended before its confidence interval reached the \
             requested width ({} of {}).",
            count(capped),
            count(summary.points().len() as u64)
        ));
    }
    table.without_empty_columns()
}

/// Half the width in per cent of the time: `± 0.8 %`.
fn interval(p: &Point) -> Cell {
    match p.interval_ns {
        Some((low, high)) if p.time_ns > 0.0 => percent((high - low) * 50.0 / p.time_ns).preceded("± "),
        _ => Cell::Missing,
    }
}

pub fn derived_table(summary: &Summary) -> Option<Table> {
    let sweep = summary.sweep()?;
    let mut table =
        Table::new("Values derived from the message sizes", &[("", Align::Left), ("", Align::Left)]);
    let smallest =
        summary.points().first().map_or_else(String::new, |p| format!(" of {}", size(p.size_bytes)));
    table.row(vec![
        "latency (time of the smallest message)".into(),
        time(sweep.latency_ns).followed(smallest),
    ]);
    table.row(vec![
        "highest goodput of any size".into(),
        rate(sweep.best_bps).followed(format_args!(" at {}", size(sweep.best_size_bytes))),
    ]);
    table.row_if_known(vec![
        "size that reaches half the highest goodput (n½)".into(),
        or_none(sweep.half_size_bytes, |b| volume(b.round() as u64)),
    ]);
    table.row_if_known(vec![
        "saturation size (larger messages gain little)".into(),
        or_none(sweep.saturation_size_bytes, size),
    ]);
    Some(table)
}

fn csv(summaries: &[&Summary]) -> Option<CsvTable> {
    let rows = summaries.iter().flat_map(|s| s.points().iter().map(move |p| (*s, p)));
    let columns: csv::Columns<'_, (&Summary, &Point)> = &[
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
    csv::table("points", columns, rows)
}
