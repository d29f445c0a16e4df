//! The supervisor: waits for the window's edges, notifies observers, reads the workers' counters, stops them.

use crate::clock::{self, now_ns};
use crate::interval_bytes::MeasurementWindowBounds;
use crate::job::{JobObserver, JobProgress};
use crate::{FileError, FileErrorKind, IoCompletion, IoQueue};
use goodput_model::Nanos;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::thread::Thread;
use std::time::Duration;

const TICK_NS: u64 = 100_000_000;
/// Longest single wait for an operation, so that cancelling is noticed.
const STEP_NS: u64 = 250_000_000;

/// Counters of one worker, written by it alone, on their own cache line.
#[derive(Default)]
#[repr(align(128))]
pub(crate) struct WorkerOperationCounters {
    bytes: AtomicU64,
    operations: AtomicU64,
}

impl WorkerOperationCounters {
    #[inline(always)]
    pub fn add_operation(&self, bytes: u64) {
        // Only the owner writes, so no locked instruction is needed.
        self.bytes.store(self.bytes.load(Ordering::Relaxed) + bytes, Ordering::Relaxed);
        self.operations.store(self.operations.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
    }

    fn get(&self) -> (u64, u64) {
        (self.bytes.load(Ordering::Relaxed), self.operations.load(Ordering::Relaxed))
    }
}

fn sum(counters: &[WorkerOperationCounters]) -> (u64, u64) {
    counters.iter().map(WorkerOperationCounters::get).fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1))
}

pub(crate) struct WorkerSupervisor {
    stop: AtomicBool,
    abandon: AtomicBool,
    failed: AtomicBool,
    running: AtomicUsize,
    ended_ns: AtomicU64,
    supervisor: Thread,
}

impl WorkerSupervisor {
    pub fn new(threads: usize) -> WorkerSupervisor {
        WorkerSupervisor {
            stop: AtomicBool::new(false),
            abandon: AtomicBool::new(false),
            failed: AtomicBool::new(false),
            running: AtomicUsize::new(threads),
            ended_ns: AtomicU64::new(0),
            supervisor: std::thread::current(),
        }
    }

    /// True after the window: no new operations begin; those in flight complete.
    #[inline(always)]
    pub fn is_stopping(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// True when the job was cancelled or another worker has failed.
    pub fn is_job_abandoned(&self) -> bool {
        self.abandon.load(Ordering::Relaxed)
    }

    pub fn register_worker(&self) -> WorkerRegistration<'_> {
        WorkerRegistration { pool: self, well: false }
    }

    fn over(&self) -> bool {
        self.running.load(Ordering::Acquire) == 0 || self.failed.load(Ordering::Acquire)
    }
}

/// A worker's registration. A panic counts as failure.
pub(crate) struct WorkerRegistration<'a> {
    pool: &'a WorkerSupervisor,
    well: bool,
}

impl WorkerRegistration<'_> {
    pub fn unregister(mut self, at_ns: u64, well: bool) {
        self.pool.ended_ns.fetch_max(at_ns, Ordering::AcqRel);
        self.well = well;
    }
}

