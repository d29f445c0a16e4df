//! Reordering: segments overtaken by others are taken for lost (RFC 8985, section 6), sent again without need, and
//! the congestion window shrinks. The receiver reports the duplicates (DSACK, RFC 2883).

use super::{CauseModel, MOSTLY_REORDERED, PACED, Prediction, Suspicion, goodput, needless_share, of};
use crate::diagnosis::Observation;
use goodput_model::diagnosis::{EffectQuantity, InterventionKind, LimitCause};
use goodput_words::message;
use goodput_words::message_argument::{fixed_decimals_arg, percent_arg};

pub(super) const REORDERING: CauseModel = CauseModel { cause: LimitCause::Reordering, suspect, predict };

fn suspect(seen: &Observation) -> Suspicion {
    let out_of_order = seen.out_of_order_share.unwrap_or(0.0);
    let needless = needless_share(seen);
    if out_of_order < 0.002 || needless < MOSTLY_REORDERED {
        return Suspicion::default();
    }
    let share = fixed_decimals_arg(out_of_order * 100.0, 2, "%");
    Suspicion::new(0.9, message!(cause_reordering_sign { share, needless: percent_arg(needless * 100.0) }))
}

fn predict(_: &Observation) -> Vec<Prediction> {
    vec![
        // Each sends less, so fewer of its segments overtake each other: it can be far more than fourfold.
        goodput(InterventionKind::Connections, 4.0, (1.3, 40.0)),
        // Packets are overtaken at any rate.
        of(EffectQuantity::Retransmissions, InterventionKind::Rate, PACED, (0.3, 3.0)),
    ]
}
