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
pub struct NoopRecorder;

impl Recorder for NoopRecorder {
    fn record(&mut self, _: &Trial) -> Result<(), RecordError> {
        Ok(())
    }
}
