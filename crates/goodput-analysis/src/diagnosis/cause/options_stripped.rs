//! TCP options removed on the path: without window scaling no window is above 65,535 B (RFC 7323, section 2).

use super::receive_window::HALVED;
use super::{CauseModel, Prediction, Suspicion, goodput};
use crate::diagnosis::Observation;
use goodput_model::diagnosis::{InterventionKind, LimitCause};
use goodput_words::message;

pub(super) const OPTIONS_STRIPPED: CauseModel =
    CauseModel { cause: LimitCause::OptionsStripped, suspect, predict };

fn suspect(seen: &Observation) -> Suspicion {
    match seen.window_scaling {
        Some(false) => {
            Suspicion::new(seen.receive_window_share.max(0.5), message!(cause_options_stripped_sign))
        }
        _ => Suspicion::default(),
    }
}

fn predict(_: &Observation) -> Vec<Prediction> {
    vec![
        goodput(InterventionKind::ReceiveBuffer, 0.5, HALVED),
        goodput(InterventionKind::Connections, 2.0, (1.5, 2.4)),
    ]
}
