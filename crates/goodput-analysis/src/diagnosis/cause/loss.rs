//! The congestion window under random loss: rate = MSS / RTT · C / √p for Reno and CUBIC (Mathis et al. 1997,
//! ACM CCR 27:3; RFC 9438, section 5), so it is in proportion to the segment, and connections add up.

use super::{CauseModel, Prediction, Suspicion, goodput, loses_on_the_path, of};
use crate::diagnosis::Observation;
use goodput_model::diagnosis::{EffectQuantity, InterventionKind, LimitCause};
use goodput_words::message;
use goodput_words::message_argument::fixed_decimals_arg;

pub(super) const LOSS: CauseModel = CauseModel { cause: LimitCause::Loss, suspect, predict };

fn suspect(seen: &Observation) -> Suspicion {
    if !loses_on_the_path(seen) {
        return Suspicion::default();
    }
    let percent = fixed_decimals_arg(seen.retransmit_share * 100.0, 2, "%");
    Suspicion::new(0.7, message!(cause_loss_sign { percent }))
}

fn predict(_: &Observation) -> Vec<Prediction> {
    vec![
        goodput(InterventionKind::Connections, 4.0, (1.7, 6.0)),
        goodput(InterventionKind::SegmentSize, 0.5, (0.3, 0.8)),
        // Losses at random continue at any rate.
        of(EffectQuantity::Retransmissions, InterventionKind::Rate, super::PACED, (0.5, 2.0)),
    ]
}
