//! Whether a trial has observers. Agents do not know, so observers cannot affect the measurement.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Clones share the state.
#[derive(Debug, Clone, Default)]
pub struct Onlookers(Arc<AtomicBool>);

impl Onlookers {
    /// Can be called from any thread during a trial.
    pub fn set(&self, there: bool) {
        self.0.store(there, Ordering::Relaxed);
    }

    pub fn are_there(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Equal if they have the same value now.
impl PartialEq for Onlookers {
    fn eq(&self, other: &Onlookers) -> bool {
        self.are_there() == other.are_there()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clone_is_about_the_same_ones() {
        let onlookers = Onlookers::default();
        let plan = onlookers.clone();
        onlookers.set(true);
        assert!(plan.are_there());
        assert_ne!(plan, Onlookers::default());
    }
}
