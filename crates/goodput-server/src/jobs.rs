//! Jobs: measuring commands that the server runs as child processes, one at a time, because concurrent
//! measurements disturb each other.
//!
//! The program's parser checks each line first. [`Job`] is the state, published through the [`EventHub`];
//! `jobs/child_process.rs` follows the process.

mod child_process;
mod document;
mod job_tracker;

pub use document::{Job, JobProgress, JobState, Prompt};
pub use job_tracker::JobExit;

use crate::command_line_program::{CheckedCommand, CommandLineProgram};
use crate::forms::{JobPermission, MissingPermission, check_permissions};
use crate::live_events::{EventHub, LiveEvent};
use crate::lock;
use crate::problem::{Problem, ProblemKind};
use child_process::{ChildCommand, ChildOutput, SupervisorEvent};
use goodput_model::event_line::ManualStepAnswer;
use goodput_words::{ErrorMessage, message};
use job_tracker::JobTracker;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};
use tokio::sync::watch;
use uuid::Uuid;

pub const MAX_WAITING_JOBS: usize = 100;
pub const MAX_FINISHED_JOBS: usize = 50;
/// Time for an interrupted measurement to end.
const GRACE: Duration = Duration::from_secs(15);
/// An experiment first waits for its measurement, then restores levels.
const GRACE_OF_AN_EXPERIMENT: Duration = Duration::from_secs(45);
const LONGEST: (usize, usize) = (200, 4096);
/// Makes `run` read the experiment from its standard input.
const SOURCE_FROM_INPUT: &str = "--source-from-input";

#[derive(Clone)]
pub struct JobQueue(Arc<Inner>);

struct Inner {
    door: Arc<dyn CommandLineProgram>,
    runs: PathBuf,
    allow: Vec<JobPermission>,
    hub: EventHub,
    table: Mutex<Table>,
    ended: watch::Sender<u64>,
}

#[derive(Default)]
struct Table {
    entries: Vec<Entry>,
    /// The server is ending: no job may start.
    closed: bool,
}

struct Entry {
    story: JobTracker,
    /// See [`CheckedCommand::input`]; taken at the start.
    input: Option<String>,
    child: Option<Sender<SupervisorEvent>>,
}

impl std::fmt::Debug for JobQueue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Jobs({})", self.0.table().entries.len())
    }
}

impl JobQueue {
    /// `runs` is the folder of runs, `allow` what a line may do.
    pub fn new(
        door: Arc<dyn CommandLineProgram>,
        runs: PathBuf,
        allow: Vec<JobPermission>,
        hub: EventHub,
    ) -> JobQueue {
        let (ended, _) = watch::channel(0);
        JobQueue(Arc::new(Inner { door, runs, allow, hub, table: Mutex::default(), ended }))
    }

    pub fn granted_permissions(&self) -> &[JobPermission] {
        &self.0.allow
    }

    /// Checks a line without starting it; the error is the command line's or a missing permission.
    pub fn check_command(&self, line: &[String]) -> Result<(), Problem> {
        self.checked(line).map(drop)
    }

    fn checked(&self, line: &[String]) -> Result<CheckedCommand, Problem> {
        let too_long = line.len() > LONGEST.0 || line.iter().any(|word| word.len() > LONGEST.1);
        if too_long || line.iter().any(|word| word.contains('\0')) {
            let [words, bytes] = [LONGEST.0, LONGEST.1].map(|most| most.to_string());
            return Err(Problem::bad_request("this is not a valid command line")
                .with_cause(message!(served_line_limits { words, bytes })));
        }
        let checked = self.0.door.check_command(line)?;
        let permitted = check_permissions(&checked.permissions, self.granted_permissions());
        permitted.map(|()| checked).map_err(|MissingPermission(leave)| {
            Problem::new(ProblemKind::Refused, "this command line is not allowed")
                .with_cause(leave.description())
                .with_hint(message!(served_allow { leave: leave.as_str() }))
        })
    }

