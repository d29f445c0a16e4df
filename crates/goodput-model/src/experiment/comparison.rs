//! What two levels of a factor, or two runs, measured at the same combinations, and which differences are real.

use super::{Better, Levels};
use serde::{Deserialize, Serialize};

/// Two sides, cell by cell.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    /// The side that is compared from: `nic = a`, or a run's name.
    pub first: String,
    pub second: String,
    /// How the two were measured beside each other.
    pub pairing: Pairing,
    /// Chance of even one false alarm in a family of equal things, as a share: 0.05.
    pub alpha: f64,
    /// The families of comparisons over which that chance is kept, each named by what belongs to it.
    pub families: Vec<FamilyHead>,
    pub cells: Vec<ComparedCell>,
    /// What holds of all of them and must be known to read them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FamilyHead {
    /// What belongs to it: `tcp goodput_bps, nic b against a, 6 cells`.
    pub name: String,
    pub size: u32,
}

/// How two sides were measured beside each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Pairing {
    /// In the same blocks: what changes over time meets both alike.
    Blocked,
    /// One after the other: what changed meanwhile is in the difference.
    Apart,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scale {
    /// As a ratio, in per cent of the first side. For figures that are all above zero.
    Percent,
    /// As a difference in the figure's own unit.
    Unit,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ComparedCell {
    /// The probe line's name.
    pub probe: String,
    pub figure: String,
    pub unit: String,
    pub better: Better,
    /// The combination, without the factor that is compared.
    pub levels: Levels,
    /// Message, request or file size in bytes, for curves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size_bytes: Option<u64>,
    pub first: SideFigures,
    pub second: SideFigures,
    /// Blocks that have both sides; for sides measured apart the smaller number of values.
    pub blocks: u32,
    /// Blocks left out because a side has no value there.
    pub left_out: u32,
    pub scale: Scale,
    /// From the first side to the second: mean over the blocks (geometric mean of the ratios), or the Hodges–Lehmann
    /// shift. `None` where no value meets another.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub change: Option<f64>,
    /// 95 % interval of the change, by the same test as the p-value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interval: Option<(f64, f64)>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub median_change: Option<f64>,
    /// 95 % interval of the median change by order statistics.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub median_interval: Option<(f64, f64)>,
    /// Two-sided p-value of "no change".
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub p: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub p_adjusted: Option<f64>,
    /// Index into [`Comparison::families`].
    pub family: u32,
    pub verdict: Verdict,
    /// True where a real change is one for the better; `None` where none is shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub improves: Option<bool>,
    pub words: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct SideFigures {
    /// Median of its values, in the figure's unit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub median: Option<f64>,
    pub values: u32,
    pub failed: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// It is: the adjusted p-value is at or below alpha.
    Real,
    /// None is shown; the interval says how large one could still be.
    NotShown,
    /// The measurement cannot decide it, and the sentence says why.
    CannotTell,
}
