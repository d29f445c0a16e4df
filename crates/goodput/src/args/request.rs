//! `goodput request`: request and response.

use super::measuring::{Measure, TypedMeasuring};
use super::socket::TypedSocket;
use super::stream::{stop, warm_up};
use super::value;
use crate::failure::Failure;
use clap::Args;
use goodput_model::probe::{RequestKind, Wait};
use goodput_model::{Bytes, Probe, Request};

/// As typed.
#[derive(Debug, Args)]
pub struct TypedRequest {
    #[command(flatten)]
    measuring: TypedMeasuring,
    /// tcp_rr (one connection), udp_rr, or tcp_crr (a connection each) [default: tcp_rr]
    #[arg(long, value_name = "KIND")]
    kind: Option<String>,
    /// Size of request and response, or of both: 128 or 64,8KiB [default: 1]
    #[arg(long, value_name = "SIZE[,SIZE]")]
    size: Option<String>,
    /// Transactions in flight [default: 1]
    #[arg(long, value_name = "N")]
    outstanding: Option<String>,
    /// Open loop: this many transactions a second whatever comes back, timed from when each was due
    #[arg(long, value_name = "PER_SECOND")]
    rate: Option<String>,
    /// Both ends ask again and again instead of sleeping; costs a CPU at each
    #[arg(long)]
    spin: bool,
    /// Length of the window [default: 10s]
    #[arg(long, value_name = "TIME", conflicts_with = "count")]
    time: Option<String>,
    /// Stop after this many transactions
    #[arg(long, value_name = "N")]
    count: Option<String>,
    /// Time before the window that is not counted [default: 1s]
    #[arg(long, value_name = "TIME")]
    warm_up: Option<String>,
    #[command(flatten)]
    socket: TypedSocket,
}

impl TypedRequest {
    /// What is meant.
    pub fn meaning(self) -> Result<Measure, Failure> {
        let defaults = Request::default();
        let kinds = [
            ("tcp_rr", RequestKind::TcpRr),
            ("udp_rr", RequestKind::UdpRr),
            ("tcp_crr", RequestKind::TcpCrr),
        ];
        let transport = self.kind.map_or(Ok(defaults.transport), |t| value::word("--kind", &t, &kinds))?;
        let (request, response) = match self.size.as_deref() {
            None => (defaults.request, defaults.response),
            Some(typed) => sizes(typed, transport)?,
        };
        let stop = stop(self.time.as_deref(), None, self.count.as_deref(), defaults.stop)?;
        let outstanding =
            self.outstanding.map(|t| value::whole("--outstanding", &t, 1..=65_536)).transpose()?;
        let rate = self.rate.map(|t| value::decimal("--rate", &t, 0.1..=10_000_000.0)).transpose()?;
        if rate.is_some() && outstanding.is_some() {
            return Err(Failure::usage("--rate and --outstanding do not fit together")
                .because("an open loop sends on schedule, however many replies are out")
                .try_this("leave one of them out"));
        }
        let request = Request {
            transport,
            request,
            response,
            outstanding: outstanding.map_or(defaults.outstanding, |n| n as u32),
            rate,
            wait: if self.spin { Wait::Spin } else { Wait::Sleep },
            warm_up: warm_up(self.warm_up.as_deref(), stop, defaults.warm_up)?,
            stop,
            socket: self.socket.meaning(defaults.socket)?,
        };
        self.measuring.meaning(Probe::Request(request))
    }
}

/// `SIZE` for both, or `SIZE,SIZE`.
fn sizes(typed: &str, transport: RequestKind) -> Result<(Bytes, Bytes), Failure> {
    let bounds = if transport == RequestKind::UdpRr { &value::UDP_SIZE } else { &value::SIZE };
    let one = |t: &str| value::quantity("--size", t, bounds);
    match typed.split_once(',') {
        Some((request, response)) => Ok((one(request)?, one(response)?)),
        None => one(typed).map(|size| (size, size)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_size_is_for_both() {
        assert_eq!(sizes("128", RequestKind::TcpRr), Ok((Bytes(128), Bytes(128))));
        assert_eq!(sizes("64,8KiB", RequestKind::TcpRr), Ok((Bytes(64), Bytes(8192))));
        assert!(sizes("64KiB", RequestKind::UdpRr).is_err());
        assert!(sizes("1,2,3", RequestKind::TcpRr).is_err());
    }
}
