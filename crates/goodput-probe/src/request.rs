//! Request and response.
use crate::door::Expected;
use crate::{Cancel, Measured, Observer, ProbeError};
use goodput_model::probe::Request;
use goodput_model::trial::Order;
use std::net::SocketAddr;
pub(crate) fn connect(_: &Order, _: &Request, _: SocketAddr, _: &dyn Observer, _: &Cancel) -> Measured {
    Measured::broken(ProbeError::Settings("not built yet".into()))
}
pub(crate) fn listen(_: &Order, _: &Request, _: Expected, _: &dyn Observer, _: &Cancel) -> Measured {
    Measured::broken(ProbeError::Settings("not built yet".into()))
}
