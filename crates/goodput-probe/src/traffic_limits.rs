//! Keeps a trial within the rate and the amount that the agent's policy allows. A thread of its own reads what
//! sockets and measuring threads have counted, and ends the trial; without limits there is no such thread.
//! Senders keep below a limit by pacing, TCP in the kernel and UDP in `datagram/pace.rs`; this is what does not
//! depend on the order or on the other end.

use crate::sys::{PriorityBoost, PriorityLevel};
use crate::time::now_ns;
use crate::{CancelFlag, TrialObserver};
use goodput_model::probe::SocketOptions;
use goodput_model::{BitRate, Bytes};
use std::iter::Sum;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

/// Between two checks, and less before the limit of bytes is reached.
const CHECK_INTERVAL_NS: u64 = 10_000_000;
const MIN_CHECK_INTERVAL_NS: u64 = 1_000_000;
/// With the interval of the checks, 100 ms of the allowed rate.
const CREDIT_NS: u64 = 90_000_000;
/// What was not used is available later, as after a wait for the CPU or for a lost segment, up to this.
const MAX_SAVED_NS: u64 = 1_000_000_000;
/// Clocks and rounding; the rest of 1 % is for the interval.
const TOLERANCE: f64 = 0.005;
/// Opening and end of a connection are not payload.
const CONNECTION_BYTES: u64 = 128;
/// Linux paces a connection from its eleventh segment (tcp_update_skb_after_send).
pub(crate) const UNPACED_SEGMENTS: u64 = 10;

/// What a policy allows a trial at this end; `None` for anything.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TrafficLimits {
    /// Payload in one direction, all connections together.
    pub rate: Option<BitRate>,
    /// Payload of the whole trial, both directions together.
    pub bytes: Option<Bytes>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TrafficLimit {
    Rate,
    Bytes,
}

impl TrafficLimit {
    /// Its name in the policy.
    pub fn rule(self) -> &'static str {
        match self {
            TrafficLimit::Rate => "limits.rate",
            TrafficLimit::Bytes => "limits.bytes",
        }
    }
}

impl TrafficLimits {
    /// The options of a trial's only TCP connection, with pacing at the allowed rate at most.
    pub(crate) fn with_capped_pacing(&self, asked: SocketOptions) -> SocketOptions {
        let pacing = asked.pacing.into_iter().chain(self.rate).min();
        SocketOptions { pacing, ..asked }
    }

    /// Whether so many bytes may leave at once.
    pub(crate) fn admits_burst(&self, bytes: u64) -> bool {
        self.rate.is_none_or(|rate| bytes as f64 <= bytes_per_ns(rate) * CREDIT_NS as f64)
    }
}

fn bytes_per_ns(rate: BitRate) -> f64 {
    rate.0 as f64 / 8e9
}

/// Of a trial so far.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct TrafficCounts {
    pub sent: u64,
    pub received: u64,
    pub connections: u64,
    /// What may come at once before pacing begins.
    pub unpaced: u64,
}

impl TrafficCounts {
    pub fn times(self, factor: u64) -> TrafficCounts {
        let [sent, received, unpaced] =
            [self.sent, self.received, self.unpaced].map(|bytes| bytes.saturating_mul(factor));
        TrafficCounts { sent, received, unpaced, ..self }
    }
}

impl Sum for TrafficCounts {
    fn sum<I: Iterator<Item = TrafficCounts>>(all: I) -> TrafficCounts {
        all.fold(TrafficCounts::default(), |a, b| TrafficCounts {
            sent: a.sent + b.sent,
            received: a.received + b.received,
            connections: a.connections + b.connections,
            unpaced: a.unpaced + b.unpaced,
        })
    }
}

