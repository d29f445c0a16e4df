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

use crate::plan::Plan;
use goodput_analysis::stopping::{Batch, StoppingRule, Verdict, estimate};
use goodput_model::experiment::Levels;
use goodput_model::experiment::record::{Cell, CellOutcome, Step};
use goodput_model::{Nanos, TrialId};
use times::Times;

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProgressError {
    /// The log names an execution that the plan does not have.
    #[error("cell {number} of the log is not cell {number} of the plan")]
    OtherPlan { number: u32 },
    /// The log ends one execution twice, or starts an ended one.
    #[error("the log has cell {number} twice")]
    Twice { number: u32 },
}

impl ProgressError {
    pub fn hint(&self) -> String {
        "resume with the version of goodput that the run was begun with, or run the experiment anew".into()
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StopReason {
    Cap,
    Narrow,
    /// The least number of executions gave no value.
    NoValue,
}

#[derive(Debug, Clone, PartialEq)]
pub struct CellProgress<'p> {
    pub levels: &'p Levels,
    pub probe: &'p str,
    /// Without warm-ups.
    pub ended: u32,
    /// Executions with the primary metric.
    pub values: u32,
    /// Full width of the median's interval over the median; `None` for too few values.
    pub width_percent: Option<f64>,
    /// `None` while it is repeated.
    pub settled: Option<StopReason>,
}

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
pub struct Counts {
    pub done: u32,
    pub failed: u32,
    pub timed_out: u32,
    /// A level could not be set.
    pub not_set: u32,
}

#[derive(Debug, Clone, Default)]
struct Tally {
    ended: u32,
    values: Vec<Batch>,
    settled: Option<StopReason>,
}

#[derive(Debug, Clone)]
pub struct Progress<'p> {
    plan: &'p Plan,
    rule: Option<StoppingRule>,
    ended: Vec<bool>,
    counts: Counts,
    tallies: Vec<Tally>,
    /// Everything before this index has ended or is settled.
    from: usize,
    broken_off: Option<u32>,
    in_place: Levels,
    times: Times,
}

impl<'p> Progress<'p> {
    pub fn new(plan: &'p Plan) -> Progress<'p> {
        let least = plan.repeats.least;
        let rule = |width_percent| StoppingRule { width_percent, passes: least, batches: least };
        Progress {
            plan,
            rule: plan.repeats.width_percent.map(rule),
            ended: vec![false; plan.cells.len()],
            counts: Counts::default(),
            tallies: vec![Tally::default(); plan.series.len()],
            from: 0,
            broken_off: None,
            in_place: Levels::new(),
            times: Times::default(),
        }
    }

    /// After these steps. `primary_metric` returns that of an execution's trials; `None` where there is none,
    /// as for a curve.
    pub fn of(
        plan: &'p Plan,
        steps: &[Step],
        mut primary_metric: impl FnMut(&Cell, &[TrialId]) -> Option<f64>,
    ) -> Result<Progress<'p>, ProgressError> {
        let mut progress = Progress::new(plan);
        for step in steps {
            progress.take(step, &mut primary_metric)?;
        }
        Ok(progress)
    }

