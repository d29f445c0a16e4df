//! Bulk TCP: what each receiver counted inside the window, and both kernels' accounts. Series of the
//! receiving end: `intervals-<direction>-<connection>` (`end_ns` since t0, `bytes`).

use super::direction::{self, DirectionFlows, checked_ratio, saturating_sum};
use super::{ProbeAnalysis, ServiceDemandUnits, TrialMeasurement, rfc6349};
use crate::medium_limit::TrafficDirections;
use crate::ungrouped_arg;
use goodput_model::run_comparison::ComparedQuantity;
use goodput_model::summary::{DirectionSummary, ProbeResult, StreamResult, TheoreticalGoodputLimit};
use goodput_model::trial::{Flow, TcpStatistics};
use goodput_model::{BitRate, Bytes, Message, Nanos, Stream, Trial};
use goodput_words::message;

impl ProbeAnalysis for Stream {
    fn measure_trial(&self, trial: &Trial, limit: &TheoreticalGoodputLimit) -> TrialMeasurement {
        measure(trial, self, limit)
    }

    fn traffic_directions(&self, _: &Trial) -> Result<TrafficDirections, &'static str> {
        Ok(TrafficDirections::tcp_one_way(self.direction.one_way_directions()))
    }

    fn primary_metric(&self) -> &'static str {
        "goodput_bps"
    }

    fn host_pair_metric(&self) -> Option<&'static str> {
        Some("directions[].goodput_bps")
    }

    fn compared_quantities(&self) -> &'static [ComparedQuantity] {
        &[ComparedQuantity::GoodputBps, ComparedQuantity::CpuPercent, ComparedQuantity::PeIndex]
    }

    fn describe_settings(&self) -> Message {
        message!(part_compared_stream {
            way: self.direction.name(),
            size: ungrouped_arg(self.message.0 as f64, 0, "B"),
            count: self.connections,
        })
    }
}

fn measure(trial: &Trial, settings: &Stream, limit: &TheoreticalGoodputLimit) -> TrialMeasurement {
    let parts = parts(trial, settings);
    let (measured, directions) = measure_parts(trial, &parts, settings, limit);
    let fairness_index = fairness_index(&parts);
    let (transfer_ns, transfer_bps) = transfer(&parts, settings).unzip();
    let result = StreamResult { directions, fairness_index, transfer_ns, transfer_bps };
    TrialMeasurement { result: Some(ProbeResult::Stream(result)), ..measured }
}

/// Time and rate on the senders' clocks; `None` unless every direction has them.
fn transfer(parts: &[DirectionFlows<'_>], settings: &Stream) -> Option<(u64, u64)> {
    if parts.len() < settings.direction.one_way_directions().len() {
        return None;
    }
    let of = |part: &DirectionFlows<'_>| {
        let time = part.transfer_ns()?;
        Some((time, BitRate::from_bytes_and_time(Bytes(part.total_bytes()), Nanos(time))?.0))
    };
    let transfers: Vec<_> = parts.iter().map(of).collect::<Option<_>>()?;
    transfers.into_iter().reduce(|a, b| (a.0.max(b.0), a.1.saturating_add(b.1)))
}

fn fairness_index(parts: &[DirectionFlows<'_>]) -> Option<f64> {
    let of = |part: &DirectionFlows<'_>| jain_index(part.receivers.iter().map(|f| f.window_bytes as f64));
    parts.iter().filter_map(of).reduce(f64::min)
}

/// R. Jain, DEC-TR-301 (1984): (Σx)² / (n Σx²).
fn jain_index(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (count, sum, squares) = values.fold((0.0, 0.0, 0.0), |(n, s, q), x| (n + 1.0, s + x, q + x * x));
    if count > 1.0 { checked_ratio(sum * sum, count * squares) } else { None }
}

pub(super) fn measure_stream_directions(
    trial: &Trial,
    settings: &Stream,
    limit: &TheoreticalGoodputLimit,
) -> (TrialMeasurement, Vec<DirectionSummary>) {
    measure_parts(trial, &parts(trial, settings), settings, limit)
}

/// Directions without the receiving end's report are left out.
fn parts<'a>(trial: &'a Trial, settings: &Stream) -> Vec<DirectionFlows<'a>> {
    let part = |d: &_| DirectionFlows::for_direction(trial, *d, settings.connections, settings.stop);
    settings.direction.one_way_directions().iter().filter_map(part).collect()
}

