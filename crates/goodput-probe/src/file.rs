//! File trials: clients and one listening end, which agrees on the window and may store a sink. A [`Player`]
//! does the work itself. Joining, clocks, window and heartbeats are in `peers/`, shared with `load`. A window
//! has a fixed length, or ends with the last client's work.
//!
//! Clients: `client.rs`, `work_observer.rs`. Listening end: `server.rs`, `connection_gate.rs`, `window.rs`.
//! Settings: `check.rs`. Sinks: `storage.rs`, `memory.rs`, `tree.rs`. Sink protocol: `frame.rs`; server side
//! `serve.rs`, `execute.rs`; client side `remote.rs`, `data.rs`, `data_connection.rs`, `remote_io_queue.rs`.
//! Mixes without files: `tbench.rs`. Traffic: `meter.rs`.
//!
//! Data connections have the client's number as index. Series of a client: its player's and a load's `clock`.

mod check;
mod client;
mod connection_gate;
mod data;
mod data_connection;
mod execute;
mod frame;
mod fuzz;
mod memory;
mod meter;
mod remote;
mod remote_io_queue;
mod serve;
mod server;
mod storage;
mod tbench;
mod tree;
mod window;
mod work_observer;

pub use client::run_client;
pub use data::DataConnectionPool;
pub(crate) use fuzz::{decode_sink_messages, serve_sink_requests};
pub use memory::{DataGeneratorFn, MemorySink, PatternMatcherFn};
pub use remote::RemoteFiles;
pub use remote_io_queue::RemoteIoQueue;
pub use server::run_server;
pub use storage::{SinkError, SinkStorage};
pub use tbench::TbenchConnection;
pub use work_observer::WorkloadObserver;

use crate::data_listener::TrialRegistration;
use crate::{EndpointTrial, MeasurementResult, ProbeError};
use goodput_model::file::{File, FileReport};
use goodput_model::{Nanos, Series};
use std::net::SocketAddr;

/// Does one client's work. All calls come from one thread, in this order.
pub trait FileWorker {
    /// Prepares everything before the window. `data` connects to the listening end's sink; `None` for other
    /// places. A client that fails takes no part.
    fn prepare(&mut self, data: Option<&DataConnectionPool>) -> Result<(), ProbeError>;

    /// Works from `t0_ns` (this host's monotonic clock) until `t1_ns`, or, without it, until the work is
    /// done; before is warm-up. Notifies the stage and checks it for cancellation. `patience` limits waits.
    fn run_workload(
        &mut self,
        t0_ns: u64,
        t1_ns: Option<u64>,
        patience: Nanos,
        stage: &WorkloadObserver<'_>,
    ) -> FileWorkloadResult;

    /// After the window: verifies and closes.
    fn finish(&mut self, report: &mut FileReport) -> Result<(), ProbeError>;
}

#[derive(Debug, Default)]
pub struct FileWorkloadResult {
    pub t1_ns: u64,
    /// Without verification.
    pub report: FileReport,
    pub operations: u64,
    pub series: Vec<Series>,
    pub notes: Vec<String>,
    pub threads_ns: u64,
    pub broken: Option<ProbeError>,
}

/// The listening end's task besides agreeing on the window.
pub struct ListeningEndOptions<'a> {
    /// Stores the sink's files; `None` for other places, or a sink for [`TbenchConnection`].
    pub keeper: Option<&'a dyn SinkStorage>,
    /// Called when all clients are ready, before the window is fixed: the last chance to drop caches.
    pub before: &'a dyn Fn(),
}

/// Work on files needs somebody who does it: [`work`] and [`serve`].
pub(crate) fn run_connecting_end(_: EndpointTrial<'_>, _: &File, _: SocketAddr) -> MeasurementResult {
    Err(not_alone())
}

pub(crate) fn run_listening_end(_: EndpointTrial<'_>, _: &File, _: TrialRegistration) -> MeasurementResult {
    Err(not_alone())
}

fn not_alone() -> ProbeError {
    ProbeError::Settings("the probe file is not run by itself".into())
}
