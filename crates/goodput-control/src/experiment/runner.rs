//! The loop over cells: each step is on disk before the next begins. A failed cell is recorded and the loop
//! continues. It stops on request, when steps cannot be recorded, and when levels cannot be set repeatedly.

use super::command_runner::{CommandOutcome, CommandRunner};
use super::failure_streak::FailureStreak;
use super::level_setter::{LevelChange, LevelSetter};
use goodput_experiment::{ExecutionPlan, ExecutionProgress, ProgressError, probe_command};
use goodput_model::Experiment;
use goodput_model::experiment::execution_record::{CellExecution, CellOutcome, ExperimentStep};
use goodput_model::experiment::{Factor, FactorLevels, LevelMethod};
use goodput_probe::CancelFlag;
use jiff::Timestamp;
use std::time::Duration;

pub struct ExperimentRunner<'a> {
    /// The experiment with its roles resolved to hosts.
    pub experiment: &'a Experiment,
    pub plan: &'a ExecutionPlan,
    pub level_setter: &'a mut dyn LevelSetter,
    pub measuring: &'a mut dyn CommandRunner,
    /// Appends a step; it is on disk when the call returns.
    pub record: &'a mut dyn FnMut(&ExperimentStep) -> Result<(), String>,
    pub tell: &'a mut dyn FnMut(RunnerEvent<'_>, &ExecutionProgress<'_>),
    pub cancel: &'a CancelFlag,
}

#[derive(Debug, Clone, Copy)]
pub enum RunnerEvent<'a> {
    /// A level from an earlier process was restored, or could not be.
    Recovered(&'a ExperimentStep),
    Setting(&'a [LevelChange<'a>]),
    Began(&'a CellExecution, &'a [String]),
    Ended(&'a CellExecution, &'a CellOutcome),
    Restoring,
    Restored(&'a ExperimentStep),
}

