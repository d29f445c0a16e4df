//! sockperf ping-pong over TCP. Its "valid duration" omits 400 ms of warm-up and the last 50 ms; `--full-rtt`
//! prints whole round trips. TCP_NODELAY is on by default.

use crate::contender::{Load, REQUEST_SECONDS, Reading};
use crate::error::BenchError;
use crate::network::Host;
use crate::peer::{Peer, cannot, misread, words};
use crate::process::Printed;

pub struct Sockperf;

impl Peer for Sockperf {
    fn server(&self, _load: &Load) -> (Vec<String>, u16) {
        (words(["sockperf", "sr", "--tcp", "-i", &Host::B.address().to_string()]), 11111)
    }

    fn client(&self, load: &Load) -> Vec<String> {
        let Load::Request { size, spin: false } = load else { return cannot("sockperf") };
        // 450 ms of its time do not count.
        let (to, m, t) = (Host::B.address().to_string(), size.to_string(), (REQUEST_SECONDS + 1).to_string());
        words(["sockperf", "pp", "--tcp", "-i", &to, "-m", &m, "-t", &t, "--full-rtt"])
    }

    fn read(&self, _load: &Load, client: &Printed, _server: &Printed) -> Result<Reading, BenchError> {
        let after = |line: &str, mark: &str| -> Option<f64> {
            let rest = client.out.lines().find(|l| l.contains(line))?.split(mark).nth(1)?;
            rest.split_whitespace().next()?.trim_end_matches(';').parse().ok()
        };
        let (seconds, received) =
            (after("[Valid Duration]", "RunTime="), after("[Valid Duration]", "ReceivedMessages="));
        match (seconds, received, after("percentile 50.000", "=")) {
            (Some(seconds), Some(received), Some(p50_us)) if seconds > 0.0 => Ok(Reading {
                rate: Some(received / seconds),
                round_trip_ns: Some(p50_us * 1000.0),
                ..Reading::default()
            }),
            _ => Err(misread(
                "sockperf",
                "valid duration and median",
                &format!("{} {}", client.out, client.err),
            )),
        }
    }

    fn version(&self) -> Vec<String> {
        words(["sockperf", "--version"])
    }
}
