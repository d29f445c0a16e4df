//! The loop over cells: each step is on disk before the next begins. A failed cell is recorded and the loop
//! continues. It stops on request, when steps cannot be recorded, and when levels cannot be set repeatedly.

use super::failure_streak::FailureStreak;
use super::level_setter::{Change, LevelSetter};
use super::measuring::{Measured, Measuring};
use goodput_experiment::{Plan, Progress, ProgressError, probe_line};
use goodput_model::Experiment;
use goodput_model::experiment::record::{Cell, CellOutcome, Step};
use goodput_model::experiment::{Factor, Levels, Means};
use goodput_probe::Cancel;
use jiff::Timestamp;
use std::time::Duration;

pub struct ExperimentRunner<'a> {
    /// The experiment with its roles resolved to hosts.
    pub experiment: &'a Experiment,
    pub plan: &'a Plan,
    pub level_setter: &'a mut dyn LevelSetter,
    pub measuring: &'a mut dyn Measuring,
    /// Appends a step; it is on disk when the call returns.
    pub record: &'a mut dyn FnMut(&Step) -> Result<(), String>,
    pub tell: &'a mut dyn FnMut(RunnerEvent<'_>, &Progress<'_>),
    pub cancel: &'a Cancel,
}

#[derive(Debug, Clone, Copy)]
pub enum RunnerEvent<'a> {
    /// A level from an earlier process was restored, or could not be.
    Recovered(&'a Step),
    Setting(&'a [Change<'a>]),
    Began(&'a Cell, &'a [String]),
    Ended(&'a Cell, &'a CellOutcome),
    Restoring,
    Restored(&'a Step),
}

/// Levels set by this process.
#[derive(Debug, Default)]
struct CurrentLevels {
    levels: Levels,
    /// True after levels did not last: the setter is then called even without changes, because the hosts
    /// themselves may be gone.
    lost: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ended {
    Done,
    /// On request or (`Stopped`) after failures; the run can be resumed.
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
    pub end: Result<Ended, RunnerError>,
    /// Factors that could not be restored, and why.
    pub not_restored: Vec<(String, String)>,
}

/// Continues from this progress to the end of the plan, and restores the hosts.
pub fn run_cells(mut walk: ExperimentRunner<'_>, progress: &mut Progress<'_>) -> RunOutcome {
    let end = walk.through(progress);
    let not_restored = walk.restored(progress);
    RunOutcome { end, not_restored }
}

/// Factors that `LevelSetter` sets, in file order.
pub fn set_on_hosts(experiment: &Experiment) -> Vec<&Factor> {
    experiment.factors.iter().filter(|f| f.means != Means::Argument).collect()
}

/// RFC 3339, UTC.
pub fn now() -> String {
    Timestamp::now().to_string()
}

impl ExperimentRunner<'_> {
    fn through(&mut self, progress: &mut Progress<'_>) -> Result<Ended, RunnerError> {
        let experiment = self.experiment;
        let factors = set_on_hosts(experiment);
        if progress.next().is_some() {
            let recovered = match self.level_setter.prepare(&factors) {
                Ok(steps) => steps,
                Err(_) if self.cancel.is_cancelled() => return Ok(Ended::Interrupted),
                Err(cause) => return Err(RunnerError::Prepare(cause)),
            };
            for step in recovered {
                (self.tell)(RunnerEvent::Recovered(&step), progress);
                self.write(progress, &step)?;
            }
        }
        let mut in_place = CurrentLevels::default();
        let mut streak = FailureStreak::default();
        while let Some(cell) = progress.next() {
            if self.cancel.is_cancelled() {
                return Ok(Ended::Interrupted);
            }
            let changes = changes(&factors, &in_place.levels, cell);
            if in_place.lost || !changes.is_empty() {
                (self.tell)(RunnerEvent::Setting(&changes), progress);
                match self.level_setter.put(&changes) {
                    Ok(obtained) => {
                        streak = FailureStreak::default();
                        self.in_place(progress, &changes, obtained, &mut in_place)?;
                    }
                    Err(_) if self.cancel.is_cancelled() => return Ok(Ended::Interrupted),
                    Err(cause) => {
                        changes.iter().for_each(|c| drop(in_place.levels.remove(&c.factor.name)));
                        let hopeless = streak.failed(&changes);
                        self.not_set(progress, cell, cause.clone())?;
                        if hopeless {
                            return Ok(Ended::Stopped { cause: streak.sentence(&cause) });
                        }
                        continue;
                    }
                }
            }
            if !self.cell(progress, cell, &factors, &mut in_place)? {
                return Ok(Ended::Interrupted);
            }
        }
        Ok(Ended::Done)
    }

