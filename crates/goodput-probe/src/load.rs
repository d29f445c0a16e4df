//! One server and many clients, in one window.

use crate::door::Expected;
use crate::{Cancel, Measured, Observer, ProbeError};
use goodput_model::load::Load;
use goodput_model::trial::Order;
use std::net::SocketAddr;

/// Runs one client.
pub(crate) fn connect(
    _order: &Order,
    _settings: &Load,
    _peer: SocketAddr,
    _observer: &dyn Observer,
    _cancel: &Cancel,
) -> Measured {
    Measured::broken(ProbeError::Settings("load is not built yet".into()))
}

/// Runs the server.
pub(crate) fn listen(
    _order: &Order,
    _settings: &Load,
    _expected: &Expected,
    _observer: &dyn Observer,
    _cancel: &Cancel,
) -> Measured {
    Measured::broken(ProbeError::Settings("load is not built yet".into()))
}
