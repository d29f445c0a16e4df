//! `goodput completions SHELL`: prints a completion script for a shell.

use crate::exit::ExitStatus;
use crate::failure::Failure;
use crate::output;
use clap_complete::Shell;

pub fn print_completions(shell: Shell) -> Result<ExitStatus, Failure> {
    output::print_text(&String::from_utf8_lossy(&written(shell, crate::args::build_clap_command())));
    Ok(ExitStatus::Done)
}

fn written(shell: Shell, mut table: clap::Command) -> Vec<u8> {
    let mut bytes = Vec::new();
    clap_complete::generate(shell, &mut table, "goodput", &mut bytes);
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_shell_knows_the_subcommands_and_an_option() {
        for shell in [Shell::Bash, Shell::Zsh, Shell::Fish] {
            let text = String::from_utf8(written(shell, crate::args::build_clap_command())).unwrap();
            for word in ["stream", "pingpong", "completions", "congestion"] {
                assert!(text.contains(word), "{shell:?}: {word}");
            }
        }
    }
}
