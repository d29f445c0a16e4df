//! Bulk TCP: settings of the probe `stream`.

pub(crate) mod metrics;
pub(crate) mod result;
pub(crate) mod rfc6349;

use super::demand::interval_bytes;
use super::options::{SocketOptions, StopCondition, TransferDirection};
use super::{BulkTransfer, EndpointRole, ProbeSettings, TrafficDemand};
use crate::diagnosis::Intervention;
use crate::units::{Bytes, Nanos};
use serde::{Deserialize, Serialize};

/// Shortest interval of counts over many connections.
const MIN_INTERVAL: Nanos = Nanos(1_000_000);

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Stream {
    pub direction: TransferDirection,
    pub connections: u16,
    /// One `write` by default.
    pub message: Bytes,
    /// Largest return of one `read`.
    pub read: Bytes,
    pub stop: StopCondition,
    /// Zero when stopping by bytes or count.
    pub warm_up: Nanos,
    pub sender: StreamSendMethod,
    pub receiver: StreamReceiveMethod,
    /// The receiver waits this long after a short read that returned at once; 0 is off. `gather` in older
    /// runs.
    #[serde(default, alias = "gather")]
    pub receive_coalescing: Nanos,
    pub socket: SocketOptions,
    pub interval: Nanos,
    #[serde(default, skip_serializing_if = "AddedCpuTime::is_zero")]
    pub added_cpu_time: AddedCpuTime,
    /// To which the receiving threads are pinned, instead of the trial's CPUs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub receiver_cpu: Option<u32>,
    /// What this trial of a diagnosis changes; `None` outside a diagnosis.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub intervention: Option<Intervention>,
}

/// CPU time that the measuring threads of an end additionally spend for each KiB of user data. The effect on the
/// rate shows whether that end's CPU is the limit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct AddedCpuTime {
    pub sender_ns_per_kib: u32,
    pub receiver_ns_per_kib: u32,
}

impl AddedCpuTime {
    pub const MAX_NS_PER_KIB: u32 = 10_000_000;

    pub fn is_zero(&self) -> bool {
        *self == AddedCpuTime::default()
    }
}

/// How a sender passes messages to the kernel. Anything but `Write` is named in the result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum StreamSendMethod {
    Write,
    /// Messages in one `writev`.
    Batch(u16),
    /// From a memory file.
    Sendfile,
    /// MSG_ZEROCOPY; the kernel reports whether it copied nevertheless.
    ZeroCopy,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum StreamReceiveMethod {
    Read,
    /// MSG_TRUNC: the kernel drops the bytes without copying them.
    Discard,
}

impl Stream {
    pub const DEFAULT_MESSAGE_SIZE: Bytes = Bytes(128 << 10);
    /// Larger reads gain nothing and cost bbr a tenth.
    pub const READ_SIZE: Bytes = Bytes(128 << 10);

    /// The delay where it has an effect. A receiver that discards never waits, nor does one with a fixed
    /// buffer, which data could fill during the delay.
    pub fn receive_coalescing_delay(&self) -> Option<Nanos> {
        let possible = self.receiver == StreamReceiveMethod::Read && self.socket.receive_buffer.is_none();
        Some(self.receive_coalescing).filter(|delay| possible && delay.0 > 0)
    }
}

impl Default for Stream {
    fn default() -> Self {
        Stream {
            direction: TransferDirection::Send,
            connections: 1,
            message: Stream::DEFAULT_MESSAGE_SIZE,
            read: Stream::READ_SIZE,
            stop: StopCondition::Time(Nanos(10 * Nanos::SECOND.0)),
            warm_up: Nanos::SECOND,
            sender: StreamSendMethod::Write,
            receiver: StreamReceiveMethod::Read,
            receive_coalescing: Nanos(0),
            socket: SocketOptions::default(),
            interval: Nanos(100_000_000),
            added_cpu_time: AddedCpuTime::default(),
            receiver_cpu: None,
            intervention: None,
        }
    }
}

