//! One trial: starts the server, runs the client, measures the cost externally, and parses the output.

use crate::contender::{Contender, Load, Reading};
use crate::cpu::{CpuWatch, Meter};
use crate::error::BenchError;
use crate::files;
use crate::network::{Host, Network};
use crate::peer::Peer;
use crate::peers::Programs;
use crate::process::Running;
use crate::tree::Tree;
use std::time::{Duration, Instant};

/// Time for a server that prints its result after the client's end.
const SERVER_ENDS: Duration = Duration::from_secs(5);

/// As run in host B and host A.
pub fn commands(programs: &Programs, contender: &Contender) -> (Vec<String>, Vec<String>) {
    let peer = programs.peer(contender.program);
    (peer.server(&contender.load).0, peer.client(&contender.load))
}

/// `idle` is the machine's busy share without load, in CPUs.
pub fn run(
    network: &Network,
    programs: &Programs,
    contender: &Contender,
    idle: f64,
) -> Result<Reading, BenchError> {
    let peer: Box<dyn Peer> = programs.peer(contender.program);
    let (command, port) = peer.server(&contender.load);
    let server = match command.is_empty() {
        true => None,
        false => {
            let mut server = Running::start(network, Host::B, contender.cpu(Host::B), &command)?;
            server.listening(network, Host::B, port)?;
            Some(server)
        }
    };
    let mut meter = Meter::start(network)?;
    let start = Instant::now();
    let command = peer.client(&contender.load);
    let cpu = contender.cpu(Host::A);
    let client = Running::start(network, Host::A, cpu, &command)?;
    if matches!(contender.load, Load::Datagram { rate: Some(_), .. }) {
        meter.watch(CpuWatch { pid: client.pid(), cpu });
    }
    let deadline = contender.estimate() * 4 + Duration::from_secs(10);
    let mut tree = matches!(contender.load, Load::Mix { .. }).then(|| Tree::of(client.pid()));
    let client = client.finish(deadline, || {
        tree.iter_mut().for_each(Tree::tick);
        meter.tick()
    })?;
    let wall_s = start.elapsed().as_secs_f64();
    let cost = meter.stop(idle)?;
    let server = match server {
        Some(server) if peer.server_prints() => server.finish(SERVER_ENDS, || Ok(()))?,
        _ => Default::default(),
    };
    let mut reading = peer.read(&contender.load, &client, &server)?;
    reading.wall_s = wall_s;
    if let (Some(share), Some(bps)) = (tree.and_then(|tree| tree.user_share()), reading.mix_bps) {
        reading.user_ns_per_operation = Some(share * 1e9 / (bps / 8.0 * files::OPERATIONS_PER_BYTE));
    }
    if let Some(cost) = cost {
        reading.cpu_ns_per_byte = cost.ns_each(reading.total_bytes);
        reading.cpu_ns_per_datagram = cost.ns_each(reading.total_datagrams);
        (reading.sender_share, reading.sender_cpu_share) = (cost.process_share, cost.cpu_share);
    }
    Ok(reading)
}
