//! A folder of this host: a local disk or any mount. The kernel resolves every name beneath the workspace's
//! descriptor (`folder/open.rs`), so neither `..` nor symbolic links nor mounts lead out of it.

mod cache;
mod facts;
mod files;
mod io_queue;
mod list;
mod open;
mod target;

pub use target::{open_target_folder, open_target_folder_with_engine};

use crate::attempt::{self, Attempt};
use crate::open_files::OpenFileTable;
use crate::workspace::WorkspaceParent;
use crate::{
    DiskSpace, ErrorText, FileError, FileErrorKind, FileHandle, FileOpenOptions, FileStatus, FolderEntry,
    IoQueue, RelPath, Share, locked, sys,
};
use facts::MountInfo;
use files::{DirectIoAlignment, OpenFile};
use goodput_model::Bytes;
use goodput_model::file::FileLocationFacts;
use open::{OpenError, path_or_dot, with_parent_folder};
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::fs::FileExt;
use std::sync::{Arc, Mutex};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IoEngine {
    IoUring,
    Threads,
}

impl IoEngine {
    pub fn best_available() -> IoEngine {
        if sys::uring::is_available() { IoEngine::IoUring } else { IoEngine::Threads }
    }

    pub const fn name(self) -> &'static str {
        match self {
            IoEngine::IoUring => "io_uring",
            IoEngine::Threads => "threads",
        }
    }
}

/// A folder opened on a workspace (for `workspace.rs`, on the user's folder).
#[derive(Debug)]
pub struct LocalFolder {
    root: Arc<OwnedFd>,
    /// Parent folder and own name; `None` for the user's folder.
    above: Option<(Arc<OwnedFd>, String)>,
    shown: String,
    engine: IoEngine,
    mount: Arc<MountInfo>,
    free: Option<Bytes>,
    files: OpenFileTable<OpenFile>,
    /// What the last direct open obtained; `None` before the first.
    direct: Mutex<Option<Option<DirectIoAlignment>>>,
}

impl LocalFolder {
    fn new(
        root: Arc<OwnedFd>,
        above: Option<(Arc<OwnedFd>, String)>,
        shown: String,
        engine: IoEngine,
        mount: Arc<MountInfo>,
    ) -> LocalFolder {
        let free = sys::disk_space(root.as_fd()).ok().map(|(_, free)| Bytes(free));
        LocalFolder {
            root,
            above,
            shown,
            engine,
            mount,
            free,
            files: OpenFileTable::new(),
            direct: Mutex::new(None),
        }
    }

    fn root(&self) -> BorrowedFd<'_> {
        self.root.as_fd()
    }

    fn show(&self, path: &str) -> String {
        if path.is_empty() { self.shown.clone() } else { format!("{}/{path}", self.shown) }
    }

    /// An error with its path; distinguishes a missing parent folder, as load files do.
    fn failed(&self, attempt: Attempt, path: &RelPath, bad: impl Into<OpenError>) -> FileError {
        let what = ErrorText::of(attempt, self.show(path.as_str()));
        let source = match bad.into() {
            OpenError::System(source) => source,
            OpenError::Rule(why) => return FileError::with_reason(what, FileErrorKind::Forbidden, why),
        };
        let mut failure = FileError::from_io_error(what, source);
        match failure.trouble {
            FileErrorKind::Forbidden => {
                failure.source =
                    "a link or another file system is in the way, and none is followed out of our own folder"
                        .into();
            }
            FileErrorKind::NotFound | FileErrorKind::NotFolder if self.lacks_parent(path) => {
                failure.trouble = FileErrorKind::PathNotFound;
            }
            _ => {}
        }
        failure
    }

    fn lacks_parent(&self, path: &RelPath) -> bool {
        match path.split_file_name() {
            ("", _) => false,
            (parent, _) => {
                sys::open_beneath(self.root(), parent, libc::O_PATH | libc::O_DIRECTORY, 0).is_err()
            }
        }
    }

    fn failed_at(&self, attempt: Attempt, file: &OpenFile, source: io::Error) -> FileError {
        FileError::from_io_error(ErrorText::of(attempt, self.show(&file.path)), source)
    }

    fn remember(&self, obtained: Option<DirectIoAlignment>) {
        *locked(&self.direct) = Some(obtained);
    }

    fn remove(&self, path: &RelPath, is_folder: bool) -> io::Result<()> {
        match &self.above {
            Some((above, name)) if path.as_str().is_empty() && is_folder => {
                sys::unlinkat(above.as_fd(), name, true)
            }
            _ => with_parent_folder(self.root(), path, |parent, name| sys::unlinkat(parent, name, is_folder)),
        }
    }

    fn locking(
        &self,
        attempt: Attempt,
        handle: FileHandle,
        kind: sys::LockKind,
        range: (u64, u64),
    ) -> Result<(), FileError> {
        let file = self.files.get(handle)?;
        if range.1 == 0 {
            return Ok(());
        }
        let Ok(offset) = i64::try_from(range.0) else {
            let why = "this system counts bytes of a file up to 2^63";
            let what = ErrorText::of(attempt, self.show(&file.path));
            return Err(FileError::with_reason(what, FileErrorKind::NotSupported, why));
        };
        // Clamped to the largest offset.
        let length = i64::try_from(range.1).unwrap_or(i64::MAX).min(i64::MAX - offset);
        let kind =
            if kind == sys::LockKind::Exclusive && file.read_only { sys::LockKind::Shared } else { kind };
        sys::set_file_lock(file.plain.as_fd(), kind, offset, length).map_err(|mut source| {
            // fcntl(2) returns either for a conflicting lock.
            if source.raw_os_error() == Some(libc::EACCES) {
                source = io::Error::from_raw_os_error(libc::EAGAIN);
            }
            self.failed_at(attempt, &file, source)
        })
    }
}

