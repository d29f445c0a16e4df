//! One server and many clients, in one window.
//!
//! Each client opens a control connection and one connection a worker (or, in connection-rate mode, one after the other
//! on a port of the worker's own). The server's clock is the reference: a client learns how its own stands to it by
//! exchanges before the window, the server fixes the window when all that will come have come, and each end counts by
//! its own clock. A client that does not come, comes too late or drops out is left out and named; the others go on.
//!
//! | file | what it is for |
//! |---|---|
//! | `check.rs` | settings that no load can have |
//! | `draw.rs` | which transaction comes next, alike at both ends |
//! | `terms.rs` | the window, and what a mix asks of this end |
//! | `inlet.rs`, `outlet.rs`, `edges.rs`, `timed.rs` | receiving and counting, sending, the edges, latencies |
//! | `session.rs`, `reconnect.rs`, `worker.rs` | transactions by turns, connection-rate mode, one measuring thread |
//! | `crew.rs`, `farewell.rs`, `assemble.rs` | all threads of an end, and what they counted |
//! | `control.rs`, `life.rs`, `party.rs` | the control connection, when an end is gone, what is known of one |
//! | `server.rs`, `gather.rs`, `attend.rs` | the server's course |
//! | `client.rs`, `own_clock.rs`, `offset.rs`, `pulse.rs` | a client's course and its clock |
//!
//! Series: `intervals-<worker>` (`end_ns` since t0 on the server's clock, `bytes`) of every receiver; `handover`, `reply`
//! and, at a client, `connect` (`slot` of 100 ms, `value_ns`, `count`, at the server also `worker`); `operations`
//! (`worker`, `count`); at a client `clock` (every exchange: `t_ns` since t0, `round_trip_ns`, `offset_ns` of its clock
//! to the server's, `bytes` both ways) and `connection-errors` (`errno`, `count`).

mod assemble;
mod attend;
mod check;
mod client;
pub(crate) mod control;
mod draw;
mod edges;
mod gather;
mod inlet;
pub(crate) mod life;
pub(crate) mod offset;
mod outlet;
pub(crate) mod own_clock;
pub(crate) mod party;
mod pulse;
mod reconnect;
mod server;
mod session;
mod terms;
#[cfg(test)]
mod tests;
mod timed;
mod totals_exchange;
mod worker;
mod worker_pool;

use crate::data_listener::Expected;
use crate::{Cancel, Measured, Observer};
use goodput_model::load::Load;
use goodput_model::trial::Order;
use std::net::SocketAddr;

/// Runs one client.
pub(crate) fn connect(
    order: &Order,
    settings: &Load,
    peer: SocketAddr,
    observer: &dyn Observer,
    cancel: &Cancel,
) -> Measured {
    client::run(order, settings, peer, observer, cancel, own_clock::OwnClock::default())
}

/// Runs the server.
pub(crate) fn listen(
    order: &Order,
    settings: &Load,
    expected: &Expected,
    observer: &dyn Observer,
    cancel: &Cancel,
) -> Measured {
    server::run(order, settings, expected, observer, cancel)
}
