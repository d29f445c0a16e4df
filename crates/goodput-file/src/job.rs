//! One client's part of a file trial: opened before the window, run during it, verified after it.

use crate::{FileError, Share};
use goodput_model::file::{DbenchLoadFile, File, FileReport};
use goodput_model::{Nanos, Series};
use std::sync::Arc;

/// Observes a running job from a supervising thread; corresponds to the probes' `TrialObserver`.
pub trait JobObserver: Sync {
    fn measurement_window_opened(&self, t0_ns: u64);
    fn progress_updated(&self, seen: JobProgress);
    fn measurement_window_closed(&self, t1_ns: u64);
    fn is_cancelled(&self) -> bool;
}

#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct JobProgress {
    pub done: Option<f64>,
    pub elapsed_ns: u64,
    pub bytes: u64,
    pub operations: u64,
}

#[derive(Debug, Default)]
pub struct JobResult {
    pub t1_ns: u64,
    pub report: FileReport,
    pub operations: u64,
    pub series: Vec<Series>,
    pub notes: Vec<String>,
    pub threads_ns: u64,
    pub broken: Option<FileError>,
}

impl JobResult {
    /// CPU time for stamping what was written; a note if it was more than a percent of the window.
    pub(crate) fn record_stamping_time(&mut self, ns: f64, t0_ns: u64) {
        self.report.stamping_ns = ns as u64;
        let window = self.t1_ns.saturating_sub(t0_ns).max(1);
        if self.report.stamping_ns * 100 > window {
            let percent = self.report.stamping_ns as f64 * 100.0 / window as f64;
            self.notes.push(format!("stamping what was written took {percent:.1} % of a CPU"));
        }
    }
}

pub trait FileJob: Send {
    /// Works from `t0_ns` until `t1_ns`, or, without it, until the work is done. Work before `t0_ns` is
    /// warm-up. Every wait is limited by `patience`.
    fn run(&mut self, t0_ns: u64, t1_ns: Option<u64>, patience: Nanos, watch: &dyn JobObserver) -> JobResult;

    /// After the window: verifies and closes.
    fn finish(&mut self, _report: &mut FileReport) -> Result<(), FileError> {
        Ok(())
    }
}

pub struct FileJobSpec<'a> {
    pub settings: &'a File,
    pub client: u16,
    pub share: Box<dyn Share>,
    /// The load file for [`goodput_model::file::FileMixSource::LoadFile`], parsed by the caller (this crate reads
    /// no load files) and shared by all players. `None` for other work and for the built-in profile.
    pub load: Option<Arc<DbenchLoadFile>>,
}
