//! What every place can do, on an NFS export.

use super::lane::NfsLane;
use super::rpc::{self, call};
use super::walk::{self, named};
use super::{Nfs, Opened, names, state, status};
use crate::wire::lane::Slots;
use crate::wire::{DURABLE_PATIENCE, Fault, PATIENCE};
use crate::{Entry, FileError, Handle, Lane, Open, RelPath, Share, Space, Status, Trouble};
use goodput_model::file::PlaceFacts;
use nfs3_client::nfs3_types::nfs3::{
    COMMIT3args, COMMIT3res, NFS_PROGRAM, REMOVE3args, REMOVE3res, RENAME3args, RENAME3res, RMDIR3args,
    RMDIR3res, nfsstat3, sattr3, set_atime, set_mtime,
};
use std::sync::Arc;
use std::sync::atomic::Ordering;

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
