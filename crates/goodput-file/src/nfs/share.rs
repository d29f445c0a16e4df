//! The [`Share`] operations on an NFS export.

use super::folder_handles::{self, named};
use super::transfer;
use super::{Nfs, Opened, names, state, status};
use crate::async_lane::AsyncLane;
use crate::fault::Fault;
use crate::tcp::{DURABLE_PATIENCE, PATIENCE};
use crate::{Entry, FileError, FileErrorKind, Handle, Io, Lane, Open, RelPath, Share, Space, Status};
use goodput_model::file::FileLocationFacts;
use nfs3_client::nfs3_types::nfs3::{
    COMMIT3args, REMOVE3args, RENAME3args, RMDIR3args, nfsstat3, sattr3, set_atime, set_mtime,
};
use std::sync::Arc;
use std::sync::atomic::Ordering;

impl Share for Nfs {
    fn facts(&self) -> FileLocationFacts {
        FileLocationFacts { connections: Some(self.connections.opened()), ..self.facts.clone() }
    }

    fn open(&self, path: &RelPath, how: Open) -> Result<Handle, FileError> {
        let file = self.about(self.begin(path, how), "open", path)?;
        let handle = self.last.fetch_add(1, Ordering::Relaxed) + 1;
        self.table().insert(handle, Opened { file, name: self.name(path).into() });
        Ok(Handle(handle))
    }

    fn close(&self, handle: Handle) -> Result<(), FileError> {
        // NFS version 3 has no open files.
        self.opened(handle, "close")?;
        self.table().remove(&handle.0);
        Ok(())
    }

    fn lane(&self, handle: Handle, block: usize, depth: usize) -> Result<Box<dyn Lane>, FileError> {
        let Opened { file, name } = self.opened(handle, "use")?;
        let (connections, most) = (Arc::clone(&self.connections), self.most);
        let begin = move |io: Io, mut buffer: crate::sys::Aligned| -> crate::async_lane::Operation {
            let (connections, file) = (Arc::clone(&connections), file.clone());
            Box::pin(async move {
                let data = &mut buffer.bytes_mut()[..io.length];
                let moved = match io.write {
                    true => transfer::write(&connections, &file, io.offset, data, most.1).await,
                    false => transfer::read(&connections, &file, io.offset, data, most.0).await,
                };
                (buffer, moved)
            })
        };
        let runtime = Arc::clone(&self.connections.runtime);
        Ok(Box::new(AsyncLane::new(runtime, &name, block, depth, Box::new(begin))?))
    }

    fn read_at(&self, handle: Handle, buffer: &mut [u8], offset: u64) -> Result<usize, FileError> {
        let Opened { file, name } = self.opened(handle, "read")?;
        let most = buffer.len().min(self.most.0);
        let work = transfer::read(&self.connections, &file, offset, &mut buffer[..most], most);
        let done = self.connections.runtime.run(PATIENCE, work);
        done.flatten().map_err(|fault| fault.about(format!("read {name}")))
    }

    fn write_at(&self, handle: Handle, data: &[u8], offset: u64) -> Result<(), FileError> {
        let Opened { file, name } = self.opened(handle, "write")?;
        let work = transfer::write(&self.connections, &file, offset, data, self.most.1);
        let done = self.connections.runtime.run(PATIENCE, work);
        done.flatten().map(drop).map_err(|fault| fault.about(format!("write {name}")))
    }

    fn flush(&self, handle: Handle) -> Result<(), FileError> {
        let Opened { file, name } = self.opened(handle, "flush")?;
        let durability = &self.connections.durability;
        if !durability.needs_commit() {
            return Ok(());
        }
        let arguments = COMMIT3args { file, offset: 0, count: 0 };
        let done = self.connections.call(DURABLE_PATIENCE, async |client| client.commit(&arguments).await);
        let done = done.and_then(|done| {
            durability.verify(done.verf.0);
            if durability.has_restarted() {
                let why = "the server was started again since data was written; that data may be lost";
                return Err(Fault::gone(why));
            }
            Ok(())
        });
        done.map_err(|fault| fault.about(format!("flush {name}")))
    }

