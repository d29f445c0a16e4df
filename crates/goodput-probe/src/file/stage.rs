//! What a player is told, and what it tells.

use super::meter::Meters;
use crate::peers::Peer;
use crate::{Cancel, Observer, Progress};

/// A client's stage while its player works. The player calls it from a thread that does not work itself.
pub struct Stage<'a> {
    pub(super) observer: &'a dyn Observer,
    pub(super) cancel: &'a Cancel,
    pub(super) server: &'a Peer,
    pub(super) meters: &'a Meters,
}

impl Stage<'_> {
    /// The window has just opened: `t0_ns` on this host's monotonic clock.
    pub fn opened(&self, t0_ns: u64) {
        self.observer.opened(t0_ns);
        self.meters.open();
    }

    /// About every 100 ms while it is open.
    pub fn tick(&self, progress: Progress) {
        self.observer.tick(progress);
    }

    pub fn closed(&self, t1_ns: u64) {
        self.observer.closed(t1_ns);
        self.meters.close();
        self.observer.ended();
    }

    /// True when the work is to end early: somebody wishes it, or the listening end is gone.
    pub fn is_cancelled(&self) -> bool {
        self.cancel.is_cancelled() || self.server.is_lost()
    }
}
