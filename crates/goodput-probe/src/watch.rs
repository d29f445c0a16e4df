//! The supervising threads: one reports the window's edges on time; the other samples the counters of
//! measuring threads, and stops senders after the window.

use crate::sys::{self, PriorityBoost, PriorityLevel};
use crate::time::now_ns;
use crate::traffic_limits::{TrafficCounts, run_within_limits};
use crate::{CancelFlag, EndpointMeasurement, EndpointTrial, ProbeError, TrialObserver, TrialProgress};
use goodput_model::trial::{MeasurementWindow, ThreadTime};
use goodput_words::message;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU64, AtomicUsize, Ordering};
use std::thread::Thread;

/// Sampling interval.
const TICK_NS: u64 = 100_000_000;
/// Advance notice of the window's opening. Enough to read the counters of two dozen agents on one machine,
/// and for receivers to drain what accumulated meanwhile, which would count inside the window.
const LEAD_NS: u64 = 30_000_000;
/// Threads whose scheduling is read at an edge: each costs opening a file.
const MAX_SCHEDULED: usize = 128;

/// Counters of one measuring thread, written by it alone, on their own cache line.
#[derive(Default)]
#[repr(align(128))]
pub(crate) struct ThreadCounters {
    pub bytes: AtomicU64,
    pub calls: AtomicU64,
    pub operations: AtomicU64,
    /// Payload that no open TCP connection counts: of UDP, and of closed connections.
    sent: AtomicU64,
    received: AtomicU64,
    cpu_clock: AtomicI32,
    thread_id: AtomicI32,
    cpu_at_end_ns: AtomicU64,
}

impl ThreadCounters {
    /// Binds the counter to the calling thread; pins it if requested.
    pub fn bind_to_thread(&self, cpus: &Option<Vec<u32>>, index: usize) -> Result<(), ProbeError> {
        if let Some(cpus) = cpus.as_deref().filter(|c| !c.is_empty()) {
            let cpu = cpus[index % cpus.len()];
            let what = || message!(part_probe_pinning { cpu: cpu.to_string() });
            sys::pin_to_cpu(cpu).map_err(|source| ProbeError::from_io_error(what(), source))?;
        }
        sys::set_min_timer_slack();
        self.cpu_clock.store(sys::thread_cpu_clock(), Ordering::Relaxed);
        self.thread_id.store(sys::thread_id(), Ordering::Relaxed);
        Ok(())
    }

    /// So far; `None` once the thread has ended.
    fn thread_time(&self) -> Option<ThreadTime> {
        let id = self.thread_id.load(Ordering::Relaxed);
        let text = std::fs::read_to_string(format!("/proc/self/task/{id}/schedstat")).ok()?;
        let mut numbers = text.split_whitespace().map_while(|n| n.parse::<u64>().ok());
        Some(ThreadTime { running_ns: numbers.next()?, waiting_ns: numbers.next()? })
    }

    pub fn cpu_ns(&self) -> u64 {
        match (self.cpu_at_end_ns.load(Ordering::Relaxed), self.cpu_clock.load(Ordering::Relaxed)) {
            (0, 0) => 0,
            (0, clock) => sys::clock_ns(clock),
            (ended, _) => ended,
        }
    }

    pub fn byte_and_syscall_counts(&self) -> (u64, u64) {
        (self.bytes.load(Ordering::Relaxed), self.calls.load(Ordering::Relaxed))
    }

    pub fn all_counter_values(&self) -> (u64, u64, u64) {
        let (bytes, calls) = self.byte_and_syscall_counts();
        (bytes, calls, self.operations.load(Ordering::Relaxed))
    }

    #[inline(always)]
    pub fn add_traffic(&self, sent: u64, received: u64) {
        // Only the owner writes, so no locked instruction is needed.
        self.sent.store(self.sent.load(Ordering::Relaxed) + sent, Ordering::Relaxed);
        self.received.store(self.received.load(Ordering::Relaxed) + received, Ordering::Relaxed);
    }

    pub fn traffic(&self) -> TrafficCounts {
        TrafficCounts {
            sent: self.sent.load(Ordering::Relaxed),
            received: self.received.load(Ordering::Relaxed),
            ..TrafficCounts::default()
        }
    }

    #[inline(always)]
    pub fn set_byte_and_syscall_counts(&self, bytes: u64, calls: u64) {
        self.bytes.store(bytes, Ordering::Relaxed);
        self.calls.store(calls, Ordering::Relaxed);
    }
}

