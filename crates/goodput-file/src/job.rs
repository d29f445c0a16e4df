//! One client's part of a file trial: opened before the window, run during it, verified after it.

use crate::{FileError, Share};
use goodput_model::file::{File, FileReport, LoadFile};
use goodput_model::{Nanos, Series};
use std::sync::Arc;

/// Looks on while a job runs, from a thread that does not work itself (`Observer` of the probes, in our words).
pub trait Watch: Sync {
    /// The window has just opened, at this instant of the monotonic clock.
    fn opened(&self, t0_ns: u64);
    /// About every 100 ms while it is open.
    fn tick(&self, seen: Seen);
    fn closed(&self, t1_ns: u64);
    /// True when the job is to end early.
    fn is_cancelled(&self) -> bool;
}

#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Seen {
    /// Share of the work done, 0 to 1, where it can be known.
    pub done: Option<f64>,
    pub elapsed_ns: u64,
    /// Bytes read and written since then.
    pub bytes: u64,
    pub operations: u64,
}

#[derive(Debug, Default)]
pub struct Ran {
    /// The window's end on the monotonic clock: as ordered, or when the work ended.
    pub t1_ns: u64,
    pub report: FileReport,
    pub operations: u64,
    pub series: Vec<Series>,
    /// What the user must know.
    pub notes: Vec<String>,
    pub threads_ns: u64,
    pub broken: Option<FileError>,
}

/// One client's part of a trial.
pub trait Job: Send {
    /// Works from `t0_ns` on the monotonic clock until `t1_ns`, or until the work is done where that is `None`. What happens
    /// before `t0_ns` is warm-up. Returns in any case: every wait has `patience`.
    fn run(&mut self, t0_ns: u64, t1_ns: Option<u64>, patience: Nanos, watch: &dyn Watch) -> Ran;

    /// After the window, when nothing is measured any more: compares what was written, closes what is open.
    fn settle(&mut self, report: &mut FileReport) -> Result<(), FileError>;
}

pub struct JobOrder<'a> {
    pub settings: &'a File,
    pub client: u16,
    pub share: Box<dyn Share>,
    /// The load file that a mix with [`goodput_model::file::MixSource::LoadFile`] plays, read from this host's own disk and
    /// parsed once by whoever gives the order (this crate reads no load files); all players share it. `None` for every
    /// other work, and for our own profile, which the job makes from its seed.
    pub load: Option<Arc<LoadFile>>,
}
