//! API types of a run in a list, and of its filters.

use crate::translate::{Localize, localize_labels};
use goodput_store::index::{self, IndexedRunOutcome};
use goodput_words::Translator;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;

/// One run of a list.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct RunCard {
    /// The run's name, a UUID.
    #[schemars(extend("format" = "uuid"))]
    pub id: String,
    /// When it began, RFC 3339, UTC.
    #[schemars(extend("format" = "date-time"))]
    pub started: String,
    /// Version of the program that recorded it.
    pub version: String,
    /// The command as typed.
    pub command: Vec<String>,
    /// Names of the probes, each once, in the order of their first trial.
    pub probes: Vec<String>,
    /// Names of the hosts, each once, in the order in which they first appear.
    pub hosts: Vec<String>,
    /// Labels given when it was measured.
    pub labels: BTreeMap<String, String>,
    /// Tags given since, in order.
    pub tags: Vec<String>,
    /// How it stands.
    pub outcome: IndexedRunOutcome,
    /// Trials that are on disk.
    pub trials: u64,
    /// The figure that stands for the run; null where none can.
    pub figure: Option<RunMetricValue>,
    /// The experiment's name; null for every other run.
    pub experiment: Option<String>,
    /// Bytes of its files.
    pub bytes: u64,
}

/// One figure.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "RunFigure")]
pub struct RunMetricValue {
    /// Its name: `goodput_bps`, `latency_ns.p50`, …
    pub name: String,
    /// Its value in its unit; of several trials the median.
    pub value: f64,
    /// bit/s, ns, byte, 1/s, …; empty for a plain number.
    pub unit: String,
    /// As a person reads it.
    pub text: String,
}

impl Localize for RunCard {
    fn localize(&mut self, words: &Translator) {
        localize_labels(words, self.figure.iter_mut().map(|figure| &mut figure.text));
    }
}

impl From<index::RunIndexEntry> for RunCard {
    fn from(card: index::RunIndexEntry) -> RunCard {
        RunCard {
            id: card.id.to_string(),
            started: card.started,
            version: card.version,
            command: card.command,
            probes: card.probes,
            hosts: card.hosts,
            labels: card.labels,
            tags: card.tags,
            outcome: card.outcome,
            trials: card.trials,
            figure: card.figure.map(RunMetricValue::from),
            experiment: card.experiment,
            bytes: card.bytes,
        }
    }
}

impl From<index::IndexedMetric> for RunMetricValue {
    fn from(figure: index::IndexedMetric) -> RunMetricValue {
        let text = goodput_report::number_format::format_value_with_unit(figure.value, &figure.unit);
        RunMetricValue { name: figure.name, value: figure.value, unit: figure.unit, text }
    }
}
