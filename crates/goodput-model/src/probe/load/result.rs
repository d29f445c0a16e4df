//! One point of the probe `load`: traffic through the server, and each client's share.

use super::{ClientWindowSkew, ExcludedClient, TrafficPattern};
use crate::percentiles::LatencySummary;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct LoadResult {
    pub transactions_per_second: Option<f64>,
    /// From sending a request to the last byte of its reply.
    pub latency_ns: Option<LatencySummary>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub load: Option<Box<LoadSummary>>,
}

/// Traffic through the server in the window. Directions are seen from the server's adapter.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LoadSummary {
    pub traffic: TrafficPattern,
    /// `None` for a mix of sizes.
    pub size_bytes: Option<u64>,
    pub clients: u16,
    pub workers: u16,
    /// Sent by the server, counted by the clients.
    pub transmit_bps: u64,
    /// Sent by the clients, counted by the server.
    pub receive_bps: u64,
    /// Counted on arrival: of the request without a reply, else of the reply.
    pub requests_per_second: f64,
    /// Time to pass a request to the kernel, where there is no reply.
    pub handover_ns: Option<LatencySummary>,
    /// From sending a request to the last byte of its reply, where there is one.
    pub reply_ns: Option<LatencySummary>,
    pub connections_per_second: Option<f64>,
    pub connect_ns: Option<LatencySummary>,
    pub adapter: Option<AdapterTraffic>,
    /// Expected bytes on the wire with headers and acknowledgements, as the adapter counts them; transmit and
    /// receive.
    pub expected_adapter_bytes: Option<(u64, u64)>,
    /// Change of the bytes in flight over the window (sent first less read), each way: in queues, sockets and
    /// behind lost segments. `None` where the kernels were not read at the edges.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub under_way_bytes: Option<(i64, i64)>,
    pub per_client: Vec<LoadClientSummary>,
    pub excluded: Vec<ExcludedClient>,
    /// p99 of the distance between the first and last counted transfer and the window's edges, in server
    /// time.
    pub skew_p99_ns: Option<u64>,
    pub skew_max_ns: Option<u64>,
    /// `None` where the server stopped early, or the edges of a client are unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub overlap: Option<ClientOverlap>,
    /// Jain's index of the clients' rates, 1/n (one has all) to 1 (equal); `None` for clients with different
    /// work.
    #[serde(default)]
    pub fairness: Option<f64>,
    /// Failed and broken connections over the whole trial, of clients in the result.
    #[serde(default)]
    pub connection_errors: u64,
    /// End of each interval since t0 in ns, bytes transmitted, bytes received.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub intervals: Vec<(u64, u64, u64)>,
}

impl LoadSummary {
    /// Requested clients: those in the result and those excluded.
    pub fn requested_client_count(&self) -> u16 {
        self.clients.saturating_add(u16::try_from(self.excluded.len()).unwrap_or(u16::MAX))
    }
}

/// The part of the window that all clients shared: from the latest first to the earliest last counted
/// transfer of a client. Since t0, on the server's clock.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct ClientOverlap {
    pub start_ns: u64,
    /// Equal to `start_ns` where they shared nothing.
    pub end_ns: u64,
    /// Of the window.
    pub percent: f64,
    /// `None` without a whole interval in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rates: Option<ClientOverlapRates>,
}

/// Traffic in the whole intervals of an overlap; nothing is interpolated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClientOverlapRates {
    pub start_ns: u64,
    pub end_ns: u64,
    pub transmit_bps: u64,
    pub receive_bps: u64,
}

impl ClientOverlapRates {
    /// Both directions.
    pub fn goodput_bps(&self) -> u64 {
        self.transmit_bps.saturating_add(self.receive_bps)
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AdapterTraffic {
    pub interface: String,
    pub transmit_bytes: u64,
    pub receive_bytes: u64,
    pub transmit_packets: u64,
    pub receive_packets: u64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LoadClientSummary {
    pub name: String,
    /// Received by the client in the window.
    pub transmit_bps: u64,
    /// Received by the server from it in the window.
    pub receive_bps: u64,
    pub requests_per_second: f64,
    pub skew: Option<ClientWindowSkew>,
}
