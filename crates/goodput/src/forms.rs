//! The measuring commands for a page: their options from the same definitions that the command line is read by, and lines
//! read by the same parser, without anything being started.

mod leave;

use crate::args::{self, Command, NotACommand};
use crate::failure::Failure;
use clap::{Arg, ArgAction};
use goodput_server::Refusal;
use goodput_server::forms::{Form, FormOption, Group, Kind, Leave};
use std::collections::BTreeSet;
use std::ffi::OsString;

/// The commands that a page may start.
pub const MEASURING: [&str; 12] = [
    "stream",
    "pingpong",
    "request",
    "datagram",
    "latency",
    "mtu",
    "load",
    "file",
    "file copy",
    "file disk",
    "file replay",
    "run",
];

/// Options that take one of a few words and nothing else: which words, only their own reader knows. A test holds this
/// table against it.
const CHOICES: [(&str, &str, &[&str]); 11] = [
    ("stream", "--direction", &["send", "receive", "both"]),
    ("stream", "--receiver", &["read", "discard"]),
    ("stream", "--no-delay", &["on", "off"]),
    ("pingpong", "--mode", &["native", "compat"]),
    ("request", "--kind", &["tcp_rr", "udp_rr", "tcp_crr"]),
    ("datagram", "--direction", &["send", "receive", "both"]),
    ("file disk", "--profile", &["cdm3", "cdm5", "cdm6", "cdm7", "cdm8", "cdm8-nvme"]),
    ("file copy", "--flush", &["none", "end", "each"]),
    ("file copy", "--verify", &["off", "sample", "full"]),
    ("file copy", "--order", &["random", "write-read", "read-write", "write", "read"]),
    ("pingpong", "--no-delay", &["on", "off"]),
];

/// How the help calls several values with commas between them.
const LISTS: [&str; 2] = ["LIST", "LINES"];

/// Options that say between whom, beside what has no name and what takes a host.
const BETWEEN: [(&str, &str); 5] =
    [("", "--from"), ("", "--port"), ("load", "--clients"), ("load", "--group"), ("file", "--server-folder")];

/// What needs leave whatever its value is.
const NEED_LEAVE: [(&str, Leave); 9] = [
    ("--runs", Leave::Write),
    ("--np-out", Leave::Write),
    ("--write-icf", Leave::Write),
    ("--key-file", Leave::Files),
    ("--ca", Leave::Files),
    ("--certificate", Leave::Files),
    ("--private-key", Leave::Files),
    ("--password-file", Leave::Files),
    ("--icf", Leave::Files),
];

/// All measuring commands with their options.
pub fn all() -> Vec<Form> {
    let table = args::table();
    let forms: Vec<Form> = MEASURING.iter().filter_map(|command| form(&table, command)).collect();
    grouped(forms)
}

/// Reads a line, the program's name left out, and starts nothing. What comes back is what it asks for that needs leave.
///
/// # Errors
/// What the command line would say; or that it measures nothing.
pub fn check(line: &[String]) -> Result<Vec<Leave>, Refusal> {
    measuring(line).and_then(|command| leave::asked_by(&command)).map_err(|failure| Refusal {
        error: failure.error,
        cause: failure.cause,
        hint: failure.hint,
    })
}

/// The measurement that a line asks for.
fn measuring(line: &[String]) -> Result<Command, Failure> {
    const HINT: &str =
        "type a line that begins with pingpong, stream, datagram, request, mtu, latency, load, file or run";
    let words = |more: Option<&str>| -> Vec<OsString> {
        let line = line.iter().map(String::as_str).chain(more);
        std::iter::once("goodput").chain(line).map(OsString::from).collect()
    };
    let read = |words: &[OsString]| match args::parse(words) {
        Ok(command) => Ok(command),
        Err(NotACommand::Refused(failure)) => Err(failure),
        Err(NotACommand::Text(_)) => Err(Failure::usage("the line asks for help").try_this(HINT)),
    };
    let command = read(&words(None))?;
    if let Some(why) = leave::not_for_a_page(&command) {
        return Err(Failure::usage("this line cannot be started here").because(why).try_this(HINT));
    }
    // As it will be started: what does not go with that is found now.
    read(&words(Some("--events")))
}

