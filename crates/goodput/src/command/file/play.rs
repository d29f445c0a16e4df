//! Makes the trials of a run on files: what is to be made ready, what is measured, and what is removed in any case.

use super::super::measure::{self, Record};
use super::course::Course;
use super::trouble;
use crate::args::measuring::Options;
use crate::exit::Exit;
use crate::failure::{self, Failure};
use crate::interrupt;
use crate::screen::Screen;
use goodput_analysis::file::place::words;
use goodput_control::files::FileSession;
use goodput_control::{Cancel, TrialPlan};
use goodput_model::file::{FileWork, Place};
use goodput_model::record::NoRecord;
use goodput_model::trial::{HostBus, Medium};
use goodput_model::{File, Outcome, Probe, Trial};

/// A run under way.
pub struct Play<'a> {
    /// The hosts.
    pub session: &'a FileSession,
    /// Where trials are recorded.
    pub record: Record,
    /// Where progress goes.
    pub screen: Screen,
    /// The user asks for an end.
    pub cancel: &'a Cancel,
    /// What was typed.
    pub options: &'a Options,
    /// The medium between clients and server.
    pub medium: Option<Medium>,
    /// A bus inside one of them.
    pub bus: Option<HostBus>,
    /// The place that is meant; only what goes there passes that medium.
    pub place: &'a Place,
    /// What removes a folder of ours that could not be removed.
    pub cleaning: String,
    /// The run's seed.
    pub seed: u64,
    /// What was measured so far.
    pub trials: Vec<Trial>,
    /// What went wrong.
    pub trouble: Option<Failure>,
}

impl Play<'_> {
    /// Makes all trials, as far as nothing goes wrong.
    pub fn all(mut self, courses: &[Course]) -> Self {
        for course in courses {
            if !self.part(course) {
                break;
            }
        }
        self
    }

    /// Makes the trials of a part. Returns false when no other part is to follow.
    fn part(&mut self, course: &Course) -> bool {
        let mut made = 0;
        for file in &course.prepare {
            if self.cancel.is_cancelled() {
                break;
            }
            // Counted before it has gone well: what broke off may have left something as well.
            made += 1;
            if let Err(failure) = self.behind_the_scenes(file, self.cancel) {
                self.trouble = Some(failure);
                break;
            }
        }
        let prepared = self.trouble.is_none() && made == course.prepare.len();
        if prepared && self.warmed_up(course) {
            self.measured(course);
        }
        self.removed(&course.remove[..made.min(course.remove.len())], prepared);
        self.trouble.is_none() && !self.cancel.is_cancelled() && self.whole()
    }

    fn whole(&self) -> bool {
        self.trials.last().is_some_and(|t| t.outcome == Outcome::Complete)
    }

    /// The rounds that do not count. What goes wrong in them goes wrong in those that do as well, and is told of those.
    fn warmed_up(&mut self, course: &Course) -> bool {
        for file in &course.warm_up {
            if self.cancel.is_cancelled() {
                return false;
            }
            if self.behind_the_scenes(file, self.cancel).is_err() {
                break;
            }
        }
        !self.cancel.is_cancelled()
    }

    fn measured(&mut self, course: &Course) {
        for file in &course.measure {
            if self.cancel.is_cancelled() {
                return;
            }
            let number = self.trials.len() as u32 + 1;
            let seed = self.seed.wrapping_add(u64::from(number) - 1);
            let plan = self.plan(File { seed, ..file.clone() }, number);
            self.screen.asking();
            let screen = &mut self.screen;
            match self.session.run(&plan, &mut self.record, &mut |event| screen.event(event), self.cancel) {
                Ok(trial) => self.trials.push(trial),
                Err(e) => {
                    self.trouble = Some(failure::control("the trial was not made", &e));
                    return;
                }
            }
            if !self.whole() {
                self.trouble = self.trials.last().and_then(broke_off);
                return;
            }
        }
    }

    /// Takes our folders away, whatever happened, and although an end was asked for: a second Ctrl-C ends at once.
    fn removed(&mut self, remove: &[File], prepared: bool) {
        for file in remove {
            let Err(failure) = self.behind_the_scenes(file, &Cancel::default()) else { continue };
            if !prepared {
                // It may never have come to be.
                continue;
            }
            let hint = self.cleaning.clone();
            let what = format!("our folder {} could not be removed", file.workspace);
            self.screen.say(&format!("{what}; {hint}"));
            if self.trouble.is_none() && self.whole() {
                let why = failure.cause.unwrap_or(failure.error);
                self.trouble = Some(Failure::new(Exit::BrokeOff, what).because(why).try_this(hint));
            }
        }
    }

    /// A trial that measures nothing, or does not count: it is not part of the run.
    fn behind_the_scenes(&mut self, file: &File, cancel: &Cancel) -> Result<(), Failure> {
        let plan =
            TrialPlan { live: false, run: None, ..self.plan(file.clone(), self.trials.len() as u32 + 1) };
        self.screen.asking();
        self.screen.aside(true);
        let screen = &mut self.screen;
        let done = self.session.run(&plan, &mut NoRecord, &mut |event| screen.event(event), cancel);
        self.screen.aside(false);
        let what = match file.work {
            FileWork::Remove => format!("our folder in {} could not be removed", words(&file.place, None)),
            _ => format!("nothing could be made ready in {}", words(&file.place, None)),
        };
        let measuring = !matches!(file.work, FileWork::Remove);
        match done {
            Ok(Trial { outcome: Outcome::Complete, .. }) => Ok(()),
            _ if measuring && interrupt::asked() => {
                Err(Failure::new(Exit::Interrupted, "interrupted").because("by a signal, as asked"))
            }
            Ok(Trial { outcome: Outcome::Partial { cause } | Outcome::Failed { cause }, .. }) => {
                Err(trouble::failure(what, &cause))
            }
            Err(e) => Err(failure::control(&what, &e)),
        }
    }

    fn plan(&self, file: File, number: u32) -> TrialPlan {
        let there = file.place == *self.place || matches!(file.place, Place::Sink { .. });
        TrialPlan {
            deadlines: self.options.deadlines(),
            cpus: self.options.cpus(),
            shared: self.options.shared,
            live: !measure::unseen(self.options),
            watched: self.options.events,
            onlookers: self.screen.onlookers(),
            medium: self.medium.clone().filter(|_| there),
            bus: self.bus.clone().filter(|_| there),
            run: self.record.run(),
            ..TrialPlan::new(self.record.trial(number), Probe::File(file))
        }
    }
}

/// What is told of a trial that is not whole; of one that was interrupted the command tells by itself.
fn broke_off(trial: &Trial) -> Option<Failure> {
    let (exit, what, cause) = match &trial.outcome {
        _ if interrupt::asked() => return None,
        Outcome::Complete => return None,
        Outcome::Partial { cause } => (Exit::BrokeOff, "broke off", cause),
        Outcome::Failed { cause } => (Exit::CannotMeasure, "measured nothing", cause),
    };
    Some(Failure { exit, ..trouble::failure(format!("trial {} {what}", trial.id), cause) })
}
