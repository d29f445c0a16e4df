//! Recurrence rules: intervals, or weekdays and times of day in a time zone. Pure. [`When`] is the user's
//! form, [`RecurrenceRule`] the validated one.

use goodput_model::MessageArg;
use goodput_words::message_argument::quantity_arg;
use goodput_words::{Message, error_messages, message};
use jiff::civil::{Date, Time};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp, ToSpan};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub const MIN_INTERVAL_SECONDS: u64 = 10;
/// 366 days.
pub const MAX_INTERVAL_SECONDS: u64 = 366 * DAY;
pub const MAX_TIMES_OF_DAY: usize = 96;
/// Missed turns are counted over this many days; beyond that there are "more".
pub const MAX_OCCURRENCE_SCAN_DAYS: i32 = 400;

const DAY: u64 = 86_400;

/// When a line is repeated, as it is written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
#[schemars(rename = "When")]
pub enum ScheduleRecurrence {
    /// Each time this long has passed, counted from when the schedule was made.
    Every {
        /// 10 s to 366 days.
        #[schemars(range(min = 10, max = 31_622_400))]
        seconds: u64,
    },
    /// At these times of day on these days.
    Calendar {
        /// Days of the week; empty for every day.
        #[serde(default)]
        #[schemars(length(max = 7))]
        days: Vec<DayOfWeek>,
        /// Times of day, `03:00`; one at the least.
        #[schemars(length(min = 1, max = 96))]
        times: Vec<String>,
        /// The time zone by its IANA name, `Europe/Berlin`, or `UTC`.
        #[serde(default = "utc")]
        zone: String,
    },
}

fn utc() -> String {
    "UTC".to_string()
}

/// A day of the week.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(rename = "Day")]
pub enum DayOfWeek {
    /// Monday.
    Monday,
    /// Tuesday.
    Tuesday,
    /// Wednesday.
    Wednesday,
    /// Thursday.
    Thursday,
    /// Friday.
    Friday,
    /// Saturday.
    Saturday,
    /// Sunday.
    Sunday,
}

const WEEK: [DayOfWeek; 7] = [
    DayOfWeek::Monday,
    DayOfWeek::Tuesday,
    DayOfWeek::Wednesday,
    DayOfWeek::Thursday,
    DayOfWeek::Friday,
    DayOfWeek::Saturday,
    DayOfWeek::Sunday,
];

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RecurrenceError {
    Interval { seconds: u64 },
    Times { found: usize },
    Time { text: String },
    Zone { name: String },
}

error_messages! {
    RecurrenceError {
        RecurrenceError::Interval { seconds } => message!(served_interval {
            time: time_arg(*seconds, 1, "s"),
            least: time_arg(MIN_INTERVAL_SECONDS, 1, "s"),
            most: MAX_INTERVAL_SECONDS / DAY,
        }),
        RecurrenceError::Times { found } => {
            message!(served_times_of_day { most: MAX_TIMES_OF_DAY, count: found.to_string() })
        },
        RecurrenceError::Time { text } => message!(served_no_time_of_day { text: format!("{text:?}") }),
        RecurrenceError::Zone { name } => message!(served_no_time_zone { name: format!("{name:?}") }),
    }
}

