//! State of a job, updated from its command's events. Pure: the time is an argument.

use super::document::{Job, JobProgress, JobState, Prompt};
use crate::command_line_program::CommandRefusal;
use crate::live_events::{LiveEvent, LiveSample, TrialRecordedEvent};
use goodput_model::event_line::{CellProgressLine, EventLine, FailureLine, ManualStepQuestion};
use goodput_model::experiment::execution_record::CellOutcome;
use goodput_model::{Message, Nanos};
use goodput_report::display_text::DisplayText;
use goodput_words::message;
use goodput_words::message_argument::quantity_arg;
use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// Messages kept.
const SAID: usize = 20;
const LONGEST: usize = 400;
const MOVES_ON: Duration = Duration::from_secs(1);

#[derive(Debug, Clone, PartialEq)]
pub struct JobExit {
    /// `None` if a signal ended it, or it never began.
    pub exit: Option<i32>,
    /// Reason without a message of the command: `signal: 9 (SIGKILL)`.
    pub how: Message,
}

#[derive(Debug, Default)]
pub struct JobTracker {
    job: Job,
    said: VecDeque<DisplayText>,
    trials: Option<u32>,
    over: u32,
    cell: Option<CellProgressLine>,
    title: Message,
    /// Start and length of the trial, to estimate progress without live samples.
    trial: Option<(Instant, Option<Nanos>)>,
    share: Option<f64>,
    told: Option<Instant>,
    failure: Option<FailureLine>,
}

impl JobTracker {
    pub fn new(id: String, line: Vec<String>, who: String, asked: String) -> JobTracker {
        let progress = JobProgress { fraction: None, text: "waiting for its turn".into() };
        let job = Job { id, line, who, asked, progress, ..Job::default() };
        JobTracker { job, ..JobTracker::default() }
    }

    /// `now` determines the progress of a trial without live samples.
    pub fn snapshot(&self, now: Instant) -> Job {
        let fraction = if self.job.state == JobState::Done { Some(1.0) } else { self.fraction(now) };
        let progress = JobProgress { fraction, text: self.job.progress.text.clone() };
        Job { progress, said: self.said.iter().cloned().collect(), ..self.job.clone() }
    }

    pub fn id(&self) -> &str {
        &self.job.id
    }

    pub fn state(&self) -> JobState {
        self.job.state
    }

    /// `None` until it is known.
    pub fn run_id(&self) -> Option<&str> {
        self.job.run.as_deref()
    }

    pub fn pending_prompt(&self) -> Option<&Prompt> {
        self.job.prompt.as_ref()
    }

    pub fn mark_started(&mut self, at: String) {
        self.job.state = JobState::Running;
        self.job.started = Some(at);
        self.text("starting");
    }

    pub fn mark_stopping(&mut self) {
        self.job.state = JobState::Stopping;
        self.text("stop requested");
    }

    pub fn mark_start_failed(&mut self, at: String, why: &str) {
        self.job.state = JobState::Failed;
        self.job.ended = Some(at);
        self.fail(CommandRefusal { error: why.into(), cause: None, hint: None });
    }

    fn fail(&mut self, failure: CommandRefusal) {
        self.text(&failure.error);
        self.job.failure = Some(failure);
    }

    pub fn mark_finished(&mut self, at: String, end: JobExit) {
        let stopped = self.job.state == JobState::Stopping;
        // 1 means measured with a failed requirement, which is a result.
        let well = matches!(end.exit, Some(0 | 1));
        self.job.state = if well { JobState::Done } else { JobState::Failed };
        self.job.exit = end.exit;
        self.job.ended = Some(at);
        self.job.prompt = None;
        self.trial = None;
        self.share = None;
        let told = self.failure.take().map(|f| CommandRefusal {
            error: f.error.into(),
            cause: f.cause.map(Message::from),
            hint: f.hint.map(Message::from),
        });
        if well {
            self.text("done");
        } else {
            self.fail(told.unwrap_or_else(|| CommandRefusal {
                error: if stopped { "stopped" } else { "the command ended without output" }.into(),
                cause: Some(end.how),
                hint: None,
            }));
        }
    }

    pub fn add_message(&mut self, sentence: impl Into<Message>) {
        let mut sentence: Message = sentence.into();
        if sentence.id().is_empty() {
            sentence = sentence.trim_end().chars().take(LONGEST).collect::<String>().into();
        }
        if sentence.is_empty() {
            return;
        }
        if self.said.len() == SAID {
            self.said.pop_front();
        }
        self.said.push_back(sentence.into());
    }

