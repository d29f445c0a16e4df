//! The loop over cells: each step is on disk before the next begins. A failed cell is recorded and the loop
//! continues. It stops on request, when steps cannot be recorded, and when levels cannot be set repeatedly.

use super::command_runner::{CommandOutcome, CommandRunner};
use super::failure_streak::FailureStreak;
use super::level_setter::{LevelChange, LevelSetter};
use goodput_experiment::{ExecutionPlan, ExecutionProgress, ExperimentError, probe_command};
use goodput_model::Experiment;
use goodput_model::experiment::execution_record::{CellExecution, CellOutcome, ExperimentStep};
use goodput_model::experiment::{Factor, FactorLevels, LevelSettingMethod};
use goodput_probe::CancelFlag;
use goodput_words::{ErrorMessage, Message, error_messages, message};
use jiff::Timestamp;
use std::time::Duration;

pub struct ExperimentRunner<'a> {
    /// The experiment with its roles resolved to hosts.
    pub experiment: &'a Experiment,
    pub plan: &'a ExecutionPlan,
    pub level_setter: &'a mut dyn LevelSetter,
    pub measuring: &'a mut dyn CommandRunner,
    /// Appends a step; it is on disk when the call returns.
    pub record: &'a mut dyn FnMut(&ExperimentStep) -> Result<(), Message>,
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

#[derive(Debug, Clone, PartialEq)]
pub enum RunCompletion {
    Done,
    /// On request or (`ShutdownSignal`) after failures; the run can be resumed.
    Interrupted,
    Stopped {
        cause: Message,
    },
}

#[derive(Debug, Clone, PartialEq)]
pub enum RunnerError {
    Prepare(Message),
    Record(Message),
    Progress(ExperimentError),
}

error_messages! {
    RunnerError {
        RunnerError::Prepare(why) => message!(error_levels_cannot_be_put { why }),
        RunnerError::Record(why) => message!(error_experiment_not_written { why }),
        RunnerError::Progress(e) => e.message(),
    }
    from { ExperimentError => RunnerError::Progress }
}

#[derive(Debug)]
pub struct RunOutcome {
    pub end: Result<RunCompletion, RunnerError>,
    /// Factors that could not be restored, and why.
    pub not_restored: Vec<(String, Message)>,
}

/// Continues from this progress to the end of the plan, and restores the hosts.
pub fn run_cells(runner: ExperimentRunner<'_>, progress: &mut ExecutionProgress<'_>) -> RunOutcome {
    let factors = host_setting_factors(runner.experiment);
    let mut walk = Walk { runner, progress, factors, levels: FactorLevels::new(), lost: false };
    let end = walk.through();
    let not_restored = walk.restored();
    RunOutcome { end, not_restored }
}

struct Walk<'a, 'b, 'p> {
    runner: ExperimentRunner<'a>,
    progress: &'b mut ExecutionProgress<'p>,
    /// Those that the setter sets, in file order.
    factors: Vec<&'a Factor>,
    /// Levels set by this process.
    levels: FactorLevels,
    /// After levels did not last: the setter is called even without changes, because the hosts may be gone.
    lost: bool,
}

/// Factors that `LevelSetter` sets, in file order.
pub fn host_setting_factors(experiment: &Experiment) -> Vec<&Factor> {
    experiment.factors.iter().filter(|f| f.means != LevelSettingMethod::Argument).collect()
}

/// RFC 3339, UTC.
pub fn now_rfc3339() -> String {
    Timestamp::now().to_string()
}

