//! One server and many clients: the settings of the probe `load`. One trial is one point: one set of mixes,
//! in one window that all clients share. Terms are IOmeter's: a *worker* is one generator with one
//! connection, a *mix* is what it draws its transactions from. A *write* is sent by the server, a *read* is
//! received by it.

pub(crate) mod curve;
pub(crate) mod metrics;
pub(crate) mod result;

use super::demand::interval_bytes;
use super::{EndpointRole, ProbeSettings, SocketOptions, StopCondition, TrafficDemand};
use crate::Message;
use crate::units::{Bytes, Nanos};
use serde::{Deserialize, Serialize};

/// A request is one `write` from one buffer.
pub const MAX_REQUEST_SIZE: Bytes = Bytes(64 << 20);
/// Of all clients; each is a thread and a connection of the server.
pub const MAX_WORKERS: usize = 4_096;
/// Start and reply size of a request without a reply.
const REQUEST_BYTES: u64 = 16;

/// `docs/methods/load.md`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Load {
    /// In the order of [`Worker::client`].
    pub clients: Vec<String>,
    pub mixes: Vec<RequestMix>,
    /// Worker `i` has the connection with index `i`.
    pub workers: Vec<LoadWorker>,
    /// Requests in flight on a connection whose transactions have a reply; 1 or more. No meaning without a
    /// reply.
    pub outstanding: u32,
    /// Connection-rate mode: a new connection after so many; `None` keeps one connection.
    pub transactions_per_connection: Option<u32>,
    pub time: Nanos,
    pub warm_up: Nanos,
    /// TCP_NODELAY is on unless set otherwise, as in IOmeter.
    pub socket: SocketOptions,
    pub interval: Nanos,
    /// Both ends of a worker draw the same.
    pub seed: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct LoadWorker {
    /// Index into [`Load::clients`].
    pub client: u16,
    /// Index into [`Load::mixes`].
    pub mix: u16,
}

/// Lines whose shares add up to 100.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RequestMix {
    /// For tables and IOmeter's files; no comma in it.
    pub name: String,
    pub lines: Vec<RequestMixLine>,
    /// Both directions at once on one connection: each end sends what it draws, whatever arrives. Reads,
    /// writes, replies and outstanding requests have no meaning then.
    #[serde(default)]
    pub both_ways: bool,
}

/// IOmeter's access-specification line without the fields for disks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct RequestMixLine {
    /// 1 or more.
    pub size: Bytes,
    /// Of transactions, not of bytes.
    pub share_percent: u8,
    /// The server receives.
    pub reads_percent: u8,
    pub delay: Nanos,
    pub burst: u32,
    /// Bytes of the reply; 0 for none.
    pub reply: Bytes,
}

impl RequestMixLine {
    /// One size back to back, without replies.
    pub fn single_size(size: Bytes, reads_percent: u8) -> RequestMixLine {
        RequestMixLine { size, share_percent: 100, reads_percent, delay: Nanos(0), burst: 1, reply: Bytes(0) }
    }
}

impl RequestMix {
    fn single_size(direction: &str, size: Bytes, reads_percent: u8, both_ways: bool) -> RequestMix {
        let lines = vec![RequestMixLine::single_size(size, reads_percent)];
        RequestMix { name: format!("{direction} {} B", size.0), lines, both_ways }
    }

    pub fn transmit_only(size: Bytes) -> RequestMix {
        RequestMix::single_size("transmit", size, 0, false)
    }

    pub fn receive_only(size: Bytes) -> RequestMix {
        RequestMix::single_size("receive", size, 100, false)
    }

    pub fn bidirectional(size: Bytes) -> RequestMix {
        RequestMix::single_size("both ways", size, 50, true)
    }
}

pub fn default_request_sizes() -> Vec<Bytes> {
    (6..=18).map(|power| Bytes(1 << power)).collect()
}

/// Seen from the server's adapter, as in IOmeter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TrafficPattern {
    Transmit,
    Receive,
    Duplex,
    /// Reads and writes on one connection.
    Mixed,
}

impl Load {
    pub fn traffic_pattern(&self) -> TrafficPattern {
        let used = || self.workers.iter().filter_map(|w| self.mixes.get(usize::from(w.mix)));
        let lines = || used().flat_map(|m| &m.lines);
        if used().any(|m| m.both_ways) {
            TrafficPattern::Duplex
        } else if lines().all(|l| l.reads_percent == 0) {
            TrafficPattern::Transmit
        } else if lines().all(|l| l.reads_percent == 100) {
            TrafficPattern::Receive
        } else if lines().all(|l| l.reads_percent == 0 || l.reads_percent == 100) {
            TrafficPattern::Duplex
        } else {
            TrafficPattern::Mixed
        }
    }

    pub fn single_request_size(&self) -> Option<Bytes> {
        let mut sizes = self.mixes.iter().flat_map(|m| m.lines.iter().map(|l| l.size));
        let first = sizes.next()?;
        sizes.all(|size| size == first).then_some(first)
    }

    pub fn client_of_connection(&self, connection: u16) -> Option<u16> {
        self.workers.get(usize::from(connection)).map(|w| w.client)
    }

    pub fn active_client_count(&self) -> u16 {
        let mut clients: Vec<u16> = self.workers.iter().map(|w| w.client).collect();
        clients.sort_unstable();
        clients.dedup();
        clients.len() as u16
    }
}

