//! smbclient: writes a file and reads it back. Rates in KiB/s ("kb/s", "KiloBytes/sec") of the transfer time.

use crate::contender::{Load, Reading};
use crate::error::BenchError;
use crate::files;
use crate::network::Host;
use crate::peer::{Peer, cannot, misread, words};
use crate::process::Printed;

pub struct Smbclient;

impl Peer for Smbclient {
    fn server(&self, _load: &Load) -> (Vec<String>, u16) {
        files::server()
    }

    fn client(&self, load: &Load) -> Vec<String> {
        let Load::Share { .. } = load else { return cannot("smbclient") };
        let share = format!("//{}/{}", Host::B.address(), files::SHARE);
        let orders = format!("put {} probe; get probe /dev/null; rm probe", files::SOURCE);
        words(["smbclient", &share, "-A", files::CREDENTIALS, "-c", &orders])
    }

    fn read(&self, _load: &Load, client: &Printed, _server: &Printed) -> Result<Reading, BenchError> {
        let text = format!("{} {}", client.out, client.err);
        let rate = |what: &str, unit: &str| -> Option<f64> {
            let line = text.lines().find(|line| line.contains(what))?;
            let (number, _) = line.split_once(unit)?;
            let kib: f64 = number.rsplit_once('(')?.1.trim().parse().ok()?;
            Some(kib * 1024.0 * 8.0)
        };
        match (rate("putting file", " kb/s"), rate("getting file", " KiloBytes/sec")) {
            (Some(written), Some(read)) => {
                Ok(Reading { written_bps: Some(written), read_bps: Some(read), ..Reading::default() })
            }
            _ => Err(misread("smbclient", "kb/s of put and KiloBytes/sec of get", &text)),
        }
    }

    fn version(&self) -> Vec<String> {
        words(["smbclient", "--version"])
    }
}