impl Walk<'_, '_, '_> {
    fn through(&mut self) -> Result<RunCompletion, RunnerError> {
        if self.progress.next_cell().is_some() {
            let recovered = match self.runner.level_setter.prepare_factors(&self.factors) {
                Ok(steps) => steps,
                Err(_) if self.runner.cancel.is_cancelled() => return Ok(RunCompletion::Interrupted),
                Err(cause) => return Err(RunnerError::Prepare(cause)),
            };
            for step in recovered {
                self.tell(RunnerEvent::Recovered(&step));
                self.write(&step)?;
            }
        }
        let mut streak = FailureStreak::default();
        while let Some(cell) = self.progress.next_cell() {
            if self.runner.cancel.is_cancelled() {
                return Ok(RunCompletion::Interrupted);
            }
            let changes = changes(&self.factors, &self.levels, cell);
            if self.lost || !changes.is_empty() {
                self.tell(RunnerEvent::Setting(&changes));
                match self.runner.level_setter.set_levels(&changes) {
                    Ok(obtained) => {
                        streak = FailureStreak::default();
                        self.in_place(&changes, obtained)?;
                    }
                    Err(_) if self.runner.cancel.is_cancelled() => return Ok(RunCompletion::Interrupted),
                    Err(cause) => {
                        changes.iter().for_each(|c| drop(self.levels.remove(&c.factor.name)));
                        let hopeless = streak.add_failure(&changes);
                        self.not_set(cell, cause.clone())?;
                        if hopeless {
                            return Ok(RunCompletion::Stopped { cause: streak.stop_reason(cause) });
                        }
                        continue;
                    }
                }
            }
            if !self.cell(cell)? {
                return Ok(RunCompletion::Interrupted);
            }
        }
        Ok(RunCompletion::Done)
    }

    fn tell(&mut self, event: RunnerEvent<'_>) {
        (self.runner.tell)(event, self.progress);
    }

    fn in_place(
        &mut self,
        changes: &[LevelChange<'_>],
        obtained: Vec<Vec<String>>,
    ) -> Result<(), RunnerError> {
        self.lost = false;
        let obtained = obtained.into_iter().chain(std::iter::repeat(Vec::new()));
        for (change, obtained) in changes.iter().zip(obtained) {
            let (factor, level) = (change.factor.name.clone(), change.level.name.clone());
            self.levels.insert(factor.clone(), level.clone());
            self.write(&ExperimentStep::LevelSet { factor, level, obtained, at: now_rfc3339() })?;
        }
        Ok(())
    }

    fn not_set(&mut self, cell: &CellExecution, cause: Message) -> Result<(), RunnerError> {
        self.write(&ExperimentStep::CellStarted { cell: cell.clone(), at: now_rfc3339() })?;
        self.ended(cell, CommandOutcome::default(), CellOutcome::NotSet { cause })
    }

    /// Runs one execution. False when it was cancelled.
    fn cell(&mut self, cell: &CellExecution) -> Result<bool, RunnerError> {
        self.write(&ExperimentStep::CellStarted { cell: cell.clone(), at: now_rfc3339() })?;
        let experiment = self.runner.experiment;
        let probe = experiment.probes.iter().find(|p| p.name == cell.probe);
        let arguments = probe_command::probe_arguments_for_cell(experiment, &cell.probe, &cell.levels);
        let measured = match (arguments, probe) {
            (Ok(words), Some(probe)) => {
                self.tell(RunnerEvent::Began(cell, &words));
                let limit = Duration::from_nanos(probe.time_limit.0);
                self.runner.measuring.run_command(cell, &words, limit, self.runner.cancel)
            }
            (Err(e), _) => failed(e.message()),
            (Ok(_), None) => failed(format!("the experiment has no probe line {}", cell.probe).into()),
        };
        let Some(outcome) = measured.outcome.clone() else { return Ok(false) };
        let levels = standing(&self.factors, &self.levels);
        let outcome = match self.runner.level_setter.verify_levels(&levels) {
            Ok(()) => outcome,
            // Its result belongs to unknown levels.
            Err(cause) => {
                (self.levels, self.lost) = (FactorLevels::new(), true);
                match outcome {
                    CellOutcome::Done => {
                        CellOutcome::NotSet { cause: message!(cause_levels_did_not_last { why: cause }) }
                    }
                    tried => tried,
                }
            }
        };
        self.ended(cell, measured, outcome)?;
        Ok(true)
    }

    fn ended(
        &mut self,
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
        (self.runner.record)(&step).map_err(RunnerError::Record)?;
        self.progress.apply_experiment_step(&step, |_, _| figure)?;
        self.tell(RunnerEvent::Ended(cell, &outcome));
        Ok(())
    }

    /// Restores the hosts in every case: the setter's own journal counts, so a full disk does not prevent it.
    fn restored(&mut self) -> Vec<(String, Message)> {
        self.tell(RunnerEvent::Restoring);
        let mut sentences = Vec::new();
        for step in self.runner.level_setter.restore_all() {
            self.tell(RunnerEvent::Restored(&step));
            if let ExperimentStep::NotRestored { factor, cause } = &step {
                sentences.push((factor.clone(), cause.clone()));
            }
            let _ = self.write(&step);
        }
        sentences
    }

    /// On disk first, then counted.
    fn write(&mut self, step: &ExperimentStep) -> Result<(), RunnerError> {
        (self.runner.record)(step).map_err(RunnerError::Record)?;
        self.progress.apply_experiment_step(step, |_, _| None)?;
        Ok(())
    }
}

fn failed(cause: Message) -> CommandOutcome {
    CommandOutcome { outcome: Some(CellOutcome::Failed { cause }), ..CommandOutcome::default() }
}

fn changes<'a>(
    factors: &[&'a Factor],
    in_place: &FactorLevels,
    cell: &CellExecution,
) -> Vec<LevelChange<'a>> {
    let mut wanted = standing(factors, &cell.levels);
    wanted.retain(|change| in_place.get(&change.factor.name) != Some(&change.level.name));
    wanted
}

fn standing<'a>(factors: &[&'a Factor], levels: &FactorLevels) -> Vec<LevelChange<'a>> {
    let of = |factor: &'a Factor| {
        let name = levels.get(&factor.name)?;
        Some(LevelChange { factor, level: factor.levels.iter().find(|level| level.name == *name)? })
    };
    factors.iter().copied().filter_map(of).collect()
}

#[cfg(test)]
mod tests;
