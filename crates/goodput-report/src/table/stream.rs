//! The table of a stream: a column a direction, a row a quantity, so that it fits a narrow terminal.

use super::{Align, Table};
use crate::headline::way;
use crate::number::{count, or_none, percent, plain, rate, time_setting, volume, volume_f};
use goodput_model::Nanos;
use goodput_model::summary::{DirectionSummary, Summary};
use goodput_model::trial::TcpAccount;

/// One column a direction.
pub fn stream_table(summary: &Summary) -> Table {
    let mut table = Table::new("Each direction", &[("", Align::Left)]);
    table.columns.extend(summary.directions.iter().map(|d| (way(summary, d.direction), Align::Right)));
    let mut row = |name: &str, f: &dyn Fn(&DirectionSummary) -> String| {
        let mut cells = vec![name.to_string()];
        cells.extend(summary.directions.iter().map(f));
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
    table
}

/// The kernel tells whole microseconds; four digits of 4 µs would claim more than is known.
fn micros(us: u32) -> String {
    time_setting(Nanos(u64::from(us) * 1_000))
}

/// Segments sent again, of all that were sent.
fn sent_again(t: TcpAccount) -> String {
    if t.data_segments_out == 0 {
        return count(t.retransmits);
    }
    format!("{} of {} segments", count(t.retransmits), count(t.data_segments_out))
}

/// Share of the time with data under way.
fn part(us: u64, busy_us: u64) -> String {
    if busy_us == 0 { crate::number::NONE.into() } else { percent(us as f64 * 100.0 / busy_us as f64) }
}
