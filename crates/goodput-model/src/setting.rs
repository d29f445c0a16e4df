//! What was asked and what was obtained.

use serde::{Deserialize, Serialize};

/// One setting of a socket or a host. The kernel may give less than was asked: both are kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Setting<T> {
    /// What was asked; `None` when it was left to the system.
    pub asked: Option<T>,
    /// What was read back afterwards; `None` when the system does not tell.
    pub obtained: Option<T>,
}

/// Left to the system, which does not tell.
impl<T> Default for Setting<T> {
    fn default() -> Setting<T> {
        Setting { asked: None, obtained: None }
    }
}

impl<T: PartialEq> Setting<T> {
    /// True when something was asked and something else was obtained.
    pub fn differs(&self) -> bool {
        matches!((&self.asked, &self.obtained), (Some(a), Some(o)) if a != o)
    }
}
