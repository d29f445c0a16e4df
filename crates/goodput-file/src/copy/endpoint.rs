//! The two ends of a copy: an open file at the target, and one in a local folder.

use super::CopyPlan;
use super::timed_io_queue::TimedIoQueue;
use crate::clock::now_ns;
use crate::data::DataGenerator;
use crate::job::{FileJob, FileJobSpec, JobObserver, JobProgress};
use crate::location::{WorkspaceOpenMode, open_workspace_at_location};
use crate::work::{check_free_space_on_share, test_file_path};
use crate::{FileError, FileErrorKind, FileHandle, FileOpenOptions, RelPath, Share, workspace};
use goodput_model::Nanos;
use goodput_model::file::{CacheMode, File, FileLocation};
use goodput_words::message;

const PATIENCE: Nanos = Nanos(60 * Nanos::SECOND.0);

pub(super) struct CopyEndpoint {
    pub share: Box<dyn Share>,
    pub path: RelPath,
    pub writes: bool,
    pub handle: Option<FileHandle>,
    pub side: Option<TimedIoQueue>,
}

impl CopyEndpoint {
    pub fn open_source(
        share: Box<dyn Share>,
        path: RelPath,
        plan: &CopyPlan,
        data: &DataGenerator,
    ) -> Result<CopyEndpoint, FileError> {
        let length = share.query_path_status(&path)?.length;
        if length < plan.size {
            let (length, needed) = (length.to_string(), plan.size.to_string());
            let why = message!(cause_place_source_short { length, needed });
            return Err(FileError::with_reason("read the test file", FileErrorKind::EndOfFile, why));
        }
        CopyEndpoint::open(share, path, plan, data, false)
    }

    pub fn create_target(
        share: Box<dyn Share>,
        plan: &CopyPlan,
        stores: bool,
        data: &DataGenerator,
    ) -> Result<CopyEndpoint, FileError> {
        match share.remove_file(&plan.target) {
            Ok(()) => {}
            Err(e) if matches!(e.trouble, FileErrorKind::NotFound | FileErrorKind::NotSupported) => {}
            Err(e) => return Err(e),
        }
        if stores {
            check_free_space_on_share(share.as_ref(), plan.stored)?;
        }
        CopyEndpoint::open(share, plan.target.clone(), plan, data, true)
    }

    fn open(
        share: Box<dyn Share>,
        path: RelPath,
        plan: &CopyPlan,
        data: &DataGenerator,
        writes: bool,
    ) -> Result<CopyEndpoint, FileError> {
        let how = if writes { FileOpenOptions::NEW_FILE } else { FileOpenOptions::EXISTING_FILE };
        let direct = plan.access == CacheMode::Direct;
        let handle = share.open(&path, FileOpenOptions { direct, ..how })?;
        let mut lane = share.open_io_queue(handle, plan.block, plan.depth)?;
        // Faults in every page before the window.
        data.fill_queue_buffers(lane.as_mut(), plan.block, plan.depth);
        let side = Some(TimedIoQueue::new(lane, writes, plan.depth));
        Ok(CopyEndpoint { share, path, writes, handle: Some(handle), side })
    }

    pub fn close(&mut self) -> Result<(), FileError> {
        self.side = None;
        self.handle.take().map_or(Ok(()), |handle| self.share.close(handle))
    }

    pub fn remove_file(&self) -> Result<(), FileError> {
        match self.share.remove_file(&self.path) {
            Err(e) if e.trouble != FileErrorKind::NotFound => Err(e),
            _ => Ok(()),
        }
    }
}

/// A workspace in a local folder; removed with the copy if it was made for it.
pub(crate) struct LocalWorkspace {
    share: Box<dyn Share>,
    made: Option<String>,
    pub notes: Vec<String>,
}

impl LocalWorkspace {
    pub fn open_or_create(folder: &str, name: &str) -> Result<LocalWorkspace, FileError> {
        let place = FileLocation::Folder { path: folder.to_string() };
        match open_workspace_at_location(&place, name, WorkspaceOpenMode::Existing) {
            Ok(share) => Ok(LocalWorkspace::from_existing(share)),
            Err(e) if e.trouble.is_not_found() => {
                let share = open_workspace_at_location(&place, name, WorkspaceOpenMode::Make)?;
                Ok(LocalWorkspace { share, made: Some(name.to_string()), notes: Vec::new() })
            }
            Err(e) => Err(e),
        }
    }

    pub fn from_existing(share: Box<dyn Share>) -> LocalWorkspace {
        LocalWorkspace { share, made: None, notes: Vec::new() }
    }

    pub(super) fn duplicate_share(&self) -> Result<Box<dyn Share>, FileError> {
        self.share.open_another_connection()
    }

    pub fn ensure_test_file(&mut self, settings: &File, client: u16, size: u64) -> Result<(), FileError> {
        let there = match self.share.query_path_status(&test_file_path(client)?) {
            Ok(status) => status.length >= size,
            Err(e) if e.trouble == FileErrorKind::NotFound => false,
            Err(e) => return Err(e),
        };
        if there {
            return Ok(());
        }
        self.notes.push("the file on the local disk was made just before the copy".into());
        let order =
            FileJobSpec { settings, client, share: self.share.open_another_connection()?, load: None };
        let mut job = super::CopyJob::for_test_file_creation(order, size)?;
        let mut ran = job.run(now_ns(), None, PATIENCE, &SilentWatch);
        let settled = job.finish(&mut ran.report);
        ran.broken.map_or(settled, Err)
    }
}

impl Drop for LocalWorkspace {
    fn drop(&mut self) {
        if let Some(name) = &self.made {
            // What remains carries our marker; `goodput file clean` finds it.
            let _ = workspace::remove_workspace(self.share.as_ref(), name);
        }
    }
}

struct SilentWatch;

impl JobObserver for SilentWatch {
    fn measurement_window_opened(&self, _: u64) {}
    fn progress_updated(&self, _: JobProgress) {}
    fn measurement_window_closed(&self, _: u64) {}
    fn is_cancelled(&self) -> bool {
        false
    }
}
