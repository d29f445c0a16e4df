//! Whether somebody looks on at a trial who has nothing to do with it. Agents never hear of them: what is measured is the same
//! with onlookers and without.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether somebody looks on. A clone is about the same ones.
#[derive(Debug, Clone, Default)]
pub struct Onlookers(Arc<AtomicBool>);

impl Onlookers {
    /// Says whether there are any now; from any thread, also while a trial is under way.
    pub fn set(&self, there: bool) {
        self.0.store(there, Ordering::Relaxed);
    }

    pub fn are_there(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Two are equal that say the same now.
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
