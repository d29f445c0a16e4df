//! xfr: bulk TCP. Its TCP messages are always 128 KiB, so it takes part only there.

use super::{Peer, cannot, json, misread, words};
use crate::contender::{Load, Reading, STREAM_SECONDS};
use crate::error::BenchError;
use crate::network::Host;
use crate::process::Printed;
use std::path::PathBuf;

/// xfr's fixed TCP message size, in bytes.
pub const MESSAGE: u64 = 128 << 10;

pub struct Xfr {
    pub program: PathBuf,
}

impl Peer for Xfr {
    fn server(&self, _load: &Load) -> (Vec<String>, u16) {
        (words([&self.program.to_string_lossy(), "serve", "--one-off"]), 5201)
    }

    fn client(&self, load: &Load) -> Vec<String> {
        let Load::Stream { size: MESSAGE, congestion, .. } = load else { return cannot("xfr") };
        let (to, t) = (Host::B.address().to_string(), format!("{STREAM_SECONDS}s"));
        let mut client = words([&self.program.to_string_lossy(), &to, "-t", &t, "--json", "--no-tui"]);
        if let Some(name) = congestion {
            client.extend(words(["--congestion", name]));
        }
        client
    }

    fn read(&self, _load: &Load, client: &Printed, _server: &Printed) -> Result<Reading, BenchError> {
        let document = json("xfr", &client.out)?;
        let field = |name| document.get(name).and_then(serde_json::Value::as_f64);
        match (field("bytes_total"), field("throughput_mbps")) {
            (Some(bytes), Some(mbps)) if bytes > 0.0 => Ok(Reading {
                goodput_bps: Some(mbps * 1e6),
                total_bytes: Some(bytes as u64),
                ..Reading::default()
            }),
            _ => Err(misread("xfr", "bytes_total and throughput_mbps", &client.out)),
        }
    }

    fn version(&self) -> Vec<String> {
        words([&self.program.to_string_lossy(), "--version"])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_a_captured_run() {
        let out = include_str!("../../fixtures/xfr-0.14.0.json").to_string();
        let load = Load::Stream { size: MESSAGE, congestion: None, read: None };
        let xfr = Xfr { program: "xfr".into() };
        let reading = xfr.read(&load, &Printed { out, err: String::new() }, &Printed::default()).unwrap();
        let (bytes, bps) = (reading.total_bytes.unwrap() as f64, reading.goodput_bps.unwrap());
        assert!(bytes > 0.0 && (bytes * 8.0 / bps - 1.0).abs() < 0.1, "one second: {bytes} {bps}");
    }

    #[test]
    fn other_sizes_are_not_asked_of_it() {
        let load = Load::Stream { size: 64, congestion: None, read: None };
        assert_eq!(Xfr { program: "xfr".into() }.client(&load)[0], "false");
    }
}
