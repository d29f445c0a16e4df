//! A trial's primary metric, as a page shows it.

use crate::experiment::metric_unit::metric_display_name;
use crate::number_format::format_value_with_unit;
use goodput_analysis::primary_metric;
use goodput_model::metric::unit_of_metric;
use goodput_model::summary::TrialSummary;
use schemars::JsonSchema;
use serde::Serialize;

/// A figure in words and as it is.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "ToldFigure")]
pub struct FormattedMetric {
    /// What it is, in words: `goodput`, `latency p50`.
    pub name: String,
    /// In its base unit.
    pub value: f64,
    /// The base unit: `bit/s`, `ns`, `byte`, `%`, `1/s`, or empty.
    pub unit: String,
    /// As a person reads it.
    pub text: String,
}

pub(super) fn trial_primary_metric(summary: &TrialSummary) -> Option<FormattedMetric> {
    let found = primary_metric::primary_metric_of_trial(summary)?;
    let unit = unit_of_metric(found.name);
    Some(FormattedMetric {
        name: metric_display_name(found.name),
        value: found.value,
        unit: unit.into(),
        text: format_value_with_unit(found.value, unit),
    })
}