/// Shared by a trial's measuring threads and their supervisor.
pub(crate) struct ThreadSupervision {
    pub stop: AtomicBool,
    failed: AtomicBool,
    running: AtomicUsize,
    supervisor: Thread,
    edges: OnceLock<(Thread, libc::pid_t)>,
}

impl ThreadSupervision {
    /// The calling thread is the supervisor.
    pub fn new(threads: usize) -> ThreadSupervision {
        ThreadSupervision {
            stop: AtomicBool::new(false),
            failed: AtomicBool::new(false),
            running: AtomicUsize::new(threads),
            supervisor: std::thread::current(),
            edges: OnceLock::new(),
        }
    }

    pub fn deregister_thread(&self, counter: &ThreadCounters, failed: bool) {
        counter.cpu_at_end_ns.store(crate::time::thread_cpu_ns(), Ordering::Relaxed);
        if failed {
            self.failed.store(true, Ordering::Release);
        }
        self.running.fetch_sub(1, Ordering::AcqRel);
        self.wake_supervisor();
    }

    /// The supervising threads notice a cancellation at once.
    pub fn wake_supervisor(&self) {
        self.edges.get().into_iter().for_each(|(thread, _)| thread.unpark());
        self.supervisor.unpark();
    }

    fn over(&self) -> bool {
        self.running.load(Ordering::Acquire) == 0 || self.failed.load(Ordering::Acquire)
    }

    pub fn has_thread_failed(&self) -> bool {
        self.failed.load(Ordering::Acquire)
    }
}

/// A moment at which the caller takes samples.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SampleMoment {
    Opened,
    Tick,
    Closed,
    /// The window is over and a thread still waits for the other end.
    After,
}

impl SampleMoment {
    /// 0 at the opening of the window, 1 at its close.
    pub fn edge(self) -> Option<usize> {
        match self {
            SampleMoment::Opened => Some(0),
            SampleMoment::Closed => Some(1),
            SampleMoment::Tick | SampleMoment::After => None,
        }
    }
}

/// Counts of the measuring threads at the window's edges: bytes, calls, operations.
pub(crate) struct CountsAtWindowEdges {
    pub opened: Vec<(u64, u64, u64)>,
    pub closed: Vec<(u64, u64, u64)>,
    cpu: (u64, u64),
    threads: [Vec<Option<ThreadTime>>; 2],
}

impl CountsAtWindowEdges {
    pub fn new(threads: usize) -> CountsAtWindowEdges {
        let none = vec![(0, 0, 0); threads];
        CountsAtWindowEdges { opened: none.clone(), closed: none, cpu: (0, 0), threads: Default::default() }
    }

    pub fn record_counts_at_edge(&mut self, moment: SampleMoment, counters: &[ThreadCounters]) {
        let [at_opening, at_closing] = &mut self.threads;
        let (counts, cpu, threads) = match moment {
            SampleMoment::Opened => (&mut self.opened, &mut self.cpu.0, at_opening),
            SampleMoment::Closed => (&mut self.closed, &mut self.cpu.1, at_closing),
            SampleMoment::Tick | SampleMoment::After => return,
        };
        *counts = counters.iter().map(ThreadCounters::all_counter_values).collect();
        *cpu = counters.iter().map(ThreadCounters::cpu_ns).sum();
        *threads = counters.iter().take(MAX_SCHEDULED).map(ThreadCounters::thread_time).collect();
    }

    /// Of one thread over the window.
    pub fn thread_time(&self, thread: usize) -> Option<ThreadTime> {
        let [opened, closed] = &self.threads;
        let (from, to) = ((*opened.get(thread)?)?, (*closed.get(thread)?)?);
        Some(ThreadTime {
            running_ns: to.running_ns.saturating_sub(from.running_ns),
            waiting_ns: to.waiting_ns.saturating_sub(from.waiting_ns),
        })
    }

    /// CPU time over the window.
    pub fn window_cpu_ns(&self) -> u64 {
        self.cpu.1.saturating_sub(self.cpu.0)
    }
}

