//! The interface between a client's player and its trial.

use super::meter::ConnectionMeterSet;
use crate::peers::PeerState;
use crate::{CancelFlag, TrialObserver, TrialProgress};

pub struct WorkloadObserver<'a> {
    pub(super) observer: &'a dyn TrialObserver,
    pub(super) cancel: &'a CancelFlag,
    pub(super) server: &'a PeerState,
    pub(super) meters: &'a ConnectionMeterSet,
}

impl WorkloadObserver<'_> {
    /// The window opened at `t0_ns` on this host's monotonic clock.
    pub fn measurement_window_opened(&self, t0_ns: u64) {
        self.observer.measurement_window_opened(t0_ns);
        self.meters.mark_measurement_start();
    }

    /// About every 100 ms during the window.
    pub fn progress_updated(&self, progress: TrialProgress) {
        self.observer.progress_updated(progress);
    }

    pub fn measurement_window_closed(&self, t1_ns: u64) {
        self.observer.measurement_window_closed(t1_ns);
        self.meters.mark_measurement_end();
        self.observer.after_measurement_window();
    }

    /// True when the work must end early: on request, or the listening end is lost.
    pub fn is_cancelled(&self) -> bool {
        self.cancel.is_cancelled() || self.server.is_excluded()
    }
}
