//! An NFS export (version 3, RFC 1813), spoken to by ourselves: no mount, no cache of this client's data.
//!
//! The `nfs3_client` library asks the portmapper, mounts, and has all types of the protocol ([`mount`]). It keeps one call
//! under way; so what moves messages is ours ([`crate::wire`], [`rpc`]), as for SMB.
//!
//! Writes are unstable and made durable by COMMIT in `flush`; when the server's verifier shows that it restarted between,
//! the flush fails. Files are created with GUARDED, which fails where the name exists: a call is never sent twice on one
//! connection, so the retransmissions that EXCLUSIVE is for do not occur. Locks belong to another protocol (NLM) and are
//! not spoken. Folders' handles are remembered, as a kernel's client does.

mod lane;
mod mount;
mod names;
mod rpc;
mod status;
mod walk;

use crate::wire::lane::Slots;
use crate::wire::{DURABLE_PATIENCE, Fault, Line, PATIENCE};
use crate::workspace::Target;
use crate::{Entry, FileError, Handle, Lane, Open, RelPath, Share, Space, Status, Trouble};
use goodput_model::Bytes;
use goodput_model::file::{Disposition, PlaceFacts};
use lane::NfsLane;
use mount::{Entered, Whereto};
use nfs3_client::nfs3_types::nfs3::{
    COMMIT3args, COMMIT3res, CREATE3args, CREATE3res, FSINFO3args, FSINFO3res, FSSTAT3args, FSSTAT3res,
    MKDIR3args, MKDIR3res, NFS_PROGRAM, Nfs3Option, REMOVE3args, REMOVE3res, RENAME3args, RENAME3res,
    RMDIR3args, RMDIR3res, SETATTR3args, SETATTR3res, createhow3, fattr3, nfs_fh3, nfsstat3, sattr3,
    set_atime, set_mtime,
};
use rpc::{Rpc, call};
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use walk::{Walk, named};

/// What the server takes and gives at once; more is cut.
const LARGEST: u32 = 8 << 20;

/// An export, open on one folder in it.
pub struct Nfs {
    line: Arc<Line<Rpc>>,
    to: Whereto,
    walk: Walk,
    /// From the export's root, for another connection and for messages.
    base: String,
    /// The folder that the base is in, and its name there; `None` for the export's root.
    above: Option<(nfs_fh3, String)>,
    facts: PlaceFacts,
    most: (usize, usize),
    open: Mutex<HashMap<u64, Opened>>,
    last: AtomicU64,
}

#[derive(Clone)]
struct Opened {
    file: nfs_fh3,
    name: Arc<str>,
}

impl Nfs {
    /// Mounts an export and opens `path`, a folder in it with `/`, empty for its root. Ports that are `None` are asked of
    /// the portmapper.
    ///
    /// # Errors
    /// [`Trouble::Gone`] when the server does not answer, [`Trouble::LogOn`] when it does not let this host in.
    pub fn connect(
        host: &str,
        port: Option<u16>,
        mount_port: Option<u16>,
        export: &str,
        path: &str,
    ) -> Result<Nfs, FileError> {
        let to = Whereto { host: host.to_string(), port, mount_port, export: export.to_string() };
        let base = RelPath::parse(path.trim_matches('/'))?;
        Nfs::enter(to, &base)
    }

    fn enter(to: Whereto, base: &RelPath) -> Result<Nfs, FileError> {
        let what = format!("open nfs://{}{}/{}", to.host, to.export, base.as_str());
        Nfs::mounted(to, base).map_err(|fault| fault.about(what))
    }

    fn mounted(to: Whereto, base: &RelPath) -> Result<Nfs, Fault> {
        let Entered { stream, root, credential } = mount::enter(&to)?;
        let first = u64::from(std::process::id()) << 12;
        let line = Line::new(stream, Rpc::new(credential), first, rpc::CREDITS)
            .map_err(|error| Fault::socket(&error))?;
        let info = FSINFO3args { fsroot: root.clone() };
        let info = status::done(call::<FSINFO3res>(&line, NFS_PROGRAM::NFSPROC3_FSINFO, &info, PATIENCE)?)?;
        let (read, write) = (info.rtmax.clamp(512, LARGEST), info.wtmax.clamp(512, LARGEST));
        let facts = PlaceFacts {
            engine: "nfs 3".into(),
            max_io: Some((Bytes(read.into()), Bytes(write.into()))),
            signed: Some(false),
            encrypted: Some(false),
            connections: Some(1),
            ..PlaceFacts::default()
        };
        let mut nfs = Nfs {
            line: Arc::new(line),
            to,
            walk: Walk::new(root),
            base: String::new(),
            above: None,
            facts,
            most: (read as usize, write as usize),
            open: Mutex::default(),
            last: AtomicU64::new(0),
        };
        nfs.facts.free = Some(Bytes(nfs.free()?.free));
        if base.as_str().is_empty() { Ok(nfs) } else { nfs.on(base) }
    }

