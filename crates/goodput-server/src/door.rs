//! What only the program can tell the server: where it lies, and what its arguments mean.

use crate::forms::{Form, Leave};
use crate::problem::{Kind, Problem};
use serde::Serialize;
use std::path::Path;

/// The front door that started the server.
pub trait Door: Send + Sync + 'static {
    fn version(&self) -> &str;

    /// The program itself, for the jobs that are its children.
    fn program(&self) -> &Path;

    /// Variables that lead jobs to the hosts that the server itself reaches: its router, its key or certificates.
    fn environment(&self) -> Vec<(&'static str, String)> {
        Vec::new()
    }

    /// Variables of the server's own environment that jobs are not to have: what would contradict the ones above, and
    /// secrets, which a line could send to any host that it names.
    fn withheld(&self) -> Vec<&'static str> {
        Vec::new()
    }

    /// The measuring commands with their options.
    fn forms(&self) -> Vec<Form>;

    /// Says a sentence to whoever runs the server, in its log.
    fn say(&self, _sentence: &str) {}

    /// Reads a line of arguments, the program's name left out, as the command line does: only a line that measures is taken.
    /// What comes back is what it asks for that needs leave.
    ///
    /// # Errors
    /// What the command line would have said.
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
