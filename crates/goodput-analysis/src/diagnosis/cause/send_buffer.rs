//! The send buffer: unacknowledged data must fit into it, so rate = buffer / round trip. The kernel counts
//! the time that it had to wait for the application because the buffer was full (tcpi_sndbuf_limited).

use super::receive_window::{DOUBLED, HALVED, LARGEST_BUFFER, QUADRUPLED};
use super::{CauseModel, Prediction, Suspicion, goodput};
use crate::diagnosis::Observation;
use goodput_model::diagnosis::{InterventionKind, LimitCause};
use goodput_words::message;
use goodput_words::message_argument::percent_arg;

pub(super) const SEND_BUFFER: CauseModel = CauseModel { cause: LimitCause::SendBuffer, suspect, predict };

/// A packet of up to 64 KiB begins whenever the buffer has any room, so a small buffer is exceeded.
const OVERSHOT: (f64, f64) = (0.12, 0.72);

fn suspect(seen: &Observation) -> Suspicion {
    if seen.send_buffer_share < 0.2 || seen.sender.cpu_load() >= 0.85 {
        return Suspicion::default();
    }
    let percent = percent_arg(seen.send_buffer_share * 100.0);
    Suspicion::new(seen.send_buffer_share.max(0.7), message!(cause_send_buffer_sign { percent }))
}

fn predict(seen: &Observation) -> Vec<Prediction> {
    let mut predictions = vec![
        goodput(InterventionKind::SendBuffer, 0.5, HALVED),
        goodput(InterventionKind::SendBuffer, 0.25, OVERSHOT),
        goodput(InterventionKind::Connections, 2.0, DOUBLED),
    ];
    if seen.settings.socket.send_buffer.is_none() {
        predictions.push(goodput(InterventionKind::SendBufferSetting, LARGEST_BUFFER, QUADRUPLED));
    }
    predictions
}
