//! The program's help: commands by group, and help in the reader's language. Each paragraph, heading and word is a text in
//! `locales/*/help.ftl`; what has none (names, values, examples of commands) stays as it is.

use clap::builder::{Resettable, StyledStr};
use clap::{Arg, Command};
use goodput_model::Probe;
use std::ffi::OsString;
use std::fmt::Write;

/// Gives a text of the help in the reader's language.
pub type Say<'a> = &'a dyn Fn(&str) -> String;

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

/// Words of clap's that no setting replaces.
const CLAP_WORDS: [&str; 3] = ["Arguments:", "Options:", "[OPTIONS]"];

/// Brackets at the end of a text.
const LABELS: [&str; 2] = [" [env: ", " [default: "];

/// Short help describes the measuring commands and only names the others.
pub fn with_short_help(command: Command, say: Say<'_>) -> Command {
    let about = |name: &str| match name {
        "help" => say("Print the help of a command"),
        _ => {
            let found = command.find_subcommand(name).and_then(Command::get_about);
            found.map(ToString::to_string).unwrap_or_default()
        }
    };
    let (mut short, mut long) = (String::new(), String::new());
    let measure: Vec<&str> = Probe::NAMES.iter().copied().chain(["check", "why", "run"]).collect();
    let width = GROUPS.iter().map(|(heading, _)| say(heading).chars().count() + 1).max().unwrap_or(0);
    let groups = [("Measure", measure.as_slice())].into_iter().chain(GROUPS);
    for (number, (heading, names)) in groups.enumerate() {
        let heading = format!("{}:", say(heading));
        let mut list = format!("{heading}\n");
        for name in names {
            let _ = writeln!(list, "  {name:<13}{}", about(name));
        }
        let _ = writeln!(long, "{list}");
        let _ = match number {
            0 => writeln!(short, "{list}"),
            _ => writeln!(short, "{heading:<width$} {}", names.join(", ")),
        };
    }
    let units = lines(UNITS, say);
    let _ = write!(short, "{}\n{units}", say("More: goodput COMMAND -h, goodput --help"));
    let options = "Options:\n  -h, --help     Print help\n  -V, --version  Print version\n";
    let _ = write!(long, "{}\n{units}", lines(options, say));
    command.after_help(short).after_long_help(long).help_template(template("", say))
}

/// The help that these arguments ask for.
pub fn translated_help(mut command: Command, args: &[OsString], say: Say<'_>) -> String {
    // Adds `--help` and the command `help`.
    command.build();
    let command = with_short_help(in_language(command, say), say);
    let help = command.try_get_matches_from(args).err().map(|help| help.render().to_string());
    CLAP_WORDS.iter().fold(help.unwrap_or_default(), |help, word| help.replace(word, &say(word)))
}

fn in_language(command: Command, say: Say<'_>) -> Command {
    let text = |text: Option<&StyledStr>| -> Resettable<StyledStr> {
        text.map(|text| StyledStr::from(lines(&text.to_string(), say))).into()
    };
    let (about, long_about) = (text(command.get_about()), text(command.get_long_about()));
    let after_long_help = text(command.get_after_long_help());
    command
        .about(about)
        .long_about(long_about)
        .after_long_help(after_long_help)
        .subcommand_help_heading(say("Commands"))
        .subcommand_value_name(say("COMMAND"))
        .help_template(template("\n\n{all-args}", say))
        .mut_subcommands(|command| in_language(command, say))
        .mut_args(|arg| arg_in_language(arg, say))
}

/// clap's own form.
fn template(args: &str, say: Say<'_>) -> String {
    format!("{{about-with-newline}}\n{} {{usage}}{args}{{after-help}}", say("Usage:"))
}

fn arg_in_language(arg: Arg, say: Say<'_>) -> Arg {
    if arg.is_hide_set() {
        return arg;
    }
    let brackets = brackets(&arg, say);
    let with = |text: &StyledStr, between: &str, each: &str| {
        let text = lines(&text.to_string(), say);
        if brackets.is_empty() { text } else { format!("{text}{between}{}", brackets.join(each)) }
    };
    let help = arg.get_help().map(|text| with(text, " ", " "));
    let long = arg.get_long_help().map(|text| with(text, "\n\n", "\n"));
    let heading = arg.get_help_heading().map(say);
    let names = arg.get_value_names().filter(|_| arg.get_action().takes_values());
    let name = names.and_then(|names| names.first()).map(|name| say(name.as_str()));
    let arg = arg.hide_env(true).hide_default_value(true).hide_possible_values(true);
    let arg = help.into_iter().fold(arg, |arg, text| arg.help(text));
    let arg = long.into_iter().fold(arg, |arg, text| arg.long_help(text));
    let arg = heading.into_iter().fold(arg, |arg, text| arg.help_heading(text));
    name.into_iter().fold(arg, |arg, text| arg.value_name(text))
}

