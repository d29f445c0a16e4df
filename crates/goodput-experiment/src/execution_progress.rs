//! The progress of an experiment, from its plan and the steps of its log.
//!
//! Running and resuming are the same: the next execution follows from the steps alone. An execution that
//! ended is never repeated; one without an end was interrupted and is repeated.
//!
//! With a wanted width, a probe line at a combination is repeated until the interval of its primary metric's
//! median is narrow enough, or until the cap. It is checked after the least number of values and then each √2
//! times as many ([`goodput_analysis::stopping`]); coverage is then 92.5 to 96.5 % in simulations
//! (`tests/integration/coverage.rs`). Without any value after the least number there are no further repeats.

mod times;

use crate::error::ExperimentError;
use crate::execution_plan::{ExecutionPlan, PlannedCell};
use goodput_analysis::stopping_rule::{BatchTime, StoppingDecision, StoppingRule};
use goodput_model::experiment::FactorLevels;
use goodput_model::experiment::execution_record::{CellExecution, CellOutcome, ExperimentStep};
use goodput_model::{Nanos, TrialId};
use goodput_words::message;
use times::ObservedDurations;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RemainingWork {
    /// If every interval is narrow as early as possible.
    pub cells_least: u32,
    /// If all continue to the cap.
    pub cells_most: u32,
    /// For the least number; `None` where a probe line's time is unknown.
    pub time_least: Option<Nanos>,
    pub time_most: Option<Nanos>,
}

/// With warm-ups.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ExecutionCounts {
    pub done: u32,
    pub failed: u32,
    pub timed_out: u32,
    /// A level could not be set.
    pub not_set: u32,
}

#[derive(Debug, Clone, Default)]
struct Tally {
    /// Without warm-ups.
    ended: u32,
    /// Of executions with the primary metric.
    values: Vec<BatchTime>,
    /// It is not repeated any more.
    settled: bool,
}

#[derive(Debug, Clone)]
pub struct ExecutionProgress<'p> {
    plan: &'p ExecutionPlan,
    rule: Option<StoppingRule>,
    ended: Vec<bool>,
    counts: ExecutionCounts,
    tallies: Vec<Tally>,
    /// Everything before this index has ended or is settled.
    from: usize,
    /// Since the last resume.
    in_place: FactorLevels,
    times: ObservedDurations,
}

impl<'p> ExecutionProgress<'p> {
    pub fn new(plan: &'p ExecutionPlan) -> ExecutionProgress<'p> {
        let least = plan.repeats.least;
        let rule = |width_percent| StoppingRule { width_percent, passes: least, batches: least };
        ExecutionProgress {
            plan,
            rule: plan.repeats.width_percent.map(rule),
            ended: vec![false; plan.cells.len()],
            counts: ExecutionCounts::default(),
            tallies: vec![Tally::default(); plan.series.len()],
            from: 0,
            in_place: FactorLevels::new(),
            times: ObservedDurations::default(),
        }
    }

    /// After these steps. `primary_metric` returns that of an execution's trials; `None` where there is none,
    /// as for a curve.
    pub fn from_experiment_steps(
        plan: &'p ExecutionPlan,
        steps: &[ExperimentStep],
        mut primary_metric: impl FnMut(&CellExecution, &[TrialId]) -> Option<f64>,
    ) -> Result<ExecutionProgress<'p>, ExperimentError> {
        let mut progress = ExecutionProgress::new(plan);
        for step in steps {
            progress.apply_experiment_step(step, &mut primary_metric)?;
        }
        Ok(progress)
    }

    /// `primary_metric` as for [`TrialProgress::of`].
    pub fn apply_experiment_step(
        &mut self,
        step: &ExperimentStep,
        primary_metric: impl FnOnce(&CellExecution, &[TrialId]) -> Option<f64>,
    ) -> Result<(), ExperimentError> {
        match step {
            ExperimentStep::Declared { .. } => {}
            ExperimentStep::Resumed { at } => {
                // A reboot may have changed levels: all count as unset.
                self.in_place.clear();
                self.times.start_timing(at);
            }
            ExperimentStep::LevelSet { factor, level, at, .. } => {
                self.in_place.insert(factor.clone(), level.clone());
                self.times.record_level_change(factor, at);
            }
            ExperimentStep::Restored { factor, .. } | ExperimentStep::NotRestored { factor, .. } => {
                self.in_place.remove(factor);
            }
            ExperimentStep::CellStarted { cell, at } => {
                self.open_cell(cell.number, |planned| planned == cell)?;
                self.times.start_timing(at);
            }
            ExperimentStep::CellEnded { number, outcome, trials, at } => {
                self.end(*number, outcome, at, |cell| primary_metric(cell, trials))?;
            }
        }
        Ok(())
    }

