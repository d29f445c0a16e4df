//! Rejects invalid settings of file trials.

use crate::ProbeError;
use goodput_model::Bytes;
use goodput_model::file::{
    File, FileLocation, FileWorkload, MAX_BLOCK_SIZE, MAX_SIMULATED_CLIENTS, MAX_STORAGE_PASSES,
    SinkStorageKind, WORKSPACE_PREFIX, is_path_in_workspace,
};
use goodput_words::{Message, message};

/// Maximum operations in flight of a client.
const DEEPEST: u32 = 65_536;

pub(super) fn validate_settings(settings: &File) -> Result<(), ProbeError> {
    match wrong(settings) {
        None => Ok(()),
        Some(why) => Err(ProbeError::Settings(why)),
    }
}

fn wrong(settings: &File) -> Option<Message> {
    let clients = settings.clients.len();
    if clients == 0 || clients >= usize::from(u16::MAX) {
        let (most, count) = ((u16::MAX - 1).to_string(), clients.to_string());
        return Some(message!(error_probe_file_clients { most, count }));
    }
    let name = &settings.workspace;
    let plain = is_path_in_workspace(name) && !name.contains('/') && name.len() > WORKSPACE_PREFIX.len();
    if !name.starts_with(WORKSPACE_PREFIX) || !plain {
        let (name, prefix) = (format!("{name:?}"), format!("{WORKSPACE_PREFIX:?}"));
        return Some(message!(error_probe_file_workspace_name { name, prefix }));
    }
    if let FileLocation::Folder { path } = &settings.place
        && !path.starts_with('/')
    {
        return Some(message!(error_probe_file_relative_folder { path: format!("{path:?}") }));
    }
    let passes = settings.storage_passes;
    let is_copy_to_disk_sink =
        matches!(settings.place, FileLocation::Sink { sink: SinkStorageKind::Disk { .. } })
            && matches!(settings.work, FileWorkload::Copy { .. } | FileWorkload::Prepare { file: Some(_) });
    if !(1..=MAX_STORAGE_PASSES).contains(&passes) || passes > 1 && !is_copy_to_disk_sink {
        let (count, most) = (passes.to_string(), MAX_STORAGE_PASSES.to_string());
        return Some(message!(error_probe_file_storage_passes { count, most }));
    }
    if settings.interval.0 == 0 {
        return Some("intervals must be longer than nothing".into());
    }
    let (block, depth, time) = match &settings.work {
        FileWorkload::Prepare { .. } | FileWorkload::Remove => return None,
        FileWorkload::Copy { block, depth, .. } => (*block, u32::from(*depth), None),
        FileWorkload::Row { block, queue, threads, time, .. } => {
            (*block, u32::from(*queue) * u32::from(*threads), Some(*time))
        }
        FileWorkload::Mix { players, time, .. } => {
            let all = usize::from(*players) * clients;
            if all == 0 || all > MAX_SIMULATED_CLIENTS {
                let (most, count) = (MAX_SIMULATED_CLIENTS.to_string(), all.to_string());
                return Some(message!(error_probe_file_mix_players { most, count }));
            }
            (Bytes(1), 1, Some(*time))
        }
    };
    if block.0 == 0 || block > MAX_BLOCK_SIZE {
        let (size, most) = (block.0.to_string(), MAX_BLOCK_SIZE.0.to_string());
        return Some(message!(error_probe_file_block_size { size, most }));
    }
    if depth == 0 || depth > DEEPEST {
        let (count, most) = (depth.to_string(), DEEPEST.to_string());
        return Some(message!(error_probe_file_depth { count, most }));
    }
    time.filter(|t| t.0 == 0).map(|_| "the window must be longer than nothing".into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use goodput_model::Nanos;
    use goodput_model::file::{FileAccessPattern, FileDirection, FileOperationMixSource};

    fn good() -> File {
        let (name, way, pattern) = ("4K".into(), FileDirection::Read, FileAccessPattern::Random);
        let (block, size, time) = (Bytes(4096), Bytes(1 << 20), Nanos(1));
        let work = FileWorkload::Row { name, way, pattern, block, queue: 1, threads: 1, size, time };
        let (clients, workspace) = (vec!["a".into()], format!("{WORKSPACE_PREFIX}1"));
        let place = FileLocation::Folder { path: "/tmp".into() };
        File::new(clients, place, workspace, work)
    }

    #[test]
    fn what_is_wrong_is_named() {
        let on_disk = || {
            let sink = SinkStorageKind::Disk { path: None };
            let (way, size, block) = (FileDirection::Write, Bytes(1 << 20), Bytes(4096));
            let work = FileWorkload::Copy { way, size, block, depth: 1, local: None };
            File { place: FileLocation::Sink { sink }, work, ..good() }
        };
        assert!(validate_settings(&good()).is_ok());
        assert!(validate_settings(&File { storage_passes: 16, ..on_disk() }).is_ok());
        let mix = |players| {
            let (load, none, time) = (FileOperationMixSource::Office { seed: 0 }, Nanos(0), Nanos(1));
            FileWorkload::Mix { load, players, warm_up: none, time, max_errors: 0, rate: None }
        };
        let row = |change: fn(&mut Bytes, &mut u16, &mut Nanos)| {
            let mut file = good();
            if let FileWorkload::Row { block, queue, time, .. } = &mut file.work {
                change(block, queue, time);
            }
            file
        };
        let cases = [
            (File { clients: vec![], ..good() }, "this one 0"),
            (
                File { storage_passes: 2, work: FileWorkload::Prepare { file: None }, ..on_disk() },
                "in copies",
            ),
            (File { storage_passes: 2, work: good().work, ..on_disk() }, "in copies"),
            (File { workspace: "home".into(), ..good() }, "no name of a workspace"),
            (File { workspace: ".goodput-/../x".into(), ..good() }, "no name of a workspace"),
            (File { workspace: ".goodput-".into(), ..good() }, "no name of a workspace"),
            (File { place: FileLocation::Folder { path: "tmp".into() }, ..good() }, "begin with /"),
            (File { storage_passes: 0, ..good() }, "0 times each block"),
            (File { storage_passes: 2, ..good() }, "at an agent's disk"),
            (File { storage_passes: 17, ..on_disk() }, "17 times each block"),
            (File { interval: Nanos(0), ..good() }, "intervals"),
            (row(|block, _, _| *block = Bytes(0)), "a block of 0 B"),
            (row(|block, _, _| *block = Bytes(1 << 40)), "a block of"),
            (row(|_, queue, _| *queue = 0), "0 operations"),
            (row(|_, _, time| *time = Nanos(0)), "longer than nothing"),
            (File { work: mix(0), ..good() }, "1 to 4096 players"),
            (File { work: mix(5000), ..good() }, "1 to 4096 players"),
        ];
        for (settings, expected) in cases {
            let said = validate_settings(&settings).unwrap_err().to_string();
            assert!(said.contains(expected), "{said:?} lacks {expected:?}");
        }
    }
}
