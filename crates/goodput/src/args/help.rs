//! The program's help: commands by group, and help in the reader's language.

use crate::language;
use clap::Command;
use goodput_model::Probe;
use std::fmt::Write;

/// Behind the first group, the probes and `run`.
const GROUPS: [(&str, &[&str]); 3] = [
    ("Hosts", &["agent", "hosts", "host", "router", "key"]),
    ("Results", &["show", "list", "report", "compare", "export", "store", "serve"]),
    ("Other", &["lab", "demo", "limits", "icf", "completions", "man", "help"]),
];

const UNITS: &str = "\
Sizes: B kB MB GB KiB MiB GiB. Rates: bit kbit Mbit Gbit. Times: ns us ms s min.
Exit codes: goodput help exit-codes
Languages: --lang en|ja|ru, GOODPUT_LANG, or the locale";

/// Short help describes the measuring commands and only names the others.
pub fn with_short_help(command: Command) -> Command {
    let about = |name: &str| {
        let known = command.find_subcommand(name).and_then(Command::get_about).map(ToString::to_string);
        known.unwrap_or_else(|| "Print the help of a command".to_string())
    };
    let (mut short, mut long) = (String::new(), String::new());
    let measure: Vec<&str> = Probe::NAMES.iter().copied().chain(["run"]).collect();
    let groups = [("Measure", measure.as_slice())].into_iter().chain(GROUPS);
    for (number, (heading, names)) in groups.enumerate() {
        let mut list = format!("{heading}:\n");
        for name in names {
            let _ = writeln!(list, "  {name:<13}{}", about(name));
        }
        let _ = writeln!(long, "{list}");
        let _ = match number {
            0 => writeln!(short, "{list}"),
            _ => writeln!(short, "{:<9}{}", format!("{heading}:"), names.join(", ")),
        };
    }
    let _ = write!(short, "\nMore: goodput COMMAND -h, goodput --help\n{UNITS}");
    let options = "Options:\n  -h, --help     Print help\n  -V, --version  Print version\n";
    let _ = write!(long, "{options}\n{UNITS}");
    command.after_help(short).after_long_help(long)
}

pub fn translate_help(command: Command) -> Command {
    with_short_help(in_language(command))
}

fn in_language(command: Command) -> Command {
    let about = command.get_about().map(|text| language::translate_text(&text.to_string()));
    let command = command.mut_subcommands(in_language).mut_args(|arg| {
        let help = arg.get_help().map(|text| sentences(&text.to_string()));
        let long = arg.get_long_help().map(|text| sentences(&text.to_string()));
        let arg = help.into_iter().fold(arg, |arg, text| arg.help(text));
        long.into_iter().fold(arg, |arg, text| arg.long_help(text))
    });
    about.into_iter().fold(command, |command, text| command.about(text))
}

fn sentences(text: &str) -> String {
    let line = |line: &str| match line.split_once(" [default: ") {
        Some((sentence, default)) => format!("{} [default: {default}", language::translate_text(sentence)),
        None => language::translate_text(line),
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::build_clap_command;
    use std::collections::BTreeSet;

    #[test]
    fn every_command_is_in_a_group() {
        let table = build_clap_command();
        let shown = table.get_subcommands().filter(|c| !c.is_hide_set()).map(|c| c.get_name());
        let others = GROUPS.iter().flat_map(|(_, names)| names.iter().copied());
        let grouped: Vec<&str> = Probe::NAMES.iter().copied().chain(["run"]).chain(others).collect();
        let commands: BTreeSet<&str> = shown.chain(["help"]).collect();
        assert_eq!(grouped.iter().copied().collect::<BTreeSet<_>>(), commands);
        assert_eq!(grouped.len(), commands.len());
    }

    fn each(command: &Command, see: &mut dyn FnMut(&Command)) {
        see(command);
        command.get_subcommands().filter(|c| !c.is_hide_set()).for_each(|c| each(c, see));
    }

    #[test]
    fn the_short_help_has_at_most_25_lines() {
        let mut long = Vec::new();
        each(&build_clap_command(), &mut |command| {
            let text = command.clone().term_width(80).render_help().to_string();
            let lines = text.trim_end().lines().count();
            if lines > 25 {
                long.push(format!("{lines} lines:\n{text}"));
            }
        });
        assert!(long.is_empty(), "{}", long.join("\n"));
    }
}
