//! What can go wrong in a trial or around it.

use std::time::Duration;

/// Why a trial has no reading, or the bench cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum BenchError {
    /// A program could not be started.
    #[error("cannot start {program}: {source}")]
    Start {
        /// Its name.
        program: String,
        /// What the system said.
        source: std::io::Error,
    },
    /// A program ended badly.
    #[error("{program} ended with {status}: {said}")]
    Ended {
        /// Its name.
        program: String,
        /// Exit status as the standard library prints it.
        status: String,
        /// The end of what it printed.
        said: String,
    },
    /// A program did not end, or did not listen, in time.
    #[error("{program} did not {what} within {} s", .deadline.as_secs_f64())]
    Deadline {
        /// Its name.
        program: String,
        /// What was waited for.
        what: &'static str,
        /// How long.
        deadline: Duration,
    },
    /// A program's output has another form than known.
    #[error("the output of {program} has no {what}: {said}")]
    Misread {
        /// Its name.
        program: String,
        /// What is missing.
        what: &'static str,
        /// The end of what it printed.
        said: String,
    },
    /// Ctrl-C or SIGTERM.
    #[error("interrupted")]
    Interrupted,
    /// A kernel file or a file of ours could not be read or written.
    #[error("{what}: {source}")]
    File {
        /// The file and what was to be done with it.
        what: String,
        /// What the system said.
        source: std::io::Error,
    },
    /// CPU time is not to be had.
    #[error(transparent)]
    Host(#[from] goodput_host::HostError),
    /// This machine cannot do it.
    #[error("{0}")]
    Machine(String),
}

/// The last 300 characters of an output, on one line.
pub fn tail(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let skip = line.chars().count().saturating_sub(300);
    line.chars().skip(skip).collect()
}
