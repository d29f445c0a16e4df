//! Decides whether repeated failures to set levels are due to one level or to everything.

use super::level_setter::LevelChange;
use goodput_words::{Message, message};
use std::collections::BTreeSet;

/// Consecutive failures before an experiment stops.
const MAX_FAILURES: u32 = 4;

#[derive(Debug, Clone, Default)]
pub(super) struct FailureStreak {
    count: u32,
    /// Levels (factor, level) that all failed cells share: any of them may be the cause.
    common: BTreeSet<(String, String)>,
}

impl FailureStreak {
    /// Adds a failure. True when no single level can explain all of them, so other cells would fail as well.
    pub(super) fn add_failure(&mut self, changes: &[LevelChange<'_>]) -> bool {
        let wanted = changes.iter().map(|c| (c.factor.name.clone(), c.level.name.clone())).collect();
        self.common = match self.count {
            0 => wanted,
            _ => self.common.intersection(&wanted).cloned().collect(),
        };
        self.count += 1;
        self.count >= MAX_FAILURES && self.common.is_empty()
    }

    /// Explains why the experiment stopped.
    pub(super) fn stop_reason(&self, last: Message) -> Message {
        message!(error_levels_times_in_a_row { count: self.count, last })
    }
}
