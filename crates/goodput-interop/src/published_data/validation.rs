//! Checks a description against its values: factors, tables, prices, questions.

use super::toml_form::{DescriptionToml, ExperimentQuestionToml, FactorLevelFilterToml};
use super::units::{self, UnitConversion};
use super::{PublishedDataError, factor_place, no_level};
use goodput_model::MessageArg;
use goodput_model::experiment::data_set::{DataSet, PROBE_FACTOR_NAME, ResultTable};
use goodput_model::experiment::{ExperimentQuestion, FactorLevelPrice};
use goodput_words::{Message, message};
use std::collections::{BTreeMap, BTreeSet};

type Only = BTreeMap<String, Vec<String>>;

pub(super) fn check_factors(form: &DescriptionToml) -> Result<(), PublishedDataError> {
    let mut names = BTreeSet::from([PROBE_FACTOR_NAME]);
    for factor in &form.factor {
        let place = factor_place(&factor.name);
        if !names.insert(&factor.name) {
            return Err(PublishedDataError::description(place, "this name is taken"));
        }
        if factor.columns.is_empty() || factor.levels.is_empty() {
            return Err(PublishedDataError::description(place, "it needs columns and levels"));
        }
        let levels: BTreeSet<&String> = factor.levels.iter().collect();
        if levels.len() < factor.levels.len() {
            return Err(PublishedDataError::description(place, "a level is defined twice"));
        }
    }
    let lines = &form.probes.lines;
    let place = "[probes]";
    if lines.is_empty() || (form.probes.column.is_none() && lines.len() > 1) {
        let why = "without a column there is one line, with a column each of its values is one";
        return Err(PublishedDataError::description(place, why));
    }
    let names: BTreeSet<&String> = lines.iter().map(|l| &l.name).collect();
    match names.len() < lines.len() || lines.iter().any(|l| l.name == "*") {
        true => Err(PublishedDataError::description(place, "a line is there twice, or called *")),
        false => Ok(()),
    }
}

/// A level without a value is probably a typing error.
pub(super) fn check_levels_have_rows(data: &DataSet) -> Result<(), PublishedDataError> {
    for axis in &data.factors {
        let used = |level: &&String| data.rows.iter().any(|r| r.levels.get(&axis.name) == Some(*level));
        if let Some(level) = axis.levels.iter().find(|l| !used(l)) {
            let why = message!(cause_published_no_figure_at { level: format!("{level:?}") });
            return Err(PublishedDataError::description(factor_place(&axis.name), why));
        }
    }
    let used = |measure: usize| data.rows.iter().any(|r| r.measure == measure);
    match data.measures.iter().enumerate().find(|(at, _)| !used(*at)) {
        None => Ok(()),
        Some((_, head)) => {
            let why = message!(cause_published_no_figure_of { name: format!("{:?}", head.probe) });
            Err(PublishedDataError::description("[probes]", why))
        }
    }
}

pub(super) fn parse_result_tables(
    form: &DescriptionToml,
    data: &DataSet,
) -> Result<Vec<ResultTable>, PublishedDataError> {
    let mut slices: Vec<ResultTable> = Vec::new();
    for table in &form.table {
        let place = MessageArg::from(&table.name);
        if slices.iter().any(|s| s.name == table.name) {
            return Err(PublishedDataError::description(place, "there are two tables of this name"));
        }
        for name in table.rows.iter().chain(&table.columns) {
            if name != PROBE_FACTOR_NAME {
                levels_of(data, &place, name)?;
            }
        }
        if let Some(both) = table.rows.iter().find(|f| table.columns.contains(f)) {
            let why = message!(cause_published_down_and_across { factor: both });
            return Err(PublishedDataError::description(place, why));
        }
        let only = only(data, &place, &table.only, true)?;
        slices.push(ResultTable {
            name: table.name.clone(),
            title: table.title.clone(),
            figure: table.figure.clone(),
            rows: table.rows.clone(),
            columns: table.columns.clone(),
            only,
        });
    }
    Ok(slices)
}

pub(super) fn parse_level_prices(
    form: &DescriptionToml,
    data: &DataSet,
) -> Result<Vec<FactorLevelPrice>, PublishedDataError> {
    let mut prices = Vec::new();
    for price in &form.price {
        let place = MessageArg::from(message!(part_published_price_of { factor: &price.factor }));
        let known = levels_of(data, &place, &price.factor)?;
        if price.currency.len() != 3 || !price.currency.chars().all(|c| c.is_ascii_uppercase()) {
            let why = message!(cause_published_no_currency { currency: format!("{:?}", price.currency) });
            return Err(PublishedDataError::description(place, why));
        }
        if let Some(unknown) = price.levels.keys().find(|level| !known.contains(level)) {
            return Err(PublishedDataError::description(place, no_level(&price.factor, unknown, known)));
        }
        for level in known {
            let Some(span) = price.levels.get(level) else { continue };
            let (from, to) = match span.to_vec().as_slice() {
                [one] => (*one, *one),
                [from, to] => (*from, *to),
                _ => (f64::NAN, f64::NAN),
            };
            if !(from.is_finite() && to.is_finite() && 0.0 < from && from <= to) {
                let why = message!(file_price_neither { level });
                return Err(PublishedDataError::description(place, why));
            }
            prices.push(FactorLevelPrice {
                factor: price.factor.clone(),
                level: level.clone(),
                from,
                to,
                currency: price.currency.clone(),
            });
        }
    }
    Ok(prices)
}

