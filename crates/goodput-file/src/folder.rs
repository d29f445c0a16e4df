//! A folder of this host: a local disk or any mount. The kernel resolves every name beneath the workspace's
//! descriptor (`folder/open.rs`), so neither `..` nor symbolic links nor mounts lead out of it.

mod cache;
mod facts;
mod files;
mod lane;
mod list;
mod open;
mod target;

pub use target::{open_target, open_target_with};

use crate::workspace::Target;
use crate::{Entry, FileError, FileErrorKind, Handle, Lane, Open, RelPath, Share, Space, Status, sys};
use facts::Mount;
use files::{Direct, Files, OpenFile};
use goodput_model::Bytes;
use goodput_model::file::FileLocationFacts;
use open::{Bad, below, in_parent};
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::fs::FileExt;
use std::sync::{Arc, Mutex, PoisonError};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Engine {
    IoUring,
    Threads,
}

impl Engine {
    pub fn best() -> Engine {
        if sys::ring::is_available() { Engine::IoUring } else { Engine::Threads }
    }

    pub const fn name(self) -> &'static str {
        match self {
            Engine::IoUring => "io_uring",
            Engine::Threads => "threads",
        }
    }
}

/// A folder opened on a workspace (for `workspace.rs`, on the user's folder).
#[derive(Debug)]
pub struct Folder {
    root: Arc<OwnedFd>,
    /// Parent folder and own name; `None` for the user's folder.
    above: Option<(Arc<OwnedFd>, String)>,
    shown: String,
    engine: Engine,
    mount: Arc<Mount>,
    free: Option<Bytes>,
    files: Files,
    /// What the last direct open obtained; `None` before the first.
    direct: Mutex<Option<Option<Direct>>>,
}

impl Folder {
    fn new(
        root: Arc<OwnedFd>,
        above: Option<(Arc<OwnedFd>, String)>,
        shown: String,
        engine: Engine,
        mount: Arc<Mount>,
    ) -> Folder {
        let free = sys::space(root.as_fd()).ok().map(|(_, free)| Bytes(free));
        Folder { root, above, shown, engine, mount, free, files: Files::default(), direct: Mutex::new(None) }
    }

    fn root(&self) -> BorrowedFd<'_> {
        self.root.as_fd()
    }

    fn show(&self, path: &str) -> String {
        if path.is_empty() { self.shown.clone() } else { format!("{}/{path}", self.shown) }
    }

    /// An error with its path; distinguishes a missing parent folder, as load files do.
    fn failed(&self, verb: &str, path: &RelPath, bad: impl Into<Bad>) -> FileError {
        let what = format!("{verb} {}", self.show(path.as_str()));
        let source = match bad.into() {
            Bad::System(source) => source,
            Bad::Rule(why) => return FileError::because(what, FileErrorKind::Forbidden, why),
        };
        let mut failure = FileError::system(what, source);
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
        match path.split() {
            ("", _) => false,
            (parent, _) => {
                sys::open_beneath(self.root(), parent, libc::O_PATH | libc::O_DIRECTORY, 0).is_err()
            }
        }
    }

    fn failed_at(&self, verb: &str, file: &OpenFile, source: io::Error) -> FileError {
        FileError::system(format!("{verb} {}", self.show(&file.path)), source)
    }

    fn remember(&self, obtained: Option<Direct>) {
        *self.direct.lock().unwrap_or_else(PoisonError::into_inner) = Some(obtained);
    }

    fn remove(&self, path: &RelPath, is_folder: bool) -> io::Result<()> {
        match &self.above {
            Some((above, name)) if path.as_str().is_empty() && is_folder => {
                sys::unlink(above.as_fd(), name, true)
            }
            _ => in_parent(self.root(), path, |parent, name| sys::unlink(parent, name, is_folder)),
        }
    }

    fn locking(
        &self,
        verb: &str,
        handle: Handle,
        kind: sys::Lock,
        range: (u64, u64),
    ) -> Result<(), FileError> {
        let file = self.files.get(handle)?;
        if range.1 == 0 {
            return Ok(());
        }
        let Ok(offset) = i64::try_from(range.0) else {
            let why = "this system counts bytes of a file up to 2^63";
            return Err(FileError::because(
                format!("{verb} {}", self.show(&file.path)),
                FileErrorKind::NotSupported,
                why,
            ));
        };
        // Clamped to the largest offset.
        let length = i64::try_from(range.1).unwrap_or(i64::MAX).min(i64::MAX - offset);
        let kind = if kind == sys::Lock::Exclusive && file.read_only { sys::Lock::Shared } else { kind };
        sys::lock(file.plain.as_fd(), kind, offset, length).map_err(|mut source| {
            // fcntl(2) returns either for a conflicting lock.
            if source.raw_os_error() == Some(libc::EACCES) {
                source = io::Error::from_raw_os_error(libc::EAGAIN);
            }
            self.failed_at(verb, &file, source)
        })
    }
}

impl Target for Folder {
    fn share(&self) -> &dyn Share {
        self
    }

    fn below(&self, name: &str) -> Result<Box<dyn Share>, FileError> {
        let path = RelPath::parse(name)?;
        let flags = libc::O_PATH | libc::O_DIRECTORY;
        let root = sys::open_beneath(self.root(), below(&path), flags, 0)
            .map_err(|source| self.failed("open", &path, source))?;
        let above = Some((self.root.clone(), name.to_string()));
        Ok(Box::new(Folder::new(Arc::new(root), above, self.show(name), self.engine, self.mount.clone())))
    }
}

