//! A cap for each flow, as clouds have: it looks like a shaper or a policer to one connection, and a second
//! connection (5-tuple) has its own.

use super::{
    CauseModel, Prediction, Suspicion, goodput, halved_segments_change_nothing, loss, paced_goodput,
    queueing_share, queues_are_on_the_path, shaper,
};
use crate::diagnosis::Observation;
use goodput_model::diagnosis::{InterventionKind, LimitCause};
use goodput_words::message;

pub(super) const PER_FLOW_CAP: CauseModel = CauseModel { cause: LimitCause::PerFlowCap, suspect, predict };

fn suspect(seen: &Observation) -> Suspicion {
    let delay = seen.round_trip_us.zip(seen.min_round_trip_us).map_or(0.0, |(mean, min)| mean - min);
    let queued = delay >= shaper::LEAST_DELAY_US && queueing_share(seen) >= 0.1;
    if !queues_are_on_the_path(seen) || !queued && seen.retransmit_share < loss::LEAST_LOSS {
        return Suspicion::default();
    }
    Suspicion::new(0.5, message!(cause_per_flow_cap_sign))
}

fn predict(_: &Observation) -> Vec<Prediction> {
    vec![
        goodput(InterventionKind::Connections, 2.0, (1.5, 2.5)),
        paced_goodput(),
        halved_segments_change_nothing(),
    ]
}