    /// `primary_metric` as for [`Progress::of`].
    pub fn take(
        &mut self,
        step: &Step,
        primary_metric: impl FnOnce(&Cell, &[TrialId]) -> Option<f64>,
    ) -> Result<(), ProgressError> {
        match step {
            Step::Declared { .. } => {}
            Step::Resumed { at } => {
                // A reboot may have changed levels: all count as unset.
                self.in_place.clear();
                self.times.begin(at);
            }
            Step::LevelSet { factor, level, at, .. } => {
                self.in_place.insert(factor.clone(), level.clone());
                self.times.changed(factor, at);
            }
            Step::Restored { factor, .. } => {
                self.in_place.remove(factor);
            }
            Step::NotRestored { factor, .. } => {
                self.in_place.remove(factor);
            }
            Step::CellStarted { cell, at } => {
                let number = cell.number;
                if self.plan.cell(number) != Some(cell) {
                    return Err(ProgressError::OtherPlan { number });
                }
                if self.has_ended(number) {
                    return Err(ProgressError::Twice { number });
                }
                self.broken_off = Some(number);
                self.times.begin(at);
            }
            Step::CellEnded { number, outcome, trials, at } => {
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
        primary_metric: impl FnOnce(&Cell) -> Option<f64>,
    ) -> Result<(), ProgressError> {
        let Some(cell) = self.plan.cell(number) else { return Err(ProgressError::OtherPlan { number }) };
        if self.has_ended(number) {
            return Err(ProgressError::Twice { number });
        }
        let index = number as usize - 1;
        self.ended[index] = true;
        self.broken_off = None;
        let series = self.plan.series_of[index];
        match outcome {
            CellOutcome::Done => self.counts.done += 1,
            CellOutcome::Failed { .. } => self.counts.failed += 1,
            CellOutcome::TimedOut => self.counts.timed_out += 1,
            CellOutcome::NotSet { .. } => self.counts.not_set += 1,
        }
        match outcome {
            // Nothing ran, so the time says nothing.
            CellOutcome::NotSet { .. } => self.times.begin(at),
            _ => self.times.ran(series, at),
        }
        if cell.block > 0 {
            let value = matches!(outcome, CellOutcome::Done).then(|| primary_metric(cell)).flatten();
            self.count(series, cell.block, value.filter(|v| v.is_finite()));
        }
        let past = |at: &usize| self.ended[*at] || self.tallies[self.plan.series_of[*at]].settled.is_some();
        self.from += (self.from..self.plan.cells.len()).take_while(past).count();
        Ok(())
    }

    fn count(&mut self, series: usize, block: u32, value: Option<f64>) {
        let tally = &mut self.tallies[series];
        tally.ended += 1;
        tally.values.extend(value.map(|time_ns| Batch { pass: block, time_ns }));
        if tally.ended >= self.plan.repeats.most {
            tally.settled = Some(StopReason::Cap);
        } else if let Some(rule) = self.rule {
            let narrow = value.is_some() && matches!(rule.judge(&tally.values), Verdict::Narrow(_));
            if narrow {
                tally.settled = Some(StopReason::Narrow);
            } else if tally.values.is_empty() && tally.ended >= self.plan.repeats.least {
                tally.settled = Some(StopReason::NoValue);
            }
        }
    }

    fn has_ended(&self, number: u32) -> bool {
        (number as usize).checked_sub(1).and_then(|at| self.ended.get(at)).copied().unwrap_or(false)
    }

    /// In order, if all continue to the cap.
    fn due(&self) -> impl Iterator<Item = &'p Cell> + '_ {
        let open = |at: &usize| !self.ended[*at] && self.tallies[self.plan.series_of[*at]].settled.is_none();
        (self.from..self.plan.cells.len()).filter(open).map(|at| &self.plan.cells[at])
    }

    /// `None` when all is done.
    pub fn next(&self) -> Option<&'p Cell> {
        self.due().next()
    }

    /// The last one that started without an end: running, or interrupted.
    pub fn broken_off(&self) -> Option<&'p Cell> {
        self.plan.cell(self.broken_off?)
    }

    /// Since the last resume.
    pub fn in_place(&self) -> &Levels {
        &self.in_place
    }

    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// In the order of the file.
    pub fn standings(&self) -> impl Iterator<Item = CellProgress<'p>> {
        self.plan.series.iter().zip(&self.tallies).map(|(series, tally)| CellProgress {
            levels: &series.levels,
            probe: &series.probe,
            ended: tally.ended,
            values: u32::try_from(tally.values.len()).unwrap_or(u32::MAX),
            width_percent: estimate(&tally.values).and_then(|e| e.width_percent()),
            settled: tally.settled,
        })
    }

    /// Remaining executions and time; `expected` is for probe lines that have not run yet. Level changes
    /// count with their median times, unseen ones with 0.
    pub fn left(&self, expected: impl Fn(&Cell) -> Option<Nanos>) -> RemainingWork {
        let least = self.plan.repeats.least;
        let early = || self.due().filter(move |cell| self.rule.is_none() || cell.block <= least);
        let count = |cells: usize| u32::try_from(cells).unwrap_or(u32::MAX);
        RemainingWork {
            cells_least: count(early().count()),
            cells_most: count(self.due().count()),
            time_least: self.times.of(self.plan, early(), &self.in_place, &expected),
            time_most: self.times.of(self.plan, self.due(), &self.in_place, &expected),
        }
    }
}

#[cfg(test)]
mod tests;
