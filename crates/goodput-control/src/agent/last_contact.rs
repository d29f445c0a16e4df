//! When a trial's coordinator was last heard: here, or by another host of the trial.
//!
//! On a link that a load has filled the coordinator's word to one host may be lost again and again. Hosts of a load
//! tell each other, beside their clock exchanges, when each of them heard it (`goodput-probe`, `load/pulse.rs`), as
//! an instant and not as a mere "yes": so the news grows old on its way, and when the coordinator is gone it is old
//! everywhere at the same time.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The last word of one trial's coordinator.
#[derive(Debug)]
pub struct LastContact {
    here: Mutex<Instant>,
    elsewhere: Mutex<Option<Instant>>,
}

impl LastContact {
    /// It has just given the order.
    pub(crate) fn now() -> LastContact {
        LastContact { here: Mutex::new(Instant::now()), elsewhere: Mutex::new(None) }
    }

    pub(super) fn heard(&self) {
        *locked(&self.here) = Instant::now();
    }

    /// Another host heard it so long ago.
    pub(super) fn heard_elsewhere(&self, ago: Duration) {
        let Some(at) = Instant::now().checked_sub(ago) else { return };
        let mut last = locked(&self.elsewhere);
        *last = Some(last.map_or(at, |last| last.max(at)));
    }

    /// How long ago it was heard here.
    pub(super) fn here(&self) -> Duration {
        locked(&self.here).elapsed()
    }

    /// How long ago it was heard by another host, as far as one has said so.
    pub(super) fn elsewhere(&self) -> Option<Duration> {
        locked(&self.elsewhere).map(|at| at.elapsed())
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