impl Default for Load {
    fn default() -> Self {
        Load {
            clients: Vec::new(),
            mixes: Vec::new(),
            workers: Vec::new(),
            outstanding: 1,
            transactions_per_connection: None,
            time: Nanos(5 * Nanos::SECOND.0),
            warm_up: Nanos::SECOND,
            socket: SocketOptions { no_delay: Some(true), ..SocketOptions::default() },
            interval: Nanos(100_000_000),
            seed: 0,
        }
    }
}

/// How well one client kept the server's window.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClientWindowSkew {
    /// Client clock minus server clock at t0, as used for its window.
    pub offset_ns: i64,
    /// Half the minimum round trip.
    pub offset_error_ns: u64,
    /// Measured before the window.
    pub drift_ppb: i64,
    /// First counted transfer after t0, in server time by a measurement after the window.
    pub first_ns: Option<i64>,
    /// Last counted transfer before t1, likewise.
    pub last_ns: Option<i64>,
    /// Clock offset measured after the window, less the predicted one.
    pub surprise_ns: i64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ExcludedClient {
    pub host: String,
    #[serde(flatten, with = "crate::message::cause")]
    pub cause: Message,
    /// True when it left during the trial: its count until then is not in the result.
    pub midway: bool,
}

impl ProbeSettings for Load {
    type Result = result::LoadResult;

    fn measurement_window(&self) -> (Nanos, Option<Nanos>) {
        (self.warm_up, Some(self.time))
    }

    fn traffic_demand(&self, role: EndpointRole, client: u16) -> TrafficDemand {
        let workers =
            self.workers.iter().filter(|w| role == EndpointRole::Listen || w.client == client).count();
        let connections = u32::try_from(workers).unwrap_or(u32::MAX);
        // Each new connection begins with ten segments without pacing.
        let stays = self.transactions_per_connection.is_none();
        let rate = self.socket.total_pacing_rate(connections).filter(|_| stays);
        StopCondition::Time(self.time).traffic_demand(self.warm_up, rate, connections, 2, Bytes(0))
    }

    fn memory_demand(&self) -> Bytes {
        let requests = u64::from(self.outstanding) * REQUEST_BYTES;
        let each = interval_bytes(Some(self.time), self.interval).saturating_add(requests);
        Bytes(each.saturating_mul(self.workers.len() as u64))
    }

    fn is_result_endpoint(&self, _role: EndpointRole) -> bool {
        true
    }

    fn is_bidirectional(&self) -> bool {
        let replies = || self.mixes.iter().flat_map(|m| &m.lines).any(|l| l.reply.0 > 0);
        !matches!(self.traffic_pattern(), TrafficPattern::Transmit | TrafficPattern::Receive) || replies()
    }

    fn client_names(&self) -> Option<&[String]> {
        Some(&self.clients)
    }

    fn has_work_for_client(&self, client: u16) -> bool {
        self.workers.iter().any(|w| w.client == client)
    }

    fn remove_clients(&mut self, absent: &[u16]) {
        // All mixes stay, so that their indices do.
        let kept: Vec<u16> = (0..self.clients.len() as u16).filter(|c| !absent.contains(c)).collect();
        let number = |client: u16| kept.binary_search(&client).ok().map(|at| at as u16);
        let staying = |w: &LoadWorker| Some(LoadWorker { client: number(w.client)?, mix: w.mix });
        self.workers = self.workers.iter().filter_map(staying).collect();
        self.clients = kept.iter().map(|c| self.clients[usize::from(*c)].clone()).collect();
    }

    fn set_seed(&mut self, seed: u64) {
        self.seed = seed;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(mixes: Vec<RequestMix>) -> Load {
        let workers = (0..mixes.len() as u16).map(|mix| LoadWorker { client: mix / 2, mix }).collect();
        Load { mixes, workers, ..Load::default() }
    }

    #[test]
    fn traffic_is_read_off_the_mixes() {
        let (t, r) = (RequestMix::transmit_only(Bytes(64)), RequestMix::receive_only(Bytes(64)));
        let both = RequestMix::bidirectional(Bytes(64));
        let mut half = t.clone();
        half.lines[0].reads_percent = 67;
        for (mixes, pattern) in [
            (vec![t.clone()], TrafficPattern::Transmit),
            (vec![r.clone()], TrafficPattern::Receive),
            (vec![t, r], TrafficPattern::Duplex),
            (vec![both], TrafficPattern::Duplex),
            (vec![half], TrafficPattern::Mixed),
        ] {
            assert_eq!(of(mixes).traffic_pattern(), pattern);
        }
    }

    #[test]
    fn what_remains_without_a_client_is_numbered_anew() {
        let mut load = of((0..6).map(|n| RequestMix::transmit_only(Bytes(64 << n))).collect());
        load.clients = ["a", "b", "c"].map(String::from).to_vec();
        let mut rest = load.clone();
        rest.remove_clients(&[1]);
        assert_eq!(rest.clients, ["a", "c"]);
        let workers: Vec<(u16, u16)> = rest.workers.iter().map(|w| (w.client, w.mix)).collect();
        assert_eq!(workers, [(0, 0), (0, 1), (1, 4), (1, 5)]);
        assert_eq!(rest.mixes, load.mixes);
        let mut all = load.clone();
        all.remove_clients(&[]);
        assert_eq!(all, load);
    }

    #[test]
    fn one_size_or_none() {
        let mixes =
            |other| vec![RequestMix::transmit_only(Bytes(64)), RequestMix::receive_only(Bytes(other))];
        let size = |other| of(mixes(other)).single_request_size();
        assert_eq!((size(64), size(128)), (Some(Bytes(64)), None));
    }
}
