//! The cells of an experiment as tables and pictures need them: one for each combination, figure and size that was
//! tried.

use super::dimension::{self, Dimension};
use goodput_analysis::experiment::cells::Centre;
use goodput_model::experiment::Levels;
use goodput_model::experiment::data::{DataSet, Observed};
use std::collections::BTreeMap;

/// What is known of one figure at one combination, and at one size where there is a curve over sizes.
#[derive(Debug, Clone, PartialEq)]
pub struct Cell {
    pub levels: Levels,
    /// Index into [`DataSet::measures`].
    pub measure: usize,
    pub size: Option<u64>,
    /// Median of the observations; `None` where none gave a value.
    pub centre: Option<f64>,
    /// Interval of the median by order statistics; `None` where there are too few observations.
    pub interval: Option<(f64, f64)>,
    /// Confidence of the interval as a share: 0.95, or what so few observations reach.
    pub confidence: Option<f64>,
    /// What is to be said of so few observations; `None` where there are enough.
    pub caution: Option<String>,
    /// Observations that gave a value.
    pub n: usize,
    /// Why others gave none, once each.
    pub failed: Vec<String>,
    /// The rows that hold them, as indices into [`DataSet::rows`].
    pub rows: Vec<usize>,
}

/// Values, reasons of failures, rows.
type Found = (Vec<f64>, Vec<String>, Vec<usize>);

/// The cells of a data set, in the order of the measures, the factors' levels and the sizes. What nobody measured is
/// no cell.
pub fn of(data: &DataSet) -> Vec<Cell> {
    type Key<'a> = (usize, Vec<Option<usize>>, Option<u64>, &'a Levels);
    let places: Vec<BTreeMap<&str, usize>> = data
        .factors
        .iter()
        .map(|axis| axis.levels.iter().enumerate().map(|(i, name)| (name.as_str(), i)).collect())
        .collect();
    let mut groups: BTreeMap<Key<'_>, Found> = BTreeMap::new();
    for (number, row) in data.rows.iter().enumerate() {
        if row.value == Observed::NotMeasured || row.measure >= data.measures.len() {
            continue;
        }
        let at = |(axis, places): (&goodput_model::experiment::data::Axis, &BTreeMap<&str, usize>)| {
            row.levels.get(&axis.name).and_then(|l| places.get(l.as_str())).copied()
        };
        let order = data.factors.iter().zip(&places).map(at).collect();
        let group = groups.entry((row.measure, order, row.size_bytes, &row.levels)).or_default();
        group.2.push(number);
        match &row.value {
            Observed::Value(value) if value.is_finite() => group.0.push(*value),
            Observed::Value(_) => group.1.push("the figure is not a number".into()),
            Observed::Failed(reason) => group.1.push(reason.clone()),
            Observed::NotMeasured => {}
        }
    }
    groups.into_iter().map(|((measure, _, size, levels), found)| one(measure, size, levels, found)).collect()
}

fn one(measure: usize, size: Option<u64>, levels: &Levels, (values, mut failed, rows): Found) -> Cell {
    // Without the mean's bootstrap: tables and pictures show medians.
    let centre = Centre::of(&values, None);
    failed.sort();
    failed.dedup();
    Cell {
        levels: levels.clone(),
        measure,
        size,
        centre: centre.as_ref().map(|c| c.median),
        interval: centre.as_ref().and_then(|c| c.median_interval).map(|i| (i.low, i.high)),
        confidence: centre.as_ref().and_then(|c| c.level),
        n: centre.as_ref().map_or(0, |c| c.count),
        caution: centre.and_then(|c| c.caution),
        failed,
        rows,
    }
}

impl Cell {
    /// The level of a factor of this cell, as an index into its axis; `None` where the factor does not apply.
    pub fn level(&self, data: &DataSet, factor: usize) -> Option<usize> {
        let axis = data.factors.get(factor)?;
        let level = self.levels.get(&axis.name)?;
        axis.levels.iter().position(|l| l == level)
    }

    /// The combination in words: `windows95, fore, mtu 1500`.
    pub fn words(&self, data: &DataSet) -> String {
        let all: Vec<Dimension> = (0..data.factors.len()).map(Dimension::Factor).collect();
        dimension::told(data, &all, &dimension::place(data, self, &all))
    }
}

/// An identifier that links may name: `cell-17`.
pub fn id(number: usize) -> String {
    format!("cell-{}", number + 1)
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;

    #[test]
    fn repeats_are_put_together_and_failures_kept() {
        let (data, cells) = samples::small();
        let whole = cells.iter().find(|c| c.n == 6).unwrap();
        assert!(
            whole.interval.is_some_and(|(l, h)| l <= whole.centre.unwrap() && whole.centre.unwrap() <= h)
        );
        assert_eq!(whole.confidence, Some(0.95));
        assert!(cells.iter().any(|c| c.centre.is_none() && c.failed == ["timed out after 30 s"]));
        let rows: usize = cells.iter().map(|c| c.rows.len()).sum();
        let measured = data.rows.iter().filter(|r| r.value != Observed::NotMeasured).count();
        assert_eq!(rows, measured);
    }

    #[test]
    fn few_observations_have_no_interval_and_say_so() {
        let few = one(0, None, &Levels::new(), (vec![1.0, 2.0, 3.0], Vec::new(), vec![0, 1, 2]));
        assert_eq!((few.centre, few.interval, few.n), (Some(2.0), None, 3));
        assert!(few.caution.is_some());
        let none = one(0, None, &Levels::new(), (Vec::new(), vec!["x".into(), "x".into()], vec![0, 1]));
        assert_eq!((none.centre, none.interval, none.failed.len()), (None, None, 1));
    }
}
