//! An MTU black hole: full-sized packets vanish on the path without an ICMP message (RFC 2923, section 2.1), so
//! nothing arrives once the first is sent; smaller segments pass.

use super::{CauseModel, Prediction, Suspicion, goodput, is_stalled};
use crate::diagnosis::Observation;
use goodput_model::diagnosis::{InterventionKind, LimitCause};
use goodput_words::message;

pub(super) const MTU_BLACK_HOLE: CauseModel =
    CauseModel { cause: LimitCause::MtuBlackHole, suspect, predict };

fn suspect(seen: &Observation) -> Suspicion {
    // A few segments that fit may pass.
    if is_stalled(seen) {
        Suspicion::new(1.0, message!(cause_mtu_black_hole_sign))
    } else {
        Suspicion::default()
    }
}

fn predict(_: &Observation) -> Vec<Prediction> {
    vec![goodput(InterventionKind::SegmentSize, 0.37, (10.0, 1e9))]
}
