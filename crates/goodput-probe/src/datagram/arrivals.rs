//! Counts received datagrams of one flow by their headers. Pure.

use super::header::{self, HeaderFormat, SEQUENCE_LIMIT};
use super::sequences::SequenceTracker;
use super::variation::DelayVariation;
use crate::wire::HandshakeRequest;

pub(super) struct ReceiveCounter {
    size: usize,
    sequences: Option<SequenceTracker>,
    variation: Option<DelayVariation>,
    /// Well-formed, including duplicates.
    pub received: u64,
    pub malformed: u64,
    pub most_a_packet: u32,
    pub segment: Option<usize>,
}

impl ReceiveCounter {
    /// `timed` when each datagram has its own send and arrival time.
    pub fn new(size: usize, timed: bool) -> ReceiveCounter {
        let header = HeaderFormat::for_size(size);
        ReceiveCounter {
            size,
            sequences: (header != HeaderFormat::None).then(SequenceTracker::new),
            variation: if timed && header == HeaderFormat::Full { DelayVariation::new() } else { None },
            received: 0,
            malformed: 0,
            most_a_packet: 0,
            segment: None,
        }
    }

    /// For goodput: each once where duplicates are detectable, else all.
    #[inline(always)]
    pub fn goodput_datagram_count(&self) -> u64 {
        self.sequences.as_ref().map_or(self.received, |s| s.once)
    }

    /// `None` without sequence numbers.
    pub fn sequence_tracker(&self) -> Option<&SequenceTracker> {
        self.sequences.as_ref()
    }

    pub fn delay_variation(&self) -> Option<&DelayVariation> {
        self.variation.as_ref()
    }

    /// One datagram, or several of `segment` bytes, the last may be shorter.
    #[inline(always)]
    pub fn record_packet(&mut self, bytes: &[u8], segment: Option<usize>) {
        match segment {
            None => self.record_datagram(bytes, None),
            Some(payload) => {
                self.segment = Some(payload);
                if payload == self.size {
                    self.segments(bytes);
                } else {
                    let each = bytes.chunks(payload.max(1));
                    self.most_a_packet = self.most_a_packet.max(each.len() as u32);
                    self.malformed += each.map(malformed).sum::<u64>();
                }
            }
        }
    }

    /// `at` is the arrival inside the window.
    #[inline(always)]
    pub fn record_datagram(&mut self, bytes: &[u8], at: Option<u64>) {
        self.most_a_packet = self.most_a_packet.max(1);
        if bytes.len() != self.size {
            self.malformed += malformed(bytes);
            return;
        }
        if let Some(sequences) = &mut self.sequences {
            let sequence = header::read_sequence(bytes).unwrap_or(u64::MAX);
            if sequence >= SEQUENCE_LIMIT {
                self.malformed += malformed(bytes);
                return;
            }
            let first = sequences.record(sequence);
            if let (true, Some(variation), Some(at), Some(sent)) =
                (first, &mut self.variation, at, header::read_send_time(bytes))
            {
                variation.add_arrival(at, sent);
            }
        }
        self.received += 1;
    }

    /// Adjacent datagrams, the last may be shorter.
    #[inline(always)]
    fn segments(&mut self, bytes: &[u8]) {
        let each = bytes.chunks_exact(self.size);
        let n = each.len() as u64;
        let odd = u64::from(!each.remainder().is_empty());
        if odd > 0 {
            self.malformed += malformed(each.remainder());
        }
        self.most_a_packet = self.most_a_packet.max((n + odd) as u32);
        let Some(sequences) = &mut self.sequences else {
            self.received += n;
            return;
        };
        // Usually in order: every header is read, and one run is recorded.
        let first = header::read_sequence(bytes).unwrap_or(u64::MAX);
        let in_order = first < SEQUENCE_LIMIT
            && each
                .clone()
                .zip(first..)
                .fold(true, |all, (d, expected)| all & (header::read_sequence(d) == Some(expected)));
        if in_order && n > 0 {
            sequences.record_consecutive(first, n);
            self.received += n;
            return;
        }
        for datagram in each {
            match header::read_sequence(datagram) {
                Some(sequence) if sequence < SEQUENCE_LIMIT => {
                    sequences.record(sequence);
                    self.received += 1;
                }
                _ => self.malformed += malformed(datagram),
            }
        }
    }
}

/// 0 for late copies of the handshake, which are no datagrams of the trial.
#[cold]
fn malformed(datagram: &[u8]) -> u64 {
    u64::from(HandshakeRequest::from_datagram(datagram).is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn datagrams(size: usize, sequences: &[u64]) -> Vec<u8> {
        let mut bytes = vec![0; size * sequences.len()];
        for (datagram, s) in bytes.chunks_exact_mut(size).zip(sequences) {
            header::write_headers(datagram, size, *s, 1_000 * s);
        }
        bytes
    }

    #[test]
    fn a_merged_packet_counts_like_its_datagrams() {
        for order in [vec![0, 1, 2, 3], vec![0, 2, 1, 1], vec![3, 1 << 50, 0, 3]] {
            let bytes = datagrams(32, &order);
            let (mut merged, mut single) = (ReceiveCounter::new(32, false), ReceiveCounter::new(32, false));
            merged.record_packet(&bytes, Some(32));
            bytes.chunks(32).for_each(|d| single.record_packet(d, None));
            let counts = |a: &ReceiveCounter| {
                let s = a.sequence_tracker().unwrap();
                [a.received, a.malformed, a.goodput_datagram_count(), s.duplicates, s.reordered, s.unresolved]
            };
            assert_eq!(counts(&merged), counts(&single), "{order:?}");
            assert_eq!((merged.most_a_packet, single.most_a_packet), (4, 1));
        }
    }

    #[test]
    fn other_lengths_and_impossible_sequences_are_malformed() {
        let mut a = ReceiveCounter::new(32, false);
        let opening = b"GPUT\0\x01\0\0................\0\0\0\0\0\0\0\0";
        for packet in [&[0; 31][..], &[0; 33], &[], &[0xff; 32], opening] {
            a.record_packet(packet, None);
        }
        a.record_packet(&opening.repeat(2), Some(32));
        assert_eq!((a.received, a.malformed), (0, 4));
        a.record_packet(&[0; 70], Some(30));
        a.record_packet(&datagrams(32, &[0, 1])[..40], Some(32));
        assert_eq!((a.received, a.malformed, a.goodput_datagram_count()), (1, 8, 1));

        // Too short for a sequence: only counted.
        let mut a = ReceiveCounter::new(7, true);
        a.record_packet(&[0; 7], None);
        a.record_packet(&[0; 14], Some(7));
        assert_eq!((a.received, a.goodput_datagram_count(), a.malformed), (3, 3, 0));
        assert!(a.sequence_tracker().is_none() && a.delay_variation().is_none());
    }

    #[test]
    fn variation_is_of_first_arrivals_in_the_window() {
        let mut a = ReceiveCounter::new(16, true);
        for (sequence, at) in
            [(0, Some(10_000)), (1, Some(11_000)), (1, Some(90_000)), (2, None), (3, Some(13_500))]
        {
            a.record_datagram(&datagrams(16, &[sequence]), at);
        }
        let series = a.delay_variation().unwrap().distribution_series("v".into());
        assert_eq!(series.column("count"), Some(&[1, 1][..]));
        assert_eq!(series.column("value_ns").unwrap()[0], 0);
        assert!((500..=501).contains(&series.column("value_ns").unwrap()[1]));
        assert!(ReceiveCounter::new(15, true).delay_variation().is_none());
    }
}
