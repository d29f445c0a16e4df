//! `goodput host` and `goodput compare`: options.

use super::value_parsers::ValueError;
use clap::{Args, ValueHint};
use goodput_analysis::experiment::change_requirement::{ChangeRequirement, ChangeRequirementParseError};
use goodput_words::ErrorMessage;
use std::path::PathBuf;

#[derive(Debug, Clone, PartialEq, Args)]
pub struct HostArgs {
    /// Print one JSON document instead of tables
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Clone, PartialEq, Args)]
#[command(after_long_help = "Examples:
  goodput compare 01a2 last                   the last run against another
  goodput compare 01a2 last --require \"goodput_bps change >= -2 %\"
  goodput compare /mnt/old/run ./run          folders of runs

Two experiments are compared cell by cell. Two other runs are compared trial by trial where the settings are the same. \
Each change has its interval and a verdict, which may be that the runs cannot tell. The runs were measured one after the \
other: changes between them that are not listed may be the cause.

In a comparison of experiments a metric follows its probe line: \"tcp.goodput_bps change >= -2 %\".

Exit codes: 0 compared, and every requirement met; 1 one is not met, or the two do not share its metric; 2 there is no such \
run, or only one of the two is an experiment.")]
pub struct CompareArgs {
    /// Baseline run: its name, a prefix of the name, its folder, or last; or a TOML file of published values
    #[arg(value_name = "RUN|FILE")]
    pub first: String,
    /// Run to compare with the baseline, in the same notation; experiments are compared only with experiments
    /// or published values
    #[arg(value_name = "RUN|FILE")]
    pub second: String,
    /// Condition that the change must meet, for example "goodput_bps change >= -2 %"; may be repeated
    #[arg(long, value_name = "REQUIREMENT", value_parser = requirement)]
    pub require: Vec<ChangeRequirement>,
    /// Folder of the stored runs [env: GOODPUT_RUNS] [default: ~/.local/share/goodput/runs]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub runs: Option<PathBuf>,
    /// Print one JSON document instead of tables
    #[arg(long)]
    pub json: bool,
}

fn requirement(typed: &str) -> Result<ChangeRequirement, ValueError> {
    typed.parse().map_err(|e: ChangeRequirementParseError| ValueError::new(e.message(), e.hint))
}
