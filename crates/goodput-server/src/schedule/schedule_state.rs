//! The saved state of one schedule: order, progress, rules. Every transition is a function of the time.

use super::alert::{Alert, AlertEvaluationInput, AlertMetricValue, AlertStatus, ChangePoint};
use super::api_documents::{
    AlertDeliveryAttempt, AlertDocument, ScheduleDocument, ScheduleExecutionOutcome, ScheduleRequest,
};
use super::due_occurrence::{MissedExecutions, ScheduleTiming, default_jitter};
use super::recurrence::RecurrenceRule;
use super::webhook::HttpTarget;
use super::webhook_payload::WebhookPayload;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

const GAPS: usize = 20;
/// A receiver that is away for months gets the last ones.
const LETTERS: usize = 50;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StoredSchedule {
    pub order: ScheduleRequest,
    /// The server that runs it, if several share a database: [`super::Shelf::place`].
    #[serde(default)]
    pub place: String,
    /// Seed of the jitter; different on each server.
    pub seed: u64,
    pub anchor: Timestamp,
    /// The last processed turn.
    pub turned: Timestamp,
    #[serde(default)]
    pub begun: Option<StartedOccurrence>,
    #[serde(default)]
    pub last: Option<ScheduleExecutionOutcome>,
    #[serde(default)]
    pub runs: u64,
    #[serde(default)]
    pub failed: u64,
    /// Consecutive failed runs up to the last.
    #[serde(default)]
    pub failures_in_a_row: u32,
    #[serde(default)]
    pub missed_turns: u64,
    /// The last missed turns, newest first.
    #[serde(default)]
    pub missed: Vec<MissedExecutions>,
    /// State of each rule, by [`Alert::key`].
    #[serde(default)]
    pub standings: BTreeMap<String, AlertStatus>,
    #[serde(default)]
    pub letters: Vec<WebhookPayload>,
    /// The last delivery attempt.
    #[serde(default)]
    pub told: Option<AlertDeliveryAttempt>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StartedOccurrence {
    pub turn: Timestamp,
    /// `None` until the queue has accepted it.
    pub job: Option<String>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Schedule {
    pub kept: StoredSchedule,
    /// `None` if it cannot be computed any more (a removed time zone).
    rule: Option<RecurrenceRule>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct DueStatus {
    pub due: Option<Timestamp>,
    pub wake: Option<Timestamp>,
    /// True if the state must be saved.
    pub changed: bool,
}

impl Schedule {
    pub fn new(order: ScheduleRequest, seed: u64, now: Timestamp) -> Schedule {
        Schedule::from_stored(StoredSchedule {
            order,
            place: String::new(),
            seed,
            anchor: now,
            turned: now,
            begun: None,
            last: None,
            runs: 0,
            failed: 0,
            failures_in_a_row: 0,
            missed_turns: 0,
            missed: Vec::new(),
            standings: BTreeMap::new(),
            letters: Vec::new(),
            told: None,
        })
    }

    pub fn from_stored(kept: StoredSchedule) -> Schedule {
        let rule = kept.order.when.to_recurrence_rule().ok();
        Schedule { kept, rule }
    }

    /// Replaces the order and keeps the past. State of removed rules is dropped; turns restart if the times
    /// differ, or after a pause.
    pub fn update_from_request(&mut self, order: ScheduleRequest, now: Timestamp) {
        let old = std::mem::replace(&mut self.kept.order, order);
        let new = &self.kept.order;
        if old.when != new.when || (new.enabled && !old.enabled) {
            (self.kept.anchor, self.kept.turned) = (now, now);
        }
        let keys: Vec<String> = new.alerts.iter().map(|a| a.state_key()).collect();
        self.kept.standings.retain(|key, _| keys.contains(key));
        if new.webhook.is_none() {
            self.kept.letters.clear();
        }
        self.rule = new.when.to_recurrence_rule().ok();
    }

    /// Checks for a due turn and records missed ones; a turn during the previous one is missed too.
    pub fn check_due(&mut self, now: Timestamp) -> DueStatus {
        let Some(course) = self.course() else { return DueStatus::default() };
        let look = course.check_due(now);
        let mut changed = look.missed.is_some() || look.due.is_some();
        // A clock set back is saved only with the next turn.
        changed |= look.turned > self.kept.turned;
        self.kept.turned = look.turned;
        if let Some((from, to, count, more)) = look.missed {
            let reason = "the server was not running at the scheduled time".into();
            self.miss(MissedExecutions { from, to, count, more, reason });
        }
        let due = match (look.due, &self.kept.begun) {
            (Some(turn), Some(_)) => {
                let reason = "the previous run had not ended".into();
                self.miss(MissedExecutions { from: turn, to: turn, count: 1, more: false, reason });
                None
            }
            (due, _) => due,
        };
        DueStatus { due, wake: look.wake, changed }
    }

    /// From now on this turn is never begun again.
    pub fn start_occurrence(&mut self, turn: Timestamp) {
        self.kept.begun = Some(StartedOccurrence { turn, job: None });
    }

    pub fn record_job(&mut self, job: &str) {
        if let Some(begun) = &mut self.kept.begun {
            begun.job = Some(job.to_string());
        }
    }

    /// After a restart a turn under way counts as missed, not failed.
    pub fn mark_interrupted_occurrence_missed(&mut self) -> bool {
        let Some(StartedOccurrence { turn, .. }) = self.kept.begun.take() else { return false };
        let reason = "the server stopped during the measurement".into();
        self.miss(MissedExecutions { from: turn, to: turn, count: 1, more: false, reason });
        true
    }

    /// A turn has ended: judges the rules and queues alerts. `runs` and `changes` are the history with this
    /// run, empty if it was not searched.
    pub fn finish_occurrence(
        &mut self,
        ended: ScheduleExecutionOutcome,
        runs: &[String],
        changes: &[ChangePoint],
    ) {
        self.kept.begun = None;
        self.kept.runs += 1;
        // 1 means measured with a failed requirement, which is a result.
        if matches!(ended.exit, Some(0 | 1)) {
            self.kept.failures_in_a_row = 0;
        } else {
            self.kept.failed += 1;
            self.kept.failures_in_a_row = self.kept.failures_in_a_row.saturating_add(1);
        }
        let figure = ended.figure.clone();
        let failures = self.kept.failures_in_a_row;
        let news = AlertEvaluationInput { now: ended.at, figure: figure.as_ref(), failures, runs, changes };
        for rule in self.kept.order.alerts.clone() {
            let key = rule.state_key();
            let (standing, word) = rule.evaluate(self.kept.standings.get(&key), &news);
            self.kept.standings.insert(key, standing);
            if let Some((turned, text)) = word {
                self.queue_webhook(WebhookPayload::new(&self.kept.order.name, rule, turned, &text, &ended));
            }
        }
        self.kept.last = Some(ended);
    }

    pub fn queue_webhook(&mut self, letter: WebhookPayload) {
        if self.kept.order.webhook.is_none() {
            return;
        }
        self.kept.letters.push(letter);
        let surplus = self.kept.letters.len().saturating_sub(LETTERS);
        self.kept.letters.drain(..surplus);
    }

    /// Records a delivery attempt; `settled` if it was the last.
    pub fn record_webhook_delivery(&mut self, letter: &str, delivery: AlertDeliveryAttempt, settled: bool) {
        if settled {
            self.kept.letters.retain(|l| l.id != letter);
        }
        self.kept.told = Some(delivery);
    }

    fn miss(&mut self, missed: MissedExecutions) {
        self.kept.missed_turns += missed.count;
        self.kept.missed.insert(0, missed);
        self.kept.missed.truncate(GAPS);
    }

    fn course(&self) -> Option<ScheduleTiming<'_>> {
        if !self.kept.order.enabled {
            return None;
        }
        Some(ScheduleTiming {
            rule: self.rule.as_ref()?,
            anchor: self.kept.anchor,
            turned: self.kept.turned,
            jitter: self.jitter(),
            seed: self.kept.seed,
        })
    }

    fn jitter(&self) -> u32 {
        let usual = || self.rule.as_ref().map_or(0, default_jitter);
        self.kept.order.jitter_seconds.unwrap_or_else(usual)
    }

    pub fn next_start(&self, now: Timestamp) -> Option<Timestamp> {
        let look = self.course()?.check_due(now);
        if look.due.is_some() { Some(now) } else { look.wake }
    }

    /// Only an operator sees the webhook's secret.
    pub fn to_document(&self, now: Timestamp, operator: bool) -> ScheduleDocument {
        let kept = &self.kept;
        let order = kept.order.clone();
        let hidden = |address: String| match HttpTarget::parse(&address) {
            Ok(target) if !operator => target.redacted_url(),
            _ => address,
        };
        let alert = |rule: &Alert| AlertDocument {
            rule: *rule,
            text: rule.describe(self.unit()).into(),
            standing: kept.standings.get(&rule.state_key()).cloned(),
        };
        ScheduleDocument {
            id: order.name.clone(),
            when_text: order.when.describe().into(),
            jitter_seconds: self.jitter(),
            enabled: order.enabled,
            next: self.next_start(now),
            job: kept.begun.as_ref().and_then(|b| b.job.clone()),
            last: kept.last.clone(),
            runs: kept.runs,
            failed: kept.failed,
            failures_in_a_row: kept.failures_in_a_row,
            missed_turns: kept.missed_turns,
            missed: kept.missed.clone(),
            alerts: order.alerts.iter().map(alert).collect(),
            webhook: order.webhook.map(hidden),
            told: kept.told.clone(),
            untold: kept.letters.len() as u64,
            name: order.name,
            line: order.line,
            when: order.when,
        }
    }

    fn unit(&self) -> &str {
        self.kept
            .last
            .as_ref()
            .and_then(|l| l.figure.as_ref())
            .map_or("", |f: &AlertMetricValue| f.unit.as_str())
    }

    pub fn alert_states(&self) -> impl Iterator<Item = (String, bool)> + '_ {
        self.kept.order.alerts.iter().map(|rule| {
            let key = rule.state_key();
            let holds = self.kept.standings.get(&key).is_some_and(|s| s.since.is_some());
            (key, holds)
        })
    }
}

#[cfg(test)]
mod tests;
