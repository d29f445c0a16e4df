//! The report of a stream.

use super::over_time::goodput_over_time_figure;
use super::{
    ProbeReport, directions_table, sending_end, setting_row, stop, transfer_clause, with_goodput_by_direction,
};
use crate::display_text::{DisplayText, comma_list};
use crate::figure::Figure;
use crate::table::cell::{
    count, nanos, optional_cell, percent, plain, rate, size_setting, time_setting, volume, volume_f,
};
use crate::table::{Cell, NumberFormat, Table};
use crate::wording::{format_direction, with_share_of_goodput_limit};
use goodput_model::host::Fact;
use goodput_model::probe::{StreamReceiveMethod, StreamSendMethod, TransferDirection};
use goodput_model::summary::{DirectionSummary, Rfc6349Metrics, StreamResult, TrialSummary};
use goodput_model::trial::TcpStatistics;
use goodput_model::{Message, Nanos, Stream, Trial};
use goodput_words::message;

impl ProbeReport for Stream {
    fn title(&self) -> &'static str {
        "Bulk TCP (stream)"
    }

    fn format_endpoints(&self, summary: &TrialSummary) -> String {
        format_direction(summary, self.direction)
    }

    fn result(&self, summary: &TrialSummary) -> Option<Message> {
        let mut text = transfer_clause(summary)?;
        if summary.goodput_bps.is_none() {
            return Some(transfer_on_one_clock(summary).unwrap_or(text));
        }
        if self.connections > 1 {
            text = message!(part_on_connections { what: text, count: self.connections });
        }
        if self.sender != StreamSendMethod::Write {
            text = comma_list([text, message!(part_sent_by { how: sender(self.sender) })]);
        }
        if self.direction == TransferDirection::Both {
            text = with_goodput_by_direction(text, summary);
        }
        Some(with_share_of_goodput_limit(text, summary))
    }

    fn short_result(&self, summary: &TrialSummary) -> Option<Message> {
        summary.goodput_bps.map(|bps| rate(bps).to_string().into())
    }

    fn settings_rows(&self) -> Vec<(&'static str, Cell)> {
        let direction = sending_end(self.direction, "both directions at once, on separate connections");
        let mut rows = vec![
            setting_row("direction", direction),
            setting_row("connections per direction", count(self.connections.into())),
            setting_row("size of each message", size_setting(self.message)),
            setting_row("send method", sender(self.sender)),
            setting_row("receive method", receive_method(self)),
            setting_row("measurement end", stop(self.stop)),
            setting_row("warm-up (not counted)", time_setting(self.warm_up)),
            setting_row("sampling interval", time_setting(self.interval)),
        ];
        let added = self.added_cpu_time;
        for (name, ns) in [
            ("added CPU time, sender", added.sender_ns_per_kib),
            ("added CPU time, receiver", added.receiver_ns_per_kib),
        ] {
            if ns > 0 {
                let each = time_setting(Nanos(ns.into()));
                let each = each.worded(|time| message!(part_cpu_per_kib { time }));
                rows.push(setting_row(name, each));
            }
        }
        rows
    }

    fn result_tables(&self, summary: &TrialSummary) -> Vec<Table> {
        if summary.direction_summaries().is_empty() {
            return Vec::new();
        }
        [Some(stream_table(summary)), super::own_metrics(summary)].into_iter().flatten().collect()
    }

    fn figures(&self, summary: &TrialSummary, _trial: Option<&Trial>) -> Vec<Figure> {
        vec![goodput_over_time_figure(
            summary,
            self.direction.one_way_directions().len(),
            Some(self.interval),
        )]
    }
}

fn transfer_on_one_clock(summary: &TrialSummary) -> Option<Message> {
    let stream = summary.result.downcast_ref::<StreamResult>()?;
    let (time, bps) = (stream.transfer_ns?, stream.transfer_bps?);
    Some(message!(part_rate_over_on_sender { rate: rate(bps), time: nanos(time) }))
}

fn sender(sender: StreamSendMethod) -> Message {
    match sender {
        StreamSendMethod::Write => message!(part_one_write_a_message),
        StreamSendMethod::Batch(n) => message!(part_writev_of { count: n }),
        StreamSendMethod::Sendfile => message!(part_sendfile),
        StreamSendMethod::ZeroCopy => message!(part_zero_copy),
    }
}

