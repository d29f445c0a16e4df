//! A shaper or a slower link on the path: packets queue in front of it, so the round trip grows with the load,
//! more connections gain nothing, and below its rate the queue vanishes.

use super::{
    CauseModel, ENDED, PACED, Prediction, Suspicion, halved_segments_change_nothing, medium, of,
    paced_goodput, queueing_share, queues_are_on_the_path, second_connection_adds_nothing,
};
use crate::diagnosis::Observation;
use goodput_model::diagnosis::{EffectQuantity, InterventionKind, LimitCause};
use goodput_words::message;
use goodput_words::message_argument::time_arg;

pub(super) const SHAPER: CauseModel = CauseModel { cause: LimitCause::Shaper, suspect, predict };

/// A queue in front of a limit, not just varying delays.
pub(super) const LEAST_DELAY_US: f64 = 500.0;

fn suspect(seen: &Observation) -> Suspicion {
    let (Some(mean), Some(min)) = (seen.round_trip_us, seen.min_round_trip_us) else {
        return Suspicion::default();
    };
    let reached = seen.limit_share.is_some_and(|share| share >= medium::REACHED);
    if mean - min < LEAST_DELAY_US || queueing_share(seen) < 0.1 || reached || !queues_are_on_the_path(seen) {
        return Suspicion::default();
    }
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
