//! The cells of an experiment: one per combination, metric and size.

use crate::table::cell::percent;
use goodput_analysis::experiment::cell_samples::{MIN_VALUES_FOR_INTERVAL, SampleStatistics};
use goodput_model::Message;
use goodput_model::experiment::FactorLevels;
use goodput_model::experiment::data_set::{DataSet, ObservedValue};
use goodput_words::message;
use serde::Serialize;
use std::collections::BTreeMap;

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CellStatistics {
    pub levels: FactorLevels,
    #[serde(skip)]
    pub measure: usize,
    #[serde(rename = "size_bytes", skip_serializing_if = "Option::is_none")]
    pub size: Option<u64>,
    #[serde(rename = "median")]
    pub centre: Option<f64>,
    /// From order statistics; `None` with too few observations.
    pub interval: Option<(f64, f64)>,
    /// As a share: 0.95, or less with few observations.
    pub confidence: Option<f64>,
    /// Observations with a value.
    pub n: usize,
    #[serde(
        skip_serializing_if = "Vec::is_empty",
        serialize_with = "goodput_model::message::english_list::serialize"
    )]
    pub failed: Vec<Message>,
    pub rows: Vec<usize>,
}

type Found = (Vec<f64>, Vec<Message>, Vec<usize>);

/// In the order of measures, levels and sizes. Unmeasured combinations have no cell.
pub fn compute_cell_statistics(data: &DataSet) -> Vec<CellStatistics> {
    type Key<'a> = (usize, Vec<Option<usize>>, Option<u64>, &'a FactorLevels);
    let places: Vec<BTreeMap<&str, usize>> = data
        .factors
        .iter()
        .map(|axis| axis.levels.iter().enumerate().map(|(i, name)| (name.as_str(), i)).collect())
        .collect();
    let mut groups: BTreeMap<Key<'_>, Found> = BTreeMap::new();
    for (number, row) in data.rows.iter().enumerate() {
        if row.value == ObservedValue::NotMeasured || row.measure >= data.measures.len() {
            continue;
        }
        let at =
            |(axis, places): (&goodput_model::experiment::data_set::FactorAxis, &BTreeMap<&str, usize>)| {
                row.levels.get(&axis.name).and_then(|l| places.get(l.as_str())).copied()
            };
        let order = data.factors.iter().zip(&places).map(at).collect();
        let group = groups.entry((row.measure, order, row.size_bytes, &row.levels)).or_default();
        group.2.push(number);
        match &row.value {
            ObservedValue::Value(value) if value.is_finite() => group.0.push(*value),
            ObservedValue::Value(_) => group.1.push("the figure is not a number".into()),
            ObservedValue::Failed(reason) => group.1.push(reason.clone()),
            ObservedValue::NotMeasured => {}
        }
    }
    groups.into_iter().map(|((measure, _, size, levels), found)| one(measure, size, levels, found)).collect()
}

fn one(
    measure: usize,
    size: Option<u64>,
    levels: &FactorLevels,
    (values, mut failed, rows): Found,
) -> CellStatistics {
    // Without the mean's bootstrap: tables and figures show medians.
    let centre = SampleStatistics::from_values(&values, None);
    failed.sort_by(|a, b| a.as_str().cmp(b.as_str()));
    failed.dedup();
    CellStatistics {
        levels: levels.clone(),
        measure,
        size,
        centre: centre.as_ref().map(|c| c.median),
        interval: centre.as_ref().and_then(|c| c.median_interval).map(|i| (i.low, i.high)),
        confidence: centre.as_ref().and_then(|c| c.level),
        n: centre.as_ref().map_or(0, |c| c.count),
        failed,
        rows,
    }
}

impl CellStatistics {
    /// Index into the factor's axis; `None` where the factor does not apply.
    pub fn level_index(&self, data: &DataSet, factor: usize) -> Option<usize> {
        let axis = data.factors.get(factor)?;
        let level = self.levels.get(&axis.name)?;
        axis.levels.iter().position(|l| l == level)
    }

    /// A caution about few observations.
    pub fn caution(&self) -> Option<Message> {
        Some(match (self.n, self.confidence) {
            (0, _) => return None,
            (1, _) => message!(report_one_value_nothing_is_known_of),
            (n, None) => {
                message!(report_experiment_few_values { count: n, least: MIN_VALUES_FOR_INTERVAL })
            }
            (n, Some(share)) if share < 0.95 => {
                message!(report_experiment_interval_is_range { count: n, share: percent(100.0 * share) })
            }
            _ => return None,
        })
    }
}

pub fn cell_anchor_id(number: usize) -> String {
    format!("cell-{}", number + 1)
}

#[cfg(test)]
mod tests {
    use super::super::test_data;
    use super::*;

    #[test]
    fn repeats_are_put_together_failures_kept_and_few_have_no_interval() {
        let (data, cells) = test_data::small_experiment_data();
        assert_eq!(cells.iter().find(|c| c.n == 6).unwrap().confidence, Some(0.95));
        assert!(cells.iter().any(|c| c.centre.is_none() && c.failed == ["timed out after 30 s"]));
        let rows: usize = cells.iter().map(|c| c.rows.len()).sum();
        let measured = data.rows.iter().filter(|r| r.value != ObservedValue::NotMeasured).count();
        assert_eq!(rows, measured);
        let few = one(0, None, &FactorLevels::new(), (vec![1.0, 2.0, 3.0], Vec::new(), vec![0, 1, 2]));
        assert_eq!((few.centre, few.interval, few.n), (Some(2.0), None, 3));
        assert!(few.caution().is_some());
        let none = one(0, None, &FactorLevels::new(), (Vec::new(), vec!["x".into(), "x".into()], vec![0, 1]));
        assert_eq!((none.centre, none.interval, none.failed.len()), (None, None, 1));
    }
}