fn receive_method(s: &Stream) -> Message {
    let size = size_setting(s.read);
    let method = match s.receiver {
        StreamReceiveMethod::Read => message!(report_read_into_a_buffer_up_to { size }),
        StreamReceiveMethod::Discard => message!(report_discarded_up_to { size }),
    };
    let waits = |delay: Nanos| message!(part_receive_coalescing { time: nanos(delay.0) });
    comma_list([method].into_iter().chain(s.receive_coalescing_delay().map(waits)))
}

pub(super) fn stream_table(summary: &TrialSummary) -> Table {
    let mut table = directions_table("Results by direction", summary);
    let mut row = |name: &str, f: &dyn Fn(&DirectionSummary) -> Cell| {
        table.add_row_unless_empty(name, summary.direction_summaries().iter().map(f));
    };
    row("goodput", &|d| optional_cell(d.goodput_bps, rate));
    row("user data in the measurement window", &|d| volume(d.bytes));
    row("user data with warm-up and drain", &|d| volume(d.total_bytes));
    row("bytes per write call", &|d| optional_cell(d.bytes_per_write, volume_f));
    row("bytes per read call", &|d| optional_cell(d.bytes_per_read, volume_f));
    row("segments per message", &|d| optional_cell(d.segments_per_message, plain));
    row("retransmitted", &|d| optional_cell(d.sender_tcp, retransmitted_cell));
    row("smoothed RTT", &|d| optional_cell(d.sender_tcp, |t| micros(t.rtt_us)));
    row("minimum RTT", &|d| optional_cell(d.sender_tcp, |t| micros(t.min_rtt_us)));
    row("limited by the receive window", &|d| {
        optional_cell(d.sender_tcp, |t| part(t.rwnd_limited_us, t.busy_us))
    });
    row("limited by the send buffer", &|d| {
        optional_cell(d.sender_tcp, |t| part(t.sndbuf_limited_us, t.busy_us))
    });
    row("transfer time ratio", &|d| {
        rfc6349(d, |f| &f.transfer_time_ratio, |v| Cell::number(v, NumberFormat::Fixed(3)))
    });
    row("TCP efficiency", &|d| {
        rfc6349(d, |f| &f.tcp_efficiency_percent, |v| Cell::number(v, NumberFormat::FixedPercent(2)))
    });
    row("buffer delay", &|d| rfc6349(d, |f| &f.buffer_delay_percent, percent));
    table.notes = rfc6349_notes(summary);
    table
}

type Metric = fn(&Rfc6349Metrics) -> &Fact<f64>;

fn rfc6349(d: &DirectionSummary, of: Metric, write: fn(f64) -> Cell) -> Cell {
    let fact = d.rfc6349.as_deref().map(of);
    optional_cell(fact, |fact| fact.value().map_or_else(|| "not available".into(), |v| write(*v)))
}

fn rfc6349_notes(summary: &TrialSummary) -> Vec<DisplayText> {
    let all = || summary.direction_summaries().iter().filter_map(|d| d.rfc6349.as_deref());
    let mut notes = Vec::new();
    if all().any(|f| f.buffer_delay_percent.value().is_some()) {
        notes.push(
            "Transfer time ratio, TCP efficiency and buffer delay follow RFC 6349. No idle RTT was \
             measured: the buffer delay uses the connections' own minimum RTT and is a lower bound."
                .into(),
        );
    }
    let missing: [(&str, Metric); 3] = [
        ("Transfer time ratio", |f| &f.transfer_time_ratio),
        ("TCP efficiency", |f| &f.tcp_efficiency_percent),
        ("Buffer delay", |f| &f.buffer_delay_percent),
    ];
    for (name, of) in missing {
        let why = all().find_map(|f| of(f).unavailable_reason());
        let missing = |why: &str| {
            let (what, why) = (Message::from(name), Message::from(why));
            message!(report_what_is_not_available_why { what, why }).into()
        };
        notes.extend(why.map(missing));
    }
    notes
}

/// The kernel reports whole microseconds: no more digits.
fn micros(us: u32) -> Cell {
    time_setting(Nanos(u64::from(us) * 1_000))
}

fn retransmitted_cell(t: TcpStatistics) -> Cell {
    if t.data_segments_out == 0 {
        return count(t.retransmits);
    }
    count(t.retransmits)
        .worded(|count| message!(report_so_many_segments { count: count, all: t.data_segments_out }))
}

fn part(us: u64, busy_us: u64) -> Cell {
    if busy_us == 0 { Cell::Missing } else { percent(us as f64 * 100.0 / busy_us as f64) }
}
