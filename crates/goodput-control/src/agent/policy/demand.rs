//! Resources that an order demands of one end, where it states them. Pure.

use goodput_model::datagram::{Datagram, DatagramRate};
use goodput_model::file::{File, FileWork};
use goodput_model::latency::Latency;
use goodput_model::load::Load;
use goodput_model::probe::{PingPong, PingPongMethod, Request, RequestKind, SocketOptions, Stop, Stream};
use goodput_model::trial::{Order, Role};
use goodput_model::{BitRate, Bytes, Nanos, Probe};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Demand {
    /// Payload per second in one direction, all connections together.
    pub rate: Option<BitRate>,
    pub time: Option<Nanos>,
    /// Simultaneous connections or flows, without the control connection.
    pub connections: u32,
    /// Payload of the whole trial, both directions together.
    pub bytes: Option<Bytes>,
}

impl Demand {
    pub fn of(order: &Order, role: Role) -> Demand {
        match &order.probe {
            Probe::Stream(s) => stream(s),
            Probe::Datagram(s) => datagram(s),
            Probe::Request(s) => request(s),
            Probe::PingPong(s) => ping_pong(s),
            Probe::Latency(s) => latency(s),
            Probe::Load(s) => load(s, role, order.client),
            Probe::File(s) => file(s),
            // A few packets per timer tick; the probe bounds their number.
            Probe::Mtu(s) => {
                Demand { rate: Some(BitRate(0)), time: Some(s.time), connections: 1, bytes: Some(Bytes(0)) }
            }
        }
    }

    /// A demand bounded by `stop`, of `parts` directions and units of this size.
    fn stopping(
        rate: Option<BitRate>,
        (stop, warm_up): (Stop, Nanos),
        connections: u32,
        parts: u64,
        unit: Bytes,
    ) -> Demand {
        let time = match stop {
            Stop::Time(window) => Some(Nanos(window.0.saturating_add(warm_up.0))),
            Stop::Bytes(_) | Stop::Count(_) => None,
        };
        let bytes = match stop {
            Stop::Time(_) => moved(rate, time),
            Stop::Bytes(bytes) => Some(bytes.0),
            Stop::Count(n) => Some(n.saturating_mul(unit.0)),
        };
        let bytes = bytes.map(|b| Bytes(b.saturating_mul(parts)));
        Demand { rate, time, connections, bytes }
    }
}

fn moved(rate: Option<BitRate>, time: Option<Nanos>) -> Option<u64> {
    let bits = u128::from(rate?.0) * u128::from(time?.0) / 1_000_000_000;
    Some(u64::try_from(bits.div_ceil(8)).unwrap_or(u64::MAX))
}

fn paced(socket: &SocketOptions, connections: u32) -> Option<BitRate> {
    socket.pacing.map(|rate| BitRate(rate.0.saturating_mul(u64::from(connections))))
}

/// The cast of a float saturates.
fn per_second(units: f64, each: Bytes) -> BitRate {
    BitRate((units * each.0 as f64 * 8.0).ceil() as u64)
}

fn stream(s: &Stream) -> Demand {
    let (connections, parts) = (u32::from(s.connections), s.direction.parts().len() as u64);
    let rate = paced(&s.socket, connections);
    Demand::stopping(rate, (s.stop, s.warm_up), connections * parts as u32, parts, s.message)
}

fn datagram(s: &Datagram) -> Demand {
    let (flows, parts) = (u32::from(s.flows), s.direction.parts().len() as u64);
    let rate = match s.rate {
        Some(DatagramRate::Bits(rate)) => Some(rate),
        Some(DatagramRate::Datagrams(n)) => Some(per_second(n, s.size)),
        None => paced(&s.socket, flows),
    };
    Demand::stopping(rate, (s.stop, s.warm_up), flows * parts as u32, parts, s.size)
}

fn request(s: &Request) -> Demand {
    let larger = s.request.max(s.response);
    let tcp = s.transport != RequestKind::UdpRr;
    let rate = match s.rate {
        Some(n) => Some(per_second(n, larger)),
        None if tcp => paced(&s.socket, 1),
        None => None,
    };
    let connections = if s.transport == RequestKind::TcpCrr { s.outstanding.max(1) } else { 1 };
    Demand::stopping(rate, (s.stop, s.warm_up), connections, 2, larger)
}

fn ping_pong(s: &PingPong) -> Demand {
    let sizes = s.sizes.len() as u64;
    let each = match &s.method {
        PingPongMethod::Native { cap, .. } => Some(cap.0),
        PingPongMethod::Compat { repeats: None, trials, run_time, .. } => {
            Some(run_time.0.saturating_mul(u64::from(*trials)))
        }
        PingPongMethod::Compat { .. } => None,
    };
    let time = each.map(|each| Nanos(each.saturating_mul(sizes)));
    let rate = paced(&s.socket, 1);
    let bytes = moved(rate, time).map(|b| Bytes(b.saturating_mul(2)));
    Demand { rate, time, connections: 1, bytes }
}

fn latency(s: &Latency) -> Demand {
    let probes = Demand { connections: 1, ..request(&s.requests()) };
    let Some(load) = s.load_stream() else { return probes };
    let load = stream(&load);
    let both = |a: Option<u64>, b: Option<u64>| Some(a?.saturating_add(b?));
    Demand {
        rate: both(load.rate.map(|r| r.0), probes.rate.map(|r| r.0)).map(BitRate),
        time: probes.time,
        connections: load.connections + probes.connections,
        bytes: both(load.bytes.map(|b| b.0), probes.bytes.map(|b| b.0)).map(Bytes),
    }
}