/// Waits through the window; `sample` is called at each moment and returns the progress. Returns when the
/// window has closed, every thread has left, one has failed, or the caller cancelled. A separate,
/// high-priority thread handles the edges, because sampling may wait for socket locks or live samples.
pub(crate) fn supervise_measurement_window(
    window: &MeasurementWindow,
    shared: &ThreadSupervision,
    observer: &dyn TrialObserver,
    cancel: &CancelFlag,
    mut sample: impl FnMut(SampleMoment) -> TrialProgress,
) {
    let end = if window.t1_ns == 0 { u64::MAX } else { window.t1_ns };
    let done = |elapsed: u64| {
        (end != u64::MAX).then(|| (elapsed as f64 / window.elapsed().0.max(1) as f64).min(1.0))
    };
    std::thread::scope(|scope| {
        let at_edges = || edges(window.t0_ns, end, shared, observer, cancel);
        // Without this thread, the observer reports a window that did not open.
        let edges = std::thread::Builder::new().name("goodput-edges".into()).spawn_scoped(scope, at_edges);
        // Counts of an edge must be those of the edge on a busy CPU, too.
        let on_time = || PriorityBoost::raise_niceness(PriorityLevel::Early);
        let boost = on_time();
        wait_until(window.t0_ns, shared, cancel);
        sample(SampleMoment::Opened);
        drop(boost);
        let mut next = window.t0_ns + TICK_NS;
        while next < end && !wait_until(next, shared, cancel) {
            let elapsed_ns = next - window.t0_ns;
            let seen = sample(SampleMoment::Tick);
            observer.progress_updated(TrialProgress {
                elapsed_ns,
                done: seen.done.or(done(elapsed_ns)),
                ..seen
            });
            next += TICK_NS;
        }
        let _boost = on_time();
        if next >= end {
            wait_until(end, shared, cancel);
        }
        sample(SampleMoment::Closed);
        // A busy thread of higher real-time priority on its only CPU would keep it from ever ending.
        let until = now_ns() + TICK_NS;
        while edges.as_ref().is_ok_and(|thread| !thread.is_finished()) {
            if let Some((_, id)) = shared.edges.get().filter(|_| now_ns() >= until) {
                sys::end_realtime_priority(*id);
            }
            std::thread::park_timeout(std::time::Duration::from_millis(1));
        }
    });
    if end != u64::MAX {
        // Senders continue until the window has closed on the other end's clock too.
        wait_until(end.saturating_add(window.clock_error_ns).saturating_add(1_000_000), shared, cancel);
    }
    shared.stop.store(true, Ordering::Release);
}

/// Reports the edges on time: clocks first, then what takes longer.
fn edges(
    t0_ns: u64,
    end: u64,
    shared: &ThreadSupervision,
    observer: &dyn TrialObserver,
    cancel: &CancelFlag,
) {
    let _ = shared.edges.set((std::thread::current(), sys::thread_id()));
    let _early = PriorityBoost::raise_thread_priority(PriorityLevel::Early);
    wait_until(t0_ns.saturating_sub(LEAD_NS), shared, cancel);
    observer.before_measurement_window();
    {
        let _first = PriorityBoost::raise_thread_priority(PriorityLevel::First);
        wait_until(t0_ns, shared, cancel);
        observer.measurement_window_opened(now_ns());
        wait_until(end, shared, cancel);
        observer.measurement_window_closed(now_ns());
    }
    observer.after_measurement_window();
}

/// Parks until the instant; true when the trial ends before.
fn wait_until(at_ns: u64, shared: &ThreadSupervision, cancel: &CancelFlag) -> bool {
    loop {
        if shared.over() || cancel.is_cancelled() {
            return true;
        }
        let now = now_ns();
        if now >= at_ns {
            return false;
        }
        // Cancelling does not unpark, so each wait is at most a tick.
        std::thread::park_timeout(std::time::Duration::from_nanos((at_ns - now).min(TICK_NS)));
    }
}

