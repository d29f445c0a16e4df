//! The agent's part in `file` trials. Clients: `player.rs`, `load.rs` (load files), `remote.rs` (sinks of
//! other agents). Server: `service.rs` (the listening end), `keeper.rs` and `sink_store.rs` (storage),
//! `disk.rs` (caches, device). Errors: `trouble.rs`.

mod client_work;
mod convert_errors;
mod disk;
mod load;
mod remote;
mod service;
mod sink_store;
mod storage;

pub(crate) use client_work::connect;
pub use load::{LoadReader, set_load_reader};
pub(crate) use service::listen;
pub(crate) use sink_store::SinkStore;
