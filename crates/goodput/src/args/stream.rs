//! `goodput stream`: bulk TCP.

use super::measuring::{Measure, TypedMeasuring};
use super::socket::TypedSocket;
use super::value::{self, shown};
use crate::failure::Failure;
use clap::Args;
use goodput_model::probe::{Direction, Receiver, Sender, Stop};
use goodput_model::{Nanos, Probe, Stream};

/// As typed.
#[derive(Debug, Args)]
pub struct TypedStream {
    #[command(flatten)]
    measuring: TypedMeasuring,
    /// Which way data flows, seen from the --from end: send, receive or both [default: send]
    #[arg(long, value_name = "WAY")]
    direction: Option<String>,
    /// Connections in each direction [default: 1]
    #[arg(long, value_name = "N")]
    connections: Option<String>,
    /// Bytes in one message, which is one write [default: 128KiB]
    #[arg(long, value_name = "SIZE")]
    size: Option<String>,
    /// The most that one read may return [default: 128KiB]
    #[arg(long, value_name = "SIZE")]
    read_size: Option<String>,
    /// Length of the window [default: 10s]
    #[arg(long, value_name = "TIME", conflicts_with_all = ["bytes", "count"])]
    time: Option<String>,
    /// Stop after this many bytes in each direction, exactly
    #[arg(long, value_name = "SIZE", conflicts_with = "count")]
    bytes: Option<String>,
    /// Stop after this many messages in each direction
    #[arg(long, value_name = "N")]
    count: Option<String>,
    /// Time before the window that is not counted [default: 1s]
    #[arg(long, value_name = "TIME")]
    warm_up: Option<String>,
    /// How messages go to the kernel: write, batch:N (N a writev), sendfile, zerocopy [default: write]
    #[arg(long, value_name = "HOW")]
    sender: Option<String>,
    /// How they are taken from it: read, or discard (MSG_TRUNC, not copied) [default: read]
    #[arg(long, value_name = "HOW")]
    receiver: Option<String>,
    /// How long the receiver waits after a short read that returned at once (receive coalescing), or off [default: off]
    #[arg(long, alias = "gather", value_name = "off|TIME")]
    receive_coalescing: Option<String>,
    /// Pacing of each connection by the kernel (SO_MAX_PACING_RATE)
    #[arg(long, value_name = "RATE")]
    rate: Option<String>,
    #[command(flatten)]
    socket: TypedSocket,
}

impl TypedStream {
    /// What is meant.
    pub fn meaning(self) -> Result<Measure, Failure> {
        let defaults = Stream::default();
        let stop = stop(self.time.as_deref(), self.bytes.as_deref(), self.count.as_deref(), defaults.stop)?;
        let mut socket = self.socket.meaning(defaults.socket)?;
        socket.pacing = self.rate.map(|t| value::quantity("--rate", &t, &value::RATE)).transpose()?;
        let size = |option: &str, typed: Option<String>, default| {
            typed.map_or(Ok(default), |t| value::quantity(option, &t, &value::SIZE))
        };
        let message = size("--size", self.size, defaults.message)?;
        let stream = Stream {
            direction: self.direction.map_or(Ok(defaults.direction), |t| {
                let ways =
                    [("send", Direction::Send), ("receive", Direction::Receive), ("both", Direction::Both)];
                value::word("--direction", &t, &ways)
            })?,
            connections: self
                .connections
                .map_or(Ok(defaults.connections.into()), |t| value::whole("--connections", &t, 1..=128))?
                as u16,
            message,
            read: size("--read-size", self.read_size, defaults.read)?,
            warm_up: warm_up(self.warm_up.as_deref(), stop, defaults.warm_up)?,
            stop,
            sender: self.sender.map_or(Ok(defaults.sender), |t| sender(&t))?,
            receiver: self.receiver.map_or(Ok(defaults.receiver), |t| {
                value::word("--receiver", &t, &[("read", Receiver::Read), ("discard", Receiver::Discard)])
            })?,
            receive_coalescing: self
                .receive_coalescing
                .as_deref()
                .map_or(Ok(defaults.receive_coalescing), receive_coalescing)?,
            socket,
            interval: defaults.interval,
        };
        if stream.receive_coalescing.0 > 0 && stream.coalescing_delay().is_none() {
            let typed = self.receive_coalescing.unwrap_or_default();
            return Err(Failure::usage(format!("--receive-coalescing {} is refused", shown(&typed)))
                .because("receive coalescing needs --receiver read and a receive buffer sized by the kernel")
                .try_this("leave out --receiver discard and --receive-buffer"));
        }
        self.measuring.meaning(Probe::Stream(stream))
    }
}

