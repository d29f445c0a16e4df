//! Design, order, repeats, exclusions, and the settings of `--quick`.

use super::file_error::{ParseResult, either_hint, error_at_position, valid_names_hint};
use super::names;
use super::notation::{ScalarOrTable, TextOrNumber, ValueWithPosition};
use super::toml_form::{ExecutionOrderToml, ExperimentToml, FractionalDesignToml, RepeatPolicyToml};
use goodput_model::Experiment;
use goodput_model::experiment::{ExecutionOrder, ExperimentDesign, FactorLevels, RepeatPolicy};
use goodput_words::message;
use std::collections::BTreeMap;

/// A sign-flip test of six pairs can reach p = 2/2⁶ = 0.031, of five only 0.063.
pub(super) const DEFAULT_REPEATS: u32 = 6;

const MAX_REPEATS: u32 = 10_000;

const DESIGNS: [&str; 2] = ["full", "one-at-a-time"];

pub(super) fn parse_experiment_design(
    typed: Option<&ValueWithPosition<ScalarOrTable<FractionalDesignToml>>>,
) -> ParseResult<ExperimentDesign> {
    let Some(typed) = typed else { return Ok(ExperimentDesign::Full) };
    match &typed.it {
        ScalarOrTable::Full(fraction) if fraction.fraction.is_empty() => {
            let why = "a fraction without generators is the full design";
            error_at_position(typed.at, why, either_hint("design = \"full\"", "{ fraction = [\"D=ABC\"] }"))
        }
        ScalarOrTable::Full(fraction) => {
            Ok(ExperimentDesign::Fractional { generators: fraction.fraction.clone() })
        }
        ScalarOrTable::Short(word) => match word.to_string().as_str() {
            "full" => Ok(ExperimentDesign::Full),
            "one-at-a-time" => Ok(ExperimentDesign::OneAtATime),
            other => {
                let hint =
                    either_hint(valid_names_hint(other, &DESIGNS), "design = { fraction = [\"D=ABC\"] }");
                error_at_position(typed.at, message!(file_no_design { design: other }), hint)
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
    typed: Option<&ValueWithPosition<ScalarOrTable<RepeatPolicyToml>>>,
    usual: u32,
    warm_up: u32,
) -> ParseResult<RepeatPolicy> {
    let fixed = |times| RepeatPolicy { warm_up, least: times, most: times, width_percent: None };
    let Some(typed) = typed else { return Ok(fixed(usual)) };
    let invalid = |why: &str| {
        let hint = either_hint("repeats = 10", "{ least = 5, most = 30, width = \"3%\" }");
        error_at_position(typed.at, why, hint)
    };
    match &typed.it {
        ScalarOrTable::Short(TextOrNumber::Whole(times)) => match u32::try_from(*times) {
            Ok(times @ 1..=MAX_REPEATS) => Ok(fixed(times)),
            _ => invalid("repeats is a number from 1 to 10000"),
        },
        ScalarOrTable::Short(_) => invalid("repeats is a whole number or a table"),
        ScalarOrTable::Full(full) => {
            if full.least < 3 {
                return invalid("least is below 3, and fewer values tell no width");
            }
            if full.most <= full.least || full.most > MAX_REPEATS {
                return invalid("most is not above least, or above 10000");
            }
            let number = full.width.trim().strip_suffix('%').map(str::trim_end);
            let width_percent =
                number.and_then(|n| n.parse::<f64>().ok()).filter(|w| *w > 0.0 && *w <= 100.0);
            if width_percent.is_none() {
                return invalid("width is not a share between 0% and 100%");
            }
            Ok(RepeatPolicy { warm_up, least: full.least, most: full.most, width_percent })
        }
    }
}

pub(super) fn parse_excluded_combinations(
    form: &ExperimentToml,
    experiment: &Experiment,
) -> ParseResult<Vec<FactorLevels>> {
    let one = |typed: &ValueWithPosition<BTreeMap<String, TextOrNumber>>| {
        if typed.it.is_empty() {
            let hint = "exclude = [{ mtu = 9000, cc = \"bbr\" }]";
            return error_at_position(typed.at, "this entry does not exclude any combination", hint);
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
    typed: Option<&ValueWithPosition<ScalarOrTable<BTreeMap<String, String>>>>,
    experiment: &Experiment,
) -> ParseResult<BTreeMap<String, String>> {
    let Some(typed) = typed else { return Ok(BTreeMap::new()) };
    match &typed.it {
        ScalarOrTable::Short(all) => {
            Ok(experiment.probes.iter().map(|probe| (probe.name.clone(), all.to_string())).collect())
        }
        ScalarOrTable::Full(by_probe) => {
            for probe in by_probe.keys() {
                names::find_probe(typed.at, probe, experiment)?;
            }
            Ok(by_probe.clone())
        }
    }
}
