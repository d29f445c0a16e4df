//! All measuring threads of one end: start, supervision, collection.

use super::latency_recorder::{LatencyKind, LatencyRecorder, PerLatencyKind};
use super::parameters::{LoadWindow, WorkerParameters};
use super::worker::{self, WorkerConnection, WorkerResult, WorkerSlot};
use crate::peers::PeerState;
use crate::request::latency_histograms::HistogramCollector;
use crate::sys::{self, PageAlignedBuffer};
use crate::time::now_ns;
use crate::traffic_limits::{TrafficCounts, run_within_limits};
use crate::watch::{SampleMoment, ThreadCounters, ThreadSupervision, supervise_measurement_window};
use crate::{EndpointTrial, ProbeError, TrialProgress};
use goodput_model::load::Load;
use goodput_model::trial::{IntervalTcpStatistics, MeasurementWindow, SocketReport, TcpStatistics};
use goodput_words::message;
use std::os::fd::AsRawFd;
use std::sync::atomic::Ordering;
use std::thread::{Builder, ScopedJoinHandle, park_timeout};
use std::time::Duration;

/// Limit for data in flight after the window, not in the result: full buffers hold a slow link for a minute.
const DRAIN_NS: u64 = 3_000_000_000;

pub(super) type FinalSocketState = (Option<SocketReport>, Option<TcpStatistics>);

pub(super) struct WorkerPool<'a> {
    pub trial: EndpointTrial<'a>,
    pub settings: &'a Load,
    pub server: bool,
    pub span: &'a LoadWindow,
    pub peers: &'a [PeerState],
    /// Largest clock error: senders continue this long after the window.
    pub clock_error_ns: u64,
    /// Additional wait for data in flight at this end.
    pub longer_ns: u64,
}

pub(super) struct WorkerPoolResult<'a> {
    pub posts: Vec<WorkerSlot<'a>>,
    pub done: Vec<WorkerResult>,
    pub remains: Vec<FinalSocketState>,
    pub windows: Vec<Option<IntervalTcpStatistics>>,
    pub slots: Vec<PerLatencyKind<HistogramCollector>>,
}

