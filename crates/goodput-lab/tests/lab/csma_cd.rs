//! Compares the relay's medium with the independent model in `goodput_testkit`, both in virtual time.

use goodput_lab::link_relay::csma::{CsmaMedium, PROPAGATION_DELAY_BITS};
use goodput_model::BitRate;
use goodput_testkit::csma_cd::{EthernetTraffic, SimulationResult, simulate};
use std::collections::VecDeque;

const TEN: BitRate = BitRate(10_000_000);
const BIT_NS: u64 = 100;
/// 20 s of the medium.
const BIT_TIMES: u64 = 200_000_000;

/// Full frames: Ethernet header and 1500 bytes, of which `user_bytes` are user data.
fn tcp(user_bytes: u64, ack_frame: u64) -> EthernetTraffic {
    EthernetTraffic {
        data_frame: 1514,
        user_bytes,
        ack_frame: Some(ack_frame),
        window: 1000,
        // 50 µs: the answer comes after the gap.
        response: 500,
        propagation: PROPAGATION_DELAY_BITS,
    }
}

const STAMPED: (u64, u64) = (1448, 66);
const PLAIN: (u64, u64) = (1460, 54);

fn relayed(traffic: EthernetTraffic, collisions: bool, seed: u64) -> SimulationResult {
    let mut medium: CsmaMedium<()> = CsmaMedium::new(2, TEN, collisions, seed);
    let (mut acks, mut unacknowledged) = (VecDeque::new(), 0);
    let (mut now, end) = (0, BIT_TIMES * BIT_NS);
    let (mut frames, mut arrived) = ([0u64; 2], [0u64; 2]);
    loop {
        // What neither waits nor arrived was given up; data is then retransmitted, and acknowledgements are
        // cumulative.
        let left = |medium: &CsmaMedium<()>, who: usize, frames: &[u64; 2], arrived: &[u64; 2]| {
            arrived[who] - frames[who] - medium.queue_length(who) as u64
        };
        let done = match traffic.ack_frame {
            Some(_) => 2 * (frames[1] + left(&medium, 1, &frames, &arrived)),
            None => frames[0],
        };
        let mut in_flight = arrived[0] - left(&medium, 0, &frames, &arrived) - done;
        while medium.queue_length(0) < 2 && in_flight < traffic.window {
            in_flight += 1;
            arrived[0] += 1;
            medium.enqueue_frame(0, traffic.data_frame as u32, (), now);
        }
        let next = medium.next_event_time().into_iter().chain(acks.front().copied()).min();
        now = next.unwrap_or(end + 1).max(now);
        if now > end {
            break;
        }
        let mut through = Vec::new();
        medium.advance_to(now, |d| through.push((d.from, d.at)));
        for (from, at) in through {
            frames[from] += 1;
            if from == 0 && traffic.ack_frame.is_some() {
                unacknowledged += 1;
                if unacknowledged == 2 {
                    unacknowledged = 0;
                    acks.push_back(at + traffic.response * BIT_NS);
                }
            }
        }
        while acks.front().is_some_and(|at| *at <= now) {
            acks.pop_front();
            arrived[1] += 1;
            medium.enqueue_frame(1, traffic.ack_frame.unwrap_or_default() as u32, (), now);
        }
    }
    let share = (frames[0] * traffic.user_bytes * 8) as f64 / BIT_TIMES as f64;
    let (collisions, given_up) = (medium.medium_access_counters().collisions, medium.excessive_collisions());
    SimulationResult { share, frames, collisions, given_up }
}

fn mean(of: impl Fn(u64) -> SimulationResult) -> (f64, f64) {
    const EVENINGS: u64 = 5;
    let all: Vec<SimulationResult> = (1..=EVENINGS).map(of).collect();
    let n = all.len() as f64;
    let share = all.iter().map(|o| o.share).sum::<f64>() / n;
    (10.0 * share, all.iter().map(|o| o.collisions as f64).sum::<f64>() / n)
}

pub fn bulk_tcp_with_backoff_is_what_the_model_says() {
    for (name, (user, ack)) in [("timestamps", STAMPED), ("none", PLAIN)] {
        for window in [1000, 360, 180, 90, 44, 22, 8] {
            let traffic = EthernetTraffic { window, ..tcp(user, ack) };
            let (relay, collisions) = mean(|seed| relayed(traffic, true, seed));
            let (model, jams) = mean(|seed| simulate(traffic, BIT_TIMES, seed));
            println!("{name}, window {window}: relay {relay:.3} Mbit/s, model {model:.3} Mbit/s");
            assert!((relay / model - 1.0).abs() < 0.02, "{relay} and {model} Mbit/s");
            assert!((collisions / jams - 1.0).abs() < 0.05, "{collisions} and {jams} collisions");
            let ceiling = 10.0 * (2 * user) as f64 / (2.0 * 1538.0 + 84f64.max(ack as f64 + 24.0));
            assert!(relay < ceiling && model < ceiling, "{relay}, {model} and {ceiling}");
        }
    }
}

pub fn one_way_udp_has_the_medium_for_itself() {
    let traffic = EthernetTraffic { ack_frame: None, user_bytes: 1472, ..tcp(1472, 0) };
    for outcome in [relayed(traffic, true, 1), simulate(traffic, BIT_TIMES, 1)] {
        assert!((outcome.share - 1472.0 / 1538.0).abs() < 1e-4, "{outcome:?}");
        assert_eq!((outcome.collisions, outcome.given_up), (0, 0));
    }
}

/// An acknowledgement for every second segment, no collisions.
pub fn taking_turns_is_the_arithmetic() {
    for ((user, ack), arithmetic) in [(STAMPED, "9.15"), (PLAIN, "9.24")] {
        let bits = 8 * (2 * 1538 + (ack + 24).max(84));
        assert_eq!(format!("{:.2}", 10.0 * (16 * user) as f64 / bits as f64), arithmetic);
        // Each of the two turns of a round begins with the last signal's propagation.
        let expected = (16 * user) as f64 / (bits + 2 * PROPAGATION_DELAY_BITS) as f64;
        let share = relayed(tcp(user, ack), false, 1).share;
        assert!((share / expected - 1.0).abs() < 1e-4, "{share} and {expected}");
    }
}