/// Levels set by this process.
#[derive(Debug, Default)]
struct CurrentLevels {
    levels: FactorLevels,
    /// True after levels did not last: the setter is then called even without changes, because the hosts
    /// themselves may be gone.
    lost: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RunCompletion {
    Done,
    /// On request or (`ShutdownSignal`) after failures; the run can be resumed.
    Interrupted,
    Stopped {
        cause: String,
    },
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RunnerError {
    #[error("levels cannot be put in place: {0}")]
    Prepare(String),
    #[error("the run cannot be written: {0}")]
    Record(String),
    #[error(transparent)]
    Progress(#[from] ProgressError),
}

#[derive(Debug)]
pub struct RunOutcome {
    pub end: Result<RunCompletion, RunnerError>,
    /// Factors that could not be restored, and why.
    pub not_restored: Vec<(String, String)>,
}

/// Continues from this progress to the end of the plan, and restores the hosts.
pub fn run_cells(mut walk: ExperimentRunner<'_>, progress: &mut ExecutionProgress<'_>) -> RunOutcome {
    let end = walk.through(progress);
    let not_restored = walk.restored(progress);
    RunOutcome { end, not_restored }
}

/// Factors that `LevelSetter` sets, in file order.
pub fn host_setting_factors(experiment: &Experiment) -> Vec<&Factor> {
    experiment.factors.iter().filter(|f| f.means != LevelMethod::Argument).collect()
}

/// RFC 3339, UTC.
pub fn now_rfc3339() -> String {
    Timestamp::now().to_string()
}

impl ExperimentRunner<'_> {
    fn through(&mut self, progress: &mut ExecutionProgress<'_>) -> Result<RunCompletion, RunnerError> {
        let experiment = self.experiment;
        let factors = host_setting_factors(experiment);
        if progress.next_cell().is_some() {
            let recovered = match self.level_setter.prepare(&factors) {
                Ok(steps) => steps,
                Err(_) if self.cancel.is_cancelled() => return Ok(RunCompletion::Interrupted),
                Err(cause) => return Err(RunnerError::Prepare(cause)),
            };
            for step in recovered {
                (self.tell)(RunnerEvent::Recovered(&step), progress);
                self.write(progress, &step)?;
            }
        }
        let mut in_place = CurrentLevels::default();
        let mut streak = FailureStreak::default();
        while let Some(cell) = progress.next_cell() {
            if self.cancel.is_cancelled() {
                return Ok(RunCompletion::Interrupted);
            }
            let changes = changes(&factors, &in_place.levels, cell);
            if in_place.lost || !changes.is_empty() {
                (self.tell)(RunnerEvent::Setting(&changes), progress);
                match self.level_setter.set_levels(&changes) {
                    Ok(obtained) => {
                        streak = FailureStreak::default();
                        self.in_place(progress, &changes, obtained, &mut in_place)?;
                    }
                    Err(_) if self.cancel.is_cancelled() => return Ok(RunCompletion::Interrupted),
                    Err(cause) => {
                        changes.iter().for_each(|c| drop(in_place.levels.remove(&c.factor.name)));
                        let hopeless = streak.add_failure(&changes);
                        self.not_set(progress, cell, cause.clone())?;
                        if hopeless {
                            return Ok(RunCompletion::Stopped { cause: streak.stop_reason(&cause) });
                        }
                        continue;
                    }
                }
            }
            if !self.cell(progress, cell, &factors, &mut in_place)? {
                return Ok(RunCompletion::Interrupted);
            }
        }
        Ok(RunCompletion::Done)
    }

    fn in_place(
        &mut self,
        progress: &mut ExecutionProgress<'_>,
        changes: &[LevelChange<'_>],
        obtained: Vec<Vec<String>>,
        in_place: &mut CurrentLevels,
    ) -> Result<(), RunnerError> {
        in_place.lost = false;
        let obtained = obtained.into_iter().chain(std::iter::repeat(Vec::new()));
        for (change, obtained) in changes.iter().zip(obtained) {
            let (factor, level) = (change.factor.name.clone(), change.level.name.clone());
            in_place.levels.insert(factor.clone(), level.clone());
            self.write(progress, &ExperimentStep::LevelSet { factor, level, obtained, at: now_rfc3339() })?;
        }
        Ok(())
    }

    fn not_set(
        &mut self,
        progress: &mut ExecutionProgress<'_>,
        cell: &CellExecution,
        cause: String,
    ) -> Result<(), RunnerError> {
        self.write(progress, &ExperimentStep::CellStarted { cell: cell.clone(), at: now_rfc3339() })?;
        self.ended(
            progress,
            cell,
            CommandOutcome { outcome: None, trials: Vec::new(), figure: None },
            CellOutcome::NotSet { cause },
        )
    }

    /// Runs one execution. False when it was cancelled.
    fn cell(
        &mut self,
        progress: &mut ExecutionProgress<'_>,
        cell: &CellExecution,
        factors: &[&Factor],
        in_place: &mut CurrentLevels,
    ) -> Result<bool, RunnerError> {
        self.write(progress, &ExperimentStep::CellStarted { cell: cell.clone(), at: now_rfc3339() })?;
        let probe = self.experiment.probes.iter().find(|p| p.name == cell.probe);
        let measured = match (probe_command::arguments_for_cell(self.experiment, cell), probe) {
            (Ok(words), Some(probe)) => {
                (self.tell)(RunnerEvent::Began(cell, &words), progress);
                let limit = Duration::from_nanos(probe.time_limit.0);
                self.measuring.run_command(cell, &words, limit, self.cancel)
            }
            (Err(e), _) => failed(e.to_string()),
            (Ok(_), None) => failed(format!("the experiment has no probe line {}", cell.probe)),
        };
        let Some(outcome) = measured.outcome.clone() else { return Ok(false) };
        let levels = standing(factors, &in_place.levels);
        let outcome = match self.level_setter.verify_levels(&levels) {
            Ok(()) => outcome,
            // Its result belongs to unknown levels.
            Err(cause) => {
                *in_place = CurrentLevels { levels: FactorLevels::new(), lost: true };
                match outcome {
                    CellOutcome::Done => {
                        CellOutcome::NotSet { cause: format!("its levels did not last: {cause}") }
                    }
                    tried => tried,
                }
            }
        };
        self.ended(progress, cell, measured, outcome)?;
        Ok(true)
    }

    fn ended(
        &mut self,
        progress: &mut ExecutionProgress<'_>,
        cell: &CellExecution,
        measured: CommandOutcome,
        outcome: CellOutcome,
    ) -> Result<(), RunnerError> {
        let CommandOutcome { trials, figure, .. } = measured;
        let step = ExperimentStep::CellEnded {
            number: cell.number,
            outcome: outcome.clone(),
            trials,
            at: now_rfc3339(),
        };
        (self.record)(&step).map_err(RunnerError::Record)?;
        progress.apply_step(&step, |_, _| figure)?;
        (self.tell)(RunnerEvent::Ended(cell, &outcome), progress);
        Ok(())
    }

    /// Restores the hosts in every case. The setter's own journal is authoritative, so a full disk does not
    /// prevent it.
    fn restored(&mut self, progress: &mut ExecutionProgress<'_>) -> Vec<(String, String)> {
        (self.tell)(RunnerEvent::Restoring, progress);
        let mut sentences = Vec::new();
        for step in self.level_setter.restore_all() {
            (self.tell)(RunnerEvent::Restored(&step), progress);
            if let ExperimentStep::NotRestored { factor, cause } = &step {
                sentences.push((factor.clone(), cause.clone()));
            }
            let _ = self.write(progress, &step);
        }
        sentences
    }

    /// On disk first, then counted.
    fn write(
        &mut self,
        progress: &mut ExecutionProgress<'_>,
        step: &ExperimentStep,
    ) -> Result<(), RunnerError> {
        (self.record)(step).map_err(RunnerError::Record)?;
        progress.apply_step(step, |_, _| None)?;
        Ok(())
    }
}

fn failed(cause: String) -> CommandOutcome {
    CommandOutcome { outcome: Some(CellOutcome::Failed { cause }), trials: Vec::new(), figure: None }
}

fn changes<'a>(
    factors: &[&'a Factor],
    in_place: &FactorLevels,
    cell: &CellExecution,
) -> Vec<LevelChange<'a>> {
    let wanted = |factor: &'a Factor| {
        let name = cell.levels.get(&factor.name)?;
        let level = factor.levels.iter().find(|level| level.name == *name)?;
        (in_place.get(&factor.name) != Some(name)).then_some(LevelChange { factor, level })
    };
    factors.iter().copied().filter_map(wanted).collect()
}

fn standing<'a>(factors: &[&'a Factor], in_place: &FactorLevels) -> Vec<LevelChange<'a>> {
    let of = |factor: &'a Factor| {
        let name = in_place.get(&factor.name)?;
        Some(LevelChange { factor, level: factor.levels.iter().find(|level| level.name == *name)? })
    };
    factors.iter().copied().filter_map(of).collect()
}

#[cfg(test)]
mod tests;
