//! All measuring threads of one end: start, supervision, collection.

use super::latency_recorder::{Kind, PerKind, Timed};
use super::parameters::{Span, WorkerParameters};
use super::worker::{self, Done, Wire, WorkerSlot};
use crate::peers::Peer;
use crate::request::tally::Slots;
use crate::sys::{self, Buffer};
use crate::time::now_ns;
use crate::watch::{Counter, SampleMoment, Shared, supervise};
use crate::{Cancel, Observer, ProbeError, Progress};
use goodput_model::load::Load;
use goodput_model::trial::{MeasurementWindow, SocketReport, TcpStatistics, TrialSpec, WindowTcpStatistics};
use std::os::fd::AsRawFd;
use std::sync::atomic::Ordering;
use std::thread::{Builder, ScopedJoinHandle, park_timeout};
use std::time::Duration;

/// Limit for data in flight after the window, which is not in the result: full buffers would hold a slow link
/// for a minute.
const DRAIN_NS: u64 = 3_000_000_000;

pub(super) type FinalSocketState = (Option<SocketReport>, Option<TcpStatistics>);

pub(super) struct WorkerPool<'a> {
    pub order: &'a TrialSpec,
    pub settings: &'a Load,
    pub server: bool,
    pub span: &'a Span,
    pub peers: &'a [Peer],
    /// Largest clock error: senders continue this long after the window.
    pub clock_error_ns: u64,
    /// Additional wait for data in flight at this end.
    pub longer_ns: u64,
}

pub(super) struct FinishedPool<'a> {
    pub posts: Vec<WorkerSlot<'a>>,
    pub done: Vec<Done>,
    pub remains: Vec<FinalSocketState>,
    pub windows: Vec<Option<WindowTcpStatistics>>,
    pub slots: Vec<PerKind<Slots>>,
}

