//! Decides whether repeated failures to set levels are due to one level or to everything.

use super::level_setter::LevelChange;
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
    pub(super) fn stop_reason(&self, last: &str) -> String {
        format!(
            "levels could not be put in place {} times in a row, the last time because {last}",
            self.count
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use goodput_model::experiment::{Factor, FactorLevel, LevelMethod};

    fn factor(name: &str) -> Factor {
        let level = |name: &str| FactorLevel { name: name.into(), value: name.into() };
        let levels = vec![level("1"), level("2")];
        Factor { name: name.into(), levels, means: LevelMethod::Lab { paths: vec![] }, hard_to_change: false }
    }

    fn told(streak: &mut FailureStreak, wanted: &[(&Factor, usize)]) -> bool {
        let changes: Vec<_> =
            wanted.iter().map(|(factor, at)| LevelChange { factor, level: &factor.levels[*at] }).collect();
        streak.add_failure(&changes)
    }

    #[test]
    fn one_bad_level_never_ends_the_walk() {
        let (nic, mtu) = (factor("nic"), factor("mtu"));
        let mut streak = FailureStreak::default();
        for at in [0, 1, 1, 0, 1, 0, 0, 1] {
            assert!(!told(&mut streak, &[(&nic, 1), (&mtu, at)]));
        }
    }

    #[test]
    fn failures_that_nothing_has_in_common_end_it() {
        let (nic, mtu) = (factor("nic"), factor("mtu"));
        let mut streak = FailureStreak::default();
        assert!(!told(&mut streak, &[(&nic, 0), (&mtu, 0)]));
        assert!(!told(&mut streak, &[(&nic, 1), (&mtu, 0)]));
        assert!(!told(&mut streak, &[(&nic, 0), (&mtu, 1)]));
        assert!(told(&mut streak, &[(&nic, 1), (&mtu, 1)]));
        assert!(
            streak.stop_reason("no route").contains("4 times in a row"),
            "{}",
            streak.stop_reason("no route")
        );
    }
}
