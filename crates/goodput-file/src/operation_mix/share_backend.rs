//! Runs the operations of a load file on a share.
//!
//! | operation | is played as |
//! |---|---|
//! | NTCreateX | open with its disposition; closed at once if it was to fail |
//! | ReadX | read; a shorter read than captured is unexpected, and only its bytes are counted |
//! | WriteX | write of incompressible data; flushed at once where the settings say so |
//! | Flush, Close, LockX, UnlockX | flush, close, lock and unlock of a range |
//! | QUERY_PATH, QUERY_FILE, QUERY_FS, SET_FILE | query of name, open file, file system; times set to now |
//! | FIND_FIRST | with a pattern in the last part: matching names, up to a limit; without: a query |
//! | Unlink, Rename, Mkdir, Rmdir | as named; Unlink with a pattern removes all matching files |
//! | Deltree | removal of a folder with its contents; a missing one is no error |
//!
//! Parents of the players' folders (`clients`) are shared: they exist before the players begin, may not be
//! removed or renamed, and operations on them never count as unexpected.

use super::backend::MixBackend;
use super::expected_result::{OperationOutcome, compare_with_expected};
use super::load_paths::{LoadFilePath, LoadFilePaths, PathOwner};
use super::tree::remove_tree;
use crate::attempt::{self, Attempt};
use crate::{ErrorText, FileError, FileErrorKind, FileHandle, FileOpenOptions, Share};
use goodput_model::file::{CreateDisposition, ExpectedOpStatus, FileOp};
use goodput_words::message;

/// Source data for writes beside the largest write: consecutive writes continue in it, so data is new within
/// any 128 KiB (what file systems usually compress at once).
const RING: usize = 256 << 10;
/// A cache line; data starts at multiples of it and skips one each time, so that rounds differ.
const LINE: usize = 64;

pub(super) struct ShareBackend {
    share: Box<dyn Share>,
    paths: LoadFilePaths,
    handles: Vec<Option<FileHandle>>,
    incoming: Box<[u8]>,
    outgoing: Box<[u8]>,
    place: usize,
    short: u64,
    flush_each: bool,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct LoadFileRequirements {
    pub handles: usize,
    pub read: usize,
    pub write: usize,
}

impl LoadFileRequirements {
    pub fn memory_bytes(&self) -> u64 {
        (self.read + self.write + RING) as u64
    }

    pub fn write_buffer_bytes(&self) -> usize {
        self.write + RING
    }
}

impl ShareBackend {
    pub fn new(
        share: Box<dyn Share>,
        paths: LoadFilePaths,
        needs: LoadFileRequirements,
        outgoing: Box<[u8]>,
        flush_each: bool,
    ) -> ShareBackend {
        let incoming = vec![0x5a; needs.read].into_boxed_slice();
        ShareBackend {
            share,
            paths,
            handles: vec![None; needs.handles],
            incoming,
            outgoing,
            place: 0,
            short: 0,
            flush_each,
        }
    }

    fn load_path(&self, index: u32) -> Result<&LoadFilePath, FileError> {
        self.paths.list.get(index as usize).ok_or_else(|| not_there(attempt::find_path, index))
    }

    fn movable(&self, index: u32) -> Result<&LoadFilePath, FileError> {
        let path = self.load_path(index)?;
        match path.owner {
            PathOwner::Shared => Err(forbidden(path, "the simulated clients of all hosts share that folder")),
            PathOwner::Player | PathOwner::Other => Ok(path),
        }
    }

    #[inline(always)]
    fn handle(&self, index: u32) -> Result<FileHandle, FileError> {
        match self.handles.get(index as usize) {
            Some(Some(handle)) => Ok(*handle),
            _ => Err(not_there(attempt::find_open_handle, index)),
        }
    }

