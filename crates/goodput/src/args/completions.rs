//! `goodput completions` and `goodput man`: arguments.

use clap::{Args, ValueEnum, ValueHint};
use std::path::PathBuf;

/// Shells with completions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Shell {
    Bash,
    Zsh,
    Fish,
}

#[derive(Debug, Args)]
pub struct CompletionsArgs {
    /// The shell
    pub shell: Shell,
}

#[derive(Debug, Args)]
pub struct ManArgs {
    /// Folder to write goodput.1 and a page for each subcommand into; it is made if it is missing
    #[arg(value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub folder: PathBuf,
}
