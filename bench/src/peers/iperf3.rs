//! iperf3: bulk TCP. Its server runs one test at a time, so one is started for each trial; what its receiver
//! counted is `sum_received`. Sender and receiver both use blocks of `-l` bytes. It has no warm-up under 1 s.

use super::{Peer, cannot, json, misread, words};
use crate::contender::{Load, Reading, STREAM_SECONDS};
use crate::error::BenchError;
use crate::network::Host;
use crate::process::Printed;

pub struct Iperf3;

impl Peer for Iperf3 {
    fn server(&self, _load: &Load) -> (Vec<String>, u16) {
        (words(["iperf3", "-s", "-1"]), 5201)
    }

    fn client(&self, load: &Load) -> Vec<String> {
        let Load::Stream { size, congestion, .. } = load else { return cannot("iperf3") };
        let (to, l, t) = (Host::B.address().to_string(), size.to_string(), STREAM_SECONDS.to_string());
        let mut client = words(["iperf3", "-c", &to, "-l", &l, "-t", &t, "-J"]);
        if let Some(name) = congestion {
            client.extend(words(["-C", name]));
        }
        client
    }

    fn read(&self, _load: &Load, client: &Printed, _server: &Printed) -> Result<Reading, BenchError> {
        let document = json("iperf3", &client.out)?;
        let received = document.pointer("/end/sum_received");
        let field = |name| received.and_then(|r| r.get(name)).and_then(serde_json::Value::as_f64);
        match (field("bits_per_second"), field("bytes")) {
            (Some(bps), Some(bytes)) if bytes > 0.0 => {
                Ok(Reading { goodput_bps: Some(bps), total_bytes: Some(bytes as u64), ..Reading::default() })
            }
            _ => Err(misread("iperf3", "end.sum_received", &client.out)),
        }
    }

    fn version(&self) -> Vec<String> {
        words(["iperf3", "--version"])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_a_captured_run() {
        let out = include_str!("../../fixtures/iperf3-3.12.json").to_string();
        let load = Load::Stream { size: 8192, congestion: Some("cubic".into()), read: None };
        let reading = Iperf3.read(&load, &Printed { out, err: String::new() }, &Printed::default()).unwrap();
        assert_eq!(reading.total_bytes, Some(407_633_920));
        assert_eq!(reading.goodput_bps.unwrap().round(), 1_630_265_056.0);
        assert_eq!(Iperf3.client(&load).join(" "), "iperf3 -c 10.77.0.2 -l 8192 -t 1 -J -C cubic");
    }

    #[test]
    fn an_error_document_is_misread() {
        let out = r#"{"start":{},"error":"the server is busy"}"#.to_string();
        let load = Load::Stream { size: 64, congestion: None, read: None };
        assert!(Iperf3.read(&load, &Printed { out, err: String::new() }, &Printed::default()).is_err());
    }
}
