//! `goodput completions` and `goodput man`: what a shell and `man` want to know, made from the program's own options.

use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// Shells that we write completions for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Shell {
    /// The Bourne again shell.
    Bash,
    /// The Z shell.
    Zsh,
    /// The friendly interactive shell.
    Fish,
}

/// As typed.
#[derive(Debug, Args)]
pub struct TypedCompletions {
    /// The shell
    pub shell: Shell,
}

/// As typed.
#[derive(Debug, Args)]
pub struct TypedMan {
    /// Folder to write goodput.1 and a page a subcommand into; it is made if it is missing
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
}
