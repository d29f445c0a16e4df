//! A shaper or a slower link on the path: packets queue in front of it, so the round trip grows with the load,
//! more connections gain nothing, and below its rate the queue vanishes.

use super::{
    CauseModel, ENDED, PACED, Prediction, Suspicion, halved_segments_change_nothing, medium, of,
    paced_goodput, queue, queues_are_on_the_path, second_connection_adds_nothing,
};
use crate::diagnosis::Observation;
use goodput_model::diagnosis::{EffectQuantity, InterventionKind, LimitCause};
use goodput_words::message;
use goodput_words::message_argument::time_arg;

pub(super) const SHAPER: CauseModel = CauseModel { cause: LimitCause::Shaper, suspect, predict };

fn suspect(seen: &Observation) -> Suspicion {
    let queue = queue(seen).filter(|_| !medium::is_reached(seen) && queues_are_on_the_path(seen));
    let Some((mean, min)) = queue else { return Suspicion::default() };
    let (mean, min) = (time_arg(mean * 1e3), time_arg(min * 1e3));
    Suspicion::new(0.6, message!(cause_shaper_sign { mean, min }))
}

fn predict(_: &Observation) -> Vec<Prediction> {
    vec![
        paced_goodput(),
        of(EffectQuantity::QueueingDelay, InterventionKind::Rate, PACED, ENDED),
        second_connection_adds_nothing(),
        halved_segments_change_nothing(),
    ]
}
