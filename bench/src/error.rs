//! Errors of trials and of the bench.

use std::time::Duration;

#[derive(Debug, thiserror::Error)]
pub enum BenchError {
    #[error("cannot start {program}: {source}")]
    Start {
        program: String,
        /// From starting the process.
        source: std::io::Error,
    },
    #[error("{program} ended with {status}: {said}")]
    Ended {
        program: String,
        status: String,
        /// The end of its output.
        said: String,
    },
    #[error("{program} did not {what} within {} s", .deadline.as_secs_f64())]
    Deadline {
        program: String,
        /// What was awaited.
        what: &'static str,
        deadline: Duration,
    },
    #[error("the output of {program} has no {what}: {said}")]
    Misread {
        program: String,
        what: &'static str,
        /// The end of its output.
        said: String,
    },
    #[error("interrupted")]
    Interrupted,
    #[error("{what}: {source}")]
    File {
        /// File and operation.
        what: String,
        source: std::io::Error,
    },
    #[error(transparent)]
    Host(#[from] goodput_host::HostError),
    #[error("{0}")]
    Machine(String),
}

/// The last 300 characters, on one line.
pub fn tail(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let skip = line.chars().count().saturating_sub(300);
    line.chars().skip(skip).collect()
}
