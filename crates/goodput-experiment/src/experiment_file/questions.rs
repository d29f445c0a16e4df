//! Requirements, prices and questions: everything that refers to measures.

use super::file_error::{ParseResult, either_hint, error_at_position};
use super::names;
use super::notation::{OneOrMany, ScalarOrTable, TextOrNumber, ValueWithPosition};
use super::toml_form::{ExperimentToml, LevelFilter, QuestionToml};
use crate::requirement_check::requirement_parser::{parse_quantity, parse_requirement};
use goodput_model::Experiment;
use goodput_model::experiment::{ExperimentQuestion, FactorLevelPrice, MetricRequirement, ProbeCommand};
use goodput_words::message;
use std::collections::BTreeMap;

pub(super) fn parse_requirements(
    form: &ExperimentToml,
    experiment: &Experiment,
) -> ParseResult<Vec<MetricRequirement>> {
    let nowhere = LevelFilter::new();
    let one = |typed: &ValueWithPosition<ScalarOrTable<super::toml_form::RequirementToml>>| {
        let (text, only) = match &typed.it {
            ScalarOrTable::Short(text) => (text.to_string(), &nowhere),
            ScalarOrTable::Full(full) => (full.that.clone(), &full.only),
        };
        let only = names::parse_level_filter(typed.at, only, experiment)?;
        parse_requirement(&text, only, &experiment.probes).map_err(|e| e.at_position(typed.at))
    };
    form.require.iter().map(one).collect()
}

pub(super) fn parse_level_prices(
    form: &ExperimentToml,
    experiment: &Experiment,
) -> ParseResult<Vec<FactorLevelPrice>> {
    let mut prices: Vec<FactorLevelPrice> = Vec::new();
    for typed in &form.price {
        let factor = names::find_factor(typed.at, &typed.factor, experiment)?;
        if prices.iter().any(|price| price.factor == factor.name) {
            let why = message!(file_prices_twice { factor: &factor.name });
            return error_at_position(typed.at, why, "write one [[price]] per factor");
        }
        let currency = typed.currency.trim();
        if currency.len() != 3 || !currency.chars().all(|c| c.is_ascii_uppercase()) {
            let why = message!(file_no_currency { currency: format!("{currency:?}") });
            let hint = message!(hint_experiment_currency { line: "currency = \"JPY\"" });
            return error_at_position(typed.at, why, hint);
        }
        for level in typed.levels.keys() {
            names::find_level(typed.at, &TextOrNumber::Text(level.clone()), factor)?;
        }
        for level in &factor.levels {
            let Some(price) = typed.levels.get(&level.name) else { continue };
            let (from, to) = span(typed.at, &level.name, price)?;
            prices.push(FactorLevelPrice {
                factor: factor.name.clone(),
                level: level.name.clone(),
                from,
                to,
                currency: currency.to_string(),
            });
        }
    }
    Ok(prices)
}

fn span(at: usize, level: &str, typed: &OneOrMany<f64>) -> ParseResult<(f64, f64)> {
    let (from, to) = match typed.0.as_slice() {
        [one] => (*one, *one),
        [from, to] => (*from, *to),
        _ => (1.0, 0.0),
    };
    match from.is_finite() && to.is_finite() && from >= 0.0 && from <= to {
        true => Ok((from, to)),
        false => {
            let hint = either_hint("nec = 50000", "nec = [50000, 80000]");
            error_at_position(at, message!(file_price_neither { level }), hint)
        }
    }
}

pub(super) fn parse_questions(
    form: &ExperimentToml,
    experiment: &Experiment,
) -> ParseResult<Vec<ExperimentQuestion>> {
    form.question.iter().map(|typed| Asked { at: typed.at, experiment }.question(&typed.it)).collect()
}

struct Asked<'e> {
    at: usize,
    experiment: &'e Experiment,
}

impl<'e> Asked<'e> {
    fn question(&self, typed: &QuestionToml) -> ParseResult<ExperimentQuestion> {
        Ok(match typed {
            QuestionToml::Depends { probe, on, only } => {
                let only = self.only(only, Some(on))?;
                ExperimentQuestion::Depends { probe: self.figure(probe)?.0, on: self.factor(on)?, only }
            }
            QuestionToml::Better { probe, factor, level, than, only } => {
                let only = self.only(only, Some(factor))?;
                let probe = self.figure(probe)?.0;
                let of = names::find_factor(self.at, factor, self.experiment)?;
                let (level, than) =
                    (names::find_level(self.at, level, of)?, names::find_level(self.at, than, of)?);
                self.not_itself(&level, &than)?;
                self.left(&only, factor, [&level, &than])?;
                ExperimentQuestion::Better { probe, factor: of.name.clone(), level, than, only }
            }
            QuestionToml::Beats { probe, than, only } => {
                let only = self.only(only, None)?;
                let (one, other) = (self.probe(probe)?, self.probe(than)?);
                self.not_itself(probe, than)?;
                self.comparable(one, other)?;
                ExperimentQuestion::Beats { probe: probe.clone(), than: than.clone(), only }
            }
            QuestionToml::Group { probe, factor, levels, than, only } => {
                let only = self.only(only, Some(factor))?;
                let (probe, _) = self.figure(probe)?;
                let (factor, levels, than) = self.several(&only, factor, levels, than)?;
                ExperimentQuestion::Group { probe, factor, levels, than, only }
            }
            QuestionToml::Sum { probe, factor, parts, whole, only } => {
                let only = self.only(only, Some(factor))?;
                let (probe, _) = self.figure(probe)?;
                let (factor, parts, whole) = self.several(&only, factor, parts, whole)?;
                ExperimentQuestion::Sum { probe, factor, parts, whole, only }
            }
            QuestionToml::Reaches { probe, factor, value, only } => {
                let only = self.only(only, Some(factor))?;
                let (probe, figure) = self.figure(probe)?;
                let value = parse_quantity(figure, &value.to_string()).map_err(|e| e.at_position(self.at))?;
                ExperimentQuestion::Reaches { probe, factor: self.factor(factor)?, value, only }
            }
            QuestionToml::Pays { probe, factor, only } => {
                let only = self.only(only, Some(factor))?;
                let (probe, factor) = (self.figure(probe)?.0, self.factor(factor)?);
                if !self.experiment.prices.iter().any(|price| price.factor == factor) {
                    let hint = message!(hint_experiment_price { line: format!("factor = {factor:?}") });
                    return error_at_position(self.at, message!(file_no_prices { factor }), hint);
                }
                ExperimentQuestion::Pays { probe, factor, only }
            }
        })
    }

