//! Bulk TCP: settings of the probe `stream`.

pub(crate) mod metrics;
pub(crate) mod result;
pub(crate) mod rfc6349;

use super::options::{Direction, SocketOptions, Stop};
use super::{Bulk, Demand, LiveRate, Role, Settings};
use crate::units::{Bytes, Nanos};
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Stream {
    pub direction: Direction,
    pub connections: u16,
    /// One `write` by default.
    pub message: Bytes,
    /// Largest return of one `read`.
    pub read: Bytes,
    pub stop: Stop,
    /// Zero when stopping by bytes or count.
    pub warm_up: Nanos,
    pub sender: Sender,
    pub receiver: Receiver,
    /// The receiver waits this long after a short read that returned at once; 0 is off. `gather` in older
    /// runs.
    #[serde(default, alias = "gather")]
    pub receive_coalescing: Nanos,
    pub socket: SocketOptions,
    pub interval: Nanos,
}

/// How a sender passes messages to the kernel. Anything but `Write` is named in the result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Sender {
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
pub enum Receiver {
    Read,
    /// MSG_TRUNC: the kernel drops the bytes without copying them.
    Discard,
}

impl Stream {
    pub const MESSAGE: Bytes = Bytes(128 << 10);
    /// Larger reads gain nothing and cost bbr a tenth.
    pub const READ: Bytes = Bytes(128 << 10);

    /// The delay where it has an effect. A receiver that discards never waits, nor does one with a fixed
    /// buffer, which data could fill during the delay.
    pub fn coalescing_delay(&self) -> Option<Nanos> {
        let possible = self.receiver == Receiver::Read && self.socket.receive_buffer.is_none();
        Some(self.receive_coalescing).filter(|delay| possible && delay.0 > 0)
    }
}

impl Default for Stream {
    fn default() -> Self {
        Stream {
            direction: Direction::Send,
            connections: 1,
            message: Stream::MESSAGE,
            read: Stream::READ,
            stop: Stop::Time(Nanos(10 * Nanos::SECOND.0)),
            warm_up: Nanos::SECOND,
            sender: Sender::Write,
            receiver: Receiver::Read,
            receive_coalescing: Nanos(0),
            socket: SocketOptions::default(),
            interval: Nanos(100_000_000),
        }
    }
}

impl Settings for Stream {
    type Result = result::StreamResult;

    fn window(&self) -> (Nanos, Option<Nanos>) {
        self.stop.window(self.warm_up)
    }

    fn demand(&self, _role: Role, _client: u16) -> Demand {
        let (connections, parts) = (u32::from(self.connections), self.direction.parts().len() as u64);
        let rate = self.socket.paced(connections);
        Demand::stopping(rate, (self.stop, self.warm_up), connections * parts as u32, parts, self.message)
    }

    fn counts_at(&self, role: Role) -> bool {
        self.direction.arrives_at(role)
    }

    fn is_bidirectional(&self) -> bool {
        self.direction == Direction::Both
    }

    fn live(&self) -> LiveRate {
        LiveRate::Bytes
    }

    fn bulk(&self) -> Option<Bulk> {
        let Stream { connections: count, direction, stop, .. } = *self;
        Some(Bulk { kind: "connection", count, direction, stop })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coalescing_needs_reads_into_a_buffer_that_the_kernel_sizes() {
        let coalescing = Stream { receive_coalescing: Nanos(50_000), ..Stream::default() };
        assert_eq!(coalescing.coalescing_delay(), Some(Nanos(50_000)));
        let mut fixed = coalescing.clone();
        fixed.socket.receive_buffer = Some(Bytes(1 << 20));
        for other in [fixed, Stream::default(), Stream { receiver: Receiver::Discard, ..coalescing }] {
            assert_eq!(other.coalescing_delay(), None, "{other:?}");
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
}
