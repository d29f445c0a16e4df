//! An independent discrete-event model of half-duplex Ethernet (IEEE 802.3 clause 4: Deference, BackOff,
//! BitTransmitter) to verify the relay. Each station senses the carrier with propagation delays, and detects
//! collisions while sending. Times are in bit times. Traffic is a bulk transfer: one station sends full
//! frames within a window, the other acknowledges every second frame.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

/// Lengths in bytes without preamble and FCS, times in bit times.
#[derive(Debug, Clone, Copy)]
pub struct EthernetTraffic {
    pub data_frame: u64,
    pub user_bytes: u64,
    /// `None` without acknowledgements.
    pub ack_frame: Option<u64>,
    /// Unacknowledged frames allowed.
    pub window: u64,
    /// From a received frame's end to its acknowledgement at the adapter.
    pub response: u64,
    pub propagation: u64,
}

#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct SimulationResult {
    /// Delivered user bits per bit time: goodput is this times the rate.
    pub share: f64,
    pub frames: [u64; 2],
    /// Jams of the first station.
    pub collisions: u64,
    pub given_up: u64,
}

const PREAMBLE: u64 = 64;
const JAM: u64 = 32;
const GAP: u64 = 96;
/// A new carrier restarts a younger gap (interFrameSpacingPart1: two thirds).
const GAP_HEEDS: u64 = 64;
const SLOT: u64 = 512;

/// Knuth's MMIX linear congruential generator.
struct Chance(u64);

impl Chance {
    fn below_power_of_two(&mut self, exponent: u32) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        if exponent == 0 { 0 } else { self.0 >> (64 - exponent) }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    Hears(usize),
    Silence(usize),
    GapOver(usize, u64),
    /// Frame end, unless aborted.
    Sent(usize, u64),
    JamOver(usize),
    BackedOff(usize),
    Received(usize),
    Queued(usize),
}

#[derive(Debug, Default)]
struct Mac {
    queue: VecDeque<u64>,
    attempts: u32,
    carriers: u32,
    sending: Option<u64>,
    jamming: bool,
    backing_off: bool,
    deferring: bool,
    gap_since: Option<u64>,
    gap: u64,
    transmission: u64,
}

struct Cable {
    now: u64,
    order: u64,
    events: BinaryHeap<Reverse<(u64, u64, Event)>>,
    macs: [Mac; 2],
    chance: Chance,
    traffic: EthernetTraffic,
    outcome: SimulationResult,
    in_flight: u64,
    unacknowledged: u64,
}

pub fn simulate(traffic: EthernetTraffic, bit_times: u64, seed: u64) -> SimulationResult {
    let mut cable = Cable {
        now: 0,
        order: 0,
        events: BinaryHeap::new(),
        macs: [Mac::default(), Mac::default()],
        chance: Chance(seed),
        traffic,
        outcome: SimulationResult::default(),
        in_flight: 0,
        unacknowledged: 0,
    };
    cable.feed();
    while let Some(Reverse((at, _, event))) = cable.events.pop() {
        if at > bit_times {
            break;
        }
        cable.now = at;
        cable.happen(event);
    }
    let bits = cable.outcome.frames[0] * traffic.user_bytes * 8;
    cable.outcome.share = bits as f64 / bit_times as f64;
    cable.outcome
}

impl Cable {
    fn after(&mut self, wait: u64, event: Event) {
        self.order += 1;
        self.events.push(Reverse((self.now + wait, self.order, event)));
    }

    /// Keeps two frames at the adapter, within the window.
    fn feed(&mut self) {
        while self.macs[0].queue.len() < 2 && self.in_flight < self.traffic.window {
            self.in_flight += 1;
            self.macs[0].queue.push_back(self.traffic.data_frame);
            self.transmit_if_may(0);
        }
    }

    fn senses(&self, who: usize) -> bool {
        self.macs[who].carriers > 0 || self.macs[who].sending.is_some() || self.macs[who].jamming
    }

    fn carrier_began(&mut self, who: usize) {
        let now = self.now;
        let mac = &mut self.macs[who];
        match mac.gap_since {
            // The last third of the gap ignores the carrier.
            Some(since) if now - since >= GAP_HEEDS => {}
            _ => {
                mac.gap_since = None;
                mac.deferring = true;
            }
        }
    }

