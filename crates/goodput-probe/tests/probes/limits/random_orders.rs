//! Random orders, each with random limits at one of its ends, over a relay that counts payload by the kernel's
//! counters of its own sockets. `GOODPUT_PROVE=1` runs 200.
//!
//! A limit may be exceeded by 1 % and for 100 ms: at most 100 ms after the first sample above the bound, the limited
//! end sends and receives no more. In bytes: the sum of both directions is at most 1.01 × `bytes` and what passed in
//! 100 ms. For `rate`, the bound in each direction and over every interval is 1.01 × rate × (elapsed + 100 ms), and up
//! to 1 s of unused rate from before the interval; and, once, the segments that Linux does not pace. A limit can only
//! be checked after the traffic, and what passes until then depends on the other end, not on the rate: thus 100 ms of
//! what passes, and not of what is allowed. Datagrams that come when the limited end has left do not count: only the
//! other end can stop them.

use super::{reached, run_through};
use crate::relay::{Plan, Relay};
use crate::{file, proves};
use goodput_analysis::random::SplitMix64;
use goodput_model::datagram::{Datagram, DatagramRate};
use goodput_model::latency::Latency;
use goodput_model::load::{Load, LoadWorker, RequestMix};
use goodput_model::mtu::Mtu;
use goodput_model::probe::{
    EndpointRole, PingPong, PingPongMethod, PingPongPattern, Request, RequestKind, SocketOptions,
    StopCondition, Stream, TransferDirection,
};
use goodput_model::{BitRate, Bytes, Nanos, Probe};
use goodput_probe::{DataListener, EndpointMeasurement, TrafficLimit, TrafficLimits};
use std::thread::sleep;
use std::time::{Duration, Instant};

const KINDS: u64 = 11;
const TIME: Nanos = Nanos::SECOND;
const MOST_TIME: Duration = Duration::from_millis(100);
const MOST_SAVED_S: f64 = 1.0;
/// The largest on loopback.
const TEN_SEGMENTS: u64 = 10 << 16;
/// Opening, status and messages of a measured connection.
const OVERHEAD: u64 = 256;

struct Draw(SplitMix64);

impl Draw {
    fn one_of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.0.next_below(all.len())]
    }

    /// As often from 1 to 10 as from 10 to 100.
    fn between(&mut self, least: u64, most: u64) -> u64 {
        let share = self.0.next_below(1 << 20) as f64 / f64::from(1 << 20);
        (least as f64 * (most as f64 / least as f64).powf(share)) as u64
    }

    fn sometimes(&mut self, least: u64, most: u64) -> Option<u64> {
        let value = self.between(least, most);
        self.one_of(&[Some(value), None])
    }
}

#[derive(Debug)]
struct Order {
    probe: Probe,
    limited: EndpointRole,
    limits: TrafficLimits,
}

fn order(seed: u64) -> Order {
    let draw = &mut Draw(SplitMix64::new(seed));
    let probe = probe(seed % KINDS, draw);
    let limited = draw.one_of(&[EndpointRole::Connect, EndpointRole::Listen]);
    let rate = Some(BitRate(draw.between(1_000_000, 1_000_000_000)));
    let bytes = Some(Bytes(draw.between(100_000, 100_000_000)));
    let limits = draw.one_of(&[(rate, None), (None, bytes), (rate, bytes)]);
    Order { probe, limited, limits: TrafficLimits { rate: limits.0, bytes: limits.1 } }
}

