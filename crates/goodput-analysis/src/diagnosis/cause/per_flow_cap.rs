//! A cap for each flow, as clouds have: it looks like a shaper or a policer to one connection, and a second
//! connection (5-tuple) has its own.

use super::{
    CauseModel, LEAST_LOSS, Prediction, Suspicion, goodput, halved_segments_change_nothing, paced_goodput,
    queue, queues_are_on_the_path,
};
use crate::diagnosis::Observation;
use goodput_model::diagnosis::{InterventionKind, LimitCause};
use goodput_words::message;

pub(super) const PER_FLOW_CAP: CauseModel = CauseModel { cause: LimitCause::PerFlowCap, suspect, predict };

fn suspect(seen: &Observation) -> Suspicion {
    let limited = queue(seen).is_some() || seen.retransmit_share >= LEAST_LOSS;
    if !limited || !queues_are_on_the_path(seen) {
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