    /// The same connection, open on a folder below.
    fn on(&self, folder: &RelPath) -> Result<Nfs, Fault> {
        let (above, name) = self.walk.parent(&self.line, folder)?;
        let base = self.walk.folder(&self.line, folder.as_str())?;
        let full = if self.base.is_empty() { String::new() } else { format!("{}/", self.base) };
        Ok(Nfs {
            line: Arc::clone(&self.line),
            to: self.to.clone(),
            walk: Walk::new(base),
            base: full + folder.as_str(),
            above: Some((above, name.to_string())),
            facts: self.facts.clone(),
            most: self.most,
            open: Mutex::default(),
            last: AtomicU64::new(0),
        })
    }

    /// A path as messages name it.
    fn name(&self, path: &RelPath) -> String {
        let parts = [self.to.export.trim_matches('/'), &self.base, path.as_str()];
        let path: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        format!("nfs://{}/{}", self.to.host, path.join("/"))
    }

    fn table(&self) -> MutexGuard<'_, HashMap<u64, Opened>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn opened(&self, handle: Handle, verb: &str) -> Result<Opened, FileError> {
        self.table().get(&handle.0).cloned().ok_or_else(|| {
            FileError::because(format!("{verb} handle {}", handle.0), Trouble::Other, "it is not open")
        })
    }

    fn about<T>(&self, done: Result<T, Fault>, verb: &str, path: &RelPath) -> Result<T, FileError> {
        done.map_err(|fault| fault.about(format!("{verb} {}", self.name(path))))
    }

    fn free(&self) -> Result<Space, Fault> {
        let arguments = FSSTAT3args { fsroot: self.walk.base.clone() };
        let state = call::<FSSTAT3res>(&self.line, NFS_PROGRAM::NFSPROC3_FSSTAT, &arguments, PATIENCE)?;
        status::done(state).map(|state| Space { total: state.tbytes, free: state.abytes })
    }

    /// A new file or folder, whose name must be free.
    fn make(&self, path: &RelPath, folder: bool) -> Result<nfs_fh3, Fault> {
        let (above, name) = self.walk.parent(&self.line, path)?;
        let where_ = named(&above, name);
        let mode = if folder { 0o755 } else { 0o644 };
        let attributes = sattr3 { mode: Nfs3Option::Some(mode), ..sattr3::default() };
        let made = if folder {
            let arguments = MKDIR3args { where_, attributes };
            let made = call::<MKDIR3res>(&self.line, NFS_PROGRAM::NFSPROC3_MKDIR, &arguments, PATIENCE)?;
            status::done(made)?.obj
        } else {
            let arguments = CREATE3args { where_, how: createhow3::GUARDED(attributes) };
            let made = call::<CREATE3res>(&self.line, NFS_PROGRAM::NFSPROC3_CREATE, &arguments, PATIENCE)?;
            status::done(made)?.obj
        };
        match made {
            Nfs3Option::Some(handle) => Ok(handle),
            // A server need not tell it.
            Nfs3Option::None => walk::look_up(&self.line, &above, name).map(|found| found.handle),
        }
    }

    fn empty(&self, file: &nfs_fh3) -> Result<(), Fault> {
        self.set(file, sattr3 { size: Nfs3Option::Some(0), ..sattr3::default() })
    }

    fn set(&self, file: &nfs_fh3, new_attributes: sattr3) -> Result<(), Fault> {
        let arguments = SETATTR3args { object: file.clone(), new_attributes, guard: Nfs3Option::None };
        status::done(call::<SETATTR3res>(&self.line, NFS_PROGRAM::NFSPROC3_SETATTR, &arguments, PATIENCE)?)
            .map(drop)
    }

    fn begin(&self, path: &RelPath, how: Open) -> Result<nfs_fh3, Fault> {
        if how.disposition == Disposition::Create {
            return self.make(path, how.folder);
        }
        let found = match self.walk.find(&self.line, path) {
            Ok(found) => found,
            Err(fault) if fault.trouble == Trouble::NotFound && makes(how.disposition) => {
                match self.make(path, how.folder) {
                    // Somebody was faster; then it exists.
                    Err(fault) if fault.trouble == Trouble::Exists => self.walk.find(&self.line, path)?,
                    made => return made,
                }
            }
            Err(fault) => return Err(fault),
        };
        match (found.is_folder(), how.folder, how.file) {
            (true, _, true) => return Err(status::fault(nfsstat3::NFS3ERR_ISDIR)),
            (false, true, _) => return Err(status::fault(nfsstat3::NFS3ERR_NOTDIR)),
            _ => {}
        }
        if empties(how.disposition) && !found.is_folder() {
            self.empty(&found.handle)?;
        }
        Ok(found.handle)
    }
}

