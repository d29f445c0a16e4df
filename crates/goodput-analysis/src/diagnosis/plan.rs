//! Which trial comes next: first a scout, then blocks of the baseline, a sham and the interventions that the
//! suspects predict something for, each block in random order, until a cause is proven or the time is used.

use super::cause::{CAUSES, CauseModel, Prediction};
use super::effect::{Effects, MIN_BLOCKS};
use super::verdict::{self, is_decided};
use super::{DiagnosisTrial, Observation, apply_intervention, apply_to_copy, intervention_of, observe};
use crate::random::SplitMix64;
use crate::summary::summarize_trial;
use goodput_model::diagnosis::{Intervention, InterventionKind, LimitCause, SuspectState};
use goodput_model::file::File;
use goodput_model::probe::{StopCondition, Stream};
use goodput_model::{Nanos, Probe, Trial};

/// Of a block that can name a cause: baseline, sham and some interventions.
const FEWEST_TRIALS: usize = 5;
/// Besides baseline and sham; more would leave too few blocks.
const MAX_CHANGES: usize = 7;
/// A CPU account needs a second.
const MIN_WINDOW: Nanos = Nanos(1_000_000_000);
const MAX_WINDOW: Nanos = Nanos(2_000_000_000);
const MIN_WARM_UP: Nanos = Nanos(400_000_000);
const MAX_WARM_UP: Nanos = Nanos(1_500_000_000);
/// Round trips of warm-up and window.
const WARM_UP_TRIPS: f64 = 20.0;
const WINDOW_TRIPS: f64 = 40.0;
/// Of the strongest suspicion: weaker suspects wait until the stronger are excluded.
const MIN_SHARE_OF_SUSPICION: f64 = 0.6;

/// Of the budget: later than this no trial looks for the next limit.
const SHARE_FOR_NEXT_LIMIT: f64 = 2.0 / 3.0;

#[derive(Clone)]
enum DiagnosedSettings {
    Stream(Box<Stream>),
    Copy(Box<File>),
}

impl DiagnosedSettings {
    fn with(&self, change: Intervention, seen: &Observation) -> Probe {
        match self {
            DiagnosedSettings::Stream(stream) => Probe::Stream(apply_intervention(stream, change, seen)),
            DiagnosedSettings::Copy(copy) => Probe::File(apply_to_copy(copy, change)),
        }
    }
}

pub struct DiagnosisPlan {
    settings: DiagnosedSettings,
    /// Host settings that may be changed.
    allowed: Vec<InterventionKind>,
    /// See [`Intervention::step`].
    step: u32,
    budget_s: f64,
    random: SplitMix64,
    block: u32,
    pending: Vec<Intervention>,
    trials: Vec<DiagnosisTrial>,
    /// Time of all trials, and when the last one began.
    measured_s: f64,
    last_s: f64,
}

impl DiagnosisPlan {
    pub fn new(settings: Stream, budget_s: f64, seed: u64) -> DiagnosisPlan {
        let settings = with_length(settings, MIN_WARM_UP, MIN_WINDOW);
        DiagnosisPlan::of(DiagnosedSettings::Stream(Box::new(settings)), budget_s, seed)
    }

    /// Of a copy to or from storage.
    pub fn for_copy(settings: File, budget_s: f64, seed: u64) -> DiagnosisPlan {
        DiagnosisPlan::of(DiagnosedSettings::Copy(Box::new(settings)), budget_s, seed)
    }

    fn of(settings: DiagnosedSettings, budget_s: f64, seed: u64) -> DiagnosisPlan {
        DiagnosisPlan {
            settings,
            allowed: Vec::new(),
            step: 0,
            budget_s,
            random: SplitMix64::new(seed),
            block: 0,
            pending: Vec::new(),
            trials: Vec::new(),
            measured_s: 0.0,
            last_s: 0.0,
        }
    }

    pub fn allow_host_settings(&mut self) {
        self.allowed = InterventionKind::ALL.into_iter().filter(|kind| kind.is_host_setting()).collect();
    }

    /// A host refuses this change.
    pub fn forbid(&mut self, kind: InterventionKind) {
        self.allowed.retain(|allowed| *allowed != kind);
        self.pending.retain(|change| change.kind != kind);
    }

    /// `None` when the cause is proven or the budget is used.
    pub fn next_probe(&mut self, elapsed_s: f64) -> Option<Probe> {
        self.last_s = elapsed_s;
        if self.pending.is_empty() && !self.plan_block(elapsed_s) {
            return None;
        }
        let change = self.pending.pop()?;
        let change = Intervention { block: self.block, step: self.step, ..change };
        let unknown = Observation::default();
        let seen = verdict::reference(self.trials_of_step()).unwrap_or(&unknown);
        Some(self.settings.with(change, seen))
    }

    fn trials_of_step(&self) -> &[DiagnosisTrial] {
        verdict::of_step(&self.trials, self.step)
    }

