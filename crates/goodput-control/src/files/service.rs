//! The listening end of a file trial: its place for the clients, and the report of its disk.

use super::convert_errors::to_probe_error;
use super::folder_record::{DiskObserver, FolderMeasurements};
use super::sink_store::{SinkKind, SinkStore};
use super::storage::DiskStorage;
use goodput_file::location::{WorkspaceOpenMode, open_workspace_at_location};
use goodput_file::{FileError, Share};
use goodput_model::file::{CacheMode, File, FileDirection, FileLocation, FileWorkload, SinkStorageKind};
use goodput_model::trial::TrialSpec;
use goodput_probe::file::{ListeningEndOptions, MemorySink, SinkStorage};
use goodput_probe::{CancelFlag, EndpointMeasurement, TrialObserver, TrialRegistration};
use goodput_words::ErrorMessage;
use std::sync::Arc;

pub(crate) fn run_listening_endpoint(
    order: &TrialSpec,
    settings: &File,
    expected: TrialRegistration,
    sink_store: &SinkStore,
    observer: &dyn TrialObserver,
    cancel: &CancelFlag,
) -> EndpointMeasurement {
    let kept = match SharedFiles::open(settings, sink_store) {
        Ok(kept) => kept,
        Err(e) => return EndpointMeasurement::from_error(to_probe_error(e)),
    };
    let site = FolderMeasurements::default();
    if let SharedFiles::Disk(disk) = &kept {
        site.set_location_facts(disk.share.location_facts());
    }
    let edges = DiskObserver { site: &site, observer };
    let before = || before(settings, &kept, &site);
    let service = ListeningEndOptions { keeper: kept.keeper(), before: &before };
    let mut measured = goodput_probe::file::run_server(order, settings, expected, &edges, cancel, &service);
    if let (FileWorkload::Remove, Some(kind), None) =
        (&settings.work, kind(&settings.place), &measured.broken)
    {
        sink_store.remove(&settings.workspace, kind);
    }
    let (report, notes) = site.into_report();
    measured.notes.extend(notes);
    measured.file = Some(Box::new(report));
    measured
}

enum SharedFiles {
    /// The place is elsewhere, or there are no files.
    Nothing,
    Memory(Arc<MemorySink>),
    Disk(DiskStorage),
}

impl SharedFiles {
    fn open(settings: &File, sink_store: &SinkStore) -> Result<SharedFiles, FileError> {
        let makes = matches!(settings.work, FileWorkload::Prepare { .. });
        let name = &settings.workspace;
        Ok(match (&settings.place, kind(&settings.place)) {
            (_, Some(kind)) if makes => SharedFiles::Memory(sink_store.create(name, kind)?),
            (_, Some(kind)) => SharedFiles::Memory(sink_store.get(name, kind)?),
            (FileLocation::Sink { sink: SinkStorageKind::Disk { path } }, None) => {
                let how = if makes { WorkspaceOpenMode::Make } else { WorkspaceOpenMode::Existing };
                let path = path.clone().unwrap_or_default();
                let share = open_workspace_at_location(&FileLocation::Folder { path }, name, how)?;
                SharedFiles::Disk(DiskStorage::new(share, settings))
            }
            (_, None) => SharedFiles::Nothing,
        })
    }

    fn keeper(&self) -> Option<&dyn SinkStorage> {
        match self {
            SharedFiles::Nothing => None,
            SharedFiles::Memory(memory) => Some(&**memory),
            SharedFiles::Disk(disk) => Some(disk),
        }
    }
}

fn kind(place: &FileLocation) -> Option<SinkKind> {
    match place {
        FileLocation::Sink { sink: SinkStorageKind::Null } => Some(SinkKind::Null),
        FileLocation::Sink { sink: SinkStorageKind::Memory } => Some(SinkKind::Memory),
        _ => None,
    }
}

fn before(settings: &File, kept: &SharedFiles, site: &FolderMeasurements) {
    let watched: Option<Box<dyn Share>> = match (&settings.server_folder, &settings.place) {
        (Some(path), FileLocation::Folder { .. } | FileLocation::Smb { .. } | FileLocation::Nfs { .. }) => {
            let place = FileLocation::Folder { path: path.clone() };
            match open_workspace_at_location(&place, &settings.workspace, WorkspaceOpenMode::Existing) {
                Ok(share) => Some(share),
                Err(e) => {
                    let why = e.message_with_sources();
                    site.add_note(format!("{path} is not the folder in which the clients work: {why}"));
                    None
                }
            }
        }
        _ => None,
    };
    if let Some(share) = &watched {
        site.set_location_facts(share.location_facts());
    }
    let share = match kept {
        SharedFiles::Disk(disk) => Some(&*disk.share),
        SharedFiles::Memory(_) | SharedFiles::Nothing => watched.as_deref(),
    };
    if let Some(share) = share.filter(|_| reads_cold(settings)) {
        site.drop_caches(share);
    }
}

/// True for reads that require a cold cache.
fn reads_cold(settings: &File) -> bool {
    let reads = matches!(
        settings.work,
        FileWorkload::Copy { way: FileDirection::Read, .. }
            | FileWorkload::Row { way: FileDirection::Read, .. }
    );
    reads && settings.access == CacheMode::Direct
}
