//! The settings of each probe: what a trial is asked to do.
//!
//! A settings value is complete: defaults are filled in by [`Default`], and what stands in a stored
//! run is what was used.

use crate::datagram::Datagram;
use crate::file::File;
use crate::latency::Latency;
use crate::load::Load;
use crate::mtu::Mtu;
use crate::units::{BitRate, Bytes, Nanos};
use serde::{Deserialize, Serialize};

/// One kind of measurement with its settings.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Probe {
    /// Message-size sweep, `docs/methods/pingpong.md`.
    PingPong(PingPong),
    /// Bulk TCP, `docs/methods/stream.md`.
    Stream(Stream),
    /// Request and response, `docs/methods/request.md`.
    Request(Request),
    /// UDP datagrams, `docs/methods/datagram.md`.
    Datagram(Datagram),
    /// Path MTU, `docs/methods/mtu.md`.
    Mtu(Mtu),
    /// Latency on an idle and on a loaded path, `docs/methods/latency.md`.
    Latency(Latency),
    /// One server and many clients, `docs/methods/load.md`.
    Load(Load),
    /// Work on files, `docs/methods/file.md`.
    File(File),
}

impl Probe {
    /// The command's name: `pingpong`, `stream`, `request`, `datagram`, `mtu`, `latency`, `load`,
    /// `file`.
    pub fn name(&self) -> &'static str {
        match self {
            Probe::PingPong(_) => "pingpong",
            Probe::Stream(_) => "stream",
            Probe::Request(_) => "request",
            Probe::Datagram(_) => "datagram",
            Probe::Mtu(_) => "mtu",
            Probe::Latency(_) => "latency",
            Probe::Load(_) => "load",
            Probe::File(_) => "file",
        }
    }

    /// Warm-up and length of the window; `None` where the settings do not fix it.
    pub fn window(&self) -> (Nanos, Option<Nanos>) {
        match self {
            Probe::Stream(s) => s.stop.window(s.warm_up),
            Probe::Request(r) => r.stop.window(r.warm_up),
            Probe::Datagram(d) => d.stop.window(d.warm_up),
            Probe::Mtu(m) => (Nanos(0), Some(m.time)),
            Probe::Latency(l) => (l.warm_up, Some(l.time)),
            Probe::Load(l) => (l.warm_up, Some(l.time)),
            Probe::File(f) => f.window(),
            Probe::PingPong(_) => (Nanos(0), None),
        }
    }
}

/// Socket options asked for on both ends. `None` leaves the option to the kernel.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct SocketOptions {
    /// SO_SNDBUF, as a person means it: bytes the application may fill.
    pub send_buffer: Option<Bytes>,
    /// SO_RCVBUF, likewise.
    pub receive_buffer: Option<Bytes>,
    /// TCP_CONGESTION.
    pub congestion: Option<String>,
    /// TCP_NODELAY.
    pub no_delay: Option<bool>,
    /// SO_MAX_PACING_RATE of each connection.
    pub pacing: Option<BitRate>,
}

/// The message-size sweep.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PingPong {
    /// The sizes in the order of the schedule; the connecting end decides every size and stop.
    pub sizes: Vec<Bytes>,
    /// How a size is measured.
    pub method: PingPongMethod,
    /// Ping-pong, streaming (`-s`) or both ways at once (`-2`).
    pub pattern: Pattern,
    /// Walk through a region larger than the caches so that every message is cold.
    pub cold: bool,
    /// Check every byte of every message at both ends (outside the timed span).
    pub integrity: bool,
    /// Socket options of the one connection. TCP_NODELAY is on unless asked otherwise.
    pub socket: SocketOptions,
    /// Round trips kept as samples, at the most; batches are always kept.
    pub sample_cap: u32,
}

/// The shape of an exchange.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Pattern {
    /// There and back; the time is half a round trip.
    PingPong,
    /// One way only, timed by the receiver.
    Streaming,
    /// Both ends send, then both receive; the time is the whole exchange.
    TwoWay,
}

/// How a size of the sweep is measured and when it is finished.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "mode", rename_all = "lowercase")]
pub enum PingPongMethod {
    /// Batches in several shuffled passes until the interval of batch medians is narrow enough.
    Native {
        /// Full width of the interval aimed at, in per cent of the median.
        width_percent: f64,
        /// Time spent on one size at the most.
        cap: Nanos,
        /// Passes through all sizes at the least.
        passes: u32,
        /// Batches of each size at the least.
        batches: u32,
        /// Seed of the shuffled order.
        seed: u64,
    },
    /// NetPIPE 3.7.2's schedule: warm-up of 100, three timed loops, best of three, one shared buffer.
    Compat {
        /// Timed loops a size (TRIALS, 3).
        trials: u32,
        /// Aimed length of one loop (RUNTM, 0.1 s).
        run_time: Nanos,
        /// Fixed number of repeats (`-n`).
        repeats: Option<u32>,
        /// New connection after the warm-up and after every loop (`-r`).
        reset: bool,
    },
}

/// Which way data flows, seen from the `--from` (connecting) end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    /// The connecting end sends.
    Send,
    /// The connecting end receives.
    Receive,
    /// Both at once, on separate connections.
    Both,
}

