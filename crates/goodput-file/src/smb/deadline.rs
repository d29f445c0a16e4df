//! A deadline on the monotonic clock.

use crate::clock;
use std::time::Duration;

#[derive(Debug, Clone, Copy)]
pub(super) struct Deadline {
    at_ns: u64,
}

impl Deadline {
    pub(super) fn after(patience: Duration) -> Deadline {
        let patience = u64::try_from(patience.as_nanos()).unwrap_or(u64::MAX);
        Deadline { at_ns: clock::now_ns().saturating_add(patience) }
    }

    pub(super) fn remaining(self) -> Duration {
        Duration::from_nanos(self.at_ns.saturating_sub(clock::now_ns()))
    }

    pub(super) fn has_passed(self) -> bool {
        self.remaining().is_zero()
    }
}
