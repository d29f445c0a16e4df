//! One server and many clients.

use super::Measured;
use goodput_model::load::Load;
use goodput_model::trial::Trial;

/// What passed through the server in the window that all clients shared.
pub(super) fn measure(_trial: &Trial, _settings: &Load) -> Measured {
    Measured::default()
}
