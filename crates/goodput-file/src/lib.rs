//! Works on files, in folders and on shares, and writes down what happened.
//!
//! * [`share`]: what every place can do, in one trait: names, handles, and lanes of reads and writes.
//! * Each kind of place is one module that implements it (folder, SMB, NFS). An agent's sink is implemented by the
//!   control plane on the data connections of the trial.
//! * Each piece of work is one module that is written against the trait alone (preparing, copying, rows, mixes).
//!
//! Blocking calls on plain threads. The SMB and NFS libraries are asynchronous inside; nothing outside their modules sees
//! it. No file that we did not make is ever written: everything happens in a marked folder of our own.

pub mod error;
pub mod job;
pub mod share;

pub use error::{FileError, Trouble};
pub use job::{Job, JobOrder, Ran, Seen, Watch};
pub use share::{Done, Entry, Handle, Io, Lane, Open, RelPath, Share, Space, Status};