impl Drop for WorkerRegistration<'_> {
    fn drop(&mut self) {
        if !self.well {
            self.pool.failed.store(true, Ordering::Release);
            self.pool.abandon.store(true, Ordering::Release);
        }
        self.pool.running.fetch_sub(1, Ordering::AcqRel);
        self.pool.supervisor.unpark();
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MeasurementWindowEvent {
    Opened,
    Tick,
    Closed,
}

/// Waits through the window and returns its end: as ordered, or when the work ended, failed or was cancelled.
/// `whole` is the total number of bytes, where known.
pub(crate) fn supervise_measurement_window(
    span: MeasurementWindowBounds,
    pool: &WorkerSupervisor,
    counters: &[WorkerOperationCounters],
    whole: Option<u64>,
    watch: &dyn JobObserver,
    mut sample: impl FnMut(MeasurementWindowEvent),
) -> u64 {
    wait_until(span.t0, pool, watch);
    sample(MeasurementWindowEvent::Opened);
    let before = sum(counters);
    watch.measurement_window_opened(now_ns().max(span.t0));
    let mut next = span.t0.saturating_add(TICK_NS);
    let end = span.end_or_u64_max();
    let mut over = pool.over();
    while next < end && !over {
        over = wait_until(next, pool, watch);
        if over {
            break;
        }
        sample(MeasurementWindowEvent::Tick);
        watch.progress_updated(seen(span, next, sum(counters), before, whole));
        next = next.saturating_add(TICK_NS);
    }
    let early = over || wait_until(end, pool, watch);
    let t1 = match (early, pool.ended_ns.load(Ordering::Acquire)) {
        (false, _) => end,
        (true, ended) if ended != 0 && pool.running.load(Ordering::Acquire) == 0 => ended.min(end),
        (true, _) => now_ns().min(end),
    };
    let t1 = t1.max(span.t0);
    sample(MeasurementWindowEvent::Closed);
    watch.measurement_window_closed(t1);
    if early && watch.is_cancelled() {
        pool.abandon.store(true, Ordering::Release);
    }
    pool.stop.store(true, Ordering::Release);
    t1
}

fn seen(
    span: MeasurementWindowBounds,
    at: u64,
    now: (u64, u64),
    before: (u64, u64),
    whole: Option<u64>,
) -> JobProgress {
    let elapsed_ns = at - span.t0;
    let (bytes, operations) = (now.0.saturating_sub(before.0), now.1.saturating_sub(before.1));
    let share = |part: u64, of: u64| (part as f64 / of.max(1) as f64).min(1.0);
    let done = whole
        .map(|whole| share(now.0, whole))
        .or_else(|| span.t1.map(|t1| share(elapsed_ns, t1.saturating_sub(span.t0))));
    JobProgress { done, elapsed_ns, bytes, operations }
}

/// True when the job ends before the instant.
fn wait_until(at_ns: u64, pool: &WorkerSupervisor, watch: &dyn JobObserver) -> bool {
    loop {
        if pool.over() || watch.is_cancelled() {
            return true;
        }
        let now = now_ns();
        if now >= at_ns {
            return false;
        }
        // Cancelling does not unpark, so each wait is at most a tick.
        std::thread::park_timeout(Duration::from_nanos((at_ns - now).min(TICK_NS)));
    }
}

/// Waits for a completion in steps, so that cancelling is noticed; `None` when the job is cancelled. `since`
/// is the caller's last clock reading. Fails with [`FileErrorKind::Gone`] after `patience`.
#[inline(always)]
pub(crate) fn wait_for_io_completion(
    lane: &mut dyn IoQueue,
    patience: Nanos,
    pool: &WorkerSupervisor,
    since: u64,
) -> Result<Option<IoCompletion>, FileError> {
    match lane.wait_for_completion(Duration::from_nanos(patience.0.min(STEP_NS))) {
        Ok(done) => Ok(Some(done)),
        Err(e) => again(lane, patience, pool, since, e),
    }
}

#[cold]
fn again(
    lane: &mut dyn IoQueue,
    patience: Nanos,
    pool: &WorkerSupervisor,
    since: u64,
    mut error: FileError,
) -> Result<Option<IoCompletion>, FileError> {
    let step = patience.0.min(STEP_NS);
    let mut begun = since;
    loop {
        if pool.is_job_abandoned() {
            return Ok(None);
        }
        let now = now_ns();
        // A lane that fails early has lost its server; after a full step an answer may still come.
        let waited = now.saturating_sub(begun) + 1_000_000 >= step;
        if error.trouble != FileErrorKind::Gone || !waited || now.saturating_sub(since) >= patience.0 {
            return Err(error);
        }
        begun = now;
        match lane.wait_for_completion(Duration::from_nanos(step)) {
            Ok(done) => return Ok(Some(done)),
            Err(e) => error = e,
        }
    }
}

pub(crate) fn wait_for_measurement_start(t0: u64, pool: &WorkerSupervisor) -> bool {
    loop {
        let now = now_ns();
        if now >= t0 || pool.is_job_abandoned() {
            return !pool.is_job_abandoned();
        }
        clock::sleep_until(t0.min(now + TICK_NS));
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use std::sync::Mutex;

    #[derive(Default)]
    pub(crate) struct Watched {
        pub told: Mutex<Vec<&'static str>>,
        pub seen: Mutex<Vec<JobProgress>>,
        pub cancel_after: Option<usize>,
    }

    impl JobObserver for Watched {
        fn measurement_window_opened(&self, _: u64) {
            self.told.lock().unwrap().push("opened");
        }
        fn progress_updated(&self, seen: JobProgress) {
            self.seen.lock().unwrap().push(seen);
        }
        fn measurement_window_closed(&self, _: u64) {
            self.told.lock().unwrap().push("closed");
        }
        fn is_cancelled(&self) -> bool {
            self.cancel_after.is_some_and(|ticks| self.seen.lock().unwrap().len() >= ticks)
        }
    }

    #[test]
    fn a_window_of_fixed_length_is_kept_and_told() {
        let (pool, watched) = (WorkerSupervisor::new(1), Watched::default());
        let counters = [WorkerOperationCounters::default()];
        let t0 = now_ns() + 5_000_000;
        let span = MeasurementWindowBounds { t0, t1: Some(t0 + 250_000_000) };
        let mut moments = Vec::new();
        let t1 = std::thread::scope(|scope| {
            scope.spawn(|| {
                let membership = pool.register_worker();
                assert!(wait_for_measurement_start(t0, &pool));
                while !pool.is_stopping() {
                    counters[0].add_operation(7);
                    std::thread::yield_now();
                }
                membership.unregister(now_ns(), true);
            });
            supervise_measurement_window(span, &pool, &counters, None, &watched, |moment| {
                moments.push(moment)
            })
        });
        assert_eq!((t1, watched.told.into_inner().unwrap()), (t0 + 250_000_000, vec!["opened", "closed"]));
        let edges = (moments.first(), moments.last());
        assert_eq!(edges, (Some(&MeasurementWindowEvent::Opened), Some(&MeasurementWindowEvent::Closed)));
        let seen = watched.seen.lock().unwrap();
        assert!(seen.iter().map(|s| s.elapsed_ns).eq([100_000_000, 200_000_000]));
        assert!(seen.iter().all(|s| s.bytes == 7 * s.operations && s.bytes > 0));
        assert_eq!(seen[0].done, Some(0.4));
    }

    #[test]
    fn a_thread_that_panics_ends_the_window() {
        let (pool, watched) = (WorkerSupervisor::new(2), Watched::default());
        let t0 = now_ns();
        let span = MeasurementWindowBounds { t0, t1: Some(t0 + 60_000_000_000) };
        let counters = [(); 2].map(|()| WorkerOperationCounters::default());
        let t1 = std::thread::scope(|scope| {
            let broken = scope.spawn(|| {
                let _post = pool.register_worker();
                std::panic::resume_unwind(Box::new("as a thread that panics"));
            });
            scope.spawn(|| {
                let membership = pool.register_worker();
                while !pool.is_job_abandoned() {
                    std::thread::sleep(Duration::from_millis(1));
                }
                membership.unregister(now_ns(), true);
            });
            let t1 = supervise_measurement_window(span, &pool, &counters, None, &watched, |_| {});
            assert!(broken.join().is_err());
            t1
        });
        assert!(t1 < span.end_or_u64_max() && watched.told.into_inner().unwrap() == ["opened", "closed"]);
    }
}
