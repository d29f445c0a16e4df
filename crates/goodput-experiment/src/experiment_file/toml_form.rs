//! The TOML form of an experiment, as typed. Other modules of `file` check it. These types and their comments
//! are the JSON Schema `docs/experiment.schema.json`.

mod prices_and_questions;

use super::notation::{OneOrMany, ScalarOrTable, TextOrNumber, ValueWithPosition};
use goodput_model::experiment::BetterDirection;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use std::collections::BTreeMap;

pub(crate) use prices_and_questions::{LevelPricesToml, QuestionToml};

/// `{ mtu = 9000, cc = ["cubic", "bbr"] }`.
pub(crate) type LevelFilter = BTreeMap<String, OneOrMany<TextOrNumber>>;

/// An experiment of goodput: what is varied, what is measured at each combination, in which order, how often.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "goodput-experiment")]
pub(crate) struct ExperimentToml {
    /// One line, for headings.
    pub title: ValueWithPosition<String>,
    /// The topology of the lab that is raised for the experiment: a file's name, or the topology itself. Left out where
    /// the hosts are there already.
    #[serde(default)]
    #[schemars(schema_with = "lab_schema")]
    pub lab: Option<ValueWithPosition<ScalarOrTable<toml::Table>>>,
    /// Roles, and the HOST that each stands for as a command takes it: `server = "lab:b"`.
    #[serde(default)]
    pub hosts: BTreeMap<String, ValueWithPosition<String>>,
    /// What is varied, in the order of the tables' headings.
    #[serde(default)]
    pub factor: Vec<ValueWithPosition<FactorToml>>,
    /// What is measured at each combination.
    #[serde(default)]
    pub probe: Vec<ValueWithPosition<ProbeLineToml>>,
    /// Which combinations: `"full"` (all; the default), `"one-at-a-time"`, or `{ fraction = ["D=ABC"] }` of a two-level design.
    #[serde(default)]
    #[schemars(schema_with = "design_schema")]
    pub design: Option<ValueWithPosition<ScalarOrTable<FractionalDesignToml>>>,
    /// Combinations that are left out: each that has all levels named in one of these.
    #[serde(default)]
    pub exclude: Vec<ValueWithPosition<BTreeMap<String, TextOrNumber>>>,
    /// `"random"` within each repeat (the default), or `"file"`: as written, the last factor changing first.
    #[serde(default)]
    pub order: ExecutionOrderToml,
    /// Seed of the random order; the same seed gives the same order for ever. 1 where it is left out.
    #[serde(default)]
    pub seed: Option<u64>,
    /// How often each combination is measured: a number (6 where it is left out, the fewest pairs that can show a
    /// difference at 5 %), or between two numbers until the interval of the median is narrow enough.
    #[serde(default)]
    #[schemars(schema_with = "repeats_schema")]
    pub repeats: Option<ValueWithPosition<ScalarOrTable<RepeatPolicyToml>>>,
    /// Executions that come first and are kept, but not counted. 0 where it is left out.
    #[serde(default)]
    pub warm_up: u32,
    /// What the result is held to; the exit code says whether it was met.
    #[serde(default)]
    pub require: Vec<ValueWithPosition<ScalarOrTable<RequirementToml>>>,
    /// What levels cost.
    #[serde(default)]
    pub price: Vec<ValueWithPosition<LevelPricesToml>>,
    /// Statements that the result is asked about by name.
    #[serde(default)]
    pub question: Vec<ValueWithPosition<QuestionToml>>,
    /// What `--quick` does instead.
    #[serde(default)]
    pub quick: Option<ValueWithPosition<QuickModeToml>>,
}

/// Something that is varied. Its level comes about by `lab`, `knob`, `command` or `by_hand`; with none of them only the
/// probe lines differ, in which `{name}` becomes the level.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "factor")]
pub(crate) struct FactorToml {
    /// Its name; stands in probe lines as `{name}`.
    pub name: ValueWithPosition<String>,
    /// Its levels in the order of the tables, two or more: text, numbers, or `{ name = …, value = … }`.
    pub levels: ValueWithPosition<Vec<ValueWithPosition<ScalarOrTable<LevelToml>>>>,
    /// A property of the lab's topology, or several that get the same value: `"links.1.medium"`, `"hosts.a.cpu_share"`.
    #[serde(default)]
    pub lab: Option<ValueWithPosition<OneOrMany<String>>>,
    /// A setting that goodput reads, sets, reads back and restores: `"mtu"`, `"sysctl net.ipv4.tcp_sack"`, `"offload gro"`.
    #[serde(default)]
    pub knob: Option<ValueWithPosition<String>>,
    /// Role of the host that the knob is turned on, or several.
    #[serde(default)]
    pub on: Option<ValueWithPosition<OneOrMany<String>>>,
    /// The interface that the knob belongs to; left out, the one that leads to the other hosts.
    #[serde(default)]
    pub interface: Option<ValueWithPosition<String>>,
    /// Commands on a host.
    #[serde(default)]
    pub command: Option<ValueWithPosition<CommandToml>>,
    /// The operator is asked, and what the inventory then shows is compared with what it must show.
    #[serde(default)]
    pub by_hand: Option<ValueWithPosition<ManualStepToml>>,
    /// True where changing the level costs much: it then changes as seldom as the repeats allow. Left out, true for
    /// `by_hand` only.
    #[serde(default)]
    pub hard_to_change: Option<bool>,
}

