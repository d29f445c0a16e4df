//! File names in a workspace, and what a target can store; shared by all jobs.

use crate::clock::now_ns;
use crate::place::room_for;
use crate::{FileError, RelPath, Share, Trouble};
use goodput_model::Bytes;
use goodput_model::file::{Place, Sink};

/// The file that is prepared, and read by copies and rows. Each client has its own; that of the first is `test`.
pub(crate) fn test_file(client: u16) -> Result<RelPath, FileError> {
    of_client("test", client)
}

pub(crate) fn copy_file(client: u16) -> Result<RelPath, FileError> {
    of_client("copy", client)
}

fn of_client(name: &str, client: u16) -> Result<RelPath, FileError> {
    match client {
        0 => RelPath::parse(name),
        client => RelPath::parse(&format!("{name}-{client}")),
    }
}

/// True for a place that keeps nothing, so that what is read from it is nobody's writing.
pub(crate) fn is_made_up(place: &Place) -> bool {
    matches!(place, Place::Sink { sink: Sink::Null | Sink::Net })
}

/// The block device below a place, `major:minor`, where that is one of this host's.
pub(crate) fn device(place: &Place, share: &dyn Share) -> Option<String> {
    matches!(place, Place::Folder { .. }).then(|| share.facts().device).flatten()
}

/// The generation of what a piece of work writes: another one for each that follows in the same workspace.
pub(crate) fn generation() -> u32 {
    // Units of 65 µs, so that it comes round after three days.
    (now_ns() >> 16) as u32
}

/// Refuses a file that would leave too little room to others, where the place says how much it has.
pub(crate) fn room(share: &dyn Share, size: u64) -> Result<(), FileError> {
    match share.space() {
        Ok(space) if space.total > 0 => room_for(Bytes(size), &space),
        Ok(_) => Ok(()),
        Err(e) if e.trouble == Trouble::NotSupported => Ok(()),
        Err(e) => Err(e),
    }
}
