//! The CPU of one end: it is used up, so CPU time added to each byte there slows the transfer; at the other end it
//! does not. A sender is slowed as much as is added (c / (c + a)), already in small doses. A receiver that is slower
//! reads more at a time, which saves a part: its CPU time for all data stays the same, where one with headroom
//! would use more. A receiver that does not copy the data is faster; nothing saves a sender CPU time on every path
//! (sendfile costs more over veth).

use super::{CauseModel, Prediction, Suspicion, goodput, of};
use crate::diagnosis::{EndObservation, Observation};
use goodput_model::diagnosis::{EffectQuantity, InterventionKind, LimitCause};
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
/// With headroom a dose of 0.5 doubles it.
const SAME_CPU_TIME: (f64, f64) = (0.85, 1.15);
/// Of the other end's dose.
const ELSEWHERE: (f64, f64) = (0.85, 1.2);

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
    let slowed = |dose: f64| {
        goodput(InterventionKind::SenderCpu, dose, (dose * TOLERANCE.0, (dose * TOLERANCE.1).min(0.97)))
    };
    let elsewhere = goodput(InterventionKind::ReceiverCpu, DOSES[1], ELSEWHERE);
    DOSES.map(slowed).into_iter().chain([elsewhere]).collect()
}

fn predict_receiver(_: &Observation) -> Vec<Prediction> {
    let added = InterventionKind::ReceiverCpu;
    vec![
        goodput(added, DOSES[2], (0.4, 0.92)),
        of(EffectQuantity::ReceiverCpuTime, added, DOSES[2], SAME_CPU_TIME),
        of(EffectQuantity::ReceiverCpuTime, added, DOSES[1], SAME_CPU_TIME),
        goodput(InterventionKind::ReceiverCopy, 1.0, (1.03, 20.0)),
        goodput(InterventionKind::SenderCpu, DOSES[1], ELSEWHERE),
    ]
}
