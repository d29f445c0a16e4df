//! Which runs are wanted: words, options, and times as people say them.

use crate::args::value::{self, shown};
use crate::failure::Failure;
use clap::Args;
use goodput_store::index::{CardOutcome, Cursor, Filter};
use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

/// As typed. All that is given must hold.
#[derive(Debug, Args)]
pub struct TypedWanted {
    /// Words that occur in the run's name, command, probes, hosts, labels, tags or experiment
    #[arg(value_name = "WORD")]
    words: Vec<String>,
    /// One of these probes: pingpong, stream, datagram, …; may be repeated
    #[arg(long, value_name = "PROBE")]
    probe: Vec<String>,
    /// A host that took part; may be repeated
    #[arg(long, value_name = "NAME")]
    host: Vec<String>,
    /// A label; may be repeated
    #[arg(long, value_name = "KEY=VALUE")]
    label: Vec<String>,
    /// A level at which an experiment was begun; may be repeated
    #[arg(long, value_name = "FACTOR=LEVEL")]
    factor: Vec<String>,
    /// A tag; may be repeated
    #[arg(long, value_name = "TAG")]
    tag: Vec<String>,
    /// Runs of this experiment
    #[arg(long, value_name = "NAME")]
    experiment: Option<String>,
    /// Begun then or later: a day (2026-11-01, UTC), a time (2026-11-01T08:00:00Z) or how long ago (36h, 90d, 8w)
    #[arg(long, value_name = "WHEN")]
    since: Option<String>,
    /// Begun before then: likewise
    #[arg(long, value_name = "WHEN")]
    until: Option<String>,
    /// complete, partial, failed or running; may be repeated
    #[arg(long, value_name = "OUTCOME")]
    outcome: Vec<String>,
}

/// Which runs are wanted.
#[derive(Debug, Clone, PartialEq)]
pub struct Wanted {
    /// The search.
    pub filter: Filter,
    /// True when nothing was said, so that all are.
    pub all: bool,
}

impl TypedWanted {
    /// What is meant.
    pub fn meaning(self) -> Result<Wanted, Failure> {
        let now = Timestamp::now();
        let outcomes = CardOutcome::ALL.map(|o| (o.name(), o));
        let filter = Filter {
            text: self.words.join(" ").trim().to_string(),
            probes: self.probe,
            hosts: self.host,
            labels: self.label.iter().map(|l| value::label("--label", l)).collect::<Result<_, _>>()?,
            factors: self.factor.iter().map(|f| level(f)).collect::<Result<_, _>>()?,
            tags: self.tag,
            experiment: self.experiment,
            since: self.since.map(|w| when("--since", &w, now)).transpose()?,
            until: self.until.map(|w| when("--until", &w, now)).transpose()?,
            outcomes: self
                .outcome
                .iter()
                .map(|o| value::word("--outcome", o, &outcomes))
                .collect::<Result<_, _>>()?,
            after: None,
            limit: None,
        };
        Ok(Wanted { all: filter == Filter::default(), filter })
    }
}

/// A factor and one of its levels.
fn level(typed: &str) -> Result<(String, String), Failure> {
    match typed.split_once('=') {
        Some((factor, level)) if !factor.is_empty() => Ok((factor.to_string(), level.to_string())),
        _ => Err(Failure::usage(format!("--factor {} is refused", shown(typed)))
            .because("it is no factor with an equals sign and a level behind it")
            .try_this("type --factor mtu=9000")),
    }
}

/// A place in a list of runs.
pub fn cursor(option: &str, typed: &str) -> Result<Cursor, Failure> {
    typed.parse().map_err(|_| {
        Failure::usage(format!("{option} {} is refused", shown(typed)))
            .because("it is not the whole name of a run")
            .try_this("type the last name of the list before")
    })
}

/// A time: a day, an instant, or how long before now.
fn when(option: &str, typed: &str, now: Timestamp) -> Result<Timestamp, Failure> {
    let day = || typed.parse::<Date>().ok()?.to_zoned(TimeZone::UTC).ok().map(|day| day.timestamp());
    // Only a time has a T.
    let found = match typed.contains('T') {
        true => typed.parse::<Timestamp>().ok(),
        false => day().or_else(|| ago(typed, now)),
    };
    found.ok_or_else(|| {
        Failure::usage(format!("{option} {} is refused", shown(typed)))
            .because("it is no day, no time and no length of time")
            .try_this("type 2026-11-01, 2026-11-01T08:00:00Z, or how long ago: 36h, 90d, 8w")
    })
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
        let at = |typed: &str| when("--since", typed, now).map(|t| t.to_string()).ok();
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
