//! Rules about relays of a lab: what they imitated, how late they were, and when that is too late for the result to be the
//! medium's.

use super::Hit;
use goodput_model::host::RelayCounters;
use goodput_model::host::relay::Access;
use goodput_model::summary::Summary;
use goodput_model::{BitRate, Nanos, Trial};

/// Each relay once, though both ends have read it.
fn relays(trial: &Trial) -> Vec<&RelayCounters> {
    let mut found: Vec<&RelayCounters> = Vec::new();
    let counters = trial.ends.iter().filter_map(|end| end.counters.as_ref());
    for relay in counters.flat_map(|c| &c.relays) {
        if !found.iter().any(|f| f.link == relay.link) {
            found.push(relay);
        }
    }
    found
}

fn ms(late: Option<Nanos>) -> String {
    format!("{:.3} ms", late.unwrap_or_default().0 as f64 / 1e6)
}

fn evidence(relay: &RelayCounters) -> Vec<String> {
    let mut all = vec![
        format!("relay.frames = {}", relay.frames),
        format!("relay.lateness p50 = {}", ms(relay.lateness.quantile(0.5))),
        format!("relay.lateness p99 = {}", ms(relay.lateness.quantile(0.99))),
        format!("relay.lateness max = {}", ms(relay.lateness.max())),
        format!("relay.bound = {}", ms(Some(relay.bound))),
    ];
    let dropped = &relay.dropped;
    for (name, n) in [
        ("queue", dropped.queue),
        ("excessive", dropped.excessive),
        ("loss", dropped.loss),
        ("too_long", dropped.too_long),
        ("overrun", dropped.overrun),
    ] {
        if n > 0 {
            all.push(format!("relay.dropped.{name} = {n}"));
        }
    }
    if let Some(Access { collisions, deferred, single, multiple, late, seed, .. }) = relay.access {
        all.push(format!("relay.access.collisions = {collisions}"));
        all.push(format!("relay.access.deferred = {deferred}"));
        all.push(format!("relay.access.single = {single}"));
        all.push(format!("relay.access.multiple = {multiple}"));
        all.push(format!("relay.access.late = {late}"));
        all.push(format!("relay.access.seed = {seed}"));
    }
    if let Some(percent) = relay.cpu_percent() {
        all.push(format!("relay.cpu = {percent:.1} % of one CPU"));
    }
    all
}

/// A relay that was too late, or lost frames itself.
pub(super) fn late(trial: &Trial, _: &Summary) -> Vec<Hit> {
    let of = |relay: &RelayCounters| {
        let why = match relay.dropped.overrun {
            0 => format!(
                "its relay released a hundredth of the frames {} late or later, {} are allowed",
                ms(relay.lateness.quantile(0.99)),
                ms(Some(relay.bound))
            ),
            n => format!("its relay did not keep up and lost {n} frames"),
        };
        Hit::new(format!("the result is not the medium's ({}): {why}", relay.link), evidence(relay))
    };
    relays(trial).into_iter().filter(|relay| !relay.is_valid()).map(of).collect()
}

/// What a relay imitated, and how well.
pub(super) fn relayed(trial: &Trial, _: &Summary) -> Vec<Hit> {
    let of = |relay: &RelayCounters| {
        let access = match relay.access {
            Some(a) if a.collisions_possible => format!(
                ", {} deferred, {} collisions ({} frames after one, {} after more, {} given up)",
                a.deferred, a.collisions, a.single, a.multiple, relay.dropped.excessive
            ),
            Some(a) => format!(", {} deferred, no collisions because stations took turns", a.deferred),
            None => String::new(),
        };
        let mbit = |rate: BitRate| rate.0 as f64 / 1e6;
        let carried = match (relay.achieved(), relay.rate, relay.access) {
            (Some(achieved), Some(asked), Some(_)) => {
                format!(", {:.2} of {} Mbit/s on the wire", mbit(achieved), mbit(asked))
            }
            (Some(achieved), Some(_), None) => {
                format!(", {:.2} Mbit/s on the wires of all hosts together", mbit(achieved))
            }
            _ => String::new(),
        };
        let cpu = relay.cpu_percent().map_or_else(String::new, |p| format!("; it took {p:.0} % of a CPU"));
        let text = format!(
            "a relay imitated {}: {} frames{access}{carried}; relay lateness {} p50, {} p99, {} max{cpu}",
            relay.link,
            relay.frames,
            ms(relay.lateness.quantile(0.5)),
            ms(relay.lateness.quantile(0.99)),
            ms(relay.lateness.max())
        );
        Hit::new(text, evidence(relay))
    };
    relays(trial).into_iter().map(of).collect()
}
