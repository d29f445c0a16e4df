//! `goodput latency`: isochronous probes on the idle path and under TCP load.

use super::ProbeInvocation;
use super::measure_args::{MeasureArgs, MeasureInvocation};
use super::socket::SocketArgs;
use super::value_parsers::{self, CommaList, NamedChoices, ValueError, parse_integer};
use crate::failure::Failure;
use clap::Args;
use goodput_model::probe::{TransferDirection, WaitMode};
use goodput_model::{Bytes, Latency, Nanos, Probe};
use goodput_words::message;

/// Latency of the idle path, and under TCP load
#[derive(Debug, Args)]
#[command(after_long_help = "Examples:
  goodput latency nas                         idle latency, then latency under TCP load in each direction
  goodput latency nas --load idle,both --connections 8
  goodput latency nas --load idle --interval 1ms --time 60s")]
pub struct Arguments {
    #[command(flatten)]
    measure: MeasureArgs,
    /// Background TCP loads during which latency is measured, one trial per load
    #[arg(long, value_name = "LIST", default_value = "idle,send,receive,both", value_parser = loads)]
    load: CommaList<Option<TransferDirection>>,
    /// Number of TCP load connections in each direction
    #[arg(long, value_name = "N", default_value = "4", value_parser = parse_integer::<u16>(1..=128))]
    connections: u16,
    /// Interval between two latency probes
    #[arg(long, value_name = "TIME", default_value = "5ms", value_parser = value_parsers::PROBE_INTERVAL_RANGE)]
    interval: Nanos,
    /// Payload size of each latency probe and of its reply
    #[arg(long, value_name = "SIZE", default_value = "64B", value_parser = value_parsers::LATENCY_PROBE_SIZE_RANGE)]
    size: Bytes,
    /// Poll instead of sleeping at both ends, which occupies one CPU on each host
    #[arg(long, hide_short_help = true)]
    spin: bool,
    /// Duration of the measurement in each trial
    #[arg(long, value_name = "TIME", default_value = "5s", value_parser = value_parsers::MEASUREMENT_WINDOW_RANGE)]
    time: Nanos,
    /// Warm-up before each measurement, while queues fill; not counted
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = value_parsers::WARM_UP_RANGE, hide_short_help = true)]
    warm_up: Nanos,
    #[command(flatten)]
    socket: SocketArgs,
}

/// Each probe is recorded.
const MAX_PROBES: u64 = 10_000_000;

impl Arguments {
    pub fn into_invocation(self) -> Result<ProbeInvocation, Failure> {
        let Arguments { measure, load, connections, interval, size, spin, time, warm_up, socket } = self;
        let wait = if spin { WaitMode::Spin } else { WaitMode::Sleep };
        let socket = socket.with_defaults(Latency::default().socket);
        let latency =
            Latency { connections, interval, size, wait, time, warm_up, socket, ..Latency::default() };
        let all = latency.warm_up.0.saturating_add(latency.time.0) / latency.interval.0;
        if all > MAX_PROBES {
            let (count, most) = (all.to_string(), MAX_PROBES.to_string());
            return Err(Failure::usage_error(message!(error_args_probes_too_many { count }))
                .with_cause(message!(cause_args_probes_room { most }))
                .with_hint("probe less frequently, or for a shorter time"));
        }
        let mut probes = load.0.into_iter().map(|load| Probe::Latency(Latency { load, ..latency.clone() }));
        let first = probes.next().unwrap_or_else(|| Probe::Latency(latency.clone()));
        Ok(MeasureInvocation { then: probes.collect(), ..measure.into_invocation(first)? }.into())
    }
}

fn loads(typed: &str) -> Result<CommaList<Option<TransferDirection>>, ValueError> {
    const LOADS: NamedChoices<Option<TransferDirection>> = NamedChoices(&[
        ("idle", None),
        ("send", Some(TransferDirection::Send)),
        ("receive", Some(TransferDirection::Receive)),
        ("both", Some(TransferDirection::Both)),
    ]);
    value_parsers::comma_list_parser(|load: &str| LOADS.parse(load))(typed)
}
