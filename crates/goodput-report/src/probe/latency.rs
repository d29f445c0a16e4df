//! The report of a latency probe: RTT, idle or under load, and losses.

use super::latency_figures::{latency_distribution, latency_over_time, quantiles};
use super::over_time::goodput_over_time;
use super::request::request_table;
use super::stream::stream_table;
use super::{ProbeReport, row, stop, wait};
use crate::csv::table::{self as csv, CsvTable};
use crate::figure::Figure;
use crate::table::cell::{count, nanos, or_none, percent, rate, size_setting, time_change, time_setting};
use crate::table::{Align, Cell, Table};
use crate::wording::{share_of_limit, way};
use goodput_model::probe::{Direction, Probe, Stop};
use goodput_model::summary::{Document, LatencySummary, ProbesSummary, Summary};
use goodput_model::{Latency, Trial};

impl ProbeReport for Latency {
    fn title(&self) -> &'static str {
        if self.load.is_none() { "Idle latency (latency)" } else { "Latency under load (latency)" }
    }

    fn is_limited(&self) -> bool {
        self.load.is_some()
    }

    fn result(&self, summary: &Summary) -> Option<String> {
        result(summary, self)
    }

    fn short(&self, summary: &Summary) -> Option<String> {
        short(summary, self)
    }

    fn settings(&self) -> Vec<(&'static str, Cell)> {
        settings(self)
    }

    fn tables(&self, summary: &Summary) -> Vec<Table> {
        let mut tables = vec![latency_table(summary)];
        if self.load.is_some() && !summary.directions().is_empty() {
            tables.push(stream_table(summary));
        }
        tables
    }

    fn figures(&self, summary: &Summary, trial: Option<&Trial>) -> Vec<Figure> {
        vec![
            latency_over_time(summary, trial),
            latency_distribution(summary, &trial.map(quantiles).unwrap_or_default()),
            goodput_over_time(summary, self.load.map_or(1, |d| d.parts().len()), None),
        ]
    }

    fn csv(_document: &Document, summaries: &[&Summary]) -> Vec<CsvTable> {
        csv(summaries).into_iter().collect()
    }
}

/// `idle: median 61.20 µs, 99 % within 80.00 µs, worst 1.200 ms, none of 1,000 probes lost`.
fn result(summary: &Summary, settings: &Latency) -> Option<String> {
    let probes = summary.probes()?;
    let mut text = match settings.load {
        None => "idle".to_string(),
        Some(direction) => {
            let goodput = summary.goodput_bps.map(|g| format!(" at {}{}", rate(g), share_of_limit(summary)));
            format!("under TCP load {}{}", way(summary, direction), goodput.unwrap_or_default())
        }
    };
    match summary.latency() {
        None => text.push_str(": no probe was answered"),
        Some(l) => {
            text.push_str(&format!(": median {}", nanos(l.p50)));
            if l.count >= 100 {
                text.push_str(&format!(", p99 latency {}", nanos(l.p99)));
            }
            text.push_str(&format!(", maximum {}", nanos(l.max)));
        }
    }
    text.push_str(&match probes.lost {
        0 => format!(", none of {} probes lost", count(probes.sent)),
        lost => format!(
            ", {} of {} probes lost ({})",
            count(lost),
            count(probes.sent),
            percent(lost as f64 * 100.0 / probes.sent.max(1) as f64)
        ),
    });
    Some(text)
}

/// `idle p50 61.20 µs`, `both ways p50 12.30 ms, 3 lost`.
fn short(summary: &Summary, settings: &Latency) -> Option<String> {
    let l = summary.latency()?;
    let lost = summary.probes().filter(|p| p.lost > 0).map(|p| format!(", {} lost", count(p.lost)));
    Some(format!("{} p50 {}{}", load(settings), nanos(l.p50), lost.unwrap_or_default()))
}

fn load(settings: &Latency) -> &'static str {
    use goodput_model::probe::Direction::{Both, Receive, Send};
    match settings.load {
        None => "idle",
        Some(Send) => "send",
        Some(Receive) => "receive",
        Some(Both) => "both directions",
    }
}

fn settings(l: &Latency) -> Vec<(&'static str, Cell)> {
    let load = match l.load {
        None => "none (idle path)".to_string(),
        Some(direction) => {
            let way = match direction {
                Direction::Send => "the connecting end sends",
                Direction::Receive => "the connecting end receives",
                Direction::Both => "both directions at once",
            };
            format!("TCP, {way}, {} connections each way", count(l.connections.into()))
        }
    };
    vec![
        row("load", load),
        row(
            "probes",
            format!(
                "UDP, {} in each direction, one probe every {}",
                size_setting(l.size),
                time_setting(l.interval)
            ),
        ),
        row("wait method", wait(l.wait)),
        row("measurement end", stop(Stop::Time(l.time))),
        row("warm-up (not counted)", time_setting(l.warm_up)),
    ]
}

