//! The verdict: a cause is named only if every effect that it predicts was measured, and a sham had none.

use super::cause::{CAUSES, CauseModel, Suspicion};
use super::effect::Effects;
use super::{
    DiagnosisTrial, MAX_CONNECTIONS, Observation, apply_intervention, intervention_of, observe, path, text,
};
use crate::descriptive_statistics::median;
use goodput_model::Trial;
use goodput_model::diagnosis::{
    Diagnosis, DiagnosisVerdict, Intervention, InterventionEffect, InterventionKind, LimitCause, NextLimit,
    RatioInterval, Suspect, SuspectState,
};
use goodput_model::probe::Stream;
use goodput_model::summary::TrialSummary;

/// A sham that seems to have a larger effect shows that the path changes by itself.
const MAX_SHAM_EFFECT: f64 = 0.25;

/// The first explains why the second limits.
const EXPLANATIONS: [(LimitCause, LimitCause); 3] = [
    (LimitCause::Softirq, LimitCause::ReceiverCpu),
    (LimitCause::HalfDuplex, LimitCause::Shaper),
    (LimitCause::SharedBus, LimitCause::Shaper),
];

/// `None` for a run that is no diagnosis. Each trial has its summary at the same place.
pub(crate) fn diagnose_trials(trials: &[&Trial], summaries: &[TrialSummary]) -> Option<Diagnosis> {
    let mut observed = Vec::new();
    let (mut first_ns, mut last_ns) = (u64::MAX, 0);
    for (trial, summary) in trials.iter().zip(summaries) {
        let (Some(intervention), Some(observation)) =
            (intervention_of(&trial.probe), observe(trial, summary))
        else {
            continue;
        };
        if let Some(end) = trial.ends.first() {
            first_ns = first_ns.min(end.window.t0_ns);
            last_ns = last_ns.max(end.window.t1_ns);
        }
        observed.push(DiagnosisTrial { intervention, observation });
    }
    let diagnosis = diagnose(&observed)?;
    Some(Diagnosis { elapsed_s: last_ns.saturating_sub(first_ns) as f64 / 1e9, ..diagnosis })
}

/// `None` without any trial.
pub fn diagnose(trials: &[DiagnosisTrial]) -> Option<Diagnosis> {
    let diagnosis = diagnose_step(of_step(trials, 0))?;
    let next = diagnose_step(of_step(trials, 1)).zip(relief(&diagnosis, of_step(trials, 0)));
    let Some((next, relief)) = next else { return Some(diagnosis) };
    Some(Diagnosis {
        sentence: text::with_next_limit(diagnosis.sentence, relief, &diagnosis.causes, &next),
        trials: diagnosis.trials + next.trials,
        then: Some(Box::new(NextLimit { relieved_by: relief.kind, dose: relief.dose, diagnosis: next })),
        ..diagnosis
    })
}

/// Those of the first step come first.
pub(super) fn of_step(trials: &[DiagnosisTrial], step: u32) -> &[DiagnosisTrial] {
    let (first, next) = trials.split_at(trials.partition_point(|t| t.intervention.step == 0));
    if step == 0 { first } else { next }
}

/// The settings with the first limit relieved, if it is known and can be.
pub(super) fn relieved_settings(settings: &Stream, trials: &[DiagnosisTrial]) -> Option<Stream> {
    let first = of_step(trials, 0);
    let relief = relief(&diagnose_step(first)?, first)?;
    let relieved = apply_intervention(settings, relief, reference(first)?);
    Some(Stream { intervention: None, ..relieved })
}

/// What relieves a cause for one connection's own means, far enough to show the next limit.
fn relief(diagnosis: &Diagnosis, trials: &[DiagnosisTrial]) -> Option<Intervention> {
    let ([cause], DiagnosisVerdict::Named) = (&diagnosis.causes[..], diagnosis.verdict) else { return None };
    let settings = &reference(trials)?.settings;
    let (kind, dose) = match cause {
        LimitCause::ReceiveWindow
        | LimitCause::SendBuffer
        | LimitCause::OptionsStripped
        | LimitCause::PerFlowCap
        | LimitCause::Loss => (InterventionKind::Connections, more_connections(settings)?),
        LimitCause::ApplicationLimited if settings.socket.pacing.is_some() => (InterventionKind::Rate, 0.0),
        LimitCause::ApplicationLimited => (InterventionKind::MessageSize, 16.0),
        LimitCause::StartUp => (InterventionKind::Amount, 8.0),
        LimitCause::HalfDuplex | LimitCause::SharedBus => (InterventionKind::OneDirection, 1.0),
        LimitCause::Softirq => (InterventionKind::ReceiverAway, 1.0),
        _ => return None,
    };
    Some(Intervention::new(kind, dose))
}

/// As a factor that leaves their number allowed; `None` where they are so many already.
fn more_connections(settings: &Stream) -> Option<f64> {
    let factor = (MAX_CONNECTIONS / f64::from(settings.connections.max(1))).floor().min(8.0);
    (factor >= 2.0).then_some(factor)
}

