//! Whether a result meets a requirement. Each combination (and size) is judged by the median over the
//! repeats; if the median's 95 % interval crosses the limit, it is met but not sure. A combination without a
//! value is *not measured*, which is not met. The total is not met if one combination is not met, else not
//! measured if one is not measured.

pub(crate) mod requirement_parser;

pub use requirement_parser::parse_named_requirement;

use goodput_analysis::confidence_interval::{ConfidenceInterval, median_interval};
use goodput_analysis::descriptive_statistics::median_of_sorted;
use goodput_model::Message;
use goodput_model::experiment::data_set::{DataSet, DataSetMetric, ObservedValue};
use goodput_model::experiment::{ComparisonOperator, FactorLevels, MetricRequirement};
use std::collections::BTreeMap;

use crate::design::matches_level_filter;

/// Six values reach 96.9 %.
const INTERVAL_FROM: usize = 6;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum RequirementVerdict {
    Met,
    NotMeasured,
    NotMet,
}

#[derive(Debug, Clone, PartialEq)]
pub struct CellRequirementResult {
    pub levels: FactorLevels,
    pub probe: String,
    /// For curves.
    pub size_bytes: Option<u64>,
    pub verdict: RequirementVerdict,
    /// `None` without values.
    pub median: Option<f64>,
    /// 95 %; `None` for fewer than six values.
    pub interval: Option<ConfidenceInterval>,
    /// True when the whole interval is on the median's side of the limit.
    pub sure: bool,
    pub values: usize,
    /// Reasons of failed executions, each once.
    pub failures: Vec<Message>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct RequirementResult {
    pub requirement: MetricRequirement,
    pub unit: String,
    pub verdict: RequirementVerdict,
    /// Worst first: by verdict, then by distance from the limit.
    pub judged: Vec<CellRequirementResult>,
}

/// A requirement that matches nothing is not measured.
pub fn evaluate_requirement(requirement: &MetricRequirement, data: &DataSet) -> RequirementResult {
    let heads: Vec<bool> =
        data.measures.iter().map(|head| mentions(requirement, head, &data.measures)).collect();
    let mut places: BTreeMap<Key<'_>, CellValues> = BTreeMap::new();
    for row in &data.rows {
        let elsewhere =
            requirement.size_bytes.is_some_and(|size| row.size_bytes.is_some_and(|at| at != size));
        let meant = heads.get(row.measure).copied().unwrap_or(false);
        if elsewhere || !meant || !matches_level_filter(&row.levels, &requirement.only) {
            continue;
        }
        let seen = places.entry((row.measure, &row.levels, row.size_bytes)).or_default();
        match &row.value {
            ObservedValue::Value(value) if value.is_finite() => seen.values.push(*value),
            ObservedValue::Value(_) | ObservedValue::NotMeasured => {}
            ObservedValue::Failed(cause) if seen.failures.contains(cause) => {}
            ObservedValue::Failed(cause) => seen.failures.push(cause.clone()),
        }
    }
    spread_failures(&mut places);
    let probe = |measure: usize| data.measures.get(measure).map_or(String::new(), |head| head.probe.clone());
    let mut judged: Vec<CellRequirementResult> =
        places.into_iter().map(|(key, seen)| one(requirement, key, probe(key.0), seen)).collect();
    let margin = |j: &CellRequirementResult| match (j.median, requirement.relation) {
        (None, _) => f64::NEG_INFINITY,
        (Some(m), ComparisonOperator::AtLeast | ComparisonOperator::Above) => m - requirement.value,
        (Some(m), ComparisonOperator::AtMost | ComparisonOperator::Below) => requirement.value - m,
    };
    judged.sort_by(|a, b| b.verdict.cmp(&a.verdict).then(margin(a).total_cmp(&margin(b))));
    RequirementResult {
        requirement: requirement.clone(),
        unit: goodput_model::metric::unit_of_metric(&requirement.figure).to_string(),
        verdict: judged.iter().map(|j| j.verdict).max().unwrap_or(RequirementVerdict::NotMeasured),
        judged,
    }
}

/// `hosts[].cpu.busy_percent` matches every host; a name without `points[].` matches a curve where there is
/// no plain metric of that name.
fn mentions(requirement: &MetricRequirement, head: &DataSetMetric, all: &[DataSetMetric]) -> bool {
    let curve = requirement.figure.strip_prefix("points[].");
    let (figure, over_size) = (curve.unwrap_or(&requirement.figure), curve.is_some());
    let plain =
        |other: &DataSetMetric| !other.over_size && other.probe == head.probe && is(figure, &other.figure);
    is(figure, &head.figure)
        && (head.over_size == over_size || !over_size && !all.iter().any(plain))
        && requirement.probe.as_ref().is_none_or(|probe| *probe == head.probe)
}

/// `[]` matches any text in brackets.
fn is(name: &str, column: &str) -> bool {
    match name.split_once("[]") {
        None => name == column,
        Some((before, after)) => column
            .strip_prefix(before)
            .and_then(|rest| rest.strip_prefix('['))
            .and_then(|rest| rest.split_once(']'))
            .is_some_and(|(_, rest)| is(after, rest)),
    }
}

/// Measure, combination, size.
type Key<'d> = (usize, &'d FactorLevels, Option<u64>);

#[derive(Debug, Default)]
struct CellValues {
    values: Vec<f64>,
    failures: Vec<Message>,
}

/// A failed execution has no sizes: its reason applies to every size that other repeats measured.
fn spread_failures(places: &mut BTreeMap<Key<'_>, CellValues>) {
    let sized: Vec<Key<'_>> = places.keys().copied().filter(|(.., size)| size.is_some()).collect();
    for key in &sized {
        let whole = places.get(&(key.0, key.1, None)).map(|seen| seen.failures.clone());
        if let (Some(failures), Some(seen)) = (whole, places.get_mut(key)) {
            seen.failures.extend(failures);
        }
    }
    let has_sizes = |key: &Key<'_>| sized.iter().any(|sized| (sized.0, sized.1) == (key.0, key.1));
    places.retain(|key, _| key.2.is_some() || !has_sizes(key));
}

fn one(
    requirement: &MetricRequirement,
    (_, levels, size_bytes): Key<'_>,
    probe: String,
    CellValues { mut values, failures }: CellValues,
) -> CellRequirementResult {
    values.sort_by(f64::total_cmp);
    let median = median_of_sorted(&values);
    let interval = (values.len() >= INTERVAL_FROM).then(|| median_interval(&values, 0.95)).flatten();
    let holds = |value: f64| requirement.relation.is_satisfied(value, requirement.value);
    let verdict = match median {
        None => RequirementVerdict::NotMeasured,
        Some(median) if holds(median) => RequirementVerdict::Met,
        Some(_) => RequirementVerdict::NotMet,
    };
    let all = |met: bool| interval.is_some_and(|i| holds(i.low) == met && holds(i.high) == met);
    let sure = verdict != RequirementVerdict::NotMeasured && all(verdict == RequirementVerdict::Met);
    CellRequirementResult {
        levels: levels.clone(),
        probe,
        size_bytes,
        verdict,
        median,
        interval,
        sure,
        values: values.len(),
        failures,
    }
}

#[cfg(test)]
mod tests;
