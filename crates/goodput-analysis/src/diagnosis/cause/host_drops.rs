//! Packets dropped by a host itself: by the queue of the sending host's own interface, or in the receiving host,
//! by its interface or its backlog. Below the limit they end, and those of the backlog also where it is longer. A
//! longer `txqueuelen` shows nothing: of the kernel's qdiscs only pfifo_fast follows a change of it.

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
/// Of the segments sent again: fewer are not what limits.
const MOST_LOSSES: f64 = 0.5;
/// Bursts overflow a short backlog at rates far below the mean, which the losses make unsteady.
const DEEPLY_PACED: f64 = 0.4;
const DEEPLY_PACED_GOODPUT: (f64, f64) = (0.25, 0.75);
/// Of `netdev_max_backlog`.
const LONGER_BACKLOG: f64 = 10.0;
/// Drops of the backlog also count as the interface's, so all of them are half of the sum.
const MOSTLY_BACKLOG: f64 = 0.4;

fn suspect_sender(seen: &Observation) -> Suspicion {
    if seen.sender_queue_drop_share < LEAST_DROPS {
        return Suspicion::default();
    }
    let percent = fixed_decimals_arg(seen.sender_queue_drop_share * 100.0, 2, "%");
    Suspicion::new(0.9, message!(cause_sender_queue_drops_sign { host: &seen.sender.host, percent }))
}

fn suspect_receiver(seen: &Observation) -> Suspicion {
    if seen.receiver_drop_share < LEAST_DROPS.max(seen.retransmit_share * MOST_LOSSES) {
        return Suspicion::default();
    }
    let percent = fixed_decimals_arg(seen.receiver_drop_share * 100.0, 2, "%");
    Suspicion::new(0.9, message!(cause_receiver_drops_sign { host: &seen.receiver.host, percent }))
}

fn predict_sender(_: &Observation) -> Vec<Prediction> {
    let paced = InterventionKind::Rate;
    vec![of(EffectQuantity::SenderQueueDrops, paced, PACED, ENDED), goodput(paced, PACED, (0.78, 2.0))]
}

fn predict_receiver(seen: &Observation) -> Vec<Prediction> {
    let paced = InterventionKind::Rate;
    let mut predictions = vec![
        of(EffectQuantity::ReceiverDrops, paced, DEEPLY_PACED, ENDED),
        goodput(paced, DEEPLY_PACED, DEEPLY_PACED_GOODPUT),
    ];
    if seen.backlog_drop_share > seen.receiver_drop_share * MOSTLY_BACKLOG {
        let longer = InterventionKind::BacklogSetting;
        predictions.push(of(EffectQuantity::ReceiverDrops, longer, LONGER_BACKLOG, ENDED));
        // What limits raises the rate when it is relieved.
        predictions.push(goodput(longer, LONGER_BACKLOG, (1.05, 20.0)));
    }
    predictions
}
