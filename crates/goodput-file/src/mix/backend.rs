//! What a player sends its operations to: a share, or a connection that only carries the bytes.

use super::judge::Outcome;
use crate::FileError;
use goodput_model::file::{Expect, FileOp};

/// A place, or a wire that only carries the bytes which a server would have exchanged.
pub(super) trait Backend: Send {
    /// Everything is as a pass finds it: nothing open, the player's own folder empty.
    ///
    /// # Errors
    /// When it cannot be brought into that state.
    fn begin_pass(&mut self) -> Result<(), FileError>;

    /// Does one operation, not one that only steers the player.
    fn perform(&mut self, op: &FileOp, expect: Expect) -> Outcome;

    /// Requests on the wire so far, where they are counted.
    fn requests(&self) -> Option<u64>;

    /// Leaves nothing behind.
    ///
    /// # Errors
    /// When something stays.
    fn leave(&mut self) -> Result<(), FileError>;

    /// A path of the load as this player has it, for words to the user.
    fn path(&self, index: u32) -> String;
}