#[derive(Debug, Clone, PartialEq)]
pub enum RecurrenceRule {
    /// Counted from the anchor.
    Every { seconds: i64 },
    Calendar {
        days: [bool; 7],
        /// Sorted, without duplicates.
        times: Vec<Time>,
        zone: TimeZone,
    },
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PastOccurrences {
    /// A lower bound if `more`.
    pub count: u64,
    pub first: Option<Timestamp>,
    pub before_last: Option<Timestamp>,
    pub last: Option<Timestamp>,
    /// True if the period was too long to count.
    pub more: bool,
}

impl PastOccurrences {
    fn add(&mut self, turn: Timestamp) {
        self.count += 1;
        self.first.get_or_insert(turn);
        self.before_last = self.last.replace(turn);
    }
}

impl ScheduleRecurrence {
    /// Validates it; [`RecurrenceError`] says what to write.
    pub fn to_recurrence_rule(&self) -> Result<RecurrenceRule, RecurrenceError> {
        match self {
            ScheduleRecurrence::Every { seconds }
                if !(MIN_INTERVAL_SECONDS..=MAX_INTERVAL_SECONDS).contains(seconds) =>
            {
                Err(RecurrenceError::Interval { seconds: *seconds })
            }
            ScheduleRecurrence::Every { seconds } => Ok(RecurrenceRule::Every { seconds: *seconds as i64 }),
            ScheduleRecurrence::Calendar { days, times, zone } => {
                if !(1..=MAX_TIMES_OF_DAY).contains(&times.len()) {
                    return Err(RecurrenceError::Times { found: times.len() });
                }
                let mut of_day = times.iter().map(|text| time(text)).collect::<Result<Vec<_>, _>>()?;
                of_day.sort_unstable();
                of_day.dedup();
                let zone = match zone.as_str() {
                    "UTC" => TimeZone::UTC,
                    name => {
                        TimeZone::get(name).map_err(|_| RecurrenceError::Zone { name: name.to_string() })?
                    }
                };
                let on = |day: &DayOfWeek| days.is_empty() || days.contains(day);
                Ok(RecurrenceRule::Calendar { days: WEEK.each_ref().map(on), times: of_day, zone })
            }
        }
    }

    /// Such as `every 15 min`, `Monday, Friday at 03:00 (Europe/Berlin)`.
    pub fn describe(&self) -> Message {
        match self {
            ScheduleRecurrence::Every { seconds } => every(*seconds),
            ScheduleRecurrence::Calendar { days, times, zone } => {
                let mut days = days.clone();
                days.sort_unstable();
                days.dedup();
                let times = times.clone();
                match days.as_slice() {
                    all if [0, 7].contains(&all.len()) => message!(served_every_day_at { times, zone }),
                    work if work == &WEEK[..5] => message!(served_workdays_at { times, zone }),
                    some => {
                        let days: Vec<Message> = some.iter().map(|day| day.name()).collect();
                        message!(served_days_at { days, times, zone })
                    }
                }
            }
        }
    }
}

impl DayOfWeek {
    fn name(self) -> Message {
        match self {
            DayOfWeek::Monday => message!(part_day_mon),
            DayOfWeek::Tuesday => message!(part_day_tue),
            DayOfWeek::Wednesday => message!(part_day_wed),
            DayOfWeek::Thursday => message!(part_day_thu),
            DayOfWeek::Friday => message!(part_day_fri),
            DayOfWeek::Saturday => message!(part_day_sat),
            DayOfWeek::Sunday => message!(part_day_sun),
        }
    }
}

/// `HH:MM`, nothing else.
fn time(text: &str) -> Result<Time, RecurrenceError> {
    let parsed = (text.len() == 5).then(|| Time::strptime("%H:%M", text).ok()).flatten();
    parsed.ok_or_else(|| RecurrenceError::Time { text: text.to_string() })
}

/// In the largest unit that gives a whole number.
fn every(seconds: u64) -> Message {
    let time = match seconds {
        s if s % DAY == 0 => return message!(served_every_days { count: s / DAY }),
        s if s % 3600 == 0 => time_arg(s, 3600, "h"),
        s if s % 60 == 0 => time_arg(s, 60, "min"),
        s => time_arg(s, 1, "s"),
    };
    message!(served_every_hours { time })
}

fn time_arg(seconds: u64, unit_seconds: u64, unit: &str) -> MessageArg {
    let count = seconds / unit_seconds;
    quantity_arg(count as f64, unit, format!("{count} {unit}"))
}

impl RecurrenceRule {
    /// The first turn after a moment. `anchor` is the start of intervals. `None` only beyond the calendar's
    /// years.
    pub fn next_occurrence(&self, anchor: Timestamp, after: Timestamp) -> Option<Timestamp> {
        match self {
            RecurrenceRule::Every { seconds } => {
                nth(anchor, turns_until(anchor, after, *seconds) + 1, *seconds)
            }
            RecurrenceRule::Calendar { days, times, zone } => {
                let today = after.to_zoned(zone.clone()).date();
                // A week and a day: today's times may be over, and today the only weekday.
                let week = today.series(1.day()).take(8);
                week.flat_map(|date| on(date, days, times, zone)).find(|turn| *turn > after)
            }
        }
    }

