//! File names in a workspace, and what a target can store; shared by all jobs.

use crate::clock::now_ns;
use crate::place::room_for;
use crate::{FileError, FileErrorKind, RelPath, Share};
use goodput_model::Bytes;
use goodput_model::file::{AgentSink, FileLocation};

/// The prepared file of a client; the first client's is `test`.
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

/// True for a place that stores nothing and generates its read data.
pub(crate) fn is_generated_data(place: &FileLocation) -> bool {
    matches!(place, FileLocation::Sink { sink: AgentSink::Null | AgentSink::Net })
}

/// `major:minor` of a local block device.
pub(crate) fn device(place: &FileLocation, share: &dyn Share) -> Option<String> {
    matches!(place, FileLocation::Folder { .. }).then(|| share.facts().device).flatten()
}

/// Increases with each piece of work in a workspace.
pub(crate) fn generation() -> u32 {
    // Units of 65 µs; wraps after three days.
    (now_ns() >> 16) as u32
}

pub(crate) fn room(share: &dyn Share, size: u64) -> Result<(), FileError> {
    match share.space() {
        Ok(space) if space.total > 0 => room_for(Bytes(size), &space),
        Ok(_) => Ok(()),
        Err(e) if e.trouble == FileErrorKind::NotSupported => Ok(()),
        Err(e) => Err(e),
    }
}
