//! In which directions file work carries data over a network at the same time.

use crate::file_results::location::has_remote_files;
use goodput_model::file::FileWorkload;
use goodput_model::probe::TransferDirection;
use goodput_model::trial::EndpointRole;
use goodput_model::{File, Trial};

/// The directions, or why no rate limits it. How much of both a mix can use depends on its operations, so it
/// has both in full.
pub(crate) fn traffic_directions(
    trial: &Trial,
    settings: &File,
) -> Result<&'static [TransferDirection], &'static str> {
    let clients =
        || trial.ends.iter().filter(|e| e.role == EndpointRole::Connect).filter_map(|e| e.file.as_deref());
    let file_system = clients().find_map(|report| report.facts.file_system.as_deref());
    match &settings.work {
        FileWorkload::Prepare { .. } | FileWorkload::Remove => {
            Err("this trial only creates or removes files")
        }
        _ if !has_remote_files(settings, file_system) => Err("the location is not reached over a network"),
        FileWorkload::Copy { .. } | FileWorkload::Row { .. } => {
            Ok(TransferDirection::Send.one_way_directions())
        }
        FileWorkload::Mix { .. } => Ok(TransferDirection::Both.one_way_directions()),
    }
}
