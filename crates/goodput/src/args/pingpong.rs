//! `goodput pingpong`: the message-size sweep.

use super::ProbeInvocation;
use super::SOCKET_HELP_HEADING;
use super::measure_args::{MeasureArgs, MeasureInvocation};
use super::socket::parse_congestion_control;
use super::value_parsers::{self, NamedChoices, ON_OFF_CHOICES, parse_decimal, parse_integer};
use crate::failure::Failure;
use clap::{ArgAction, Args};
use goodput_analysis::size_schedule::SizeSchedule;
use goodput_model::probe::{PingPongMethod, PingPongPattern, SocketOptions};
use goodput_model::{Bytes, Nanos, PingPong, Probe};
use goodput_words::{ErrorMessage, message};
use std::path::PathBuf;

/// Latency and throughput by message size
#[derive(Debug, Args)]
#[command(after_long_help = "Examples:
  goodput pingpong nas                        103 message sizes up to 1 MiB
  goodput pingpong nas --largest 64KiB --perturbation 0
  goodput pingpong nas --compat --np-out np.out  as NetPIPE 3.7.2 does it")]
pub struct Arguments {
    #[command(flatten)]
    measure: MeasureArgs,
    /// Measurement mode: native (adaptive, median with confidence interval) or compat (as NetPIPE 3.7.2)
    /// [default: native]
    #[arg(long, value_name = "MODE", conflicts_with = "compat", value_parser = MODES, hide_short_help = true)]
    mode: Option<bool>,
    /// Same as --mode compat
    #[arg(long)]
    compat: bool,
    /// Smallest message size of the sweep
    #[arg(long, value_name = "SIZE", default_value = "1", value_parser = value_parsers::MESSAGE_SIZE_RANGE)]
    smallest: Bytes,
    /// Largest message size of the sweep
    ///
    /// The default results in the 103 sizes of NetPIPE.
    #[arg(long, value_name = "SIZE", default_value = "1048573", value_parser = value_parsers::MESSAGE_SIZE_RANGE)]
    largest: Bytes,
    /// Also measure sizes that are this many bytes smaller and larger; 0 disables this
    #[arg(long, value_name = "BYTES", default_value = "3", value_parser = parse_integer::<u64>(0..=1_048_576))]
    perturbation: u64,
    /// Send in one direction only, timed by the receiver
    #[arg(long, conflicts_with = "two_way")]
    streaming: bool,
    /// Send in both directions at the same time
    #[arg(long)]
    two_way: bool,
    /// Send each message from memory that is not in any CPU cache
    #[arg(long, hide_short_help = true)]
    cold: bool,
    /// Verify every byte of every message at both ends
    #[arg(long, hide_short_help = true)]
    integrity: bool,
    /// Socket send and receive buffer size [default: kernel autotuning]
    #[arg(long, value_name = "SIZE", value_parser = value_parsers::MESSAGE_SIZE_RANGE, hide_short_help = true, help_heading = SOCKET_HELP_HEADING)]
    buffer: Option<Bytes>,
    /// Set TCP_NODELAY on or off (on disables Nagle's algorithm)
    #[arg(long, value_name = "on|off", num_args = 0..=1, require_equals = true, default_missing_value = "on")]
    #[arg(action = ArgAction::Set, default_value = "on", value_parser = ON_OFF_CHOICES, hide_short_help = true, help_heading = SOCKET_HELP_HEADING)]
    no_delay: bool,
    /// Congestion control algorithm on both hosts [default: set by the kernel]
    #[arg(long, value_name = "NAME", value_parser = parse_congestion_control, hide_short_help = true, help_heading = SOCKET_HELP_HEADING)]
    congestion: Option<String>,
    /// Native mode: target width of the 95 % confidence interval, in per cent of the median [default: 2]
    #[arg(long, value_name = "PERCENT", value_parser = parse_decimal(0.1..=50.0), hide_short_help = true)]
    width: Option<f64>,
    /// Native mode: time limit for each size [default: 150ms]
    #[arg(long, value_name = "TIME", value_parser = value_parsers::TIME_PER_MESSAGE_SIZE_RANGE, hide_short_help = true)]
    cap: Option<Nanos>,
    /// Compat mode: open a new connection for each timed loop (NetPIPE -r)
    #[arg(long, hide_short_help = true)]
    reset: bool,
    /// Compat mode: fixed number of repeats (NetPIPE -n)
    #[arg(long, value_name = "N", value_parser = parse_integer::<u32>(1..=1_000_000_000), hide_short_help = true)]
    repeats: Option<u32>,
    /// Maximum number of RTT samples to save
    #[arg(long, value_name = "N", default_value = "1000000", hide_short_help = true)]
    #[arg(value_parser = parse_integer::<u32>(0..=u64::from(PingPong::MAX_SAMPLES)))]
    sample_cap: u32,
    /// Also write the results to this file in NetPIPE's np.out format
    #[arg(long, value_name = "FILE")]
    np_out: Option<PathBuf>,
}

const MODES: NamedChoices<bool> = NamedChoices(&[("native", false), ("compat", true)]);

impl Arguments {
    /// The run's seed determines the shuffled order, so it is set when the run begins.
    pub fn into_invocation(self) -> Result<ProbeInvocation, Failure> {
        let probe = PingPong {
            sizes: sizes(self.smallest, self.largest, Bytes(self.perturbation))?,
            method: method(&self)?,
            pattern: match (self.streaming, self.two_way) {
                (true, _) => PingPongPattern::Streaming,
                (_, true) => PingPongPattern::TwoWay,
                _ => PingPongPattern::PingPong,
            },
            cold: self.cold,
            integrity: self.integrity,
            socket: SocketOptions {
                send_buffer: self.buffer,
                receive_buffer: self.buffer,
                congestion: self.congestion,
                no_delay: Some(self.no_delay),
                ..SocketOptions::default()
            },
            sample_cap: self.sample_cap,
        };
        Ok(MeasureInvocation { np_out: self.np_out, ..self.measure.into_invocation(Probe::PingPong(probe))? }
            .into())
    }
}

fn method(args: &Arguments) -> Result<PingPongMethod, Failure> {
    let compat = args.compat || args.mode == Some(true);
    let (mode, others) = match compat {
        true => ("compat", [("--width", args.width.is_some()), ("--cap", args.cap.is_some())]),
        false => ("native", [("--reset", args.reset), ("--repeats", args.repeats.is_some())]),
    };
    if let Some((option, _)) = others.into_iter().find(|(_, given)| *given) {
        return Err(Failure::usage_error(message!(error_args_mode { option, mode }))
            .with_cause(message!(cause_args_other_mode { option }))
            .with_hint("omit it, or choose the other mode with --mode"));
    }
    let mut method = if compat { PingPongMethod::netpipe_compatible() } else { PingPongMethod::default() };
    match &mut method {
        PingPongMethod::Compat { repeats, reset, .. } => (*repeats, *reset) = (args.repeats, args.reset),
        PingPongMethod::Native { width_percent, cap, .. } => {
            *width_percent = args.width.unwrap_or(*width_percent);
            *cap = args.cap.unwrap_or(*cap);
        }
    }
    Ok(method)
}

fn sizes(from: Bytes, upto: Bytes, perturbation: Bytes) -> Result<Vec<Bytes>, Failure> {
    SizeSchedule { from, upto, perturbation }.sizes().map_err(|e| {
        Failure::usage_error("there is no such sweep")
            .with_cause(e.message())
            .with_hint("give --smallest a value below --largest")
    })
}
