//! Latency under load: the settings of the probe `latency`. One trial has one kind of load; `goodput latency`
//! runs one of each.

pub(crate) mod metrics;
pub(crate) mod result;

use super::{
    BulkTransfer, EndpointRole, ProbeSettings, Request, RequestKind, SocketOptions, StopCondition, Stream,
    TrafficDemand, TransferDirection, WaitMode,
};
use crate::units::{Bytes, Nanos};
use serde::{Deserialize, Serialize};

/// `docs/methods/latency.md`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Latency {
    /// Direction of the TCP load, seen from the connecting end; `None` leaves the path idle.
    pub load: Option<TransferDirection>,
    pub connections: u16,
    pub message: Bytes,
    /// Probes are sent on schedule, whatever has returned.
    pub interval: Nanos,
    /// Payload of probe and answer: [`Latency::MIN_PROBE_BYTES`] B to 65,507 B.
    pub size: Bytes,
    pub wait: WaitMode,
    pub time: Nanos,
    /// Not counted: the load runs and queues fill.
    pub warm_up: Nanos,
    pub socket: SocketOptions,
}

impl Latency {
    /// A probe carries its number, eight bytes.
    pub const MIN_PROBE_BYTES: u64 = 8;

    pub fn background_stream(&self) -> Option<Stream> {
        Some(Stream {
            direction: self.load?,
            connections: self.connections,
            message: self.message,
            stop: StopCondition::Time(self.time),
            warm_up: self.warm_up,
            socket: self.socket.clone(),
            ..Stream::default()
        })
    }

    /// The probes are an open loop of UDP requests.
    pub fn udp_request_settings(&self) -> Request {
        Request {
            transport: RequestKind::UdpRr,
            request: self.size,
            response: self.size,
            rate: Some(1e9 / self.interval.0.max(1) as f64),
            wait: self.wait,
            stop: StopCondition::Time(self.time),
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
            wait: WaitMode::Sleep,
            time: Nanos(5 * Nanos::SECOND.0),
            warm_up: Nanos::SECOND,
            socket: SocketOptions::default(),
        }
    }
}

impl ProbeSettings for Latency {
    type Result = result::LatencyResult;

    fn measurement_window(&self) -> (Nanos, Option<Nanos>) {
        (self.warm_up, Some(self.time))
    }

    fn traffic_demand(&self, role: EndpointRole, client: u16) -> TrafficDemand {
        let probes =
            TrafficDemand { connections: 1, ..self.udp_request_settings().traffic_demand(role, client) };
        let load = self.background_stream().map(|load| load.traffic_demand(role, client));
        load.map_or(probes, |load| probes.combined_with(load))
    }

    fn memory_demand(&self) -> Bytes {
        self.background_stream().map_or(Bytes(0), |load| load.memory_demand())
    }

    fn has_replies(&self) -> bool {
        true
    }

    fn uses_busy_polling(&self) -> bool {
        self.wait == WaitMode::Spin
    }

    fn bulk_transfer(&self) -> Option<BulkTransfer> {
        let direction = self.load.unwrap_or(TransferDirection::Send);
        let stop = StopCondition::Time(self.time);
        Some(BulkTransfer { kind: "connection", count: self.connections, direction, stop })
    }
}
