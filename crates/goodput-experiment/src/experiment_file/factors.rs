//! Factors and their levels.

use super::file_error::{ParseResult, error_at_position};
use super::notation::{ScalarOrTable, ValueWithPosition};
use super::toml_form::{ExperimentToml, FactorToml, LevelToml};
use super::{level_method, names};
use crate::probe_command;
use goodput_model::Experiment;
use goodput_model::experiment::{Factor, FactorLevel, LevelSettingMethod};
use goodput_words::{Message, message};

pub(super) fn parse_factors(form: &ExperimentToml) -> ParseResult<Vec<Factor>> {
    let named = |name: &str| message!(part_experiment_factor { name });
    names::check_names_unique(named, form.factor.iter().map(|f| (f.name.at, f.name.it.as_str())))?;
    form.factor.iter().map(|typed| factor(typed, form)).collect()
}

fn factor(typed: &FactorToml, form: &ExperimentToml) -> ParseResult<Factor> {
    let name = &typed.name;
    names::check_name_allowed(message!(part_experiment_some_factor), name, name.at)?;
    if form.hosts.contains_key(&name.it) {
        let braces = format!("{{{}}}", name.it);
        let why = message!(error_experiment_host_and_factor { name: &name.it, braces });
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
        let why = message!(file_factor_has_levels { factor, count: Message::from(*count) });
        let hint = message!(hint_experiment_two_levels { line: "levels = [\"off\", \"on\"]" });
        return error_at_position(typed.at, why, hint);
    }
    let mut levels = Vec::new();
    for level in &typed.it {
        let (name, value) = match &level.it {
            ScalarOrTable::Short(both) => (both.to_string(), both.to_string()),
            ScalarOrTable::Full(full) => (full.name.to_string(), full.value.to_string()),
        };
        if name.trim().is_empty() || name.contains('\n') {
            let why = message!(file_level_without_name { factor });
            return error_at_position(level.at, why, "{ name = \"off\", value = \"\" }");
        }
        levels.push((level.at, FactorLevel { name, value }));
    }
    names::check_names_unique(
        |name| message!(part_experiment_level_of { factor, name }),
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
            let why = message!(file_nothing_uses_factor { factor: name });
            let hint = message!(hint_experiment_use_factor { braces: format!("{{{name}}}") });
            return error_at_position(typed.name.at, why, hint);
        }
    }
    Ok(())
}
