//! The pseudo-random sequence of a worker's transactions. Both ends draw it alike, as IOmeter's client
//! mirrors its server, so the wire carries no description.
//!
//! SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number generators", OOPSLA 2014; constants
//! as in Java's SplittableRandom). One number per transaction: its upper half selects the line, its lower
//! half read or write, each scaled to 0 to 99 with a bias below 100 in 2^32. Lines cover the hundred numbers
//! by their shares, in the order of the mix.

use goodput_model::load::{RequestMix, RequestMixLine};

const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

fn mixed(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RequestSequenceOwner {
    /// One sequence, both ends take turns.
    Both = 0,
    /// The client's direction of a bidirectional connection.
    Client = 1,
    Server = 2,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct GeneratedRequest<'a> {
    pub line: &'a RequestMixLine,
    /// True when the client sends the request (the server reads).
    pub read: bool,
    pub starts_burst: bool,
}

pub(super) struct RequestSequence<'a> {
    lines: &'a [RequestMixLine],
    pick: [u8; 100],
    seed: u64,
    state: u64,
    burst_left: u32,
}

impl<'a> RequestSequence<'a> {
    pub fn new(
        seed: u64,
        worker: u16,
        voice: RequestSequenceOwner,
        mix: &'a RequestMix,
    ) -> RequestSequence<'a> {
        let mut pick = [0; 100];
        let mut at = 0usize;
        for (line, number) in mix.lines.iter().zip(0u8..) {
            let end = (at + usize::from(line.share_percent)).min(pick.len());
            pick[at..end].fill(number);
            at = end;
        }
        let who = (u64::from(worker) + 1) << 2 | voice as u64;
        let seed = mixed(seed ^ mixed(who.wrapping_mul(GOLDEN)));
        RequestSequence { lines: &mix.lines, pick, seed, state: seed, burst_left: 0 }
    }

    /// Restarts for a new connection, so that a broken one does not desynchronise the ends.
    pub fn restart_for_connection(&mut self, connection: u64) {
        self.state = mixed(self.seed.wrapping_add(connection.wrapping_mul(GOLDEN)));
        self.burst_left = 0;
    }

    /// The next transaction. At the start of a burst the line drawn determines its length (including this
    /// transaction) and the pause before it.
    #[inline(always)]
    pub fn next_request(&mut self) -> GeneratedRequest<'a> {
        self.state = self.state.wrapping_add(GOLDEN);
        let number = mixed(self.state);
        let hundred = |half: u64| (half * 100) >> 32;
        let line = &self.lines[usize::from(self.pick[hundred(number >> 32) as usize])];
        let read = hundred(number & 0xffff_ffff) < u64::from(line.reads_percent);
        let starts_burst = self.burst_left == 0;
        self.burst_left = if starts_burst { line.burst.max(1) } else { self.burst_left } - 1;
        GeneratedRequest { line, read, starts_burst }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use goodput_model::{Bytes, Nanos};
    use proptest::prelude::*;

    fn mix(lines: &[(u64, u8, u8, u32)]) -> RequestMix {
        let line = |&(size, share_percent, reads_percent, burst): &(u64, u8, u8, u32)| {
            let base = RequestMixLine::single_size(Bytes(size), reads_percent);
            RequestMixLine { share_percent, burst, delay: Nanos(7), ..base }
        };
        RequestMix { name: "m".into(), lines: lines.iter().map(line).collect(), both_ways: false }
    }

    #[test]
    fn the_generator_is_splitmix64() {
        // Published outputs for the seed 1234567 (Rosetta Code, "Pseudo-random numbers/Splitmix64").
        let mut state = 1_234_567u64;
        for output in [
            6_457_827_717_110_365_317,
            3_203_168_211_198_807_973,
            9_817_491_932_198_370_423,
            4_593_380_528_125_082_431,
            16_408_922_859_458_223_821,
        ] {
            state = state.wrapping_add(GOLDEN);
            assert_eq!(mixed(state), output);
        }
    }

    #[test]
    fn shares_and_reads_come_out_as_asked() {
        let mix = mix(&[(1, 10, 0, 1), (2, 0, 50, 1), (3, 90, 25, 1)]);
        let mut draws = RequestSequence::new(3, 5, RequestSequenceOwner::Both, &mix);
        let (mut first, mut reads, n) = (0u32, 0u32, 100_000u32);
        for _ in 0..n {
            let step = draws.next_request();
            assert_ne!(step.line.size, Bytes(2), "a line without a share is never drawn");
            first += u32::from(step.line.size == Bytes(1));
            reads += u32::from(step.read);
        }
        // Five standard deviations of a binomial: 475 and 660 of 100,000.
        assert!(first.abs_diff(10_000) < 475, "{first}");
        assert!(reads.abs_diff(22_500) < 660, "{reads}");
    }

    #[test]
    fn workers_voices_and_connections_differ() {
        use RequestSequenceOwner::{Both, Client, Server};
        let mix = mix(&[(1, 50, 50, 1), (2, 50, 50, 1)]);
        let some = |mut draws: RequestSequence<'_>| -> Vec<(u64, bool)> {
            (0..64).map(|_| draws.next_request()).map(|s| (s.line.size.0, s.read)).collect()
        };
        let mut all = Vec::new();
        for worker in [0, 1, 2] {
            let voices = [Both, Client, Server];
            all.extend(voices.map(|voice| some(RequestSequence::new(9, worker, voice, &mix))));
        }
        let mut again = RequestSequence::new(9, 0, Both, &mix);
        again.restart_for_connection(1);
        all.push(some(again));
        all.sort();
        all.dedup();
        assert_eq!(all.len(), 10);
    }

    proptest! {
        #[test]
        fn both_ends_draw_alike(seed: u64, worker: u16, shares in proptest::collection::vec((0u8..40, 0u8..=100, 1u32..5), 1..20),
                                connection in 0u64..5) {
            let lines: Vec<_> = shares.iter().zip(1..).map(|(&(s, r, b), n)| (n, s, r, b)).collect();
            let mix = mix(&lines);
            let mut ends = [(); 2].map(|()| {
                let mut draws = RequestSequence::new(seed, worker, RequestSequenceOwner::Both, &mix);
                draws.restart_for_connection(connection);
                draws
            });
            let mut left = 0;
            for _ in 0..500 {
                let [a, b] = &mut ends;
                let step = a.next_request();
                prop_assert_eq!(step, b.next_request());
                prop_assert_eq!(step.starts_burst, left == 0);
                left = if left == 0 { step.line.burst } else { left } - 1;
            }
        }
    }
}
