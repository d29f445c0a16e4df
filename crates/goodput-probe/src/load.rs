//! One server and many clients, in one window.
//!
//! Each client opens a control connection and one connection a worker (or, in connection-rate mode, one after the other
//! on a port of the worker's own). Joining, clocks, window and heartbeats are those of `peers/`.
//!
//! | file | what it is for |
//! |---|---|
//! | `check.rs` | settings that no load can have |
//! | `draw.rs` | which transaction comes next, alike at both ends |
//! | `terms.rs` | the window, and what a mix asks of this end |
//! | `inlet.rs`, `outlet.rs`, `edges.rs`, `timed.rs` | receiving and counting, sending, the edges, latencies |
//! | `session.rs`, `reconnect.rs`, `worker.rs` | transactions by turns, connection-rate mode, one measuring thread |
//! | `crew.rs`, `farewell.rs`, `assemble.rs` | all threads of an end, and what they counted |
//! | `server.rs`, `client.rs` | the course of each end; what both probes of many clients share is in `peers/` |
//!
//! Series: `intervals-<worker>` (`end_ns` since t0 on the server's clock, `bytes`) of every receiver; `handover`, `reply`
//! and, at a client, `connect` (`slot` of 100 ms, `value_ns`, `count`, at the server also `worker`); `operations`
//! (`worker`, `count`); at a client `clock` (every exchange: `t_ns` since t0, `round_trip_ns`, `offset_ns` of its clock
//! to the server's, `bytes` both ways) and `connection-errors` (`errno`, `count`).

mod assemble;
mod check;
mod client;
mod draw;
mod edges;
mod inlet;
mod outlet;
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
use crate::peers::OwnClock;
use crate::{Cancel, Measured, Observer};
use goodput_model::load::Load;
use goodput_model::trial::Order;
use std::net::SocketAddr;

pub(crate) fn connect(
    order: &Order,
    settings: &Load,
    peer: SocketAddr,
    observer: &dyn Observer,
    cancel: &Cancel,
) -> Measured {
    client::run(order, settings, peer, observer, cancel, OwnClock::default())
}

pub(crate) fn listen(
    order: &Order,
    settings: &Load,
    expected: &Expected,
    observer: &dyn Observer,
    cancel: &Cancel,
) -> Measured {
    server::run(order, settings, expected, observer, cancel)
}