impl WorkspaceParent for LocalFolder {
    fn open_subfolder(&self, name: &str) -> Result<Box<dyn Share>, FileError> {
        let path = RelPath::parse(name)?;
        let flags = libc::O_PATH | libc::O_DIRECTORY;
        let root = sys::open_beneath(self.root(), path_or_dot(&path), flags, 0)
            .map_err(|source| self.failed(attempt::open, &path, source))?;
        let above = Some((self.root.clone(), name.to_string()));
        Ok(Box::new(LocalFolder::new(
            Arc::new(root),
            above,
            self.show(name),
            self.engine,
            self.mount.clone(),
        )))
    }
}

impl Share for LocalFolder {
    fn location_facts(&self) -> FileLocationFacts {
        let direct = *locked(&self.direct);
        FileLocationFacts {
            engine: self.engine.name().into(),
            file_system: self.mount.file_system.clone(),
            mount: self.mount.options.clone(),
            device: self.mount.device.clone(),
            direct: direct.map(|obtained| obtained.is_some()),
            alignment: direct.flatten().map(|d| Bytes(d.offset.into())),
            free: self.free,
            ..FileLocationFacts::default()
        }
    }

    fn open(&self, path: &RelPath, how: FileOpenOptions) -> Result<FileHandle, FileError> {
        let file = open::open_path(self.root(), path, how, self.mount.is_in_memory())
            .map_err(|bad| self.failed(attempt::open, path, bad))?;
        if how.direct {
            self.remember(file.direct.as_ref().map(|(_, direct)| *direct));
        }
        Ok(self.files.add(file))
    }

    fn close(&self, handle: FileHandle) -> Result<(), FileError> {
        let Some(OpenFile { plain, direct, path, .. }) = Arc::into_inner(self.files.remove(handle)?) else {
            return Ok(());
        };
        let closed = direct.map_or(Ok(()), |(file, _)| sys::close_file(file)).and(sys::close_file(plain));
        closed.map_err(|source| {
            FileError::from_io_error(ErrorText::of(attempt::close, self.show(&path)), source)
        })
    }

    fn open_io_queue(
        &self,
        handle: FileHandle,
        block: usize,
        depth: usize,
    ) -> Result<Box<dyn IoQueue>, FileError> {
        let file = self.files.get(handle)?;
        let shown = self.show(&file.path);
        io_queue::open_io_queue(file, shown, block, depth, self.engine)
    }

    fn read_at(&self, handle: FileHandle, buffer: &mut [u8], offset: u64) -> Result<usize, FileError> {
        let file = self.files.get(handle)?;
        loop {
            match file.select_file_by_alignment(buffer.as_ptr(), offset, buffer.len()).read_at(buffer, offset)
            {
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                other => return other.map_err(|source| self.failed_at(attempt::read, &file, source)),
            }
        }
    }

    fn write_at(&self, handle: FileHandle, data: &[u8], offset: u64) -> Result<(), FileError> {
        let file = self.files.get(handle)?;
        let way = file.select_file_by_alignment(data.as_ptr(), offset, data.len());
        way.write_all_at(data, offset).map_err(|source| self.failed_at(attempt::write, &file, source))
    }

    fn flush(&self, handle: FileHandle) -> Result<(), FileError> {
        let file = self.files.get(handle)?;
        file.plain.sync_all().map_err(|source| self.failed_at(attempt::flush, &file, source))
    }

