//! An experiment: factors and their levels, the probes that run at every combination of them, the order, and how often.
//!
//! These are the nouns of a checked experiment, as a run stores it. The file that a person writes is read and checked
//! by `goodput-experiment`; what was observed stands in [`record`], what is computed from it in [`data`].

pub mod comparison;
pub mod conclusion;
pub mod data;
pub mod record;

use crate::units::Nanos;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Experiment {
    /// One word, for file names: `jumbo-frames`.
    pub name: String,
    pub title: String,
    /// Roles and the HOST each stands for, as a command would take it: `server` → `lab:b`.
    pub hosts: BTreeMap<String, String>,
    /// The text of the topology file of the lab that is raised for the experiment; `None` where the hosts are there already.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lab: Option<String>,
    /// What is varied, in the order of the tables' headings.
    pub factors: Vec<Factor>,
    /// What is measured at each combination, in the order of the file.
    pub probes: Vec<ProbeLine>,
    pub design: Design,
    /// Combinations that are left out: all that have every level named in one of these.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub excluded: Vec<Levels>,
    pub order: Order,
    pub repeats: Repeats,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub requirements: Vec<Requirement>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub prices: Vec<Price>,
    /// Statements that the result is asked about by name, beside those that every experiment is asked about.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub questions: Vec<Question>,
}

pub type Levels = BTreeMap<String, String>;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Factor {
    /// Its name: `nic`, `mtu`, `server-cpu`. Stands in probe lines as `{nic}`.
    pub name: String,
    /// Its levels in the order of the tables, two or more.
    pub levels: Vec<Level>,
    pub means: Means,
    /// True where changing it costs much (a hand, a reboot): its levels then change as seldom as the blocks allow.
    pub hard_to_change: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Level {
    /// Its name, the heading in tables and the key in [`Levels`].
    pub name: String,
    /// What the means puts in place of `{level}`; the name where the file says nothing else.
    pub value: String,
}

/// How a level of a factor comes about.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "by", rename_all = "kebab-case")]
pub enum Means {
    /// Only the probe lines differ: `{factor}` in them becomes the level's value (message sizes, congestion control, socket options).
    Argument,
    /// A property of the lab's topology, by its path: `hosts.server.cpu_share`, `links.1.medium`. The lab is raised anew.
    Lab {
        /// The path; several are set to the same value.
        paths: Vec<String>,
    },
    /// A setting that this program knows how to read, set, read back and restore.
    Knob {
        /// Role of the host it is set on; several get the same value.
        on: Vec<String>,
        /// Which one: `mtu`, `sysctl net.ipv4.tcp_congestion_control`, `offload gro`, …
        knob: String,
        /// The interface it belongs to; `None` for the one that leads to the other hosts, or where it has none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        interface: Option<String>,
    },
    Command {
        on: String,
        /// Puts the level in place; `{level}` becomes its value.
        set: String,
        /// Prints what is in place; compared with the level's value after setting, kept before it for `restore`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        read: Option<String>,
        /// Puts back what was there; `{before}` becomes what `read` printed at first.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        restore: Option<String>,
    },
    /// The operator is asked, and what the inventory then shows is compared with what it must show.
    ByHand {
        /// What the operator is asked to do, `{level}` becoming the level's value.
        ask: String,
        /// Facts that must hold afterwards.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        verify: Vec<Verify>,
    },
}

/// A fact of the inventory that shows whether a hand has done what it was asked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Verify {
    pub on: String,
    /// Path of the fact as `goodput host --json` has it: `interfaces.eth0.driver`.
    pub fact: String,
    /// What it must be for each level, by the level's name.
    pub is: BTreeMap<String, String>,
}

/// One command of this program, run at every combination.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ProbeLine {
    /// Its name in tables and requirements: `tcp`, `sweep`, `copy`.
    pub name: String,
    /// The words after `goodput`, as typed: `stream {server} --from {client} --congestion {cc}`. Roles and factors stand in braces.
    pub run: String,
    /// The figures that tables and statistics take from it, the first being the primary one.
    pub measures: Vec<Measure>,
    /// Only at these combinations: every named factor has one of the named levels.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub only: BTreeMap<String, Vec<String>>,
    /// Longest that one execution may take; after it the cell is a timed-out one.
    pub time_limit: Nanos,
}