/// Runs `work`, and meanwhile checks the counts. When they exceed a limit, the trial is cancelled with that
/// reason, and `end` ends its waits. The calling thread runs `work`.
pub(crate) fn run_within_limits<R>(
    observer: &dyn TrialObserver,
    cancel: &CancelFlag,
    counts: impl Fn() -> TrafficCounts + Sync,
    end: impl Fn() + Sync,
    work: impl FnOnce() -> R,
) -> R {
    let limits = observer.traffic_limits();
    if limits == TrafficLimits::default() {
        return work();
    }
    let (working, over) = channel::<()>();
    let (counts, end) = (&counts, &end);
    std::thread::scope(|scope| {
        let check = move || {
            let (exceeded, works) = await_excess(limits, counts, &over);
            if let Some(limit) = exceeded {
                cancel.cancel_at_limit(limit);
                if works {
                    end();
                }
            }
        };
        let checking = std::thread::Builder::new().name("goodput-limits".into()).spawn_scoped(scope, check);
        if checking.is_err() {
            // Nothing would keep the limits.
            cancel.cancel();
        }
        let done = work();
        drop(working);
        done
    })
}

/// Returns when a limit is exceeded, or the work is over, and whether it still goes on. What came last is checked too:
/// a trial may be shorter than an interval.
fn await_excess(
    limits: TrafficLimits,
    counts: &impl Fn() -> TrafficCounts,
    over: &Receiver<()>,
) -> (Option<TrafficLimit>, bool) {
    let _early = PriorityBoost::raise_niceness(PriorityLevel::Early);
    let mut meter = TrafficMeter::new(limits, now_ns());
    loop {
        let pause = Duration::from_nanos(meter.pause_ns);
        let works = over.recv_timeout(pause) == Err(RecvTimeoutError::Timeout);
        // The time after the counts, which may wait for the lock of a socket.
        let counted = counts();
        let exceeded = meter.exceeded_limit(now_ns(), &counted);
        if exceeded.is_some() || !works {
            return (exceeded, works);
        }
    }
}

/// A token bucket for each direction, and the sum. Pure.
struct TrafficMeter {
    limits: TrafficLimits,
    /// Sent and received.
    directions: [DirectionMeter; 2],
    at_ns: u64,
    pause_ns: u64,
}

#[derive(Default)]
struct DirectionMeter {
    counted: u64,
    /// Bytes ahead of the rate; negative what was saved.
    ahead: f64,
}

impl DirectionMeter {
    fn advance(&mut self, bytes: u64, allowed: f64, saved: f64) {
        let more = bytes.saturating_sub(self.counted);
        self.counted += more;
        self.ahead = (self.ahead - allowed).max(-saved) + more as f64;
    }
}

impl TrafficMeter {
    fn new(limits: TrafficLimits, at_ns: u64) -> TrafficMeter {
        TrafficMeter { limits, directions: Default::default(), at_ns, pause_ns: CHECK_INTERVAL_NS }
    }

    fn counted(&self) -> u64 {
        self.directions.iter().map(|direction| direction.counted).sum()
    }

