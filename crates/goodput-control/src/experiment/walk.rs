//! The walk itself: cell after cell, each step on disk before the next begins.
//!
//! What went wrong with one cell is written down as that cell's outcome and the walk goes on. It ends early when somebody
//! asks for it, when nothing can be written down any more, and when levels fail to be put in place again and again.

use super::level_setter::{Change, LevelSetter};
use super::measuring::{Measured, Measuring};
use super::streak::Streak;
use goodput_experiment::{Plan, Progress, ProgressError, line};
use goodput_model::Experiment;
use goodput_model::experiment::record::{Cell, CellOutcome, Step};
use goodput_model::experiment::{Factor, Levels, Means};
use goodput_probe::Cancel;
use jiff::Timestamp;
use std::time::Duration;

pub struct Walk<'a> {
    /// The experiment, its roles standing for hosts as they are reached now.
    pub experiment: &'a Experiment,
    pub plan: &'a Plan,
    pub level_setter: &'a mut dyn LevelSetter,
    pub measuring: &'a mut dyn Measuring,
    /// Writes a step into the run; it is on disk when the call returns.
    pub record: &'a mut dyn FnMut(&Step) -> Result<(), String>,
    pub tell: &'a mut dyn FnMut(News<'_>, &Progress<'_>),
    /// Somebody asks for an end.
    pub cancel: &'a Cancel,
}

#[derive(Debug, Clone, Copy)]
pub enum News<'a> {
    /// A level that a former time has left was put back, or could not be.
    Recovered(&'a Step),
    /// These levels are about to be put in place.
    Setting(&'a [Change<'a>]),
    /// This execution is about to begin, with these words.
    Began(&'a Cell, &'a [String]),
    Ended(&'a Cell, &'a CellOutcome),
    /// What was changed is about to be put back.
    Restoring,
    /// It was put back, or could not be.
    Restored(&'a Step),
}

