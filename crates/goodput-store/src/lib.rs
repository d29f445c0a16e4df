//! Keeps runs, append-only, readable for ever.
//!
//! The truth is a folder a run:
//!
//! ```text
//! <root>/<uuid v7>/
//!     run.json            the head: format, program, command, seed, labels
//!     events.jsonl        what happened, one event a line, flushed to disk at the end of each trial
//!     samples/<trial>-<host>-<series>.chunk
//!     tags.json            what somebody said of it afterwards
//! <root>/.live/<uuid>      a socket, only while that run is recorded
//! ```
//!
//! Samples lie beside the log because they are large; the log names each file with its length and
//! SHA-256. A trial counts as recorded when its chunks, then its line, are on disk; a line without its
//! newline was never acknowledged and is ignored. Nothing computed is stored. The folder holds no path
//! and no secret, so it can be mailed. [`format`](mod@format) says what may change and how.
//!
//! [`writer`] writes, [`reader`] reads one run, [`catalog`] finds runs. [`index`] knows them all, [`tags`] says what somebody
//! said of one, [`files`] and [`archive`] take runs from place to place, [`live`] lets others look on while one is recorded.

pub mod archive;
pub mod catalog;
pub mod chunk;
pub mod files;
pub mod format;
pub mod index;
#[cfg(unix)]
pub mod live;
pub mod reader;
pub mod tags;
pub mod writer;

pub use catalog::{default_root, find, list};
pub use reader::{ReadError, read, read_trials, read_without_series};
pub use writer::{Hold, RunWriter, WriteError, new_head};
