//! Latency beside load: the settings of the probe `latency`. One trial is one kind of load; `goodput latency` makes
//! one of each.

pub(crate) mod metrics;
pub(crate) mod result;

use super::{
    Bulk, Demand, Direction, LiveRate, Request, RequestKind, Role, Settings, SocketOptions, Stop, Stream,
    Wait,
};
use crate::units::{Bytes, Nanos};
use serde::{Deserialize, Serialize};

/// Settings of the probe `latency`, `docs/methods/latency.md`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Latency {
    /// Which way TCP fills the path meanwhile, seen from the connecting end; `None` leaves it idle.
    pub load: Option<Direction>,
    /// TCP connections in each direction of the load, 1 or more.
    pub connections: u16,
    pub message: Bytes,
    /// Time between two probes. They are sent on schedule, whatever has come back.
    pub interval: Nanos,
    /// Payload of a probe and of its answer: [`Latency::LEAST_SIZE`] B to 65,507 B.
    pub size: Bytes,
    /// How both ends wait for a probe.
    pub wait: Wait,
    pub time: Nanos,
    /// Time before the window that is not counted: probes and load are on, and the queues fill.
    pub warm_up: Nanos,
    /// Socket options of the load's connections.
    pub socket: SocketOptions,
}

impl Latency {
    /// A probe carries its number, eight bytes.
    pub const LEAST_SIZE: u64 = 8;

    /// The load as a stream; `None` when the path is left idle.
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

    /// The probes as the open loop of UDP requests that they are.
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
    /// 64-byte probes each 5 ms for 5 s on an idle path, after 1 s of warm-up; a load has 4 connections.
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
