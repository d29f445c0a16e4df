//! When a wait ends.

use crate::clock;
use std::time::Duration;

/// An instant of the monotonic clock.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Deadline {
    at_ns: u64,
}

impl Deadline {
    pub(crate) fn after(patience: Duration) -> Deadline {
        let patience = u64::try_from(patience.as_nanos()).unwrap_or(u64::MAX);
        Deadline { at_ns: clock::now_ns().saturating_add(patience) }
    }

    pub(crate) fn left(self) -> Duration {
        Duration::from_nanos(self.at_ns.saturating_sub(clock::now_ns()))
    }

    pub(crate) fn has_passed(self) -> bool {
        self.left().is_zero()
    }
}
