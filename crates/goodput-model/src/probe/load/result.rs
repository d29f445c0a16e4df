//! One point of the probe `load`: what passed through the server, and what each client had of it.

use super::{Excluded, Skew, Traffic};
use crate::percentiles::LatencySummary;
use crate::probe::result::ResultParts;
use serde::{Deserialize, Serialize};

/// One server and many clients.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct LoadResult {
    pub transactions_per_second: Option<f64>,
    /// Time from sending a request to the last byte of its reply.
    pub latency_ns: Option<LatencySummary>,
    /// What passed through the server.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub load: Option<Box<LoadSummary>>,
}

impl ResultParts for LoadResult {
    fn transactions_per_second(&self) -> Option<f64> {
        self.transactions_per_second
    }

    fn latency(&self) -> Option<LatencySummary> {
        self.latency_ns
    }
}

/// What passed through the server in the window. Directions are seen from the server's adapter.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LoadSummary {
    /// Which way data flowed.
    pub traffic: Traffic,
    /// The one request size; `None` for a mix of sizes.
    pub size_bytes: Option<u64>,
    pub clients: u16,
    pub workers: u16,
    /// User bytes sent by the server and counted by the clients, in bit/s.
    pub transmit_bps: u64,
    /// User bytes sent by the clients and counted by the server, in bit/s.
    pub receive_bps: u64,
    /// Transactions completed a second: requests without a reply where they arrived, others where the reply did.
    pub requests_per_second: f64,
    /// Time to hand a request to the kernel, where there is no reply.
    pub handover_ns: Option<LatencySummary>,
    /// Time from sending a request to the last byte of its reply, where there is one.
    pub reply_ns: Option<LatencySummary>,
    /// Connections opened a second (connection-rate mode).
    pub connections_per_second: Option<f64>,
    pub connect_ns: Option<LatencySummary>,
    /// The server adapter's own count over the window.
    pub adapter: Option<AdapterTraffic>,
    /// Bytes on the wire each way that user bytes, headers and acknowledgements should come to, as the adapter counts
    /// them; transmit and receive.
    pub expected_adapter_bytes: Option<(u64, u64)>,
    /// User bytes that were sent for the first time in the window less those read in it, each way: what lay in queues, in
    /// sockets and behind lost segments became so much more (or less). `None` where the kernels were not asked at the edges.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub under_way_bytes: Option<(i64, i64)>,
    pub per_client: Vec<ClientSummary>,
    pub excluded: Vec<Excluded>,
    /// Distance of the first and last counted read or write from the window's edges that 99 % of the edges keep, in
    /// ns of the server's time.
    pub skew_p99_ns: Option<u64>,
    pub skew_max_ns: Option<u64>,
    /// Jain's index of the clients' rates, 1/n (one has all) to 1 (all have the same); `None` for clients that were
    /// not asked for the same work.
    #[serde(default)]
    pub fairness: Option<f64>,
    /// Connections that could not be opened or broke, as the clients in the result counted them over the whole trial.
    #[serde(default)]
    pub connection_errors: u64,
    /// Each interval: its end since t0 in ns, bytes transmitted, bytes received.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub intervals: Vec<(u64, u64, u64)>,
}

impl LoadSummary {
    /// Clients that were asked for: those in the result and those that are not.
    pub fn asked(&self) -> u16 {
        self.clients.saturating_add(u16::try_from(self.excluded.len()).unwrap_or(u16::MAX))
    }
}

/// What an interface counted over the window.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AdapterTraffic {
    pub interface: String,
    pub transmit_bytes: u64,
    pub receive_bytes: u64,
    pub transmit_packets: u64,
    pub receive_packets: u64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ClientSummary {
    pub name: String,
    /// User bytes it received in the window, in bit/s.
    pub transmit_bps: u64,
    /// User bytes the server received from it in the window, in bit/s.
    pub receive_bps: u64,
    pub requests_per_second: f64,
    /// How well it kept the window.
    pub skew: Option<Skew>,
}