/// What this walk has put in place itself: what an earlier one has may be long ago.
#[derive(Debug, Default)]
struct InPlace {
    levels: Levels,
    /// True after it was found not to have lasted: the level setter are asked anew also where no level is wanted of them, because
    /// the hosts themselves may be gone.
    lost: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ended {
    Done,
    /// Somebody asked for an end; the run can be gone on with.
    Interrupted,
    /// It does not get on; the run can be gone on with.
    Stopped {
        cause: String,
    },
}

/// Why a walk could not be made or gone on with.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WalkError {
    /// The experiment cannot begin.
    #[error("levels cannot be put in place: {0}")]
    Prepare(String),
    /// A step could not be written down, and so nothing more may happen.
    #[error("the run cannot be written: {0}")]
    Record(String),
    /// The log and the plan do not belong together.
    #[error(transparent)]
    Progress(#[from] ProgressError),
}

#[derive(Debug)]
pub struct Walked {
    pub end: Result<Ended, WalkError>,
    /// What could not be put back: the factor and why, one sentence each.
    pub not_restored: Vec<(String, String)>,
}

/// Goes on from this progress to the end of the plan, or as far as it comes, and puts back what it changed.
pub fn walk(mut walk: Walk<'_>, progress: &mut Progress<'_>) -> Walked {
    let end = walk.through(progress);
    let not_restored = walk.restored(progress);
    Walked { end, not_restored }
}

/// The factors whose levels are put in place by `LevelSetter`, in the order of the file.
pub fn set_on_hosts(experiment: &Experiment) -> Vec<&Factor> {
    experiment.factors.iter().filter(|f| f.means != Means::Argument).collect()
}

/// The time of a step: RFC 3339, UTC.
pub fn now() -> String {
    Timestamp::now().to_string()
}

impl Walk<'_> {
    fn through(&mut self, progress: &mut Progress<'_>) -> Result<Ended, WalkError> {
        let experiment = self.experiment;
        let factors = set_on_hosts(experiment);
        if progress.next().is_some() {
            let recovered = match self.level_setter.prepare(&factors) {
                Ok(steps) => steps,
                Err(_) if self.cancel.is_cancelled() => return Ok(Ended::Interrupted),
                Err(cause) => return Err(WalkError::Prepare(cause)),
            };
            for step in recovered {
                (self.tell)(News::Recovered(&step), progress);
                self.write(progress, &step)?;
            }
        }
        let mut in_place = InPlace::default();
        let mut streak = Streak::default();
        while let Some(cell) = progress.next() {
            if self.cancel.is_cancelled() {
                return Ok(Ended::Interrupted);
            }
            let changes = changes(&factors, &in_place.levels, cell);
            if in_place.lost || !changes.is_empty() {
                (self.tell)(News::Setting(&changes), progress);
                match self.level_setter.put(&changes) {
                    Ok(obtained) => {
                        streak = Streak::default();
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

    /// Writes down that these levels are in place.
    fn in_place(
        &mut self,
        progress: &mut Progress<'_>,
        changes: &[Change<'_>],
        obtained: Vec<Vec<String>>,
        in_place: &mut InPlace,
    ) -> Result<(), WalkError> {
        in_place.lost = false;
        let obtained = obtained.into_iter().chain(std::iter::repeat(Vec::new()));
        for (change, obtained) in changes.iter().zip(obtained) {
            let (factor, level) = (change.factor.name.clone(), change.level.name.clone());
            in_place.levels.insert(factor.clone(), level.clone());
            self.write(progress, &Step::LevelSet { factor, level, obtained, at: now() })?;
        }
        Ok(())
    }

    /// Writes down a cell that was not tried.
    fn not_set(&mut self, progress: &mut Progress<'_>, cell: &Cell, cause: String) -> Result<(), WalkError> {
        self.write(progress, &Step::CellStarted { cell: cell.clone(), at: now() })?;
        self.ended(
            progress,
            cell,
            Measured { outcome: None, trials: Vec::new(), figure: None },
            CellOutcome::NotSet { cause },
        )
    }

    /// One execution. Returns false when it was broken off because somebody asked for an end.
    fn cell(
        &mut self,
        progress: &mut Progress<'_>,
        cell: &Cell,
        factors: &[&Factor],
        in_place: &mut InPlace,
    ) -> Result<bool, WalkError> {
        self.write(progress, &Step::CellStarted { cell: cell.clone(), at: now() })?;
        let probe = self.experiment.probes.iter().find(|p| p.name == cell.probe);
        let measured = match (line::of_cell(self.experiment, cell), probe) {
            (Ok(words), Some(probe)) => {
                (self.tell)(News::Began(cell, &words), progress);
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
            // What it measured, it measured at levels that nobody knows.
            Err(cause) => {
                *in_place = InPlace { levels: Levels::new(), lost: true };
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
    ) -> Result<(), WalkError> {
        let Measured { trials, figure, .. } = measured;
        let step = Step::CellEnded { number: cell.number, outcome: outcome.clone(), trials, at: now() };
        (self.record)(&step).map_err(WalkError::Record)?;
        progress.take(&step, |_, _| figure)?;
        (self.tell)(News::Ended(cell, &outcome), progress);
        Ok(())
    }

    /// Puts back what was changed, whatever happened before. What it writes down is a help for readers: the journal of
    /// the level setter is what a later time goes by, so that a full disk does not keep levels from being restored.
    fn restored(&mut self, progress: &mut Progress<'_>) -> Vec<(String, String)> {
        (self.tell)(News::Restoring, progress);
        let mut sentences = Vec::new();
        for step in self.level_setter.restore() {
            (self.tell)(News::Restored(&step), progress);
            if let Step::NotRestored { factor, cause } = &step {
                sentences.push((factor.clone(), cause.clone()));
            }
            let _ = self.write(progress, &step);
        }
        sentences
    }

    /// On disk first, then counted.
    fn write(&mut self, progress: &mut Progress<'_>, step: &Step) -> Result<(), WalkError> {
        (self.record)(step).map_err(WalkError::Record)?;
        progress.take(step, |_, _| None)?;
        Ok(())
    }
}

fn failed(cause: String) -> Measured {
    Measured { outcome: Some(CellOutcome::Failed { cause }), trials: Vec::new(), figure: None }
}

/// The levels that are not in place and that the cell wants, in the order of the file.
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
