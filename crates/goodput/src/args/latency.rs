//! `goodput latency`: isochronous probes on the idle path and under TCP load.

use super::Command;
use super::measure_options::{Measure, MeasureArgs};
use super::socket::SocketArgs;
use super::value::{self, Choices, List, ValueError, whole};
use crate::failure::Failure;
use clap::Args;
use goodput_model::probe::{Direction, Wait};
use goodput_model::{Bytes, Latency, Nanos, Probe};

/// Latency of the idle path, and under TCP load
#[derive(Debug, Args)]
#[command(after_long_help = "Examples:
  goodput latency nas                         idle latency, then latency under TCP load load in each direction
  goodput latency nas --load idle,both --connections 8
  goodput latency nas --load idle --interval 1ms --time 60s")]
pub struct Arguments {
    #[command(flatten)]
    measure: MeasureArgs,
    /// TCP loads, one trial each
    #[arg(long, value_name = "LIST", default_value = "idle,send,receive,both", value_parser = loads)]
    load: List<Option<Direction>>,
    /// TCP connections in each direction
    #[arg(long, value_name = "N", default_value = "4", value_parser = whole::<u16>(1..=128))]
    connections: u16,
    /// Time between two probes
    #[arg(long, value_name = "TIME", default_value = "5ms", value_parser = value::PROBE_INTERVAL)]
    interval: Nanos,
    /// Payload of a probe and of its reply
    #[arg(long, value_name = "SIZE", default_value = "64B", value_parser = value::PROBE_SIZE)]
    size: Bytes,
    /// Both ends poll instead of sleeping, which uses one CPU at each
    #[arg(long, hide_short_help = true)]
    spin: bool,
    /// Length of the window of each trial
    #[arg(long, value_name = "TIME", default_value = "5s", value_parser = value::WINDOW)]
    time: Nanos,
    /// Uncounted time before each window, while queues fill
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = value::WARM_UP, hide_short_help = true)]
    warm_up: Nanos,
    #[command(flatten)]
    socket: SocketArgs,
}

/// Each probe is recorded.
const MAX_PROBES: u64 = 10_000_000;

impl TryFrom<Arguments> for Command {
    type Error = Failure;

    fn try_from(args: Arguments) -> Result<Command, Failure> {
        let defaults = Latency::default();
        let latency = Latency {
            load: None,
            connections: args.connections,
            interval: args.interval,
            size: args.size,
            wait: if args.spin { Wait::Spin } else { Wait::Sleep },
            time: args.time,
            warm_up: args.warm_up,
            socket: args.socket.over(defaults.socket),
            message: defaults.message,
        };
        let all = latency.warm_up.0.saturating_add(latency.time.0) / latency.interval.0;
        if all > MAX_PROBES {
            return Err(Failure::usage(format!("{all} probes in one trial are too many"))
                .because(format!("each is kept, and there is room for {MAX_PROBES}"))
                .try_this("probe less often, or for a shorter time"));
        }
        let mut probes =
            args.load.0.into_iter().map(|load| Probe::Latency(Latency { load, ..latency.clone() }));
        let first = probes.next().unwrap_or_else(|| Probe::Latency(latency.clone()));
        Ok(Measure { then: probes.collect(), ..args.measure.with(first)? }.into())
    }
}

fn loads(typed: &str) -> Result<List<Option<Direction>>, ValueError> {
    const LOADS: Choices<Option<Direction>> = Choices(&[
        ("idle", None),
        ("send", Some(Direction::Send)),
        ("receive", Some(Direction::Receive)),
        ("both", Some(Direction::Both)),
    ]);
    value::list(|load: &str| LOADS.read(load))(typed)
}