    fn query(&self, path: &RelPath) -> Result<Status, FileError> {
        let found = self.about(self.folders.find(&self.connections, path), "look at", path)?;
        Ok(state(&found.attributes, found.is_folder()))
    }

    fn query_open(&self, handle: Handle) -> Result<Status, FileError> {
        let Opened { file, name } = self.opened(handle, "look at")?;
        let attributes = folder_handles::attributes(&self.connections, &file)
            .map_err(|fault| fault.about(format!("look at {name}")))?;
        let found = folder_handles::Found { handle: file, attributes };
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
            .folders
            .folder(&self.connections, folder.as_str())
            .and_then(|handle| names::find(&self.connections, &handle, pattern, most));
        self.about(found, "list", folder)
    }

    fn make_folder(&self, path: &RelPath) -> Result<(), FileError> {
        self.about(self.make(path, true).map(drop), "make the folder", path)
    }

    fn remove_folder(&self, path: &RelPath) -> Result<(), FileError> {
        let parent = match (&self.above, path.as_str().is_empty()) {
            (Some((above, name)), true) => Ok((above.clone(), name.as_str())),
            _ => self.folders.parent(&self.connections, path),
        };
        let done = parent.and_then(|(above, name)| {
            let arguments = RMDIR3args { object: named(&above, name) };
            self.connections.call(PATIENCE, async |client| client.rmdir(&arguments).await)
        });
        self.folders.forget();
        self.about(done.map(drop), "remove the folder", path)
    }

    fn remove_file(&self, path: &RelPath) -> Result<(), FileError> {
        let done = self.folders.parent(&self.connections, path).and_then(|(above, name)| {
            let arguments = REMOVE3args { object: named(&above, name) };
            self.connections.call(DURABLE_PATIENCE, async |client| client.remove(&arguments).await).map(drop)
        });
        self.about(done, "remove", path)
    }

    fn rename(&self, from: &RelPath, to: &RelPath) -> Result<(), FileError> {
        let done = self.folders.parent(&self.connections, from).and_then(|(from_folder, from_name)| {
            let (to_folder, to_name) = self.folders.parent(&self.connections, to)?;
            // RENAME itself would replace an existing name.
            match folder_handles::look_up(&self.connections, &to_folder, to_name) {
                Ok(_) => return Err(status::fault(nfsstat3::NFS3ERR_EXIST)),
                Err(fault) if fault.trouble == FileErrorKind::NotFound => {}
                Err(fault) => return Err(fault),
            }
            let arguments =
                RENAME3args { from: named(&from_folder, from_name), to: named(&to_folder, to_name) };
            self.connections.call(PATIENCE, async |client| client.rename(&arguments).await).map(drop)
        });
        self.folders.forget();
        self.about(done, "rename", from)
    }

    fn lock(&self, handle: Handle, _offset: u64, _length: u64) -> Result<(), FileError> {
        let Opened { name, .. } = self.opened(handle, "lock")?;
        Err(FileError::because(format!("lock {name}"), FileErrorKind::NotSupported, NO_LOCKS))
    }

    fn unlock(&self, handle: Handle, _offset: u64, _length: u64) -> Result<(), FileError> {
        let Opened { name, .. } = self.opened(handle, "unlock")?;
        Err(FileError::because(format!("unlock {name}"), FileErrorKind::NotSupported, NO_LOCKS))
    }

    fn requests(&self) -> Option<u64> {
        Some(self.connections.requests())
    }

    fn another(&self) -> Result<Box<dyn Share>, FileError> {
        Ok(Box::new(Nfs::enter(self.connections.to.clone(), &RelPath::parse(&self.base)?)?))
    }
}

const NO_LOCKS: &str = "locks of NFS 3 belong to a protocol of their own, which is not spoken here";
