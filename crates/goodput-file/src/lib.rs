//! File access in folders and on shares, and its measurement. [`share`] is the interface of every place:
//! names, handles, and lanes of reads and writes. Each kind of place (folder, SMB, NFS) is one module; the
//! control plane implements agents' sinks. Each kind of work (prepare, copy, row, mix) is one module.
//!
//! Calls block on plain threads; SMB and NFS libraries are asynchronous inside. Only files in a marked
//! workspace are ever written.

pub mod attempt;
pub mod benchmark_profile;
mod cache;
mod classes;
pub mod clock;
mod copy;
mod data;
pub mod disk_meter;
mod dispatch;
mod drive_benchmark;
pub mod error;
#[cfg(test)]
mod fake;
pub mod folder;
mod future_io_queue;
mod histogram;
mod interval_bytes;
pub mod job;
pub mod location;
pub mod nfs;
mod open_files;
mod operation_error;
pub mod operation_mix;
mod prepare;
mod remove;
mod runtime;
pub mod share;
pub mod smb;
pub mod smb_password;
mod supervise;
mod sys;
mod tcp;
mod verify;
pub mod wildcard;
mod work;
pub mod workspace;

pub use dispatch::create_file_job;
pub use error::{ErrorText, FileError};
pub use goodput_model::file::{DiskSpace, FileErrorKind, FileOpenOptions, FileStatus, FolderEntry};
pub use job::{FileJob, FileJobSpec, JobObserver, JobProgress, JobResult};
pub use share::{FileHandle, IoCompletion, IoQueue, IoRequest, RelPath, Share};
pub use tcp::AddressFilter;

use std::sync::{Mutex, MutexGuard, PoisonError};

/// A lock; what a panicked holder left is used.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
