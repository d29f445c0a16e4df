//! Request and response: settings of the probe `request`.

pub(crate) mod metrics;
pub(crate) mod result;

use super::demand::payload_bit_rate;
use super::options::{SocketOptions, StopCondition, WaitMode};
use super::{EndpointRole, LiveRateKind, ProbeSettings, TrafficDemand};
use crate::units::{Bytes, Nanos};
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Request {
    pub transport: RequestKind,
    pub request: Bytes,
    pub response: Bytes,
    /// Closed loop, 1 or more.
    pub outstanding: u32,
    /// Open loop: transactions a second, sent on schedule whatever returns.
    pub rate: Option<f64>,
    pub wait: WaitMode,
    pub stop: StopCondition,
    pub warm_up: Nanos,
    pub socket: SocketOptions,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RequestKind {
    TcpRr,
    UdpRr,
    /// A new TCP connection for each transaction.
    TcpCrr,
}

impl Default for Request {
    fn default() -> Self {
        Request {
            transport: RequestKind::TcpRr,
            request: Bytes(1),
            response: Bytes(1),
            outstanding: 1,
            rate: None,
            wait: WaitMode::Sleep,
            stop: StopCondition::Time(Nanos(10 * Nanos::SECOND.0)),
            warm_up: Nanos::SECOND,
            socket: SocketOptions { no_delay: Some(true), ..SocketOptions::default() },
        }
    }
}

impl ProbeSettings for Request {
    type Result = result::RequestResult;

    fn measurement_window(&self) -> (Nanos, Option<Nanos>) {
        self.stop.measurement_window(self.warm_up)
    }

    fn traffic_demand(&self, _role: EndpointRole, _client: u16) -> TrafficDemand {
        let larger = self.request.max(self.response);
        // The kernel paces only one connection that stays open: each new one begins with ten segments.
        let paced = self.transport == RequestKind::TcpRr;
        let rate = match self.rate {
            Some(n) => Some(payload_bit_rate(n, larger)),
            None if paced => self.socket.total_pacing_rate(1),
            None => None,
        };
        let connections = if self.transport == RequestKind::TcpCrr { self.outstanding.max(1) } else { 1 };
        self.stop.traffic_demand(self.warm_up, rate, connections, 2, larger)
    }

    fn has_replies(&self) -> bool {
        true
    }

    fn live_rate_kind(&self) -> LiveRateKind {
        LiveRateKind::Operations
    }

    fn uses_busy_polling(&self) -> bool {
        self.wait == WaitMode::Spin
    }
}
