//! The agent's part in `file` trials. Clients: `player.rs`, `load.rs` (load files), `remote.rs` (sinks of
//! other agents). Server: `service.rs` (the listening end), `lab_process.rs` and `sink_store.rs` (storage),
//! `disk.rs` (caches, device). Errors: `trouble.rs`.

mod client_work;
mod convert_errors;
mod folder_record;
mod load_file;
mod remote;
mod service;
mod sink_store;
mod storage;

pub(crate) use client_work::run_connecting_endpoint;
pub use load_file::{LoadFileParser, set_load_file_parser};
pub(crate) use service::run_listening_endpoint;
pub(crate) use sink_store::SinkStore;
