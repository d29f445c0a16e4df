//! nuttcp: bulk TCP. `-1` serves one client; `--nofork` keeps it our child. Blocks of `-l` bytes. It has no
//! choice of congestion control and polls its control connection after every write.

use crate::contender::{Load, Reading, STREAM_SECONDS};
use crate::error::BenchError;
use crate::network::Host;
use crate::peer::{Peer, cannot, misread, words};
use crate::process::Printed;

pub struct Nuttcp;

const MIB: f64 = 1_048_576.0;

impl Peer for Nuttcp {
    fn server(&self, _load: &Load) -> (Vec<String>, u16) {
        (words(["nuttcp", "-1", "--nofork"]), 5000)
    }

    fn client(&self, load: &Load) -> Vec<String> {
        let Load::Stream { size, congestion: None, .. } = load else { return cannot("nuttcp") };
        let (l, t) = (format!("-l{size}"), format!("-T{STREAM_SECONDS}"));
        words(["nuttcp", &l, &t, "-fparse", &Host::B.address().to_string()])
    }

    fn read(&self, _load: &Load, client: &Printed, _server: &Printed) -> Result<Reading, BenchError> {
        let field = |name: &str| -> Option<f64> {
            let words = client.out.split_whitespace();
            words.filter_map(|w| w.split_once('=')).find(|(n, _)| *n == name)?.1.parse().ok()
        };
        match (field("megabytes"), field("rate_Mbps")) {
            (Some(mib), Some(mbps)) if mib > 0.0 => Ok(Reading {
                goodput_bps: Some(mbps * 1e6),
                total_bytes: Some((mib * MIB) as u64),
                ..Reading::default()
            }),
            _ => {
                Err(misread("nuttcp", "megabytes= and rate_Mbps=", &format!("{} {}", client.out, client.err)))
            }
        }
    }

    fn version(&self) -> Vec<String> {
        words(["nuttcp", "-V"])
    }
}
