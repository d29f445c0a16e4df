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
    /// TCP_MAXSEG: the largest segment in bytes of user data and of the options of each segment. The connecting
    /// end's limits both directions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub segment_size: Option<u32>,
}

impl SocketOptions {
    /// The pacing rate of so many connections together.
    pub(crate) fn total_pacing_rate(&self, connections: u32) -> Option<BitRate> {
        self.pacing.map(|rate| BitRate(rate.0.saturating_mul(u64::from(connections))))
    }
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EndpointRole {
    /// The `--from` end: it connects and decides.
    #[default]
    Connect,
    /// The named HOST: it listens.
    Listen,
}

/// Seen from the `--from` (connecting) end.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TransferDirection {
    Send,
    Receive,
    /// On separate connections.
    #[default]
    Both,
}

impl TransferDirection {
    pub fn name(self) -> &'static str {
        match self {
            TransferDirection::Send => "send",
            TransferDirection::Receive => "receive",
            TransferDirection::Both => "both",
        }
    }

    /// True where data arrives at the end that plays this role.
    pub fn data_arrives_at(self, role: EndpointRole) -> bool {
        let towards = match role {
            EndpointRole::Connect => TransferDirection::Receive,
            EndpointRole::Listen => TransferDirection::Send,
        };
        self.one_way_directions().contains(&towards)
    }

    pub fn one_way_directions(self) -> &'static [TransferDirection] {
        match self {
            TransferDirection::Send => &[TransferDirection::Send],
            TransferDirection::Receive => &[TransferDirection::Receive],
            TransferDirection::Both => &[TransferDirection::Send, TransferDirection::Receive],
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum StopCondition {
    Time(Nanos),
    /// In each direction, over all its connections. No warm-up.
    Bytes(Bytes),
    /// Messages or transactions in each direction. No warm-up.
    Count(u64),
}

impl StopCondition {
    /// A trial that ends by bytes or count has neither: it runs to its last byte.
    pub fn measurement_window(self, warm_up: Nanos) -> (Nanos, Option<Nanos>) {
        match self {
            StopCondition::Time(length) => (warm_up, Some(length)),
            StopCondition::Bytes(_) | StopCondition::Count(_) => (Nanos(0), None),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum WaitMode {
    Sleep,
    /// Busy polling; uses a CPU at each end.
    Spin,
}