fn load(s: &Load, role: Role, client: u16) -> Demand {
    let ours = |w: &&goodput_model::load::Worker| role == Role::Listen || w.client == client;
    let workers = s.workers.iter().filter(ours).count();
    let connections = u32::try_from(workers).unwrap_or(u32::MAX);
    let rate = paced(&s.socket, connections);
    Demand::stopping(rate, (Stop::Time(s.time), s.warm_up), connections, 2, Bytes(0))
}

/// Files are bounded by the ordered size only: the speed is the quantity to measure.
fn file(s: &File) -> Demand {
    let (warm_up, time) = s.window();
    let bytes = match &s.work {
        FileWork::Prepare { file } => Some(file.unwrap_or(Bytes(0))),
        FileWork::Copy { size, .. } => Some(*size),
        FileWork::Remove => Some(Bytes(0)),
        FileWork::Row { .. } | FileWork::Mix { .. } => None,
    };
    let connections = match &s.work {
        FileWork::Mix { players, .. } => u32::from(*players),
        _ => 1,
    };
    let time = time.map(|t| Nanos(t.0.saturating_add(warm_up.0)));
    Demand { rate: None, time, connections, bytes }
}

#[cfg(test)]
mod tests {
    use super::*;
    use goodput_model::load::{Mix, Worker};
    use goodput_model::probe::Direction;
    use goodput_model::trial::Deadlines;
    use goodput_model::{Token, TrialId};

    const S: u64 = 1_000_000_000;

    fn of(probe: Probe, role: Role) -> Demand {
        let order = Order {
            trial: TrialId(1),
            probe,
            token: Token([0; 16]),
            deadlines: Deadlines::default(),
            cpus: None,
            live: false,
            client: 1,
        };
        Demand::of(&order, role)
    }

    fn paced(rate: u64) -> SocketOptions {
        SocketOptions { pacing: Some(BitRate(rate)), ..SocketOptions::default() }
    }

    #[test]
    fn a_stream_as_fast_as_it_goes_has_no_bound() {
        let demand = of(Probe::Stream(Stream::default()), Role::Listen);
        let time = Some(Nanos(11 * S));
        assert_eq!(demand, Demand { rate: None, time, connections: 1, bytes: None });
    }

    #[test]
    fn a_paced_stream_adds_up() {
        let settings = Stream {
            direction: Direction::Both,
            connections: 4,
            socket: paced(8_000_000),
            ..Stream::default()
        };
        let demand = of(Probe::Stream(settings), Role::Connect);
        let expected = Demand {
            rate: Some(BitRate(32_000_000)),
            time: Some(Nanos(11 * S)),
            connections: 8,
            bytes: Some(Bytes(88_000_000)),
        };
        assert_eq!(demand, expected);
    }

    #[test]
    fn bytes_and_counts_have_no_time() {
        let by = |stop| of(Probe::Stream(Stream { stop, ..Stream::default() }), Role::Listen);
        assert_eq!(by(Stop::Bytes(Bytes(7))).bytes, Some(Bytes(7)));
        assert_eq!(by(Stop::Count(2)).bytes, Some(Bytes(256 << 10)));
        assert!(by(Stop::Count(2)).time.is_none());
    }

    #[test]
    fn datagrams_have_the_rate_that_they_ask_for() {
        let rate = Some(DatagramRate::Datagrams(1_000.0));
        let demand = of(
            Probe::Datagram(Datagram { rate, size: Bytes(125), flows: 2, ..Datagram::default() }),
            Role::Connect,
        );
        assert_eq!((demand.rate, demand.connections), (Some(BitRate(1_000_000)), 2));
        assert_eq!(of(Probe::Datagram(Datagram::default()), Role::Connect).rate, None);
    }

    #[test]
    fn a_closed_loop_has_no_rate() {
        assert_eq!(of(Probe::Request(Request::default()), Role::Connect).rate, None);
        let open = Request { rate: Some(10.0), response: Bytes(100), ..Request::default() };
        assert_eq!(of(Probe::Request(open), Role::Connect).rate, Some(BitRate(8_000)));
    }

    #[test]
    fn latency_is_its_probes_and_its_load() {
        let idle = of(Probe::Latency(Latency::default()), Role::Connect);
        assert_eq!((idle.rate, idle.connections), (Some(BitRate(102_400)), 1));
        let loaded = Latency { load: Some(Direction::Both), ..Latency::default() };
        let loaded = of(Probe::Latency(loaded), Role::Connect);
        assert_eq!((loaded.rate, loaded.connections), (None, 9));
    }

    #[test]
    fn a_client_of_a_load_has_its_own_workers_and_the_server_all() {
        let worker = |client| Worker { client, mix: 0 };
        let settings = Load {
            mixes: vec![Mix::transmit(Bytes(64))],
            workers: vec![worker(0), worker(1), worker(1), worker(2)],
            socket: paced(1_000),
            ..Load::default()
        };
        let client = of(Probe::Load(settings.clone()), Role::Connect);
        let server = of(Probe::Load(settings), Role::Listen);
        assert_eq!((client.connections, server.connections), (2, 4));
        assert_eq!(server.rate, Some(BitRate(4_000)));
    }
}
