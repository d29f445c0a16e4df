//! Valid names of hosts, factors, levels and probes.

use super::file_error::{ParseResult, error_at_position, valid_names_hint};
use super::notation::{TextOrNumber, ValueWithPosition};
use super::toml_form::LevelFilter;
use crate::probe_command::is_valid_name;
use goodput_model::Experiment;
use goodput_model::experiment::{Factor, ProbeCommand};
use std::collections::{BTreeMap, BTreeSet};

/// Reserved by templates.
const TAKEN: [&str; 2] = ["level", "before"];

pub(super) fn check_name_allowed(what: &str, name: &str, at: usize) -> ParseResult<()> {
    if TAKEN.contains(&name) {
        let why = format!("{what} cannot be named {name}, which commands use for a factor's level");
        return error_at_position(at, why, format!("choose another name, for example {name}-1"));
    }
    if !is_valid_name(name) {
        let why = format!("{what} cannot be named {name:?}");
        return error_at_position(at, why, "use letters, digits, - and _, starting with a letter");
    }
    Ok(())
}

pub(super) fn check_names_unique<'a>(
    what: &str,
    names: impl Iterator<Item = (usize, &'a str)>,
) -> ParseResult<()> {
    let mut seen = BTreeSet::new();
    for (at, name) in names {
        if !seen.insert(name) {
            return error_at_position(at, format!("{what} {name} is defined twice"), "rename one of the two");
        }
    }
    Ok(())
}

pub(super) fn check_host_names_and_addresses(
    hosts: &BTreeMap<String, ValueWithPosition<String>>,
    lab: bool,
) -> ParseResult<()> {
    for (role, host) in hosts {
        check_name_allowed("a host", role, host.at)?;
        if host.it.trim().is_empty() {
            let example = if lab { "lab:a" } else { "192.0.2.7" };
            return error_at_position(
                host.at,
                format!("host {role} has no address"),
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
        true => format!("add [hosts] with {typed} = \"HOST\""),
        false => valid_names_hint(typed, &known),
    };
    error_at_position(at, format!("no host {typed} found under [hosts]"), hint)
}

fn find<'a, T>(
    at: usize,
    kind: &str,
    typed: &str,
    all: &'a [T],
    name: impl Fn(&T) -> &str,
) -> ParseResult<&'a T> {
    if let Some(found) = all.iter().find(|one| name(one) == typed) {
        return Ok(found);
    }
    let known: Vec<&str> = all.iter().map(name).collect();
    error_at_position(at, format!("{kind} {typed} not found"), valid_names_hint(typed, &known))
}

pub(super) fn find_factor<'e>(at: usize, typed: &str, experiment: &'e Experiment) -> ParseResult<&'e Factor> {
    find(at, "factor", typed, &experiment.factors, |factor| factor.name.as_str())
}

pub(super) fn find_probe<'e>(
    at: usize,
    typed: &str,
    experiment: &'e Experiment,
) -> ParseResult<&'e ProbeCommand> {
    find(at, "probe", typed, &experiment.probes, |probe| probe.name.as_str())
}

pub(super) fn find_level(at: usize, typed: &TextOrNumber, factor: &Factor) -> ParseResult<String> {
    let typed = typed.to_string();
    let known: Vec<&str> = factor.levels.iter().map(|l| l.name.as_str()).collect();
    match known.contains(&typed.as_str()) {
        true => Ok(typed),
        false => {
            let why = format!("factor {} does not have a level {typed}", factor.name);
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
            let why = format!("`only` specifies no level of {name}");
            return error_at_position(at, why, format!("leave {name} out for all its levels"));
        }
        let named: ParseResult<Vec<String>> = levels.0.iter().map(|l| find_level(at, l, factor)).collect();
        only.insert(name.clone(), named?);
    }
    Ok(only)
}
