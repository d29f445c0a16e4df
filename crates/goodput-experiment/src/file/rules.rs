//! Design, order, repeats, exclusions, and the settings of `--quick`.

use super::form::{ExperimentForm, FractionForm, OrderForm, RepeatsForm};
use super::names;
use super::notation::{At, Choice, Scalar};
use super::refusal::{Refusal, choose};
use crate::quick::Words;
use goodput_model::Experiment;
use goodput_model::experiment::{Design, Levels, Order, Repeats};
use std::collections::BTreeMap;

/// A sign-flip test of six pairs can reach p = 2/2⁶ = 0.031, of five only 0.063.
pub(super) const DEFAULT_REPEATS: u32 = 6;

const MAX_REPEATS: u32 = 10_000;

const DESIGNS: [&str; 2] = ["full", "one-at-a-time"];

pub(super) fn design(typed: Option<&At<Choice<FractionForm>>>) -> Result<Design, Refusal> {
    let Some(typed) = typed else { return Ok(Design::Full) };
    match &typed.it {
        Choice::Full(fraction) if fraction.fraction.is_empty() => {
            let why = "a fraction without generators is the full design";
            Err(Refusal::new(typed.at, why, "design = \"full\", or { fraction = [\"D=ABC\"] }"))
        }
        Choice::Full(fraction) => Ok(Design::Fractional { generators: fraction.fraction.clone() }),
        Choice::Short(word) => match word.to_string().as_str() {
            "full" => Ok(Design::Full),
            "one-at-a-time" => Ok(Design::OneAtATime),
            other => {
                let hint = format!("{}, or design = {{ fraction = [\"D=ABC\"] }}", choose(other, &DESIGNS));
                Err(Refusal::new(typed.at, format!("there is no design {other}"), hint))
            }
        },
    }
}

pub(super) fn order(form: &ExperimentForm) -> Order {
    Order { shuffled: matches!(form.order, OrderForm::Random), seed: form.seed.unwrap_or(1) }
}

pub(super) fn repeats(
    typed: Option<&At<Choice<RepeatsForm>>>,
    usual: u32,
    warm_up: u32,
) -> Result<Repeats, Refusal> {
    let fixed = |times| Repeats { warm_up, least: times, most: times, width_percent: None };
    let Some(typed) = typed else { return Ok(fixed(usual)) };
    let refuse =
        |why: &str| Refusal::new(typed.at, why, "repeats = 10, or { least = 5, most = 30, width = \"3%\" }");
    match &typed.it {
        Choice::Short(Scalar::Whole(times)) => match u32::try_from(*times) {
            Ok(times @ 1..=MAX_REPEATS) => Ok(fixed(times)),
            _ => Err(refuse("repeats is a number from 1 to 10000")),
        },
        Choice::Short(_) => Err(refuse("repeats is a whole number or a table")),
        Choice::Full(full) => {
            if full.least < 3 {
                return Err(refuse("least is below 3, and fewer values tell no width"));
            }
            if full.most <= full.least || full.most > MAX_REPEATS {
                return Err(refuse("most is not above least, or above 10000"));
            }
            let number = full.width.trim().strip_suffix('%').map(str::trim_end);
            let width = number.and_then(|n| n.parse::<f64>().ok()).filter(|w| *w > 0.0 && *w <= 100.0);
            let width = width.ok_or_else(|| refuse("width is not a share between 0% and 100%"))?;
            Ok(Repeats { warm_up, least: full.least, most: full.most, width_percent: Some(width) })
        }
    }
}

pub(super) fn excluded(form: &ExperimentForm, experiment: &Experiment) -> Result<Vec<Levels>, Refusal> {
    let one = |typed: &At<BTreeMap<String, Scalar>>| {
        if typed.it.is_empty() {
            let hint = "exclude = [{ mtu = 9000, cc = \"bbr\" }]";
            return Err(Refusal::new(typed.at, "this excludes nothing", hint));
        }
        let level = |(name, level): (&String, &Scalar)| {
            let factor = names::factor(typed.at, name, experiment)?;
            Ok((name.clone(), names::level(typed.at, level, factor)?))
        };
        typed.it.iter().map(level).collect()
    };
    form.exclude.iter().map(one).collect()
}

pub(super) fn words(
    typed: Option<&At<Choice<BTreeMap<String, String>>>>,
    experiment: &Experiment,
) -> Result<Words, Refusal> {
    let Some(typed) = typed else { return Ok(Words::default()) };
    match &typed.it {
        Choice::Short(all) => Ok(Words { all: all.to_string(), by_probe: BTreeMap::new() }),
        Choice::Full(by_probe) => {
            by_probe.keys().try_for_each(|probe| names::probe(typed.at, probe, experiment))?;
            Ok(Words { all: String::new(), by_probe: by_probe.clone() })
        }
    }
}