fn measure_parts(
    trial: &Trial,
    parts: &[DirectionFlows<'_>],
    settings: &Stream,
    limit: &TheoreticalGoodputLimit,
) -> (TrialMeasurement, Vec<DirectionSummary>) {
    let measured = direction::measure_directions(trial, parts);
    let directions = parts.iter().map(|p| summary(p, settings, limit)).collect();
    (
        TrialMeasurement {
            work: measured.bytes.map(|b| ServiceDemandUnits::Kib(b as f64 / 1024.0)),
            ..measured
        },
        directions,
    )
}

fn summary(
    part: &DirectionFlows<'_>,
    settings: &Stream,
    limit: &TheoreticalGoodputLimit,
) -> DirectionSummary {
    let bytes = part.total_bytes();
    let sent = saturating_sum(part.senders.iter().map(|f| f.window_bytes));
    let sender_tcp = sum_accounts(&part.senders);
    // The kernel counts segments over the whole trial, so messages are counted likewise.
    let messages =
        saturating_sum(part.senders.iter().map(|f| f.total_bytes())) as f64 / settings.message.0 as f64;
    let directions = settings.direction.one_way_directions().len() as u64;
    DirectionSummary {
        rfc6349: Some(Box::new(rfc6349::rfc6349_metrics(part, sender_tcp, limit, directions))),
        direction: part.direction,
        goodput_bps: part.goodput().map(|g| g.0),
        arrival_bps: part.arrival_rate().map(|g| g.0),
        bytes,
        total_bytes: saturating_sum(part.receivers.iter().map(|f| f.total_bytes())),
        bytes_per_read: checked_ratio(
            bytes as f64,
            saturating_sum(part.receivers.iter().map(|f| f.calls)) as f64,
        ),
        bytes_per_write: checked_ratio(
            sent as f64,
            saturating_sum(part.senders.iter().map(|f| f.calls)) as f64,
        ),
        segments_per_message: sender_tcp.and_then(|t| checked_ratio(t.data_segments_out as f64, messages)),
        intervals: part.interval_bytes(),
        sender_tcp,
        receiver_tcp: sum_accounts(&part.receivers),
        sender_socket: part.senders.first().map(|f| f.socket.clone()),
        receiver_socket: part.receivers.first().map(|f| f.socket.clone()),
        datagrams: None,
    }
}

/// Counters and windows added, the largest smoothed round trip and variation, and the minimum round trip.
/// `None` unless every connection has one.
fn sum_accounts(flows: &[&Flow]) -> Option<TcpStatistics> {
    let accounts: Vec<TcpStatistics> = flows.iter().map(|f| f.tcp).collect::<Option<_>>()?;
    let both = |a: Option<u64>, b: Option<u64>| a.zip(b).map(|(a, b)| a.saturating_add(b));
    accounts.into_iter().reduce(|a, b| TcpStatistics {
        bytes_acked: a.bytes_acked.saturating_add(b.bytes_acked),
        bytes_received: a.bytes_received.saturating_add(b.bytes_received),
        bytes_sent: both(a.bytes_sent, b.bytes_sent),
        bytes_retransmitted: a.bytes_retransmitted.saturating_add(b.bytes_retransmitted),
        data_segments_out: a.data_segments_out.saturating_add(b.data_segments_out),
        data_segments_in: a.data_segments_in.saturating_add(b.data_segments_in),
        segments_out: both(a.segments_out, b.segments_out),
        segments_in: both(a.segments_in, b.segments_in),
        retransmits: a.retransmits.saturating_add(b.retransmits),
        busy_us: a.busy_us.saturating_add(b.busy_us),
        rwnd_limited_us: a.rwnd_limited_us.saturating_add(b.rwnd_limited_us),
        sndbuf_limited_us: a.sndbuf_limited_us.saturating_add(b.sndbuf_limited_us),
        rtt_us: a.rtt_us.max(b.rtt_us),
        min_rtt_us: a.min_rtt_us.min(b.min_rtt_us),
        dsack_duplicates: both(a.dsack_duplicates, b.dsack_duplicates),
        reordering_events: both(a.reordering_events, b.reordering_events),
        out_of_order_segments: both(a.out_of_order_segments, b.out_of_order_segments),
        rtt_variation_us: a.rtt_variation_us.zip(b.rtt_variation_us).map(|(a, b)| a.max(b)),
        snd_wnd_bytes: both(a.snd_wnd_bytes, b.snd_wnd_bytes),
        congestion_window_segments: both(a.congestion_window_segments, b.congestion_window_segments),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fairness_is_of_several_connections_that_moved_something() {
        let of = |values: [f64; 2]| jain_index(values.into_iter());
        assert_eq!([of([5.0, 5.0]), of([1.0, 3.0]), of([0.0, 0.0])], [Some(1.0), Some(0.8), None]);
        assert_eq!(jain_index([1.0].into_iter()), None);
    }

    #[test]
    fn counters_and_windows_of_connections_add_up() {
        let flow = |window, variation| {
            let (snd_wnd_bytes, rtt_variation_us) = (Some(window), Some(variation));
            let tcp = TcpStatistics { snd_wnd_bytes, rtt_variation_us, ..TcpStatistics::default() };
            Flow { tcp: Some(TcpStatistics { out_of_order_segments: Some(2), ..tcp }), ..Flow::default() }
        };
        let sum = sum_accounts(&[&flow(10, 3), &flow(20, 1)]).unwrap_or_default();
        assert_eq!((sum.snd_wnd_bytes, sum.rtt_variation_us), (Some(30), Some(3)));
        assert_eq!((sum.out_of_order_segments, sum.dsack_duplicates), (Some(4), None));
    }
}
