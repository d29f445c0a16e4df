//! The other end of a trial: at the server a client, at a client the server.

use super::liveness::{LivenessFailure, Packets};
use crate::ProbeError;
use crate::link::Link;
use crate::socket::Info;
use goodput_model::load::ExcludedClient;
use std::net::TcpListener;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Shared state. Measuring threads read [`Peer::abandon`] only.
pub(crate) struct Peer {
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
    control: Option<Arc<Link>>,
    links: Vec<Arc<Link>>,
    listeners: Vec<(u16, TcpListener)>,
    clock_error_ns: Option<u64>,
    lost: Option<Exclusion>,
}

/// Why an end is excluded.
pub(crate) struct Exclusion {
    pub error: ProbeError,
    pub midway: bool,
}

impl Peer {
    pub fn new(name: String, workers: Vec<u16>) -> Peer {
        Peer {
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

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Its control connection arrived; false for a second one.
    pub fn join(&self, control: Arc<Link>) -> bool {
        let mut state = self.state();
        let first = state.control.is_none() && state.lost.is_none();
        if first {
            state.control = Some(control);
        }
        first
    }

    pub fn control(&self) -> Option<Arc<Link>> {
        self.state().control.clone()
    }

    /// A worker's connection arrived; false for an unexpected one.
    pub fn add(&self, link: Arc<Link>) -> bool {
        let mut state = self.state();
        let awaited = self.workers.contains(&link.index)
            && state.lost.is_none()
            && state.links.iter().all(|l| l.index != link.index);
        if awaited {
            state.links.push(link);
        }
        awaited
    }

    pub fn watch(&self, link: Arc<Link>) {
        self.state().links.push(link);
    }

    pub fn add_listener(&self, worker: u16, listener: TcpListener) {
        self.state().listeners.push((worker, listener));
    }

    pub fn links(&self) -> Vec<Arc<Link>> {
        self.state().links.clone()
    }

    pub fn take_listeners(&self) -> Vec<(u16, TcpListener)> {
        std::mem::take(&mut self.state().listeners)
    }

    /// It is ready, with this clock error.
    pub fn ready(&self, clock_error_ns: u64) {
        self.state().clock_error_ns = Some(clock_error_ns);
    }

    pub fn clock_error_ns(&self) -> Option<u64> {
        self.state().clock_error_ns
    }

    pub fn arrived(&self) -> usize {
        let state = self.state();
        state.links.len() + state.listeners.len()
    }

    pub fn run(&self) {
        self.running.store(true, Ordering::Release);
    }

    pub fn is_running(&self) -> bool {
        self.running.load(Ordering::Acquire)
    }

    pub fn finish(&self) {
        self.finished.store(true, Ordering::Release);
    }

    pub fn is_finished(&self) -> bool {
        self.finished.load(Ordering::Acquire)
    }

    pub fn counts(&self) -> bool {
        self.is_running() && !self.is_lost()
    }

    pub fn end_work(&self, at: u64) {
        self.ended.store(at, Ordering::Release);
    }

    pub fn work_ended(&self) -> Option<u64> {
        Some(self.ended.load(Ordering::Acquire)).filter(|at| *at > 0)
    }

    pub fn is_at_work(&self) -> bool {
        self.counts() && self.work_ended().is_none()
    }

    /// It was silent for too long.
    pub fn lose_contact(&self, gone: LivenessFailure) {
        self.lose(self.lost_contact(gone));
    }

    pub fn lost_contact(&self, gone: LivenessFailure) -> ProbeError {
        let (what, ns) = match gone {
            LivenessFailure::Silent { ns } => ("packet", ns),
            LivenessFailure::Stalled { ns } => ("heartbeat and no data", ns),
        };
        ProbeError::Deadline { what, from: self.name.clone(), seconds: (ns as f64 / 1e7).round() / 100.0 }
    }

    /// Excludes it; the first reason is kept.
    pub fn lose(&self, error: ProbeError) {
        let midway = self.is_running();
        self.state().lost.get_or_insert(Exclusion { error, midway });
        self.abandon.store(true, Ordering::Release);
    }

    pub fn is_lost(&self) -> bool {
        self.state().lost.is_some()
    }

    pub fn left_by_itself(&self) -> bool {
        matches!(&self.state().lost, Some(Exclusion { error: ProbeError::PeerGone { .. }, .. }))
    }

    pub fn cause(&self) -> Option<String> {
        self.state().lost.as_ref().map(|lost| sentence(&lost.error))
    }

    pub fn take_lost(&self) -> Option<Exclusion> {
        self.state().lost.take()
    }

    /// TCP_INFO of all its connections. Only user data counts as progress: a stopped program's kernel
    /// acknowledges control messages too.
    pub fn packets(&self) -> Option<Packets> {
        let state = self.state();
        let control = state.control.iter().map(|l| (l, 0));
        let workers = state.links.iter().map(|l| (l, 1));
        let mut packets = Packets { ago_ns: u64::MAX, moved: 0 };
        for (link, counts) in control.chain(workers) {
            let info = Info::take(&link.stream)?;
            packets.ago_ns = packets.ago_ns.min(info.heard_ago_ns());
            packets.moved = packets.moved.wrapping_add(info.moved() * counts);
        }
        Some(packets)
    }
}

impl Exclusion {
    pub fn excluded(&self, name: &str) -> ExcludedClient {
        ExcludedClient { host: name.into(), cause: sentence(&self.error), midway: self.midway }
    }
}

fn sentence(error: &ProbeError) -> String {
    let mut text = error.to_string();
    let mut source = std::error::Error::source(error);
    while let Some(error) = source {
        text.push_str(&format!(": {error}"));
        source = error.source();
    }
    text
}