/// A figure taken from a result.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Measure {
    /// The name that scripts rely on: `goodput_bps`, `latency_ns.p50`, `pe_index`; `points[].goodput_bps` for a curve over sizes.
    pub figure: String,
    pub better: Better,
}

/// Which way a figure improves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Better {
    Higher,
    Lower,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Design {
    Full,
    /// The first level of every factor, and from there each other level by itself.
    OneAtATime,
    /// A regular fraction of a two-level design: 2^(k-p) by its generators, `D=ABC`, letters by the order of the factors.
    Fractional {
        generators: Vec<String>,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Order {
    /// Every repeat is a block that holds each combination once, and within a block the order is random. False runs in the order of the file.
    pub shuffled: bool,
    pub seed: u64,
}

/// How often each combination is measured.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Repeats {
    /// Executions that come first and are kept but not counted.
    pub warm_up: u32,
    pub least: u32,
    pub most: u32,
    /// Goes on between the two until the interval of the primary metric's median is this narrow, in per cent of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub width_percent: Option<f64>,
}

/// What a result is held to; the exit code says whether it was met.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Requirement {
    /// As written: `tcp.goodput_bps >= 900 Mbit/s`.
    pub text: String,
    /// The probe line's name; `None` for all that have the figure.
    pub probe: Option<String>,
    pub figure: String,
    /// Of a curve, only at this size; `None` for all its sizes, and for what is no curve.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size_bytes: Option<u64>,
    /// Compared how: `>=`, `>`, `<=`, `<`.
    pub relation: Relation,
    /// With what, in the figure's own unit (bit/s, ns, bytes, per cent).
    pub value: f64,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub only: BTreeMap<String, Vec<String>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Relation {
    #[serde(rename = ">=")]
    AtLeast,
    #[serde(rename = ">")]
    Above,
    #[serde(rename = "<=")]
    AtMost,
    #[serde(rename = "<")]
    Below,
}

impl Relation {
    pub fn holds(self, value: f64, limit: f64) -> bool {
        match self {
            Relation::AtLeast => value >= limit,
            Relation::Above => value > limit,
            Relation::AtMost => value <= limit,
            Relation::Below => value < limit,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Price {
    pub factor: String,
    pub level: String,
    /// Least and most that is paid, in `currency`; equal where one price is known.
    pub from: f64,
    pub to: f64,
    /// `JPY`, `EUR`, … (ISO 4217).
    pub currency: String,
}

/// A statement that the result decides.
///
/// A probe line's name means its primary metric; another is named as in a requirement: `load.pe_index`. `*` stands for every
/// line that has the primary metric of the first one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "ask", rename_all = "kebab-case")]
pub enum Question {
    /// Does the figure depend on this factor, where the others are as named?
    Depends {
        probe: String,
        on: String,
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        only: BTreeMap<String, Vec<String>>,
    },
    /// Is one level better than another, by how much, and everywhere?
    Better {
        probe: String,
        factor: String,
        level: String,
        than: String,
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        only: BTreeMap<String, Vec<String>>,
    },
    /// Is one probe line's figure better than another's?
    Beats {
        probe: String,
        than: String,
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        only: BTreeMap<String, Vec<String>>,
    },
    /// Do these levels agree among themselves, and is every one of them better than another level? (Products of one kind
    /// against one of another.)
    Group {
        probe: String,
        factor: String,
        levels: Vec<String>,
        than: String,
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        only: BTreeMap<String, Vec<String>>,
    },
    /// Does one level give what others give together? (Duplex against transmit plus receive.)
    Sum {
        probe: String,
        factor: String,
        /// The levels whose figures are added, two or more.
        parts: Vec<String>,
        /// The level that is set against their sum.
        whole: String,
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        only: BTreeMap<String, Vec<String>>,
    },
    /// Which level reaches at least this much, and which is best?
    Reaches {
        probe: String,
        factor: String,
        /// In the figure's own unit.
        value: f64,
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        only: BTreeMap<String, Vec<String>>,
    },
    /// What does a unit of the figure cost with each level, and what does not pay?
    Pays {
        probe: String,
        factor: String,
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        only: BTreeMap<String, Vec<String>>,
    },
}
