//! Valid names of hosts, factors, levels and probes.

use super::file_error::{PositionedError, suggest_name};
use super::notation::{Positioned, TextOrNumber};
use super::toml_form::LevelFilter;
use crate::probe_command::is_valid_name;
use goodput_model::Experiment;
use goodput_model::experiment::Factor;
use std::collections::{BTreeMap, BTreeSet};

/// Reserved by templates.
const TAKEN: [&str; 2] = ["level", "before"];

pub(super) fn check_name(what: &str, name: &str, at: usize) -> Result<(), PositionedError> {
    if TAKEN.contains(&name) {
        let why = format!("{what} cannot be named {name}, which commands use for a factor's level");
        return Err(PositionedError::new(at, why, format!("choose another name, {name}-1")));
    }
    if !is_valid_name(name) {
        let why = format!("{what} cannot be named {name:?}");
        return Err(PositionedError::new(at, why, "use letters, digits, - and _, starting with a letter"));
    }
    Ok(())
}

pub(super) fn check_names_unique<'a>(
    what: &str,
    names: impl Iterator<Item = (usize, &'a str)>,
) -> Result<(), PositionedError> {
    let mut seen = BTreeSet::new();
    for (at, name) in names {
        if !seen.insert(name) {
            return Err(PositionedError::new(
                at,
                format!("{what} {name} is defined twice"),
                "give one of them another name",
            ));
        }
    }
    Ok(())
}

pub(super) fn check_hosts(
    hosts: &BTreeMap<String, Positioned<String>>,
    lab: bool,
) -> Result<(), PositionedError> {
    for (role, host) in hosts {
        check_name("a host", role, host.at)?;
        if host.it.trim().is_empty() {
            let example = if lab { "lab:a" } else { "192.0.2.7" };
            return Err(PositionedError::new(
                host.at,
                format!("host {role} has no address"),
                format!("{role} = \"{example}\""),
            ));
        }
    }
    Ok(())
}

pub(super) fn check_host_role(
    at: usize,
    typed: &str,
    hosts: &BTreeMap<String, Positioned<String>>,
) -> Result<(), PositionedError> {
    if hosts.contains_key(typed) {
        return Ok(());
    }
    let known: Vec<&String> = hosts.keys().collect();
    let hint = match known.is_empty() {
        true => format!("add [hosts] with {typed} = \"HOST\""),
        false => suggest_name(typed, &known),
    };
    Err(PositionedError::new(at, format!("no host {typed} found under [hosts]"), hint))
}

pub(super) fn find_factor<'e>(
    at: usize,
    typed: &str,
    experiment: &'e Experiment,
) -> Result<&'e Factor, PositionedError> {
    let known: Vec<&str> = experiment.factors.iter().map(|f| f.name.as_str()).collect();
    let found = experiment.factors.iter().find(|f| f.name == typed);
    found.ok_or_else(|| {
        PositionedError::new(at, format!("factor {typed} not found"), suggest_name(typed, &known))
    })
}

pub(super) fn find_level(
    at: usize,
    typed: &TextOrNumber,
    factor: &Factor,
) -> Result<String, PositionedError> {
    let typed = typed.to_string();
    let known: Vec<&str> = factor.levels.iter().map(|l| l.name.as_str()).collect();
    match known.contains(&typed.as_str()) {
        true => Ok(typed),
        false => {
            let why = format!("factor {} does not have a level {typed}", factor.name);
            Err(PositionedError::new(at, why, suggest_name(&typed, &known)))
        }
    }
}

pub(super) fn check_probe_exists(
    at: usize,
    typed: &str,
    experiment: &Experiment,
) -> Result<(), PositionedError> {
    let known: Vec<&str> = experiment.probes.iter().map(|p| p.name.as_str()).collect();
    match known.contains(&typed) {
        true => Ok(()),
        false => {
            Err(PositionedError::new(at, format!("probe {typed} not found"), suggest_name(typed, &known)))
        }
    }
}

pub(super) fn parse_level_filter(
    at: usize,
    typed: &LevelFilter,
    experiment: &Experiment,
) -> Result<BTreeMap<String, Vec<String>>, PositionedError> {
    let mut only = BTreeMap::new();
    for (name, levels) in typed {
        let factor = find_factor(at, name, experiment)?;
        if levels.0.is_empty() {
            return Err(PositionedError::new(
                at,
                format!("`only` specifies no level of {name}"),
                format!("leave {name} out for all its levels"),
            ));
        }
        let named: Result<Vec<String>, PositionedError> =
            levels.0.iter().map(|l| find_level(at, l, factor)).collect();
        only.insert(name.clone(), named?);
    }
    Ok(only)
}
