//! The sentence of a diagnosis and its advice.

use super::Observation;
use goodput_model::diagnosis::{
    Diagnosis, DiagnosisVerdict, Intervention, InterventionEffect, InterventionKind, LimitCause,
    RatioInterval, Suspect, SuspectState,
};
use goodput_model::{Message, MessageArg};
use goodput_words::message;
use goodput_words::message_argument::{fixed_decimals_arg, percent_arg, quantity_arg};
use goodput_words::number_format::format_rate;
use goodput_words::typed_message::message_without_args;

/// Effects that a sentence has at most.
const EFFECTS: usize = 3;

pub fn cause_name(cause: LimitCause) -> Message {
    message_without_args(&format!("cause-{}", cause.id())).unwrap_or_default()
}

fn advice(cause: LimitCause) -> Message {
    message_without_args(&format!("cause-{}.try", cause.id())).unwrap_or_default()
}

pub(super) fn conclude(
    verdict: DiagnosisVerdict,
    suspects: &[Suspect],
    seen: &Observation,
    baseline_bps: Option<f64>,
    sham: Option<&RatioInterval>,
    steady: bool,
) -> (Message, Message) {
    let bps = baseline_bps.unwrap_or(seen.goodput_bps);
    let rate = quantity_arg(bps, "bit/s", format_rate(bps as u64));
    let (from, to) = (&seen.sender.host, &seen.receiver.host);
    let named: Vec<&Suspect> = suspects.iter().filter(|s| s.state == SuspectState::Named).collect();
    let list = |state: SuspectState| {
        let names = suspects.iter().filter(|s| s.state == state);
        let names: Vec<MessageArg> = names.map(|s| cause_name(s.cause).into()).collect();
        if names.is_empty() { message!(clause_no_cause).into() } else { MessageArg::List(names) }
    };
    match (verdict, named.first()) {
        (DiagnosisVerdict::Named, Some(one)) => {
            let effects: Vec<MessageArg> = one.effects.iter().filter_map(effect).take(EFFECTS).collect();
            let (cause, proof) = (cause_name(one.cause), MessageArg::List(effects));
            (message!(diagnosis_named { cause, from, to, rate, proof }), advice(one.cause))
        }
        (DiagnosisVerdict::Tie, _) => {
            let causes = list(SuspectState::Named);
            (message!(diagnosis_tie { from, to, rate, causes }), message!(diagnosis_tie_try))
        }
        _ => {
            if steady && suspects.iter().any(is_as_slow_in_memory) {
                return (
                    message!(diagnosis_not_storage { from, to, rate }),
                    message!(diagnosis_not_storage_try),
                );
            }
            let sentence = message!(diagnosis_not_proven {
                from,
                to,
                rate,
                possible: list(SuspectState::Possible),
                excluded: list(SuspectState::Excluded),
            });
            let next = match sham {
                None => message!(diagnosis_not_proven_try_longer),
                Some(sham) if !steady => {
                    let percent = percent_arg((sham.ratio - 1.0).abs() * 100.0);
                    message!(diagnosis_not_proven_try_idle { percent })
                }
                Some(_) if suspects.iter().any(|s| s.state == SuspectState::Possible) => {
                    message!(diagnosis_not_proven_try_longer)
                }
                Some(_) => message!(diagnosis_not_proven_try_elsewhere),
            };
            (sentence, next)
        }
    }
}

/// A copy to memory is not faster than one to storage.
fn is_as_slow_in_memory(suspect: &Suspect) -> bool {
    suspect.effects.iter().any(|effect| {
        effect.intervention == InterventionKind::MemoryTarget
            && effect.measured.is_some_and(|measured| measured.high < effect.predicted.0)
    })
}

/// The sentence of the first limit, with the next one if that is another and proven.
pub(super) fn with_next_limit(
    first: Message,
    relief: Intervention,
    causes: &[LimitCause],
    next: &Diagnosis,
) -> Message {
    let (DiagnosisVerdict::Named, [cause]) = (next.verdict, &next.causes[..]) else { return first };
    if causes.contains(cause) {
        return first;
    }
    let bps = next.baseline_bps.unwrap_or(0);
    let rate = quantity_arg(bps as f64, "bit/s", format_rate(bps));
    let change = intervention_name(relief.kind, relief.dose);
    message!(diagnosis_then { first, change, rate, cause: cause_name(*cause) })
}

/// Of goodput, the effects that differ from none first shown.
fn effect(effect: &InterventionEffect) -> Option<MessageArg> {
    let measured = effect.measured.as_ref()?;
    let ratio = fixed_decimals_arg(measured.ratio, 2, "");
    let change = intervention_name(effect.intervention, effect.dose);
    let quantity = message_without_args(&format!("quantity-{}", effect.quantity.id()))?;
    Some(message!(diagnosis_effect { change, quantity, ratio }).into())
}

pub fn intervention_name(kind: InterventionKind, dose: f64) -> Message {
    let times = fixed_decimals_arg(dose, if dose.fract() == 0.0 { 0 } else { 2 }, "");
    let percent = fixed_decimals_arg(dose * 100.0, 0, "%");
    match kind {
        InterventionKind::Scout => message!(intervention_scout),
        InterventionKind::Baseline => message!(intervention_baseline),
        InterventionKind::Sham => message!(intervention_sham),
        InterventionKind::ReceiveBuffer => message!(intervention_receive_buffer { times }),
        InterventionKind::SendBuffer => message!(intervention_send_buffer { times }),
        InterventionKind::Rate if dose == 0.0 => message!(intervention_unpaced),
        InterventionKind::Rate => message!(intervention_rate { percent }),
        InterventionKind::Connections => message!(intervention_connections { times }),
        InterventionKind::MessageSize => message!(intervention_message_size { times }),
        InterventionKind::SegmentSize => message!(intervention_segment_size { times }),
        InterventionKind::SenderCpu => message!(intervention_sender_cpu { percent }),
        InterventionKind::ReceiverCpu => message!(intervention_receiver_cpu { percent }),
        InterventionKind::ReceiverCopy => message!(intervention_receiver_copy),
        InterventionKind::ReceiverAway => message!(intervention_receiver_away),
        InterventionKind::ReceiverBeside => message!(intervention_receiver_beside),
        InterventionKind::OneDirection => message!(intervention_one_direction),
        InterventionKind::Amount => message!(intervention_amount { times }),
        InterventionKind::MemoryTarget => message!(intervention_memory_target),
        InterventionKind::Storage => {
            message!(intervention_storage { times: fixed_decimals_arg(1.0 / dose, 0, "") })
        }
        InterventionKind::ReceiveBufferSetting => message!(intervention_receive_buffer_setting { times }),
        InterventionKind::SendBufferSetting => message!(intervention_send_buffer_setting { times }),
        InterventionKind::BacklogSetting => message!(intervention_backlog_setting { times }),
    }
}
