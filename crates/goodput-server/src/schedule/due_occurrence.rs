//! Computes the due turn, missed turns, and the next wake-up. Pure.
//!
//! Missed turns are never repeated: after a night without the server there is one message, and the next turn
//! runs on time.

use super::recurrence::RecurrenceRule;
use goodput_words::Message;
use jiff::{SignedDuration, Timestamp};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// In seconds: a short delay of a busy machine does not lose the turn.
pub const MAX_LATENESS_SECONDS: i64 = 60;
pub const MAX_JITTER_SECONDS: u32 = 3600;

/// Turns that were not measured.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Missed")]
pub struct MissedExecutions {
    /// The time of the first, RFC 3339.
    #[schemars(with = "String")]
    pub from: Timestamp,
    /// The time of the last.
    #[schemars(with = "String")]
    pub to: Timestamp,
    /// How many; a lower bound when `more`.
    pub count: u64,
    /// True when there were too many to count.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub more: bool,
    /// Why, in half a sentence.
    #[serde(with = "super::stored_text")]
    #[schemars(with = "String")]
    pub reason: Message,
}

#[derive(Debug, Clone, Copy)]
pub struct ScheduleTiming<'a> {
    pub rule: &'a RecurrenceRule,
    pub anchor: Timestamp,
    /// The last processed turn, begun or missed.
    pub turned: Timestamp,
    /// In seconds after the turn's time.
    pub jitter: u32,
    pub seed: u64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DueCheckResult {
    pub due: Option<Timestamp>,
    /// First, last, number, and whether there were more.
    pub missed: Option<(Timestamp, Timestamp, u64, bool)>,
    /// The last turn now processed.
    pub turned: Timestamp,
    /// When the next turn begins, including jitter; `None` beyond the calendar's years.
    pub wake: Option<Timestamp>,
}

impl ScheduleTiming<'_> {
    pub fn check_due(&self, now: Timestamp) -> DueCheckResult {
        // A clock set back must not stop a schedule until it catches up.
        let turned = self.turned.min(now);
        let passed = self.rule.occurrences_between(self.anchor, turned, now);
        let (Some(first), Some(last)) = (passed.first, passed.last) else {
            return DueCheckResult { due: None, missed: None, turned, wake: self.next(turned) };
        };
        let before = passed.before_last.map(|before| (first, before, passed.count - 1, passed.more));
        let begin = self.begin(last);
        if now < begin {
            let turned = before.map_or(turned, |(_, before, ..)| before);
            return DueCheckResult { due: None, missed: before, turned, wake: Some(begin) };
        }
        let wake = self.next(last);
        if now <= later(begin, MAX_LATENESS_SECONDS) {
            return DueCheckResult { due: Some(last), missed: before, turned: last, wake };
        }
        let all = (first, last, passed.count, passed.more);
        DueCheckResult { due: None, missed: Some(all), turned: last, wake }
    }

    fn next(&self, turn: Timestamp) -> Option<Timestamp> {
        self.rule.next_occurrence(self.anchor, turn).map(|next| self.begin(next))
    }

    /// The turn's time and its delay, which is deterministic, so that a restart does not change it.
    fn begin(&self, turn: Timestamp) -> Timestamp {
        let span = u64::from(self.jitter) * 1000 + 1;
        let delay = mixed(self.seed ^ turn.as_second() as u64) % span;
        turn.checked_add(SignedDuration::from_millis(delay as i64)).unwrap_or(turn)
    }
}

/// A tenth of the shortest interval, a minute at most.
pub fn default_jitter(rule: &RecurrenceRule) -> u32 {
    (rule.shortest_interval() / 10).min(60) as u32
}

fn later(at: Timestamp, seconds: i64) -> Timestamp {
    at.checked_add(SignedDuration::from_secs(seconds)).unwrap_or(Timestamp::MAX)
}

