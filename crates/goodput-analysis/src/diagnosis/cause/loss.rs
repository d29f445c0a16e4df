//! The congestion window under random loss: rate = MSS / RTT · C / √p for Reno and CUBIC (Mathis et al. 1997,
//! ACM CCR 27:3; RFC 9438, section 5), so it is in proportion to the segment, and connections add up.

use super::{CauseModel, Prediction, Suspicion, goodput, is_stalled, of};
use crate::diagnosis::Observation;
use goodput_model::diagnosis::{EffectQuantity, InterventionKind, LimitCause};
use goodput_words::message;
use goodput_words::message_argument::fixed_decimals_arg;

pub(super) const LOSS: CauseModel = CauseModel { cause: LimitCause::Loss, suspect, predict };

/// Of the segments.
pub(super) const LEAST_LOSS: f64 = 2e-4;

fn suspect(seen: &Observation) -> Suspicion {
    let dropped_by_hosts = seen.sender_queue_drop_share + seen.receiver_drop_share;
    let needless = seen.needless_retransmit_share.unwrap_or(0.0);
    if is_stalled(seen)
        || seen.retransmit_share < LEAST_LOSS
        || dropped_by_hosts > seen.retransmit_share / 2.0
        || needless > 0.3
    {
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
