//! One schedule: its order, how far it has come, how its rules stand. Everything that happens to it is a function here
//! that is given the time; it is written down as it is, and survives the server.

use super::alert::{Alert, News, Reading, Seen, Standing};
use super::form::{AlertDocument, Delivery, Ended, Order, ScheduleDocument};
use super::turn::{Course, Missed, usual_jitter};
use super::webhook::Target;
use super::webhook_payload::WebhookPayload;
use super::when::Rule;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

const GAPS: usize = 20;
/// Letters that wait at the most; a receiver that is away for months gets the last ones.
const LETTERS: usize = 50;

/// A schedule as it is written down.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Kept {
    pub order: Order,
    /// The server that measures it, where several share what is kept: [`super::Shelf::place`].
    #[serde(default)]
    pub place: String,
    /// From which jitter is computed; another one on each server.
    pub seed: u64,
    pub anchor: Timestamp,
    /// The time of the last turn that was dealt with.
    pub turned: Timestamp,
    #[serde(default)]
    pub begun: Option<Begun>,
    #[serde(default)]
    pub last: Option<Ended>,
    #[serde(default)]
    pub runs: u64,
    #[serde(default)]
    pub failed: u64,
    /// Runs that failed in a row up to the last.
    #[serde(default)]
    pub failures_in_a_row: u32,
    #[serde(default)]
    pub missed_turns: u64,
    /// The last gaps, the newest first.
    #[serde(default)]
    pub missed: Vec<Missed>,
    /// How each rule stands, by [`Alert::key`].
    #[serde(default)]
    pub standings: BTreeMap<String, Standing>,
    #[serde(default)]
    pub letters: Vec<WebhookPayload>,
    /// The last attempt to tell.
    #[serde(default)]
    pub told: Option<Delivery>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Begun {
    pub turn: Timestamp,
    /// The job; `None` until the queue has taken it.
    pub job: Option<String>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Schedule {
    pub kept: Kept,
    /// Its rule; `None` where this system cannot compute it any more (a time zone that is gone).
    rule: Option<Rule>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Looked {
    /// The turn that is to be started now.
    pub due: Option<Timestamp>,
    pub wake: Option<Timestamp>,
    /// True when something changed that is to be written down.
    pub changed: bool,
}

impl Schedule {
    /// A new one, whose first turn is the next.
    pub fn new(order: Order, seed: u64, now: Timestamp) -> Schedule {
        Schedule::of(Kept {
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

    pub fn of(kept: Kept) -> Schedule {
        let rule = kept.order.when.rule().ok();
        Schedule { kept, rule }
    }

    /// Takes another order of the same name. Its past stays; rules that are gone are forgotten; turns count anew where
    /// the times are others, or where it has rested.
    pub fn replace(&mut self, order: Order, now: Timestamp) {
        let old = std::mem::replace(&mut self.kept.order, order);
        let new = &self.kept.order;
        if old.when != new.when || (new.enabled && !old.enabled) {
            (self.kept.anchor, self.kept.turned) = (now, now);
        }
        let keys: Vec<String> = new.alerts.iter().map(|a| a.key()).collect();
        self.kept.standings.retain(|key, _| keys.contains(key));
        if new.webhook.is_none() {
            self.kept.letters.clear();
        }
        self.rule = new.when.rule().ok();
    }

    /// Looks whether a turn is due. What was missed is noted; a turn that is due while the one before it is still
    /// under way is missed too.
    pub fn look(&mut self, now: Timestamp) -> Looked {
        let Some(course) = self.course() else { return Looked { due: None, wake: None, changed: false } };
        let look = course.look(now);
        let mut changed = look.missed.is_some() || look.due.is_some();
        // A clock that was set back is written down only with the next turn: it changes nothing else.
        changed |= look.turned > self.kept.turned;
        self.kept.turned = look.turned;
        if let Some((from, to, count, more)) = look.missed {
            self.miss(Missed {
                from,
                to,
                count,
                more,
                reason: "the server was not there at the time".into(),
            });
        }
        let due = match (look.due, &self.kept.begun) {
            (Some(turn), Some(_)) => {
                let reason = "the run before it had not ended".into();
                self.miss(Missed { from: turn, to: turn, count: 1, more: false, reason });
                None
            }
            (due, _) => due,
        };
        Looked { due, wake: look.wake, changed }
    }

    /// A turn begins: from now on it is not begun again, whatever happens.
    pub fn begin(&mut self, turn: Timestamp) {
        self.kept.begun = Some(Begun { turn, job: None });
    }

    pub fn queued(&mut self, job: &str) {
        if let Some(begun) = &mut self.kept.begun {
            begun.job = Some(job.to_string());
        }
    }

    /// The server has come back: a turn that was under way ended with it. That says nothing of what it was to measure, so
    /// it is missed and has not failed.
    pub fn came_back(&mut self) -> bool {
        let Some(Begun { turn, .. }) = self.kept.begun.take() else { return false };
        let reason = "the server ended while it was measured".into();
        self.miss(Missed { from: turn, to: turn, count: 1, more: false, reason });
        true
    }

    /// The turn under way has ended. Judges the rules; what is to be told is put among the letters. `runs` and
    /// `changes` are of the history with this run in it, empty where it was not searched.
    pub fn end(&mut self, ended: Ended, runs: &[String], changes: &[Seen<'_>]) {
        self.kept.begun = None;
        self.kept.runs += 1;
        // 1 says that all was measured and a requirement is not met: that is a result.
        if matches!(ended.exit, Some(0 | 1)) {
            self.kept.failures_in_a_row = 0;
        } else {
            self.kept.failed += 1;
            self.kept.failures_in_a_row = self.kept.failures_in_a_row.saturating_add(1);
        }
        let figure = ended.figure.clone();
        let failures = self.kept.failures_in_a_row;
        let news = News { now: ended.at, figure: figure.as_ref(), failures, runs, changes };
        for rule in self.kept.order.alerts.clone() {
            let key = rule.key();
            let (standing, word) = rule.judge(self.kept.standings.get(&key), &news);
            self.kept.standings.insert(key, standing);
            if let Some((turned, text)) = word {
                self.write(WebhookPayload::new(&self.kept.order.name, rule, turned, &text, &ended));
            }
        }
        self.kept.last = Some(ended);
    }

    /// Puts a letter among those to be sent, if there is anybody to send it to.
    pub fn write(&mut self, letter: WebhookPayload) {
        if self.kept.order.webhook.is_none() {
            return;
        }
        self.kept.letters.push(letter);
        let surplus = self.kept.letters.len().saturating_sub(LETTERS);
        self.kept.letters.drain(..surplus);
    }

    /// An attempt to send a letter has ended; `settled` when no other will be made.
    pub fn posted(&mut self, letter: &str, delivery: Delivery, settled: bool) {
        if settled {
            self.kept.letters.retain(|l| l.id != letter);
        }
        self.kept.told = Some(delivery);
    }

    fn miss(&mut self, missed: Missed) {
        self.kept.missed_turns += missed.count;
        self.kept.missed.insert(0, missed);
        self.kept.missed.truncate(GAPS);
    }

    fn course(&self) -> Option<Course<'_>> {
        if !self.kept.order.enabled {
            return None;
        }
        Some(Course {
            rule: self.rule.as_ref()?,
            anchor: self.kept.anchor,
            turned: self.kept.turned,
            jitter: self.jitter(),
            seed: self.kept.seed,
        })
    }

    fn jitter(&self) -> u32 {
        let usual = || self.rule.as_ref().map_or(0, usual_jitter);
        self.kept.order.jitter_seconds.unwrap_or_else(usual)
    }

    pub fn next(&self, now: Timestamp) -> Option<Timestamp> {
        let look = self.course()?.look(now);
        if look.due.is_some() { Some(now) } else { look.wake }
    }

    /// What is told of it. Whoever may not change it does not see the secret of its webhook.
    pub fn document(&self, now: Timestamp, operator: bool) -> ScheduleDocument {
        let kept = &self.kept;
        let order = kept.order.clone();
        let hidden = |address: String| match Target::read(&address) {
            Ok(target) if !operator => target.shown(),
            _ => address,
        };
        let alert = |rule: &Alert| AlertDocument {
            rule: *rule,
            text: rule.words(self.unit()),
            standing: kept.standings.get(&rule.key()).cloned(),
        };
        ScheduleDocument {
            id: order.name.clone(),
            when_text: order.when.words(),
            jitter_seconds: self.jitter(),
            enabled: order.enabled,
            next: self.next(now),
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

    /// The base unit of its figures, as far as one was seen.
    fn unit(&self) -> &str {
        self.kept.last.as_ref().and_then(|l| l.figure.as_ref()).map_or("", |f: &Reading| f.unit.as_str())
    }

    /// Rules that hold now, and those that do not, by their keys.
    pub fn holding(&self) -> impl Iterator<Item = (String, bool)> + '_ {
        self.kept.order.alerts.iter().map(|rule| {
            let key = rule.key();
            let holds = self.kept.standings.get(&key).is_some_and(|s| s.since.is_some());
            (key, holds)
        })
    }
}

#[cfg(test)]
mod tests;
