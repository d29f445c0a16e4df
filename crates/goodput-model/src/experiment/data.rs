//! What an experiment observed, as a flat table: one row an observation. Made from a stored run, or read from published
//! figures; everything that is computed, drawn or concluded starts from it.

use super::{Better, Levels, Price, Question};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct DataSet {
    pub title: String,
    /// Where the figures come from: `measured`, or the publication.
    pub source: String,
    pub factors: Vec<Axis>,
    pub measures: Vec<MeasureHead>,
    pub rows: Vec<Row>,
    pub prices: Vec<Price>,
    /// What is asked beside the usual.
    pub questions: Vec<Question>,
    /// The tables that the source prints, or that somebody asked for; empty for those that the program chooses.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub slices: Vec<Slice>,
    /// What is allowed in theory, where a medium is known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bounds: Vec<Bound>,
    /// How the source prints its figures, so that they can be drawn to the same digit; a measure that is not here is
    /// written as ours are.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub printed: Vec<Printed>,
}

/// Stands for the probe lines where a [`Slice`] names factors.
pub const PROBE: &str = "probe";

/// A table of a data set: factors down, factors across, the others held.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Slice {
    /// What the source calls it: `Table 2`.
    pub name: String,
    pub title: String,
    /// What the source calls the same values as a bar chart: `Figure 3`; `None` where it draws none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub figure: Option<String>,
    /// Factors whose levels go down; [`PROBE`] for the probe lines. None is one row.
    pub rows: Vec<String>,
    /// Factors whose levels go across.
    pub columns: Vec<String>,
    /// Which observations belong to it: each named factor (or [`PROBE`]) has one of the named levels.
    pub only: BTreeMap<String, Vec<String>>,
}

/// What is allowed in theory where these levels are in place.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Bound {
    /// Index into [`DataSet::measures`].
    pub measure: usize,
    /// The levels it holds for; other factors do not matter.
    pub levels: Levels,
    /// In the measure's unit.
    pub value: f64,
    /// The medium and the arithmetic in a few words.
    pub reason: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Printed {
    /// Index into [`DataSet::measures`].
    pub measure: usize,
    /// Its unit: `Mbit/s`.
    pub unit: String,
    /// How many of the measure's unit are one of it: 1,000,000.
    pub scale: f64,
    pub decimals: u8,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Axis {
    pub name: String,
    pub levels: Vec<String>,
    /// The levels as numbers, where all of them are (MHz, bytes, bit/s); empty otherwise.
    pub numbers: Vec<f64>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MeasureHead {
    /// The probe line's name.
    pub probe: String,
    /// The name that scripts rely on, without `points[].`.
    pub figure: String,
    /// `bit/s`, `ns`, `byte`, `%`, `Mbit/s per %`, or empty for a plain number.
    pub unit: String,
    pub better: Better,
    /// True where there is a value for each size, and rows name their size.
    pub over_size: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// The combination. A factor that is missing here does not apply to the row, or the source does not tell its level.
    pub levels: Levels,
    /// Index into [`DataSet::measures`].
    pub measure: usize,
    /// Message, request or file size in bytes, for curves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size_bytes: Option<u64>,
    pub value: Observed,
    /// The repeat it belongs to, counted from 1; pairs of one block were measured close together.
    pub block: u32,
    /// Position in time among all rows of the run, counted from 0; published figures have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub order: Option<u32>,
    /// Where it comes from: `trial 12`, `table 3 of the article`.
    pub evidence: String,
}

/// A value, or why there is none.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Observed {
    /// In the measure's unit.
    Value(f64),
    /// It was tried and failed or timed out, with the reason.
    Failed(String),
    NotMeasured,
}
