//! NPtcp: NetPIPE's sweep. Both ends compute the schedule, so both get the same `-u` and `-n`.

use crate::contender::{Load, Point, Reading, SWEEP_UP_TO, Sweep};
use crate::error::BenchError;
use crate::network::Host;
use crate::peer::{Peer, cannot, misread, words};
use crate::process::Printed;
use goodput_interop::netpipe;
use goodput_model::probe::PingPongPattern;

pub struct NpTcp;

fn schedule(load: &Load) -> Option<Vec<String>> {
    let upto = SWEEP_UP_TO.to_string();
    match load {
        Load::Sweep { method: Sweep::Compat, .. } => Some(words(["-u", &upto])),
        Load::Sweep { method: Sweep::Repeats(n), .. } => Some(words(["-u", &upto, "-n", &n.to_string()])),
        _ => None,
    }
}

impl Peer for NpTcp {
    fn server(&self, load: &Load) -> (Vec<String>, u16) {
        let mut server = words(["NPtcp"]);
        server.extend(schedule(load).unwrap_or_default());
        (server, 5002)
    }

    fn client(&self, load: &Load) -> Vec<String> {
        let Some(schedule) = schedule(load) else { return cannot("NPtcp") };
        // Its screen output is on standard error, so np.out can be on standard output.
        let mut client = words(["NPtcp", "-h", &Host::B.address().to_string(), "-o", "/dev/stdout"]);
        client.extend(schedule);
        client
    }

    fn read(&self, _load: &Load, client: &Printed, _server: &Printed) -> Result<Reading, BenchError> {
        // Skips its notice of the output file.
        let lines = client.out.lines().filter(|l| !l.starts_with("Sending output to"));
        let np_out: String = lines.flat_map(|l| [l, "\n"]).collect();
        let rows = netpipe::read_netpipe(&np_out, PingPongPattern::PingPong)
            .map_err(|e| misread("NPtcp", "np.out", &format!("{e}; {np_out} {}", client.err)))?;
        let points: Vec<Point> = rows
            .iter()
            .map(|row| Point { size: row.size.0, time_ns: row.time_ns, interval_ns: None })
            .collect();
        if points.is_empty() {
            return Err(misread("NPtcp", "points", &client.err));
        }
        Ok(Reading { points, ..Reading::default() })
    }

    fn version(&self) -> Vec<String> {
        // NPtcp prints no version; Debian's package has one.
        words(["dpkg-query", "-W", "netpipe-tcp"])
    }
}
