//! `goodput clock`: offset and drift between the clocks of two hosts.

use super::ProbeInvocation;
use super::measure_args::MeasureArgs;
use super::value_parsers::{self, parse_integer};
use crate::failure::Failure;
use clap::Args;
use goodput_model::probe::clock::Clock;
use goodput_model::{Nanos, Probe};

/// Offset and drift between the clocks of two hosts
#[derive(Debug, Args)]
#[command(after_long_help = "Examples:
  goodput clock nas                           offset and drift over 10 s
  goodput clock nas --time 60min --interval 10s
  goodput clock nas --from server --json      between two other hosts")]
pub struct Arguments {
    #[command(flatten)]
    measure: MeasureArgs,
    /// Duration of the measurement
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = value_parsers::MEASUREMENT_WINDOW_RANGE)]
    time: Nanos,
    /// Interval between two samples
    #[arg(long, value_name = "TIME", default_value = "100ms", value_parser = value_parsers::PROBE_INTERVAL_RANGE)]
    interval: Nanos,
    /// Exchanges per sample, of which the one with the minimum RTT is used
    #[arg(long, value_name = "N", default_value = "8", value_parser = parse_integer::<u16>(1..=1000), hide_short_help = true)]
    exchanges: u16,
}

impl Arguments {
    pub fn into_invocation(self) -> Result<ProbeInvocation, Failure> {
        let Arguments { measure, time, interval, exchanges } = self;
        Ok(measure.into_invocation(Probe::Clock(Clock { time, interval, exchanges }))?.into())
    }
}
