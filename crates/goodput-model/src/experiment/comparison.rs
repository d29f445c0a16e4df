//! What two levels of a factor, or two runs, measured at the same combinations, and which differences are real.

use super::{BetterDirection, FactorLevels};
use crate::message::Message;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    /// Baseline: `nic = a`, or a run's name.
    pub first: String,
    pub second: String,
    pub pairing: SamplePairing,
    /// Family-wise error rate: 0.05.
    pub alpha: f64,
    /// Families of comparisons over which `alpha` is kept.
    pub families: Vec<HypothesisTestFamily>,
    pub cells: Vec<ComparedCell>,
    #[serde(default, skip_serializing_if = "Vec::is_empty", with = "crate::message::english_list")]
    pub notes: Vec<Message>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct HypothesisTestFamily {
    /// For example `tcp goodput_bps, nic b against a, 6 cells`.
    pub name: String,
    pub size: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SamplePairing {
    /// In the same blocks: changes over time affect both alike.
    Blocked,
    /// One after the other: what changed meanwhile is in the difference.
    Apart,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ChangeUnit {
    /// Ratio, in per cent of the first side; for metrics that are always above zero.
    Percent,
    /// Difference in the metric's own unit.
    Unit,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ComparedCell {
    pub probe: String,
    pub figure: String,
    pub unit: String,
    pub better: BetterDirection,
    /// Without the factor that is compared.
    pub levels: FactorLevels,
    /// Message, request or file size, for curves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size_bytes: Option<u64>,
    pub first: ComparedSampleSummary,
    pub second: ComparedSampleSummary,
    /// Blocks with both sides; for unpaired sides the smaller number of values.
    pub blocks: u32,
    /// Blocks without a value on one side.
    pub left_out: u32,
    pub scale: ChangeUnit,
    /// From first to second side: mean over the blocks (geometric mean of the ratios), or the Hodges–Lehmann
    /// shift. `None` without values to compare.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub change: Option<f64>,
    /// 95 % interval, by the same test as the p-value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interval: Option<(f64, f64)>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub median_change: Option<f64>,
    /// 95 % interval of the median change by order statistics.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub median_interval: Option<(f64, f64)>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub p: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub p_adjusted: Option<f64>,
    /// Index into [`Comparison::group_cells_by_metric`].
    pub family: u32,
    pub verdict: ComparisonVerdict,
    /// True where a significant change is an improvement; `None` without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub improves: Option<bool>,
    #[serde(with = "crate::message::english")]
    pub words: Message,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct ComparedSampleSummary {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub median: Option<f64>,
    pub values: u32,
    pub failed: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ComparisonVerdict {
    /// The adjusted p-value is at or below alpha.
    Real,
    /// Not significant; the interval says how large a change could still be.
    NotShown,
    /// The measurement cannot decide it; the sentence says why.
    CannotTell,
}
