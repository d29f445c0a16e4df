//! Which trial comes next: first a scout, then blocks of the baseline, a sham and the interventions that the
//! suspects predict something for, each block in random order, until a cause is proven or the time is used.

use super::cause::{CAUSES, CauseModel, Prediction};
use super::effect::{Effects, MIN_BLOCKS};
use super::verdict::{self, is_decided};
use super::{DiagnosisTrial, apply_intervention, observe};
use crate::random::SplitMix64;
use crate::summary::summarize_trial;
use goodput_model::diagnosis::{Intervention, InterventionKind, LimitCause, SuspectState};
use goodput_model::probe::{StopCondition, Stream};
use goodput_model::{Nanos, Trial};

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

pub struct DiagnosisPlan {
    settings: Stream,
    budget_s: f64,
    random: SplitMix64,
    block: u32,
    pending: Vec<Intervention>,
    trials: Vec<DiagnosisTrial>,
    longest_trial_s: f64,
    last_s: f64,
}

impl DiagnosisPlan {
    pub fn new(settings: Stream, budget_s: f64, seed: u64) -> DiagnosisPlan {
        DiagnosisPlan {
            settings: with_length(settings, MIN_WARM_UP, MIN_WINDOW),
            budget_s,
            random: SplitMix64::new(seed),
            block: 0,
            pending: Vec::new(),
            trials: Vec::new(),
            longest_trial_s: 0.0,
            last_s: 0.0,
        }
    }

    /// `None` when the cause is proven or the budget is used.
    pub fn next_settings(&mut self, elapsed_s: f64) -> Option<Stream> {
        let last_s = std::mem::replace(&mut self.last_s, elapsed_s);
        if self.trials.is_empty() {
            let scout = Intervention::new(InterventionKind::Scout, 1.0);
            return Some(Stream { intervention: Some(scout), ..self.settings.clone() });
        }
        self.longest_trial_s = self.longest_trial_s.max(elapsed_s - last_s);
        if self.pending.is_empty() {
            let enough = self.block as usize >= MIN_BLOCKS;
            if enough && is_decided(&self.trials) {
                return None;
            }
            let changes = self.wanted_changes();
            let cost = (changes.len() + 2) as f64 * self.longest_trial_s;
            if changes.is_empty() || elapsed_s + cost > self.budget_s {
                return None;
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
        }
        let change = self.pending.pop()?.in_block(self.block);
        let seen = verdict::reference(&self.trials)?;
        Some(apply_intervention(&self.settings, change, seen))
    }

    /// The cause under the most suspicion that is not excluded yet.
    pub fn suspected(&self) -> Option<LimitCause> {
        self.candidates().first().map(|(_, model)| model.cause)
    }

    pub fn record(&mut self, trial: &Trial) {
        let Some(observation) = observe(trial, &summarize_trial(trial)) else { return };
        let Some(intervention) = observation.settings.intervention else { return };
        if intervention.kind == InterventionKind::Scout {
            // Queues make the round trip longer, but need only fill.
            let loaded_us = observation.round_trip_us.unwrap_or(0.0);
            let trip_ns = observation.min_round_trip_us.unwrap_or(0.0).max(loaded_us / 4.0) * 1e3;
            let trips =
                |count: f64, least: Nanos, most: Nanos| Nanos((trip_ns * count) as u64).max(least).min(most);
            let warm_up = trips(WARM_UP_TRIPS, MIN_WARM_UP, MAX_WARM_UP);
            let window = trips(WINDOW_TRIPS, MIN_WINDOW, MAX_WINDOW);
            self.settings = with_length(self.settings.clone(), warm_up, window);
        }
        self.trials.push(DiagnosisTrial { intervention, observation });
    }

    /// Suspects that are not excluded, the most suspicious first.
    fn candidates(&self) -> Vec<(f64, &'static CauseModel)> {
        let effects = Effects::new(&self.trials);
        let Some(seen) = verdict::reference(&self.trials) else { return Vec::new() };
        let mut suspects: Vec<(f64, &CauseModel)> = CAUSES
            .iter()
            .map(|model| (verdict::suspicion(model, &self.trials).level, model))
            .filter(|(level, model)| {
                *level > 0.0 && verdict::state(&effects, model, seen).0 != SuspectState::Excluded
            })
            .collect();
        suspects.sort_by(|a, b| b.0.total_cmp(&a.0));
        suspects
    }

    fn wanted_changes(&self) -> Vec<Intervention> {
        let Some(seen) = verdict::reference(&self.trials) else { return Vec::new() };
        let mut changes: Vec<Intervention> = Vec::new();
        let candidates = self.candidates();
        let strongest = candidates.first().map_or(0.0, |(level, _)| *level);
        for (_, model) in candidates.iter().filter(|(level, _)| *level >= strongest * MIN_SHARE_OF_SUSPICION)
        {
            let mut more = changes.clone();
            for Prediction { intervention, .. } in (model.predict)(seen) {
                if !more.iter().any(|change| change.is_repetition_of(&intervention)) {
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
