//! Works on files, in folders and on shares, and writes down what happened.
//!
//! * [`share`]: what every place can do, in one trait: names, handles, and lanes of reads and writes.
//! * Each kind of place is one module that implements it (folder, SMB, NFS). An agent's sink is implemented by the
//!   control plane on the data connections of the trial.
//! * Each piece of work is one module that is written against the trait alone (preparing, copying, rows, mixes).
//!
//! Blocking calls on plain threads. The SMB and NFS libraries are asynchronous inside; nothing outside their modules sees
//! it. No file that we did not make is ever written: everything happens in a marked folder of our own.

mod async_lane;
mod cache;
mod classes;
pub mod clock;
mod copy;
mod data;
pub mod disk;
mod dispatch;
pub mod error;
#[cfg(test)]
mod fake;
mod fault;
pub mod folder;
pub mod job;
mod ledger;
pub mod mix;
pub mod nfs;
pub mod pattern;
pub mod place;
mod prepare;
pub mod profile;
mod remove;
mod row;
mod runtime;
pub mod secret;
pub mod share;
pub mod smb;
mod supervise;
mod sys;
mod tally;
mod tcp;
mod verify;
mod work;
pub mod workspace;

pub use dispatch::job;
pub use error::{FileError, Trouble};
pub use job::{Job, JobOrder, Ran, Seen, Watch};
pub use share::{Done, Entry, Handle, Io, Lane, Open, RelPath, Share, Space, Status};
