//! What was requested and what was obtained.

use serde::{Deserialize, Serialize};

/// One setting of a socket or a host. The kernel may give less than requested: both are stored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Setting<T> {
    /// `None` when it was left to the system.
    pub asked: Option<T>,
    /// Read back; `None` when the system does not tell.
    pub obtained: Option<T>,
}

impl<T> Default for Setting<T> {
    fn default() -> Setting<T> {
        Setting { asked: None, obtained: None }
    }
}

impl<T: PartialEq> Setting<T> {
    pub fn differs_from_requested(&self) -> bool {
        matches!((&self.asked, &self.obtained), (Some(a), Some(o)) if a != o)
    }
}
