//! Measuring commands as forms of the page: options from clap's definitions, lines checked by its parser.

mod permissions;

use crate::args::host_name::{HostList, HostName};
use crate::args::value_parsers::Label;
use crate::args::{self, Command, ParseOutcome};
use crate::command::run::ExperimentSource;
use crate::failure::Failure;
use clap::{Arg, ArgAction, ValueHint};
use goodput_control::AgentRouterAddress;
use goodput_model::datagram::DatagramRate;
use goodput_model::{BitRate, Bytes, Nanos, Probe};
use goodput_server::forms::{Form, FormOption, JobPermission, OptionGroup, OptionValueKind};
use goodput_server::{CheckedCommand, CommandRefusal};
use goodput_words::message;
use std::any::TypeId;
use std::collections::BTreeSet;
use std::ffi::OsString;

/// The commands that measure: the probes, parts of `file`, and experiments.
pub fn measuring_commands() -> impl Iterator<Item = &'static str> {
    Probe::NAMES.iter().copied().chain(["file copy", "file disk", "file replay", "run"])
}

const LISTS: [&str; 2] = ["LIST", "LINES"];

/// Options that select hosts, besides those whose value is a host.
const HOST_OPTIONS: [&str; 3] = ["port", "group", "server_folder"];

const NEED_LEAVE: [(&str, JobPermission); 9] = [
    ("--runs", JobPermission::Write),
    ("--np-out", JobPermission::Write),
    ("--write-icf", JobPermission::Write),
    ("--key-file", JobPermission::Files),
    ("--ca", JobPermission::Files),
    ("--certificate", JobPermission::Files),
    ("--private-key", JobPermission::Files),
    ("--password-file", JobPermission::Files),
    ("--icf", JobPermission::Files),
];

pub fn build_command_web_forms() -> Vec<Form> {
    let table = args::build_clap_command();
    let forms: Vec<Form> = measuring_commands().filter_map(|command| form(&table, command)).collect();
    grouped(forms)
}

/// Checks a line without the program's name; returns what starting it needs. The error is the command line's, or
/// that it measures nothing.
pub fn check_command(line: &[String]) -> Result<CheckedCommand, CommandRefusal> {
    measuring(line).and_then(|command| checked(&command)).map_err(|failure| CommandRefusal {
        error: failure.error,
        cause: failure.cause,
        hint: failure.hint,
    })
}

fn checked(command: &Command) -> Result<CheckedCommand, Failure> {
    let mut asked = BTreeSet::new();
    permissions::permissions_for_command(command, &mut asked);
    let input = match command {
        Command::Run(order) => {
            let source = ExperimentSource::read_for_page(&order.experiment.file)?;
            permissions::permissions_for_experiment(order, &source, &mut asked)?;
            Some(source.to_input()?)
        }
        _ => None,
    };
    Ok(CheckedCommand { permissions: asked.into_iter().collect(), input })
}

fn measuring(line: &[String]) -> Result<Command, Failure> {
    let hint = || message!(hint_args_line_begins { names: Probe::NAMES.to_vec() });
    let words = |more: Option<&str>| -> Vec<OsString> {
        let line = line.iter().map(String::as_str).chain(more);
        std::iter::once("goodput").chain(line).map(OsString::from).collect()
    };
    let read = |words: &[OsString]| match args::parse(words) {
        Ok(command) => Ok(command),
        Err(ParseOutcome::Refused(failure)) => Err(failure),
        Err(ParseOutcome::Text(_)) => Err(Failure::usage_error("the line asks for help").with_hint(hint())),
    };
    let command = read(&words(None))?;
    if let Some(why) = permissions::local_only_reason(&command) {
        return Err(Failure::usage_error("this line cannot be started here")
            .with_cause(why)
            .with_hint(hint()));
    }
    // As it will be started, to find conflicts now.
    read(&words(Some("--events")))
}

