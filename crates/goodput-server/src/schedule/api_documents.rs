//! API types of schedules.

use super::alert::{Alert, AlertMetricValue, AlertStatus};
use super::due_occurrence::MissedExecutions;
use super::recurrence::ScheduleRecurrence;
use crate::translate::{Localize, localize_all, localize_labels};
use goodput_report::display_text::DisplayText;
use goodput_report::page::Page;
use goodput_words::{Message, Translator};
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A schedule as it is asked for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ScheduleRequest {
    /// What it is called, and the value of the label `schedule` of its runs: letters, digits, `.`, `-` and `_`, 64 at
    /// most.
    #[schemars(length(min = 1, max = 64), regex(pattern = r"^[A-Za-z0-9][A-Za-z0-9._-]*$"))]
    pub name: String,
    /// The line to be repeated, a measuring command without the program's name.
    #[schemars(length(min = 1, max = 200))]
    pub line: Vec<String>,
    /// When.
    pub when: ScheduleRecurrence,
    /// Up to how many seconds after its time a turn begins, so that many servers do not begin at once. Left out: a
    /// tenth of the distance between turns, a minute at most.
    #[serde(default)]
    #[schemars(range(max = 3600))]
    pub jitter_seconds: Option<u32>,
    /// False for a schedule that rests.
    #[serde(default = "yes")]
    pub enabled: bool,
    /// Rules of which somebody is told.
    #[serde(default)]
    #[schemars(length(max = 20))]
    pub alerts: Vec<Alert>,
    /// Where a rule's beginning and end are posted to: an `http` or `https` address; `null` tells nobody.
    #[serde(default)]
    #[schemars(length(max = 2000))]
    pub webhook: Option<String>,
}

fn yes() -> bool {
    true
}

/// All schedules.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ScheduleList {
    /// By name.
    pub schedules: Vec<ScheduleDocument>,
    /// Why a schedule could not be written down or read, the last time it was tried; `null` while they can.
    pub trouble: Option<DisplayText>,
}

/// A schedule and how it stands.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "Schedule")]
pub struct ScheduleDocument {
    /// Its identifier, which is its name.
    pub id: String,
    /// What it is called.
    pub name: String,
    /// The line.
    pub line: Vec<String>,
    /// When.
    pub when: ScheduleRecurrence,
    /// The same in words: `Monday to Friday at 03:00 (Europe/Berlin)`.
    pub when_text: DisplayText,
    /// Up to how many seconds after its time a turn begins.
    pub jitter_seconds: u32,
    /// False while it rests.
    pub enabled: bool,
    /// When the next turn begins, RFC 3339, jitter included; `null` while it rests.
    #[schemars(with = "Option<String>")]
    pub next: Option<Timestamp>,
    /// The job of the turn under way; `null` without one.
    pub job: Option<String>,
    /// The last turn that ended; `null` before there was one.
    pub last: Option<ScheduleExecutionOutcome>,
    /// Turns that ended, well or not.
    pub runs: u64,
    /// Those of them that failed: their exit code was neither 0 nor 1, which says that a requirement is not met.
    pub failed: u64,
    /// Runs that failed in a row up to the last.
    pub failures_in_a_row: u32,
    /// Turns that were missed, altogether.
    pub missed_turns: u64,
    /// Those last missed, the newest first, 20 at most.
    pub missed: Vec<MissedExecutions>,
    /// Its rules with how they stand.
    pub alerts: Vec<AlertDocument>,
    /// Where it tells of them. A reader sees the host alone, because such an address is often a secret.
    pub webhook: Option<String>,
    /// The last attempt to tell; `null` before there was one.
    pub told: Option<AlertDeliveryAttempt>,
    /// What is yet to be told.
    pub untold: u64,
}

/// How a turn ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Ended")]
pub struct ScheduleExecutionOutcome {
    /// The turn's time, RFC 3339.
    #[schemars(with = "String")]
    pub turn: Timestamp,
    /// When it ended.
    #[schemars(with = "String")]
    pub at: Timestamp,
    /// The run; `null` when none was stored.
    pub run: Option<String>,
    /// The exit code; `null` when it was killed or the server ended first.
    pub exit: Option<i32>,
    /// Why it failed, as far as that is known.
    #[serde(with = "super::stored_text::option")]
    #[schemars(with = "Option<String>")]
    pub reason: Option<Message>,
    /// The primary metric; `null` without one.
    pub figure: Option<AlertMetricValue>,
    /// What `goodput why` named; `null` after another command.
    pub diagnosis: Option<NamedCauses>,
}

