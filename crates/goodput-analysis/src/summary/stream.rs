//! Bulk TCP: what each receiver counted inside the window, and what both kernels say of it.
//!
//! Series of the receiving end: `intervals-<direction>-<connection>` (`end_ns` since t0, `bytes`).

use super::{Measured, Work, series};
use goodput_model::probe::{Direction, Stop};
use goodput_model::summary::DirectionSummary;
use goodput_model::trial::{EndReport, Flow, TcpAccount};
use goodput_model::{BitRate, Bytes, Nanos, Stream, Trial};
use std::collections::BTreeMap;

/// A trial stopped by bytes or count is refused below this many times the error of the clocks' offset.
const LEAST_CLOCK_ERRORS: u64 = 100;

pub(super) fn measure(trial: &Trial, settings: &Stream) -> Measured {
    let parts: Vec<Part> =
        settings.direction.parts().iter().filter_map(|d| Part::of(trial, settings, *d)).collect();
    let spans = || parts.iter().map(|p| p.elapsed_ns);
    let window = trial.ends.iter().map(|e| e.window.elapsed().0).max().unwrap_or(0);
    let bytes =
        parts.iter().map(|p| sum(p.receivers.iter().map(|f| f.window_bytes))).reduce(u64::saturating_add);
    let directions: Vec<DirectionSummary> = parts.iter().map(|p| p.summary(settings)).collect();
    Measured {
        elapsed_ns: spans().max().unwrap_or(window),
        active_ns: parts.iter().filter_map(Part::active).max(),
        bytes,
        // One direction without a figure leaves the sum without one.
        goodput_bps: directions
            .iter()
            .map(|d| d.goodput_bps)
            .reduce(|a, b| Some(a?.saturating_add(b?)))
            .flatten(),
        directions,
        work: bytes.map(|b| Work::Kib(b as f64 / 1024.0)),
        ..Measured::default()
    }
}

/// The name of a flow's series: connections count from 0 in each direction.
pub(crate) fn series_name(what: &str, flow: &Flow, connections: u16) -> String {
    format!("{what}-{}-{}", direction_name(flow.direction), flow.index % connections.max(1))
}

/// How a direction is written in names of series and in findings.
pub(crate) fn direction_name(direction: Direction) -> &'static str {
    match direction {
        Direction::Send => "send",
        Direction::Receive => "receive",
        Direction::Both => "both",
    }
}

/// True when a trial that ends with its last byte is too short for the clocks it was timed by.
fn too_short(trial: &Trial, settings: &Stream, elapsed_ns: u64) -> bool {
    let error = trial.ends.iter().map(|e| e.window.clock_error_ns).max().unwrap_or(0);
    !matches!(settings.stop, Stop::Time(_)) && elapsed_ns < error.saturating_mul(LEAST_CLOCK_ERRORS)
}

/// One direction with the connections at both its ends.
struct Part<'a> {
    direction: Direction,
    receiver: &'a EndReport,
    receivers: Vec<&'a Flow>,
    senders: Vec<&'a Flow>,
    elapsed_ns: u64,
    refused: bool,
}

