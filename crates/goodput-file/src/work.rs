//! File names in a workspace, and what a target can store; shared by all jobs.

use crate::clock::now_ns;
use crate::location::check_free_space;
use crate::{FileError, FileErrorKind, RelPath, Share};
use goodput_model::Bytes;
use goodput_model::file::{DATA_BLOCK_BYTES, FileLocation, MAX_BLOCK_SIZE, SinkStorageKind};
use goodput_words::{Message, message};

/// The prepared file of a client; the first client's is `test`.
pub(crate) fn test_file_path(client: u16) -> Result<RelPath, FileError> {
    of_client("test", client)
}

pub(crate) fn copy_file_path(client: u16) -> Result<RelPath, FileError> {
    of_client("copy", client)
}

fn of_client(name: &str, client: u16) -> Result<RelPath, FileError> {
    match client {
        0 => RelPath::parse(name),
        client => RelPath::parse(&format!("{name}-{client}")),
    }
}

/// True for a place that stores nothing and generates its read data.
pub(crate) fn location_generates_read_data(place: &FileLocation) -> bool {
    matches!(place, FileLocation::Sink { sink: SinkStorageKind::Null | SinkStorageKind::Net })
}

/// `major:minor` of a local block device.
pub(crate) fn local_block_device(place: &FileLocation, share: &dyn Share) -> Option<String> {
    matches!(place, FileLocation::Folder { .. }).then(|| share.location_facts().device).flatten()
}

/// The error says why it is not possible.
pub(crate) fn check_block_size(block: Bytes) -> Result<(), Message> {
    if block.0 > 0 && block.0.is_multiple_of(DATA_BLOCK_BYTES as u64) && block <= MAX_BLOCK_SIZE {
        return Ok(());
    }
    let (size, most) = (block.0.to_string(), MAX_BLOCK_SIZE.to_string());
    Err(message!(cause_place_block_size { size, most }))
}

/// Increases with each piece of work in a workspace.
pub(crate) fn new_generation_number() -> u32 {
    // Units of 65 µs; wraps after three days.
    (now_ns() >> 16) as u32
}

pub(crate) fn check_free_space_on_share(share: &dyn Share, size: u64) -> Result<(), FileError> {
    match share.disk_space() {
        Ok(space) if space.total > 0 => check_free_space(Bytes(size), &space),
        Ok(_) => Ok(()),
        Err(e) if e.trouble == FileErrorKind::NotSupported => Ok(()),
        Err(e) => Err(e),
    }
}
