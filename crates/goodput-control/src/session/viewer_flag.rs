//! Whether a trial has observers. Agents do not know, so observers cannot affect the measurement.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Clones share the state.
#[derive(Debug, Clone, Default)]
pub struct ViewerFlag(Arc<AtomicBool>);

impl ViewerFlag {
    /// Can be called from any thread during a trial.
    pub fn set_has_viewers(&self, there: bool) {
        self.0.store(there, Ordering::Relaxed);
    }

    pub fn has_viewers(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Equal if they have the same value now.
impl PartialEq for ViewerFlag {
    fn eq(&self, other: &ViewerFlag) -> bool {
        self.has_viewers() == other.has_viewers()
    }
}