fn form(table: &clap::Command, name: &str) -> Option<Form> {
    let command = name.split(' ').try_fold(table, |command, word| command.find_subcommand(word))?;
    let events = command.get_arguments().find(|arg| arg.get_long() == Some("events"));
    // What does not go with how a page starts it.
    let others: BTreeSet<String> = events
        .map(|events| command.get_arg_conflicts_with(events))
        .unwrap_or_default()
        .into_iter()
        .map(|arg| arg.get_id().to_string())
        .collect();
    let shown = |arg: &&Arg| !arg.is_hide_set() && !others.contains(arg.get_id().as_str());
    let about = command.get_about().map(ToString::to_string).unwrap_or_default();
    let options = command.get_arguments().filter(shown).map(|arg| option(name, arg)).collect();
    Some(Form { command: name.to_string(), about, options })
}

fn option(command: &str, arg: &Arg) -> FormOption {
    let value_name = arg
        .get_value_names()
        .and_then(|names| names.first())
        .map(ToString::to_string)
        .filter(|_| arg.get_action().takes_values());
    let name = match arg.get_long() {
        Some(long) => format!("--{long}"),
        None => value_name.clone().unwrap_or_else(|| arg.get_id().to_string().to_uppercase()),
    };
    let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
    let (help, default) = without_default(&help);
    let is_list = value_name.as_deref().is_some_and(|value| LISTS.contains(&value));
    let choices = if is_list { Vec::new() } else { choices(command, &name) };
    FormOption {
        kind: kind(value_name.as_deref(), !choices.is_empty()),
        group: if between(command, arg, &name) { Group::Hosts } else { Group::Measurement },
        required: arg.is_required_set(),
        repeated: matches!(arg.get_action(), ArgAction::Append),
        joined: arg.is_require_equals_set(),
        leave: NEED_LEAVE.iter().find(|(needs, _)| *needs == name).map(|(_, leave)| *leave),
        choices,
        value_name,
        help,
        default,
        name,
    }
}

/// A help without the default that it ends with, and the default.
fn without_default(help: &str) -> (String, Option<String>) {
    match help.rsplit_once(" [default: ") {
        Some((before, default)) if default.ends_with(']') => {
            (before.to_string(), Some(default[..default.len() - 1].to_string()))
        }
        _ => (help.to_string(), None),
    }
}

/// The words of an option: those of its own command, or of another one that has the same option.
fn choices(command: &str, option: &str) -> Vec<String> {
    let alike = || CHOICES.iter().filter(|(_, name, _)| *name == option);
    let own = alike().find(|(owner, ..)| *owner == command);
    let words = own.or_else(|| alike().next()).map(|(_, _, words)| *words);
    words.unwrap_or_default().iter().map(ToString::to_string).collect()
}

fn kind(value_name: Option<&str>, few: bool) -> Kind {
    let Some(value) = value_name else { return Kind::Flag };
    match value {
        value if LISTS.contains(&value) => Kind::List,
        _ if few => Kind::Choice,
        "N" | "NUMBER" | "PORT" | "BYTES" | "PER_SECOND" => Kind::Number,
        "SIZE" => Kind::Size,
        "TIME" => Kind::Time,
        "RATE" => Kind::Rate,
        "PERCENT" => Kind::Percent,
        "HOST" | "SERVER" | "HOST[:PORT]" => Kind::Host,
        "FILE" | "FILE|FOLDER" | "LOADFILE|office" => Kind::File,
        "DIR" => Kind::Folder,
        "KEY=VALUE" => Kind::Label,
        _ => Kind::Text,
    }
}

fn between(command: &str, arg: &Arg, name: &str) -> bool {
    let of = |owner: &str| owner.is_empty() || command.split(' ').next() == Some(owner);
    arg.is_positional()
        || arg.get_value_names().is_some_and(|names| names.iter().any(|n| n.as_str() == "HOST"))
        || BETWEEN.iter().any(|(owner, option)| *option == name && of(owner))
}

/// The same with what every measuring command has put together. An experiment is no measurement of its own.
fn grouped(mut forms: Vec<Form>) -> Vec<Form> {
    let names = |form: &Form| form.options.iter().map(|o| o.name.clone()).collect::<BTreeSet<String>>();
    let of_all = forms
        .iter()
        .filter(|form| form.command != "run")
        .map(names)
        .reduce(|one, other| one.intersection(&other).cloned().collect())
        .unwrap_or_default();
    for option in forms.iter_mut().flat_map(|form| &mut form.options) {
        if of_all.contains(&option.name) {
            option.group = Group::Common;
        }
    }
    forms
}

#[cfg(test)]
mod tests;