fn makes(disposition: Disposition) -> bool {
    matches!(disposition, Disposition::Supersede | Disposition::OpenIf | Disposition::OverwriteIf)
}

fn empties(disposition: Disposition) -> bool {
    matches!(disposition, Disposition::Supersede | Disposition::Overwrite | Disposition::OverwriteIf)
}

fn state(of: &fattr3, folder: bool) -> Status {
    Status { length: of.size, allocated: Some(of.used), folder }
}

impl Target for Nfs {
    fn share(&self) -> &dyn Share {
        self
    }

    fn below(&self, name: &str) -> Result<Box<dyn Share>, FileError> {
        let path = RelPath::parse(name)?;
        // Another client may have removed and made it again since it was looked at last.
        self.walk.forget();
        Ok(Box::new(self.about(self.on(&path), "open", &path)?))
    }
}

impl Share for Nfs {
    fn facts(&self) -> PlaceFacts {
        self.facts.clone()
    }

    fn open(&self, path: &RelPath, how: Open) -> Result<Handle, FileError> {
        let file = self.about(self.begin(path, how), "open", path)?;
        let handle = self.last.fetch_add(1, Ordering::Relaxed) + 1;
        self.table().insert(handle, Opened { file, name: self.name(path).into() });
        Ok(Handle(handle))
    }

    fn close(&self, handle: Handle) -> Result<(), FileError> {
        // The protocol knows no open files.
        self.opened(handle, "close")?;
        self.table().remove(&handle.0);
        Ok(())
    }

    fn lane(&self, handle: Handle, block: usize, depth: usize) -> Result<Box<dyn Lane>, FileError> {
        let Opened { file, name } = self.opened(handle, "use")?;
        let slots = Slots::new(&self.line, &name, block, depth);
        Ok(Box::new(NfsLane { line: Arc::clone(&self.line), file, slots, most: self.most }))
    }

    fn read_at(&self, handle: Handle, buffer: &mut [u8], offset: u64) -> Result<usize, FileError> {
        let Opened { file, name } = self.opened(handle, "read")?;
        let most = buffer.len().min(self.most.0);
        if most == 0 {
            return Ok(0);
        }
        rpc::read_once(&self.line, &file, offset, &mut buffer[..most], PATIENCE)
            .map_err(|fault| fault.about(format!("read {name}")))
    }

    fn write_at(&self, handle: Handle, data: &[u8], offset: u64) -> Result<(), FileError> {
        let Opened { file, name } = self.opened(handle, "write")?;
        let mut at = 0;
        while at < data.len() {
            let part = &data[at..data.len().min(at + self.most.1)];
            let written = rpc::write_once(&self.line, &file, offset + at as u64, part, PATIENCE)
                .and_then(|written| match written {
                    0 => Err(status::fault(nfsstat3::NFS3ERR_NOSPC)),
                    _ => Ok(written.min(part.len())),
                })
                .map_err(|fault| fault.about(format!("write {name}")))?;
            at += written;
        }
        Ok(())
    }

    fn flush(&self, handle: Handle) -> Result<(), FileError> {
        let Opened { file, name } = self.opened(handle, "flush")?;
        if !self.line.speech.owes_a_commit() {
            return Ok(());
        }
        let arguments = COMMIT3args { file, offset: 0, count: 0 };
        let commit = NFS_PROGRAM::NFSPROC3_COMMIT;
        let done =
            call::<COMMIT3res>(&self.line, commit, &arguments, DURABLE_PATIENCE).and_then(status::done);
        let done = done.and_then(|done| {
            self.line.speech.verify(done.verf.0);
            if self.line.speech.has_restarted() {
                let why = "the server was started again since data was written; that data may be lost";
                return Err(Fault::gone(why));
            }
            Ok(())
        });
        done.map_err(|fault| fault.about(format!("flush {name}")))
    }

    fn query(&self, path: &RelPath) -> Result<Status, FileError> {
        let found = self.about(self.walk.find(&self.line, path), "look at", path)?;
        Ok(state(&found.attributes, found.is_folder()))
    }

