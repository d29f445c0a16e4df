//! `goodput latency`: answers of isochronous probes, on the idle path and beside TCP that fills it.

use super::measuring::{Measure, TypedMeasuring};
use super::socket::TypedSocket;
use super::value::{self, shown};
use crate::failure::Failure;
use clap::Args;
use goodput_model::probe::{Direction, Wait};
use goodput_model::{Latency, Probe};

/// As typed.
#[derive(Debug, Args)]
pub struct TypedLatency {
    #[command(flatten)]
    measuring: TypedMeasuring,
    /// What fills the path, a trial each: idle, send, receive, both [default: idle,send,receive,both]
    #[arg(long, value_name = "LIST")]
    load: Option<String>,
    /// TCP connections of a load in each direction [default: 4]
    #[arg(long, value_name = "N")]
    connections: Option<String>,
    /// Time between two probes, kept whatever comes back [default: 5ms]
    #[arg(long, value_name = "TIME")]
    interval: Option<String>,
    /// Payload of a probe and of its answer [default: 64B]
    #[arg(long, value_name = "SIZE")]
    size: Option<String>,
    /// Both ends ask again and again for a probe instead of sleeping; costs a CPU at each
    #[arg(long)]
    spin: bool,
    /// Length of the window of each trial [default: 5s]
    #[arg(long, value_name = "TIME")]
    time: Option<String>,
    /// Time before each window that is not counted, while queues fill [default: 1s]
    #[arg(long, value_name = "TIME")]
    warm_up: Option<String>,
    #[command(flatten)]
    socket: TypedSocket,
}

impl TypedLatency {
    /// What is meant: one trial a load, in the order of the list.
    pub fn meaning(self) -> Result<Measure, Failure> {
        let defaults = Latency::default();
        let time = |option: &str, typed: Option<String>, bounds, default| {
            typed.map_or(Ok(default), |t| value::quantity(option, &t, bounds))
        };
        let latency = Latency {
            load: None,
            connections: self
                .connections
                .map_or(Ok(defaults.connections.into()), |t| value::whole("--connections", &t, 1..=128))?
                as u16,
            interval: time("--interval", self.interval, &value::PROBE_INTERVAL, defaults.interval)?,
            size: self
                .size
                .map_or(Ok(defaults.size), |t| value::quantity("--size", &t, &value::PROBE_SIZE))?,
            wait: if self.spin { Wait::Spin } else { Wait::Sleep },
            time: time("--time", self.time, &value::WINDOW, defaults.time)?,
            warm_up: time("--warm-up", self.warm_up, &value::WARM_UP, defaults.warm_up)?,
            socket: self.socket.meaning(defaults.socket)?,
            message: defaults.message,
        };
        let all = latency.warm_up.0.saturating_add(latency.time.0) / latency.interval.0;
        if all > MOST_PROBES {
            return Err(Failure::usage(format!("{all} probes in one trial are too many"))
                .because(format!("each is kept, and there is room for {MOST_PROBES}"))
                .try_this("probe less often, or for a shorter time"));
        }
        let loads = loads(self.load.as_deref().unwrap_or("idle,send,receive,both"))?;
        let mut probes = loads.into_iter().map(|load| Probe::Latency(Latency { load, ..latency.clone() }));
        let first = probes.next().unwrap_or_else(|| Probe::Latency(latency.clone()));
        let mut measure = self.measuring.meaning(first)?;
        measure.then = probes.collect();
        Ok(measure)
    }
}

/// Probes of one trial, at the most.
const MOST_PROBES: u64 = 10_000_000;

/// The loads of the list, each once.
fn loads(typed: &str) -> Result<Vec<Option<Direction>>, Failure> {
    const WORDS: [(&str, Option<Direction>); 4] = [
        ("idle", None),
        ("send", Some(Direction::Send)),
        ("receive", Some(Direction::Receive)),
        ("both", Some(Direction::Both)),
    ];
    let mut found = Vec::new();
    for word in typed.split(',') {
        let load = value::word("--load", word.trim(), &WORDS)?;
        if found.contains(&load) {
            return Err(Failure::usage(format!("--load {} is refused", shown(typed)))
                .because(format!("{} is named twice", word.trim()))
                .try_this("name each load once, or ask for more trials with --repeat"));
        }
        found.push(load);
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_load_once() {
        let both = [None, Some(Direction::Both)];
        assert_eq!(loads("idle, both"), Ok(both.to_vec()));
        for bad in ["", "up", "idle,idle", "idle,"] {
            assert!(loads(bad).is_err(), "{bad}");
        }
    }
}
