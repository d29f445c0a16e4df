//! Request and response: settings of the probe `request`.

pub(crate) mod metrics;
pub(crate) mod result;

use super::demand::per_second;
use super::options::{SocketOptions, Stop, Wait};
use super::{Demand, LiveRate, Role, Settings};
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
    pub wait: Wait,
    pub stop: Stop,
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
            wait: Wait::Sleep,
            stop: Stop::Time(Nanos(10 * Nanos::SECOND.0)),
            warm_up: Nanos::SECOND,
            socket: SocketOptions { no_delay: Some(true), ..SocketOptions::default() },
        }
    }
}

impl Settings for Request {
    type Result = result::RequestResult;

    fn window(&self) -> (Nanos, Option<Nanos>) {
        self.stop.window(self.warm_up)
    }

    fn demand(&self, _role: Role, _client: u16) -> Demand {
        let larger = self.request.max(self.response);
        let tcp = self.transport != RequestKind::UdpRr;
        let rate = match self.rate {
            Some(n) => Some(per_second(n, larger)),
            None if tcp => self.socket.paced(1),
            None => None,
        };
        let connections = if self.transport == RequestKind::TcpCrr { self.outstanding.max(1) } else { 1 };
        Demand::stopping(rate, (self.stop, self.warm_up), connections, 2, larger)
    }

    fn has_replies(&self) -> bool {
        true
    }

    fn live(&self) -> LiveRate {
        LiveRate::Operations
    }

    fn spins(&self) -> bool {
        self.wait == Wait::Spin
    }
}