    /// Whether there is anything more to measure.
    fn plan_block(&mut self, elapsed_s: f64) -> bool {
        let decided = self.block as usize >= MIN_BLOCKS && is_decided(self.trials_of_step());
        if decided && !self.relieve_first_limit(elapsed_s) {
            return false;
        }
        if self.trials_of_step().is_empty() {
            self.pending.push(Intervention::new(InterventionKind::Scout, 1.0));
            return elapsed_s < self.limit_s();
        }
        let changes = self.wanted_changes();
        let cost = (changes.len() + 2) as f64 * self.usual_trial_s();
        if changes.is_empty() || elapsed_s + cost > self.limit_s() {
            return false;
        }
        self.block += 1;
        self.pending = changes;
        self.pending.push(Intervention::new(InterventionKind::Baseline, 1.0));
        self.pending.push(Intervention::new(InterventionKind::Sham, 1.0));
        self.random.shuffle(&mut self.pending);
        if self.block == 1 {
            // Doses refer to it.
            self.pending.retain(|change| change.kind != InterventionKind::Baseline);
            self.pending.push(Intervention::new(InterventionKind::Baseline, 1.0));
        }
        true
    }

    fn usual_trial_s(&self) -> f64 {
        self.measured_s / self.trials.len().max(1) as f64
    }

    fn limit_s(&self) -> f64 {
        if self.step == 0 { self.budget_s } else { self.budget_s * SHARE_FOR_NEXT_LIMIT }
    }

    /// Whether the transfer goes on with the first limit relieved, to find the next.
    fn relieve_first_limit(&mut self, elapsed_s: f64) -> bool {
        let DiagnosedSettings::Stream(settings) = &self.settings else { return false };
        let blocks_s = (MIN_BLOCKS * FEWEST_TRIALS) as f64 * self.usual_trial_s();
        if self.step > 0 || elapsed_s + blocks_s > self.budget_s * SHARE_FOR_NEXT_LIMIT {
            return false;
        }
        let Some(relieved) = verdict::relieved_settings(settings, &self.trials) else { return false };
        self.settings = DiagnosedSettings::Stream(Box::new(relieved));
        self.step = 1;
        self.block = 0;
        true
    }

    /// The cause under the most suspicion that is not excluded yet.
    pub fn suspected(&self) -> Option<LimitCause> {
        self.candidates().first().map(|(_, model)| model.cause)
    }

    /// When it has ended.
    pub fn record(&mut self, trial: &Trial, elapsed_s: f64) {
        self.measured_s += elapsed_s - self.last_s;
        let Some(observation) = observe(trial, &summarize_trial(trial)) else { return };
        let Some(intervention) = intervention_of(&trial.probe) else { return };
        if let (InterventionKind::Scout, DiagnosedSettings::Stream(settings)) =
            (intervention.kind, &mut self.settings)
        {
            // Queues make the round trip longer, but need only fill.
            let loaded_us = observation.round_trip_us.unwrap_or(0.0);
            let trip_ns = observation.min_round_trip_us.unwrap_or(0.0).max(loaded_us / 4.0) * 1e3;
            let trips =
                |count: f64, least: Nanos, most: Nanos| Nanos((trip_ns * count) as u64).max(least).min(most);
            let warm_up = trips(WARM_UP_TRIPS, MIN_WARM_UP, MAX_WARM_UP);
            let window = trips(WINDOW_TRIPS, MIN_WINDOW, MAX_WINDOW);
            **settings = with_length((**settings).clone(), warm_up, window);
        }
        self.trials.push(DiagnosisTrial { intervention, observation });
    }

    /// Suspects that are not excluded, the most suspicious first.
    fn candidates(&self) -> Vec<(f64, &'static CauseModel)> {
        let trials = self.trials_of_step();
        let effects = Effects::new(trials);
        let Some(seen) = verdict::reference(trials) else { return Vec::new() };
        let mut suspects: Vec<(f64, &CauseModel)> = CAUSES
            .iter()
            .map(|model| (verdict::suspicion(model, trials).level, model))
            .filter(|(level, model)| {
                *level > 0.0 && verdict::state(&effects, model, seen).0 != SuspectState::Excluded
            })
            .collect();
        suspects.sort_by(|a, b| b.0.total_cmp(&a.0));
        suspects
    }

    fn wanted_changes(&self) -> Vec<Intervention> {
        let Some(seen) = verdict::reference(self.trials_of_step()) else { return Vec::new() };
        let mut changes: Vec<Intervention> = Vec::new();
        let candidates = self.candidates();
        let strongest = candidates.first().map_or(0.0, |(level, _)| *level);
        for (_, model) in candidates.iter().filter(|(level, _)| *level >= strongest * MIN_SHARE_OF_SUSPICION)
        {
            let mut more = changes.clone();
            for Prediction { intervention, .. } in (model.predict)(seen) {
                let permitted =
                    !intervention.kind.is_host_setting() || self.allowed.contains(&intervention.kind);
                if permitted && !more.iter().any(|change| change.is_repetition_of(&intervention)) {
                    more.push(intervention);
                }
            }
            if changes.is_empty() || more.len() <= MAX_CHANGES {
                changes = more;
            }
        }
        changes
    }
}

fn with_length(settings: Stream, warm_up: Nanos, window: Nanos) -> Stream {
    match settings.stop {
        StopCondition::Time(_) => Stream { warm_up, stop: StopCondition::Time(window), ..settings },
        StopCondition::Bytes(_) | StopCondition::Count(_) => settings,
    }
}