/// What clap writes behind the help of an option.
fn brackets(arg: &Arg, say: Say<'_>) -> Vec<String> {
    if !arg.get_action().takes_values() {
        return Vec::new();
    }
    let env = arg.get_env().map(|name| name.to_string_lossy().into_owned());
    let default: Vec<_> = arg.get_default_values().iter().map(|value| value.to_string_lossy()).collect();
    let choices = arg.get_possible_values();
    let choices: Vec<&str> = choices.iter().map(|value| value.get_name()).collect();
    let all = [
        ("env", env.unwrap_or_default()),
        ("default", default.join(" ")),
        ("possible values", choices.join(", ")),
    ];
    let given = all.into_iter().filter(|(_, value)| !value.is_empty());
    given.map(|(label, value)| format!("[{}: {value}]", say(label))).collect()
}

fn lines(text: &str, say: Say<'_>) -> String {
    text.split('\n').map(|text| line(text, say)).collect::<Vec<_>>().join("\n")
}

/// A paragraph, or a line of a table, of which only the last column is a text.
fn line(line: &str, say: Say<'_>) -> String {
    let (before, text) = line.split_at(line.rfind("  ").map_or(0, |at| at + 2));
    let end = LABELS.iter().filter_map(|label| text.find(label)).min();
    let (text, brackets) = text.split_at(end.unwrap_or(text.len()));
    let bracket = |bracket: &str| {
        let (label, value) = bracket.strip_prefix(" [")?.strip_suffix(']')?.split_once(": ")?;
        // What else stands in brackets are names.
        let value = if label == "default" { say(value) } else { value.to_string() };
        Some(format!(" [{}: {value}]", say(label)))
    };
    let brackets =
        brackets.split_inclusive(']').map(|text| bracket(text).unwrap_or_else(|| text.to_string()));
    format!("{before}{}{}", say(text), brackets.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::{build_clap_command, derived_command};
    use goodput_words::Language;
    use goodput_words::fixed_texts::FixedTexts;
    use goodput_words::messages::{fluent_sources, message_keys};
    use std::cell::RefCell;
    use std::collections::BTreeSet;

    #[test]
    fn every_command_is_in_a_group() {
        let table = build_clap_command();
        let shown = table.get_subcommands().filter(|c| !c.is_hide_set()).map(|c| c.get_name());
        let others = GROUPS.iter().flat_map(|(_, names)| names.iter().copied());
        let grouped: Vec<&str> =
            Probe::NAMES.iter().copied().chain(["check", "why", "run"]).chain(others).collect();
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

    /// False for values, paths and commands.
    fn has_words(text: &str) -> bool {
        let is_word = |word: &str| word.len() > 1 && word.chars().all(char::is_alphabetic);
        let mut words = text.split(' ').map(|word| word.trim_matches(|c: char| c.is_ascii_punctuation()));
        !text.starts_with("goodput ") && words.any(is_word)
    }

    #[test]
    fn every_text_of_the_help_is_in_help_ftl_and_no_other() {
        let english = FixedTexts::load();
        let (used, missing) = (RefCell::new(BTreeSet::new()), RefCell::new(BTreeSet::new()));
        let say = |text: &str| {
            match english.help_key_of(text) {
                Some(key) => {
                    used.borrow_mut().insert(key.to_string());
                }
                None if has_words(text) => {
                    missing.borrow_mut().insert(text.to_string());
                }
                None => {}
            }
            text.to_string()
        };
        translated_help(derived_command(), &[], &say);
        assert!(missing.borrow().is_empty(), "help.ftl lacks {:#?}", missing.borrow());
        let source = fluent_sources(Language::English).find(|(file, _)| *file == "help");
        let unused: Vec<String> =
            message_keys(&source.unwrap().1).into_iter().filter(|key| !used.borrow().contains(key)).collect();
        assert!(unused.is_empty(), "no help says {unused:?}");
    }

    #[test]
    fn the_same_words_give_the_same_help() {
        for line in
            ["goodput -h", "goodput --help", "goodput stream -h", "goodput lab -h", "goodput help exit-codes"]
        {
            let args: Vec<OsString> = line.split(' ').map(OsString::from).collect();
            let english = build_clap_command().try_get_matches_from(&args).unwrap_err().render().to_string();
            assert_eq!(translated_help(derived_command(), &args, &str::to_string), english, "{line}");
        }
    }
}
