//! The listening end's window: fixed and told, watched through, closed with its time or with the last client's work.

use super::attend::Client;
use super::meter::Meters;
use crate::clock::now_ns;
use crate::wire::{Message, Op};
use crate::{Cancel, Observer, Progress, sys};
use goodput_model::file::File;
use goodput_model::trial::Window;
use std::io::Write;
use std::thread::park_timeout;
use std::time::Duration;

/// Time for the word to reach everybody and for threads to start, beside what each client and the paths add.
const LEAD_NS: u64 = 50_000_000;
const LEAD_PER_CLIENT_NS: u64 = 1_000_000;
/// How often progress is told.
const TICK_NS: u64 = 100_000_000;

/// Fixes the window and tells it to every client that is ready. `t1_ns` is 0 where it ends with the work.
pub(super) fn begin(settings: &File, clients: &[Client]) -> Window {
    let clock_error_ns = clients.iter().filter_map(|c| c.party.clock_error_ns()).max().unwrap_or(0);
    let (warm_up, length) = settings.window();
    let lead = LEAD_NS + LEAD_PER_CLIENT_NS * clients.len() as u64 + 4 * clock_error_ns;
    let t0_ns = now_ns() + lead + warm_up.0;
    let t1_ns = length.map_or(0, |length| t0_ns + length.0);
    let go = Message { op: Op::Go, a: t0_ns, b: t1_ns, c: 0, d: clock_error_ns };
    for party in clients.iter().map(|c| &c.party) {
        if party.clock_error_ns().is_none() || party.is_lost() {
            continue;
        }
        party.run();
        if let Some(control) = party.control()
            && let Err(e) = (&control.stream).write_all(&go.encode())
        {
            party.lose(control.broken("the window", e));
        }
    }
    Window { t0_ns, t1_ns, clock_offset_ns: 0, clock_error_ns }
}

/// Waits through the window and tells the observer. Comes back with CPU time of the serving threads and requests in it,
/// and the window with the end that it had.
pub(super) fn watch(
    mut window: Window,
    clients: &[Client],
    meters: &Meters,
    observer: &dyn Observer,
    cancel: &Cancel,
) -> (Window, u64, u64) {
    let at_work = || clients.iter().any(Client::is_at_work);
    let over = || cancel.is_cancelled() || !clients.iter().any(Client::counts);
    let fixed = (window.t1_ns > 0).then_some(window.t1_ns);
    let _ahead = sys::Ahead::of_others(sys::Rank::First);
    wait_until(window.t0_ns, &over);
    observer.opened(now_ns());
    meters.open();
    let ended = || match fixed {
        Some(t1) => over() || now_ns() >= t1,
        None => over() || !at_work(),
    };
    let mut next = window.t0_ns + TICK_NS;
    loop {
        wait_until(fixed.map_or(next, |t1| t1.min(next)), &ended);
        if ended() {
            break;
        }
        let (bytes, operations, _) = meters.so_far();
        let elapsed_ns = next - window.t0_ns;
        let done = fixed.map(|t1| (elapsed_ns as f64 / (t1 - window.t0_ns).max(1) as f64).min(1.0));
        observer.tick(Progress { done, elapsed_ns, bytes, operations });
        next += TICK_NS;
    }
    let now = now_ns();
    observer.closed(now);
    meters.close();
    observer.ended();
    let last = clients.iter().filter(|c| c.counts()).filter_map(Client::ended).max();
    window.t1_ns = match (fixed, over(), last) {
        (Some(t1), false, _) => t1,
        (Some(t1), true, _) => now.clamp(window.t0_ns, t1),
        (None, false, Some(last)) => last.max(window.t0_ns),
        (None, ..) => now.max(window.t0_ns),
    };
    let (_, operations, cpu_ns) = meters.so_far();
    (window, operations, cpu_ns)
}

/// Parks until the instant, or until it is over.
fn wait_until(at_ns: u64, over: &impl Fn() -> bool) {
    loop {
        let now = now_ns();
        if over() || now >= at_ns {
            return;
        }
        // Cancelling wakes nobody, so no single wait is longer than this.
        park_timeout(Duration::from_nanos((at_ns - now).min(TICK_NS / 2)));
    }
}
