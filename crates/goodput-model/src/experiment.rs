//! An experiment: factors and their levels, the probes at every combination, the order, and the repeats. This
//! is the checked form that a run stores. `goodput-experiment` reads the file; observations are in
//! [`record`], results in [`data`].

pub mod comparison;
pub mod conclusion;
pub mod data_set;
pub mod execution_record;

use crate::units::Nanos;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Experiment {
    /// One word, for file names: `jumbo-frames`.
    pub name: String,
    pub title: String,
    /// Role to HOST, as a command takes it: `server` → `lab:b`.
    pub hosts: BTreeMap<String, String>,
    /// Topology file of the lab to start; `None` where the hosts exist already.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lab: Option<String>,
    /// In the order of the tables' headings.
    pub factors: Vec<Factor>,
    pub probes: Vec<ProbeCommand>,
    pub design: ExperimentDesign,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub excluded: Vec<FactorLevels>,
    pub order: ExecutionOrder,
    pub repeats: RepeatPolicy,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub requirements: Vec<MetricRequirement>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub prices: Vec<FactorLevelPrice>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub questions: Vec<ExperimentQuestion>,
}

pub type FactorLevels = BTreeMap<String, String>;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Factor {
    /// For example `nic`, `mtu`, `server-cpu`; probe lines refer to it as `{nic}`.
    pub name: String,
    /// In the order of the tables, two or more.
    pub levels: Vec<FactorLevel>,
    pub means: LevelSettingMethod,
    /// True where a change is expensive (reboot): levels then change as seldom as the blocks allow.
    pub hard_to_change: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FactorLevel {
    /// Heading in tables and key in [`Levels`].
    pub name: String,
    /// Replaces `{level}`; the name unless the file says otherwise.
    pub value: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "by", rename_all = "kebab-case")]
pub enum LevelSettingMethod {
    /// Only the probe lines differ: `{factor}` in them becomes the level's value.
    Argument,
    /// A property of the lab's topology: `hosts.server.cpu_share`, `links.1.medium`. The lab is restarted.
    Lab {
        /// Several are set to the same value.
        paths: Vec<String>,
    },
    /// A setting that this program can read, set, verify and restore.
    Knob {
        /// Roles of the hosts; all get the same value.
        on: Vec<String>,
        /// For example `mtu`, `sysctl net.ipv4.tcp_congestion_control`, `offload gro`.
        knob: String,
        /// `None` for the one that leads to the other hosts, or where none applies.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        interface: Option<String>,
    },
    Command {
        on: String,
        /// Sets the level; `{level}` becomes its value.
        set: String,
        /// Prints the present value: compared with the level after setting, saved before it for `restore`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        read: Option<String>,
        /// `{before}` becomes the first output of `read`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        restore: Option<String>,
    },
    /// Manual step; the inventory is checked afterwards.
    ByHand {
        /// `{level}` becomes the level's value.
        ask: String,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        verify: Vec<ManualStepCheck>,
    },
}

/// A fact of the inventory that verifies a manual step.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ManualStepCheck {
    pub on: String,
    /// Path of the fact in `goodput host --json`: `interfaces.eth0.driver`.
    pub fact: String,
    /// Required value for each level, by the level's name.
    pub is: BTreeMap<String, String>,
}

/// A command of this program, run at every combination.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ProbeCommand {
    /// Name in tables and requirements: `tcp`, `sweep`, `copy`.
    pub name: String,
    /// The words after `goodput`: `stream {server} --from {client} --congestion {cc}`.
    pub run: String,
    /// The first is the primary metric.
    pub measures: Vec<MeasuredMetric>,
    /// Only at these combinations: every named factor has one of the named levels.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub only: BTreeMap<String, Vec<String>>,
    /// For one execution; the cell then counts as timed out.
    pub time_limit: Nanos,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MeasuredMetric {
    /// Name of the metric: `goodput_bps`, `latency_ns.p50`; `points[].goodput_bps` for a curve over sizes.
    pub figure: String,
    pub better: BetterDirection,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BetterDirection {
    Higher,
    Lower,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum ExperimentDesign {
    /// Every combination.
    Full,
    /// The first level of every factor, and from there each other level by itself.
    OneAtATime,
    /// A regular fraction of a two-level design: 2^(k-p) by its generators, `D=ABC`.
    Fractional { generators: Vec<String> },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExecutionOrder {
    /// Random order within each block; false runs in the order of the file.
    pub shuffled: bool,
    pub seed: u64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RepeatPolicy {
    /// First executions, stored but not counted.
    pub warm_up: u32,
    pub least: u32,
    pub most: u32,
    /// Repeats until the interval of the primary metric's median is this narrow, in per cent of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub width_percent: Option<f64>,
}

/// A condition on the result; the exit code says whether it was met.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MetricRequirement {
    /// For example `tcp.goodput_bps >= 900 Mbit/s`.
    pub text: String,
    /// `None` for all probe lines with this metric.
    pub probe: Option<String>,
    pub figure: String,
    /// Only at this size of a curve; `None` for all sizes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size_bytes: Option<u64>,
    pub relation: ComparisonOperator,
    /// In the metric's own unit.
    pub value: f64,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub only: BTreeMap<String, Vec<String>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum ComparisonOperator {
    #[serde(rename = ">=")]
    AtLeast,
    #[serde(rename = ">")]
    Above,
    #[serde(rename = "<=")]
    AtMost,
    #[serde(rename = "<")]
    Below,
}

impl ComparisonOperator {
    pub fn is_satisfied(self, value: f64, limit: f64) -> bool {
        match self {
            ComparisonOperator::AtLeast => value >= limit,
            ComparisonOperator::Above => value > limit,
            ComparisonOperator::AtMost => value <= limit,
            ComparisonOperator::Below => value < limit,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FactorLevelPrice {
    pub factor: String,
    pub level: String,
    /// Lowest and highest price in `currency`; equal where one is known.
    pub from: f64,
    pub to: f64,
    /// ISO 4217.
    pub currency: String,
}

/// A statement that the result decides. A probe line's name means its primary metric; another is named as in
/// a requirement: `load.pe_index`. `*` means every line that has the primary metric of the first one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "ask", rename_all = "kebab-case")]
pub enum ExperimentQuestion {
    /// Does the metric depend on this factor, where the others are as named?
    Depends {
        probe: String,
        on: String,
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        only: BTreeMap<String, Vec<String>>,
    },
    /// Is one level better than another, by how much, and at every combination?
    Better {
        probe: String,
        factor: String,
        level: String,
        than: String,
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        only: BTreeMap<String, Vec<String>>,
    },
    /// Is one probe line's metric better than another's?
    Beats {
        probe: String,
        than: String,
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        only: BTreeMap<String, Vec<String>>,
    },
    /// Do these levels agree, and is each better than another level?
    Group {
        probe: String,
        factor: String,
        levels: Vec<String>,
        than: String,
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        only: BTreeMap<String, Vec<String>>,
    },
    /// Does one level reach the sum of others? (Duplex against transmit plus receive.)
    Sum {
        probe: String,
        factor: String,
        parts: Vec<String>,
        whole: String,
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        only: BTreeMap<String, Vec<String>>,
    },
    /// Which level reaches at least this much, and which is best?
    Reaches {
        probe: String,
        factor: String,
        value: f64,
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        only: BTreeMap<String, Vec<String>>,
    },
    /// What does a unit of the metric cost with each level, and which levels are never worth it?
    Pays {
        probe: String,
        factor: String,
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        only: BTreeMap<String, Vec<String>>,
    },
}