fn form(table: &clap::Command, name: &str) -> Option<Form> {
    let command = name.split(' ').try_fold(table, |command, word| command.find_subcommand(word))?;
    let events = command.get_arguments().find(|arg| arg.get_long() == Some("events"));
    // Options that conflict with `--events`.
    let others: BTreeSet<String> = events
        .map(|events| command.get_arg_conflicts_with(events))
        .unwrap_or_default()
        .into_iter()
        .map(|arg| arg.get_id().to_string())
        .collect();
    let shown = |arg: &&Arg| !arg.is_hide_set() && !others.contains(arg.get_id().as_str());
    let about = command.get_about().map(ToString::to_string).unwrap_or_default();
    let options = command.get_arguments().filter(shown).map(option).collect();
    Some(Form { command: name.to_string(), about, options })
}

fn option(arg: &Arg) -> FormOption {
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
    let (help, described) = without_default(&help);
    let default: Vec<_> = arg.get_default_values().iter().map(|value| value.to_string_lossy()).collect();
    let default = (value_name.is_some() && !default.is_empty()).then(|| default.join(",")).or(described);
    let choices: Vec<String> = arg
        .get_possible_values()
        .iter()
        .filter(|_| value_name.is_some())
        .map(|value| value.get_name().to_string())
        .collect();
    FormOption {
        kind: kind(arg, value_name.as_deref(), !choices.is_empty()),
        group: if between(arg) { OptionGroup::Hosts } else { OptionGroup::Measurement },
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

/// Without `[env: …]` and `[default: …]`, which end a help text in this order.
fn without_default(help: &str) -> (String, Option<String>) {
    let (rest, default) = match help.rsplit_once(" [default: ") {
        Some((before, default)) if default.ends_with(']') => {
            (before, Some(default[..default.len() - 1].to_string()))
        }
        _ => (help, None),
    };
    (rest.split_once(" [env: ").map_or(rest, |(before, _)| before).to_string(), default)
}

fn kind(arg: &Arg, value_name: Option<&str>, few: bool) -> OptionValueKind {
    let Some(value_name) = value_name else { return OptionValueKind::Flag };
    match (value_name, arg.get_value_hint()) {
        (name, _) if LISTS.contains(&name) => return OptionValueKind::List,
        _ if few => return OptionValueKind::Choice,
        ("PERCENT", _) => return OptionValueKind::Percent,
        (_, ValueHint::FilePath | ValueHint::AnyPath) => return OptionValueKind::File,
        (_, ValueHint::DirPath) => return OptionValueKind::Folder,
        _ => {}
    }
    let kinds = [
        (TypeId::of::<Bytes>(), OptionValueKind::Size),
        (TypeId::of::<Nanos>(), OptionValueKind::Time),
        (TypeId::of::<BitRate>(), OptionValueKind::Rate),
        (TypeId::of::<DatagramRate>(), OptionValueKind::Rate),
        (TypeId::of::<u8>(), OptionValueKind::Number),
        (TypeId::of::<u16>(), OptionValueKind::Number),
        (TypeId::of::<u32>(), OptionValueKind::Number),
        (TypeId::of::<u64>(), OptionValueKind::Number),
        (TypeId::of::<f64>(), OptionValueKind::Number),
        (TypeId::of::<HostName>(), OptionValueKind::Host),
        (TypeId::of::<AgentRouterAddress>(), OptionValueKind::Host),
        (TypeId::of::<Label>(), OptionValueKind::Label),
    ];
    let parsed = arg.get_value_parser().type_id();
    kinds.into_iter().find(|(id, _)| parsed == *id).map_or(OptionValueKind::Text, |(_, kind)| kind)
}

fn between(arg: &Arg) -> bool {
    let parsed = arg.get_value_parser().type_id();
    let hosts = [TypeId::of::<HostName>(), TypeId::of::<HostList>()];
    arg.is_positional()
        || hosts.iter().any(|id| parsed == *id)
        || HOST_OPTIONS.contains(&arg.get_id().as_str())
}

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
            option.group = OptionGroup::Common;
        }
    }
    forms
}

#[cfg(test)]
mod tests;
