//! Stores runs append-only.
//!
//! Each run is a folder without paths or secrets, so it can be mailed:
//!
//! ```text
//! <root>/<uuid v7>/
//!   run.json            the head: format, program, command, seed, labels
//!   events.jsonl        one event per line, flushed at the end of each trial
//!   samples/<trial>-<host>-<series>.chunk
//!   tags.json           added later
//! <root>/.live/<uuid>   a socket while the run is recorded
//! ```
//!
//! The log has each sample file's length and SHA-256. A trial is recorded when its chunks, then its line, are
//! on disk; a line without newline is ignored. Nothing computed is stored. Versions: [`format`](mod@format).

pub mod archive;
pub mod catalog;
pub mod format;
pub mod index;
#[cfg(unix)]
pub mod live_socket;
mod private_files;
pub mod reader;
pub mod run_files;
mod run_folder;
pub mod sample_chunk;
pub mod tags;
pub mod writer;

pub use catalog::{default_runs_root, find_run, list_runs};
pub use private_files::create_file_anew;
pub use reader::{ReadError, read_run, read_run_without_series, read_trials};
pub use writer::{RunLock, RunWriter, WriteError, new_run_header};
