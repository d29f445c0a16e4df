//! A job's documents in the API.

use crate::command_line_program::CommandRefusal;
use crate::translate::{Localize, localize_all};
use goodput_report::display_text::DisplayText;
use goodput_words::Translator;
use schemars::JsonSchema;
use serde::Serialize;

/// A measuring command that the server runs, or has run, or is going to.
#[derive(Debug, Clone, Default, PartialEq, Serialize, JsonSchema)]
pub struct Job {
    /// Its name: a version 7 UUID.
    pub id: String,
    /// The command's words, without the program's name.
    pub line: Vec<String>,
    /// Who asked for it: `page`, or `schedule NAME`.
    pub who: String,
    /// How it stands.
    pub state: JobState,
    /// The exit code; `null` while it has none, and where a signal ended it.
    pub exit: Option<i32>,
    /// The run that it records; `null` before that is known, and where nothing is kept.
    pub run: Option<String>,
    /// When it was asked for, RFC 3339.
    pub asked: String,
    /// When it began, RFC 3339; `null` before.
    pub started: Option<String>,
    /// When it ended, RFC 3339; `null` before.
    pub ended: Option<String>,
    /// How far it is.
    pub progress: JobProgress,
    /// The last sentences that it said, the oldest first.
    pub said: Vec<DisplayText>,
    /// What it asks for now, if it does.
    pub prompt: Option<Prompt>,
    /// Why it did not end well; `null` where it did, and before it ended.
    pub failure: Option<CommandRefusal>,
}

/// How a job stands.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum JobState {
    /// Others come first.
    #[default]
    Waiting,
    /// Under way.
    Running,
    /// It was asked to end.
    Stopping,
    /// It ended, and measured all that was asked.
    Done,
    /// It ended otherwise, or never began.
    Failed,
}

/// Questions are in the words of the experiment's author.
impl Localize for Job {
    fn localize(&mut self, words: &Translator) {
        localize_all(words, self.said.iter_mut().chain([&mut self.progress.text]));
        localize_all(words, &mut self.failure);
    }
}

impl JobState {
    pub fn is_over(self) -> bool {
        matches!(self, JobState::Done | JobState::Failed)
    }
}

/// How far a job is.
#[derive(Debug, Clone, Default, PartialEq, Serialize, JsonSchema)]
pub struct JobProgress {
    /// Share that is done, 0 to 1; `null` where it is not known.
    pub fraction: Option<f64>,
    /// What it is doing.
    pub text: DisplayText,
}

/// Something to be done by hand.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "JobPrompt")]
pub struct Prompt {
    /// Its name within the job; an answer names it.
    pub id: String,
    /// What is to be done.
    pub text: String,
    /// The factor, and the level that it is to have: `nic = b`.
    pub level: String,
    /// What is looked at afterwards, one sentence a fact; empty where only the operator knows.
    pub must_show: Vec<String>,
    /// What was found instead after an earlier answer.
    pub wrong: Option<String>,
}
