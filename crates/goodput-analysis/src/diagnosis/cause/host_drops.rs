//! Packets dropped by a host itself: by the queue of the sending host's own interface, or in the receiving host,
//! by its interface or its backlog. Below the limit they end.

use super::{CauseModel, ENDED, PACED, Prediction, Suspicion, goodput, of};
use crate::diagnosis::Observation;
use goodput_model::diagnosis::{EffectQuantity, InterventionKind, LimitCause};
use goodput_words::message;
use goodput_words::message_argument::fixed_decimals_arg;

pub(super) const SENDER_QUEUE_DROPS: CauseModel =
    CauseModel { cause: LimitCause::SenderQueueDrops, suspect: suspect_sender, predict: predict_sender };
pub(super) const RECEIVER_DROPS: CauseModel =
    CauseModel { cause: LimitCause::ReceiverDrops, suspect: suspect_receiver, predict: predict_receiver };

/// Fewer are those of other traffic.
const LEAST_DROPS: f64 = 1e-4;

fn suspect_sender(seen: &Observation) -> Suspicion {
    if seen.sender_queue_drop_share < LEAST_DROPS {
        return Suspicion::default();
    }
    let percent = fixed_decimals_arg(seen.sender_queue_drop_share * 100.0, 2, "%");
    Suspicion::new(0.9, message!(cause_sender_queue_drops_sign { host: &seen.sender.host, percent }))
}

fn suspect_receiver(seen: &Observation) -> Suspicion {
    if seen.receiver_drop_share < LEAST_DROPS {
        return Suspicion::default();
    }
    let percent = fixed_decimals_arg(seen.receiver_drop_share * 100.0, 2, "%");
    Suspicion::new(0.9, message!(cause_receiver_drops_sign { host: &seen.receiver.host, percent }))
}

fn predict_sender(_: &Observation) -> Vec<Prediction> {
    predict(EffectQuantity::SenderQueueDrops)
}

fn predict_receiver(_: &Observation) -> Vec<Prediction> {
    predict(EffectQuantity::ReceiverDrops)
}

fn predict(drops: EffectQuantity) -> Vec<Prediction> {
    vec![of(drops, InterventionKind::Rate, PACED, ENDED), goodput(InterventionKind::Rate, PACED, (0.78, 2.0))]
}