fn progress(posts: &[WorkerSlot<'_>], counters: &[(Counter, Counter)]) -> Progress {
    let of = |(post, (out, inn)): (&WorkerSlot<'_>, &(Counter, Counter))| {
        let bytes = inn.get().0;
        let counted = inn.operations.load(Ordering::Relaxed) + out.operations.load(Ordering::Relaxed);
        let plain = post.duty.plain().filter(|_| matches!(post.wire, Wire::Kept(_)));
        (bytes, plain.map_or(counted, |size| bytes / size))
    };
    let each = posts.iter().zip(counters).map(of);
    let (bytes, operations) = each.fold((0, 0), |sum, s| (sum.0 + s.0, sum.1 + s.1));
    Progress { bytes, operations, ..Progress::default() }
}

impl<'a> WorkerPool<'a> {
    /// Runs all slots until every thread has ended, shortly after the drain at the latest.
    pub fn run(
        &self,
        posts: Vec<WorkerSlot<'a>>,
        observer: &dyn Observer,
        cancel: &Cancel,
    ) -> Result<FinishedPool<'a>, ProbeError> {
        let longest = posts.iter().filter(|p| p.sends()).map(|p| p.duty.longest()).max().unwrap_or(1);
        let message = Buffer::new(longest as usize, b'l')
            .map_err(|source| ProbeError::System { what: format!("a message of {longest} bytes"), source })?;
        let shared = Shared::new(posts.len());
        let terms = WorkerParameters {
            order: self.order,
            settings: self.settings,
            server: self.server,
            span: self.span,
            message: &message,
            read: WorkerParameters::read_size(posts.len()),
            stop: &shared.stop,
        };
        let counters: Vec<(Counter, Counter)> = posts.iter().map(|_| Default::default()).collect();
        let (mut slots, times) = self.tallies(&posts);
        let mut opened = Progress::default();
        let mut edges: [Vec<Option<(u64, TcpStatistics)>>; 2] = Default::default();
        let window = MeasurementWindow {
            t0_ns: self.span.t0,
            t1_ns: self.span.t1(),
            clock_error_ns: self.clock_error_ns,
            ..MeasurementWindow::default()
        };
        let mut done: Vec<Done> = std::thread::scope(|scope| {
            let start = |((post, counters), times)| {
                let (shared, terms) = (&shared, &terms);
                let body = move || self.work(post, terms, counters, times, shared);
                let spawned = Builder::new().name("goodput-load".into()).spawn_scoped(scope, body);
                spawned.map_err(|source| self.not_started(post, counters, shared, source)).ok()
            };
            let threads: Vec<_> = posts.iter().zip(&counters).zip(times).map(start).collect();
            supervise(&window, &shared, observer, cancel, |moment, _| {
                match moment {
                    SampleMoment::Opened => edges[0] = posts.iter().map(WorkerSlot::kernel).collect(),
                    SampleMoment::Closed => edges[1] = posts.iter().map(WorkerSlot::kernel).collect(),
                    SampleMoment::Tick | SampleMoment::After => {}
                }
                slots.iter_mut().flatten().flatten().for_each(Slots::collect);
                let now = progress(&posts, &counters);
                if moment == SampleMoment::Opened {
                    opened = now;
                }
                Progress {
                    bytes: now.bytes.saturating_sub(opened.bytes),
                    operations: now.operations.saturating_sub(opened.operations),
                    ..now
                }
            });
            let drain = DRAIN_NS.min(self.order.deadlines.progress.0);
            let until = now_ns().saturating_add(drain + self.longer_ns);
            while threads.iter().flatten().any(|t| !t.is_finished()) {
                if cancel.is_cancelled() || shared.stopping_early() || now_ns() >= until {
                    self.peers.iter().for_each(|p| p.abandon.store(true, Ordering::Release));
                }
                park_timeout(Duration::from_millis(5));
            }
            let home = |(thread, post): (Option<ScopedJoinHandle<'_, Done>>, &WorkerSlot<'_>)| {
                thread.and_then(|t| t.join().ok()).unwrap_or_else(|| self.missing(post))
            };
            threads.into_iter().zip(&posts).map(home).collect()
        });
        let remains = self.farewell(&posts, &mut done);
        let [opened, closed] = edges;
        let windows = opened
            .into_iter()
            .zip(closed)
            .map(|(o, c)| Some(WindowTcpStatistics::from_readings(o?, c?)))
            .collect();
        Ok(FinishedPool { posts, done, remains, windows, slots })
    }

    fn tallies(&self, posts: &[WorkerSlot<'_>]) -> (Vec<PerKind<Slots>>, Vec<PerKind<Timed<'a>>>) {
        let of = |post: &WorkerSlot<'_>| {
            let [a, b, c] = [Kind::Handover, Kind::Reply, Kind::Connect]
                .map(|kind| post.times(kind).then(|| Timed::pair(self.span, posts.len())).unzip());
            ([a.0, b.0, c.0], [a.1, b.1, c.1])
        };
        posts.iter().map(of).unzip()
    }

    /// The body of a measuring thread. Failure ends a client's trial; at the server only that client's part.
    fn work<'t>(
        &'t self,
        post: &WorkerSlot<'t>,
        terms: &'t WorkerParameters<'t>,
        (out, inn): &'t (Counter, Counter),
        times: PerKind<Timed<'t>>,
        shared: &Shared,
    ) -> Done {
        let Some(peer) = self.peers.get(post.peer) else { return Done::default() };
        let entered = out.enter(&self.order.cpus, usize::from(post.duty.worker));
        if let Wire::Kept(link) = &post.wire {
            sys::own_files(link.stream.as_raw_fd());
        }
        let mut done = match entered {
            Err(error) => Done { error: Some(error), ..Done::default() },
            Ok(()) => worker::run(post, terms, peer, (out, inn), times),
        };
        let failed = done.error.is_some();
        if let Some(error) = done.error.take() {
            peer.lose(error);
        }
        shared.leave(out, failed && !self.server);
        done
    }

    fn not_started(
        &self,
        post: &WorkerSlot<'_>,
        counters: &(Counter, Counter),
        shared: &Shared,
        source: std::io::Error,
    ) {
        if let Some(peer) = self.peers.get(post.peer) {
            peer.lose(ProbeError::System { what: "starting a measuring thread".into(), source });
        }
        shared.leave(&counters.0, !self.server);
    }

    fn missing(&self, post: &WorkerSlot<'_>) -> Done {
        if let Some(peer) = self.peers.get(post.peer) {
            peer.lose(ProbeError::Settings("a measuring thread panicked".into()));
        }
        Done::default()
    }
}