fn latency_table(summary: &Summary) -> Table {
    let mut table = request_table(summary);
    table.title = "Probes".into();
    for row in &mut table.rows {
        if row[0] == "transactions" {
            row[0] = "answered probes".into();
        }
    }
    for note in &mut table.notes {
        *note = note.replace("Too few transactions", "Too few probes");
    }
    if let Some(p) = summary.probes() {
        table.rows.insert(0, vec!["sent".into(), count(p.sent)]);
        let share = percent(p.lost as f64 * 100.0 / p.sent.max(1) as f64);
        table.row(vec!["lost".into(), count(p.lost).followed(format_args!(" ({share})"))]);
        if let Some(late) = p.sent_late_ns {
            table.row(vec!["send delay, p50".into(), nanos(late.p50)]);
            table.row(vec!["send delay, maximum".into(), nanos(late.max)]);
        }
        if let Some(round_trip) = p.round_trip_ns {
            table.row(vec!["RTT from actual send time, p50".into(), nanos(round_trip.p50)]);
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
pub(crate) fn idle_and_loaded(summaries: &[&Summary]) -> Option<Table> {
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
    let right = Align::Right;
    let mut table = Table::new(
        "Idle and loaded latency",
        &[
            ("load", Align::Left),
            ("sent", right),
            ("received", right),
            ("p50", right),
            ("p90", right),
            ("p99", right),
            ("maximum", right),
            ("increase at p50", right),
            ("increase at p99", right),
            ("lost", right),
        ],
    );
    let idle = trials.iter().find(|(_, l)| l.load.is_none()).and_then(|(s, _)| s.latency());
    for (summary, settings) in &trials {
        let goodput = |direction: Direction| {
            let found = summary.directions().iter().find(|d| d.direction == direction);
            or_none(found.and_then(|d| d.goodput_bps), rate)
        };
        let l = summary.latency();
        let at = |least: u64, of: fn(&LatencySummary) -> u64| {
            or_none(l.filter(|l| l.count >= least).map(|l| of(&l)), nanos)
        };
        let added = |least: u64, of: fn(&LatencySummary) -> u64| {
            let enough = |l: Option<LatencySummary>| l.filter(|l| l.count >= least).map(|l| of(&l));
            let (idle, loaded) = (enough(idle), enough(l));
            match (settings.load, idle, loaded) {
                (Some(_), Some(idle), Some(loaded)) => time_change(loaded as f64 - idle as f64),
                _ => Cell::Missing,
            }
        };
        let lost = summary.probes().map(|p| count(p.lost).followed(format_args!(" of {}", count(p.sent))));
        table.row(vec![
            load(settings).into(),
            goodput(Direction::Send),
            goodput(Direction::Receive),
            at(2, |l| l.p50),
            at(10, |l| l.p90),
            at(100, |l| l.p99),
            at(1, |l| l.max),
            added(2, |l| l.p50),
            added(100, |l| l.p99),
            or_none(lost, |l| l),
        ]);
    }
    Some(table.without_empty_columns())
}

fn csv(summaries: &[&Summary]) -> Option<CsvTable> {
    type Row<'a> = (&'a Summary, &'a Latency, ProbesSummary);
    let rows = summaries.iter().filter_map(|s| match &s.probe {
        Probe::Latency(settings) => Some((*s, settings, s.probes()?)),
        _ => None,
    });
    let columns: csv::Columns<'_, Row<'_>> = &[
        ("trial", |(s, ..)| s.trial.0.into()),
        ("load", |(_, settings, _)| load(settings).into()),
        ("sent", |(.., p)| p.sent.into()),
        ("answered", |(.., p)| p.answered.into()),
        ("lost", |(.., p)| p.lost.into()),
        ("round_trip_p50_ns", |(.., p)| p.round_trip_ns.map(|r| r.p50).into()),
        ("goodput_bps", |(s, ..)| s.goodput_bps.into()),
    ];
    csv::table("probes", columns, rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::documents;

    #[test]
    fn what_the_load_adds_stands_beside_it() {
        let (idle, loaded) = (documents::latency_idle(), documents::latency_loaded());
        let table = idle_and_loaded(&[&idle, &loaded]).unwrap();
        assert_eq!(table.rows[0][0], "idle");
        let added = table.columns.iter().position(|c| c.0 == "added at p50").unwrap();
        assert_eq!(table.rows[0][added], Cell::Missing);
        assert_eq!(table.rows[1][added], "+12.24 ms");
        assert_eq!(idle_and_loaded(&[&idle]), None);
    }

    #[test]
    fn the_short_form_counts_what_was_lost() {
        let loaded = documents::latency_loaded();
        let goodput_model::Probe::Latency(settings) = &loaded.probe else { panic!() };
        assert_eq!(short(&loaded, settings).unwrap(), "send p50 12.30 ms, 8 lost");
    }
}
