//! A trial's primary metric, as a page shows it.

use crate::experiment::unit::quantity_words;
use crate::number::of_unit;
use goodput_analysis::primary_metric;
use goodput_model::metric::unit;
use goodput_model::summary::Summary;
use schemars::JsonSchema;
use serde::Serialize;

/// A figure in words and as it is.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ToldFigure {
    /// What it is, in words: `goodput`, `latency p50`.
    pub name: String,
    /// In its base unit.
    pub value: f64,
    /// The base unit: `bit/s`, `ns`, `byte`, `%`, `1/s`, or empty.
    pub unit: String,
    /// As a person reads it.
    pub text: String,
}

pub(super) fn of_trial(summary: &Summary) -> Option<ToldFigure> {
    let found = primary_metric::of_trial(summary)?;
    let unit = unit(found.name);
    Some(ToldFigure {
        name: quantity_words(found.name),
        value: found.value,
        unit: unit.into(),
        text: of_unit(found.value, unit),
    })
}
