//! Where finished trials go before anybody is told of them.

use crate::trial::Trial;

/// Puts finished trials where they survive. "Recorded" means acknowledged: `record` returns only when
/// the trial is on disk. Implemented by `goodput-store`, handed in by the front doors.
pub trait Recorder: Send {
    /// Blocks until the trial with all its series is on disk.
    fn record(&mut self, trial: &Trial) -> Result<(), RecordError>;
}

/// The trial could not be put on disk.
#[derive(Debug, thiserror::Error)]
#[error("cannot store the trial in {place}: {cause}")]
pub struct RecordError {
    pub place: String,
    pub cause: String,
}

/// Keeps nothing: for `--no-save`.
pub struct NoRecord;

impl Recorder for NoRecord {
    fn record(&mut self, _: &Trial) -> Result<(), RecordError> {
        Ok(())
    }
}
