//! The observations of an experiment as a flat table, one row each, from a stored run or from published
//! tables. Statistics, charts and conclusions start from it.

use super::{BetterDirection, ExperimentQuestion, FactorLevelPrice, FactorLevels};
use crate::message::Message;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct DataSet {
    pub title: String,
    pub source: String,
    pub factors: Vec<FactorAxis>,
    pub measures: Vec<DataSetMetric>,
    pub rows: Vec<DataRow>,
    pub prices: Vec<FactorLevelPrice>,
    /// Asked in addition to the standard questions.
    pub questions: Vec<ExperimentQuestion>,
    /// Tables that the source prints or that the user asked for; empty for those that the program chooses.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub slices: Vec<ResultTable>,
    /// Theoretical limits, where a medium is known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bounds: Vec<TheoreticalBound>,
    /// How the source prints its values, so that they can be drawn to the same digit.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub printed: Vec<DisplayUnit>,
}

pub const PROBE_FACTOR_NAME: &str = "probe";

/// A table of a data set: factors as rows and columns, the others held.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ResultTable {
    /// Name in the source: `Table 2`.
    pub name: String,
    pub title: String,
    /// Name of the same values as a bar chart in the source: `Figure 3`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub figure: Option<String>,
    /// Factors of the rows; [`PROBE_FACTOR_NAME`] for the probe lines. None is one row.
    pub rows: Vec<String>,
    pub columns: Vec<String>,
    /// Observations in it: each named factor (or [`PROBE_FACTOR_NAME`]) has one of the named levels.
    pub only: BTreeMap<String, Vec<String>>,
}

/// A theoretical limit at these levels.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TheoreticalBound {
    pub measure: usize,
    /// Other factors do not matter.
    pub levels: FactorLevels,
    pub value: f64,
    #[serde(with = "crate::message::english")]
    pub reason: Message,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DisplayUnit {
    pub measure: usize,
    pub unit: String,
    /// How many of the measure's unit are one of it: 1,000,000.
    pub scale: f64,
    pub decimals: u8,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FactorAxis {
    pub name: String,
    pub levels: Vec<String>,
    /// The levels as numbers where all of them are (MHz, bytes, bit/s); else empty.
    pub numbers: Vec<f64>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DataSetMetric {
    pub probe: String,
    /// Name of the metric without `points[].`.
    pub figure: String,
    /// `bit/s`, `ns`, `byte`, `%`, `Mbit/s per %`, or empty for a plain number.
    pub unit: String,
    pub better: BetterDirection,
    /// True where there is a value for each size, and rows name their size.
    pub over_size: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DataRow {
    /// A missing factor does not apply to the row, or the source does not tell its level.
    pub levels: FactorLevels,
    pub measure: usize,
    /// Message, request or file size, for curves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size_bytes: Option<u64>,
    pub value: ObservedValue,
    /// Repeat, counted from 1; values of one block were measured close together.
    pub block: u32,
    /// Position in time among all rows of the run, from 0; published values have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub order: Option<u32>,
    /// For example `trial 12`, `table 3 of the article`.
    #[serde(with = "crate::message::english")]
    pub evidence: Message,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ObservedValue {
    Value(f64),
    /// It failed or timed out, with the reason.
    Failed(#[serde(with = "crate::message::english")] Message),
    NotMeasured,
}