    /// Adds a line to the queue. `who` is `page`, or `schedule NAME`. Fails like [`JobQueue::check_command`], if the
    /// queue is full, or at the server's end.
    pub fn enqueue(&self, line: Vec<String>, who: &str) -> Result<Job, Problem> {
        let CheckedCommand { input, .. } = self.checked(&line)?;
        let story = JobTracker::new(Uuid::now_v7().to_string(), line, who.to_string(), now());
        let id = story.id().to_string();
        {
            let mut table = self.0.table();
            if table.closed {
                return Err(Problem::new(ProblemKind::Busy, "the server is shutting down"));
            }
            if table.waiting() >= MAX_WAITING_JOBS {
                return Err(Problem::new(ProblemKind::TooMany, "the queue of waiting jobs is full")
                    .with_cause(message!(served_at_most_may { count: MAX_WAITING_JOBS }))
                    .with_hint("wait until a job ends, or stop a job"));
            }
            table.entries.push(Entry { story, input, child: None });
        }
        self.tell(&id);
        self.begin_next();
        self.get(&id).ok_or_else(|| Problem::new(ProblemKind::Internal, "the job no longer exists"))
    }

    pub fn list(&self) -> Vec<Job> {
        let at = Instant::now();
        self.0.table().entries.iter().map(|entry| entry.story.snapshot(at)).collect()
    }

    pub fn get(&self, id: &str) -> Option<Job> {
        self.0.table().find(id).map(|entry| entry.story.snapshot(Instant::now()))
    }

    pub fn pending_prompt_of_run(&self, run: &str) -> Option<Prompt> {
        let table = self.0.table();
        let entry =
            table.entries.iter().find(|entry| entry.story.run_id() == Some(run) && entry.child.is_some())?;
        entry.story.pending_prompt().cloned()
    }

    /// Interrupts a job, or removes it from the queue; no effect on a finished one. Fails if it is unknown.
    pub fn stop_job(&self, id: &str) -> Result<(), Problem> {
        {
            let mut table = self.0.table();
            let entry = table.find_mut(id).ok_or_else(|| job_not_found(id))?;
            entry.stop("stopped before it started");
        }
        self.tell(id);
        self.0.count_end();
        Ok(())
    }

    /// Answers a question of a job; fails if job or question is unknown.
    pub fn answer_prompt(&self, id: &str, prompt: &str, answer: &str) -> Result<(), Problem> {
        if ![ManualStepAnswer::DONE, ManualStepAnswer::SKIP].contains(&answer) {
            let error = message!(served_no_answer { answer: format!("{answer:?}") });
            let (one, other) = (ManualStepAnswer::DONE, ManualStepAnswer::SKIP);
            return Err(Problem::new(ProblemKind::Refused, error)
                .with_hint(message!(served_answer_with { one, other })));
        }
        let table = self.0.table();
        let entry = table.find(id).ok_or_else(|| job_not_found(id))?;
        let asked = entry.story.pending_prompt().is_some_and(|asked| asked.id == prompt);
        let child = entry.child.as_ref().filter(|_| asked).ok_or_else(|| {
            Problem::new(ProblemKind::Conflict, "the job is not waiting for this answer")
                .with_cause("another user may have answered, or the job has ended in the meantime")
        })?;
        let _ = child
            .send(SupervisorEvent::Answer(ManualStepAnswer { prompt: prompt.into(), answer: answer.into() }));
        Ok(())
    }

    /// `None` if the job is unknown.
    pub async fn wait_for_job_end(&self, id: &str) -> Option<Job> {
        let mut ends = self.0.ended.subscribe();
        loop {
            let job = self.get(id)?;
            if job.state.is_over() {
                return Some(job);
            }
            if ends.changed().await.is_err() {
                return None;
            }
        }
    }

    /// Ends all jobs and waits for them; no other can start.
    pub async fn shut_down(&self) {
        {
            let mut table = self.0.table();
            table.closed = true;
            table
                .entries
                .iter_mut()
                .for_each(|entry| entry.stop("the server stopped before the job started"));
        }
        self.0.count_end();
        let mut ends = self.0.ended.subscribe();
        while self.0.table().is_running() {
            if ends.changed().await.is_err() {
                return;
            }
        }
    }

    fn begin_next(&self) {
        loop {
            let next = self.0.table().next();
            let Some((id, told)) = next else { return };
            self.tell(&id);
            let (jobs, name) = (self.clone(), id.clone());
            let thread = std::thread::Builder::new().name("goodput-job".into());
            if let Err(e) = thread.spawn(move || jobs.follow(&name, &told)) {
                let how = message!(served_job_not_started { why: e.message() });
                self.over(&id, JobExit { exit: None, how });
            }
        }
    }

