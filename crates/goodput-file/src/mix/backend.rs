//! Where a player sends its operations: a share, or a connection that carries the bytes only.

use super::expected_result::Outcome;
use crate::FileError;
use goodput_model::file::{ExpectedStatus, FileOp};

pub(super) trait Backend: Send {
    /// Resets the state for a pass: nothing open, the player's folder empty.
    fn begin_pass(&mut self) -> Result<(), FileError>;

    fn perform(&mut self, op: &FileOp, expect: ExpectedStatus) -> Outcome;

    fn requests(&self) -> Option<u64>;

    /// Removes everything.
    fn leave(&mut self) -> Result<(), FileError>;

    fn path(&self, index: u32) -> String;
}
