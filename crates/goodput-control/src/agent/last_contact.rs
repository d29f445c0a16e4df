//! Time since a trial's coordinator was last heard, here or by another host of the trial. Where a load fills
//! the link to one host, coordinator messages may be lost; hosts therefore tell each other when they last
//! heard it (`goodput-probe`, `peers/heartbeat.rs`), as an instant, which ages equally everywhere.

use crate::locked;
use std::sync::Mutex;
use std::time::{Duration, Instant};

#[derive(Debug)]
pub struct LastContact {
    here: Mutex<Instant>,
    elsewhere: Mutex<Option<Instant>>,
}

impl LastContact {
    /// The coordinator has just sent the order.
    pub(crate) fn now() -> LastContact {
        LastContact { here: Mutex::new(Instant::now()), elsewhere: Mutex::new(None) }
    }

    pub(super) fn record_contact(&self) {
        *locked(&self.here) = Instant::now();
    }

    pub(super) fn record_peer_reported_contact(&self, ago: Duration) {
        let Some(at) = Instant::now().checked_sub(ago) else { return };
        let mut last = locked(&self.elsewhere);
        *last = Some(last.map_or(at, |last| last.max(at)));
    }

    pub(super) fn elapsed(&self) -> Duration {
        locked(&self.here).elapsed()
    }

    /// Time since another host heard it; `None` if none has reported.
    pub(super) fn time_since_peer_last_heard_from_us(&self) -> Option<Duration> {
        locked(&self.elsewhere).map(|at| at.elapsed())
    }
}