    fn end(
        &mut self,
        number: u32,
        outcome: &CellOutcome,
        at: &str,
        primary_metric: impl FnOnce(&CellExecution) -> Option<f64>,
    ) -> Result<(), ExperimentError> {
        let cell = self.open_cell(number, |_| true)?;
        let index = number as usize - 1;
        self.ended[index] = true;
        let series = self.plan.series_of[index];
        match outcome {
            CellOutcome::Done => self.counts.done += 1,
            CellOutcome::Failed { .. } => self.counts.failed += 1,
            CellOutcome::TimedOut => self.counts.timed_out += 1,
            CellOutcome::NotSet { .. } => self.counts.not_set += 1,
        }
        match outcome {
            // Nothing ran, so the time says nothing.
            CellOutcome::NotSet { .. } => self.times.start_timing(at),
            _ => self.times.record_execution(series, at),
        }
        if cell.block > 0 {
            let value = matches!(outcome, CellOutcome::Done).then(|| primary_metric(cell)).flatten();
            self.count(series, cell.block, value.filter(|v| v.is_finite()));
        }
        self.from += (self.from..self.plan.cells.len()).take_while(|at| !self.is_due(*at)).count();
        Ok(())
    }

    fn count(&mut self, series: usize, block: u32, value: Option<f64>) {
        let tally = &mut self.tallies[series];
        tally.ended += 1;
        tally.values.extend(value.map(|time_ns| BatchTime { pass: block, time_ns }));
        if tally.ended >= self.plan.repeats.most {
            tally.settled = true;
        } else if let Some(rule) = self.rule {
            let narrow = value.is_some() && matches!(rule.decide(&tally.values), StoppingDecision::Narrow(_));
            let no_value = tally.values.is_empty() && tally.ended >= self.plan.repeats.least;
            tally.settled |= narrow || no_value;
        }
    }

    /// A cell of the plan that has not ended.
    fn open_cell(
        &self,
        number: u32,
        is_it: impl Fn(&CellExecution) -> bool,
    ) -> Result<&'p CellExecution, ExperimentError> {
        let what = match self.plan.cell(number).filter(|cell| is_it(cell)) {
            Some(cell) if !self.ended[number as usize - 1] => return Ok(cell),
            Some(_) => message!(error_experiment_cell_twice { number: number.to_string() }),
            None => message!(error_experiment_other_cell { number: number.to_string() }),
        };
        let hint =
            "resume with the version of goodput that the run was begun with, or run the experiment anew";
        Err(ExperimentError::new(what, hint))
    }

    fn is_due(&self, at: usize) -> bool {
        !self.ended[at] && !self.tallies[self.plan.series_of[at]].settled
    }

    /// In order, if all continue to the cap.
    fn due(&self) -> impl Iterator<Item = &'p CellExecution> + '_ {
        (self.from..self.plan.cells.len()).filter(|at| self.is_due(*at)).map(|at| &self.plan.cells[at])
    }

    /// `None` when all is done.
    pub fn next_cell(&self) -> Option<&'p CellExecution> {
        self.due().next()
    }

    pub fn execution_counts(&self) -> ExecutionCounts {
        self.counts
    }

    /// Those that are not repeated any more, in the order of the file.
    pub fn finished_cells(&self) -> impl Iterator<Item = &'p PlannedCell> {
        let settled = self.plan.series.iter().zip(&self.tallies).filter(|(_, tally)| tally.settled);
        settled.map(|(series, _)| series)
    }

    /// Remaining executions and time; `expected` is for probe lines that have not run yet. Level changes
    /// count with their median times, unseen ones with 0.
    pub fn remaining_work(&self, expected: impl Fn(&CellExecution) -> Option<Nanos>) -> RemainingWork {
        let least = self.plan.repeats.least;
        let early = || self.due().filter(move |cell| self.rule.is_none() || cell.block <= least);
        let count = |cells: usize| u32::try_from(cells).unwrap_or(u32::MAX);
        RemainingWork {
            cells_least: count(early().count()),
            cells_most: count(self.due().count()),
            time_least: self.times.estimate_total_duration(self.plan, early(), &self.in_place, &expected),
            time_most: self.times.estimate_total_duration(self.plan, self.due(), &self.in_place, &expected),
        }
    }
}

#[cfg(test)]
mod tests;
