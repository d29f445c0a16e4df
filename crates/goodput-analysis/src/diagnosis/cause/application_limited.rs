//! The sending application writes too little: its own pacing limits, or the number of its small writes.

use super::{CauseModel, Prediction, Suspicion, goodput, paced_goodput};
use crate::diagnosis::Observation;
use goodput_model::BitRate;
use goodput_model::diagnosis::{InterventionKind, LimitCause};
use goodput_words::message;
use goodput_words::message_argument::{exact_bytes_arg, quantity_arg};

pub(super) const APPLICATION_LIMITED: CauseModel =
    CauseModel { cause: LimitCause::ApplicationLimited, suspect, predict };

/// Larger messages cost little more than their bytes.
const SMALL: u64 = 16 << 10;

/// The sender's own pacing, where it is reached.
fn own_rate(seen: &Observation) -> Option<f64> {
    let BitRate(rate) = seen.settings.socket.pacing?;
    let whole = rate as f64 * f64::from(seen.settings.connections);
    (seen.direction_bps >= whole * 0.9).then_some(whole)
}

fn small_messages(seen: &Observation) -> bool {
    seen.settings.message.0 < SMALL && seen.sender.cpu_load() >= 0.7
}

fn suspect(seen: &Observation) -> Suspicion {
    if let Some(rate) = own_rate(seen) {
        let rate = quantity_arg(rate, "bit/s", goodput_words::number_format::format_rate(rate as u64));
        return Suspicion::new(1.0, message!(cause_application_limited_sign { rate }));
    }
    if small_messages(seen) {
        let size = exact_bytes_arg(seen.settings.message.0);
        return Suspicion::new(0.9, message!(cause_application_limited_sign_2 { size }));
    }
    Suspicion::default()
}

fn predict(seen: &Observation) -> Vec<Prediction> {
    if own_rate(seen).is_some() {
        return vec![paced_goodput(), goodput(InterventionKind::Rate, 2.0, (1.15, 2.1))];
    }
    vec![
        goodput(InterventionKind::MessageSize, 4.0, (1.4, 4.5)),
        goodput(InterventionKind::MessageSize, 0.5, (0.4, 0.85)),
    ]
}
