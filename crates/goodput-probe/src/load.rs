//! Load: one server and many clients, in one window. Each client opens a control connection and one
//! connection per worker (in connection-rate mode, consecutive ones to the worker's own port). Joining,
//! clocks, window and heartbeats are in `peers/`.
//!
//! Each end: `server.rs`, `client.rs`. Settings: `check.rs`. Transactions: `sequence.rs`, `session.rs`,
//! `reconnect.rs`. A worker: `parameters.rs`, `worker.rs`, `receiver.rs`, `sender.rs`, `edges.rs`,
//! `latency_recorder.rs`. All threads of an end: `worker_pool.rs`, `totals_exchange.rs`, `assemble.rs`.
//!
//! Series: `intervals-<worker>` (`end_ns` since t0 on the server's clock, `bytes`) of every receiver;
//! `handover`, `reply` and, at a client, `connect` (`slot` of 100 ms, `value_ns`, `count`, at the server also
//! `worker`); `operations` (`worker`, `count`); at a client `clock` (every exchange: `t_ns` since t0,
//! `round_trip_ns`, `offset_ns` of its clock to the server's, `bytes` both ways) and `connection-errors`
//! (`errno`, `count`).

mod assemble;
mod check;
mod client;
mod edges;
mod latency_recorder;
mod parameters;
mod receiver;
mod reconnect;
mod sender;
mod sequence;
mod server;
mod session;
#[cfg(test)]
mod tests;
mod totals_exchange;
mod worker;
mod worker_pool;

use crate::data_listener::TrialRegistration;
use crate::peers::LocalClock;
use crate::{EndpointTrial, MeasurementResult};
use goodput_model::load::Load;
use std::net::SocketAddr;

pub(crate) fn run_connecting_end(
    trial: EndpointTrial<'_>,
    settings: &Load,
    peer: SocketAddr,
) -> MeasurementResult {
    client::run_client(trial, settings, peer, LocalClock::default())
}

pub(crate) fn run_listening_end(
    trial: EndpointTrial<'_>,
    settings: &Load,
    expected: TrialRegistration,
) -> MeasurementResult {
    server::run_server(trial, settings, &expected)
}
