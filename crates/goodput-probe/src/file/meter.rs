//! Traffic of each data connection before, in and after the window. Counts only data of reads and writes, or
//! whole messages of a mix without files.

use crate::link::{ProbeConnection, abort_connection, control_socket_options};
use crate::socket::TcpInfo;
use crate::time::now_ns;
use crate::traffic_limits::TrafficCounts;
use crate::watch::ThreadCounters;
use crate::{locked, socket};
use goodput_model::probe::TransferDirection;
use goodput_model::trial::{Flow, IntervalTcpStatistics, TcpStatistics};
use socket2::SockRef;
use std::net::Shutdown;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

pub(super) struct ConnectionMeter {
    pub link: Arc<ProbeConnection>,
    pub thread: ThreadCounters,
    sent: AtomicU64,
    received: AtomicU64,
    requests: AtomicU64,
    first: AtomicU64,
    last: AtomicU64,
    opened: OnceLock<Mark>,
    closed: OnceLock<Mark>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Mark {
    sent: u64,
    received: u64,
    requests: u64,
    cpu_ns: u64,
    tcp: Option<(u64, TcpStatistics)>,
}

impl ConnectionMeter {
    fn new(link: Arc<ProbeConnection>) -> ConnectionMeter {
        ConnectionMeter {
            link,
            thread: ThreadCounters::default(),
            sent: AtomicU64::new(0),
            received: AtomicU64::new(0),
            requests: AtomicU64::new(0),
            first: AtomicU64::new(u64::MAX),
            last: AtomicU64::new(0),
            opened: OnceLock::new(),
            closed: OnceLock::new(),
        }
    }

    #[inline]
    pub fn count_request(&self, sent: u64, received: u64) {
        self.sent.fetch_add(sent, Ordering::Relaxed);
        self.received.fetch_add(received, Ordering::Relaxed);
        self.requests.fetch_add(1, Ordering::Relaxed);
        if received > 0 && self.opened.get().is_some() && self.closed.get().is_none() {
            let now = now_ns();
            self.first.fetch_min(now, Ordering::Relaxed);
            self.last.store(now, Ordering::Relaxed);
        }
    }

    fn mark(&self) -> Mark {
        Mark {
            sent: self.sent.load(Ordering::Relaxed),
            received: self.received.load(Ordering::Relaxed),
            requests: self.requests.load(Ordering::Relaxed),
            cpu_ns: self.thread.cpu_ns(),
            tcp: None,
        }
    }

    fn edge(&self) -> Mark {
        Mark { tcp: self.link.tcp_statistics().map(|account| (now_ns(), account)), ..self.mark() }
    }

    fn marks(&self) -> [Mark; 3] {
        let now = self.mark();
        let opened = self.opened.get().copied().unwrap_or(now);
        [opened, self.closed.get().copied().unwrap_or(now), now]
    }

    fn flow(&self, index: u16, listens: bool, receives: bool) -> Option<Flow> {
        let of = |m: &Mark| if receives { m.received } else { m.sent };
        let [opened, closed, now] = self.marks();
        if of(&now) == 0 {
            return None;
        }
        let seen = |at: &AtomicU64| {
            let at = at.load(Ordering::Relaxed);
            (receives && !matches!(at, 0 | u64::MAX)).then_some(at)
        };
        Some(Flow {
            index,
            direction: if listens == receives { TransferDirection::Send } else { TransferDirection::Receive },
            receives,
            before_bytes: of(&opened),
            window_bytes: of(&closed).saturating_sub(of(&opened)),
            after_bytes: of(&now).saturating_sub(of(&closed)),
            tcp_window: opened
                .tcp
                .zip(closed.tcp)
                .map(|(first, last)| IntervalTcpStatistics::from_readings(first, last)),
            calls: closed.requests.saturating_sub(opened.requests),
            first_byte_ns: seen(&self.first),
            last_byte_ns: seen(&self.last),
            socket: socket::read_effective_socket_options(&self.link.stream, &control_socket_options()),
            tcp: self.link.tcp_statistics(),
            ..Flow::default()
        })
    }
}

#[derive(Default)]
pub(super) struct ConnectionMeterSet(Mutex<State>);

#[derive(Default)]
struct State {
    all: Vec<Arc<ConnectionMeter>>,
    opened: bool,
    closed: bool,
}

impl ConnectionMeterSet {
    pub fn add_connection(&self, link: Arc<ProbeConnection>) -> Arc<ConnectionMeter> {
        let meter = Arc::new(ConnectionMeter::new(link));
        let mut state = locked(&self.0);
        if state.opened {
            let _ = meter.opened.set(Mark::default());
        }
        if state.closed {
            let _ = meter.closed.set(Mark::default());
        }
        state.all.push(meter.clone());
        meter
    }

    pub fn len(&self) -> usize {
        locked(&self.0).all.len()
    }

    pub fn mark_measurement_start(&self) {
        let mut state = locked(&self.0);
        state.opened = true;
        for meter in &state.all {
            let _ = meter.opened.set(meter.edge());
        }
    }

    pub fn mark_measurement_end(&self) {
        let mut state = locked(&self.0);
        state.closed = true;
        for meter in &state.all {
            let _ = meter.closed.set(meter.edge());
        }
    }

    /// Bytes both ways, requests and CPU time of the serving threads in the window so far.
    pub fn measurement_totals(&self) -> (u64, u64, u64) {
        let each = |m: &Arc<ConnectionMeter>| {
            let [opened, closed, _] = m.marks();
            let bytes = (closed.sent + closed.received).saturating_sub(opened.sent + opened.received);
            let requests = closed.requests.saturating_sub(opened.requests);
            (bytes, requests, closed.cpu_ns.saturating_sub(opened.cpu_ns))
        };
        locked(&self.0).all.iter().map(each).fold((0, 0, 0), |sum, m| (sum.0 + m.0, sum.1 + m.1, sum.2 + m.2))
    }

    /// Each direction with data of each connection. Indices are local: the ends match connections by address.
    pub fn to_flows(&self, listens: bool) -> Vec<Flow> {
        let all = locked(&self.0).all.clone();
        let each = |(index, meter): (u16, &Arc<ConnectionMeter>)| {
            [true, false]
                .map(|receives| meter.flow(index, listens, receives))
                .into_iter()
                .flatten()
                .collect::<Vec<_>>()
        };
        (0..u16::MAX).zip(&all).flat_map(each).collect()
    }

    /// Of all connections so far, with requests.
    pub fn traffic(&self) -> TrafficCounts {
        let all = locked(&self.0).all.clone();
        all.iter().filter_map(|meter| TcpInfo::read(&meter.link.stream)).map(|info| info.traffic()).sum()
    }

    /// At a limit: what waits to be sent is discarded.
    pub fn abort_connections(&self) {
        locked(&self.0).all.iter().for_each(|meter| abort_connection(&meter.link.stream));
    }

    pub fn shut_down_connections(&self) {
        for meter in &locked(&self.0).all {
            let _ = SockRef::from(&meter.link.stream).shutdown(Shutdown::Both);
        }
    }
}
