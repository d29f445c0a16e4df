//! UDP datagrams: the settings of the probe `datagram`, and what each end counts for each flow. Counts cover
//! the whole trial, warm-up and drain included; rates cover the window only, in [`crate::trial::Flow`]
//! (`window_bytes`).

pub(crate) mod datagram_totals;
pub(crate) mod metrics;
pub(crate) mod result;

use super::demand::{interval_bytes, payload_bit_rate};
use super::{
    BulkTransfer, EndpointRole, ProbeSettings, SocketOptions, StopCondition, TrafficDemand,
    TransferDirection, WaitMode,
};
use crate::Message;
use crate::units::{BitRate, Bytes, Nanos};
use serde::{Deserialize, Serialize};

/// IPv4: 65,535 − 20 − 8.
pub const MAX_PAYLOAD_IPV4: u64 = 65_507;
/// IPv6 without a jumbogram: 65,535 − 8.
pub const MAX_PAYLOAD_IPV6: u64 = 65_527;
/// Sequence number at the start of every datagram large enough for it.
pub const SEQUENCE_NUMBER_BYTES: u64 = 8;
/// The sequence, then the send time in nanoseconds, both big-endian.
pub const HEADER_BYTES: u64 = 16;
/// Receive buffers of a flow.
const FLOW_BYTES: u64 = 1 << 20;

/// `docs/methods/datagram.md`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Datagram {
    pub direction: TransferDirection,
    /// Sockets, ports and threads in each direction, 1 or more.
    pub flows: u16,
    /// Payload: 1 B to 65,507 B over IPv4, 65,527 B over IPv6.
    pub size: Bytes,
    /// Of each direction, shared evenly by its flows; `None` sends as fast as the kernel accepts.
    pub rate: Option<DatagramRate>,
    /// Datagrams that a paced sender sends together, 1 or more; the rate stays the same. No meaning without a
    /// rate. 0 only at the start of a search, whose trials use [`Datagram::default_burst`].
    pub burst: u32,
    pub offload: SegmentationOffload,
    /// How the receiver waits for datagrams, and a paced sender for its next send time.
    pub wait: WaitMode,
    /// Bytes are rounded up to whole datagrams; bytes and count are datagrams offered.
    pub stop: StopCondition,
    /// Zero when stopping by bytes or count.
    pub warm_up: Nanos,
    pub interval: Nanos,
    /// Unless a receive buffer is requested, the probe requests a large one itself.
    pub socket: SocketOptions,
    /// The search that this trial is a step of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub search: Option<LosslessSearch>,
}

impl Default for Datagram {
    fn default() -> Self {
        Datagram {
            direction: TransferDirection::Send,
            flows: 1,
            size: Bytes(1448),
            rate: None,
            burst: 1,
            offload: SegmentationOffload::Auto,
            wait: WaitMode::Sleep,
            stop: StopCondition::Time(Nanos(10 * Nanos::SECOND.0)),
            warm_up: Nanos::SECOND,
            interval: Nanos(100_000_000),
            socket: SocketOptions::default(),
            search: None,
        }
    }
}

/// A search for the highest rate without loss, the same in each of its trials. With the trials' results the
/// search can be reproduced.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct LosslessSearch {
    /// Allowed share of lost datagrams; 0 is none at all.
    pub loss_percent: f64,
    /// Highest rate to try; `None` starts with the sender's maximum.
    pub ceiling: Option<DatagramRate>,
    /// Window of a trial that tests a rate.
    pub short: Nanos,
    /// Window of a trial that confirms one.
    pub full: Nanos,
    pub most_trials: u32,
}

impl Datagram {
    /// Of each direction; `None` without a rate.
    pub fn datagrams_per_second(&self) -> Option<f64> {
        self.rate.map(|rate| self.to_datagrams_per_second(rate))
    }

    fn to_datagrams_per_second(&self, rate: DatagramRate) -> f64 {
        match rate {
            DatagramRate::Datagrams(n) => n,
            DatagramRate::Bits(BitRate(bits)) => bits as f64 / (self.size.0.max(1) as f64 * 8.0),
        }
    }

