//! The table of a stream: a column a direction, a row a quantity, so that it fits a narrow terminal.

use super::{Align, Cell, Format, Table};
use crate::headline::way;
use crate::table::cell::{count, or_none, percent, plain, rate, time_setting, volume, volume_f};
use goodput_model::Nanos;
use goodput_model::host::Fact;
use goodput_model::summary::{DirectionSummary, Rfc6349, Summary};
use goodput_model::trial::TcpAccount;

/// One column a direction.
pub fn stream_table(summary: &Summary) -> Table {
    let mut table = Table::new("Each direction", &[("", Align::Left)]);
    table.columns.extend(summary.directions().iter().map(|d| (way(summary, d.direction), Align::Right)));
    let mut row = |name: &str, f: &dyn Fn(&DirectionSummary) -> Cell| {
        let mut cells = vec![Cell::from(name)];
        cells.extend(summary.directions().iter().map(f));
        table.row_if_known(cells);
    };
    row("goodput", &|d| or_none(d.goodput_bps, rate));
    row("user data in the window", &|d| volume(d.bytes));
    row("with warm-up and drain", &|d| volume(d.total_bytes));
    row("bytes a write", &|d| or_none(d.bytes_per_write, volume_f));
    row("bytes a read", &|d| or_none(d.bytes_per_read, volume_f));
    row("segments a message", &|d| or_none(d.segments_per_message, plain));
    row("sent again", &|d| or_none(d.sender_tcp, sent_again));
    row("round trip, smoothed", &|d| or_none(d.sender_tcp, |t| micros(t.rtt_us)));
    row("round trip, least", &|d| or_none(d.sender_tcp, |t| micros(t.min_rtt_us)));
    row("held back by receiver's window", &|d| or_none(d.sender_tcp, |t| part(t.rwnd_limited_us, t.busy_us)));
    row("held back by send buffer", &|d| or_none(d.sender_tcp, |t| part(t.sndbuf_limited_us, t.busy_us)));
    row("transfer time ratio", &|d| {
        figure(d, |f| &f.transfer_time_ratio, |v| Cell::number(v, Format::Fixed(3)))
    });
    row("TCP efficiency", &|d| {
        figure(d, |f| &f.tcp_efficiency_percent, |v| Cell::number(v, Format::FixedPercent(2)))
    });
    row("buffer delay", &|d| figure(d, |f| &f.buffer_delay_percent, percent));
    table.notes = rfc6349_notes(summary);
    table
}

/// One of the three figures.
type Figure = fn(&Rfc6349) -> &Fact<f64>;

/// A figure of RFC 6349; the reason why there is none stands below the table.
fn figure(d: &DirectionSummary, of: Figure, write: fn(f64) -> Cell) -> Cell {
    let fact = d.rfc6349.as_deref().map(of);
    or_none(fact, |fact| fact.value().map_or_else(|| "not available".into(), |v| write(*v)))
}

/// What must be known to read the three figures, and why one is missing.
fn rfc6349_notes(summary: &Summary) -> Vec<String> {
    let all = || summary.directions().iter().filter_map(|d| d.rfc6349.as_deref());
    let mut notes = Vec::new();
    if all().any(|f| f.buffer_delay_percent.value().is_some()) {
        notes.push(
            "Transfer time ratio, TCP efficiency and buffer delay are those of RFC 6349. No idle round trip was \
             measured: the delay is against the connections' own least, so it is at least this."
                .to_string(),
        );
    }
    let missing: [(&str, Figure); 3] = [
        ("Transfer time ratio", |f| &f.transfer_time_ratio),
        ("TCP efficiency", |f| &f.tcp_efficiency_percent),
        ("Buffer delay", |f| &f.buffer_delay_percent),
    ];
    for (name, of) in missing {
        let why = all().find_map(|f| of(f).reason());
        notes.extend(why.map(|why| format!("{name} is not available: {why}.")));
    }
    notes
}

/// The kernel tells whole microseconds; four digits of 4 µs would claim more than is known.
fn micros(us: u32) -> Cell {
    time_setting(Nanos(u64::from(us) * 1_000))
}

/// Segments sent again, of all that were sent.
fn sent_again(t: TcpAccount) -> Cell {
    if t.data_segments_out == 0 {
        return count(t.retransmits);
    }
    count(t.retransmits).followed(format_args!(" of {} segments", count(t.data_segments_out)))
}

/// Share of the time with data under way.
fn part(us: u64, busy_us: u64) -> Cell {
    if busy_us == 0 { Cell::Missing } else { percent(us as f64 * 100.0 / busy_us as f64) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::documents;

    #[test]
    fn figures_of_rfc_6349_and_why_one_is_missing() {
        let table = stream_table(&documents::stream_100());
        let cell = |name: &str| table.rows.iter().find(|r| r[0] == name).map(|r| r[1].to_string());
        assert_eq!(cell("transfer time ratio").as_deref(), Some("1.005"));
        assert_eq!(cell("TCP efficiency").as_deref(), Some("99.90 %"));
        assert_eq!(cell("buffer delay").as_deref(), Some("not available"));
        let why = "Buffer delay is not available: the sender's kernel tells no least round trip.";
        assert_eq!(table.notes, [why]);
        // Trials of probes without these figures have no row for them.
        let both = stream_table(&documents::stream_both());
        assert!(!both.rows.iter().any(|r| r[0] == "buffer delay") && both.notes.is_empty());
    }
}
