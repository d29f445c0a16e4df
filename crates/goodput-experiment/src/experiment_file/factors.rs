//! Factors and their levels.

use super::file_error::{ParseResult, error_at_position};
use super::notation::{ScalarOrTable, ValueWithPosition};
use super::toml_form::{ExperimentToml, FactorToml, LevelToml};
use super::{level_method, names};
use crate::probe_command;
use goodput_model::Experiment;
use goodput_model::experiment::{Factor, FactorLevel, LevelSettingMethod};

pub(super) fn parse_factors(form: &ExperimentToml) -> ParseResult<Vec<Factor>> {
    names::check_names_unique("factor", form.factor.iter().map(|f| (f.name.at, f.name.it.as_str())))?;
    form.factor.iter().map(|typed| factor(typed, form)).collect()
}

fn factor(typed: &FactorToml, form: &ExperimentToml) -> ParseResult<Factor> {
    let name = &typed.name;
    names::check_name_allowed("a factor", name, name.at)?;
    if form.hosts.contains_key(&name.it) {
        let why = format!("{} is a host and a factor, so that {{{}}} has two meanings", name.it, name.it);
        return error_at_position(name.at, why, "rename one of the two");
    }
    let levels = levels(name, &typed.levels)?;
    let means = level_method::parse_level_setting_method(typed, &levels, form)?;
    let hard_to_change = typed.hard_to_change.unwrap_or(matches!(means, LevelSettingMethod::ByHand { .. }));
    Ok(Factor { name: name.it.clone(), levels, means, hard_to_change })
}

fn levels(
    factor: &str,
    typed: &ValueWithPosition<Vec<ValueWithPosition<ScalarOrTable<LevelToml>>>>,
) -> ParseResult<Vec<FactorLevel>> {
    if let Some(count) = ["no level", "one level"].get(typed.it.len()) {
        let why = format!("factor {factor} has {count}, but needs at least two");
        let hint = "levels = [\"off\", \"on\"], or write the one level into the probe lines";
        return error_at_position(typed.at, why, hint);
    }
    let mut levels = Vec::new();
    for level in &typed.it {
        let (name, value) = match &level.it {
            ScalarOrTable::Short(both) => (both.to_string(), both.to_string()),
            ScalarOrTable::Full(full) => (full.name.to_string(), full.value.to_string()),
        };
        if name.trim().is_empty() || name.contains('\n') {
            let why = format!("a level of {factor} has no name");
            return error_at_position(level.at, why, "{ name = \"off\", value = \"\" }");
        }
        levels.push((level.at, FactorLevel { name, value }));
    }
    names::check_names_unique(
        &format!("level of {factor}"),
        levels.iter().map(|(at, l)| (*at, l.name.as_str())),
    )?;
    Ok(levels.into_iter().map(|(_, level)| level).collect())
}

/// Fails for a factor without means that is in no line.
pub(super) fn check_factors_used(form: &ExperimentToml, experiment: &Experiment) -> ParseResult<()> {
    let in_a_line = |factor: &Factor| {
        experiment
            .probes
            .iter()
            .any(|p| probe_command::placeholder_names(&p.run).contains(&factor.name.as_str()))
    };
    for (factor, typed) in experiment.factors.iter().zip(&form.factor) {
        if factor.means == LevelSettingMethod::Argument && !in_a_line(factor) {
            let name = &factor.name;
            let why = format!("nothing uses factor {name}");
            let how = "or say how its level comes about: lab, knob, command or by_hand";
            return error_at_position(
                typed.name.at,
                why,
                format!("write {{{name}}} into a probe line, {how}"),
            );
        }
    }
    Ok(())
}
