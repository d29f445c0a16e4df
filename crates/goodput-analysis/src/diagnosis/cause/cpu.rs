//! The CPU of one end: it is used up, so CPU time added to each byte there slows the transfer as much as it adds
//! (c / (c + a)), already in small doses; at the other end it does not. A receiver that does not copy the data
//! is faster; nothing saves a sender CPU time on every path (sendfile costs more over veth).

use super::{CauseModel, Prediction, Suspicion, goodput};
use crate::diagnosis::{EndObservation, Observation};
use goodput_model::diagnosis::{InterventionKind, LimitCause};
use goodput_words::message;
use goodput_words::message_argument::percent_arg;

pub(super) const SENDER_CPU: CauseModel =
    CauseModel { cause: LimitCause::SenderCpu, suspect: suspect_sender, predict: predict_sender };
pub(super) const RECEIVER_CPU: CauseModel =
    CauseModel { cause: LimitCause::ReceiverCpu, suspect: suspect_receiver, predict: predict_receiver };

/// The rate that the added CPU time leaves. The smallest shows that the end has no headroom.
const DOSES: [f64; 3] = [0.85, 0.7, 0.5];
/// The thread's own time is only part of the cost where interrupts are handled elsewhere.
const TOLERANCE: (f64, f64) = (0.87, 1.17);

fn suspect_sender(seen: &Observation) -> Suspicion {
    suspect(&seen.sender)
}

fn suspect_receiver(seen: &Observation) -> Suspicion {
    suspect(&seen.receiver)
}

fn suspect(end: &EndObservation) -> Suspicion {
    let load = end.cpu_load();
    if load < 0.75 {
        return Suspicion::default();
    }
    let [running, waiting, throttled] =
        [end.running, end.waiting, end.throttled].map(|share| percent_arg(share * 100.0));
    Suspicion::new(load, message!(cause_cpu_sign { host: &end.host, running, waiting, throttled }))
}

fn predict_sender(_: &Observation) -> Vec<Prediction> {
    predict(InterventionKind::SenderCpu, InterventionKind::ReceiverCpu)
}

fn predict_receiver(_: &Observation) -> Vec<Prediction> {
    let relieved = goodput(InterventionKind::ReceiverCopy, 1.0, (1.03, 20.0));
    let slowed = predict(InterventionKind::ReceiverCpu, InterventionKind::SenderCpu);
    slowed.into_iter().chain([relieved]).collect()
}

fn predict(own: InterventionKind, other: InterventionKind) -> Vec<Prediction> {
    let slowed = |dose: f64| goodput(own, dose, (dose * TOLERANCE.0, (dose * TOLERANCE.1).min(0.97)));
    let elsewhere = goodput(other, DOSES[1], (0.85, 1.2));
    DOSES.map(slowed).into_iter().chain([elsewhere]).collect()
}
