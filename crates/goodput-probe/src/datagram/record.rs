//! The receiver's record of a flow: counts, kernel drops, unavailable checks.

use super::DatagramEnd;
use super::arrivals::ReceiveCounter;
use super::header::HeaderFormat;
use super::send_method::max_gso_segments;
use super::sequences::SequenceTracker;
use goodput_model::datagram::{
    Datagram, DatagramMeasurement, DatagramSyscalls, DatagramsReceived, HEADER_BYTES, SEQUENCE_NUMBER_BYTES,
    UnavailableMeasurement,
};
use goodput_model::{Bytes, Message};
use goodput_words::message;
use goodput_words::message_argument::quantity_arg;

/// Reads the socket's drops now; the caller adds the calls.
pub(super) fn collect_receive_counts(
    part: &DatagramEnd,
    settings: &Datagram,
    by: DatagramSyscalls,
    arrivals: &ReceiveCounter,
) -> DatagramsReceived {
    let sequences = arrivals.sequence_tracker();
    let drops = part.dropped();
    // Only with merged packets can one drop be several datagrams.
    let a_packet = if by == DatagramSyscalls::Gro {
        max_gso_segments(settings.size.0 as usize, part.largest) as u64
    } else {
        1
    };
    DatagramsReceived {
        received: arrivals.received,
        once: sequences.map(|s| s.once),
        duplicates: sequences.map(|s| s.duplicates),
        reordered: sequences.map(|s| s.reordered),
        unresolved: sequences.map(|s| s.unresolved),
        most_behind: sequences.map(|s| s.most_behind),
        reach: sequences.map(|_| SequenceTracker::MIN_REORDER_WINDOW),
        highest: sequences.and_then(SequenceTracker::highest_sequence),
        malformed: arrivals.malformed,
        socket_drops: drops,
        socket_drops_at_most: drops.map(|d| d * a_packet),
        calls: 0,
        by,
        fallback: None,
        segment_size: arrivals.segment.map(|s| Bytes(s as u64)),
        most_a_call: 0,
        most_a_packet: arrivals.most_a_packet,
        jitter_ns: arrivals.delay_variation().and_then(|v| v.jitter_ns()),
        drain_ns: 0,
        not_available: not_available(settings, drops.is_some()),
    }
}

fn not_available(settings: &Datagram, drops_known: bool) -> Vec<UnavailableMeasurement> {
    let size = settings.size.0;
    let bytes = |n: u64| quantity_arg(n as f64, "B", format!("{n} B"));
    let mut missing = Vec::new();
    let mut say = |checks: &[DatagramMeasurement], why: Message| {
        missing.extend(checks.iter().map(|&check| UnavailableMeasurement { check, why: why.clone() }));
    };
    let header = HeaderFormat::for_size(size as usize);
    if header == HeaderFormat::None {
        say(
            &[DatagramMeasurement::Duplicates, DatagramMeasurement::Reordering],
            message!(part_check_no_room_for_sequence {
                size: bytes(size),
                bytes: bytes(SEQUENCE_NUMBER_BYTES)
            }),
        );
    }
    let timed = [DatagramMeasurement::Jitter, DatagramMeasurement::DelayVariation];
    if header != HeaderFormat::Full {
        let least = bytes(HEADER_BYTES);
        say(&timed, message!(part_check_no_room_for_time { size: bytes(size), bytes: least }));
    } else if !settings.uses_one_datagram_per_call() {
        say(&timed, "one system call carries several datagrams, which share one send time".into());
    } else if !settings.has_per_datagram_timestamps() {
        say(
            &timed,
            "at the maximum rate, the receiver does not record the exact arrival time of each datagram"
                .into(),
        );
    }
    if !drops_known {
        say(&[DatagramMeasurement::SocketDrops], "this system does not report socket drops".into());
    }
    missing
}

#[cfg(test)]
mod tests {
    use super::*;
    use goodput_model::datagram::{DatagramRate, SegmentationOffload};

    #[test]
    fn what_cannot_be_checked_is_named() {
        use DatagramMeasurement::{DelayVariation, Duplicates, Jitter, Reordering, SocketDrops};
        let checks = |size, offload, drops| -> Vec<_> {
            let rate = Some(DatagramRate::Datagrams(100.0));
            let settings = Datagram { size: Bytes(size), offload, rate, burst: 2, ..Datagram::default() };
            not_available(&settings, drops).into_iter().map(|n| n.check).collect()
        };
        assert_eq!(checks(16, SegmentationOffload::Plain, true), []);
        assert_eq!(checks(16, SegmentationOffload::Auto, true), [Jitter, DelayVariation]);
        assert_eq!(checks(15, SegmentationOffload::Plain, true), [Jitter, DelayVariation]);
        let all = [Duplicates, Reordering, Jitter, DelayVariation, SocketDrops];
        assert_eq!(checks(7, SegmentationOffload::Plain, false), all);
    }
}
