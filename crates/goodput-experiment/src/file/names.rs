//! Valid names of hosts, factors, levels and probes.

use super::form::LevelFilter;
use super::notation::{At, Scalar};
use super::refusal::{Refusal, choose};
use crate::probe_line::is_name;
use goodput_model::Experiment;
use goodput_model::experiment::Factor;
use std::collections::{BTreeMap, BTreeSet};

/// Reserved by templates.
const TAKEN: [&str; 2] = ["level", "before"];

pub(super) fn checked(what: &str, name: &str, at: usize) -> Result<(), Refusal> {
    if TAKEN.contains(&name) {
        let why = format!("{what} cannot be called {name}, which commands use for a factor's level");
        return Err(Refusal::new(at, why, format!("name it otherwise, {name}-1")));
    }
    if !is_name(name) {
        let why = format!("{what} cannot be called {name:?}");
        return Err(Refusal::new(at, why, "use letters, digits, - and _, a letter first"));
    }
    Ok(())
}

pub(super) fn unique<'a>(what: &str, names: impl Iterator<Item = (usize, &'a str)>) -> Result<(), Refusal> {
    let mut seen = BTreeSet::new();
    for (at, name) in names {
        if !seen.insert(name) {
            return Err(Refusal::new(
                at,
                format!("{what} {name} is there twice"),
                "give one of them another name",
            ));
        }
    }
    Ok(())
}

pub(super) fn hosts(hosts: &BTreeMap<String, At<String>>, lab: bool) -> Result<(), Refusal> {
    for (role, host) in hosts {
        checked("a host", role, host.at)?;
        if host.it.trim().is_empty() {
            let example = if lab { "lab:a" } else { "192.0.2.7" };
            return Err(Refusal::new(
                host.at,
                format!("host {role} stands for nothing"),
                format!("{role} = \"{example}\""),
            ));
        }
    }
    Ok(())
}

pub(super) fn role(at: usize, typed: &str, hosts: &BTreeMap<String, At<String>>) -> Result<(), Refusal> {
    if hosts.contains_key(typed) {
        return Ok(());
    }
    let known: Vec<&String> = hosts.keys().collect();
    let hint = match known.is_empty() {
        true => format!("add [hosts] with {typed} = \"HOST\""),
        false => choose(typed, &known),
    };
    Err(Refusal::new(at, format!("there is no host {typed} under [hosts]"), hint))
}

pub(super) fn factor<'e>(at: usize, typed: &str, experiment: &'e Experiment) -> Result<&'e Factor, Refusal> {
    let known: Vec<&str> = experiment.factors.iter().map(|f| f.name.as_str()).collect();
    let found = experiment.factors.iter().find(|f| f.name == typed);
    found.ok_or_else(|| Refusal::new(at, format!("there is no factor {typed}"), choose(typed, &known)))
}

pub(super) fn level(at: usize, typed: &Scalar, factor: &Factor) -> Result<String, Refusal> {
    let typed = typed.to_string();
    let known: Vec<&str> = factor.levels.iter().map(|l| l.name.as_str()).collect();
    match known.contains(&typed.as_str()) {
        true => Ok(typed),
        false => {
            let why = format!("factor {} has no level {typed}", factor.name);
            Err(Refusal::new(at, why, choose(&typed, &known)))
        }
    }
}

pub(super) fn probe(at: usize, typed: &str, experiment: &Experiment) -> Result<(), Refusal> {
    let known: Vec<&str> = experiment.probes.iter().map(|p| p.name.as_str()).collect();
    match known.contains(&typed) {
        true => Ok(()),
        false => Err(Refusal::new(at, format!("there is no probe {typed}"), choose(typed, &known))),
    }
}

pub(super) fn only(
    at: usize,
    typed: &LevelFilter,
    experiment: &Experiment,
) -> Result<BTreeMap<String, Vec<String>>, Refusal> {
    let mut only = BTreeMap::new();
    for (name, levels) in typed {
        let factor = factor(at, name, experiment)?;
        if levels.0.is_empty() {
            return Err(Refusal::new(
                at,
                format!("only names no level of {name}"),
                format!("leave {name} out for all its levels"),
            ));
        }
        let named: Result<Vec<String>, Refusal> = levels.0.iter().map(|l| level(at, l, factor)).collect();
        only.insert(name.clone(), named?);
    }
    Ok(only)
}