    /// As the sender keeps it: the rate, else the pacing of all flows. Linux paces UDP only with the queueing
    /// discipline fq.
    pub fn paced_datagrams_per_second(&self) -> Option<f64> {
        let pacing = || self.socket.total_pacing_rate(u32::from(self.flows)).map(DatagramRate::Bits);
        self.rate.or_else(pacing).map(|rate| self.to_datagrams_per_second(rate))
    }

    /// The burst that keeps each sender from waking up more often than every 0.5 ms; 1 at low rates and
    /// without a rate. A wake-up costs more CPU than a datagram: 10,000 a second one by one took a third of a
    /// virtual core, in bursts of 5 a tenth.
    pub fn default_burst(&self) -> u32 {
        let each_flow = self.paced_datagrams_per_second().unwrap_or(0.0) / f64::from(self.flows.max(1));
        ((each_flow / 2_000.0).ceil() as u32).clamp(1, 1_024)
    }

    /// True when a sleeping receiver may poll every 0.1 ms instead of being woken by every datagram: at
    /// maximum rate, where arrivals are not timed.
    pub fn receiver_polls_periodically(&self) -> bool {
        self.rate.is_none() && self.wait == WaitMode::Sleep
    }

    /// True when each datagram has a send time and an arrival time of its own, if it has room for the former.
    pub fn has_per_datagram_timestamps(&self) -> bool {
        self.uses_one_datagram_per_call() && !self.receiver_polls_periodically()
    }