    fn exceeded_limit(&mut self, now_ns: u64, counts: &TrafficCounts) -> Option<TrafficLimit> {
        let passed_ns = now_ns.saturating_sub(self.at_ns);
        self.at_ns = now_ns;
        let before = self.counted();
        let per_ns = self.limits.rate.map_or(0.0, |rate| bytes_per_ns(rate) * (1.0 + TOLERANCE));
        let (allowed, saved) = (per_ns * passed_ns as f64, per_ns * MAX_SAVED_NS as f64);
        for (direction, bytes) in self.directions.iter_mut().zip([counts.sent, counts.received]) {
            direction.advance(bytes, allowed, saved);
        }
        let credit = per_ns * CREDIT_NS as f64 + counts.unpaced as f64;
        if self.limits.rate.is_some() && self.directions.iter().any(|direction| direction.ahead > credit) {
            return Some(TrafficLimit::Rate);
        }
        let Bytes(most) = self.limits.bytes?;
        let tolerance = (most as f64 * TOLERANCE) as u64 + counts.connections * CONNECTION_BYTES;
        let all = self.counted();
        let Some(left) = most.saturating_add(tolerance).checked_sub(all) else {
            return Some(TrafficLimit::Bytes);
        };
        // Twice before the limit, if it goes on like this.
        let until = passed_ns.max(1) as f64 * left as f64 / (all - before).max(1) as f64 / 2.0;
        self.pause_ns = (until as u64).clamp(MIN_CHECK_INTERVAL_NS, CHECK_INTERVAL_NS);
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: u64 = 1_000_000;
    /// 2,500 B in each ms.
    const RATE: BitRate = BitRate(20_000_000);

    fn meter(rate: Option<BitRate>, bytes: Option<u64>) -> TrafficMeter {
        TrafficMeter::new(TrafficLimits { rate, bytes: bytes.map(Bytes) }, 0)
    }

    fn sent(sent: u64) -> TrafficCounts {
        TrafficCounts { sent, ..TrafficCounts::default() }
    }

    fn received(received: u64) -> TrafficCounts {
        TrafficCounts { received, ..TrafficCounts::default() }
    }

    /// Bytes counted in the end, and which limit ended it.
    fn run(
        mut meter: TrafficMeter,
        counts: fn(u64) -> TrafficCounts,
        at: impl Fn(u64) -> u64,
    ) -> (u64, Option<TrafficLimit>) {
        let mut now = 0;
        while now < 20_000 * MS {
            now += meter.pause_ns;
            let limit = meter.exceeded_limit(now, &counts(at(now)));
            if limit.is_some() {
                return (at(now), limit);
            }
        }
        (at(now), None)
    }

    #[test]
    fn the_allowed_rate_may_go_on_and_more_ends_within_100_ms_of_it() {
        for counts in [sent, received] {
            let allowed = run(meter(Some(RATE), None), counts, |now| now * 2_500 / MS);
            assert_eq!(allowed.1, None);
            // Ten times the rate, and 25 Gbit/s.
            for factor in [10, 1_250] {
                let (bytes, limit) = run(meter(Some(RATE), None), counts, |now| now * 2_500 / MS * factor);
                let surplus = bytes - bytes / factor;
                assert_eq!(limit, Some(TrafficLimit::Rate));
                assert!(surplus <= 2_500 * (100 + 10 * factor), "{factor}: {surplus}");
            }
            // 5 % more is ended as soon as it is 100 ms ahead.
            let (bytes, limit) = run(meter(Some(RATE), None), counts, |now| now * 2_625 / MS);
            assert_eq!(limit, Some(TrafficLimit::Rate));
            assert!(bytes - bytes * 100 / 105 <= 2_500 * 101 + bytes / 100, "{bytes}");
        }
    }

    #[test]
    fn a_pause_saves_one_second_at_most() {
        let after = |pause: u64, burst: u64| {
            let at = move |now: u64| if now <= pause * MS { 0 } else { burst * 2_500 };
            run(meter(Some(RATE), None), received, at).1
        };
        // What was held up for half a second comes at once.
        assert_eq!(after(500, 500), None);
        assert_eq!(after(10_000, 1_000), None);
        assert_eq!(after(10_000, 1_200), Some(TrafficLimit::Rate));
    }

    #[test]
    fn directions_have_a_rate_each_and_the_bytes_together() {
        let both = |bytes: u64| TrafficCounts { sent: bytes, received: bytes, ..TrafficCounts::default() };
        assert_eq!(run(meter(Some(RATE), None), both, |now| now * 2_500 / MS).1, None);
        let (each, limit) = run(meter(None, Some(10_000_000)), both, |now| now * 2_500 / MS);
        assert_eq!(limit, Some(TrafficLimit::Bytes));
        assert!((10_000_000..=10_100_000).contains(&(2 * each)), "{each}");
    }

    #[test]
    fn bytes_end_within_one_per_cent_or_a_few_ms() {
        // 1 Gbit/s to 25 Gbit/s.
        for per_ms in [125_000, 1_250_000, 3_125_000] {
            let (bytes, limit) = run(meter(None, Some(100_000_000)), sent, |now| now * per_ms / MS);
            assert_eq!(limit, Some(TrafficLimit::Bytes));
            let most = (100_000_000 / 100).max(per_ms * 2);
            assert!(bytes > 100_000_000 && bytes - 100_000_000 <= most, "{per_ms}: {bytes}");
        }
        // Exactly what is allowed, with what the kernel counts besides.
        let end = |now: u64| (now * 1_250 / MS).min(100_000) + 33;
        let counts = |sent| TrafficCounts { sent, connections: 1, ..TrafficCounts::default() };
        assert_eq!(run(meter(None, Some(100_000)), counts, end).1, None);
    }

    #[test]
    fn the_smaller_pacing_is_used() {
        let limits = TrafficLimits { rate: Some(RATE), bytes: None };
        let asked = |pacing| SocketOptions { pacing, ..SocketOptions::default() };
        for (own, capped) in [(None, RATE), (Some(BitRate(1)), BitRate(1)), (Some(BitRate(1 << 40)), RATE)] {
            assert_eq!(limits.with_capped_pacing(asked(own)).pacing, Some(capped));
        }
        assert_eq!(TrafficLimits::default().with_capped_pacing(asked(None)).pacing, None);
        assert!(limits.admits_burst(225_000) && !limits.admits_burst(225_001));
        assert!(TrafficLimits::default().admits_burst(u64::MAX));
    }

    struct Limited(TrafficLimits);

    impl TrialObserver for Limited {
        fn measurement_window_opened(&self, _: u64) {}
        fn progress_updated(&self, _: crate::TrialProgress) {}
        fn measurement_window_closed(&self, _: u64) {}
        fn traffic_limits(&self) -> TrafficLimits {
            self.0
        }
    }

    #[test]
    fn the_limits_are_checked_by_a_thread_that_a_busy_real_time_thread_cannot_keep_from_running() {
        let limited = Limited(TrafficLimits { rate: None, bytes: Some(Bytes(1_000)) });
        let (tell, told) = channel();
        let tell = std::sync::Mutex::new(tell);
        let counts = || {
            // The 41st field is the scheduling policy (proc_pid_stat(5)); 0 is SCHED_OTHER.
            let stat = std::fs::read_to_string("/proc/thread-self/stat").unwrap();
            let policy = stat.rsplit(')').next().and_then(|fields| fields.split_whitespace().nth(38));
            let _ = tell.lock().unwrap().send(policy.map(str::to_string));
            sent(0)
        };
        let work = || told.recv_timeout(Duration::from_secs(20)).unwrap();
        let policy = run_within_limits(&limited, &CancelFlag::default(), counts, || {}, work);
        assert_eq!(policy.as_deref(), Some("0"));
    }

    #[test]
    fn work_above_a_limit_is_ended_and_other_work_is_left_alone() {
        let limited = Limited(TrafficLimits { rate: None, bytes: Some(Bytes(1_000)) });
        let (cancel, ended) = (CancelFlag::default(), channel::<()>());
        let (tell, told) = (std::sync::Mutex::new(ended.0), ended.1);
        let end = || {
            let _ = tell.lock().unwrap().send(());
        };
        let done = run_within_limits(
            &limited,
            &cancel,
            || sent(2_000),
            end,
            || told.recv_timeout(Duration::from_secs(20)).is_ok(),
        );
        assert!(done && cancel.is_cancelled());
        let why = cancel.cancelled_error().unwrap().to_string();
        assert_eq!(
            why,
            "the trial sent or received more than rule limits.bytes of the agent's policy allows"
        );
        let untouched = CancelFlag::default();
        assert_eq!(run_within_limits(&limited, &untouched, || sent(900), || {}, || 7), 7);
        assert!(!untouched.is_cancelled());
        // Perhaps over before the first check.
        let short = CancelFlag::default();
        assert_eq!(run_within_limits(&limited, &short, || sent(2_000), || {}, || 7), 7);
        assert!(short.is_cancelled());
    }
}
