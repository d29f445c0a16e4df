//! In which directions work on files carries data over a network at the same time.

use crate::file::place::is_remote;
use goodput_model::file::FileWork;
use goodput_model::probe::Direction;
use goodput_model::trial::Role;
use goodput_model::{File, Trial};

/// What is said of a limit for files: a share's own words are not taken off it, because they are no fixed part of it.
pub(super) const OVERHEAD: &str = ", before the headers of the file protocol (SMB, NFS)";

/// The directions, or why no rate limits it. A mix reads and writes; how much of both it can use depends on what is played, so
/// that it is allowed both in full.
pub(crate) fn ways(trial: &Trial, settings: &File) -> Result<&'static [Direction], &'static str> {
    let clients = || trial.ends.iter().filter(|e| e.role == Role::Connect).filter_map(|e| e.file.as_deref());
    let file_system = clients().find_map(|report| report.facts.file_system.as_deref());
    match &settings.work {
        FileWork::Prepare { .. } | FileWork::Remove => Err("this is no measurement"),
        _ if !is_remote(settings, file_system) => Err("no network lies between the client and the place"),
        FileWork::Copy { .. } | FileWork::Row { .. } => Ok(Direction::Send.parts()),
        FileWork::Mix { .. } => Ok(Direction::Both.parts()),
    }
}
