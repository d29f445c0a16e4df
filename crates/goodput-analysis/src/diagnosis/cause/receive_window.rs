//! The receive window: its setting, or a receiving application that reads slowly. At most one window is in
//! flight, so rate = window / round trip (RFC 7323, section 1.1). The kernel counts the time with a full window
//! (tcpi_rwnd_limited).

use super::{CauseModel, Prediction, Suspicion, goodput};
use crate::diagnosis::Observation;
use goodput_model::diagnosis::{InterventionKind, LimitCause};
use goodput_words::message;
use goodput_words::message_argument::percent_arg;

pub(super) const RECEIVE_WINDOW: CauseModel =
    CauseModel { cause: LimitCause::ReceiveWindow, suspect, predict };

/// Part of a buffer holds the kernel's own data (`tcp_adv_win_scale`), so the rate follows less than in proportion.
pub(super) const HALVED: (f64, f64) = (0.3, 0.85);
pub(super) const QUARTERED: (f64, f64) = (0.12, 0.5);
/// Each connection has a window of its own; something else may limit before twice the rate.
pub(super) const DOUBLED: (f64, f64) = (1.15, 2.4);
/// Of a host's largest buffer, likewise.
pub(super) const LARGEST_BUFFER: f64 = 4.0;
pub(super) const QUADRUPLED: (f64, f64) = (1.15, 4.4);

fn suspect(seen: &Observation) -> Suspicion {
    // The window of a receiver without CPU time is full because nobody reads.
    if seen.receive_window_share < 0.3
        || seen.receiver.cpu_load() >= 0.85
        || seen.window_scaling == Some(false)
    {
        return Suspicion::default();
    }
    let percent = percent_arg(seen.receive_window_share * 100.0);
    Suspicion::new(seen.receive_window_share.max(0.7), message!(cause_receive_window_sign { percent }))
}

fn predict(seen: &Observation) -> Vec<Prediction> {
    let mut predictions = vec![
        goodput(InterventionKind::ReceiveBuffer, 0.5, HALVED),
        goodput(InterventionKind::ReceiveBuffer, 0.25, QUARTERED),
        goodput(InterventionKind::Connections, 2.0, DOUBLED),
    ];
    // The host's largest size does not limit an explicit one.
    if seen.settings.socket.receive_buffer.is_none() {
        predictions.push(goodput(InterventionKind::ReceiveBufferSetting, LARGEST_BUFFER, QUADRUPLED));
    }
    predictions
}