impl Share for Folder {
    fn facts(&self) -> FileLocationFacts {
        let direct = *self.direct.lock().unwrap_or_else(PoisonError::into_inner);
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

    fn open(&self, path: &RelPath, how: Open) -> Result<Handle, FileError> {
        let file = open::open(self.root(), path, how, self.mount.in_memory())
            .map_err(|bad| self.failed("open", path, bad))?;
        if how.direct {
            self.remember(file.direct.as_ref().map(|(_, direct)| *direct));
        }
        Ok(self.files.add(file))
    }

    fn close(&self, handle: Handle) -> Result<(), FileError> {
        let Some(OpenFile { plain, direct, path, .. }) = Arc::into_inner(self.files.remove(handle)?) else {
            return Ok(());
        };
        let closed = direct.map_or(Ok(()), |(file, _)| sys::close(file)).and(sys::close(plain));
        closed.map_err(|source| FileError::system(format!("close {}", self.show(&path)), source))
    }

    fn lane(&self, handle: Handle, block: usize, depth: usize) -> Result<Box<dyn Lane>, FileError> {
        let file = self.files.get(handle)?;
        let shown = self.show(&file.path);
        lane::open(file, shown, block, depth, self.engine)
    }

    fn read_at(&self, handle: Handle, buffer: &mut [u8], offset: u64) -> Result<usize, FileError> {
        let file = self.files.get(handle)?;
        loop {
            match file.way(buffer.as_ptr(), offset, buffer.len()).read_at(buffer, offset) {
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                other => return other.map_err(|source| self.failed_at("read", &file, source)),
            }
        }
    }

    fn write_at(&self, handle: Handle, data: &[u8], offset: u64) -> Result<(), FileError> {
        let file = self.files.get(handle)?;
        let way = file.way(data.as_ptr(), offset, data.len());
        way.write_all_at(data, offset).map_err(|source| self.failed_at("write", &file, source))
    }

    fn flush(&self, handle: Handle) -> Result<(), FileError> {
        let file = self.files.get(handle)?;
        file.plain.sync_all().map_err(|source| self.failed_at("flush", &file, source))
    }

    fn query(&self, path: &RelPath) -> Result<Status, FileError> {
        let known = sys::open_beneath(self.root(), below(path), libc::O_PATH, 0)
            .and_then(|file| sys::stat(file.as_fd()))
            .map_err(|source| self.failed("look at", path, source))?;
        Ok(list::status(&known))
    }

    fn query_open(&self, handle: Handle) -> Result<Status, FileError> {
        let file = self.files.get(handle)?;
        let known =
            sys::stat(file.plain.as_fd()).map_err(|source| self.failed_at("look at", &file, source))?;
        Ok(list::status(&known))
    }

    fn touch(&self, handle: Handle) -> Result<(), FileError> {
        let file = self.files.get(handle)?;
        sys::touch(file.plain.as_fd()).map_err(|source| self.failed_at("set the times of", &file, source))
    }

    fn space(&self) -> Result<Space, FileError> {
        let (total, free) = sys::space(self.root())
            .map_err(|source| self.failed("look for the room of", &RelPath::root(), source))?;
        Ok(Space { total, free })
    }

    fn find(&self, folder: &RelPath, pattern: &str, most: Option<usize>) -> Result<Vec<Entry>, FileError> {
        sys::open_beneath(self.root(), below(folder), libc::O_RDONLY | libc::O_DIRECTORY, 0)
            .and_then(|open| list::find(open.as_fd(), pattern, most))
            .map_err(|source| self.failed("list", folder, source))
    }

    fn make_folder(&self, path: &RelPath) -> Result<(), FileError> {
        open::make_folder(self.root(), path).map_err(|source| self.failed("make the folder", path, source))
    }

    fn remove_folder(&self, path: &RelPath) -> Result<(), FileError> {
        self.remove(path, true).map_err(|source| self.failed("remove the folder", path, source))
    }

    fn remove_file(&self, path: &RelPath) -> Result<(), FileError> {
        self.remove(path, false).map_err(|source| self.failed("remove", path, source))
    }

    fn rename(&self, from: &RelPath, to: &RelPath) -> Result<(), FileError> {
        let renamed = in_parent(self.root(), from, |old_parent, old| {
            in_parent(self.root(), to, |parent, new| {
                match sys::rename((old_parent, old), (parent, new), false) {
                    // Not all file systems support RENAME_NOREPLACE (renameat2(2), EINVAL).
                    Err(e)
                        if e.raw_os_error() == Some(libc::EINVAL) && sys::stat_at(parent, new).is_err() =>
                    {
                        sys::rename((old_parent, old), (parent, new), true)
                    }
                    other => other,
                }
            })
        });
        renamed.map_err(|source| self.failed("rename", from, source))
    }

    fn lock(&self, handle: Handle, offset: u64, length: u64) -> Result<(), FileError> {
        self.locking("lock", handle, sys::Lock::Exclusive, (offset, length))
    }

    fn unlock(&self, handle: Handle, offset: u64, length: u64) -> Result<(), FileError> {
        self.locking("unlock", handle, sys::Lock::Free, (offset, length))
    }

    fn resident_percent(&self, handle: Handle) -> Option<f64> {
        cache::resident_percent(self.files.get(handle).ok()?.as_ref())
    }

    fn drop_cache(&self, handle: Handle) -> Result<bool, FileError> {
        let file = self.files.get(handle)?;
        if self.mount.in_memory() {
            return Ok(false);
        }
        cache::drop_file(&file)
            .map(|()| true)
            .map_err(|e| self.failed_at("drop from the page cache", &file, e))
    }

    fn another(&self) -> Result<Box<dyn Share>, FileError> {
        let mount = self.mount.clone();
        Ok(Box::new(Folder::new(
            self.root.clone(),
            self.above.clone(),
            self.shown.clone(),
            self.engine,
            mount,
        )))
    }
}
