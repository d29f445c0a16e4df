//! The tables of a latency probe: one trial's probes, and idle beside loaded.

use super::{Align, Cell, Table, request};
use crate::headline;
use crate::table::cell::{count, nanos, or_none, percent, rate, time_change};
use goodput_model::probe::{Direction, Probe};
use goodput_model::summary::{LatencySummary, Summary};

/// Percentiles of the answered probes, and what became of the others.
pub fn latency_table(summary: &Summary) -> Table {
    let mut table = request::request_table(summary);
    table.title = "Probes".into();
    // The word for what is counted here.
    for row in &mut table.rows {
        if row[0] == "transactions" {
            row[0] = "answered".into();
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
            table.row(vec!["sent late, 50 % within".into(), nanos(late.p50)]);
            table.row(vec!["sent late, worst".into(), nanos(late.max)]);
        }
        if let Some(round_trip) = p.round_trip_ns {
            table.row(vec!["from sent to answered, 50 % within".into(), nanos(round_trip.p50)]);
        }
        table.notes.push(
            "Latency counts from the intended send time, so a probe sent late is charged for it.".into(),
        );
    }
    table
}

/// Idle beside loaded, one row a trial, with what the load adds at the median and at 99 %; `None` for fewer than
/// two trials of this probe.
pub fn idle_and_loaded(summaries: &[&Summary]) -> Option<Table> {
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
        "Latency, idle and under load",
        &[
            ("load", Align::Left),
            ("sent", right),
            ("received", right),
            ("p50", right),
            ("p90", right),
            ("p99", right),
            ("worst", right),
            ("added at p50", right),
            ("added at p99", right),
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
            headline::latency::load(settings).into(),
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
    fn loss_stands_apart_from_latency() {
        let table = latency_table(&documents::latency_loaded());
        assert_eq!(table.rows[0], ["sent", "1,000"]);
        assert!(table.rows.iter().any(|r| *r == ["answered", "992"]));
        assert!(table.rows.iter().any(|r| *r == ["lost", "8 (0.8 %)"]));
    }
}
