//! The interface by which the program passes its arguments, paths and permissions to the server.

use crate::forms::{Form, Leave};
use crate::problem::{Kind, Problem};
use serde::Serialize;
use std::path::Path;

pub trait ProgramInterface: Send + Sync + 'static {
    fn version(&self) -> &str;

    /// The program's file, for jobs as child processes.
    fn program(&self) -> &Path;

    /// Connection settings of jobs: router, key, certificates.
    fn environment(&self) -> Vec<(&'static str, String)> {
        Vec::new()
    }

    /// Server variables that jobs do not inherit: those that contradict [`ProgramInterface::environment`], and secrets,
    /// which a line could send to any host.
    fn withheld(&self) -> Vec<&'static str> {
        Vec::new()
    }

    fn forms(&self) -> Vec<Form>;

    fn say(&self, _sentence: &str) {}

    /// Parses a line without the program's name; returns the permissions it needs. The error is the command
    /// line's, or that it measures nothing.
    fn check(&self, line: &[String]) -> Result<Vec<Leave>, Refusal>;
}

/// Why something was refused, in the three parts of every error of the program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Refusal {
    /// What could not be done.
    pub error: String,
    /// Why.
    pub cause: Option<String>,
    /// What to type or do.
    pub hint: Option<String>,
}

impl From<Refusal> for Problem {
    fn from(refusal: Refusal) -> Problem {
        Problem { cause: refusal.cause, hint: refusal.hint, ..Problem::new(Kind::Refused, refusal.error) }
    }
}
