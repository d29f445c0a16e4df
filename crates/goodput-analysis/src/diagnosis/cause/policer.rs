//! A policer drops what is above its rate and delays nothing (RFC 2475, section 2.3.3.4): loss without growth
//! of the round trip, which ends below its rate.

use super::{
    CauseModel, ENDED, PACED, Prediction, Suspicion, goodput, loses_on_the_path, of, queueing_share,
};
use crate::diagnosis::Observation;
use goodput_model::diagnosis::{EffectQuantity, InterventionKind, LimitCause};
use goodput_words::message;
use goodput_words::message_argument::{fixed_decimals_arg, percent_arg};

pub(super) const POLICER: CauseModel = CauseModel { cause: LimitCause::Policer, suspect, predict };

fn suspect(seen: &Observation) -> Suspicion {
    let delay = queueing_share(seen);
    if !loses_on_the_path(seen) || delay > 1.0 {
        return Suspicion::default();
    }
    let percent = fixed_decimals_arg(seen.retransmit_share * 100.0, 2, "%");
    Suspicion::new(0.8, message!(cause_policer_sign { percent, delay: percent_arg(delay * 100.0) }))
}

fn predict(_: &Observation) -> Vec<Prediction> {
    vec![
        of(EffectQuantity::Retransmissions, InterventionKind::Rate, PACED, ENDED),
        goodput(InterventionKind::Rate, PACED, (0.78, 1.6)),
        goodput(InterventionKind::Connections, 2.0, (0.6, 1.4)),
    ]
}