/// When to stop; clap has seen to it that at most one is given.
pub fn stop(
    time: Option<&str>,
    bytes: Option<&str>,
    count: Option<&str>,
    default: Stop,
) -> Result<Stop, Failure> {
    Ok(match (time, bytes, count) {
        (Some(t), ..) => Stop::Time(value::quantity("--time", t, &value::WINDOW)?),
        (_, Some(t), _) => Stop::Bytes(value::quantity("--bytes", t, &value::TOTAL)?),
        (.., Some(t)) => Stop::Count(value::whole("--count", t, 1..=1_000_000_000_000)?),
        _ => default,
    })
}

/// Warm-up, which only a trial stopped by time has.
pub fn warm_up(typed: Option<&str>, stop: Stop, default: Nanos) -> Result<Nanos, Failure> {
    let by_time = matches!(stop, Stop::Time(_));
    match typed {
        Some(t) => {
            let asked = value::quantity("--warm-up", t, &value::WARM_UP)?;
            if by_time || asked.0 == 0 {
                return Ok(asked);
            }
            Err(Failure::usage(format!("--warm-up {} is refused", shown(t)))
                .because("a trial that stops by bytes or count counts from its first byte")
                .try_this("leave --warm-up out, or stop by --time"))
        }
        None if by_time => Ok(default),
        None => Ok(Nanos(0)),
    }
}

fn sender(typed: &str) -> Result<Sender, Failure> {
    if let Some(n) = typed.strip_prefix("batch:") {
        // IOV_MAX is 1024 on Linux: one writev takes no more parts.
        return Ok(Sender::Batch(value::whole("N of --sender batch:N", n, 1..=1024)? as u16));
    }
    let ways = [("write", Sender::Write), ("sendfile", Sender::Sendfile), ("zerocopy", Sender::ZeroCopy)];
    value::word("--sender", typed, &ways).map_err(|f| f.try_this("type write, batch:N, sendfile or zerocopy"))
}

/// The delay after a short read; 0 is off.
fn receive_coalescing(typed: &str) -> Result<Nanos, Failure> {
    if typed == "off" {
        return Ok(Nanos(0));
    }
    value::quantity("--receive-coalescing", typed, &value::COALESCING_DELAY).map_err(|f| {
        let hint = f.hint.clone().unwrap_or_default();
        f.try_this(format!("{hint} or off"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use goodput_model::Bytes;

    #[test]
    fn a_trial_stopped_by_bytes_has_no_warm_up() {
        let by_bytes = stop(None, Some("1GiB"), None, Stream::default().stop).unwrap();
        assert_eq!(by_bytes, Stop::Bytes(Bytes(1 << 30)));
        assert_eq!(warm_up(None, by_bytes, Nanos::SECOND), Ok(Nanos(0)));
        assert!(warm_up(Some("1s"), by_bytes, Nanos::SECOND).is_err());
        assert_eq!(warm_up(Some("2s"), Stop::Time(Nanos::SECOND), Nanos(0)), Ok(Nanos(2_000_000_000)));
    }

    #[test]
    fn receive_coalescing_is_off_or_a_delay() {
        assert_eq!(receive_coalescing("20us"), Ok(Nanos(20_000)));
        assert_eq!(receive_coalescing("off"), Ok(Nanos(0)));
        assert!(receive_coalescing("1s").unwrap_err().hint.unwrap().ends_with(" or off"));
        assert!(receive_coalescing("auto").is_err());
    }

    #[test]
    fn senders() {
        assert_eq!(sender("batch:64"), Ok(Sender::Batch(64)));
        assert!(sender("batch:0").is_err() && sender("batch:1025").is_err() && sender("mmap").is_err());
    }
}