    pub fn apply_event(&mut self, line: EventLine, now: Instant) -> Vec<LiveEvent> {
        let mut told = Vec::new();
        let mut moves_on = false;
        match line {
            EventLine::Started { run, trials } => {
                self.job.run = run.map(|run| run.to_string());
                self.trials = trials;
                told.extend(self.job.run.is_some().then_some(LiveEvent::Runs));
            }
            EventLine::Waiting { host, place, holder } => {
                self.text(message!(progress_waiting { host, place, holder }));
            }
            EventLine::TrialStarted { title, planned, counts, .. } => {
                self.trial = counts.then_some((now, planned));
                self.share = None;
                self.title = title.into();
                self.text(self.title.clone());
            }
            EventLine::Live(live) => {
                moves_on = true;
                self.share = live.done.or(self.share);
                let title = &self.title;
                let text = match live.elapsed_ns {
                    None | Some(0) => message!(served_warming_up { title }),
                    Some(elapsed) => {
                        let seconds = elapsed as f64 / 1e9;
                        let time = quantity_arg(seconds, "s", format!("{seconds:.1} s"));
                        message!(served_trial_for { title, time })
                    }
                };
                self.text(text);
                told.push(LiveEvent::Live(LiveSample::from_progress_line(Some(&self.job.id), live)));
            }
            EventLine::TrialFinished { run, trial, outcome, cause } => {
                self.over += 1;
                (self.trial, self.share) = (None, None);
                let (title, cause) = (&self.title, cause.map(Message::from).unwrap_or_default());
                let said = match outcome.as_str() {
                    "complete" => Message::default(),
                    "failed" => message!(progress_failed { title, cause }),
                    _ => message!(served_trial_partial { title, cause }),
                };
                self.add_message(said);
                if let Some(run) = run {
                    told.push(LiveEvent::Recorded(TrialRecordedEvent {
                        run: run.to_string(),
                        trial: trial.0,
                    }));
                }
            }
            EventLine::Cell(cell) => self.cell(cell),
            EventLine::Ask(ManualStepQuestion { id, factor, level, text, must_show, wrong }) => {
                self.text("waiting for a manual step");
                let level = format!("{factor} = {level}");
                self.job.prompt = Some(Prompt { id, text, level, must_show, wrong });
                told.push(LiveEvent::Prompt { job: self.job.id.clone() });
            }
            EventLine::Answered { id } => {
                if self.job.prompt.as_ref().is_some_and(|prompt| prompt.id == id) {
                    self.job.prompt = None;
                    told.push(LiveEvent::Prompt { job: self.job.id.clone() });
                }
            }
            EventLine::Said { text } => {
                moves_on = true;
                self.add_message(text);
            }
            EventLine::Finished { run, failure, .. } => {
                self.job.run = run.map(|run| run.to_string()).or(self.job.run.take());
                self.failure = failure;
            }
            EventLine::Unknown => return told,
        }
        if !moves_on || self.told.is_none_or(|at| now.saturating_duration_since(at) >= MOVES_ON) {
            self.told = Some(now);
            told.push(LiveEvent::Job(self.snapshot(now)));
        }
        told
    }

    fn text(&mut self, text: impl Into<DisplayText>) {
        self.job.progress.text = text.into();
    }

    fn cell(&mut self, cell: CellProgressLine) {
        let levels: Vec<String> =
            cell.levels.iter().map(|(factor, level)| format!("{factor} {level}")).collect();
        let title = [&[cell.probe.clone()][..], &levels[..]].concat().join(", ");
        let no_result = match &cell.outcome {
            None | Some(CellOutcome::Done) => None,
            Some(CellOutcome::Failed { cause }) => {
                Some(message!(part_cell_failed { cause: Message::from(cause) }))
            }
            Some(CellOutcome::TimedOut) => Some(message!(part_cell_timed_out)),
            Some(CellOutcome::NotSet { cause }) => {
                Some(message!(part_cell_not_measured { cause: Message::from(cause) }))
            }
        };
        if let Some(why) = no_result {
            let number = cell.number.to_string();
            self.add_message(message!(progress_cell_why { number, title: &title, why }));
        }
        let [least, most] = [cell.of_least, cell.of_most].map(|of| of.to_string());
        let (number, ended) = ((cell.done + 1).to_string(), cell.done.to_string());
        self.text(match (&cell.outcome, least == most) {
            (None, true) => message!(progress_cell { number, all: most, title }),
            (None, false) => message!(progress_cell_range { number, least, most, title }),
            (Some(_), true) => message!(served_cells_ended { ended, all: most }),
            (Some(_), false) => message!(served_cells_ended_range { ended, least, most }),
        });
        self.cell = Some(cell);
    }

    fn fraction(&self, now: Instant) -> Option<f64> {
        let (done, of) = match (&self.cell, self.trials) {
            // The number of an experiment's trials is unknown; that of its cells is known.
            (Some(cell), _) => (cell.done, cell.of_least),
            (None, Some(trials)) => (self.over, trials),
            (None, None) => return None,
        };
        if of == 0 {
            return None;
        }
        let by_time = || {
            let (began, planned) = self.trial?;
            let planned = planned?.as_secs_f64();
            (planned > 0.0).then(|| now.saturating_duration_since(began).as_secs_f64() / planned)
        };
        let under_way = match self.cell {
            Some(_) => 0.0,
            None => self.share.or_else(by_time).unwrap_or(0.0).clamp(0.0, 1.0),
        };
        Some(((f64::from(done) + under_way) / f64::from(of)).clamp(0.0, 1.0))
    }
}

#[cfg(test)]
mod tests;