fn probe(kind: u64, draw: &mut Draw) -> Probe {
    let direction =
        draw.one_of(&[TransferDirection::Send, TransferDirection::Receive, TransferDirection::Both]);
    let (stop, warm_up, count) = (StopCondition::Time(TIME), Nanos(50_000_000), draw.between(1, 5) as u16);
    let rate = draw.sometimes(1_000_000, 10_000_000_000).map(BitRate);
    let socket = SocketOptions { pacing: rate, ..SocketOptions::default() };
    let [size, answer] = [(); 2].map(|()| Bytes(draw.between(64, 65_507)));
    let transaction = |transport, outstanding, rate: Option<u64>| {
        let (request, response, rate) = (size, answer, rate.map(|rate| rate as f64));
        Probe::Request(Request {
            transport,
            request,
            response,
            outstanding,
            rate,
            stop,
            warm_up,
            ..Request::default()
        })
    };
    match kind {
        0 => {
            let (connections, message) = (count, size);
            Probe::Stream(Stream {
                direction,
                connections,
                message,
                stop,
                warm_up,
                socket,
                ..Stream::default()
            })
        }
        1 | 2 => {
            let (flows, rate, burst) = (count, rate.map(DatagramRate::Bits), draw.between(1, 64) as u32);
            let datagram = Datagram { direction, flows, size, rate, burst, ..Datagram::default() };
            Probe::Datagram(Datagram { stop, warm_up, ..datagram })
        }
        3 => transaction(RequestKind::TcpRr, draw.between(1, 16) as u32, draw.sometimes(10, 100_000)),
        4 => transaction(RequestKind::UdpRr, draw.between(1, 16) as u32, draw.sometimes(10, 100_000)),
        5 => transaction(RequestKind::TcpCrr, 1, draw.sometimes(10, 100_000)),
        6 => {
            let run_time = Nanos(TIME.0 / 3);
            let method = PingPongMethod::Compat { trials: 3, run_time, repeats: None, reset: false };
            let pattern = draw.one_of(&[
                PingPongPattern::PingPong,
                PingPongPattern::Streaming,
                PingPongPattern::TwoWay,
            ]);
            let (sizes, cold, integrity, sample_cap) = (vec![size], false, false, 0);
            Probe::PingPong(PingPong { sizes, method, pattern, cold, integrity, socket, sample_cap })
        }
        7 => {
            let (load, connections, time) = (Some(direction), count, TIME);
            Probe::Latency(Latency { load, connections, time, warm_up, socket, ..Latency::default() })
        }
        8 => {
            let mix = match direction {
                TransferDirection::Send => RequestMix::receive_only(size),
                TransferDirection::Receive => RequestMix::transmit_only(size),
                TransferDirection::Both => RequestMix::bidirectional(size),
            };
            let workers = vec![LoadWorker { client: 0, mix: 0 }; usize::from(count)];
            let (clients, mixes, time) = (vec!["client".to_string()], vec![mix], TIME);
            Probe::Load(Load { clients, workers, mixes, time, warm_up, socket, ..Load::default() })
        }
        9 => Probe::Mtu(Mtu::default()),
        _ => Probe::File(file::net_sink()),
    }
}

/// Bytes besides payload, and what may come at once.
fn overhead_and_unpaced(probe: &Probe) -> (u64, u64) {
    let both_ways = |count: u16, direction: TransferDirection| {
        u64::from(count) * direction.one_way_directions().len() as u64
    };
    let (connections, datagrams) = match probe {
        Probe::Stream(s) => (both_ways(s.connections, s.direction), 0),
        Probe::Datagram(d) => (0, both_ways(d.flows, d.direction) * d.size.0),
        Probe::Request(r) => (1, r.request.max(r.response).0),
        Probe::Latency(l) => (l.load.map_or(0, |direction| both_ways(l.connections, direction)), l.size.0),
        Probe::Load(l) => (l.workers.len() as u64, 0),
        // A search is allowed 64 of the largest packets.
        Probe::Mtu(_) => (1, 64 << 16),
        _ => (1, 0),
    };
    // A few datagrams for handshakes.
    ((connections + 2) * OVERHEAD, connections * TEN_SEGMENTS + datagrams)
}

struct Sample {
    /// Before and after counting.
    at: [Instant; 2],
    /// Sent and received.
    bytes: [u64; 2],
}

