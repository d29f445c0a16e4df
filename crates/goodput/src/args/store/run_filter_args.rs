//! Options that select recorded runs: words, labels, and times.

use crate::args::value_parsers::{Label, NamedChoices, ValueError};
use clap::Args;
use goodput_model::RunId;
use goodput_store::index::{IndexedRunOutcome, RunFilter};
use goodput_words::message;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

/// A run must match all of them.
#[derive(Debug, Clone, Args)]
pub struct RunFilterArgs {
    /// Words to find in the name, command, hosts or labels of a run
    ///
    /// Probes, tags and the experiment name are searched too.
    #[arg(value_name = "WORD")]
    words: Vec<String>,
    /// Only runs with this probe; may be repeated
    #[arg(long, value_name = "PROBE")]
    probe: Vec<String>,
    /// Only runs in which this host took part; may be repeated
    #[arg(long, value_name = "NAME")]
    host: Vec<String>,
    /// Only runs with this label; may be repeated
    #[arg(long, value_name = "KEY=VALUE")]
    label: Vec<Label>,
    /// Only runs with this level of an experiment factor; may be repeated
    #[arg(hide_short_help = true, long, value_name = "FACTOR=LEVEL", value_parser = level)]
    factor: Vec<(String, String)>,
    /// Only runs with this tag; may be repeated
    #[arg(long, value_name = "TAG")]
    tag: Vec<String>,
    /// Only runs of this experiment
    #[arg(long, value_name = "NAME")]
    experiment: Option<String>,
    /// Only runs started at or after this date or within this age: 2026-11-01, 36h, 90d, 8w
    ///
    /// Dates are in UTC. Give a time as 2026-11-01T08:00:00Z.
    #[arg(long, value_name = "WHEN", value_parser = when)]
    since: Option<Timestamp>,
    /// Only runs started before this date or time
    #[arg(long, value_name = "WHEN", value_parser = when)]
    until: Option<Timestamp>,
    /// Only runs with this outcome; may be repeated
    #[arg(long, value_name = "OUTCOME", value_parser = OUTCOMES)]
    outcome: Vec<IndexedRunOutcome>,
}

const OUTCOMES: NamedChoices<IndexedRunOutcome> = NamedChoices(&[
    ("complete", IndexedRunOutcome::Complete),
    ("partial", IndexedRunOutcome::Partial),
    ("failed", IndexedRunOutcome::Failed),
    ("running", IndexedRunOutcome::Running),
    ("invalid", IndexedRunOutcome::Invalid),
]);

impl RunFilterArgs {
    pub fn into_filter(self) -> RunFilter {
        RunFilter {
            text: self.words.join(" ").trim().to_string(),
            probes: self.probe,
            hosts: self.host,
            labels: self.label.into_iter().map(|Label(key, value)| (key, value)).collect(),
            factors: self.factor,
            tags: self.tag,
            experiment: self.experiment,
            since: self.since,
            until: self.until,
            outcomes: self.outcome,
            after: None,
            limit: None,
        }
    }
}

fn level(typed: &str) -> Result<(String, String), ValueError> {
    match typed.split_once('=') {
        Some((factor, level)) if !factor.is_empty() => Ok((factor.to_string(), level.to_string())),
        _ => {
            let hint = message!(hint_args_type { value: "--factor mtu=9000" });
            Err(ValueError::new("the value must have the form FACTOR=LEVEL", hint))
        }
    }
}

/// A position in a list of runs, for the next page.
pub fn parse_page_cursor(typed: &str) -> Result<RunId, ValueError> {
    typed.parse().map(RunId).map_err(|_| {
        ValueError::new("it is not the whole name of a run", "type the last name of the list before")
    })
}

/// A day, an instant, or a duration before now.
fn when(typed: &str) -> Result<Timestamp, ValueError> {
    at(typed, Timestamp::now()).ok_or_else(|| {
        ValueError::new(
            "it is no day, no time and no length of time",
            "type 2026-11-01, 2026-11-01T08:00:00Z, or how long ago: 36h, 90d, 8w",
        )
    })
}

fn at(typed: &str, now: Timestamp) -> Option<Timestamp> {
    // Only an instant has a T.
    if typed.contains('T') {
        return typed.parse().ok();
    }
    let day = || typed.parse::<Date>().ok()?.to_zoned(TimeZone::UTC).ok().map(|day| day.timestamp());
    day().or_else(|| ago(typed, now))
}

/// `36h`, `90d`, `8w` before now.
fn ago(typed: &str, now: Timestamp) -> Option<Timestamp> {
    let (number, hours) = [('h', 1), ('d', 24), ('w', 168)]
        .into_iter()
        .find_map(|(unit, hours)| Some((typed.strip_suffix(unit)?, hours)))?;
    let number: i64 = number.parse::<u32>().ok().filter(|_| !number.starts_with('+'))?.into();
    now.checked_sub(SignedDuration::from_hours(number * hours)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_is_of_a_factor() {
        assert_eq!(level("mtu=9000").ok(), Some(("mtu".to_string(), "9000".to_string())));
        assert_eq!(level("cc=a=b").ok(), Some(("cc".to_string(), "a=b".to_string())));
        for bad in ["mtu", "=9000", ""] {
            assert!(level(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn times_as_people_say_them() {
        let now: Timestamp = "2026-11-22T12:00:00Z".parse().unwrap();
        let at = |typed: &str| super::at(typed, now).map(|t| t.to_string());
        for (typed, is) in [
            ("2026-11-01", "2026-11-01T00:00:00Z"),
            ("2026-11-01T08:00:00Z", "2026-11-01T08:00:00Z"),
            ("2026-11-01T08:00:00+09:00", "2026-10-31T23:00:00Z"),
            ("36h", "2026-11-21T00:00:00Z"),
            ("1d", "2026-11-21T12:00:00Z"),
            ("2w", "2026-11-08T12:00:00Z"),
        ] {
            assert_eq!(at(typed).as_deref(), Some(is), "{typed}");
        }
        for bad in
            ["", "yesterday", "90", "-1d", "+1d", "1m", "99999999999d", "4294967295w", "2026-13-01", "d"]
        {
            assert_eq!(at(bad), None, "{bad}");
        }
    }
}
