//! A packet's cost on the path: as many a second of any size, so the rate is proportional to the segment.

use super::{CauseModel, Prediction, Suspicion, goodput, limit_is_elsewhere, second_connection_adds_nothing};
use crate::diagnosis::Observation;
use goodput_model::diagnosis::{InterventionKind, LimitCause};
use goodput_words::message;

pub(super) const PER_PACKET_COST: CauseModel =
    CauseModel { cause: LimitCause::PerPacketCost, suspect, predict };

fn suspect(seen: &Observation) -> Suspicion {
    if !limit_is_elsewhere(seen) {
        return Suspicion::default();
    }
    Suspicion::new(0.4, message!(cause_per_packet_cost_sign))
}

fn predict(_: &Observation) -> Vec<Prediction> {
    vec![
        goodput(InterventionKind::SegmentSize, 0.5, (0.4, 0.68)),
        goodput(InterventionKind::SegmentSize, 0.25, (0.15, 0.42)),
        second_connection_adds_nothing(),
    ]
}
