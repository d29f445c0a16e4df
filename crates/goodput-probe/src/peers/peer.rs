//! The other end of a trial: at the server a client, at a client the server.

use super::liveness::{LivenessFailure, PacketActivity};
use crate::link::ProbeConnection;
use crate::socket::TcpInfo;
use crate::{ProbeError, locked};
use goodput_model::load::ExcludedClient;
use goodput_words::{ErrorMessage, Message};
use std::net::TcpListener;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

/// Shared state. Measuring threads read [`Peer::abandon`] only.
pub(crate) struct PeerState {
    pub name: String,
    pub workers: Vec<u16>,
    pub awaited: bool,
    pub abandon: AtomicBool,
    running: AtomicBool,
    finished: AtomicBool,
    /// End of its work, on this host's clock; 0 before.
    ended: AtomicU64,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    control: Option<Arc<ProbeConnection>>,
    links: Vec<Arc<ProbeConnection>>,
    listeners: Vec<(u16, TcpListener)>,
    clock_error_ns: Option<u64>,
    lost: Option<PeerExclusion>,
}

/// Why an end is excluded.
pub(crate) struct PeerExclusion {
    pub error: ProbeError,
    pub midway: bool,
}

impl PeerState {
    pub fn new(name: String, workers: Vec<u16>) -> PeerState {
        PeerState {
            name,
            workers,
            awaited: true,
            abandon: AtomicBool::new(false),
            running: AtomicBool::new(false),
            finished: AtomicBool::new(false),
            ended: AtomicU64::new(0),
            state: Mutex::default(),
        }
    }

    /// Its control connection arrived; false for a second one.
    pub fn set_control_connection(&self, control: Arc<ProbeConnection>) -> bool {
        let mut state = locked(&self.state);
        let first = state.control.is_none() && state.lost.is_none();
        if first {
            state.control = Some(control);
        }
        first
    }

    pub fn control_connection(&self) -> Option<Arc<ProbeConnection>> {
        locked(&self.state).control.clone()
    }

    /// A worker's connection arrived; false for an unexpected one.
    pub fn add_worker_connection(&self, link: Arc<ProbeConnection>) -> bool {
        let mut state = locked(&self.state);
        let awaited = self.workers.contains(&link.index)
            && state.lost.is_none()
            && state.links.iter().all(|l| l.index != link.index);
        if awaited {
            state.links.push(link);
        }
        awaited
    }

    pub fn add_monitored_connection(&self, link: Arc<ProbeConnection>) {
        locked(&self.state).links.push(link);
    }

    pub fn add_listener(&self, worker: u16, listener: TcpListener) {
        locked(&self.state).listeners.push((worker, listener));
    }

    pub fn connections(&self) -> Vec<Arc<ProbeConnection>> {
        locked(&self.state).links.clone()
    }

    pub fn take_listeners(&self) -> Vec<(u16, TcpListener)> {
        std::mem::take(&mut locked(&self.state).listeners)
    }

    /// It is ready, with this clock error.
    pub fn set_ready(&self, clock_error_ns: u64) {
        locked(&self.state).clock_error_ns = Some(clock_error_ns);
    }

    pub fn clock_error_ns(&self) -> Option<u64> {
        locked(&self.state).clock_error_ns
    }

    pub fn connection_count(&self) -> usize {
        let state = locked(&self.state);
        state.links.len() + state.listeners.len()
    }

    pub fn set_running(&self) {
        self.running.store(true, Ordering::Release);
    }

    pub fn is_running(&self) -> bool {
        self.running.load(Ordering::Acquire)
    }

    pub fn set_finished(&self) {
        self.finished.store(true, Ordering::Release);
    }

    pub fn is_finished(&self) -> bool {
        self.finished.load(Ordering::Acquire)
    }

    pub fn is_participating(&self) -> bool {
        self.is_running() && !self.is_excluded()
    }

    pub fn set_workload_end_time(&self, at: u64) {
        self.ended.store(at, Ordering::Release);
    }

    pub fn workload_end_time(&self) -> Option<u64> {
        Some(self.ended.load(Ordering::Acquire)).filter(|at| *at > 0)
    }

    pub fn has_unfinished_workload(&self) -> bool {
        self.is_participating() && self.workload_end_time().is_none()
    }

    pub fn exclude_unresponsive_peer(&self, gone: LivenessFailure) {
        self.exclude(self.unresponsive_error(gone));
    }

    pub fn unresponsive_error(&self, gone: LivenessFailure) -> ProbeError {
        let (what, ns) = match gone {
            LivenessFailure::Silent { ns } => ("packet", ns),
            LivenessFailure::Stalled { ns } => ("heartbeat and no data", ns),
        };
        ProbeError::deadline_exceeded(what, &self.name, (ns as f64 / 1e7).round() / 100.0)
    }

    /// Excludes it; the first reason is kept.
    pub fn exclude(&self, error: ProbeError) {
        let midway = self.is_running();
        locked(&self.state).lost.get_or_insert(PeerExclusion { error, midway });
        self.abandon.store(true, Ordering::Release);
    }

    pub fn is_excluded(&self) -> bool {
        locked(&self.state).lost.is_some()
    }

    pub fn has_disconnected(&self) -> bool {
        matches!(&locked(&self.state).lost, Some(PeerExclusion { error: ProbeError::PeerGone { .. }, .. }))
    }

    pub fn exclusion_cause(&self) -> Option<Message> {
        locked(&self.state).lost.as_ref().map(|lost| lost.error.message_with_sources())
    }

    pub fn take_exclusion(&self) -> Option<PeerExclusion> {
        locked(&self.state).lost.take()
    }

    /// TCP_INFO of all its connections. Only user data counts as progress: a stopped program's kernel
    /// acknowledges control messages too.
    pub fn packet_activity(&self) -> Option<PacketActivity> {
        let state = locked(&self.state);
        let control = state.control.iter().map(|l| (l, 0));
        let workers = state.links.iter().map(|l| (l, 1));
        let mut packets = PacketActivity { ago_ns: u64::MAX, moved: 0 };
        for (link, counts) in control.chain(workers) {
            let info = TcpInfo::read(&link.stream)?;
            packets.ago_ns = packets.ago_ns.min(info.since_last_packet_ns());
            packets.moved = packets.moved.wrapping_add(info.bytes_transferred() * counts);
        }
        Some(packets)
    }
}

impl PeerExclusion {
    pub fn to_excluded_client(&self, name: &str) -> ExcludedClient {
        let cause = self.error.message_with_sources();
        ExcludedClient { host: name.into(), cause, midway: self.midway }
    }
}