    fn in_place(
        &mut self,
        progress: &mut Progress<'_>,
        changes: &[Change<'_>],
        obtained: Vec<Vec<String>>,
        in_place: &mut CurrentLevels,
    ) -> Result<(), RunnerError> {
        in_place.lost = false;
        let obtained = obtained.into_iter().chain(std::iter::repeat(Vec::new()));
        for (change, obtained) in changes.iter().zip(obtained) {
            let (factor, level) = (change.factor.name.clone(), change.level.name.clone());
            in_place.levels.insert(factor.clone(), level.clone());
            self.write(progress, &Step::LevelSet { factor, level, obtained, at: now() })?;
        }
        Ok(())
    }

    fn not_set(
        &mut self,
        progress: &mut Progress<'_>,
        cell: &Cell,
        cause: String,
    ) -> Result<(), RunnerError> {
        self.write(progress, &Step::CellStarted { cell: cell.clone(), at: now() })?;
        self.ended(
            progress,
            cell,
            Measured { outcome: None, trials: Vec::new(), figure: None },
            CellOutcome::NotSet { cause },
        )
    }

    /// Runs one execution. False when it was cancelled.
    fn cell(
        &mut self,
        progress: &mut Progress<'_>,
        cell: &Cell,
        factors: &[&Factor],
        in_place: &mut CurrentLevels,
    ) -> Result<bool, RunnerError> {
        self.write(progress, &Step::CellStarted { cell: cell.clone(), at: now() })?;
        let probe = self.experiment.probes.iter().find(|p| p.name == cell.probe);
        let measured = match (probe_line::of_cell(self.experiment, cell), probe) {
            (Ok(words), Some(probe)) => {
                (self.tell)(RunnerEvent::Began(cell, &words), progress);
                let limit = Duration::from_nanos(probe.time_limit.0);
                self.measuring.measure(cell, &words, limit, self.cancel)
            }
            (Err(e), _) => failed(e.to_string()),
            (Ok(_), None) => failed(format!("the experiment has no probe line {}", cell.probe)),
        };
        let Some(outcome) = measured.outcome.clone() else { return Ok(false) };
        let levels = standing(factors, &in_place.levels);
        let outcome = match self.level_setter.read_back(&levels) {
            Ok(()) => outcome,
            // Its result belongs to unknown levels.
            Err(cause) => {
                *in_place = CurrentLevels { levels: Levels::new(), lost: true };
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
        progress: &mut Progress<'_>,
        cell: &Cell,
        measured: Measured,
        outcome: CellOutcome,
    ) -> Result<(), RunnerError> {
        let Measured { trials, figure, .. } = measured;
        let step = Step::CellEnded { number: cell.number, outcome: outcome.clone(), trials, at: now() };
        (self.record)(&step).map_err(RunnerError::Record)?;
        progress.take(&step, |_, _| figure)?;
        (self.tell)(RunnerEvent::Ended(cell, &outcome), progress);
        Ok(())
    }

    /// Restores the hosts in every case. The setter's own journal is authoritative, so a full disk does not
    /// prevent it.
    fn restored(&mut self, progress: &mut Progress<'_>) -> Vec<(String, String)> {
        (self.tell)(RunnerEvent::Restoring, progress);
        let mut sentences = Vec::new();
        for step in self.level_setter.restore() {
            (self.tell)(RunnerEvent::Restored(&step), progress);
            if let Step::NotRestored { factor, cause } = &step {
                sentences.push((factor.clone(), cause.clone()));
            }
            let _ = self.write(progress, &step);
        }
        sentences
    }

    /// On disk first, then counted.
    fn write(&mut self, progress: &mut Progress<'_>, step: &Step) -> Result<(), RunnerError> {
        (self.record)(step).map_err(RunnerError::Record)?;
        progress.take(step, |_, _| None)?;
        Ok(())
    }
}

fn failed(cause: String) -> Measured {
    Measured { outcome: Some(CellOutcome::Failed { cause }), trials: Vec::new(), figure: None }
}

fn changes<'a>(factors: &[&'a Factor], in_place: &Levels, cell: &Cell) -> Vec<Change<'a>> {
    let wanted = |factor: &'a Factor| {
        let name = cell.levels.get(&factor.name)?;
        let level = factor.levels.iter().find(|level| level.name == *name)?;
        (in_place.get(&factor.name) != Some(name)).then_some(Change { factor, level })
    };
    factors.iter().copied().filter_map(wanted).collect()
}

fn standing<'a>(factors: &[&'a Factor], in_place: &Levels) -> Vec<Change<'a>> {
    let of = |factor: &'a Factor| {
        let name = in_place.get(&factor.name)?;
        Some(Change { factor, level: factor.levels.iter().find(|level| level.name == *name)? })
    };
    factors.iter().copied().filter_map(of).collect()
}

#[cfg(test)]
mod tests;