/// The finaliser of SplitMix64 (Steele, Lea and Flood 2014): neighbouring inputs give independent delays.
fn mixed(mut z: u64) -> u64 {
    z = z.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::super::recurrence::ScheduleRecurrence;
    use super::*;
    use crate::tests::at;

    fn hourly() -> RecurrenceRule {
        ScheduleRecurrence::Every { seconds: 3600 }.to_recurrence_rule().unwrap()
    }

    fn course<'a>(rule: &'a RecurrenceRule, turned: &str, jitter: u32, seed: u64) -> ScheduleTiming<'a> {
        ScheduleTiming { rule, anchor: at("2026-03-01T00:00:00Z"), turned: at(turned), jitter, seed }
    }

    #[test]
    fn the_turn_of_this_minute_is_measured_though_others_were_missed() {
        let rule = hourly();
        let look = course(&rule, "2026-03-01T20:00:00Z", 0, 1).check_due(at("2026-03-02T07:00:30Z"));
        assert_eq!(look.due, Some(at("2026-03-02T07:00:00Z")));
        assert_eq!(look.missed.map(|m| m.2), Some(10));
        let late = course(&rule, "2026-03-02T06:00:00Z", 0, 1).check_due(at("2026-03-02T07:01:01Z"));
        assert_eq!((late.due, late.missed.map(|m| m.2)), (None, Some(1)));
    }

    #[test]
    fn jitter_delays_each_turn_by_its_own_amount_that_stays() {
        let rule = hourly();
        let nominal = at("2026-03-01T05:00:00Z");
        let with_seed = |seed| course(&rule, "2026-03-01T04:00:00Z", 600, seed);
        let wake = |seed| with_seed(seed).check_due(at("2026-03-01T04:30:00Z")).wake.unwrap();
        let delays: Vec<i64> = (0..200).map(|seed| wake(seed).as_second() - nominal.as_second()).collect();
        assert!(delays.iter().all(|d| (0..=600).contains(d)), "{delays:?}");
        // 200 servers, a tenth of an hour between them: at most 40 a minute (20 expected, 4.7 deviations).
        for minute in 0..10 {
            let here = delays.iter().filter(|d| (minute * 60..minute * 60 + 60).contains(*d)).count();
            assert!(here <= 40, "minute {minute}: {here}");
        }
        let begin = wake(7);
        let early = with_seed(7).check_due(Timestamp::from_millisecond(begin.as_millisecond() - 1).unwrap());
        assert_eq!((early.due, early.missed, early.turned), (None, None, with_seed(7).turned));
        assert_eq!(with_seed(7).check_due(begin).due, Some(nominal));
    }

    #[test]
    fn a_clock_set_back_silences_nothing() {
        let rule = hourly();
        let look = course(&rule, "2027-03-01T00:00:00Z", 0, 1).check_due(at("2026-03-01T05:30:00Z"));
        assert_eq!((look.due, look.missed, look.wake), (None, None, Some(at("2026-03-01T06:00:00Z"))));
    }

    proptest::proptest! {
        /// Every turn is begun once or missed once, however late the wake-ups are.
        #[test]
        fn each_turn_is_dealt_with_once(seed in 0u64..1000, jitter in 0u32..300, lates in proptest::collection::vec(0i64..5000, 1..30)) {
            let rule = ScheduleRecurrence::Every { seconds: 600 }.to_recurrence_rule().unwrap();
            let start = at("2026-03-01T00:00:00Z");
            let (mut turned, mut dealt) = (start, 0u64);
            let mut now = start;
            for late in lates {
                let c = ScheduleTiming { rule: &rule, anchor: start, turned, jitter, seed };
                let look = c.check_due(now);
                dealt += u64::from(look.due.is_some()) + look.missed.map_or(0, |m| m.2);
                turned = look.turned;
                proptest::prop_assert_eq!(dealt, rule.occurrences_between(start, start, turned).count);
                now = later(look.wake.unwrap(), late);
            }
        }
    }
}
