//! The listening end's window: ends with its time or with the last client's work.

use super::meter::ConnectionMeterSet;
use crate::peers::PeerState;
use crate::time::now_ns;
use crate::{CancelFlag, TrialObserver, TrialProgress, sys};
use goodput_model::trial::MeasurementWindow;
use std::thread::park_timeout;
use std::time::Duration;

const TICK_NS: u64 = 100_000_000;

/// Waits through the window and reports to the observer. Returns CPU time of the serving threads, requests,
/// and the window with its actual end.
pub(super) fn supervise_measurement_window(
    mut window: MeasurementWindow,
    peers: &[PeerState],
    meters: &ConnectionMeterSet,
    observer: &dyn TrialObserver,
    cancel: &CancelFlag,
) -> (MeasurementWindow, u64, u64) {
    let job_running = || peers.iter().any(PeerState::has_unfinished_workload);
    let over = || cancel.is_cancelled() || !peers.iter().any(PeerState::is_participating);
    let fixed = (window.t1_ns > 0).then_some(window.t1_ns);
    let _ahead = sys::PriorityBoost::raise_niceness(sys::PriorityLevel::First);
    wait_until(window.t0_ns, &over);
    observer.measurement_window_opened(now_ns());
    meters.mark_measurement_start();
    let ended = || match fixed {
        Some(t1) => over() || now_ns() >= t1,
        None => over() || !job_running(),
    };
    let mut next = window.t0_ns + TICK_NS;
    loop {
        wait_until(fixed.map_or(next, |t1| t1.min(next)), &ended);
        if ended() {
            break;
        }
        let (bytes, operations, _) = meters.measurement_totals();
        let elapsed_ns = next - window.t0_ns;
        let done = fixed.map(|t1| (elapsed_ns as f64 / (t1 - window.t0_ns).max(1) as f64).min(1.0));
        observer.progress_updated(TrialProgress { done, elapsed_ns, bytes, operations });
        next += TICK_NS;
    }
    let now = now_ns();
    observer.measurement_window_closed(now);
    meters.mark_measurement_end();
    observer.after_measurement_window();
    let last = peers.iter().filter(|p| p.is_participating()).filter_map(PeerState::workload_end_time).max();
    window.t1_ns = match (fixed, over(), last) {
        (Some(t1), false, _) => t1,
        (Some(t1), true, _) => now.clamp(window.t0_ns, t1),
        (None, false, Some(last)) => last.max(window.t0_ns),
        (None, ..) => now.max(window.t0_ns),
    };
    let (_, operations, cpu_ns) = meters.measurement_totals();
    (window, operations, cpu_ns)
}

fn wait_until(at_ns: u64, over: &impl Fn() -> bool) {
    loop {
        let now = now_ns();
        if over() || now >= at_ns {
            return;
        }
        // Cancelling does not unpark, so each wait is limited.
        park_timeout(Duration::from_nanos((at_ns - now).min(TICK_NS / 2)));
    }
}
