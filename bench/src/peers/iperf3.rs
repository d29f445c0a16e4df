//! iperf3: bulk TCP, and UDP at maximum rate (`-b 0`). One server per trial; `sum_received` is the receiver's
//! count, for UDP bytes read. Both ends use blocks of `-l` bytes; warm-up is at least 1 s. riperf3 is
//! compatible.

use crate::contender::{Calls, DATAGRAM_SECONDS, Load, Reading, STREAM_SECONDS};
use crate::error::BenchError;
use crate::network::Host;
use crate::peer::{Peer, cannot, json, misread, words};
use crate::process::Printed;
use std::path::PathBuf;

pub struct Iperf3 {
    pub program: PathBuf,
}

impl Peer for Iperf3 {
    fn server(&self, _load: &Load) -> (Vec<String>, u16) {
        (words([&self.program.to_string_lossy(), "-s", "-1"]), 5201)
    }

    fn client(&self, load: &Load) -> Vec<String> {
        let (program, to) = (self.program.to_string_lossy(), Host::B.address().to_string());
        match load {
            Load::Stream { size, congestion, .. } => {
                let (l, t) = (size.to_string(), STREAM_SECONDS.to_string());
                let mut client = words([&program, "-c", &to, "-l", &l, "-t", &t, "-J"]);
                if let Some(name) = congestion {
                    client.extend(words(["-C", name]));
                }
                client
            }
            Load::Datagram { size, calls: Calls::Plain, rate: None } => {
                let (l, t) = (size.to_string(), DATAGRAM_SECONDS.to_string());
                words([&program, "-c", &to, "-u", "-b", "0", "-l", &l, "-t", &t, "-J"])
            }
            _ => cannot("iperf3"),
        }
    }

    fn read(&self, load: &Load, client: &Printed, _server: &Printed) -> Result<Reading, BenchError> {
        let document = json("iperf3", &client.out)?;
        let received = document.pointer("/end/sum_received");
        let field = |name| received.and_then(|r| r.get(name)).and_then(serde_json::Value::as_f64);
        match (field("bits_per_second"), field("bytes"), load) {
            (Some(bps), Some(bytes), Load::Datagram { size, .. }) if bytes > 0.0 && *size > 0 => {
                let datagrams = bytes / *size as f64;
                Ok(Reading {
                    datagrams_per_second: Some(bps / 8.0 / *size as f64),
                    total_datagrams: Some(datagrams as u64),
                    ..Reading::default()
                })
            }
            (Some(bps), Some(bytes), _) if bytes > 0.0 => {
                Ok(Reading { goodput_bps: Some(bps), total_bytes: Some(bytes as u64), ..Reading::default() })
            }
            _ => Err(misread("iperf3", "end.sum_received", &client.out)),
        }
    }

    fn version(&self) -> Vec<String> {
        words([&self.program.to_string_lossy(), "--version"])
    }
}
