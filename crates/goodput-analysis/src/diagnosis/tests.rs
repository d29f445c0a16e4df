use super::*;
use crate::random::SplitMix64;
use InterventionKind::{Baseline, Connections, Rate, ReceiveBuffer, Scout, SendBuffer, Sham};
use goodput_model::BitRate;
use goodput_model::diagnosis::{Diagnosis, DiagnosisVerdict, InterventionKind, LimitCause, SuspectState};
use goodput_model::probe::{SocketOptions, Stream};

/// Ratios of goodput to the baseline.
type Path = fn(InterventionKind, f64) -> f64;

/// Of a mean of zero and a deviation of one.
fn noise(random: &mut SplitMix64) -> f64 {
    let uniform = |random: &mut SplitMix64| random.next_u64() as f64 / u64::MAX as f64;
    (0..12).map(|_| uniform(random)).sum::<f64>() - 6.0
}

/// A transfer whose receive window was full for this share of the time.
fn diagnosed(full: f64, path: Path, blocks: u32, deviation: f64, seed: u64) -> Diagnosis {
    let seen = Observation { goodput_bps: 1e8, receive_window_share: full, ..Observation::default() };
    let changes =
        [(Baseline, 1.0), (Sham, 1.0), (ReceiveBuffer, 0.5), (ReceiveBuffer, 0.25), (Connections, 2.0)];
    diagnose(&trials(&seen, &changes, path, blocks, deviation, seed)).unwrap()
}

