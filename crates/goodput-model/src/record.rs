//! Where finished trials are stored before anybody is notified.

use crate::trial::Trial;

/// Returns only when the trial is on disk. Implemented by `goodput-store`.
pub trait Recorder: Send {
    fn record(&mut self, trial: &Trial) -> Result<(), RecordError>;
}

#[derive(Debug, thiserror::Error)]
#[error("cannot store the trial in {place}: {cause}")]
pub struct RecordError {
    pub place: String,
    pub cause: String,
}

/// For `--no-save`.
pub struct NoRecord;

impl Recorder for NoRecord {
    fn record(&mut self, _: &Trial) -> Result<(), RecordError> {
        Ok(())
    }
}