    fn attempt(&mut self, op: &FileOp) -> Result<u64, FileError> {
        match *op {
            FileOp::Create { path, options, disposition, handle } => {
                let how = FileOpenOptions {
                    disposition,
                    folder: options.is_directory(),
                    file: options.is_non_directory(),
                    read_only: false,
                    direct: false,
                };
                return self.create(path, how, handle);
            }
            FileOp::Close { handle } => {
                let open = self.handle(handle)?;
                self.handles[handle as usize] = None;
                self.share.close(open)?;
            }
            FileOp::Read { handle, offset, size, actual } => return self.read(handle, offset, size, actual),
            FileOp::Write { handle, offset, size, .. } => return self.write(handle, offset, size),
            FileOp::Flush { handle } => self.share.flush(self.handle(handle)?)?,
            FileOp::Lock { handle, offset, size } => {
                self.share.lock_range(self.handle(handle)?, offset, size)?
            }
            FileOp::Unlock { handle, offset, size } => {
                self.share.unlock_range(self.handle(handle)?, offset, size)?
            }
            FileOp::Unlink { path } => self.unlink(path)?,
            FileOp::Rename { from, to } => {
                self.share.rename(&self.movable(from)?.path, &self.movable(to)?.path)?;
            }
            FileOp::Mkdir { path } => self.mkdir(path)?,
            FileOp::Rmdir { path } => self.share.remove_folder(&self.movable(path)?.path)?,
            FileOp::Deltree { path } => self.deltree(path)?,
            FileOp::Find { path, max, count, .. } => self.find(path, max, count)?,
            FileOp::QueryPath { path, .. } => {
                self.share.query_path_status(&self.load_path(path)?.path)?;
            }
            FileOp::QueryFile { handle, .. } => {
                self.share.query_handle_status(self.handle(handle)?)?;
            }
            FileOp::QueryFs { .. } => {
                self.share.disk_space()?;
            }
            FileOp::SetFile { handle, .. } => self.share.set_times_to_now(self.handle(handle)?)?,
            FileOp::Sleep { .. }
            | FileOp::Loop { .. }
            | FileOp::EndLoop
            | FileOp::SetPoint { .. }
            | FileOp::WaitPoint { .. } => {}
        }
        Ok(0)
    }

    fn create(&mut self, path: u32, mut how: FileOpenOptions, handle: u32) -> Result<u64, FileError> {
        let path = self.load_path(path)?;
        if path.owner == PathOwner::Shared && how.folder {
            how.disposition = CreateDisposition::OpenIf;
        }
        let opened = self.share.open(&path.path, how)?;
        match self.handles.get_mut(handle as usize) {
            Some(place) => {
                if let Some(forgotten) = place.replace(opened) {
                    self.share.close(forgotten)?;
                }
            }
            None => {
                self.share.close(opened)?;
                return Err(not_there(attempt::find_handle, handle));
            }
        }
        Ok(0)
    }

    #[inline]
    fn read(&mut self, handle: u32, offset: u64, size: u32, actual: u32) -> Result<u64, FileError> {
        let open = self.handle(handle)?;
        let (size, wanted) = ((size as usize).min(self.incoming.len()), actual.min(size) as usize);
        let mut done = 0;
        loop {
            let more = self.share.read_at(open, &mut self.incoming[done..size], offset + done as u64)?;
            done += more;
            // Servers may return partial reads; reading continues up to the captured length.
            if done >= wanted || more == 0 {
                break;
            }
        }
        if done >= wanted {
            return Ok(done as u64);
        }
        self.short = done as u64;
        let (count, captured) = (done.to_string(), wanted.to_string());
        let why = message!(cause_place_mix_short_read { count, captured });
        let (bytes, offset) = (size.to_string(), offset.to_string());
        let what = message!(part_attempt_read_bytes { bytes, offset });
        Err(FileError::with_reason(what, FileErrorKind::EndOfFile, why))
    }

    #[inline]
    fn write(&mut self, handle: u32, offset: u64, size: u32) -> Result<u64, FileError> {
        let open = self.handle(handle)?;
        let size = (size as usize).min(self.outgoing.len() - RING);
        let from = self.place;
        self.place = (from + size.next_multiple_of(LINE) + LINE) % RING;
        self.share.write_at(open, &self.outgoing[from..from + size], offset)?;
        if self.flush_each {
            self.share.flush(open)?;
        }
        Ok(size as u64)
    }

    fn mkdir(&self, path: u32) -> Result<(), FileError> {
        let path = self.load_path(path)?;
        match self.share.make_folder(&path.path) {
            Err(e) if e.trouble == FileErrorKind::Exists && path.owner == PathOwner::Shared => Ok(()),
            made => made,
        }
    }

    fn unlink(&self, path: u32) -> Result<(), FileError> {
        let path = self.movable(path)?;
        let Some((folder, pattern)) = &path.pattern else {
            return self.share.remove_file(&path.path);
        };
        let found = self.share.find_folder_entries(folder, pattern, None)?;
        let files = found.iter().filter(|entry| !entry.status.folder);
        let mut removed = 0;
        for entry in files {
            self.share.remove_file(&super::tree::join_path(folder, &entry.name)?)?;
            removed += 1;
        }
        if removed == 0 { Err(no_match(path)) } else { Ok(()) }
    }

    fn deltree(&self, path: u32) -> Result<(), FileError> {
        let path = self.load_path(path)?;
        match path.owner {
            PathOwner::Player => remove_tree(&*self.share, &path.path),
            PathOwner::Shared | PathOwner::Other => {
                Err(forbidden(path, "a simulated client may only remove its own folders"))
            }
        }
    }