fn progress(posts: &[WorkerSlot<'_>], counters: &[(ThreadCounters, ThreadCounters)]) -> TrialProgress {
    let of = |(post, (out, inn)): (&WorkerSlot<'_>, &(ThreadCounters, ThreadCounters))| {
        let bytes = inn.byte_and_syscall_counts().0;
        let counted = inn.operations.load(Ordering::Relaxed) + out.operations.load(Ordering::Relaxed);
        let plain =
            post.duty.uniform_request_size().filter(|_| matches!(post.wire, WorkerConnection::Kept(_)));
        (bytes, plain.map_or(counted, |size| bytes / size))
    };
    let each = posts.iter().zip(counters).map(of);
    let (bytes, operations) = each.fold((0, 0), |sum, s| (sum.0 + s.0, sum.1 + s.1));
    TrialProgress { bytes, operations, ..TrialProgress::default() }
}

impl<'a> WorkerPool<'a> {
    /// Runs all slots until every thread has ended, shortly after the drain at the latest.
    pub fn run_workers(&self, posts: Vec<WorkerSlot<'a>>) -> Result<WorkerPoolResult<'a>, ProbeError> {
        let EndpointTrial { order, observer, cancel } = self.trial;
        let longest =
            posts.iter().filter(|p| p.sends_data()).map(|p| p.duty.max_message_bytes()).max().unwrap_or(1);
        let message = PageAlignedBuffer::new(longest as usize, b'l').map_err(|source| {
            let what = message!(part_probe_load_message { bytes: longest.to_string() });
            ProbeError::from_io_error(what, source)
        })?;
        let shared = ThreadSupervision::new(posts.len());
        let terms = WorkerParameters {
            order,
            settings: self.settings,
            server: self.server,
            span: self.span,
            message: &message,
            read: WorkerParameters::read_buffer_bytes(posts.len()),
            stop: &shared.stop,
        };
        let counters: Vec<(ThreadCounters, ThreadCounters)> =
            posts.iter().map(|_| Default::default()).collect();
        let (mut slots, times) = self.tallies(&posts);
        let mut opened = TrialProgress::default();
        let mut edges: [Vec<Option<(u64, TcpStatistics)>>; 2] = Default::default();
        let window = MeasurementWindow {
            t0_ns: self.span.t0,
            t1_ns: self.span.end_ns(),
            clock_error_ns: self.clock_error_ns,
            ..MeasurementWindow::default()
        };
        let traffic = || -> TrafficCounts {
            posts.iter().zip(&counters).map(|(post, counters)| post.traffic(counters)).sum()
        };
        let end = || {
            shared.stop.store(true, Ordering::Release);
            self.abandon_all();
            posts.iter().for_each(WorkerSlot::abort_connection);
            shared.wake_supervisor();
        };
        let work = || {
            std::thread::scope(|scope| {
                let start = |((post, counters), times)| {
                    let (shared, terms) = (&shared, &terms);
                    let body = move || self.work(post, terms, counters, times, shared);
                    let spawned = Builder::new().name("goodput-load".into()).spawn_scoped(scope, body);
                    spawned.map_err(|source| self.not_started(post, counters, shared, source)).ok()
                };
                let threads: Vec<_> = posts.iter().zip(&counters).zip(times).map(start).collect();
                supervise_measurement_window(&window, &shared, observer, cancel, |moment| {
                    if let Some(edge) = moment.edge() {
                        edges[edge] = posts.iter().map(WorkerSlot::tcp_statistics).collect();
                    }
                    slots
                        .iter_mut()
                        .flatten()
                        .flatten()
                        .for_each(HistogramCollector::collect_full_histograms);
                    let now = progress(&posts, &counters);
                    if moment == SampleMoment::Opened {
                        opened = now;
                    }
                    TrialProgress {
                        bytes: now.bytes.saturating_sub(opened.bytes),
                        operations: now.operations.saturating_sub(opened.operations),
                        ..now
                    }
                });
                let drain = DRAIN_NS.min(order.deadlines.progress.0);
                let until = now_ns().saturating_add(drain + self.longer_ns);
                while threads.iter().flatten().any(|t| !t.is_finished()) {
                    if cancel.is_cancelled() || shared.has_thread_failed() || now_ns() >= until {
                        self.abandon_all();
                    }
                    park_timeout(Duration::from_millis(5));
                }
                let home = |(thread, post): (Option<ScopedJoinHandle<'_, WorkerResult>>, &WorkerSlot<'_>)| {
                    thread.and_then(|t| t.join().ok()).unwrap_or_else(|| self.missing(post))
                };
                threads.into_iter().zip(&posts).map(home).collect::<Vec<WorkerResult>>()
            })
        };
        let mut done = run_within_limits(observer, cancel, traffic, end, work);
        let remains = self.collect_final_socket_states(&posts, &mut done);
        let [opened, closed] = edges;
        let windows = opened
            .into_iter()
            .zip(closed)
            .map(|(o, c)| Some(IntervalTcpStatistics::from_readings(o?, c?)))
            .collect();
        Ok(WorkerPoolResult { posts, done, remains, windows, slots })
    }

    fn abandon_all(&self) {
        self.peers.iter().for_each(|p| p.abandon.store(true, Ordering::Release));
    }

    fn tallies(
        &self,
        posts: &[WorkerSlot<'_>],
    ) -> (Vec<PerLatencyKind<HistogramCollector>>, Vec<PerLatencyKind<LatencyRecorder<'a>>>) {
        let of = |post: &WorkerSlot<'_>| {
            let [a, b, c] = [LatencyKind::Handover, LatencyKind::Reply, LatencyKind::Connect].map(|kind| {
                post.measures_latency(kind)
                    .then(|| LatencyRecorder::new_with_collector(self.span, posts.len()))
                    .unzip()
            });
            ([a.0, b.0, c.0], [a.1, b.1, c.1])
        };
        posts.iter().map(of).unzip()
    }

    /// The body of a measuring thread. Failure ends a client's trial; at the server only that client's part.
    fn work<'t>(
        &'t self,
        post: &WorkerSlot<'t>,
        terms: &'t WorkerParameters<'t>,
        (out, inn): &'t (ThreadCounters, ThreadCounters),
        times: PerLatencyKind<LatencyRecorder<'t>>,
        shared: &ThreadSupervision,
    ) -> WorkerResult {
        let Some(peer) = self.peers.get(post.peer) else { return WorkerResult::default() };
        let entered = out.bind_to_thread(&self.trial.order.cpus, usize::from(post.duty.worker));
        if let WorkerConnection::Kept(link) = &post.wire {
            sys::unshare_descriptor_table(link.stream.as_raw_fd());
        }
        let mut done = match entered {
            Err(error) => WorkerResult { error: Some(error), ..WorkerResult::default() },
            Ok(()) => worker::run_worker(post, terms, peer, (out, inn), times),
        };
        let failed = done.error.is_some();
        if let Some(error) = done.error.take() {
            peer.exclude(error);
        }
        shared.deregister_thread(out, failed && !self.server);
        done
    }

    fn not_started(
        &self,
        post: &WorkerSlot<'_>,
        counters: &(ThreadCounters, ThreadCounters),
        shared: &ThreadSupervision,
        source: std::io::Error,
    ) {
        if let Some(peer) = self.peers.get(post.peer) {
            peer.exclude(ProbeError::system_error("starting a measuring thread")(source));
        }
        shared.deregister_thread(&counters.0, !self.server);
    }

    fn missing(&self, post: &WorkerSlot<'_>) -> WorkerResult {
        if let Some(peer) = self.peers.get(post.peer) {
            peer.exclude(ProbeError::thread_panicked());
        }
        WorkerResult::default()
    }
}
