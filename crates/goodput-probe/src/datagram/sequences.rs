//! Exact detection of duplicates and reordering within a window behind the highest sequence: a ring of bits,
//! in constant time without allocation. A datagram behind the window is *unresolved*: late or a duplicate.

/// 1 Mi sequences: 128 KiB, to fit into a core's L2 cache.
const WORDS: usize = 1 << 14;
const RING: u64 = WORDS as u64 - 1;

pub(super) struct SequenceTracker {
    words: Box<[u64]>,
    /// Highest sequence plus one: NextExp of RFC 4737 section 3.3.
    next: u64,
    /// The highest word in the ring.
    newest: u64,
    /// First occurrences.
    pub once: u64,
    pub duplicates: u64,
    /// First occurrences behind a higher sequence.
    pub reordered: u64,
    pub unresolved: u64,
    /// Largest distance of a reordered or unresolved one from the highest.
    pub most_behind: u64,
}

impl SequenceTracker {
    /// Minimum window behind the highest sequence.
    pub const MIN_REORDER_WINDOW: u64 = (WORDS as u64 - 1) * 64;

    pub fn new() -> SequenceTracker {
        SequenceTracker {
            words: vec![0; WORDS].into_boxed_slice(),
            next: 0,
            newest: 0,
            once: 0,
            duplicates: 0,
            reordered: 0,
            unresolved: 0,
            most_behind: 0,
        }
    }

    pub fn highest_sequence(&self) -> Option<u64> {
        self.next.checked_sub(1)
    }

    #[inline(always)]
    pub fn record(&mut self, sequence: u64) -> bool {
        if sequence < self.next {
            return self.late(sequence);
        }
        self.enter(sequence >> 6);
        self.words[(sequence >> 6 & RING) as usize] |= 1 << (sequence & 63);
        self.next = sequence + 1;
        self.once += 1;
        true
    }

    /// `n` consecutive sequences in order.
    #[inline(always)]
    pub fn record_consecutive(&mut self, first: u64, n: u64) {
        if first < self.next {
            for sequence in first..first + n {
                self.record(sequence);
            }
            return;
        }
        let end = first + n;
        let mut at = first;
        while at < end {
            let word = at >> 6;
            let upto = end.min((word + 1) << 6);
            let bits = if upto - at == 64 { u64::MAX } else { ((1u64 << (upto - at)) - 1) << (at & 63) };
            self.enter(word);
            self.words[(word & RING) as usize] |= bits;
            at = upto;
        }
        self.next = end;
        self.once += n;
    }

    /// Advances the ring to this word and clears what it overwrites.
    #[inline(always)]
    fn enter(&mut self, word: u64) {
        if word == self.newest {
            return;
        }
        if word == self.newest + 1 {
            self.words[(word & RING) as usize] = 0;
        } else {
            self.jump(word);
        }
        self.newest = word;
    }

    #[cold]
    fn jump(&mut self, word: u64) {
        if word - self.newest >= WORDS as u64 {
            self.words.fill(0);
            return;
        }
        for w in self.newest + 1..=word {
            self.words[(w & RING) as usize] = 0;
        }
    }

    #[cold]
    fn late(&mut self, sequence: u64) -> bool {
        let word = sequence >> 6;
        let behind = self.next - 1 - sequence;
        if self.newest - word >= WORDS as u64 {
            self.unresolved += 1;
            self.most_behind = self.most_behind.max(behind);
            return false;
        }
        let (place, bit) = ((word & RING) as usize, 1u64 << (sequence & 63));
        if self.words[place] & bit != 0 {
            self.duplicates += 1;
            return false;
        }
        self.words[place] |= bit;
        self.once += 1;
        self.reordered += 1;
        self.most_behind = self.most_behind.max(behind);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashSet;

    fn counts(s: &SequenceTracker) -> [u64; 5] {
        [s.once, s.duplicates, s.reordered, s.unresolved, s.most_behind]
    }

    fn after(sequences: impl IntoIterator<Item = u64>) -> SequenceTracker {
        let mut s = SequenceTracker::new();
        for sequence in sequences {
            s.record(sequence);
        }
        s
    }

    #[test]
    fn losses_duplicates_and_reordering_are_told_apart() {
        assert_eq!(counts(&after([0, 1, 2])), [3, 0, 0, 0, 0]);
        assert_eq!(counts(&after([0, 1, 3, 4])), [4, 0, 0, 0, 0]);
        assert_eq!(counts(&after([0, 0, 1, 2, 0])), [3, 2, 0, 0, 0]);
        // RFC 4737 section 3.3: 2 and 3 come after 4; both are reordered, 5 is not.
        assert_eq!(counts(&after([0, 1, 4, 2, 3, 5])), [6, 0, 2, 0, 2]);
        assert_eq!(counts(&after([0, 2, 1, 1])), [3, 1, 1, 0, 1]);
        assert_eq!((after([]).highest_sequence(), after([7]).highest_sequence()), (None, Some(7)));
    }

    #[test]
    fn the_window_ends_where_it_says() {
        let far = 10 * SequenceTracker::MIN_REORDER_WINDOW;
        let (mut s, edge) = (after([far]), far - SequenceTracker::MIN_REORDER_WINDOW);
        assert_eq!([edge, edge, edge - 64].map(|sequence| s.record(sequence)), [true, false, false]);
        assert_eq!(counts(&s), [2, 1, 1, 1, SequenceTracker::MIN_REORDER_WINDOW + 64]);
        assert!(s.record(far + 64 * WORDS as u64) && s.duplicates == 1);
    }

    proptest! {
        /// Compared with an unlimited set, within reach.
        #[test]
        fn counts_are_those_of_a_set(runs in proptest::collection::vec((0u64..50_000, 1u64..200), 1..200)) {
            let (mut s, mut seen) = (after([]), HashSet::new());
            let (mut next, mut duplicates, mut reordered) = (0, 0, 0);
            for (first, n) in runs {
                for sequence in first..first + n {
                    if !seen.insert(sequence) {
                        duplicates += 1;
                    } else if sequence < next {
                        reordered += 1;
                    }
                    next = next.max(sequence + 1);
                }
                s.record_consecutive(first, n);
            }
            prop_assert_eq!(counts(&s)[..4].to_vec(), vec![seen.len() as u64, duplicates, reordered, 0]);
            prop_assert_eq!(s.highest_sequence(), Some(next - 1));
        }

        /// Beyond reach, every datagram is in exactly one count, and no duplicate is a first.
        #[test]
        fn nothing_is_counted_twice(jumps in proptest::collection::vec(0u64..4_000_000, 1..300)) {
            let (mut s, mut seen) = (after([]), HashSet::new());
            for sequence in &jumps {
                let first = s.record(*sequence);
                prop_assert!(!first || seen.insert(*sequence));
            }
            prop_assert_eq!(s.once + s.duplicates + s.unresolved, jumps.len() as u64);
        }
    }
}
