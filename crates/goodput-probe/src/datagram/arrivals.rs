//! Counts received datagrams of one flow by their headers. Pure.

use super::header::{self, Header, SEQUENCES};
use super::sequences::Sequences;
use super::variation::Variation;

pub(super) struct Arrivals {
    size: usize,
    sequences: Option<Sequences>,
    variation: Option<Variation>,
    /// Well-formed, including duplicates.
    pub received: u64,
    pub malformed: u64,
    pub most_a_packet: u32,
    pub segment: Option<usize>,
}

impl Arrivals {
    /// `timed` when each datagram has its own send and arrival time.
    pub fn new(size: usize, timed: bool) -> Arrivals {
        let header = Header::of(size);
        Arrivals {
            size,
            sequences: (header != Header::None).then(Sequences::new),
            variation: if timed && header == Header::Full { Variation::new() } else { None },
            received: 0,
            malformed: 0,
            most_a_packet: 0,
            segment: None,
        }
    }

    /// For goodput: each once where duplicates are detectable, else all.
    #[inline(always)]
    pub fn counted(&self) -> u64 {
        self.sequences.as_ref().map_or(self.received, |s| s.once)
    }

    /// `None` without sequence numbers.
    pub fn sequences(&self) -> Option<&Sequences> {
        self.sequences.as_ref()
    }

    pub fn variation(&self) -> Option<&Variation> {
        self.variation.as_ref()
    }

    /// One datagram, or several of `segment` bytes, the last may be shorter.
    #[inline(always)]
    pub fn packet(&mut self, bytes: &[u8], segment: Option<usize>) {
        match segment {
            None => self.datagram(bytes, None),
            Some(payload) => {
                self.segment = Some(payload);
                if payload == self.size {
                    self.segments(bytes);
                } else {
                    let n = bytes.len().div_ceil(payload.max(1)) as u64;
                    self.malformed += n;
                    self.most_a_packet = self.most_a_packet.max(n as u32);
                }
            }
        }
    }

    /// `at` is the arrival inside the window.
    #[inline(always)]
    pub fn datagram(&mut self, bytes: &[u8], at: Option<u64>) {
        self.most_a_packet = self.most_a_packet.max(1);
        if bytes.len() != self.size {
            self.malformed += 1;
            return;
        }
        if let Some(sequences) = &mut self.sequences {
            let sequence = header::sequence(bytes).unwrap_or(u64::MAX);
            if sequence >= SEQUENCES {
                self.malformed += 1;
                return;
            }
            let first = sequences.take(sequence);
            if let (true, Some(variation), Some(at), Some(sent)) =
                (first, &mut self.variation, at, header::send_time(bytes))
            {
                variation.add(at, sent);
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
        self.malformed += odd;
        self.most_a_packet = self.most_a_packet.max((n + odd) as u32);
        let Some(sequences) = &mut self.sequences else {
            self.received += n;
            return;
        };
        // Usually in order: every header is read, and one run is recorded.
        let first = header::sequence(bytes).unwrap_or(u64::MAX);
        let in_order = first < SEQUENCES
            && each
                .clone()
                .zip(first..)
                .fold(true, |all, (d, expected)| all & (header::sequence(d) == Some(expected)));
        if in_order && n > 0 {
            sequences.take_run(first, n);
            self.received += n;
            return;
        }
        for datagram in each {
            match header::sequence(datagram) {
                Some(sequence) if sequence < SEQUENCES => {
                    sequences.take(sequence);
                    self.received += 1;
                }
                _ => self.malformed += 1,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn datagrams(size: usize, sequences: &[u64]) -> Vec<u8> {
        let mut bytes = vec![0; size * sequences.len()];
        for (datagram, s) in bytes.chunks_exact_mut(size).zip(sequences) {
            header::write(datagram, size, *s, 1_000 * s);
        }
        bytes
    }

    #[test]
    fn a_merged_packet_counts_like_its_datagrams() {
        for order in [vec![0, 1, 2, 3], vec![0, 2, 1, 1], vec![3, 1 << 50, 0, 3]] {
            let bytes = datagrams(32, &order);
            let (mut merged, mut single) = (Arrivals::new(32, false), Arrivals::new(32, false));
            merged.packet(&bytes, Some(32));
            bytes.chunks(32).for_each(|d| single.packet(d, None));
            let counts = |a: &Arrivals| {
                let s = a.sequences().unwrap();
                [a.received, a.malformed, a.counted(), s.duplicates, s.reordered, s.unresolved]
            };
            assert_eq!(counts(&merged), counts(&single), "{order:?}");
            assert_eq!((merged.most_a_packet, single.most_a_packet), (4, 1));
        }
    }

    #[test]
    fn other_lengths_and_impossible_sequences_are_malformed() {
        let mut a = Arrivals::new(32, false);
        a.packet(&[0; 31], None);
        a.packet(&[0; 33], None);
        a.packet(&[], None);
        a.packet(b"GPUT\0\x01\0\0................\0\0\0\0\0\0\0\0", None);
        assert_eq!((a.received, a.malformed), (0, 4));
        a.packet(&[0; 70], Some(30));
        a.packet(&datagrams(32, &[0, 1])[..40], Some(32));
        assert_eq!((a.received, a.malformed, a.counted()), (1, 8, 1));
    }

    #[test]
    fn too_short_for_a_sequence_is_only_counted() {
        let mut a = Arrivals::new(7, true);
        a.packet(&[0; 7], None);
        a.packet(&[0; 14], Some(7));
        assert_eq!((a.received, a.counted(), a.malformed), (3, 3, 0));
        assert!(a.sequences().is_none() && a.variation().is_none());
    }

    #[test]
    fn variation_is_of_first_arrivals_in_the_window() {
        let mut a = Arrivals::new(16, true);
        for (sequence, at) in
            [(0, Some(10_000)), (1, Some(11_000)), (1, Some(90_000)), (2, None), (3, Some(13_500))]
        {
            a.datagram(&datagrams(16, &[sequence]), at);
        }
        let series = a.variation().unwrap().series("v".into());
        assert_eq!(series.column("count"), Some(&[1, 1][..]));
        assert_eq!(series.column("value_ns").unwrap()[0], 0);
        assert!((500..=501).contains(&series.column("value_ns").unwrap()[1]));
        assert!(Arrivals::new(15, true).variation().is_none());
    }
}