fn diagnose_step(trials: &[DiagnosisTrial]) -> Option<Diagnosis> {
    let seen = reference(trials)?;
    let effects = Effects::new(trials);
    let mut suspects: Vec<Suspect> =
        CAUSES.iter().filter_map(|model| suspect(&effects, model, trials, seen)).collect();
    suspects.sort_by(|a, b| b.suspicion.total_cmp(&a.suspicion));
    let sham = effects.goodput(&Intervention::new(InterventionKind::Sham, 1.0));
    let steady = sham.as_ref().is_some_and(is_steady);
    if !steady {
        for suspect in &mut suspects {
            if suspect.state == SuspectState::Named {
                suspect.state = SuspectState::Possible;
            }
        }
    }
    let is_named = |cause: LimitCause, suspects: &[Suspect]| {
        suspects.iter().any(|s| s.cause == cause && s.state == SuspectState::Named)
    };
    for (specific, general) in EXPLANATIONS {
        if is_named(specific, &suspects) {
            suspects.iter_mut().filter(|s| s.cause == general).for_each(|s| s.state = SuspectState::Excluded);
        }
    }
    let causes: Vec<LimitCause> =
        suspects.iter().filter(|s| s.state == SuspectState::Named).map(|s| s.cause).collect();
    let verdict = match causes.len() {
        0 => DiagnosisVerdict::NotProven,
        1 => DiagnosisVerdict::Named,
        _ => DiagnosisVerdict::Tie,
    };
    let baselines = trials.iter().filter(|t| is_baseline(t)).map(|t| t.observation.goodput_bps);
    let baseline = median(&baselines.collect::<Vec<_>>()).or(Some(seen.goodput_bps));
    let (sentence, advice) = text::conclude(verdict, &suspects, seen, baseline, sham.as_ref(), steady);
    Some(Diagnosis {
        path: path::path_elements(seen, &causes),
        verdict,
        causes,
        from: seen.sender.host.clone(),
        to: seen.receiver.host.clone(),
        direction: seen.settings.direction,
        baseline_bps: baseline.map(|bps| bps as u64),
        elapsed_s: 0.0,
        trials: u32::try_from(trials.len()).unwrap_or(u32::MAX),
        sentence,
        advice,
        suspects,
        sham,
        then: None,
    })
}

/// Whether no further trial would change the verdict: one cause is named and nothing possible explains it, or
/// none is possible.
pub(super) fn is_decided(trials: &[DiagnosisTrial]) -> bool {
    let Some(Diagnosis { verdict, causes, suspects, .. }) = diagnose_step(trials) else { return false };
    let mut possible = suspects.iter().filter(|s| s.state == SuspectState::Possible).map(|s| s.cause);
    match verdict {
        DiagnosisVerdict::Named => !possible.any(|specific| {
            EXPLANATIONS.iter().any(|(first, second)| *first == specific && causes.contains(second))
        }),
        DiagnosisVerdict::Tie => false,
        DiagnosisVerdict::NotProven => possible.next().is_none(),
    }
}

fn is_steady(sham: &RatioInterval) -> bool {
    sham.low <= 1.0 && sham.high >= 1.0 && (sham.ratio - 1.0).abs() <= MAX_SHAM_EFFECT
}

fn is_baseline(trial: &DiagnosisTrial) -> bool {
    matches!(trial.intervention.kind, InterventionKind::Baseline)
}

/// The trial that suspicion rests on: the baseline with the median goodput, or the scout before any.
pub(super) fn reference(trials: &[DiagnosisTrial]) -> Option<&Observation> {
    let mut baselines: Vec<&Observation> =
        trials.iter().filter(|t| is_baseline(t)).map(|t| &t.observation).collect();
    baselines.sort_by(|a, b| a.goodput_bps.total_cmp(&b.goodput_bps));
    baselines.get(baselines.len() / 2).copied().or_else(|| trials.first().map(|t| &t.observation))
}

/// The strongest of the trials with unchanged settings: signs such as drops come and go.
pub(super) fn suspicion(model: &CauseModel, trials: &[DiagnosisTrial]) -> Suspicion {
    let unchanged =
        trials.iter().filter(|t| is_baseline(t) || t.intervention.kind == InterventionKind::Scout);
    // A copy to storage is tested for this cause alone.
    let tested =
        unchanged.filter(|t| t.observation.storage.is_some() == (model.cause == LimitCause::Storage));
    let each = tested.map(|t| (model.suspect)(&t.observation));
    each.max_by(|a, b| a.level.total_cmp(&b.level)).unwrap_or_default()
}

fn suspect(
    effects: &Effects<'_>,
    model: &CauseModel,
    trials: &[DiagnosisTrial],
    seen: &Observation,
) -> Option<Suspect> {
    let Suspicion { level, evidence } = suspicion(model, trials);
    let (state, effects) = state(effects, model, seen);
    (level > 0.0).then_some(Suspect { cause: model.cause, state, suspicion: level, evidence, effects })
}

pub(super) fn state(
    effects: &Effects<'_>,
    model: &CauseModel,
    seen: &Observation,
) -> (SuspectState, Vec<InterventionEffect>) {
    // Without permission a host setting is not changed, or no more.
    let predictions = (model.predict)(seen).into_iter().filter(|prediction| {
        let change = prediction.intervention;
        !change.kind.is_host_setting() || effects.goodput(&change).is_some()
    });
    let judged: Vec<InterventionEffect> = predictions.map(|prediction| effects.judge(&prediction)).collect();
    let state = if judged.iter().any(|e| e.agrees == Some(false)) {
        SuspectState::Excluded
    } else if !judged.is_empty() && judged.iter().all(|e| e.agrees == Some(true)) {
        SuspectState::Named
    } else {
        SuspectState::Possible
    };
    (state, judged)
}
