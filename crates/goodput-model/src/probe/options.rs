//! Settings that several probes share.

use crate::units::{BitRate, Bytes, Nanos};
use serde::{Deserialize, Serialize};

/// Requested on both ends. `None` leaves the option to the kernel.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct SocketOptions {
    /// SO_SNDBUF in bytes that the application may fill.
    pub send_buffer: Option<Bytes>,
    pub receive_buffer: Option<Bytes>,
    pub congestion: Option<String>,
    pub no_delay: Option<bool>,
    pub pacing: Option<BitRate>,
}

impl SocketOptions {
    /// The pacing rate of so many connections together.
    pub(crate) fn paced(&self, connections: u32) -> Option<BitRate> {
        self.pacing.map(|rate| BitRate(rate.0.saturating_mul(u64::from(connections))))
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The `--from` end: it connects and decides.
    Connect,
    /// The named HOST: it listens.
    Listen,
}

/// Seen from the `--from` (connecting) end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    Send,
    Receive,
    /// On separate connections.
    Both,
}

impl Direction {
    pub fn name(self) -> &'static str {
        match self {
            Direction::Send => "send",
            Direction::Receive => "receive",
            Direction::Both => "both",
        }
    }

    /// True where data arrives at the end that plays this role.
    pub fn arrives_at(self, role: Role) -> bool {
        let towards = match role {
            Role::Connect => Direction::Receive,
            Role::Listen => Direction::Send,
        };
        self.parts().contains(&towards)
    }

    pub fn parts(self) -> &'static [Direction] {
        match self {
            Direction::Send => &[Direction::Send],
            Direction::Receive => &[Direction::Receive],
            Direction::Both => &[Direction::Send, Direction::Receive],
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Stop {
    Time(Nanos),
    /// In each direction, over all its connections. No warm-up.
    Bytes(Bytes),
    /// Messages or transactions in each direction. No warm-up.
    Count(u64),
}

impl Stop {
    /// A trial that ends by bytes or count has neither: it runs to its last byte.
    pub fn window(self, warm_up: Nanos) -> (Nanos, Option<Nanos>) {
        match self {
            Stop::Time(length) => (warm_up, Some(length)),
            Stop::Bytes(_) | Stop::Count(_) => (Nanos(0), None),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Wait {
    Sleep,
    /// Busy polling; uses a CPU at each end.
    Spin,
}