/// Runs one measuring thread under supervision: `measure` returns its value and why it broke off, if it did;
/// `unblock` ends a blocked wait on cancellation; `traffic` is that of open TCP connections. Returns what all
/// probes of one thread report alike, too.
pub(crate) fn run_supervised_thread<T: Send>(
    EndpointTrial { order, observer, cancel }: EndpointTrial<'_>,
    window: &MeasurementWindow,
    counter: &ThreadCounters,
    traffic: impl Fn() -> TrafficCounts + Sync,
    unblock: impl Fn() + Sync,
    mut sample: impl FnMut(SampleMoment) -> TrialProgress,
    measure: impl FnOnce() -> (T, Option<ProbeError>) + Send,
) -> Result<(T, EndpointMeasurement), ProbeError> {
    let shared = ThreadSupervision::new(1);
    let mut edges = CountsAtWindowEdges::new(1);
    // In this order a connection that is closed meanwhile is not counted twice.
    let counts = || -> TrafficCounts { [counter.traffic(), traffic()].into_iter().sum() };
    let end = || {
        unblock();
        shared.wake_supervisor();
    };
    let work = || {
        std::thread::scope(|scope| {
            let thread = scope.spawn(|| {
                // Unavailable CPUs are detected before a trial; here it means no pinning.
                let _ = counter.bind_to_thread(&order.cpus, 0);
                let ended = measure();
                shared.deregister_thread(counter, ended.1.is_some());
                ended
            });
            supervise_measurement_window(window, &shared, observer, cancel, |moment| {
                edges.record_counts_at_edge(moment, std::slice::from_ref(counter));
                sample(moment)
            });
            while !shared.over() && !cancel.is_cancelled() {
                sample(SampleMoment::After);
                std::thread::park_timeout(std::time::Duration::from_nanos(TICK_NS));
            }
            if cancel.is_cancelled() {
                unblock();
            }
            thread.join()
        })
    };
    let ended = run_within_limits(observer, cancel, counts, end, work);
    let (value, broken) = ended.map_err(|_| ProbeError::thread_panicked())?;
    let measured = EndpointMeasurement {
        window: *window,
        operations: counter.operations.load(Ordering::Relaxed),
        threads_ns: edges.window_cpu_ns(),
        broken: cancel.cancelled_error().or(broken),
        ..EndpointMeasurement::default()
    };
    Ok((value, measured))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::{Sender, channel};
    use std::time::Duration;

    struct Edges(Sender<&'static str>);

    impl TrialObserver for Edges {
        fn before_measurement_window(&self) {
            self.0.send("opening").unwrap();
        }
        fn measurement_window_opened(&self, _: u64) {
            self.0.send("opened").unwrap();
        }
        fn progress_updated(&self, _: TrialProgress) {}
        fn measurement_window_closed(&self, _: u64) {
            self.0.send("closed").unwrap();
        }
        fn after_measurement_window(&self) {
            self.0.send("ended").unwrap();
        }
    }

    #[test]
    fn a_thread_s_time_on_a_cpu_is_that_of_its_window() {
        let counters = [ThreadCounters::default(), ThreadCounters::default()];
        counters[0].bind_to_thread(&None, 0).unwrap();
        let mut edges = CountsAtWindowEdges::new(2);
        edges.record_counts_at_edge(SampleMoment::Opened, &counters);
        let until = crate::time::thread_cpu_ns() + TICK_NS;
        while crate::time::thread_cpu_ns() < until {}
        edges.record_counts_at_edge(SampleMoment::Closed, &counters);
        // The kernel adds up at ticks.
        let ran = edges.thread_time(0).unwrap().running_ns;
        assert!((TICK_NS / 2..2 * TICK_NS).contains(&ran), "{ran}");
        assert_eq!(edges.thread_time(1), None);
    }

    #[test]
    fn the_edges_do_not_wait_for_samples() {
        let t0_ns = now_ns() + LEAD_NS;
        let window = MeasurementWindow { t0_ns, t1_ns: t0_ns + 2 * TICK_NS, ..MeasurementWindow::default() };
        let (told, heard) = channel();
        let edges = Edges(told);
        let (mut all, pool) = (Vec::new(), ThreadSupervision::new(1));
        supervise_measurement_window(&window, &pool, &edges, &CancelFlag::default(), |moment| {
            // A sample that blocks until the window has closed.
            while moment == SampleMoment::Opened && all.last() != Some(&"ended") {
                all.push(heard.recv_timeout(Duration::from_secs(20)).expect("edges wait for a sample"));
            }
            TrialProgress::default()
        });
        assert_eq!(all, ["opening", "opened", "closed", "ended"]);
        assert!(heard.try_recv().is_err());
    }

    #[test]
    fn the_wait_for_the_other_end_s_clock_ends_with_a_cancellation() {
        let t0_ns = now_ns();
        let (t1_ns, clock_error_ns) = (t0_ns + 1, u64::MAX);
        let window = MeasurementWindow { t0_ns, t1_ns, clock_error_ns, ..MeasurementWindow::default() };
        let ((told, heard), (finish, finished)) = (channel(), channel());
        let cancel = CancelFlag::default();
        let canceller = cancel.clone();
        std::thread::spawn(move || {
            let (edges, shared) = (Edges(told), ThreadSupervision::new(1));
            supervise_measurement_window(&window, &shared, &edges, &cancel, |_| TrialProgress::default());
            finish.send(()).unwrap();
        });
        assert!(heard.iter().take(4).any(|edge| edge == "ended"));
        canceller.cancel();
        finished.recv_timeout(Duration::from_secs(20)).expect("still waits");
    }
}
