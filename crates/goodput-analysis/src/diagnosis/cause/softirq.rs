//! Interrupts on the CPU of the receiving application: packets are handled there at a higher priority (Linux
//! `Documentation/networking/scaling.rst`), so the application gets the rest, while other CPUs are free.

use super::{CauseModel, Prediction, Suspicion, goodput};
use crate::diagnosis::Observation;
use goodput_model::diagnosis::{InterventionKind, LimitCause};
use goodput_words::message;
use goodput_words::message_argument::percent_arg;

pub(super) const SOFTIRQ: CauseModel = CauseModel { cause: LimitCause::Softirq, suspect, predict };

fn suspect(seen: &Observation) -> Suspicion {
    let receiver = &seen.receiver;
    // The two share one CPU, which is full. Kernels without CONFIG_IRQ_TIME_ACCOUNTING charge interrupts to
    // the thread that they interrupt.
    let shared = receiver.busiest_softirq >= 0.3 && receiver.running + receiver.waiting >= 0.75;
    if !shared || receiver.throttled > 0.1 || receiver.other_cpu.is_none() {
        return Suspicion::default();
    }
    let busy = receiver.running + receiver.waiting;
    let [softirq, busy] = [receiver.busiest_softirq, busy].map(|share| percent_arg(share * 100.0));
    Suspicion::new(0.9, message!(cause_softirq_sign { host: &receiver.host, softirq, busy }))
}

fn predict(_: &Observation) -> Vec<Prediction> {
    vec![
        goodput(InterventionKind::ReceiverAway, 1.0, (1.08, 4.0)),
        goodput(InterventionKind::ReceiverBeside, 1.0, (0.5, 1.12)),
    ]
}
