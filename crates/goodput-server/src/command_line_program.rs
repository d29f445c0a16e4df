//! The interface by which the program passes its arguments, paths and permissions to the server.

use crate::forms::{Form, JobPermission};
use crate::problem::{Problem, ProblemKind};
use crate::translate::{Localize, localize_all};
use goodput_model::message;
use goodput_words::{Message, Translator};
use serde::Serialize;
use std::path::Path;

pub trait CommandLineProgram: Send + Sync + 'static {
    fn version(&self) -> &str;

    /// The program's file, for jobs as child processes.
    fn executable(&self) -> &Path;

    /// Connection settings of jobs: router, key, certificates.
    fn job_environment(&self) -> Vec<(&'static str, String)> {
        Vec::new()
    }

    /// Server variables that jobs do not inherit: those that contradict [`ProgramInterface::environment`], and secrets,
    /// which a line could send to any host.
    fn removed_env_variables(&self) -> Vec<&'static str> {
        Vec::new()
    }

    fn command_web_forms(&self) -> Vec<Form>;

    fn print_message(&self, _sentence: &str) {}

    /// Parses a line without the program's name; returns what starting it needs. The error is the command
    /// line's, or that it measures nothing.
    fn check_command(&self, line: &[String]) -> Result<CheckedCommand, CommandRefusal>;
}

/// What a line needs that may be started.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CheckedCommand {
    pub permissions: Vec<JobPermission>,
    /// The experiment's text as it was checked, one line: the process obeys it instead of the file, which others may
    /// replace while the job waits.
    pub input: Option<String>,
}

/// Why something was refused, in the three parts of every error of the program.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
#[schemars(rename = "Refusal")]
pub struct CommandRefusal {
    /// What could not be done.
    #[serde(with = "message::english")]
    #[schemars(with = "String")]
    pub error: Message,
    /// Why.
    #[serde(with = "message::english_option")]
    #[schemars(with = "Option<String>")]
    pub cause: Option<Message>,
    /// What to type or do.
    #[serde(with = "message::english_option")]
    #[schemars(with = "Option<String>")]
    pub hint: Option<Message>,
}

impl Localize for CommandRefusal {
    fn localize(&mut self, words: &Translator) {
        localize_all(words, [&mut self.error].into_iter().chain(&mut self.cause).chain(&mut self.hint));
    }
}

impl From<CommandRefusal> for Problem {
    fn from(refusal: CommandRefusal) -> Problem {
        Problem {
            cause: refusal.cause,
            hint: refusal.hint,
            ..Problem::new(ProblemKind::Refused, refusal.error)
        }
    }
}
