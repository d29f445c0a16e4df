//! The interface between a client's player and its trial.

use super::meter::Meters;
use crate::peers::Peer;
use crate::{Cancel, Observer, Progress};

pub struct Stage<'a> {
    pub(super) observer: &'a dyn Observer,
    pub(super) cancel: &'a Cancel,
    pub(super) server: &'a Peer,
    pub(super) meters: &'a Meters,
}

impl Stage<'_> {
    /// The window opened at `t0_ns` on this host's monotonic clock.
    pub fn opened(&self, t0_ns: u64) {
        self.observer.opened(t0_ns);
        self.meters.open();
    }

    /// About every 100 ms during the window.
    pub fn tick(&self, progress: Progress) {
        self.observer.tick(progress);
    }

    pub fn closed(&self, t1_ns: u64) {
        self.observer.closed(t1_ns);
        self.meters.close();
        self.observer.ended();
    }

    /// True when the work must end early: on request, or the listening end is lost.
    pub fn is_cancelled(&self) -> bool {
        self.cancel.is_cancelled() || self.server.is_lost()
    }
}
