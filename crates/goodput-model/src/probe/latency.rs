//! Latency under load: the settings of the probe `latency`. One trial has one kind of load; `goodput latency`
//! runs one of each.

pub(crate) mod metrics;
pub(crate) mod result;

use super::{
    Bulk, Demand, Direction, LiveRate, Request, RequestKind, Role, Settings, SocketOptions, Stop, Stream,
    Wait,
};
use crate::units::{Bytes, Nanos};
use serde::{Deserialize, Serialize};

/// `docs/methods/latency.md`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Latency {
    /// Direction of the TCP load, seen from the connecting end; `None` leaves the path idle.
    pub load: Option<Direction>,
    pub connections: u16,
    pub message: Bytes,
    /// Probes are sent on schedule, whatever has returned.
    pub interval: Nanos,
    /// Payload of probe and answer: [`Latency::MIN_SIZE`] B to 65,507 B.
    pub size: Bytes,
    pub wait: Wait,
    pub time: Nanos,
    /// Not counted: the load runs and queues fill.
    pub warm_up: Nanos,
    pub socket: SocketOptions,
}

impl Latency {
    /// A probe carries its number, eight bytes.
    pub const MIN_SIZE: u64 = 8;

    pub fn load_stream(&self) -> Option<Stream> {
        Some(Stream {
            direction: self.load?,
            connections: self.connections,
            message: self.message,
            stop: Stop::Time(self.time),
            warm_up: self.warm_up,
            socket: self.socket.clone(),
            ..Stream::default()
        })
    }

    /// The probes are an open loop of UDP requests.
    pub fn requests(&self) -> Request {
        Request {
            transport: RequestKind::UdpRr,
            request: self.size,
            response: self.size,
            rate: Some(1e9 / self.interval.0.max(1) as f64),
            wait: self.wait,
            stop: Stop::Time(self.time),
            warm_up: self.warm_up,
            ..Request::default()
        }
    }
}

impl Default for Latency {
    fn default() -> Self {
        Latency {
            load: None,
            connections: 4,
            message: Bytes(128 << 10),
            interval: Nanos(5_000_000),
            size: Bytes(64),
            wait: Wait::Sleep,
            time: Nanos(5 * Nanos::SECOND.0),
            warm_up: Nanos::SECOND,
            socket: SocketOptions::default(),
        }
    }
}

impl Settings for Latency {
    type Result = result::LatencyResult;

    fn window(&self) -> (Nanos, Option<Nanos>) {
        (self.warm_up, Some(self.time))
    }

    fn demand(&self, role: Role, client: u16) -> Demand {
        let probes = Demand { connections: 1, ..self.requests().demand(role, client) };
        match self.load_stream() {
            Some(load) => probes.beside(load.demand(role, client)),
            None => probes,
        }
    }

    fn has_replies(&self) -> bool {
        true
    }

    fn live(&self) -> LiveRate {
        LiveRate::Bytes
    }

    fn spins(&self) -> bool {
        self.wait == Wait::Spin
    }

    fn bulk(&self) -> Option<Bulk> {
        let direction = self.load.unwrap_or(Direction::Send);
        Some(Bulk { kind: "connection", count: self.connections, direction, stop: Stop::Time(self.time) })
    }
}
