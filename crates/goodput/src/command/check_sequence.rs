//! The trials of `goodput check`.

use super::trial_sequence::TrialSequence;
use goodput_analysis::check::CheckPlan;
use goodput_model::check::CheckStep;
use goodput_model::{Message, Probe, Trial};
use goodput_words::message;
use std::time::Instant;

#[derive(Default)]
pub struct CheckSequence {
    plan: CheckPlan,
    /// `None` before the first trial.
    began: Option<Instant>,
}

impl TrialSequence for CheckSequence {
    fn trial_count(&self) -> Option<u32> {
        None
    }

    fn next_probe(&mut self) -> Option<Probe> {
        let began = *self.began.get_or_insert_with(Instant::now);
        self.plan.next_probe(began.elapsed().as_secs_f64())
    }

    fn step_title(&self) -> Option<Message> {
        let (number, name) = self.plan.step()?;
        let what = Message::from(name);
        Some(message!(progress_step_of { number, all: CheckStep::ALL.len(), what }))
    }

    fn on_trial_finished(&mut self, trial: &Trial) -> Option<Message> {
        self.plan.record(trial);
        None
    }

    fn accepts_incomplete_trials(&self) -> bool {
        !self.plan.is_hopeless()
    }
}
