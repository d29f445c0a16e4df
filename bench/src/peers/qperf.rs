//! qperf tcp_lat: latency is half a round trip and a mean. It leaves TCP_NODELAY off, which does not matter
//! with one message in flight.

use crate::contender::{Load, REQUEST_SECONDS, Reading};
use crate::error::BenchError;
use crate::network::Host;
use crate::peer::{Peer, cannot, misread, words};
use crate::process::Printed;

pub struct Qperf;

impl Peer for Qperf {
    fn server(&self, _load: &Load) -> (Vec<String>, u16) {
        (words(["qperf"]), 19765)
    }

    fn client(&self, load: &Load) -> Vec<String> {
        let Load::Request { size, spin: false } = load else { return cannot("qperf") };
        let (to, m, t) = (Host::B.address().to_string(), size.to_string(), REQUEST_SECONDS.to_string());
        words(["qperf", &to, "-t", &t, "-m", &m, "-e", "6", "tcp_lat"])
    }

    fn read(&self, _load: &Load, client: &Printed, _server: &Printed) -> Result<Reading, BenchError> {
        let half_ns = client.out.lines().find_map(latency_ns);
        let half_ns =
            half_ns.ok_or_else(|| misread("qperf", "latency", &format!("{} {}", client.out, client.err)))?;
        let round_trip = 2.0 * half_ns;
        Ok(Reading { round_trip_ns: Some(round_trip), rate: Some(1e9 / round_trip), ..Reading::default() })
    }

    fn version(&self) -> Vec<String> {
        words(["qperf", "--version"])
    }
}

/// From `latency = 44.7 us`.
fn latency_ns(line: &str) -> Option<f64> {
    let (name, value) = line.split_once('=')?;
    let (number, unit) = value.trim().split_once(' ')?;
    let scale = match unit.trim() {
        "ns" => 1.0,
        "us" => 1e3,
        "ms" => 1e6,
        "sec" => 1e9,
        _ => return None,
    };
    let number: f64 = number.replace(',', "").parse().ok()?;
    (name.trim() == "latency" && number > 0.0).then_some(number * scale)
}
