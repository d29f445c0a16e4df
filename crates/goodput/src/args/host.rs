//! `goodput host`: what this machine is; `goodput compare`: which changes between two runs or experiments are real, and
//! what differs between their hosts.

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
#[command(after_help = "goodput compare 01a2 last                    the last run against another\n\
    goodput compare 01a2 last --json\n\
    goodput compare 01a2 last --require \"goodput_bps change >= -2 %\"      a figure by its name in --json\n\
    goodput compare 01a2 last --require \"tcp.goodput_bps change >= -2 %\"  of one probe line of two experiments\n\
    goodput compare /mnt/old/run ./run           folders of runs, wherever they lie\n\n\
    Two experiments are compared cell by cell, two other runs trial by trial where the settings are the same. Each \
    change has its interval and a verdict, cannot tell among them. The two were measured one after the other: what else \
    changed in between is in the change, and which facts of their hosts differ stands below.\n\n\
    Exit codes: 0 compared, and every requirement met; 1 one is not met, or the two do not share its figure; 2 there is \
    no such run, or only one of the two is an experiment.")]
pub struct TypedCompare {
    /// What it is compared with: a run's name or the beginning of it, its folder, or last; or published figures: their
    /// description, a TOML file
    #[arg(value_name = "RUN|FILE")]
    first: String,
    /// What is compared, likewise; an experiment goes with an experiment or with published figures
    #[arg(value_name = "RUN|FILE")]
    second: String,
    /// What a change is held to, in per cent of the first: "tcp.goodput_bps change >= -2 %"; may be repeated
    #[arg(long, value_name = "REQUIREMENT")]
    require: Vec<String>,
    /// Folder of the runs [default: GOODPUT_RUNS, else ~/.local/share/goodput/runs]
    #[arg(long, value_name = "DIR")]
    runs: Option<PathBuf>,
    /// Print one JSON document instead of tables
    #[arg(long)]
    json: bool,
}

/// Compare two runs, or two experiments: which changes are real, and what differs between their hosts.
#[derive(Debug, Clone, PartialEq)]
pub struct Compare {
    /// The run, or the description of published figures, that the other is compared with.
    pub first: Which,
    /// What is compared with it.
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