    /// The turns in (`after`, `until`].
    pub fn occurrences_between(
        &self,
        anchor: Timestamp,
        after: Timestamp,
        until: Timestamp,
    ) -> PastOccurrences {
        let mut passed = PastOccurrences::default();
        match self {
            RecurrenceRule::Every { seconds } => {
                let first = turns_until(anchor, after, *seconds) + 1;
                let last = turns_until(anchor, until, *seconds);
                if last >= first {
                    passed.count = last.abs_diff(first) + 1;
                    passed.first = nth(anchor, first, *seconds);
                    passed.last = nth(anchor, last, *seconds);
                    passed.before_last = (last > first).then(|| nth(anchor, last - 1, *seconds)).flatten();
                }
            }
            RecurrenceRule::Calendar { days, times, zone } => {
                let end = until.to_zoned(zone.clone()).date();
                let mut date = after.to_zoned(zone.clone()).date();
                let earliest =
                    end.checked_sub(SignedDuration::from_hours(24 * i64::from(MAX_OCCURRENCE_SCAN_DAYS)));
                if let Some(earliest) = earliest.ok().filter(|earliest| date < *earliest) {
                    (date, passed.more) = (earliest, true);
                }
                let dates = date.series(1.day()).take_while(|date| *date <= end);
                let turns = dates.flat_map(|date| on(date, days, times, zone));
                turns.filter(|turn| *turn > after && *turn <= until).for_each(|turn| passed.add(turn));
            }
        }
        passed
    }

    /// In seconds.
    pub fn shortest_interval(&self) -> u64 {
        match self {
            RecurrenceRule::Every { seconds } => seconds.unsigned_abs(),
            RecurrenceRule::Calendar { times, .. } => {
                let second = |t: &Time| t.hour() as u64 * 3600 + t.minute() as u64 * 60;
                let over_midnight = times.first().zip(times.last()).map(|(f, l)| DAY + second(f) - second(l));
                let between = times.windows(2).map(|pair| second(&pair[1]) - second(&pair[0]));
                between.chain(over_midnight).min().unwrap_or(DAY)
            }
        }
    }
}

/// Whole intervals since the anchor; negative before it.
fn turns_until(anchor: Timestamp, at: Timestamp, seconds: i64) -> i64 {
    let since = at.as_nanosecond() - anchor.as_nanosecond();
    since.div_euclid(i128::from(seconds) * 1_000_000_000) as i64
}

fn nth(anchor: Timestamp, n: i64, seconds: i64) -> Option<Timestamp> {
    anchor.checked_add(SignedDuration::from_secs(n.checked_mul(seconds)?)).ok()
}

/// Turns of a day. A time that the clock skips moves forward, a repeated one counts the first time (jiff's
/// "compatible", RFC 5545 section 3.3.5).
fn on(date: Date, days: &[bool; 7], times: &[Time], zone: &TimeZone) -> Vec<Timestamp> {
    let day = usize::try_from(date.weekday().to_monday_zero_offset()).unwrap_or(0);
    if !days.get(day).copied().unwrap_or(false) {
        return Vec::new();
    }
    let mut turns: Vec<Timestamp> =
        times.iter().filter_map(|time| zone.to_timestamp(date.to_datetime(*time)).ok()).collect();
    turns.sort_unstable();
    turns.dedup();
    turns
}

#[cfg(test)]
mod tests;