    /// True when every call at both ends carries one datagram (requested, or paced without bursts): only then
    /// is the send time that of this datagram.
    pub fn uses_one_datagram_per_call(&self) -> bool {
        self.offload == SegmentationOffload::Plain || (self.rate.is_some() && self.burst <= 1)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DatagramRate {
    Datagrams(f64),
    Bits(BitRate),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SegmentationOffload {
    /// UDP_SEGMENT and UDP_GRO where the kernel supports them, else as [`SegmentationOffload::Mmsg`].
    Auto,
    Plain,
    /// sendmmsg and recvmmsg: several datagrams a call, each its own packet.
    Mmsg,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DatagramSyscalls {
    Plain,
    Mmsg,
    /// UDP_SEGMENT: one buffer that the kernel (or the adapter) cuts into datagrams. Senders only.
    Gso,
    /// UDP_GRO with recvmmsg: buffers that may hold several datagrams. Receivers only.
    Gro,
}

/// What one end counted on one flow over the whole trial, and the other end's totals.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DatagramCounts {
    pub size: Bytes,
    pub sent: Option<DatagramsSent>,
    pub received: Option<DatagramsReceived>,
    /// At the receiving end: the sender's totals, sent over TCP after the last datagram. `None` when they did
    /// not arrive and at the sending end.
    pub told_sent: Option<SentTotals>,
    /// At the sending end: the receiver's totals, sent over TCP after its drain; else `None`.
    pub told_received: Option<ReceivedTotals>,
}

/// The sending end's count of one flow: `offered = refused + sent`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DatagramsSent {
    /// Datagrams passed to the kernel, accepted or not.
    pub offered: u64,
    /// In order of errno.
    pub refused: Vec<RefusedSends>,
    pub sent: u64,
    pub calls: u64,
    pub window_offered: u64,
    pub by: DatagramSyscalls,
    /// Why another call than the requested one is used ("UDP_SEGMENT: …").
    pub fallback: Option<String>,
    /// Payload at which UDP_SEGMENT cuts.
    pub segment_size: Option<Bytes>,
    pub most_a_call: u32,
    /// Paced: greatest delay of a datagram after its scheduled time.
    pub most_late_ns: Option<u64>,
    /// Paced: datagrams sent more than 1 ms late, at once and back to back, because the schedule does not
    /// move.
    pub late: Option<u64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct RefusedSends {
    /// Linux errno (105 ENOBUFS: a queue of this host was full; 111 ECONNREFUSED: ICMP error for an earlier
    /// datagram). 0 where sendmmsg does not tell.
    pub errno: i32,
    pub calls: u64,
    pub datagrams: u64,
}

/// The receiving end's count of one flow. `received = once + duplicates + unresolved` where there is a
/// sequence.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DatagramsReceived {
    /// Well-formed datagrams read from the socket, duplicates included.
    pub received: u64,
    /// Received for the first time. `None` without a sequence (payload below 8 B).
    pub once: Option<u64>,
    pub duplicates: Option<u64>,
    /// First arrivals after one with a higher sequence (RFC 4737 section 3.3), also in `once`. `None` without
    /// a sequence.
    pub reordered: Option<u64>,
    /// Too far behind the highest sequence to tell duplicate from late. In no rate. `None` without a
    /// sequence.
    pub unresolved: Option<u64>,
    /// Greatest distance, in sequence numbers, of a reordered or unresolved datagram behind the highest
    /// received. `None` without a sequence.
    pub most_behind: Option<u64>,
    /// Smallest length of the duplicate window, in sequence numbers. `None` without a sequence.
    pub reach: Option<u64>,
    /// Highest sequence received, counted from 0. `None` without a sequence or when nothing arrived.
    pub highest: Option<u64>,
    /// Datagrams on this socket with another length than `size` or an impossible sequence. Not in `received`.
    pub malformed: u64,
    /// SK_MEMINFO_DROPS of this socket between start and end of the drain: full buffer, failed checksum.
    /// Counts packets, which with offload may hold several datagrams. `None` where the system does not tell.
    pub socket_drops: Option<u64>,
    /// Most datagrams in those drops; equal to `socket_drops` when no packet can hold more than one.
    pub socket_drops_at_most: Option<u64>,
    pub calls: u64,
    pub by: DatagramSyscalls,
    /// Why another call than the requested one is used.
    pub fallback: Option<String>,
    /// Last gso_size of UDP_GRO; `None` when the kernel merged nothing.
    pub segment_size: Option<Bytes>,
    pub most_a_call: u32,
    /// Most datagrams in one packet of the kernel (1 without GRO).
    pub most_a_packet: u32,
    /// RFC 3550 section 6.4.1 interarrival jitter at the end of the window, over its first arrivals in order.
    /// `None` where it is in `not_available`. Series `delay-variation-<direction>-<flow>` has the delays.
    pub jitter_ns: Option<f64>,
    /// From the sender's end-of-data message to the last read.
    pub drain_ns: u64,
    pub not_available: Vec<UnavailableMeasurement>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct UnavailableMeasurement {
    pub check: DatagramMeasurement,
    /// A sentence without a full stop.
    #[serde(flatten, with = "crate::message::why")]
    pub why: Message,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DatagramMeasurement {
    /// `once`, `duplicates`, `unresolved`.
    Duplicates,
    Reordering,
    Jitter,
    DelayVariation,
    SocketDrops,
}

/// What the sender reports after its last datagram.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct SentTotals {
    pub offered: u64,
    pub refused: u64,
    pub sent: u64,
}

/// What the receiver reports after its drain; the fields are those of [`DatagramsReceived`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReceivedTotals {
    pub received: u64,
    pub duplicates: Option<u64>,
    pub unresolved: Option<u64>,
    pub malformed: u64,
    pub socket_drops: Option<u64>,
}

impl DatagramsSent {
    pub fn refused_datagrams(&self) -> u64 {
        self.refused.iter().map(|r| r.datagrams).fold(0, u64::saturating_add)
    }

    pub fn totals(&self) -> SentTotals {
        SentTotals { offered: self.offered, refused: self.refused_datagrams(), sent: self.sent }
    }
}

impl DatagramsReceived {
    pub fn totals(&self) -> ReceivedTotals {
        ReceivedTotals {
            received: self.received,
            duplicates: self.duplicates,
            unresolved: self.unresolved,
            malformed: self.malformed,
            socket_drops: self.socket_drops,
        }
    }
}

impl ProbeSettings for Datagram {
    type Result = result::DatagramResult;

    fn measurement_window(&self) -> (Nanos, Option<Nanos>) {
        self.stop.measurement_window(self.warm_up)
    }

    fn traffic_demand(&self, _role: EndpointRole, _client: u16) -> TrafficDemand {
        let (flows, parts) = (u32::from(self.flows), self.direction.one_way_directions().len() as u64);
        let rate = match self.rate {
            Some(DatagramRate::Bits(rate)) => Some(rate),
            Some(DatagramRate::Datagrams(n)) => Some(payload_bit_rate(n, self.size)),
            None => self.socket.total_pacing_rate(flows),
        };
        self.stop.traffic_demand(self.warm_up, rate, flows * parts as u32, parts, self.size)
    }

    fn memory_demand(&self) -> Bytes {
        let flows = u64::from(self.flows) * self.direction.one_way_directions().len() as u64;
        let (_, window) = self.measurement_window();
        Bytes(flows.saturating_mul(FLOW_BYTES.saturating_add(interval_bytes(window, self.interval))))
    }

    fn counts_whole_trial(&self) -> bool {
        true
    }

    fn is_result_endpoint(&self, role: EndpointRole) -> bool {
        self.direction.data_arrives_at(role)
    }

    fn is_bidirectional(&self) -> bool {
        self.direction == TransferDirection::Both
    }

    fn uses_busy_polling(&self) -> bool {
        self.wait == WaitMode::Spin
    }

    fn bulk_transfer(&self) -> Option<BulkTransfer> {
        let Datagram { flows: count, direction, stop, .. } = *self;
        Some(BulkTransfer { kind: "flow", count, direction, stop })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_in_bits_is_payload() {
        let of = |rate| Datagram { rate, size: Bytes(1250), ..Datagram::default() }.datagrams_per_second();
        assert_eq!(of(Some(DatagramRate::Bits(BitRate(10_000_000)))), Some(1000.0));
        assert_eq!(of(Some(DatagramRate::Datagrams(7.5))), Some(7.5));
        assert_eq!(of(None), None);
    }

    #[test]
    fn only_single_datagrams_have_times_of_their_own() {
        let rate = Some(DatagramRate::Datagrams(100.0));
        let auto = Datagram::default();
        assert!(!auto.uses_one_datagram_per_call());
        assert!(Datagram { rate, ..auto.clone() }.uses_one_datagram_per_call());
        assert!(!Datagram { rate, burst: 2, ..auto.clone() }.uses_one_datagram_per_call());
        let plain = Datagram { offload: SegmentationOffload::Plain, ..auto };
        assert!(plain.uses_one_datagram_per_call() && !plain.has_per_datagram_timestamps());
        assert!(Datagram { wait: WaitMode::Spin, ..plain.clone() }.has_per_datagram_timestamps());
        assert!(Datagram { rate, ..plain }.has_per_datagram_timestamps());
    }

    #[test]
    fn bursts_keep_wake_ups_apart() {
        let of = |rate: Option<f64>, flows| {
            Datagram { rate: rate.map(DatagramRate::Datagrams), flows, ..Datagram::default() }.default_burst()
        };
        let rates = [0.5, 2_000.0, 2_001.0, 10_000.0, 1e12, f64::NAN];
        assert_eq!(rates.map(|r| of(Some(r), 1)), [1, 1, 2, 5, 1_024, 1]);
        assert_eq!((of(Some(10_000.0), 5), of(None, 1)), (1, 1));
    }

    #[test]
    fn names_are_stable() {
        let settings = Datagram { rate: Some(DatagramRate::Bits(BitRate(8))), ..Datagram::default() };
        let text = serde_json::to_string(&crate::Probe::Datagram(settings)).unwrap();
        let begins = r#"{"kind":"datagram","direction":"send","flows":1,"size":1448,"#;
        assert!(text.starts_with(begins), "{text}");
        assert!(text.contains(r#""rate":{"bits":8},"burst":1,"offload":"auto","wait":"sleep""#), "{text}");
    }
}