pub(super) fn parse_questions(
    asked: &[ExperimentQuestionToml],
    unit: &UnitConversion,
    data: &DataSet,
) -> Result<Vec<ExperimentQuestion>, PublishedDataError> {
    let place = |n: usize| MessageArg::from(message!(part_published_question { number: n.to_string() }));
    asked.iter().zip(1..).map(|(form, n)| question(&place(n), form, unit, data)).collect()
}

fn question(
    place: &MessageArg,
    form: &ExperimentQuestionToml,
    unit: &UnitConversion,
    data: &DataSet,
) -> Result<ExperimentQuestion, PublishedDataError> {
    let refuse = |why: Message| PublishedDataError::description(place.clone(), why);
    let line = |name: &String, all: bool| match (all && name == "*")
        || data.measures.iter().any(|m| m.probe == *name)
    {
        true => Ok(name.clone()),
        false => {
            let names: Vec<&str> = data.measures.iter().map(|m| m.probe.as_str()).collect();
            Err(refuse(message!(cause_published_no_probe { name: format!("{name:?}"), names })))
        }
    };
    let factor = |name: &String| levels_of(data, place, name).map(|_| name.clone());
    let level = |of: &String, name: &String| match levels_of(data, place, of)? {
        known if known.contains(name) => Ok(name.clone()),
        known => Err(refuse(no_level(of, name, known))),
    };
    let levels = |of: &String, names: &[String]| match names.len() {
        0 | 1 => Err(refuse("it takes two levels minimum".into())),
        _ => names.iter().map(|n| level(of, n)).collect::<Result<Vec<_>, _>>(),
    };
    let only = |typed: &FactorLevelFilterToml| only(data, place, typed, false);
    Ok(match form {
        ExperimentQuestionToml::Depends { probe, on, only: o } => {
            ExperimentQuestion::Depends { probe: line(probe, true)?, on: factor(on)?, only: only(o)? }
        }
        ExperimentQuestionToml::Better { probe, factor: f, level: l, than, only: o } => {
            ExperimentQuestion::Better {
                probe: line(probe, true)?,
                factor: factor(f)?,
                level: level(f, l)?,
                than: level(f, than)?,
                only: only(o)?,
            }
        }
        ExperimentQuestionToml::Beats { probe, than, only: o } => {
            ExperimentQuestion::Beats { probe: line(probe, false)?, than: line(than, false)?, only: only(o)? }
        }
        ExperimentQuestionToml::Group { probe, factor: f, levels: l, than, only: o } => {
            ExperimentQuestion::Group {
                probe: line(probe, true)?,
                factor: factor(f)?,
                levels: levels(f, l)?,
                than: level(f, than)?,
                only: only(o)?,
            }
        }
        ExperimentQuestionToml::Sum { probe, factor: f, parts, whole, only: o } => ExperimentQuestion::Sum {
            probe: line(probe, true)?,
            factor: factor(f)?,
            parts: levels(f, parts)?,
            whole: level(f, whole)?,
            only: only(o)?,
        },
        ExperimentQuestionToml::Reaches { probe, factor: f, value: v, only: o } => {
            ExperimentQuestion::Reaches {
                probe: line(probe, true)?,
                factor: factor(f)?,
                value: value(place, v, unit)?,
                only: only(o)?,
            }
        }
        ExperimentQuestionToml::Pays { probe, factor: f, only: o } => {
            if !data.prices.iter().any(|p| p.factor == *f) {
                return Err(refuse(message!(cause_published_no_prices { factor: f })));
            }
            ExperimentQuestion::Pays { probe: line(probe, true)?, factor: factor(f)?, only: only(o)? }
        }
    })
}

/// `100 Mbit/s` in our unit; it must match the values' unit.
fn value(place: &MessageArg, text: &str, unit: &UnitConversion) -> Result<f64, PublishedDataError> {
    let refuse = |why: Message| PublishedDataError::description(place.clone(), why);
    let (number, name) = text.trim().split_once(' ').unwrap_or((text.trim(), ""));
    let theirs = units::find_unit(name.trim()).map_err(refuse)?;
    if theirs.base != unit.base {
        let text = format!("{text:?}");
        return Err(refuse(message!(cause_published_no_value { text, unit: unit.name })));
    }
    theirs.parse_value(number).map(|(value, _)| value).map_err(refuse)
}

fn levels_of<'a>(
    data: &'a DataSet,
    place: &MessageArg,
    factor: &str,
) -> Result<&'a Vec<String>, PublishedDataError> {
    let found = data.factors.iter().find(|a| a.name == factor).map(|a| &a.levels);
    found.ok_or_else(|| {
        let names: Vec<&str> = data.factors.iter().map(|a| a.name.as_str()).collect();
        let why = message!(cause_published_no_factor { name: format!("{factor:?}"), names });
        PublishedDataError::description(place.clone(), why)
    })
}

fn only(
    data: &DataSet,
    place: &MessageArg,
    form: &FactorLevelFilterToml,
    probes: bool,
) -> Result<Only, PublishedDataError> {
    let mut only = Only::new();
    for (factor, levels) in form {
        let lines: Vec<String>;
        let known = if probes && factor == PROBE_FACTOR_NAME {
            lines = data.measures.iter().map(|m| m.probe.clone()).collect();
            &lines
        } else {
            levels_of(data, place, factor)?
        };
        let levels = levels.to_vec();
        if let Some(unknown) = levels.iter().find(|l| !known.contains(l)) {
            return Err(PublishedDataError::description(place.clone(), no_level(factor, unknown, known)));
        }
        only.insert(factor.clone(), levels);
    }
    Ok(only)
}