/// What limits a transfer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NamedCauses {
    /// The sending host.
    pub from: String,
    /// The receiving host.
    pub to: String,
    /// Several where they cannot be told apart; none where nothing is proven.
    pub causes: Vec<String>,
}

/// A rule and how it stands.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "ScheduleAlert")]
pub struct AlertDocument {
    /// The rule.
    pub rule: Alert,
    /// The rule in words.
    pub text: DisplayText,
    /// How it stands; `null` before it was judged.
    pub standing: Option<AlertStatus>,
}

/// An attempt to tell.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Delivery")]
pub struct AlertDeliveryAttempt {
    /// When, RFC 3339.
    #[schemars(with = "String")]
    pub at: Timestamp,
    /// True when the receiver took it.
    pub taken: bool,
    /// What it answered, or why it could not be told.
    #[serde(with = "super::stored_text")]
    #[schemars(with = "String")]
    pub text: Message,
}

/// The history of a schedule.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct HistoryDocument {
    /// The schedule.
    pub id: String,
    /// The figure that stands for its runs: `goodput_bps`; `null` before there was one.
    pub figure: Option<String>,
    /// Its base unit.
    pub unit: String,
    /// The runs in order of time, the last 200 at most.
    pub values: Vec<MetricHistoryValue>,
    /// Where the history changed, in order of time.
    pub changes: Vec<MetricHistoryChange>,
    /// Why it cannot be told whether it changed; `null` when it was searched.
    pub cannot_tell: Option<DisplayText>,
    /// Runs that are not among `values`: older ones, and those whose figure is another.
    pub left_out: u64,
    /// The same to be shown.
    pub page: Page,
}

/// One run of a history.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "HistoryValue")]
pub struct MetricHistoryValue {
    /// The run.
    pub run: String,
    /// When it began, RFC 3339.
    pub started: String,
    /// The primary metric in its base unit; `null` for a run without one.
    pub value: Option<f64>,
    /// The same as a person reads it.
    pub text: String,
}

/// One change of a history.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "HistoryChange")]
pub struct MetricHistoryChange {
    /// The run with which it begins.
    pub run: String,
    /// When that began, RFC 3339.
    pub started: String,
    /// How likely a split as clear as this is by chance.
    pub p: f64,
    /// Median of the runs before, since the change before.
    pub before: f64,
    /// Median of the runs from it on, up to the next change.
    pub after: f64,
    /// `after` over `before`; `null` where that says nothing.
    pub ratio: Option<f64>,
    /// In words.
    pub text: DisplayText,
}

impl Localize for ScheduleList {
    fn localize(&mut self, words: &Translator) {
        self.schedules.localize(words);
        localize_all(words, &mut self.trouble);
    }
}

impl Localize for ScheduleDocument {
    fn localize(&mut self, words: &Translator) {
        localize_all(words, [&mut self.when_text]);
        localize_all(words, self.missed.iter_mut().map(|missed| &mut missed.reason));
        if let Some(last) = &mut self.last {
            localize_all(words, &mut last.reason);
            localize_labels(words, last.figure.iter_mut().map(|figure| &mut figure.text));
        }
        for alert in &mut self.alerts {
            localize_all(words, [&mut alert.text]);
            localize_all(words, alert.standing.iter_mut().flat_map(|standing| &mut standing.text));
        }
        localize_all(words, self.told.iter_mut().map(|told| &mut told.text));
    }
}

impl Localize for HistoryDocument {
    fn localize(&mut self, words: &Translator) {
        localize_labels(words, self.values.iter_mut().map(|value| &mut value.text));
        let changes = self.changes.iter_mut().map(|change| &mut change.text);
        localize_all(words, changes.chain(&mut self.cannot_tell));
        self.page.localize(words);
    }
}