    /// Runs a job on this thread: its process ends with the thread.
    fn follow(&self, id: &str, told: &Receiver<SupervisorEvent>) {
        let (launch, tell) = {
            let mut table = self.0.table();
            let Some(Entry { story, input, child: Some(tell) }) = table.find_mut(id) else { return };
            let door = &self.0.door;
            let mut args = story.snapshot(Instant::now()).line;
            let experiment = args.first().is_some_and(|word| word == "run");
            args.push("--events".into());
            let input = input.take();
            args.extend(input.as_ref().map(|_| SOURCE_FROM_INPUT.to_string()));
            let grace = if experiment { GRACE_OF_AN_EXPERIMENT } else { GRACE };
            let program = door.executable().to_path_buf();
            let (environment, withheld) = (door.job_environment(), door.removed_env_variables());
            let runs = self.0.runs.clone();
            (ChildCommand { program, args, input, environment, withheld, runs, grace }, tell.clone())
        };
        let end = child_process::run_child(&launch, &tell, told, &mut |heard| self.heard(id, heard));
        self.over(id, end);
        self.begin_next();
    }

    fn heard(&self, id: &str, heard: ChildOutput) {
        let told = {
            let mut table = self.0.table();
            let Some(entry) = table.find_mut(id) else { return };
            match heard {
                ChildOutput::Line(line) => entry.story.apply_event(line, Instant::now()),
                ChildOutput::Said(sentence) => {
                    entry.story.add_message(sentence);
                    Vec::new()
                }
            }
        };
        told.iter().for_each(|told| self.0.hub.publish(told));
    }

    fn over(&self, id: &str, end: JobExit) {
        {
            let mut table = self.0.table();
            table.forget();
            if let Some(entry) = table.find_mut(id) {
                entry.story.mark_finished(now(), end);
                entry.child = None;
            }
        }
        self.tell(id);
        self.0.hub.publish(&LiveEvent::Runs);
        self.0.count_end();
    }

    fn tell(&self, id: &str) {
        if let Some(job) = self.get(id) {
            self.0.hub.publish(&LiveEvent::Job(job));
        }
    }
}

impl Inner {
    fn table(&self) -> MutexGuard<'_, Table> {
        lock(&self.table)
    }

    fn count_end(&self) {
        self.ended.send_modify(|count| *count += 1);
    }
}

impl Table {
    fn find(&self, id: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.story.id() == id)
    }

    fn find_mut(&mut self, id: &str) -> Option<&mut Entry> {
        self.entries.iter_mut().find(|entry| entry.story.id() == id)
    }

    fn is_running(&self) -> bool {
        self.entries.iter().any(|entry| entry.child.is_some())
    }

    fn waiting(&self) -> usize {
        self.entries.iter().filter(|entry| entry.story.state() == JobState::Waiting).count()
    }

    /// `None` during another job: concurrent measurements disturb each other.
    fn next(&mut self) -> Option<(String, Receiver<SupervisorEvent>)> {
        if self.closed || self.is_running() {
            return None;
        }
        let entry = self.entries.iter_mut().find(|entry| entry.story.state() == JobState::Waiting)?;
        let (tell, told) = channel();
        entry.child = Some(tell);
        entry.story.mark_started(now());
        Some((entry.story.id().to_string(), told))
    }

    fn forget(&mut self) {
        let over = self.entries.iter().filter(|entry| entry.story.state().is_over()).count();
        let mut surplus = over.saturating_sub(MAX_FINISHED_JOBS);
        self.entries.retain(|entry| {
            let goes = surplus > 0 && entry.story.state().is_over();
            surplus -= usize::from(goes);
            !goes
        });
    }
}

impl Entry {
    fn stop(&mut self, waiting: &str) {
        match self.story.state() {
            JobState::Waiting => {
                self.input = None;
                self.story.mark_start_failed(now(), waiting);
            }
            JobState::Running => {
                self.story.mark_stopping();
                if let Some(child) = &self.child {
                    let _ = child.send(SupervisorEvent::Stop);
                }
            }
            JobState::Stopping | JobState::Done | JobState::Failed => {}
        }
    }
}

pub fn job_not_found(id: &str) -> Problem {
    Problem::not_found(message!(served_no_job { id }))
        .with_cause("the job may have ended, and the server may have discarded its record")
}

fn now() -> String {
    jiff::Timestamp::from_second(jiff::Timestamp::now().as_second()).unwrap_or_default().to_string()
}

#[cfg(test)]
mod tests;
