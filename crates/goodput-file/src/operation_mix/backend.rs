//! Where a player sends its operations: a share, or a connection that carries the bytes only.

use super::expected_result::OperationOutcome;
use crate::FileError;
use goodput_model::file::{ExpectedOpStatus, FileOp};

pub(super) trait MixBackend: Send {
    /// Resets the state for a pass: nothing open, the player's folder empty.
    fn prepare_load_file_pass(&mut self) -> Result<(), FileError>;

    fn perform_operation(&mut self, op: &FileOp, expect: ExpectedOpStatus) -> OperationOutcome;

    fn request_count(&self) -> Option<u64>;

    /// Removes everything.
    fn remove_files(&mut self) -> Result<(), FileError>;

    fn display_path(&self, index: u32) -> String;
}
