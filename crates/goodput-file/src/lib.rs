//! File access in folders and on shares, and its measurement. [`share`] is the interface of every place:
//! names, handles, and lanes of reads and writes. Each kind of place (folder, SMB, NFS) is one module; the
//! control plane implements agents' sinks. Each kind of work (prepare, copy, row, mix) is one module written
//! against the interface.
//!
//! Calls block on plain threads; SMB and NFS libraries are asynchronous inside. Only files in a marked
//! workspace are ever written.

mod async_lane;
mod cache;
mod classes;
pub mod clock;
mod copy;
mod data;
pub mod disk;
mod dispatch;
mod drive_benchmark;
pub mod error;
#[cfg(test)]
mod fake;
mod fault;
pub mod folder;
mod histogram;
mod interval_bytes;
pub mod job;
pub mod mix;
pub mod nfs;
pub mod pattern;
pub mod place;
mod prepare;
pub mod profile;
mod remove;
mod runtime;
pub mod secret;
pub mod share;
pub mod smb;
mod supervise;
mod sys;
mod tcp;
mod verify;
mod work;
pub mod workspace;

pub use dispatch::job;
pub use error::{FileError, FileErrorKind};
pub use job::{Job, JobOrder, JobProgress, JobResult, Watch};
pub use share::{Done, Entry, Handle, Io, Lane, Open, RelPath, Share, Space, Status};