    fn query_open(&self, handle: Handle) -> Result<Status, FileError> {
        let Opened { file, name } = self.opened(handle, "look at")?;
        let attributes =
            walk::attributes(&self.line, &file).map_err(|fault| fault.about(format!("look at {name}")))?;
        let found = walk::Found { handle: file, attributes };
        Ok(state(&found.attributes, found.is_folder()))
    }

    fn touch(&self, handle: Handle) -> Result<(), FileError> {
        let Opened { file, name } = self.opened(handle, "set the times of")?;
        let now = sattr3 {
            atime: set_atime::SET_TO_SERVER_TIME,
            mtime: set_mtime::SET_TO_SERVER_TIME,
            ..sattr3::default()
        };
        self.set(&file, now).map_err(|fault| fault.about(format!("set the times of {name}")))
    }

    fn space(&self) -> Result<Space, FileError> {
        self.about(self.free(), "ask for the free space of", &RelPath::root())
    }

    fn find(&self, folder: &RelPath, pattern: &str, most: Option<usize>) -> Result<Vec<Entry>, FileError> {
        let found = self
            .walk
            .folder(&self.line, folder.as_str())
            .and_then(|handle| names::find(&self.line, &handle, pattern, most));
        self.about(found, "list", folder)
    }

    fn make_folder(&self, path: &RelPath) -> Result<(), FileError> {
        self.about(self.make(path, true).map(drop), "make the folder", path)
    }

    fn remove_folder(&self, path: &RelPath) -> Result<(), FileError> {
        let parent = match (&self.above, path.as_str().is_empty()) {
            (Some((above, name)), true) => Ok((above.clone(), name.as_str())),
            _ => self.walk.parent(&self.line, path),
        };
        let done = parent.and_then(|(above, name)| {
            let arguments = RMDIR3args { object: named(&above, name) };
            status::done(call::<RMDIR3res>(&self.line, NFS_PROGRAM::NFSPROC3_RMDIR, &arguments, PATIENCE)?)
        });
        self.walk.forget();
        self.about(done.map(drop), "remove the folder", path)
    }

    fn remove_file(&self, path: &RelPath) -> Result<(), FileError> {
        let done = self.walk.parent(&self.line, path).and_then(|(above, name)| {
            let arguments = REMOVE3args { object: named(&above, name) };
            status::done(call::<REMOVE3res>(
                &self.line,
                NFS_PROGRAM::NFSPROC3_REMOVE,
                &arguments,
                DURABLE_PATIENCE,
            )?)
            .map(drop)
        });
        self.about(done, "remove", path)
    }

    fn rename(&self, from: &RelPath, to: &RelPath) -> Result<(), FileError> {
        let done = self.walk.parent(&self.line, from).and_then(|(from_folder, from_name)| {
            let (to_folder, to_name) = self.walk.parent(&self.line, to)?;
            // The call itself would replace what is there.
            match walk::look_up(&self.line, &to_folder, to_name) {
                Ok(_) => return Err(status::fault(nfsstat3::NFS3ERR_EXIST)),
                Err(fault) if fault.trouble == Trouble::NotFound => {}
                Err(fault) => return Err(fault),
            }
            let arguments =
                RENAME3args { from: named(&from_folder, from_name), to: named(&to_folder, to_name) };
            status::done(call::<RENAME3res>(&self.line, NFS_PROGRAM::NFSPROC3_RENAME, &arguments, PATIENCE)?)
                .map(drop)
        });
        self.walk.forget();
        self.about(done, "rename", from)
    }

    fn lock(&self, handle: Handle, _offset: u64, _length: u64) -> Result<(), FileError> {
        let Opened { name, .. } = self.opened(handle, "lock")?;
        Err(FileError::because(format!("lock {name}"), Trouble::NotSupported, NO_LOCKS))
    }

    fn unlock(&self, handle: Handle, _offset: u64, _length: u64) -> Result<(), FileError> {
        let Opened { name, .. } = self.opened(handle, "unlock")?;
        Err(FileError::because(format!("unlock {name}"), Trouble::NotSupported, NO_LOCKS))
    }

    fn requests(&self) -> Option<u64> {
        Some(self.line.requests())
    }

    fn another(&self) -> Result<Box<dyn Share>, FileError> {
        Ok(Box::new(Nfs::enter(self.to.clone(), &RelPath::parse(&self.base)?)?))
    }
}

const NO_LOCKS: &str = "locks of NFS 3 belong to a protocol of their own, which is not spoken here";
