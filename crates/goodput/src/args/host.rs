//! `goodput host`: what this machine is; `goodput compare`: what differs between two runs' hosts.

use super::results::Which;
use clap::Args;
use std::path::PathBuf;

/// As typed.
#[derive(Debug, Args)]
pub struct TypedHost {
    /// Print one JSON document instead of tables
    #[arg(long)]
    json: bool,
}

/// Print what this machine is.
#[derive(Debug, Clone, PartialEq)]
pub struct Host {
    /// One document.
    pub json: bool,
}

impl TypedHost {
    /// What is meant.
    pub fn meaning(self) -> Host {
        Host { json: self.json }
    }
}

/// As typed.
#[derive(Debug, Args)]
pub struct TypedCompare {
    /// The first run: its name or the beginning of it, its folder, or last
    #[arg(value_name = "RUN")]
    first: String,
    /// The second run
    #[arg(value_name = "RUN")]
    second: String,
    /// Folder of the runs [default: GOODPUT_RUNS, else ~/.local/share/goodput/runs]
    #[arg(long, value_name = "DIR")]
    runs: Option<PathBuf>,
    /// Print one JSON document instead of tables
    #[arg(long)]
    json: bool,
}

/// Print what differs between the hosts of two runs.
#[derive(Debug, Clone, PartialEq)]
pub struct Compare {
    /// The first run.
    pub first: Which,
    /// The second.
    pub second: Which,
    /// One document.
    pub json: bool,
}

impl TypedCompare {
    /// What is meant.
    pub fn meaning(self) -> Compare {
        let which = |run| Which { run, runs: self.runs.clone() };
        Compare { first: which(self.first), second: which(self.second), json: self.json }
    }
}