    fn carrier_ended(&mut self, who: usize) {
        if self.senses(who) || self.macs[who].gap_since.is_some() {
            return;
        }
        let mac = &mut self.macs[who];
        mac.deferring = true;
        mac.gap += 1;
        mac.gap_since = Some(self.now);
        let gap = mac.gap;
        self.after(GAP, Event::GapOver(who, gap));
    }

    fn transmit_if_may(&mut self, who: usize) {
        let mac = &self.macs[who];
        let busy = mac.sending.is_some() || mac.jamming || mac.backing_off || mac.deferring;
        let Some(length) = mac.queue.front().copied().filter(|_| !busy) else { return };
        let bits = PREAMBLE + 8 * (length + 4).max(64);
        let mac = &mut self.macs[who];
        mac.sending = Some(self.now);
        mac.deferring = true;
        mac.transmission += 1;
        let (transmission, already) = (mac.transmission, mac.carriers > 0);
        self.after(self.traffic.propagation, Event::Hears(1 - who));
        self.after(bits, Event::Sent(who, transmission));
        if already {
            self.jam(who);
        }
    }

    /// Collision: completes the preamble, then jams.
    fn jam(&mut self, who: usize) {
        let Some(began) = self.macs[who].sending.take() else { return };
        self.macs[who].jamming = true;
        self.macs[who].transmission += 1;
        if who == 0 {
            self.outcome.collisions += 1;
        }
        let end = self.now.max(began + PREAMBLE) + JAM;
        self.after(end - self.now, Event::JamOver(who));
    }

    fn happen(&mut self, event: Event) {
        match event {
            Event::Queued(who) => {
                if let Some(length) = self.traffic.ack_frame {
                    self.macs[who].queue.push_back(length);
                }
                self.transmit_if_may(who);
            }
            Event::Hears(who) => {
                let silent_before = !self.senses(who);
                self.macs[who].carriers += 1;
                if self.macs[who].sending.is_some() {
                    self.jam(who);
                } else if silent_before {
                    self.carrier_began(who);
                }
            }
            Event::Silence(who) => {
                self.macs[who].carriers -= 1;
                self.carrier_ended(who);
            }
            Event::GapOver(who, gap) if self.macs[who].gap == gap && self.macs[who].gap_since.is_some() => {
                self.macs[who].gap_since = None;
                self.macs[who].deferring = false;
                self.transmit_if_may(who);
                // Another station has begun.
                if self.macs[who].carriers > 0 {
                    self.macs[who].deferring = true;
                }
            }
            Event::GapOver(..) => {}
            Event::Sent(who, transmission) => {
                if self.macs[who].transmission != transmission || self.macs[who].sending.is_none() {
                    return;
                }
                self.macs[who].sending = None;
                self.macs[who].attempts = 0;
                self.macs[who].queue.pop_front();
                self.after(self.traffic.propagation, Event::Silence(1 - who));
                self.after(self.traffic.propagation, Event::Received(who));
                self.carrier_ended(who);
                self.feed();
            }
            Event::JamOver(who) => {
                self.macs[who].jamming = false;
                self.after(self.traffic.propagation, Event::Silence(1 - who));
                self.back_off(who);
                self.carrier_ended(who);
            }
            Event::BackedOff(who) => {
                self.macs[who].backing_off = false;
                self.transmit_if_may(who);
            }
            Event::Received(who) => self.received(who),
        }
    }

    fn back_off(&mut self, who: usize) {
        self.macs[who].attempts += 1;
        if self.macs[who].attempts == 16 {
            self.outcome.given_up += 1;
            self.macs[who].attempts = 0;
            self.macs[who].queue.pop_front();
            // The transport retransmits; later acknowledgements cover lost ones.
            self.in_flight -= if who == 0 { 1 } else { 2 };
            self.feed();
            return;
        }
        let slots = self.chance.below_power_of_two(self.macs[who].attempts.min(10));
        self.macs[who].backing_off = true;
        self.after(slots * SLOT, Event::BackedOff(who));
    }

    fn received(&mut self, from: usize) {
        self.outcome.frames[from] += 1;
        if from == 1 {
            self.in_flight -= 2;
            self.feed();
        } else if self.traffic.ack_frame.is_none() {
            self.in_flight -= 1;
            self.feed();
        } else {
            self.unacknowledged += 1;
            if self.unacknowledged == 2 {
                self.unacknowledged = 0;
                self.after(self.traffic.response, Event::Queued(1));
            }
        }
    }
}