/// A level whose name in tables is not what is set.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "level")]
pub(crate) struct LevelToml {
    /// The heading in tables.
    pub name: TextOrNumber,
    /// What is set, or stands in the line.
    pub value: TextOrNumber,
}

/// Commands that put a level in place on a host.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "command")]
pub(crate) struct CommandToml {
    /// Role of the host.
    pub on: String,
    /// Puts the level in place; `{level}` becomes its value.
    pub set: String,
    /// Prints what is in place; must print the level's value after it was set.
    #[serde(default)]
    pub read: Option<String>,
    /// Puts back what was there; `{before}` becomes what `read` printed at first.
    #[serde(default)]
    pub restore: Option<String>,
}

/// A level that a hand puts in place.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "by-hand")]
pub(crate) struct ManualStepToml {
    /// What the operator is asked to do; `{level}` becomes the level's value.
    pub ask: String,
    /// Facts that must hold afterwards.
    #[serde(default)]
    pub verify: Vec<ManualStepCheckToml>,
}

/// A fact of the inventory that shows whether a hand has done what it was asked.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "verify")]
pub(crate) struct ManualStepCheckToml {
    /// Role of the host.
    pub on: String,
    /// Its path as `goodput host --json` has it: `interfaces.eth0.driver`.
    pub fact: String,
    /// What it must be, for each level by its name.
    pub is: BTreeMap<String, TextOrNumber>,
}

/// A command of this program, run at every combination.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "probe")]
pub(crate) struct ProbeLineToml {
    /// Its name in tables and requirements.
    pub name: ValueWithPosition<String>,
    /// What you would type after `goodput`, with roles and factors in braces: `stream {server} --from {client}`.
    pub run: ValueWithPosition<String>,
    /// The figures that are taken from its result, the primary one first: `goodput_bps`, `latency_ns.p50`, `points[].goodput_bps`.
    pub measures: ValueWithPosition<Vec<ValueWithPosition<ScalarOrTable<MetricToml>>>>,
    /// Only at these combinations: every named factor has one of the named levels.
    #[serde(default)]
    pub only: LevelFilter,
    /// Longest that one execution may take; 10 minutes where it is left out.
    #[serde(default)]
    pub time_limit: Option<ValueWithPosition<String>>,
}

/// A figure whose better direction is not the usual one.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "measure")]
pub(crate) struct MetricToml {
    /// Its name in the result's document.
    pub figure: String,
    /// Whether more or less of it is better.
    #[serde(with = "BetterDirectionToml")]
    pub better: BetterDirection,
}

/// Which way a figure improves.
#[derive(Deserialize, JsonSchema)]
#[serde(remote = "BetterDirection", rename_all = "lowercase")]
#[schemars(rename = "better")]
pub(crate) enum BetterDirectionToml {
    /// More is better.
    Higher,
    /// Less is better.
    Lower,
}

/// A regular fraction of a two-level design.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "fraction")]
pub(crate) struct FractionalDesignToml {
    /// The generators: `"D=ABC"`. Letters stand for the factors in the order of the file; I is left out.
    pub fraction: Vec<String>,
}

/// In which order.
#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(rename = "order")]
pub(crate) enum ExecutionOrderToml {
    /// Every repeat holds each combination once, in an order drawn anew.
    #[default]
    Random,
    /// As written.
    File,
}

/// Repeats until the result is sure enough.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "repeats")]
pub(crate) struct RepeatPolicyToml {
    /// At the least.
    pub least: u32,
    /// At the most.
    pub most: u32,
    /// How narrow the 95 % interval of the primary metric's median is to be, as a share of it: `"3%"`.
    pub width: String,
}

/// A requirement that holds for some combinations only.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "requirement")]
pub(crate) struct RequirementToml {
    /// As it would be written alone: `tcp.goodput_bps >= 900 Mbit/s`.
    pub that: String,
    /// Only at these combinations.
    pub only: LevelFilter,
}

/// What `--quick` does instead: fewer repeats, fewer levels, shorter executions. The questions stay.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "quick")]
pub(crate) struct QuickModeToml {
    /// As above; 2 where it is left out.
    #[serde(default)]
    #[schemars(schema_with = "repeats_schema")]
    pub repeats: Option<ValueWithPosition<ScalarOrTable<RepeatPolicyToml>>>,
    /// Only these levels of these factors, two of each at least.
    #[serde(default)]
    pub only: LevelFilter,
    /// Words for all probe lines, or by the probe's name: `"--time 1s"`. An option that a line has already gets the new value.
    #[serde(default)]
    pub words: Option<ValueWithPosition<ScalarOrTable<BTreeMap<String, String>>>>,
}

fn design_schema(generator: &mut SchemaGenerator) -> Schema {
    let fraction = generator.subschema_for::<FractionalDesignToml>();
    json_schema!({ "anyOf": [{ "enum": ["full", "one-at-a-time"] }, fraction] })
}

fn repeats_schema(generator: &mut SchemaGenerator) -> Schema {
    let table = generator.subschema_for::<RepeatPolicyToml>();
    json_schema!({ "anyOf": [{ "type": "integer", "minimum": 1 }, table] })
}

fn lab_schema(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": ["string", "object"] })
}
