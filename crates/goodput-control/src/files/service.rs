//! The listening end of a file trial: its place for the clients, and the report of its disk.

use super::convert_errors::broken;
use super::disk::{Edges, Site};
use super::sink_store::{Kind, SinkStore};
use super::storage::Disk;
use goodput_file::place::{Opening, open_place};
use goodput_file::{FileError, Share};
use goodput_model::file::{Access, File, FileReport, FileWay, FileWork, Place, Sink};
use goodput_model::trial::Order;
use goodput_probe::file::{Memory, Service, SinkStorage};
use goodput_probe::{Cancel, Expected, Measured, Observer};
use std::sync::Arc;

pub(crate) fn listen(
    order: &Order,
    settings: &File,
    expected: Expected,
    sink_store: &SinkStore,
    observer: &dyn Observer,
    cancel: &Cancel,
) -> Measured {
    let kept = match SharedFiles::open(settings, sink_store) {
        Ok(kept) => kept,
        Err(e) => return Measured { broken: Some(broken(e)), ..Measured::default() },
    };
    let site = Site::default();
    if let SharedFiles::Disk(disk) = &kept {
        site.know(disk.0.facts());
    }
    let edges = Edges { site: &site, observer };
    let before = || before(settings, &kept, &site);
    let service = Service { keeper: kept.keeper(), before: &before };
    let mut measured = goodput_probe::file::serve(order, settings, expected, &edges, cancel, &service);
    if let (FileWork::Remove, Some(kind), None) = (&settings.work, kind(&settings.place), &measured.broken) {
        sink_store.forget(&settings.workspace, kind);
    }
    let (facts, place_disk, cache, mut notes) = site.report();
    measured.notes.append(&mut notes);
    measured.file = Some(Box::new(FileReport {
        facts: facts.unwrap_or_default(),
        place_disk,
        cache,
        ..FileReport::default()
    }));
    measured
}

enum SharedFiles {
    /// The place is elsewhere, or there are no files.
    Nothing,
    Memory(Arc<Memory>),
    Disk(Disk),
}

impl SharedFiles {
    fn open(settings: &File, sink_store: &SinkStore) -> Result<SharedFiles, FileError> {
        let makes = matches!(settings.work, FileWork::Prepare { .. });
        let name = &settings.workspace;
        Ok(match (&settings.place, kind(&settings.place)) {
            (_, Some(kind)) if makes => SharedFiles::Memory(sink_store.make(name, kind)?),
            (_, Some(kind)) => SharedFiles::Memory(sink_store.get(name, kind)?),
            (Place::Sink { sink: Sink::Disk { path } }, None) => {
                let how = if makes { Opening::Make } else { Opening::Existing };
                let path = path.clone().unwrap_or_default();
                SharedFiles::Disk(Disk(open_place(&Place::Folder { path }, name, how)?))
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

fn kind(place: &Place) -> Option<Kind> {
    match place {
        Place::Sink { sink: Sink::Null } => Some(Kind::Null),
        Place::Sink { sink: Sink::Memory } => Some(Kind::Memory),
        _ => None,
    }
}

fn before(settings: &File, kept: &SharedFiles, site: &Site) {
    let watched: Option<Box<dyn Share>> = match (&settings.server_folder, &settings.place) {
        (Some(path), Place::Folder { .. } | Place::Smb { .. } | Place::Nfs { .. }) => {
            let place = Place::Folder { path: path.clone() };
            match open_place(&place, &settings.workspace, Opening::Existing) {
                Ok(share) => Some(share),
                Err(e) => {
                    let why = crate::chain(&e);
                    site.note(format!("{path} is not the folder in which the clients work: {why}"));
                    None
                }
            }
        }
        _ => None,
    };
    if let Some(share) = &watched {
        site.know(share.facts());
    }
    let share = match kept {
        SharedFiles::Disk(disk) => Some(&*disk.0),
        SharedFiles::Memory(_) | SharedFiles::Nothing => watched.as_deref(),
    };
    if let Some(share) = share.filter(|_| reads_cold(settings)) {
        site.cool(share);
    }
}

/// True for reads that require a cold cache.
fn reads_cold(settings: &File) -> bool {
    let reads = matches!(
        settings.work,
        FileWork::Copy { way: FileWay::Read, .. } | FileWork::Row { way: FileWay::Read, .. }
    );
    reads && settings.access == Access::Direct
}
