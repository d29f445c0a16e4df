//! dbench in a folder, tbench between two hosts: one client with Debian's load file. Their MB are 10^6 bytes,
//! and the first fifth of the time is not counted.

use crate::contender::{Load, MIX_SECONDS, MixAt, Reading};
use crate::error::BenchError;
use crate::files;
use crate::network::Host;
use crate::peer::{Peer, cannot, misread, words};
use crate::process::Printed;

/// Of Debian's package.
pub const LOAD_FILE: &str = "/usr/share/dbench/client.txt";

pub struct Dbench;

impl Peer for Dbench {
    fn server(&self, load: &Load) -> (Vec<String>, u16) {
        match load {
            Load::Mix { at: MixAt::Net } => (words(["tbench_srv"]), 7003),
            _ => (Vec::new(), 0),
        }
    }

    fn client(&self, load: &Load) -> Vec<String> {
        let time = (MIX_SECONDS.0 + MIX_SECONDS.1).to_string();
        match load {
            Load::Mix { at: MixAt::Folder } => {
                words(["dbench", "-c", LOAD_FILE, "-t", &time, "-D", files::FOLDER, "1"])
            }
            Load::Mix { at: MixAt::Net } => {
                words(["tbench", "-c", LOAD_FILE, "-t", &time, "1", &Host::B.address().to_string()])
            }
            _ => cannot("dbench"),
        }
    }

    fn read(&self, _load: &Load, client: &Printed, _server: &Printed) -> Result<Reading, BenchError> {
        let line = client.out.lines().find_map(|line| line.trim().strip_prefix("Throughput "));
        let rate = line.and_then(|line| line.split(' ').next()?.parse::<f64>().ok());
        match rate {
            Some(mb) => Ok(Reading { mix_bps: Some(mb * 8e6), ..Reading::default() }),
            None => Err(misread("dbench", "Throughput", &format!("{} {}", client.out, client.err))),
        }
    }

    fn version(&self) -> Vec<String> {
        words(["dbench", "--version"])
    }
}
