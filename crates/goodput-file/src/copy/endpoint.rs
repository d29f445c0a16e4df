//! The two ends of a copy: an open file at the target, and one in a local folder.

use super::tracked_lane::TrackedLane;
use crate::clock::now_ns;
use crate::data::Data;
use crate::job::{Job, JobOrder, JobProgress, Watch};
use crate::place::{Opening, open_place};
use crate::work::{room, test_file};
use crate::{FileError, FileErrorKind, Handle, Open, RelPath, Share, workspace};
use goodput_model::Nanos;
use goodput_model::file::{CreateDisposition, File, FileLocation};

const PATIENCE: Nanos = Nanos(60 * Nanos::SECOND.0);

pub(super) struct Endpoint {
    pub share: Box<dyn Share>,
    pub path: RelPath,
    pub writes: bool,
    pub handle: Option<Handle>,
    pub side: Option<TrackedLane>,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Shape {
    pub size: u64,
    pub block: usize,
    pub depth: usize,
    pub direct: bool,
    /// The place stores nothing and needs no space.
    pub made_up: bool,
}

impl Endpoint {
    pub fn source(
        share: Box<dyn Share>,
        path: RelPath,
        shape: Shape,
        data: &Data,
    ) -> Result<Endpoint, FileError> {
        let length = share.query(&path)?.length;
        if length < shape.size {
            let why = format!("the file has {length} B, the copy takes {} B: prepare it first", shape.size);
            return Err(FileError::because("read the test file", FileErrorKind::EndOfFile, why));
        }
        Endpoint::open(share, path, shape, data, false)
    }

    pub fn target(
        share: Box<dyn Share>,
        path: RelPath,
        shape: Shape,
        data: &Data,
    ) -> Result<Endpoint, FileError> {
        match share.remove_file(&path) {
            Ok(()) => {}
            Err(e) if matches!(e.trouble, FileErrorKind::NotFound | FileErrorKind::NotSupported) => {}
            Err(e) => return Err(e),
        }
        if !shape.made_up {
            room(share.as_ref(), shape.size)?;
        }
        Endpoint::open(share, path, shape, data, true)
    }

    fn open(
        share: Box<dyn Share>,
        path: RelPath,
        shape: Shape,
        data: &Data,
        writes: bool,
    ) -> Result<Endpoint, FileError> {
        let disposition = if writes { CreateDisposition::Create } else { CreateDisposition::Open };
        let how = Open { disposition, folder: false, file: true, read_only: !writes, direct: shape.direct };
        let handle = share.open(&path, how)?;
        let mut lane = share.lane(handle, shape.block, shape.depth)?;
        // Faults in every page before the window.
        data.fill_lane(lane.as_mut(), shape.block, shape.depth);
        let side = Some(TrackedLane::new(lane, writes, shape.depth));
        Ok(Endpoint { share, path, writes, handle: Some(handle), side })
    }

    pub fn close(&mut self) -> Result<(), FileError> {
        self.side = None;
        self.handle.take().map_or(Ok(()), |handle| self.share.close(handle))
    }

    pub fn remove(&self) -> Result<(), FileError> {
        match self.share.remove_file(&self.path) {
            Err(e) if e.trouble != FileErrorKind::NotFound => Err(e),
            _ => Ok(()),
        }
    }
}

/// A workspace in a local folder; removed with the copy if it was made for it.
pub(crate) struct Local {
    share: Box<dyn Share>,
    made: Option<String>,
    pub notes: Vec<String>,
}

impl Local {
    pub fn open(folder: &str, name: &str) -> Result<Local, FileError> {
        let place = FileLocation::Folder { path: folder.to_string() };
        match open_place(&place, name, Opening::Existing) {
            Ok(share) => Ok(Local::existing(share)),
            Err(e) if matches!(e.trouble, FileErrorKind::NotFound | FileErrorKind::PathNotFound) => {
                let share = open_place(&place, name, Opening::Make)?;
                Ok(Local { share, made: Some(name.to_string()), notes: Vec::new() })
            }
            Err(e) => Err(e),
        }
    }

    pub fn existing(share: Box<dyn Share>) -> Local {
        Local { share, made: None, notes: Vec::new() }
    }

    pub(super) fn share(&self) -> Result<Box<dyn Share>, FileError> {
        self.share.another()
    }

    pub fn provide(&mut self, settings: &File, client: u16, size: u64) -> Result<(), FileError> {
        let there = match self.share.query(&test_file(client)?) {
            Ok(status) => status.length >= size,
            Err(e) if e.trouble == FileErrorKind::NotFound => false,
            Err(e) => return Err(e),
        };
        if there {
            return Ok(());
        }
        self.notes.push("the file on the local disk was made just before the copy".into());
        let order = JobOrder { settings, client, share: self.share.another()?, load: None };
        let mut job = super::Copy::of_test_file(order, size)?;
        let mut ran = job.run(now_ns(), None, PATIENCE, &SilentWatch);
        let settled = job.settle(&mut ran.report);
        ran.broken.map_or(settled, Err)
    }
}

impl Drop for Local {
    fn drop(&mut self) {
        if let Some(name) = &self.made {
            // What remains carries our marker; `goodput file clean` finds it.
            let _ = workspace::remove(self.share.as_ref(), name);
        }
    }
}

struct SilentWatch;

impl Watch for SilentWatch {
    fn opened(&self, _: u64) {}
    fn tick(&self, _: JobProgress) {}
    fn closed(&self, _: u64) {}
    fn is_cancelled(&self) -> bool {
        false
    }
}
