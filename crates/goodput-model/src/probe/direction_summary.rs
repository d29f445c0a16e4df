//! One direction of a stream or of datagrams, as it is summarised.

use super::datagram::datagram_totals::DatagramSummary;
use super::options::TransferDirection;
use super::stream::rfc6349::Rfc6349Metrics;
use crate::connection::{SocketReport, TcpStatistics};
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DirectionSummary {
    /// Seen from the connecting end.
    pub direction: TransferDirection,
    /// Counted at the receiver in the window.
    pub goodput_bps: Option<u64>,
    /// Received in order by the receiver's kernel, read or not, between its readings of TCP_INFO nearest the
    /// window's edges. `None` where not counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub arrival_bps: Option<u64>,
    pub bytes: u64,
    /// Whole trial, warm-up and drain included.
    pub total_bytes: u64,
    /// Mean of a receiving system call in the window.
    pub bytes_per_read: Option<f64>,
    /// Mean of a sending system call in the window.
    pub bytes_per_write: Option<f64>,
    pub segments_per_message: Option<f64>,
    /// End of each interval since t0 in ns, and its bytes.
    pub intervals: Vec<(u64, u64)>,
    /// TCP_INFO of the sender, summed over connections.
    pub sender_tcp: Option<TcpStatistics>,
    pub receiver_tcp: Option<TcpStatistics>,
    pub sender_socket: Option<SocketReport>,
    pub receiver_socket: Option<SocketReport>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rfc6349: Option<Box<Rfc6349Metrics>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub datagrams: Option<Box<DatagramSummary>>,
}