    fn query_path_status(&self, path: &RelPath) -> Result<FileStatus, FileError> {
        let known = sys::open_beneath(self.root(), path_or_dot(path), libc::O_PATH, 0)
            .and_then(|file| sys::fstat(file.as_fd()))
            .map_err(|source| self.failed(attempt::look_at, path, source))?;
        Ok(list::file_status(&known))
    }

    fn query_handle_status(&self, handle: FileHandle) -> Result<FileStatus, FileError> {
        let file = self.files.get(handle)?;
        let known = sys::fstat(file.plain.as_fd())
            .map_err(|source| self.failed_at(attempt::look_at, &file, source))?;
        Ok(list::file_status(&known))
    }

    fn set_times_to_now(&self, handle: FileHandle) -> Result<(), FileError> {
        let file = self.files.get(handle)?;
        sys::set_times_to_now(file.plain.as_fd())
            .map_err(|source| self.failed_at(attempt::set_times, &file, source))
    }

    fn disk_space(&self) -> Result<DiskSpace, FileError> {
        let (total, free) = sys::disk_space(self.root())
            .map_err(|source| self.failed(attempt::look_for_room, &RelPath::root(), source))?;
        Ok(DiskSpace { total, free })
    }

    fn find_folder_entries(
        &self,
        folder: &RelPath,
        pattern: &str,
        most: Option<usize>,
    ) -> Result<Vec<FolderEntry>, FileError> {
        sys::open_beneath(self.root(), path_or_dot(folder), libc::O_RDONLY | libc::O_DIRECTORY, 0)
            .and_then(|open| list::find_folder_entries(open.as_fd(), pattern, most))
            .map_err(|source| self.failed(attempt::list, folder, source))
    }

    fn make_folder(&self, path: &RelPath) -> Result<(), FileError> {
        open::make_folder(self.root(), path).map_err(|source| self.failed(attempt::make_folder, path, source))
    }

    fn remove_folder(&self, path: &RelPath) -> Result<(), FileError> {
        self.remove(path, true).map_err(|source| self.failed(attempt::remove_folder, path, source))
    }

    fn remove_file(&self, path: &RelPath) -> Result<(), FileError> {
        self.remove(path, false).map_err(|source| self.failed(attempt::remove, path, source))
    }

    fn rename(&self, from: &RelPath, to: &RelPath) -> Result<(), FileError> {
        let renamed = with_parent_folder(self.root(), from, |old_parent, old| {
            with_parent_folder(self.root(), to, |parent, new| {
                match sys::renameat2((old_parent, old), (parent, new), false) {
                    // Not all file systems support RENAME_NOREPLACE (renameat2(2), EINVAL).
                    Err(e)
                        if e.raw_os_error() == Some(libc::EINVAL) && sys::fstatat(parent, new).is_err() =>
                    {
                        sys::renameat2((old_parent, old), (parent, new), true)
                    }
                    other => other,
                }
            })
        });
        renamed.map_err(|source| self.failed(attempt::rename, from, source))
    }

    fn lock_range(&self, handle: FileHandle, offset: u64, length: u64) -> Result<(), FileError> {
        self.locking(attempt::lock, handle, sys::LockKind::Exclusive, (offset, length))
    }

    fn unlock_range(&self, handle: FileHandle, offset: u64, length: u64) -> Result<(), FileError> {
        self.locking(attempt::unlock, handle, sys::LockKind::Free, (offset, length))
    }

    fn cached_percent(&self, handle: FileHandle) -> Option<f64> {
        cache::percent_in_page_cache(self.files.get(handle).ok()?.as_ref())
    }

    fn drop_cache(&self, handle: FileHandle) -> Result<bool, FileError> {
        let file = self.files.get(handle)?;
        if self.mount.is_in_memory() {
            return Ok(false);
        }
        cache::drop_cached_pages(&file)
            .map(|()| true)
            .map_err(|e| self.failed_at(attempt::drop_cache, &file, e))
    }

    fn start_writeback(&self, handle: FileHandle, offset: u64, length: u64) -> Result<(), FileError> {
        let file = self.files.get(handle)?;
        cache::start_writeback(&file, offset, length)
            .map_err(|e| self.failed_at(attempt::write_back, &file, e))
    }

    fn open_another_connection(&self) -> Result<Box<dyn Share>, FileError> {
        let mount = self.mount.clone();
        Ok(Box::new(LocalFolder::new(
            self.root.clone(),
            self.above.clone(),
            self.shown.clone(),
            self.engine,
            mount,
        )))
    }
}
