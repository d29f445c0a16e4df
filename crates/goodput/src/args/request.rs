//! `goodput request`: request and response.

use super::ProbeInvocation;
use super::measure_args::{MeasureArgs, resolve_warm_up};
use super::socket::SocketArgs;
use super::value_parsers::{
    self, NamedChoices, ValueError, option_conflict_failure, parse_decimal, parse_integer,
};
use crate::failure::Failure;
use clap::Args;
use goodput_model::probe::{RequestKind, StopCondition, WaitMode};
use goodput_model::{Bytes, Nanos, Probe, Request};

/// Request-response latency and transaction rate
#[derive(Debug, Args)]
#[command(after_long_help = "Examples:
  goodput request nas                         TCP request-response latency, one byte each way
  goodput request nas --kind udp_rr --size 64,1KiB
  goodput request nas --rate 10000 --time 30s  latency of an open loop at 10,000 requests a second")]
pub struct Arguments {
    #[command(flatten)]
    measure: MeasureArgs,
    /// Type of transaction; tcp_crr opens a new connection for each transaction
    #[arg(long, value_name = "KIND", default_value = "tcp_rr", value_parser = KINDS)]
    kind: RequestKind,
    /// Sizes of request and response, for example 128 (both) or 64,8KiB
    #[arg(long, value_name = "SIZE[,SIZE]", default_value = "1", value_parser = sizes)]
    size: (Bytes, Bytes),
    /// Number of transactions in flight
    #[arg(long, value_name = "N", default_value = "1", value_parser = parse_integer::<u32>(1..=65_536))]
    outstanding: u32,
    /// Transactions to start per second (open loop)
    ///
    /// Transactions start on schedule without waiting for replies. Latency is measured from the scheduled
    /// start.
    #[arg(long, value_name = "PER_SECOND", value_parser = parse_decimal(0.1..=10_000_000.0))]
    #[arg(conflicts_with = "outstanding")]
    rate: Option<f64>,
    /// Poll instead of sleeping at both ends, which occupies one CPU on each host
    #[arg(long, hide_short_help = true)]
    spin: bool,
    /// Duration of the measurement
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = value_parsers::MEASUREMENT_WINDOW_RANGE, conflicts_with = "count")]
    time: Nanos,
    /// Stop after this many transactions
    #[arg(long, value_name = "N", value_parser = parse_integer::<u64>(1..=1_000_000_000_000), hide_short_help = true)]
    count: Option<u64>,
    /// Warm-up before the measurement, not counted [default: 1s]
    #[arg(long, value_name = "TIME", value_parser = value_parsers::WARM_UP_RANGE, hide_short_help = true)]
    warm_up: Option<Nanos>,
    #[command(flatten)]
    socket: SocketArgs,
}

const KINDS: NamedChoices<RequestKind> = NamedChoices(&[
    ("tcp_rr", RequestKind::TcpRr),
    ("udp_rr", RequestKind::UdpRr),
    ("tcp_crr", RequestKind::TcpCrr),
]);

impl Arguments {
    pub fn into_invocation(self) -> Result<ProbeInvocation, Failure> {
        let defaults = Request::default();
        let (request, response) = self.size;
        if self.kind == RequestKind::UdpRr {
            for size in [request, response] {
                value_parsers::UDP_PAYLOAD_RANGE.parse(&size.0.to_string()).map_err(|e| {
                    option_conflict_failure("--size", value_parsers::format_exact_size(size), e.cause, e.hint)
                })?;
            }
        }
        let stop = self.count.map_or(StopCondition::Time(self.time), StopCondition::Count);
        let probe = Request {
            transport: self.kind,
            request,
            response,
            outstanding: self.outstanding,
            rate: self.rate,
            wait: if self.spin { WaitMode::Spin } else { WaitMode::Sleep },
            warm_up: resolve_warm_up(self.warm_up, stop, defaults.warm_up)?,
            stop,
            socket: self.socket.with_defaults(defaults.socket),
        };
        Ok(self.measure.into_invocation(Probe::Request(probe))?.into())
    }
}

/// `SIZE` for both, or `SIZE,SIZE`.
fn sizes(typed: &str) -> Result<(Bytes, Bytes), ValueError> {
    let (request, response) = typed.split_once(',').unwrap_or((typed, typed));
    Ok((
        value_parsers::MESSAGE_SIZE_RANGE.parse(request)?,
        value_parsers::MESSAGE_SIZE_RANGE.parse(response)?,
    ))
}