fn trials(
    seen: &Observation,
    changes: &[(InterventionKind, f64)],
    path: Path,
    blocks: u32,
    deviation: f64,
    seed: u64,
) -> Vec<DiagnosisTrial> {
    let mut random = SplitMix64::new(seed);
    let mut trial = |kind: InterventionKind, dose: f64, block: u32| {
        let ratio = path(kind, dose) * (deviation * noise(&mut random)).exp();
        let intervention = Intervention::new(kind, dose).in_block(block);
        let observation = Observation { goodput_bps: seen.goodput_bps * ratio, ..seen.clone() };
        DiagnosisTrial { intervention, observation }
    };
    let mut trials = vec![trial(Scout, 1.0, 0)];
    for block in 1..=blocks {
        trials.extend(changes.iter().map(|(kind, dose)| trial(*kind, *dose, block)));
    }
    trials
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

#[test]
fn with_the_first_limit_relieved_the_next_is_named() {
    let window = Observation { goodput_bps: 1e8, receive_window_share: 0.9, ..Observation::default() };
    let buffer = Observation { goodput_bps: 4e8, send_buffer_share: 0.9, ..Observation::default() };
    let [of_window, of_buffer] = [ReceiveBuffer, SendBuffer]
        .map(|kind| [(Baseline, 1.0), (Sham, 1.0), (kind, 0.5), (kind, 0.25), (Connections, 2.0)]);
    let limits: Path = |kind, dose| match kind {
        ReceiveBuffer | SendBuffer | Connections => dose,
        _ => 1.0,
    };
    let mut all = trials(&window, &of_window, limits, 3, 0.02, 1);
    let mut next = trials(&buffer, &of_buffer, limits, 3, 0.02, 2);
    next.iter_mut().for_each(|trial| trial.intervention.step = 1);
    all.extend(next);
    let found = diagnose(&all).unwrap();
    assert_eq!(found.causes, [LimitCause::ReceiveWindow]);
    let then = found.then.unwrap();
    assert_eq!((then.relieved_by, then.dose), (Connections, 8.0));
    assert_eq!(then.diagnosis.causes, [LimitCause::SendBuffer]);
    assert!((9e7..1.1e8).contains(&(found.baseline_bps.unwrap() as f64)), "of the first step alone");
    assert!(found.sentence.contains("then limited by the send buffer"), "{}", found.sentence);
    assert!((3.6e8..4.4e8).contains(&(then.diagnosis.baseline_bps.unwrap() as f64)));
}

/// The second step's settings are not those that the first limit depends on.
#[test]
fn a_relieved_pacing_is_told_as_such() {
    let paced =
        |pacing| Stream { socket: SocketOptions { pacing, ..Default::default() }, ..Stream::default() };
    let limits: Path = |kind, dose| if kind == Rate { dose } else { 1.0 };
    let seen = |goodput_bps: f64, pacing| Observation {
        goodput_bps,
        direction_bps: goodput_bps,
        settings: paced(pacing),
        ..Observation::default()
    };
    let changes = [(Baseline, 1.0), (Sham, 1.0), (Rate, 0.85), (Rate, 2.0)];
    let mut all = trials(&seen(1e8, Some(BitRate(100_000_000))), &changes, limits, 3, 0.01, 1);
    assert_eq!(diagnose(&all).unwrap().causes, [LimitCause::ApplicationLimited]);
    let settings = verdict::relieved_settings(&paced(Some(BitRate(100_000_000))), &all).unwrap();
    assert_eq!(settings.socket.pacing, None);
    let mut next = trials(&seen(4e8, None), &changes[..2], limits, 4, 0.01, 2);
    next.iter_mut().for_each(|trial| trial.intervention.step = 1);
    all.extend(next);
    let then = diagnose(&all).unwrap().then.unwrap();
    assert_eq!((then.relieved_by, then.dose), (Rate, 0.0));
    assert_eq!(intervention_name(Rate, 0.0), "no pacing");
}

/// An agent without a CPU for seconds, for example.
#[test]
fn a_trial_that_broke_off_is_left_out() {
    let window =
        Observation { goodput_bps: 1e8, receive_window_share: 0.9, complete: true, ..Observation::default() };
    let changes =
        [(Baseline, 1.0), (Sham, 1.0), (ReceiveBuffer, 0.5), (ReceiveBuffer, 0.25), (Connections, 2.0)];
    let mut all = trials(&window, &changes, window_limits, 4, 0.02, 1);
    for (block, kind) in [(2, Sham), (3, Baseline)] {
        let found = all.iter_mut().find(|t| t.intervention.kind == kind && t.intervention.block == block);
        let observation = &mut found.unwrap().observation;
        (observation.complete, observation.goodput_bps) = (false, 0.0);
    }
    // Three blocks remain of the others, and two of the sham.
    assert_eq!(diagnose(&all).unwrap().sham, None);
    all.extend(
        trials(&window, &changes, window_limits, 5, 0.02, 2)
            .into_iter()
            .filter(|t| t.intervention.block == 5),
    );
    assert_eq!(diagnose(&all).unwrap().causes, [LimitCause::ReceiveWindow]);
}

/// A host refuses it after the first block: the plan and the stored run conclude the same.
#[test]
fn a_host_setting_with_too_few_trials_is_not_required() {
    let window = Observation { goodput_bps: 1e8, receive_window_share: 0.9, ..Observation::default() };
    let changes =
        [(Baseline, 1.0), (Sham, 1.0), (ReceiveBuffer, 0.5), (ReceiveBuffer, 0.25), (Connections, 2.0)];
    let mut all = trials(&window, &changes, window_limits, 3, 0.02, 1);
    let setting = Intervention::new(InterventionKind::ReceiveBufferSetting, 4.0).in_block(1);
    all.push(DiagnosisTrial { intervention: setting, observation: window });
    assert_eq!(diagnose(&all).unwrap().causes, [LimitCause::ReceiveWindow]);
}

#[test]
fn the_next_limit_is_sought_with_more_connections() {
    let settings = Stream { connections: 1, ..Stream::default() };
    let seen = Observation {
        goodput_bps: 1e8,
        receive_window_share: 0.9,
        settings: settings.clone(),
        ..Observation::default()
    };
    let changes =
        [(Baseline, 1.0), (Sham, 1.0), (ReceiveBuffer, 0.5), (ReceiveBuffer, 0.25), (Connections, 2.0)];
    let all = trials(&seen, &changes, window_limits, 3, 0.02, 1);
    let relieved = verdict::relieved_settings(&settings, &all).unwrap();
    assert_eq!((relieved.connections, relieved.intervention), (8, None));
    assert!(verdict::relieved_settings(&settings, &all[..4]).is_none(), "before the first is named");
}
