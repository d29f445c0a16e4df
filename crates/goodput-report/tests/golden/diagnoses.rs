//! A diagnosis: the receive window limits, and nothing is known of the receiver's CPU.

use super::{single_trial, stream_100};
use goodput_analysis::diagnosis::{cause_name, intervention_name};
use goodput_model::Message;
use goodput_model::diagnosis::*;
use goodput_model::probe::TransferDirection;
use goodput_model::summary::ResultDocument;
use goodput_words::message;
use goodput_words::message_argument::{fixed_decimals_arg, percent_arg, quantity_arg};
use goodput_words::typed_message::message_without_args;

fn element(kind: PathElementKind, figure: Message, use_percent: Option<f64>) -> PathElement {
    PathElement { kind, figure, use_percent, limits: kind == PathElementKind::ReceiveBuffer }
}

fn effect(intervention: InterventionKind, dose: f64, ratio: f64) -> InterventionEffect {
    InterventionEffect {
        intervention,
        dose,
        quantity: EffectQuantity::Goodput,
        predicted: (ratio - 0.2, ratio + 0.3),
        measured: Some(RatioInterval { ratio, low: ratio - 0.02, high: ratio + 0.02 }),
        agrees: Some(true),
    }
}

fn suspect(cause: LimitCause, state: SuspectState, effects: Vec<InterventionEffect>) -> Suspect {
    Suspect { cause, state, suspicion: 0.9, evidence: Vec::new(), effects }
}

pub fn diagnosis() -> Diagnosis {
    let buffer = |percent: f64| message!(path_figure_buffer { percent: percent_arg(percent) });
    let rate = quantity_arg(350.2e6, "bit/s", "350.2 Mbit/s".into());
    let effects = vec![
        effect(InterventionKind::ReceiveBuffer, 0.5, 0.52),
        effect(InterventionKind::Connections, 2.0, 1.96),
    ];
    let cause = cause_name(LimitCause::ReceiveWindow);
    let proof = vec![message!(diagnosis_effect {
        change: intervention_name(InterventionKind::ReceiveBuffer, 0.5),
        quantity: message!(quantity_goodput),
        ratio: fixed_decimals_arg(0.52, 2, ""),
    })];
    Diagnosis {
        verdict: DiagnosisVerdict::Named,
        causes: vec![LimitCause::ReceiveWindow],
        from: "a".into(),
        to: "b".into(),
        direction: TransferDirection::Send,
        baseline_bps: Some(350_200_000),
        elapsed_s: 42.0,
        trials: 25,
        sentence: message!(diagnosis_named { cause, from: "a", to: "b", rate: rate.clone(), proof }),
        advice: message_without_args("cause-receive-window.try").unwrap_or_default(),
        suspects: vec![
            suspect(LimitCause::ReceiveWindow, SuspectState::Named, effects),
            suspect(LimitCause::Shaper, SuspectState::Excluded, Vec::new()),
        ],
        sham: Some(RatioInterval { ratio: 1.0, low: 0.98, high: 1.02 }),
        path: vec![
            element(
                PathElementKind::SenderCpu,
                message!(path_figure_cpu { percent: percent_arg(12.0) }),
                Some(12.0),
            ),
            element(PathElementKind::SendBuffer, buffer(0.0), Some(0.0)),
            element(PathElementKind::Link, message!(path_figure_rate { rate }), None),
            element(PathElementKind::ReceiveBuffer, buffer(96.0), Some(96.0)),
            element(PathElementKind::ReceiverCpu, message!(path_figure_unknown), None),
        ],
        then: None,
    }
}

/// With eight connections a shaper limits.
fn next_limit() -> NextLimit {
    let effects =
        vec![effect(InterventionKind::Rate, 0.85, 0.85), effect(InterventionKind::Connections, 2.0, 1.0)];
    let diagnosis = Diagnosis {
        causes: vec![LimitCause::Shaper],
        baseline_bps: Some(902_400_000),
        suspects: vec![suspect(LimitCause::Shaper, SuspectState::Named, effects)],
        ..diagnosis()
    };
    NextLimit { relieved_by: InterventionKind::Connections, dose: 8.0, diagnosis }
}

pub fn why() -> ResultDocument {
    let mut summary = stream_100();
    if let Some(found) = summary.result.stream() {
        found.directions[0].intervals.truncate(5);
    }
    let diagnosis = Diagnosis { then: Some(Box::new(next_limit())), ..diagnosis() };
    ResultDocument { diagnosis: Some(diagnosis), ..single_trial(summary) }
}
