use super::*;
use crate::random::SplitMix64;
use InterventionKind::{Baseline, Connections, ReceiveBuffer, Scout, Sham};
use goodput_model::diagnosis::{Diagnosis, DiagnosisVerdict, InterventionKind, LimitCause, SuspectState};

/// Ratios of goodput to the baseline.
type Path = fn(InterventionKind, f64) -> f64;

/// Of a mean of zero and a deviation of one.
fn noise(random: &mut SplitMix64) -> f64 {
    let uniform = |random: &mut SplitMix64| random.next_u64() as f64 / u64::MAX as f64;
    (0..12).map(|_| uniform(random)).sum::<f64>() - 6.0
}

/// A transfer whose receive window was full for this share of the time.
fn diagnosed(full: f64, path: Path, blocks: u32, deviation: f64, seed: u64) -> Diagnosis {
    let mut random = SplitMix64::new(seed);
    let mut trial = |kind: InterventionKind, dose: f64, block: u32| {
        let ratio = path(kind, dose) * (deviation * noise(&mut random)).exp();
        let intervention = Intervention::new(kind, dose).in_block(block);
        let observation =
            Observation { goodput_bps: 1e8 * ratio, receive_window_share: full, ..Observation::default() };
        DiagnosisTrial { intervention, observation }
    };
    let mut trials = vec![trial(Scout, 1.0, 0)];
    for block in 1..=blocks {
        for (kind, dose) in
            [(Baseline, 1.0), (Sham, 1.0), (ReceiveBuffer, 0.5), (ReceiveBuffer, 0.25), (Connections, 2.0)]
        {
            trials.push(trial(kind, dose, block));
        }
    }
    diagnose(&trials).unwrap()
}

fn window_limits(kind: InterventionKind, dose: f64) -> f64 {
    match kind {
        ReceiveBuffer | Connections => dose,
        _ => 1.0,
    }
}

fn state(diagnosis: &Diagnosis, cause: LimitCause) -> SuspectState {
    diagnosis.suspects.iter().find(|s| s.cause == cause).unwrap().state
}

#[test]
fn a_cause_is_named_when_every_predicted_effect_was_measured() {
    let found = diagnosed(0.9, window_limits, 3, 0.03, 1);
    assert_eq!((found.verdict, &*found.causes), (DiagnosisVerdict::Named, &[LimitCause::ReceiveWindow][..]));
    assert!(found.sentence.contains("limited by the receive window"), "{}", found.sentence);
    assert!((90e6..110e6).contains(&(found.baseline_bps.unwrap() as f64)));
}

#[test]
fn two_blocks_prove_nothing() {
    let found = diagnosed(0.9, window_limits, 2, 0.03, 1);
    assert_eq!(found.verdict, DiagnosisVerdict::NotProven);
    assert_eq!(state(&found, LimitCause::ReceiveWindow), SuspectState::Possible);
}

#[test]
fn one_effect_that_is_missing_excludes_the_cause() {
    let not_relieved: Path = |kind, dose| if kind == Connections { 1.0 } else { window_limits(kind, dose) };
    let found = diagnosed(0.9, not_relieved, 4, 0.02, 1);
    assert_eq!(found.verdict, DiagnosisVerdict::NotProven);
    assert_eq!(state(&found, LimitCause::ReceiveWindow), SuspectState::Excluded);
}

#[test]
fn nothing_is_named_when_a_sham_has_an_effect() {
    let unsteady: Path = |kind, dose| if kind == Sham { 1.4 } else { window_limits(kind, dose) };
    let found = diagnosed(0.9, unsteady, 4, 0.02, 1);
    assert_eq!((found.verdict, found.causes.len()), (DiagnosisVerdict::NotProven, 0));
}

/// The relief of [`window_limits`] by chance alone: no more often than the error rate.
#[test]
fn noise_is_not_taken_for_effects() {
    let no_effect: Path = |_, _| 1.0;
    for deviation in [0.02, 0.1, 0.3, 0.8] {
        let named = (0..500).filter(|seed| {
            let found = diagnosed(0.9, no_effect, 3 + (seed % 4) as u32, deviation, *seed);
            found.verdict != DiagnosisVerdict::NotProven
        });
        assert_eq!(named.count(), 0, "of 500, with a deviation of {deviation}");
    }
}

#[test]
fn a_true_cause_is_found_in_spite_of_noise() {
    let named = (0..200)
        .filter(|seed| diagnosed(0.9, window_limits, 4, 0.05, *seed).causes == [LimitCause::ReceiveWindow]);
    let count = named.count();
    assert!(count >= 190, "{count} of 200");
}

#[test]
fn without_a_sign_nothing_is_suspected_of_the_window() {
    let found = diagnosed(0.1, window_limits, 3, 0.03, 1);
    assert!(found.suspects.iter().all(|s| s.cause != LimitCause::ReceiveWindow));
}
