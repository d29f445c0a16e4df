//! `goodput host`: what this machine is; `goodput compare`: what two runs measured, and what differs between their hosts.

use super::results::Which;
use crate::failure::Failure;
use clap::Args;
use goodput_analysis::experiment::required_change::RequiredChange;
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
    /// The first run: its name or the beginning of it, its folder, or last; of experiments also published figures, a TOML file
    #[arg(value_name = "RUN")]
    first: String,
    /// The second run
    #[arg(value_name = "RUN")]
    second: String,
    /// What a change is held to: "tcp.goodput_bps change >= -2 %"; may be repeated. Exit code 1 where one is not met
    #[arg(long, value_name = "REQUIREMENT")]
    require: Vec<String>,
    /// Folder of the runs [default: GOODPUT_RUNS, else ~/.local/share/goodput/runs]
    #[arg(long, value_name = "DIR")]
    runs: Option<PathBuf>,
    /// Print one JSON document instead of tables
    #[arg(long)]
    json: bool,
}

/// Print what two runs measured, and what differs between their hosts.
#[derive(Debug, Clone, PartialEq)]
pub struct Compare {
    /// The first run, or the description of published figures.
    pub first: Which,
    /// The second.
    pub second: Which,
    /// What changes are held to.
    pub required: Vec<RequiredChange>,
    /// One document.
    pub json: bool,
}

impl TypedCompare {
    /// What is meant.
    pub fn meaning(self) -> Result<Compare, Failure> {
        let which = |run| Which { run, runs: self.runs.clone() };
        let required = self.require.iter().map(|text| {
            text.parse::<RequiredChange>().map_err(|e| {
                Failure::usage("--require cannot be read").because(e.to_string()).try_this(e.hint)
            })
        });
        Ok(Compare {
            required: required.collect::<Result<_, _>>()?,
            first: which(self.first),
            second: which(self.second),
            json: self.json,
        })
    }
}