    fn find(&self, path: u32, max: u32, count: u32) -> Result<(), FileError> {
        let path = self.load_path(path)?;
        let Some((folder, pattern)) = &path.pattern else {
            return self.share.query_path_status(&path.path).map(|_| ());
        };
        let found = self.share.find_folder_entries(folder, pattern, Some(max as usize))?;
        // The count depends on other players and on "." and ".."; only emptiness is compared.
        if found.is_empty() && count > 0 { Err(no_match(path)) } else { Ok(()) }
    }

    fn close_all(&mut self) {
        for open in self.handles.iter_mut().filter_map(Option::take) {
            let _ = self.share.close(open);
        }
    }

    /// True for operations on shared folders, which another player may have done.
    #[inline]
    fn is_shared(&self, op: &FileOp) -> bool {
        match op {
            FileOp::Mkdir { path } | FileOp::QueryPath { path, .. } | FileOp::Create { path, .. } => {
                self.paths.list.get(*path as usize).is_some_and(|path| path.owner == PathOwner::Shared)
            }
            _ => false,
        }
    }
}

/// Whether an empty result was expected: servers return a status, our shares an empty list or no bytes.
#[inline]
fn is_empty_answer(op: &FileOp, expect: ExpectedOpStatus) -> bool {
    const NO_SUCH_FILE: u32 = 0xC000_000F;
    const NO_MORE_FILES: u32 = 0x8000_0006;
    const END_OF_FILE: u32 = 0xC000_0011;
    let statuses: &[u32] = match op {
        FileOp::Find { count: 0, .. } => &[NO_SUCH_FILE, NO_MORE_FILES],
        FileOp::Read { actual: 0, .. } => &[END_OF_FILE],
        _ => return false,
    };
    match expect {
        ExpectedOpStatus::Status(status) => statuses.contains(&status),
        ExpectedOpStatus::Failure => true,
        ExpectedOpStatus::Success | ExpectedOpStatus::Any => false,
    }
}

impl MixBackend for ShareBackend {
    fn prepare_load_file_pass(&mut self) -> Result<(), FileError> {
        self.close_all();
        for home in &self.paths.own {
            remove_tree(&*self.share, &home.path)?;
        }
        for home in self.paths.own.iter().filter(|home| !home.made) {
            self.share.make_folder(&home.path)?;
        }
        Ok(())
    }

    #[inline]
    fn perform_operation(&mut self, op: &FileOp, expect: ExpectedOpStatus) -> OperationOutcome {
        let expect = if self.is_shared(op) { ExpectedOpStatus::Any } else { expect };
        let ended = self.attempt(op);
        if matches!(ended, Ok(0)) && is_empty_answer(op, expect) {
            return OperationOutcome::Failed;
        }
        let well = ended.is_ok();
        let mut outcome = compare_with_expected(expect, ended);
        if let (FileOp::Read { .. }, OperationOutcome::Unexpected(surprise)) = (op, &mut outcome) {
            surprise.bytes += std::mem::take(&mut self.short);
        }
        if let (true, FileOp::Create { handle, .. }, OperationOutcome::Unexpected(_)) = (well, op, &outcome)
            && let Some(open) = self.handles.get_mut(*handle as usize).and_then(Option::take)
        {
            let _ = self.share.close(open);
        }
        outcome
    }

    fn request_count(&self) -> Option<u64> {
        self.share.request_count()
    }

    fn remove_files(&mut self) -> Result<(), FileError> {
        self.close_all();
        self.paths.own.iter().try_for_each(|home| remove_tree(&*self.share, &home.path))
    }

    fn display_path(&self, index: u32) -> String {
        self.load_path(index).map(|path| path.path.as_str().to_string()).unwrap_or_default()
    }
}

#[cold]
fn not_there(attempt: Attempt, index: u32) -> FileError {
    let why = "it was never made, or making it failed";
    FileError::with_reason(ErrorText::of(attempt, index.to_string()), FileErrorKind::Other, why)
}

#[cold]
fn forbidden(path: &LoadFilePath, why: &str) -> FileError {
    let what = ErrorText::of(attempt::remove_or_rename, format!("{:?}", path.path.as_str()));
    FileError::with_reason(what, FileErrorKind::Forbidden, why)
}

#[cold]
fn no_match(path: &LoadFilePath) -> FileError {
    let what = ErrorText::of(attempt::find, format!("{:?}", path.path.as_str()));
    FileError::with_reason(what, FileErrorKind::NoMatch, "nothing matches")
}
