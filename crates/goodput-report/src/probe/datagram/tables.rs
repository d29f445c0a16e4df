//! Tables of datagrams: losses by place, rates of each direction, and steps of a search.

use super::calls;
use crate::probe::directions_table;
use crate::table::Align::Right;
use crate::table::cell::{
    count, nanos, optional_cell, ordinal, per_second, plain, rate, size, small_percent, time, volume,
};
use crate::table::{Cell, ColumnDefinitions, NumberFormat, Table};
use goodput_model::datagram::DatagramRate;
use goodput_model::summary::{CountBounds, DatagramSummary, DirectionSummary, TrialSummary};
use goodput_model::{Datagram, Probe};
use goodput_words::message;

pub(super) fn datagram_counts_table(summary: &TrialSummary) -> Table {
    let mut table = directions_table("Delivery and loss of datagrams in the whole trial", summary);
    let mut row = |name: &str, f: &dyn Fn(&DatagramSummary) -> Cell| {
        let cells = summary.direction_summaries().iter().map(|d| optional_cell(d.datagrams.as_deref(), f));
        table.add_row_unless_empty(name, cells);
    };
    row("offered by the application", &|d| optional_cell(d.totals.offered, count));
    row("refused by the sender's kernel", &|d| optional_cell(d.totals.refused, count));
    row("sent", &|d| optional_cell(d.totals.sent, count));
    row("received, without duplicates", &|d| match d.totals.duplicates {
        Some(_) => optional_cell(d.totals.received, count),
        None => Cell::Missing,
    });
    row("received, including duplicates", &|d| match d.totals.duplicates {
        Some(_) => Cell::Missing,
        None => optional_cell(d.totals.received, count),
    });
    let bounds = |d: &DatagramSummary| d.totals.lost.bounds;
    row("lost at the receiver's socket", &|d| {
        let events = d.totals.lost.receiver_socket_events.unwrap_or(0);
        match bounds(d).and_then(|b| b.receiver_socket) {
            Some(b) if b.least != b.most => count_bounds_cell(b)
                .worded(|count| message!(report_between_packets { count, packets: events })),
            found => optional_cell(found, count_bounds_cell),
        }
    });
    row("lost in the receiving host below the socket", &|d| {
        optional_cell(bounds(d).and_then(|b| b.receiver_host), count_bounds_cell)
    });
    row("lost on the path (all other losses)", &|d| {
        optional_cell(bounds(d).map(|b| b.path), count_bounds_cell)
    });
    row("sent but not received", &|d| match (d.totals.lost.total, d.totals.difference, bounds(d)) {
        (Some(total), ..) => count_with_percentage(total, d.totals.sent),
        (None, _, Some(b)) => count_bounds_cell(b.total),
        (None, difference, None) => {
            optional_cell(difference, |n| Cell::number(n as f64, NumberFormat::Count))
        }
    });
    row("unresolved (duplicate or late)", &|d| {
        Some(d.totals.unresolved).filter(|n| *n > 0).map_or(Cell::Missing, count)
    });
    row("duplicates", &|d| optional_cell(d.totals.duplicates, count));
    row("received out of order", &|d| optional_cell(d.totals.reordered, count));
    row("malformed", &|d| Some(d.malformed).filter(|n| *n > 0).map_or(Cell::Missing, count));
    let uncounted = |name: &str| {
        summary
            .direction_summaries()
            .iter()
            .filter_map(|d| d.datagrams.as_deref())
            .any(|d| d.totals.lost.path_includes.iter().any(|place| place == name))
    };
    for (name, words) in [
        (
            "receiver_socket",
            "Drops at the receiver's socket were not counted; the number lost on the path includes them.",
        ),
        (
            "receiver_host",
            "Drops in the receiving host below its sockets were not counted; the number lost on the path \
             includes them.",
        ),
    ] {
        if uncounted(name) {
            table.notes.push(words.into());
        }
    }
    table
}

