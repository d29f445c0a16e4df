//! Where finished trials are stored before anybody is notified.

use crate::message::Message;
use crate::trial::Trial;
use std::error::Error;
use std::fmt;

/// Returns only when the trial is on disk. Implemented by `goodput-store`.
pub trait Recorder: Send {
    fn record(&mut self, trial: &Trial) -> Result<(), RecordError>;
}

#[derive(Debug)]
pub struct RecordError {
    pub place: String,
    pub cause: Message,
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot store the trial in {}: {}", self.place, self.cause)
    }
}

impl Error for RecordError {}

/// For `--no-save`.
pub struct NoopRecorder;

impl Recorder for NoopRecorder {
    fn record(&mut self, _: &Trial) -> Result<(), RecordError> {
        Ok(())
    }
}
