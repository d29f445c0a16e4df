//! Simulated paths for the prober: delay, loss, too-big messages or silence.

use super::*;
use proptest::prelude::*;

const MS: u64 = 1_000_000;
const HOP: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(10, 0, 0, 9));

#[derive(Debug, Clone, Copy)]
struct Path {
    interface: u32,
    mtu: u32,
    /// Whether too-big messages come back, and quote enough.
    tells: Option<bool>,
    round_trip: u64,
    /// One in this many is lost; 0 for none.
    loss: u64,
    seed: u64,
}

const QUIET: Path = Path { interface: 1500, mtu: 1500, tells: None, round_trip: MS, loss: 0, seed: 1 };

enum PathReply {
    Answer(u64),
    TooBig(Option<u64>),
}

impl Path {
    fn run(mut self) -> (ProberResult, u64) {
        let first = [self.interface, self.interface + 1];
        let mut prober =
            MtuProber::new(&Mtu::default(), MtuSearch::new(68, 65_535, &first), self.round_trip, 0);
        let (mut now, mut under_way): (u64, Vec<(u64, PathReply)>) = (0, Vec::new());
        loop {
            under_way.sort_by_key(|(at, _)| *at);
            while under_way.first().is_some_and(|(at, _)| *at <= now) {
                match under_way.remove(0).1 {
                    PathReply::Answer(seq) => prober.record_answer(seq, now),
                    PathReply::TooBig(seq) => prober.record_packet_too_big(seq, self.mtu, HOP),
                }
            }
            let next = under_way.first().map_or(u64::MAX, |(at, _)| *at);
            match prober.next_action(now) {
                ProberAction::Send { seq, size } if size > self.interface => {
                    prober.record_local_packet_too_big(seq, self.interface)
                }
                ProberAction::Send { seq, size } => self.carry(seq, size, now, &mut under_way),
                ProberAction::Wait(until) => now = until.min(next).max(now),
                ProberAction::Over => return (prober.result(), now),
            }
            assert!(now < 20_000 * MS, "{self:?}");
        }
    }

    fn carry(&mut self, seq: u64, size: u32, now: u64, under_way: &mut Vec<(u64, PathReply)>) {
        if self.lost() {
            return;
        }
        if size <= self.mtu {
            under_way.push((now + self.round_trip, PathReply::Answer(seq)));
        } else if let Some(quotes) = self.tells {
            under_way.push((now + self.round_trip / 2, PathReply::TooBig(quotes.then_some(seq))));
        }
    }

    fn lost(&mut self) -> bool {
        self.seed = self.seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.seed;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        self.loss > 0 && (z ^ (z >> 31)).is_multiple_of(self.loss)
    }
}

#[test]
fn told_too_big_is_quick_and_names_the_hop() {
    for quotes in [true, false] {
        let (found, took) = Path { mtu: 1400, tells: Some(quotes), ..QUIET }.run();
        assert_eq!((found.passes, found.fails), (Some(1400), Some(1401)));
        assert_eq!(found.outcome, MtuOutcome::Told { by: HOP.to_string(), next_hop_mtu: 1400 });
        assert!(took < 1000 * MS, "{took}");
    }
}

#[test]
fn silence_is_a_black_hole() {
    for mtu in [1400, 1281, 1399, 600, 68] {
        let (found, took) = Path { mtu, ..QUIET }.run();
        assert_eq!((found.passes, found.fails), (Some(mtu), Some(mtu + 1)));
        assert_eq!(found.outcome, MtuOutcome::BlackHole);
        assert!(took < 2000 * MS, "{took}");
    }
}

#[test]
fn the_own_interface_is_named_without_waiting() {
    let (found, took) = Path { interface: 7150, mtu: 9000, ..QUIET }.run();
    assert_eq!((found.passes, found.fails), (Some(7150), Some(7151)));
    assert_eq!(found.outcome, MtuOutcome::OwnInterface { mtu: 7150 });
    assert!(took < 500 * MS, "{took}");
}

#[test]
fn a_long_path_that_is_silent_is_settled_within_15_seconds() {
    let (found, took) = Path { interface: 9000, mtu: 1399, round_trip: 300 * MS, loss: 100, ..QUIET }.run();
    assert_eq!((found.passes, &found.outcome), (Some(1399), &MtuOutcome::BlackHole));
    assert!(took < 14_000 * MS, "{took}");
}

#[test]
fn a_path_that_carries_nothing_is_undecided() {
    let (found, _) = Path { mtu: 0, ..QUIET }.run();
    assert_eq!(found.passes, None);
    assert!(matches!(found.outcome, MtuOutcome::Undecided { .. }));
}

#[test]
fn a_search_that_is_cut_short_settles_nothing() {
    let mut prober = MtuProber::new(&Mtu::default(), MtuSearch::new(68, 65_535, &[1500]), MS, 0);
    let ProberAction::Send { seq, .. } = prober.next_action(0) else { panic!() };
    prober.record_answer(seq, MS);
    assert!(matches!(prober.result().outcome, MtuOutcome::Undecided { .. }));
}

#[test]
fn a_message_that_contradicts_itself_is_no_news() {
    let mut prober = MtuProber::new(&Mtu::default(), MtuSearch::new(68, 65_535, &[1500, 1501]), MS, 0);
    let ProberAction::Send { seq, size } = prober.next_action(0) else { panic!() };
    prober.record_packet_too_big(Some(seq), size, HOP);
    prober.record_packet_too_big(Some(77), 0, HOP);
    assert!(prober.result().told.is_empty());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    /// Loss of up to 2 % is not taken for a limit.
    #[test]
    fn loss_is_no_limit(
        seed in any::<u64>(),
        mtu in 68u32..=9000,
        interface in 68u32..=9000,
        tells in prop::option::of(any::<bool>()),
        loss in prop::sample::select(vec![0u64, 50, 100]),
        round_trip in prop::sample::select(vec![MS / 10, 10 * MS, 80 * MS]),
    ) {
        let path = Path { interface, mtu, tells, round_trip, loss, seed };
        let (found, took) = path.run();
        prop_assert_eq!(found.passes, Some(mtu.min(interface)));
        prop_assert_eq!(found.fails, Some(mtu.min(interface) + 1));
        prop_assert!(took < 14_000 * MS, "{}", took);
        let named = match found.outcome {
            MtuOutcome::OwnInterface { mtu } => mtu == interface,
            MtuOutcome::Told { next_hop_mtu, .. } => tells.is_some() && next_hop_mtu == mtu,
            MtuOutcome::BlackHole => tells.is_none() && mtu < interface,
            _ => false,
        };
        prop_assert!(named, "{:?}", found.outcome);
    }
}
