//! In which directions file work carries data over a network at the same time.

use crate::file::place::is_remote;
use goodput_model::file::FileWork;
use goodput_model::probe::Direction;
use goodput_model::trial::Role;
use goodput_model::{File, Trial};

/// The file protocol's headers have no fixed size, so they are not subtracted.
pub(super) const OVERHEAD: &str = ", without the headers of the file protocol (SMB, NFS)";

/// The directions, or why no rate limits it. How much of both a mix can use depends on its operations, so it
/// has both in full.
pub(crate) fn ways(trial: &Trial, settings: &File) -> Result<&'static [Direction], &'static str> {
    let clients = || trial.ends.iter().filter(|e| e.role == Role::Connect).filter_map(|e| e.file.as_deref());
    let file_system = clients().find_map(|report| report.facts.file_system.as_deref());
    match &settings.work {
        FileWork::Prepare { .. } | FileWork::Remove => Err("this is not a measurement"),
        _ if !is_remote(settings, file_system) => Err("the location is not reached over a network"),
        FileWork::Copy { .. } | FileWork::Row { .. } => Ok(Direction::Send.parts()),
        FileWork::Mix { .. } => Ok(Direction::Both.parts()),
    }
}
