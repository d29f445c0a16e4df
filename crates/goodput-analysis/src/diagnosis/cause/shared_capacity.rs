//! A capacity that both directions share: one direction alone gets what both had together. On a half-duplex
//! medium it is the medium; on a bus, the host's own. Only what is known of medium and bus tells which.

use super::{CauseModel, Prediction, Suspicion, goodput};
use crate::diagnosis::Observation;
use goodput_model::diagnosis::{InterventionKind, LimitCause};
use goodput_model::probe::TransferDirection;
use goodput_words::message;

pub(super) const HALF_DUPLEX: CauseModel =
    CauseModel { cause: LimitCause::HalfDuplex, suspect: suspect_half_duplex, predict };
pub(super) const SHARED_BUS: CauseModel =
    CauseModel { cause: LimitCause::SharedBus, suspect: suspect_bus, predict };

fn suspect_half_duplex(seen: &Observation) -> Suspicion {
    suspect(seen, seen.half_duplex, seen.shared_bus)
}

fn suspect_bus(seen: &Observation) -> Suspicion {
    suspect(seen, seen.shared_bus, seen.half_duplex)
}

fn suspect(seen: &Observation, known: bool, other_known: bool) -> Suspicion {
    if seen.settings.direction != TransferDirection::Both || other_known && !known {
        return Suspicion::default();
    }
    let level = if known { 1.0 } else { 0.6 };
    Suspicion::new(level, message!(cause_shared_capacity_sign))
}

fn predict(_: &Observation) -> Vec<Prediction> {
    vec![
        goodput(InterventionKind::OneDirection, 1.0, (0.85, 1.2)),
        goodput(InterventionKind::Connections, 2.0, (0.85, 1.2)),
    ]
}
