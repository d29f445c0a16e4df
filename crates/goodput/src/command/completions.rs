//! `goodput completions SHELL`: prints a completion script for a shell.

use crate::args::completions::Shell;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output;

pub fn run(shell: Shell) -> Result<Exit, Failure> {
    output::text(&String::from_utf8_lossy(&written(shell, crate::args::table())));
    Ok(Exit::Done)
}

fn written(shell: Shell, mut table: clap::Command) -> Vec<u8> {
    let mut bytes = Vec::new();
    let shell = match shell {
        Shell::Bash => clap_complete::Shell::Bash,
        Shell::Zsh => clap_complete::Shell::Zsh,
        Shell::Fish => clap_complete::Shell::Fish,
    };
    clap_complete::generate(shell, &mut table, "goodput", &mut bytes);
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_shell_knows_the_subcommands_and_an_option() {
        for shell in [Shell::Bash, Shell::Zsh, Shell::Fish] {
            let text = String::from_utf8(written(shell, crate::args::table())).unwrap();
            for word in ["stream", "pingpong", "completions", "congestion"] {
                assert!(text.contains(word), "{shell:?}: {word}");
            }
        }
    }
}
