//! Valid names of hosts, factors, levels and probes.

use super::file_error::{ParseResult, error_at_position, valid_names_hint};
use super::notation::{TextOrNumber, ValueWithPosition};
use super::toml_form::LevelFilter;
use crate::probe_command::is_valid_name;
use goodput_model::Experiment;
use goodput_model::experiment::{Factor, ProbeCommand};
use goodput_words::{Message, message};
use std::collections::{BTreeMap, BTreeSet};

/// Reserved by templates.
const TAKEN: [&str; 2] = ["level", "before"];

pub(super) fn check_name_allowed(what: Message, name: &str, at: usize) -> ParseResult<()> {
    if TAKEN.contains(&name) {
        let why = message!(error_experiment_name_of_level { what, name });
        return error_at_position(at, why, message!(file_hint_name_otherwise { name: format!("{name}-1") }));
    }
    if !is_valid_name(name) {
        let why = message!(file_cannot_be_called { what, name: format!("{name:?}") });
        return error_at_position(at, why, "use letters, digits, - and _, starting with a letter");
    }
    Ok(())
}

/// `named` says what has the name.
pub(super) fn check_names_unique<'a>(
    named: impl Fn(&str) -> Message,
    names: impl Iterator<Item = (usize, &'a str)>,
) -> ParseResult<()> {
    let mut seen = BTreeSet::new();
    for (at, name) in names {
        if !seen.insert(name) {
            let why = message!(file_there_twice { what: named(name) });
            return error_at_position(at, why, "rename one of the two");
        }
    }
    Ok(())
}

pub(super) fn check_host_names_and_addresses(
    hosts: &BTreeMap<String, ValueWithPosition<String>>,
    lab: bool,
) -> ParseResult<()> {
    for (role, host) in hosts {
        check_name_allowed(message!(part_experiment_some_host), role, host.at)?;
        if host.it.trim().is_empty() {
            let example = if lab { "lab:a" } else { "192.0.2.7" };
            return error_at_position(
                host.at,
                message!(file_stands_for_nothing { role }),
                format!("{role} = \"{example}\""),
            );
        }
    }
    Ok(())
}

pub(super) fn check_host_defined(
    at: usize,
    typed: &str,
    hosts: &BTreeMap<String, ValueWithPosition<String>>,
) -> ParseResult<()> {
    if hosts.contains_key(typed) {
        return Ok(());
    }
    let known: Vec<&String> = hosts.keys().collect();
    let hint = match known.is_empty() {
        true => message!(hint_experiment_add_hosts { line: format!("{typed} = \"HOST\"") }),
        false => valid_names_hint(typed, &known),
    };
    error_at_position(at, message!(file_no_host_under_hosts { host: typed }), hint)
}

fn find<'a, T>(
    at: usize,
    not_found: Message,
    typed: &str,
    all: &'a [T],
    name: impl Fn(&T) -> &str,
) -> ParseResult<&'a T> {
    if let Some(found) = all.iter().find(|one| name(one) == typed) {
        return Ok(found);
    }
    let known: Vec<&str> = all.iter().map(name).collect();
    error_at_position(at, not_found, valid_names_hint(typed, &known))
}

pub(super) fn find_factor<'e>(at: usize, typed: &str, experiment: &'e Experiment) -> ParseResult<&'e Factor> {
    let not_found = message!(file_no_factor { factor: typed });
    find(at, not_found, typed, &experiment.factors, |factor| factor.name.as_str())
}

pub(super) fn find_probe<'e>(
    at: usize,
    typed: &str,
    experiment: &'e Experiment,
) -> ParseResult<&'e ProbeCommand> {
    let not_found = message!(file_no_probe { probe: typed });
    find(at, not_found, typed, &experiment.probes, |probe| probe.name.as_str())
}

pub(super) fn find_level(at: usize, typed: &TextOrNumber, factor: &Factor) -> ParseResult<String> {
    let typed = typed.to_string();
    let known: Vec<&str> = factor.levels.iter().map(|l| l.name.as_str()).collect();
    match known.contains(&typed.as_str()) {
        true => Ok(typed),
        false => {
            let why = message!(file_no_level { factor: &factor.name, level: &typed });
            error_at_position(at, why, valid_names_hint(&typed, &known))
        }
    }
}

pub(super) fn parse_level_filter(
    at: usize,
    typed: &LevelFilter,
    experiment: &Experiment,
) -> ParseResult<BTreeMap<String, Vec<String>>> {
    let mut only = BTreeMap::new();
    for (name, levels) in typed {
        let factor = find_factor(at, name, experiment)?;
        if levels.0.is_empty() {
            let why = message!(file_only_no_level { factor: name });
            return error_at_position(at, why, message!(hint_experiment_leave_out_factor { factor: name }));
        }
        let named: ParseResult<Vec<String>> = levels.0.iter().map(|l| find_level(at, l, factor)).collect();
        only.insert(name.clone(), named?);
    }
    Ok(only)
}
