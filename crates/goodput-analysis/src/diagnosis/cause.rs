//! The causes: one file each, with its sign in an observation, its predicted effects and their source.

mod application_limited;
mod cpu;
mod host_drops;
mod loss;
mod medium;
mod mtu_black_hole;
mod options_stripped;
mod per_flow_cap;
mod per_packet_cost;
mod policer;
mod receive_window;
mod reordering;
mod send_buffer;
mod shaper;
mod shared_capacity;
mod softirq;
mod start_up;
mod storage;

use super::Observation;
use goodput_model::Message;
use goodput_model::diagnosis::{EffectQuantity, Intervention, InterventionKind, LimitCause};

pub(super) struct CauseModel {
    pub cause: LimitCause,
    pub suspect: fn(&Observation) -> Suspicion,
    /// Every one must be confirmed before the cause is named.
    pub predict: fn(&Observation) -> Vec<Prediction>,
}

/// How well an observation fits a cause, and what in it says so.
#[derive(Debug, Default)]
pub(super) struct Suspicion {
    /// 0 (no sign) to 1.
    pub level: f64,
    pub evidence: Vec<Message>,
}

impl Suspicion {
    fn new(level: f64, evidence: Message) -> Suspicion {
        Suspicion { level: level.clamp(0.0, 1.0), evidence: vec![evidence] }
    }
}

/// The ratio to the baseline lies between the two.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Prediction {
    pub intervention: Intervention,
    pub quantity: EffectQuantity,
    pub low: f64,
    pub high: f64,
}

fn goodput(kind: InterventionKind, dose: f64, range: (f64, f64)) -> Prediction {
    of(EffectQuantity::Goodput, kind, dose, range)
}

fn of(quantity: EffectQuantity, kind: InterventionKind, dose: f64, (low, high): (f64, f64)) -> Prediction {
    Prediction { intervention: Intervention::new(kind, dose), quantity, low, high }
}

/// A rate this far below the baseline ends queues and drops, and is still measured precisely.
const PACED: f64 = 0.85;
/// What pacing at [`PACED`] leaves where the path carries it.
const PACED_GOODPUT: (f64, f64) = (0.78, 0.91);
/// Pacing below a limit ends its signs at least this far.
const ENDED: (f64, f64) = (0.0, 0.5);
/// No effect on goodput.
const UNCHANGED: (f64, f64) = (0.88, 1.13);

fn paced_goodput() -> Prediction {
    goodput(InterventionKind::Rate, PACED, PACED_GOODPUT)
}

/// Smaller segments cost only their headers: 1448 of 1538 B on the wire become 724 of 814 B.
fn halved_segments_change_nothing() -> Prediction {
    goodput(InterventionKind::SegmentSize, 0.5, (0.86, 1.06))
}

fn second_connection_adds_nothing() -> Prediction {
    goodput(InterventionKind::Connections, 2.0, UNCHANGED)
}

pub(super) static CAUSES: &[CauseModel] = &[
    medium::MEDIUM,
    mtu_black_hole::MTU_BLACK_HOLE,
    options_stripped::OPTIONS_STRIPPED,
    start_up::START_UP,
    application_limited::APPLICATION_LIMITED,
    receive_window::RECEIVE_WINDOW,
    send_buffer::SEND_BUFFER,
    softirq::SOFTIRQ,
    cpu::SENDER_CPU,
    cpu::RECEIVER_CPU,
    host_drops::SENDER_QUEUE_DROPS,
    host_drops::RECEIVER_DROPS,
    shared_capacity::HALF_DUPLEX,
    shared_capacity::SHARED_BUS,
    reordering::REORDERING,
    loss::LOSS,
    policer::POLICER,
    per_flow_cap::PER_FLOW_CAP,
    per_packet_cost::PER_PACKET_COST,
    shaper::SHAPER,
    storage::STORAGE,
];

/// Of the segments; fewer are those of other traffic.
const LEAST_LOSS: f64 = 2e-4;
/// A queue in front of a limit, not just varying delays.
const LEAST_DELAY_US: f64 = 500.0;
const LEAST_DELAY_SHARE: f64 = 0.1;
/// Of the segments sent again: the receiver had them.
const MOSTLY_REORDERED: f64 = 0.3;

/// Segments are lost on the path, not in the hosts, and not merely overtaken.
fn loses_on_the_path(seen: &Observation) -> bool {
    let dropped_by_hosts = seen.sender_queue_drop_share + seen.receiver_drop_share;
    !is_stalled(seen)
        && seen.retransmit_share >= LEAST_LOSS
        && dropped_by_hosts <= seen.retransmit_share / 2.0
        && needless_share(seen) <= MOSTLY_REORDERED
}

fn needless_share(seen: &Observation) -> f64 {
    seen.needless_retransmit_share.unwrap_or(0.0)
}

/// Mean and least round trip, where a queue makes the difference.
fn queue(seen: &Observation) -> Option<(f64, f64)> {
    let (mean, min) = seen.round_trip_us.zip(seen.min_round_trip_us)?;
    (mean - min >= LEAST_DELAY_US && queueing_share(seen) >= LEAST_DELAY_SHARE).then_some((mean, min))
}

/// The mean round trip is above its minimum by this share of it.
fn queueing_share(seen: &Observation) -> f64 {
    match (seen.round_trip_us, seen.min_round_trip_us) {
        (Some(mean), Some(min)) if min > 0.0 => (mean - min) / min,
        _ => 0.0,
    }
}

/// Of one CPU: where both hosts and the path share a kernel, it is the limit, not a link.
const BUSY_WITH_PACKETS: f64 = 0.6;

/// What queues are for a CPU that handles packets is not a shaper's.
fn queues_are_on_the_path(seen: &Observation) -> bool {
    limit_is_elsewhere(seen)
        && seen.sender.busiest_softirq < BUSY_WITH_PACKETS
        && seen.receiver.busiest_softirq < BUSY_WITH_PACKETS
}

/// Nearly nothing arrives: no rate to explain.
fn is_stalled(seen: &Observation) -> bool {
    seen.goodput_bps < 1e5 && seen.min_round_trip_us.is_none_or(|us| us < 1e5)
}

/// Neither end's buffers nor CPUs explain the rate.
fn limit_is_elsewhere(seen: &Observation) -> bool {
    !is_stalled(seen)
        && seen.receive_window_share < 0.3
        && seen.send_buffer_share < 0.3
        && seen.sender.cpu_load() < 0.85
        && seen.receiver.cpu_load() < 0.85
}