pub(super) fn datagram_rate_table(summary: &TrialSummary) -> Table {
    let mut table = directions_table("Each direction in the measurement window", summary);
    let mut row = |name: &str, f: &dyn Fn(&DirectionSummary, &DatagramSummary) -> Cell| {
        let cells = summary
            .direction_summaries()
            .iter()
            .map(|d| optional_cell(d.datagrams.as_deref(), |own| f(d, own)));
        table.add_row_unless_empty(name, cells);
    };
    row("goodput", &|d, _| optional_cell(d.goodput_bps, rate));
    row("user data", &|d, _| volume(d.bytes));
    row("payload per datagram", &|_, o| size(o.size_bytes));
    row("requested", &|_, o| optional_cell(o.asked_per_second, per_second));
    row("offered by the application", &|_, o| optional_cell(o.offered_per_second, per_second));
    row("sent", &|_, o| optional_cell(o.sent_per_second, per_second));
    row("received", &|_, o| optional_cell(o.received_per_second, per_second));
    row("jitter (RFC 3550)", &|_, o| optional_cell(o.jitter_ns, time));
    row("delay variation, p50", &|_, o| optional_cell(o.delay_variation_ns, |v| nanos(v.p50)));
    row("delay variation, p99", &|_, o| {
        optional_cell(o.delay_variation_ns.filter(|v| v.count >= 100), |v| nanos(v.p99))
    });
    row("delay variation, maximum", &|_, o| optional_cell(o.delay_variation_ns, |v| nanos(v.max)));
    row("send method", &|_, o| optional_cell(o.sent_by, |c| calls(c, true)));
    row("datagrams per send call", &|_, o| optional_cell(o.datagrams_per_send, plain));
    row("receive method", &|_, o| optional_cell(o.received_by, |c| calls(c, false)));
    row("datagrams per receive call", &|_, o| optional_cell(o.datagrams_per_receive, plain));
    row("send calls in the whole trial", &|_, o| optional_cell(o.send_calls, count));
    row("receive calls in the whole trial", &|_, o| optional_cell(o.receive_calls, count));
    row("datagrams sent more than 1 ms late", &|_, o| optional_cell(o.late, count));
    row("maximum send delay", &|_, o| optional_cell(o.most_late_ns, nanos));
    table
}

pub(crate) fn rate_search_table(trials: &[&TrialSummary]) -> Table {
    let settled = trials.iter().filter_map(|s| match &s.probe {
        Probe::Datagram(settings) => Some((*s, settings)),
        _ => None,
    });
    let own = |s: &TrialSummary, f: &dyn Fn(&DatagramSummary) -> Cell| {
        let each = s.direction_summaries().iter().map(|d| optional_cell(d.datagrams.as_deref(), f));
        join_directions(each)
    };
    let columns: ColumnDefinitions<'_, (&TrialSummary, &Datagram)> = &[
        ("trial", Right, &|(s, _)| ordinal(s.trial.0)),
        ("measurement window", Right, &|(s, _)| nanos(s.elapsed_ns)),
        ("requested", Right, &|(_, settings)| match settings.rate {
            None => "maximum rate".into(),
            Some(DatagramRate::Bits(bits)) => rate(bits.0),
            Some(DatagramRate::Datagrams(n)) => per_second(n),
        }),
        ("sent", Right, &|(s, _)| own(s, &|d| optional_cell(d.sent_bps, rate))),
        ("received", Right, &|(s, _)| {
            if s.direction_summaries().is_empty() {
                return "".into();
            }
            join_directions(s.direction_summaries().iter().map(|d| optional_cell(d.goodput_bps, rate)))
        }),
        ("lost", Right, &|(s, _)| {
            own(s, &|d| match (d.totals.lost.total, d.totals.lost.bounds) {
                (Some(total), _) => count_with_percentage(total, d.totals.sent),
                (None, found) => optional_cell(found, |b| count_bounds_cell(b.total)),
            })
        }),
    ];
    let mut table = Table::from_items("Search trials", settled, columns);
    table.notes.push("Rates are payload rates in each direction.".into());
    table
}

/// `1 / 2`. The column is sorted by the first.
fn join_directions(cells: impl Iterator<Item = Cell>) -> Cell {
    let joined =
        cells.reduce(|first, then| first.worded(|first| message!(part_datagrams_both_ways { first, then })));
    joined.unwrap_or_default()
}

/// One number, or both bounds: `290 to 300`.
pub(super) fn count_bounds_cell(b: CountBounds) -> Cell {
    if b.least == b.most {
        count(b.most)
    } else {
        count(b.least).worded(|least| message!(part_from_to { least, most: count(b.most) }))
    }
}

/// `12 (0.0012 %)`; without the share if the whole is unknown or 0.
pub(super) fn count_with_percentage(part: u64, whole: Option<u64>) -> Cell {
    match whole {
        Some(whole) if whole > 0 && part > 0 => {
            let share = small_percent(part as f64 * 100.0 / whole as f64);
            count(part).worded(|count| message!(part_figure_in_brackets { count, share }))
        }
        _ => count(part),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_never_one_number() {
        let bounds = |least, most| count_bounds_cell(CountBounds { least, most });
        assert_eq!([bounds(0, 1_300), bounds(7, 7)], ["0 to 1,300", "7"]);
        let parts = [(0, Some(5)), (1_234, Some(100_000)), (1, Some(1_000_000)), (3, None)];
        let parts = parts.map(|(part, whole)| count_with_percentage(part, whole));
        assert_eq!(parts, ["0", "1,234 (1.2 %)", "1 (0.0001 %)", "3"]);
        let signed = [-10.0, 1_000.0].map(|n| Cell::number(n, NumberFormat::Count));
        assert_eq!(signed, ["-10", "1,000"]);
    }
}