impl<'a> Part<'a> {
    /// `None` when the receiving end has not reported: only it counts.
    fn of(trial: &'a Trial, settings: &Stream, direction: Direction) -> Option<Part<'a>> {
        let flows = |receives: bool| {
            let ours = move |f: &&Flow| f.direction == direction && f.receives == receives;
            trial.ends.iter().find_map(move |end| {
                let found: Vec<&Flow> = end.flows.iter().filter(ours).collect();
                (!found.is_empty()).then_some((end, found))
            })
        };
        let (receiver, receivers) = flows(true)?;
        let senders = flows(false).map(|(_, found)| found).unwrap_or_default();
        let elapsed_ns = elapsed(receiver, &receivers, settings);
        let refused = too_short(trial, settings, elapsed_ns);
        Some(Part { direction, receiver, receivers, senders, elapsed_ns, refused })
    }

    /// First to last byte in the window.
    fn active(&self) -> Option<u64> {
        let first = self.receivers.iter().filter_map(|f| f.first_byte_ns).min()?;
        let last = self.receivers.iter().filter_map(|f| f.last_byte_ns).max()?;
        Some(last.saturating_sub(first))
    }

    fn summary(&self, settings: &Stream) -> DirectionSummary {
        let bytes = sum(self.receivers.iter().map(|f| f.window_bytes));
        let sent = sum(self.senders.iter().map(|f| f.window_bytes));
        let sender_tcp = sum_accounts(&self.senders);
        // The kernel counts segments over the whole trial, so the messages are those of the whole trial too.
        let messages = sum(self.senders.iter().map(|f| f.total_bytes())) as f64 / settings.message.0 as f64;
        DirectionSummary {
            direction: self.direction,
            goodput_bps: BitRate::over(Bytes(bytes), Nanos(self.elapsed_ns))
                .filter(|_| !self.refused)
                .map(|r| r.0),
            bytes,
            total_bytes: sum(self.receivers.iter().map(|f| f.total_bytes())),
            bytes_per_read: ratio(bytes as f64, sum(self.receivers.iter().map(|f| f.calls)) as f64),
            bytes_per_write: ratio(sent as f64, sum(self.senders.iter().map(|f| f.calls)) as f64),
            segments_per_message: sender_tcp.and_then(|t| ratio(t.data_segments_out as f64, messages)),
            intervals: intervals(self.receiver, &self.receivers, settings.connections),
            sender_tcp,
            receiver_tcp: sum_accounts(&self.receivers),
            sender_socket: self.senders.first().map(|f| f.socket.clone()),
            receiver_socket: self.receivers.first().map(|f| f.socket.clone()),
        }
    }
}

/// The span that a direction's bytes are divided by, on the receiver's clock.
///
/// By time: the agreed window, in full. By bytes or count: from t0 to the last byte. A trial that broke off
/// had no end of the window: there it is the span up to what was last counted.
fn elapsed(receiver: &EndReport, flows: &[&Flow], settings: &Stream) -> u64 {
    let window = receiver.window.elapsed().0;
    let t0 = receiver.window.t0_ns;
    let last_byte = flows.iter().filter_map(|f| f.last_byte_ns).max().map(|l| l.saturating_sub(t0));
    match settings.stop {
        Stop::Time(_) if receiver.complete => window,
        Stop::Time(_) => {
            let ends = intervals(receiver, flows, settings.connections);
            let counted = last_byte.max(ends.last().map(|(end, _)| *end)).filter(|c| *c > 0);
            counted.map_or(window, |c| if window > 0 { c.min(window) } else { c })
        }
        Stop::Bytes(_) | Stop::Count(_) => last_byte.unwrap_or(window),
    }
}

/// Bytes of each interval, summed over the connections of a direction by the intervals' common ends.
fn intervals(receiver: &EndReport, flows: &[&Flow], connections: u16) -> Vec<(u64, u64)> {
    let mut by_end: BTreeMap<u64, u64> = BTreeMap::new();
    for flow in flows {
        let Some(found) = series(receiver, &series_name("intervals", flow, connections)) else { continue };
        let (ends, bytes) = (found.column("end_ns"), found.column("bytes"));
        for (end, bytes) in ends.unwrap_or_default().iter().zip(bytes.unwrap_or_default()) {
            if let (Ok(end), Ok(bytes)) = (u64::try_from(*end), u64::try_from(*bytes)) {
                let slot = by_end.entry(end).or_default();
                *slot = slot.saturating_add(bytes);
            }
        }
    }
    by_end.into_iter().collect()
}

/// Sum of the kernel's accounts: counters added, the largest smoothed and the least round trip. `None` unless
/// every connection has one.
fn sum_accounts(flows: &[&Flow]) -> Option<TcpAccount> {
    let accounts: Vec<TcpAccount> = flows.iter().map(|f| f.tcp).collect::<Option<_>>()?;
    accounts.into_iter().reduce(|a, b| TcpAccount {
        bytes_acked: a.bytes_acked.saturating_add(b.bytes_acked),
        bytes_received: a.bytes_received.saturating_add(b.bytes_received),
        bytes_retransmitted: a.bytes_retransmitted.saturating_add(b.bytes_retransmitted),
        data_segments_out: a.data_segments_out.saturating_add(b.data_segments_out),
        data_segments_in: a.data_segments_in.saturating_add(b.data_segments_in),
        retransmits: a.retransmits.saturating_add(b.retransmits),
        busy_us: a.busy_us.saturating_add(b.busy_us),
        rwnd_limited_us: a.rwnd_limited_us.saturating_add(b.rwnd_limited_us),
        sndbuf_limited_us: a.sndbuf_limited_us.saturating_add(b.sndbuf_limited_us),
        rtt_us: a.rtt_us.max(b.rtt_us),
        min_rtt_us: a.min_rtt_us.min(b.min_rtt_us),
    })
}

fn sum(values: impl Iterator<Item = u64>) -> u64 {
    values.fold(0, u64::saturating_add)
}

/// A quotient that is a number; `None` over nothing.
fn ratio(part: f64, whole: f64) -> Option<f64> {
    (whole > 0.0).then(|| part / whole).filter(|r| r.is_finite())
}