    fn probe(&self, typed: &str) -> ParseResult<&'e ProbeCommand> {
        names::find_probe(self.at, typed, self.experiment)
    }

    /// The primary metric of a probe, another one (`load.pe_index`), or for `*` that of the first probe.
    fn figure(&self, typed: &str) -> ParseResult<(String, &'e str)> {
        if let ("*", Some(first)) = (typed, self.experiment.probes.first()) {
            return Ok((typed.to_string(), primary_metric(first)));
        }
        let of = |line: &'e ProbeCommand| {
            let figure = typed.strip_prefix(line.name.as_str())?.strip_prefix('.')?;
            let measure = line.measures.iter().find(|m| m.figure == figure)?;
            Some((typed.to_string(), measure.figure.as_str()))
        };
        match self.experiment.probes.iter().find_map(of) {
            Some(found) => Ok(found),
            None => self.probe(typed).map(|line| (line.name.clone(), primary_metric(line))),
        }
    }

    fn several(
        &self,
        only: &BTreeMap<String, Vec<String>>,
        factor: &str,
        levels: &[TextOrNumber],
        other: &TextOrNumber,
    ) -> ParseResult<(String, Vec<String>, String)> {
        let of = names::find_factor(self.at, factor, self.experiment)?;
        let levels =
            levels.iter().map(|l| names::find_level(self.at, l, of)).collect::<ParseResult<Vec<String>>>()?;
        let other = names::find_level(self.at, other, of)?;
        if levels.len() < 2 {
            return error_at_position(
                self.at,
                "a group needs at least two levels",
                "name two levels of the factor, or ask \"better\"",
            );
        }
        levels.iter().try_for_each(|level| self.not_itself(level, &other))?;
        names::check_names_unique(
            |name| message!(part_experiment_level_of { factor, name }),
            levels.iter().map(|level| (self.at, level.as_str())),
        )?;
        self.left(only, factor, levels.iter().chain([&other]))?;
        Ok((of.name.clone(), levels, other))
    }

    fn factor(&self, typed: &str) -> ParseResult<String> {
        names::find_factor(self.at, typed, self.experiment).map(|f| f.name.clone())
    }

    /// The factor in question must not be fixed to one level.
    fn only(
        &self,
        typed: &LevelFilter,
        asked: Option<&String>,
    ) -> ParseResult<BTreeMap<String, Vec<String>>> {
        let only = names::parse_level_filter(self.at, typed, self.experiment)?;
        match asked.filter(|factor| only.get(*factor).is_some_and(|levels| levels.len() < 2)) {
            None => Ok(only),
            Some(factor) => {
                let hint = message!(file_hint_take_out_of_only { factor });
                error_at_position(self.at, message!(file_question_one_level { factor }), hint)
            }
        }
    }

    fn left<'l>(
        &self,
        only: &BTreeMap<String, Vec<String>>,
        factor: &str,
        asked: impl IntoIterator<Item = &'l String>,
    ) -> ParseResult<()> {
        let Some(named) = only.get(factor) else { return Ok(()) };
        match asked.into_iter().find(|level| !named.contains(level)) {
            None => Ok(()),
            Some(level) => {
                let hint = message!(file_hint_take_out_of_only { factor });
                error_at_position(self.at, message!(file_question_leaves_level { level, factor }), hint)
            }
        }
    }

    fn not_itself(&self, one: &str, other: &str) -> ParseResult<()> {
        match one == other {
            true => error_at_position(
                self.at,
                message!(file_against_itself { level: one }),
                "name another after than =",
            ),
            false => Ok(()),
        }
    }

    fn comparable(&self, one: &ProbeCommand, other: &ProbeCommand) -> ParseResult<()> {
        use goodput_model::metric::unit_of_metric;
        let (a, b) = (primary_metric(one), primary_metric(other));
        if unit_of_metric(a) == unit_of_metric(b) {
            return Ok(());
        }
        let (probe, second) = (&one.name, &other.name);
        let why = message!(file_different_units { one: a, probe, other: b, second });
        error_at_position(self.at, why, "put a figure of the same unit first in measures of both")
    }
}

fn primary_metric(line: &ProbeCommand) -> &str {
    line.measures.first().map_or("", |m| m.figure.as_str())
}
