//! The medium: the wire gives no more. Limits: `docs/methods/limits.md`.

use super::{CauseModel, Prediction, Suspicion, paced_goodput, second_connection_adds_nothing};
use crate::diagnosis::Observation;
use crate::medium_limit::MEDIUM_REACHED_PERCENT;
use goodput_model::diagnosis::LimitCause;
use goodput_words::message;
use goodput_words::message_argument::percent_arg;

/// Acknowledgements in the other direction and clock tolerance take the rest.
pub(super) fn is_reached(seen: &Observation) -> bool {
    seen.limit_share.is_some_and(|share| share >= MEDIUM_REACHED_PERCENT / 100.0)
}

pub(super) const MEDIUM: CauseModel = CauseModel { cause: LimitCause::Medium, suspect, predict };

fn suspect(seen: &Observation) -> Suspicion {
    match seen.limit_share {
        Some(share) if is_reached(seen) => {
            Suspicion::new(1.0, message!(cause_medium_sign { percent: percent_arg(share * 100.0) }))
        }
        _ => Suspicion::default(),
    }
}

fn predict(_: &Observation) -> Vec<Prediction> {
    vec![paced_goodput(), second_connection_adds_nothing()]
}
