//! How the levels of a factor are set, and whether that is valid.

use super::file_error::{ParseResult, error_at_position, valid_names_hint};
use super::names;
use super::notation::{OneOrMany, ValueWithPosition};
use super::toml_form::{CommandToml, ExperimentToml, FactorToml, ManualStepToml};
use crate::probe_command;
use goodput_model::experiment::{FactorLevel, LevelSettingMethod, ManualStepCheck};
use goodput_words::message;

/// Without means only the lines differ.
pub(super) fn parse_level_setting_method(
    typed: &FactorToml,
    levels: &[FactorLevel],
    form: &ExperimentToml,
) -> ParseResult<LevelSettingMethod> {
    let written = [
        typed.lab.as_ref().map(|m| ("lab", m.at)),
        typed.knob.as_ref().map(|m| ("knob", m.at)),
        typed.command.as_ref().map(|m| ("command", m.at)),
        typed.by_hand.as_ref().map(|m| ("by_hand", m.at)),
    ];
    let written: Vec<(&str, usize)> = written.into_iter().flatten().collect();
    if let [(first, _), (second, at), ..] = written.as_slice() {
        let why = message!(file_two_means { factor: &typed.name.it, first: *first, second: *second });
        return error_at_position(*at, why, "keep one, or make it two factors");
    }
    if typed.knob.is_none() {
        let stray = typed.on.as_ref().map(|on| ("on", on.at));
        if let Some((key, at)) = stray.or(typed.interface.as_ref().map(|i| ("interface", i.at))) {
            let why = message!(error_experiment_key_of_knob { key, factor: &typed.name.it });
            let (knob, command) = ("knob = \"mtu\"", "command = { on = … }");
            return error_at_position(at, why, message!(hint_experiment_knob { knob, command }));
        }
    }
    match (&typed.lab, &typed.knob, &typed.command, &typed.by_hand) {
        (Some(paths), ..) => lab(paths, form),
        (_, Some(name), ..) => knob(name, typed, form),
        (.., Some(commands), _) => command(commands, form),
        (.., Some(hand)) => by_hand(hand, levels, form),
        _ => Ok(LevelSettingMethod::Argument),
    }
}

fn lab(
    paths: &ValueWithPosition<OneOrMany<String>>,
    form: &ExperimentToml,
) -> ParseResult<LevelSettingMethod> {
    if form.lab.is_none() {
        let why = "the experiment defines no lab, so a lab property cannot be set";
        let hint = message!(hint_experiment_lab_above { line: "lab = \"topology.toml\"" });
        return error_at_position(paths.at, why, hint);
    }
    let possible = |path: &String| {
        let parts: Vec<&str> = path.split('.').collect();
        let named = parts.iter().all(|part| !part.is_empty());
        named
            && match parts.as_slice() {
                ["host" | "hosts", _, _, ..] => true,
                ["link" | "links", number, _, ..] => number.parse::<u32>().is_ok_and(|n| n >= 1),
                [property] => !matches!(*property, "host" | "hosts" | "link" | "links"),
                _ => false,
            }
    };
    if let Some(path) = paths.0.iter().find(|path| !possible(path)) {
        let why = message!(file_no_property_of_lab { path: format!("{path:?}") });
        return error_at_position(
            paths.at,
            why,
            "links.1.medium (links count from 1), or hosts.NAME.cpu_share",
        );
    }
    match paths.0.is_empty() {
        true => error_at_position(paths.at, "lab names no property", "lab = \"links.1.medium\""),
        false => Ok(LevelSettingMethod::Lab { paths: paths.0.clone() }),
    }
}

fn knob(
    name: &ValueWithPosition<String>,
    typed: &FactorToml,
    form: &ExperimentToml,
) -> ParseResult<LevelSettingMethod> {
    if name.trim().is_empty() {
        return error_at_position(name.at, "knob names no setting", "knob = \"mtu\"");
    }
    let Some(on) = typed.on.as_ref().filter(|on| !on.0.is_empty()) else {
        let roles: Vec<String> = form.hosts.keys().map(|role| format!("{role:?}")).collect();
        let why = message!(file_knob_on_no_host { factor: &typed.name.it });
        return error_at_position(name.at, why, format!("on = [{}]", roles.join(", ")));
    };
    on.0.iter().try_for_each(|role| names::check_host_defined(on.at, role, &form.hosts))?;
    let named = |name: &str| message!(part_experiment_host { name });
    names::check_names_unique(named, on.0.iter().map(|role| (on.at, role.as_str())))?;
    let interface = typed.interface.as_ref().map(|i| i.it.clone());
    Ok(LevelSettingMethod::Knob { on: on.0.clone(), knob: name.it.trim().to_string(), interface })
}

fn command(typed: &ValueWithPosition<CommandToml>, form: &ExperimentToml) -> ParseResult<LevelSettingMethod> {
    names::check_host_defined(typed.at, &typed.on, &form.hosts)?;
    has_level("set", &typed.set, typed.at, "set = \"ip link set eth0 mtu {level}\"")?;
    let restores_what_was_read = typed
        .restore
        .as_ref()
        .is_some_and(|restore| probe_command::placeholder_names(restore).contains(&"before"));
    if restores_what_was_read && typed.read.is_none() {
        let why = message!(error_experiment_restore_without_read { before: "{before}" });
        return error_at_position(typed.at, why, "read = \"cat /sys/class/net/eth0/mtu\"");
    }
    Ok(LevelSettingMethod::Command {
        on: typed.on.clone(),
        set: typed.set.clone(),
        read: typed.read.clone(),
        restore: typed.restore.clone(),
    })
}

fn by_hand(
    typed: &ValueWithPosition<ManualStepToml>,
    levels: &[FactorLevel],
    form: &ExperimentToml,
) -> ParseResult<LevelSettingMethod> {
    has_level("ask", &typed.ask, typed.at, "ask = \"put the {level} card into the server\"")?;
    let mut verify = Vec::new();
    for fact in &typed.verify {
        names::check_host_defined(typed.at, &fact.on, &form.hosts)?;
        if fact.fact.trim().is_empty() {
            return error_at_position(typed.at, "verify names no fact", "fact = \"interfaces.eth0.driver\"");
        }
        let known: Vec<&str> = levels.iter().map(|l| l.name.as_str()).collect();
        if let Some(other) = fact.is.keys().find(|level| !known.contains(&level.as_str())) {
            let why = message!(file_verify_no_level { fact: &fact.fact, level: other });
            return error_at_position(typed.at, why, valid_names_hint(other, &known));
        }
        if let Some(missing) = known.iter().find(|level| !fact.is.contains_key(**level)) {
            let why = message!(file_verify_not_said { fact: &fact.fact, level: *missing });
            let line = format!("is = {{ {missing:?} = \"…\", … }}");
            return error_at_position(typed.at, why, message!(hint_experiment_every_level { line }));
        }
        let is = fact.is.iter().map(|(level, value)| (level.clone(), value.to_string())).collect();
        verify.push(ManualStepCheck { on: fact.on.clone(), fact: fact.fact.clone(), is });
    }
    Ok(LevelSettingMethod::ByHand { ask: typed.ask.clone(), verify })
}

/// A template without the level would do the same for every level.
fn has_level(key: &str, template: &str, at: usize, example: &str) -> ParseResult<()> {
    match probe_command::placeholder_names(template).contains(&"level") {
        true => Ok(()),
        false => error_at_position(at, message!(error_experiment_same_for_every_level { key }), example),
    }
}
