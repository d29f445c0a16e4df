//! `goodput stream`: bulk TCP.

use super::ProbeInvocation;
use super::measure_args::{DIRECTION_CHOICES, MeasureArgs, StopConditionArgs, resolve_warm_up};
use super::socket::SocketArgs;
use super::value_parsers::{self, NamedChoices, ValueError, parse_integer};
use crate::failure::Failure;
use clap::Args;
use goodput_model::probe::{StreamReceiveMethod, StreamSendMethod, TransferDirection};
use goodput_model::{BitRate, Bytes, Nanos, Probe, Stream};
use goodput_words::message;

/// TCP throughput, counted at the receiver
#[derive(Debug, Args)]
#[command(after_long_help = "Examples:
  goodput stream nas                          TCP throughput from this machine to nas
  goodput stream nas --direction both --connections 4
  goodput stream lab:b --from lab:a --congestion bbr --time 30s --repeat 5")]
pub struct Arguments {
    #[command(flatten)]
    pub(super) measure: MeasureArgs,
    /// Direction of the data, as seen from the --from host
    #[arg(long, value_name = "WAY", default_value = "send", value_parser = DIRECTION_CHOICES)]
    pub(super) direction: TransferDirection,
    /// Number of TCP connections in each direction
    #[arg(long, value_name = "N", default_value = "1", value_parser = parse_integer::<u16>(1..=128))]
    connections: u16,
    /// Size of each message, which is sent with one write
    #[arg(long, value_name = "SIZE", default_value = "128KiB", value_parser = value_parsers::MESSAGE_SIZE_RANGE)]
    pub(super) size: Bytes,
    /// Maximum number of bytes per read call
    #[arg(long, value_name = "SIZE", default_value = "128KiB", value_parser = value_parsers::MESSAGE_SIZE_RANGE, hide_short_help = true)]
    read_size: Bytes,
    #[command(flatten)]
    stop: StopConditionArgs,
    /// Warm-up before the measurement, not counted [default: 1s]
    #[arg(long, value_name = "TIME", value_parser = value_parsers::WARM_UP_RANGE, hide_short_help = true)]
    warm_up: Option<Nanos>,
    /// Send method: write, batch:N (N messages per writev), sendfile, zerocopy
    #[arg(long, value_name = "HOW", default_value = "write", value_parser = sender, hide_short_help = true)]
    sender: StreamSendMethod,
    /// Receive method: read, or discard (MSG_TRUNC, without copying the data)
    #[arg(long, value_name = "HOW", default_value = "read", value_parser = RECEIVERS, hide_short_help = true)]
    receiver: StreamReceiveMethod,
    /// Receive coalescing: off, or how long to wait for more data before the next read
    ///
    /// The receiver waits this long after a short read that returned immediately, so that each read returns
    /// more data.
    #[arg(long, alias = "gather", value_name = "off|TIME", default_value = "off", hide_short_help = true)]
    #[arg(value_parser = receive_coalescing)]
    receive_coalescing: Nanos,
    /// Maximum rate of each connection [default: no limit]
    ///
    /// The kernel enforces the rate by pacing (SO_MAX_PACING_RATE).
    #[arg(long, value_name = "RATE", value_parser = value_parsers::BIT_RATE_RANGE)]
    rate: Option<BitRate>,
    #[command(flatten)]
    socket: SocketArgs,
}

const RECEIVERS: NamedChoices<StreamReceiveMethod> =
    NamedChoices(&[("read", StreamReceiveMethod::Read), ("discard", StreamReceiveMethod::Discard)]);

impl Arguments {
    pub fn into_invocation(self) -> Result<ProbeInvocation, Failure> {
        let defaults = Stream::default();
        let stop = self.stop.stop_condition();
        let mut socket = self.socket.with_defaults(defaults.socket);
        socket.pacing = self.rate;
        let stream = Stream {
            direction: self.direction,
            connections: self.connections,
            message: self.size,
            read: self.read_size,
            warm_up: resolve_warm_up(self.warm_up, stop, defaults.warm_up)?,
            stop,
            sender: self.sender,
            receiver: self.receiver,
            receive_coalescing: self.receive_coalescing,
            socket,
            ..defaults
        };
        if stream.receive_coalescing.0 > 0 && stream.receive_coalescing_delay().is_none() {
            let option = "--receive-coalescing";
            return Err(Failure::usage_error(message!(error_args_option_not_valid { option }))
                .with_cause(
                    "receive coalescing needs --receiver read and a receive buffer sized by the kernel",
                )
                .with_hint("omit --receiver discard and --receive-buffer"));
        }
        Ok(self.measure.into_invocation(Probe::Stream(stream))?.into())
    }
}

fn sender(typed: &str) -> Result<StreamSendMethod, ValueError> {
    if let Some(n) = typed.strip_prefix("batch:") {
        // IOV_MAX is 1024 on Linux: one writev takes no more parts.
        return parse_integer(1..=1024)(n).map(StreamSendMethod::Batch);
    }
    NamedChoices(&[
        ("write", StreamSendMethod::Write),
        ("sendfile", StreamSendMethod::Sendfile),
        ("zerocopy", StreamSendMethod::ZeroCopy),
    ])
    .parse(typed)
    .map_err(|e| ValueError { hint: "type write, batch:N, sendfile or zerocopy".into(), ..e })
}

/// The delay after a short read; 0 is off.
fn receive_coalescing(typed: &str) -> Result<Nanos, ValueError> {
    if typed == "off" {
        return Ok(Nanos(0));
    }
    value_parsers::COALESCING_DELAY_RANGE
        .parse(typed)
        .map_err(|e| ValueError { hint: message!(hint_args_or_off { hint: &e.hint }), ..e })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn receive_coalescing_is_off_or_a_delay() {
        assert_eq!(receive_coalescing("20us"), Ok(Nanos(20_000)));
        assert_eq!(receive_coalescing("off"), Ok(Nanos(0)));
        assert!(receive_coalescing("1s").unwrap_err().hint.ends_with(" or off"));
        assert!(receive_coalescing("auto").is_err());
    }

    #[test]
    fn senders() {
        assert_eq!(sender("batch:64"), Ok(StreamSendMethod::Batch(64)));
        assert!(sender("batch:0").is_err() && sender("batch:1025").is_err() && sender("mmap").is_err());
    }
}