impl ProbeSettings for Stream {
    type Result = result::StreamResult;

    fn measurement_window(&self) -> (Nanos, Option<Nanos>) {
        self.stop.measurement_window(self.warm_up)
    }

    fn traffic_demand(&self, _role: EndpointRole, _client: u16) -> TrafficDemand {
        let connections = u32::from(self.connections);
        let parts = self.direction.one_way_directions().len() as u64;
        let rate = self.socket.total_pacing_rate(connections);
        self.stop.traffic_demand(self.warm_up, rate, connections * parts as u32, parts, self.message)
    }

    fn memory_demand(&self) -> Bytes {
        let copies = if self.sender == StreamSendMethod::Sendfile { 2 } else { 1 };
        let read = if self.receiver == StreamReceiveMethod::Read { self.read } else { Bytes(0) };
        let (_, window) = self.measurement_window();
        let each = self.message.0.saturating_mul(copies).max(read.0);
        let connections = u64::from(self.connections) * self.direction.one_way_directions().len() as u64;
        Bytes(connections.saturating_mul(each.saturating_add(interval_bytes(window, self.interval))))
    }

    fn limit_error(&self) -> Option<&'static str> {
        let AddedCpuTime { sender_ns_per_kib, receiver_ns_per_kib } = self.added_cpu_time;
        if self.interval < MIN_INTERVAL {
            Some("an interval must be of 1 ms or more")
        } else if sender_ns_per_kib.max(receiver_ns_per_kib) > AddedCpuTime::MAX_NS_PER_KIB {
            Some("an end adds at most 10 ms of CPU time for a KiB")
        } else {
            None
        }
    }

    fn is_result_endpoint(&self, role: EndpointRole) -> bool {
        self.direction.data_arrives_at(role)
    }

    fn is_bidirectional(&self) -> bool {
        self.direction == TransferDirection::Both
    }

    fn bulk_transfer(&self) -> Option<BulkTransfer> {
        let Stream { connections: count, direction, stop, .. } = *self;
        Some(BulkTransfer { kind: "connection", count, direction, stop })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coalescing_needs_reads_into_a_buffer_that_the_kernel_sizes() {
        let coalescing = Stream { receive_coalescing: Nanos(50_000), ..Stream::default() };
        assert_eq!(coalescing.receive_coalescing_delay(), Some(Nanos(50_000)));
        let mut fixed = coalescing.clone();
        fixed.socket.receive_buffer = Some(Bytes(1 << 20));
        let discarding = Stream { receiver: StreamReceiveMethod::Discard, ..coalescing };
        for other in [fixed, Stream::default(), discarding] {
            assert_eq!(other.receive_coalescing_delay(), None, "{other:?}");
        }
    }

    #[test]
    fn stored_settings_with_the_former_name_keep_their_delay() {
        let mut stored = serde_json::to_value(Stream::default()).unwrap();
        let fields = stored.as_object_mut().unwrap();
        fields.remove("receive_coalescing");
        fields.insert("gather".into(), 50_000.into());
        fields.insert("adapt".into(), true.into());
        let read: Stream = serde_json::from_value(stored).unwrap();
        assert_eq!(read.receive_coalescing, Nanos(50_000));
    }

    #[test]
    fn settings_that_are_not_used_are_not_stored() {
        let plain = serde_json::to_value(Stream::default()).unwrap();
        assert!(plain.get("added_cpu_time").is_none() && plain["socket"].get("segment_size").is_none());
        let added_cpu_time = AddedCpuTime { sender_ns_per_kib: 0, receiver_ns_per_kib: 500 };
        let mut used = Stream { added_cpu_time, ..Stream::default() };
        used.socket.segment_size = Some(1_000);
        for settings in [Stream::default(), used] {
            let stored = serde_json::to_value(&settings).unwrap();
            assert_eq!(serde_json::from_value::<Stream>(stored).unwrap(), settings);
        }
    }
}
