//! Design, order, repeats, exclusions, and the settings of `--quick`.

use super::file_error::{PositionedError, suggest_name};
use super::names;
use super::notation::{Positioned, ScalarOrTable, TextOrNumber};
use super::toml_form::{ExecutionOrderToml, ExperimentToml, FractionalDesignToml, RepeatPolicyToml};
use crate::quick_mode::ExtraArguments;
use goodput_model::Experiment;
use goodput_model::experiment::{ExecutionOrder, ExperimentDesign, FactorLevels, RepeatPolicy};
use std::collections::BTreeMap;

/// A sign-flip test of six pairs can reach p = 2/2⁶ = 0.031, of five only 0.063.
pub(super) const DEFAULT_REPEATS: u32 = 6;

const MAX_REPEATS: u32 = 10_000;

const DESIGNS: [&str; 2] = ["full", "one-at-a-time"];

pub(super) fn parse_experiment_design(
    typed: Option<&Positioned<ScalarOrTable<FractionalDesignToml>>>,
) -> Result<ExperimentDesign, PositionedError> {
    let Some(typed) = typed else { return Ok(ExperimentDesign::Full) };
    match &typed.it {
        ScalarOrTable::Full(fraction) if fraction.fraction.is_empty() => {
            let why = "a fraction without generators is the full design";
            Err(PositionedError::new(typed.at, why, "design = \"full\", or { fraction = [\"D=ABC\"] }"))
        }
        ScalarOrTable::Full(fraction) => {
            Ok(ExperimentDesign::Fractional { generators: fraction.fraction.clone() })
        }
        ScalarOrTable::Short(word) => match word.to_string().as_str() {
            "full" => Ok(ExperimentDesign::Full),
            "one-at-a-time" => Ok(ExperimentDesign::OneAtATime),
            other => {
                let hint =
                    format!("{}, or design = {{ fraction = [\"D=ABC\"] }}", suggest_name(other, &DESIGNS));
                Err(PositionedError::new(typed.at, format!("design {other} not found"), hint))
            }
        },
    }
}

pub(super) fn parse_execution_order(form: &ExperimentToml) -> ExecutionOrder {
    ExecutionOrder {
        shuffled: matches!(form.order, ExecutionOrderToml::Random),
        seed: form.seed.unwrap_or(1),
    }
}

pub(super) fn parse_repeat_policy(
    typed: Option<&Positioned<ScalarOrTable<RepeatPolicyToml>>>,
    usual: u32,
    warm_up: u32,
) -> Result<RepeatPolicy, PositionedError> {
    let fixed = |times| RepeatPolicy { warm_up, least: times, most: times, width_percent: None };
    let Some(typed) = typed else { return Ok(fixed(usual)) };
    let refuse = |why: &str| {
        PositionedError::new(typed.at, why, "repeats = 10, or { least = 5, most = 30, width = \"3%\" }")
    };
    match &typed.it {
        ScalarOrTable::Short(TextOrNumber::Whole(times)) => match u32::try_from(*times) {
            Ok(times @ 1..=MAX_REPEATS) => Ok(fixed(times)),
            _ => Err(refuse("repeats is a number from 1 to 10000")),
        },
        ScalarOrTable::Short(_) => Err(refuse("repeats is a whole number or a table")),
        ScalarOrTable::Full(full) => {
            if full.least < 3 {
                return Err(refuse("least is below 3, and fewer values tell no width"));
            }
            if full.most <= full.least || full.most > MAX_REPEATS {
                return Err(refuse("most is not above least, or above 10000"));
            }
            let number = full.width.trim().strip_suffix('%').map(str::trim_end);
            let width = number.and_then(|n| n.parse::<f64>().ok()).filter(|w| *w > 0.0 && *w <= 100.0);
            let width = width.ok_or_else(|| refuse("width is not a share between 0% and 100%"))?;
            Ok(RepeatPolicy { warm_up, least: full.least, most: full.most, width_percent: Some(width) })
        }
    }
}

pub(super) fn parse_excluded_combinations(
    form: &ExperimentToml,
    experiment: &Experiment,
) -> Result<Vec<FactorLevels>, PositionedError> {
    let one = |typed: &Positioned<BTreeMap<String, TextOrNumber>>| {
        if typed.it.is_empty() {
            let hint = "exclude = [{ mtu = 9000, cc = \"bbr\" }]";
            return Err(PositionedError::new(typed.at, "this entry does not exclude any combination", hint));
        }
        let level = |(name, level): (&String, &TextOrNumber)| {
            let factor = names::find_factor(typed.at, name, experiment)?;
            Ok((name.clone(), names::find_level(typed.at, level, factor)?))
        };
        typed.it.iter().map(level).collect()
    };
    form.exclude.iter().map(one).collect()
}

pub(super) fn parse_extra_arguments(
    typed: Option<&Positioned<ScalarOrTable<BTreeMap<String, String>>>>,
    experiment: &Experiment,
) -> Result<ExtraArguments, PositionedError> {
    let Some(typed) = typed else { return Ok(ExtraArguments::default()) };
    match &typed.it {
        ScalarOrTable::Short(all) => Ok(ExtraArguments { all: all.to_string(), by_probe: BTreeMap::new() }),
        ScalarOrTable::Full(by_probe) => {
            by_probe.keys().try_for_each(|probe| names::check_probe_exists(typed.at, probe, experiment))?;
            Ok(ExtraArguments { all: String::new(), by_probe: by_probe.clone() })
        }
    }
}