impl Direction {
    /// The single directions that this one consists of.
    pub fn parts(self) -> &'static [Direction] {
        match self {
            Direction::Send => &[Direction::Send],
            Direction::Receive => &[Direction::Receive],
            Direction::Both => &[Direction::Send, Direction::Receive],
        }
    }
}

/// When a trial ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Stop {
    /// After this long a window.
    Time(Nanos),
    /// After this many bytes in each direction, over all its connections. No warm-up.
    Bytes(Bytes),
    /// After this many messages or transactions in each direction. No warm-up.
    Count(u64),
}

impl Stop {
    /// Warm-up and length of the window: a trial that ends by bytes or count has neither, it runs to its last byte.
    pub fn window(self, warm_up: Nanos) -> (Nanos, Option<Nanos>) {
        match self {
            Stop::Time(length) => (warm_up, Some(length)),
            Stop::Bytes(_) | Stop::Count(_) => (Nanos(0), None),
        }
    }
}

/// Bulk TCP.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Stream {
    /// Which way data flows.
    pub direction: Direction,
    /// Connections in each direction.
    pub connections: u16,
    /// Bytes in one message: one `write` by default.
    pub message: Bytes,
    /// The most that one `read` may return.
    pub read: Bytes,
    /// When to stop.
    pub stop: Stop,
    /// Time before the window that is not counted; zero when stopping by bytes or count.
    pub warm_up: Nanos,
    /// How messages are handed to the kernel.
    pub sender: Sender,
    /// How they are taken from it.
    pub receiver: Receiver,
    /// Receive coalescing: the receiver waits this long after a short read that returned at once; 0 is off.
    /// Stored runs before this name have `gather`.
    #[serde(default, alias = "gather")]
    pub receive_coalescing: Nanos,
    /// Socket options.
    pub socket: SocketOptions,
    /// Length of one interval sample.
    pub interval: Nanos,
}

/// How a sender hands messages to the kernel. Anything but `Write` is named in the result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Sender {
    /// One `write` a message.
    Write,
    /// This many messages in one `writev`.
    Batch(u16),
    /// `sendfile` from a memory file.
    Sendfile,
    /// MSG_ZEROCOPY, with the kernel's word on whether it copied all the same.
    ZeroCopy,
}

/// How a receiver takes data from the kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Receiver {
    /// `read` into a buffer.
    Read,
    /// MSG_TRUNC: the kernel drops the bytes without copying them.
    Discard,
}

/// Request and response.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Request {
    /// Transport and connection pattern.
    pub transport: RequestKind,
    /// Bytes of a request.
    pub request: Bytes,
    /// Bytes of a response.
    pub response: Bytes,
    /// Transactions in flight (closed loop), 1 or more.
    pub outstanding: u32,
    /// Open loop: transactions a second, sent on schedule whatever comes back.
    pub rate: Option<f64>,
    /// How both ends wait for data.
    pub wait: Wait,
    /// When to stop.
    pub stop: Stop,
    /// Time before the window that is not counted.
    pub warm_up: Nanos,
    /// Socket options.
    pub socket: SocketOptions,
}

/// Transport and connection pattern of a request probe; the names are netperf's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RequestKind {
    /// One TCP connection.
    TcpRr,
    /// UDP.
    UdpRr,
    /// A new TCP connection for each transaction.
    TcpCrr,
}

/// How an end waits for data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Wait {
    /// Sleep in the kernel until data is there.
    Sleep,
    /// Ask again and again; costs a CPU at each end.
    Spin,
}

impl Stream {
    /// The size of a message unless asked otherwise.
    pub const MESSAGE: Bytes = Bytes(128 << 10);
    /// What one read may return unless asked otherwise. Larger reads gain nothing and cost bbr a tenth.
    pub const READ: Bytes = Bytes(128 << 10);

    /// The delay of receive coalescing, where the settings have it in effect. A receiver that discards never waits, nor does
    /// one whose buffer the user has fixed: data that arrives during the delay could fill it.
    pub fn coalescing_delay(&self) -> Option<Nanos> {
        let possible = self.receiver == Receiver::Read && self.socket.receive_buffer.is_none();
        Some(self.receive_coalescing).filter(|delay| possible && delay.0 > 0)
    }
}

impl Default for Stream {
    /// One connection sending 128 KiB messages for 10 s after 1 s of warm-up.
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

impl Default for Request {
    /// One byte each way over TCP, one in flight, sleeping, for 10 s after 1 s of warm-up.
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

impl Default for PingPongMethod {
    /// Native: interval 2 % wide, 0.15 s a size at the most, 10 batches in 3 passes.
    fn default() -> Self {
        PingPongMethod::Native {
            width_percent: 2.0,
            cap: Nanos(150_000_000),
            passes: 3,
            batches: 10,
            seed: 0,
        }
    }
}

impl PingPongMethod {
    /// NetPIPE 3.7.2 as Debian builds it: three loops of 0.1 s.
    pub fn netpipe() -> Self {
        PingPongMethod::Compat { trials: 3, run_time: Nanos(100_000_000), repeats: None, reset: false }
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