impl Sample {
    fn take(relay: &Relay, end: usize) -> Sample {
        let (before, bytes) = (Instant::now(), relay.bytes(end));
        Sample { at: [before, Instant::now()], bytes }
    }

    fn total(&self) -> u64 {
        self.bytes.iter().sum()
    }
}

fn run(order: &Order) -> (EndpointMeasurement, Vec<Sample>) {
    let data_listener = DataListener::bind(([127, 0, 0, 1], 0).into()).unwrap();
    let relay = &Relay::new(data_listener.local_addr(), Plan::None);
    let end = usize::from(order.limited == EndpointRole::Listen);
    std::thread::scope(|s| {
        let running = relay.start(s);
        let samples = s.spawn(move || {
            let mut samples = vec![Sample::take(relay, end)];
            // What still waits to be sent counts too.
            let mut until: Option<Instant> = None;
            while until.is_none_or(|until| Instant::now() < until) {
                sleep(Duration::from_millis(1));
                samples.push(Sample::take(relay, end));
                until = until.or(relay.is_over().then(|| Instant::now() + 2 * MOST_TIME));
            }
            samples
        });
        let probes = [&order.probe; 2];
        let ended = || relay.ignore_datagrams();
        let (limited, _) = run_through(&data_listener, relay.at, probes, order.limited, order.limits, &ended);
        drop(running);
        (limited, samples.join().unwrap())
    })
}

/// The first sample above the bound of a limit.
fn first_excess<'a>(order: &Order, samples: &'a [Sample]) -> Option<&'a Sample> {
    let (overhead, unpaced) = overhead_and_unpaced(&order.probe);
    let per_second = order.limits.rate.map(|rate| rate.0 as f64 / 8.0 * 1.01);
    let most = order.limits.bytes.map_or(f64::INFINITY, |bytes| bytes.0 as f64 * 1.01 + overhead as f64);
    // Ahead of the rate in each direction; negative what was not used.
    let mut ahead = [0.0_f64; 2];
    let above = |pair: &&[Sample]| {
        let [last, sample] = pair else { return false };
        let seconds = (sample.at[1] - last.at[1]).as_secs_f64();
        let too_fast = per_second.is_some_and(|per_second| {
            for (way, ahead) in ahead.iter_mut().enumerate() {
                *ahead = (*ahead - per_second * seconds).max(-per_second * MOST_SAVED_S);
                *ahead += sample.bytes[way].saturating_sub(last.bytes[way]) as f64;
            }
            let credit = per_second * MOST_TIME.as_secs_f64() + (unpaced + overhead) as f64;
            ahead.iter().any(|ahead| *ahead > credit)
        });
        too_fast || sample.total() as f64 > most
    };
    samples.windows(2).find(above).map(|pair| &pair[1])
}

/// Whether the trial was ended.
fn check(seed: u64) -> bool {
    let order = order(seed);
    let (limited, samples) = run(&order);
    let is_ended = [TrafficLimit::Rate, TrafficLimit::Bytes].into_iter().any(|l| reached(&limited, l));
    if let Some(excess) = first_excess(&order, &samples) {
        let what = format!("seed {seed}: {order:?}, {} bytes", excess.total());
        assert!(is_ended, "{what}: not ended: {:?}", limited.broken);
        let late = samples.iter().find(|sample| sample.at[0] >= excess.at[1] + MOST_TIME);
        let more = late.zip(samples.last()).map_or(0, |(late, last)| last.total() - late.total());
        assert!(more <= overhead_and_unpaced(&order.probe).0, "{what}: {more} more than 100 ms later");
    }
    is_ended
}

#[test]
fn every_probe_exceeds_a_limit_by_100_ms_at_most() {
    let orders = if proves() { 200 } else { KINDS };
    let ended = (0..orders).filter(|seed| check(*seed)).count();
    println!("{ended} of {orders} trials were ended, the others were within their limits");
    assert!(ended as u64 * 10 >= orders, "{ended} of {orders}");
}
