//! The medium: the wire gives no more. Limits: `docs/methods/limits.md`.

use super::{CauseModel, Prediction, Suspicion, paced_goodput, second_connection_adds_nothing};
use crate::diagnosis::Observation;
use goodput_model::diagnosis::LimitCause;
use goodput_words::message;
use goodput_words::message_argument::percent_arg;

/// Of the medium's limit; acknowledgements in the other direction and clock tolerance take the rest.
pub(super) const REACHED: f64 = 0.95;

pub(super) const MEDIUM: CauseModel = CauseModel { cause: LimitCause::Medium, suspect, predict };

fn suspect(seen: &Observation) -> Suspicion {
    match seen.limit_share {
        Some(share) if share >= REACHED => {
            Suspicion::new(1.0, message!(cause_medium_sign { percent: percent_arg(share * 100.0) }))
        }
        _ => Suspicion::default(),
    }
}

fn predict(_: &Observation) -> Vec<Prediction> {
    vec![paced_goodput(), second_connection_adds_nothing()]
}
