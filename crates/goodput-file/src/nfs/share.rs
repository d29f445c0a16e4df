//! The [`Share`] operations on an NFS export.

use super::folder_handles::{self, dir_op_args};
use super::transfer;
use super::{NfsShare, Opened, names, state, status};
use crate::attempt;
use crate::future_io_queue::FutureIoQueue;
use crate::operation_error::OperationError;
use crate::tcp::{FLUSH_RESPONSE_TIMEOUT, RESPONSE_TIMEOUT};
use crate::{
    DiskSpace, FileError, FileErrorKind, FileHandle, FileOpenOptions, FileStatus, FolderEntry, IoQueue,
    IoRequest, RelPath, Share,
};
use goodput_model::file::FileLocationFacts;
use nfs3_client::nfs3_types::nfs3::{
    COMMIT3args, REMOVE3args, RENAME3args, RMDIR3args, nfsstat3, sattr3, set_atime, set_mtime,
};
use std::sync::Arc;

impl Share for NfsShare {
    fn location_facts(&self) -> FileLocationFacts {
        FileLocationFacts { connections: Some(self.connections.opened_count()), ..self.facts.clone() }
    }

    fn open(&self, path: &RelPath, how: FileOpenOptions) -> Result<FileHandle, FileError> {
        let file = self.about(self.begin(path, how), attempt::open, path)?;
        Ok(self.open.add(Opened { file, name: self.name(path) }))
    }

    fn close(&self, handle: FileHandle) -> Result<(), FileError> {
        // NFS version 3 has no open files.
        self.open.remove(handle).map(drop)
    }

    fn open_io_queue(
        &self,
        handle: FileHandle,
        block: usize,
        depth: usize,
    ) -> Result<Box<dyn IoQueue>, FileError> {
        let opened = self.open.get(handle)?;
        let (file, connections, most) = (opened.file.clone(), Arc::clone(&self.connections), self.most);
        let begin = move |io: IoRequest,
                          mut buffer: crate::sys::AlignedBuffer|
              -> crate::future_io_queue::IoFuture {
            let (connections, file) = (Arc::clone(&connections), file.clone());
            Box::pin(async move {
                let data = &mut buffer.bytes_mut()[..io.length];
                let moved = match io.write {
                    true => transfer::write_file_unstable(&connections, &file, io.offset, data, most.1).await,
                    false => transfer::read_file(&connections, &file, io.offset, data, most.0).await,
                };
                (buffer, moved)
            })
        };
        let runtime = Arc::clone(&self.connections.runtime);
        Ok(Box::new(FutureIoQueue::new(runtime, &opened.name, block, depth, Box::new(begin))?))
    }

    fn read_at(&self, handle: FileHandle, buffer: &mut [u8], offset: u64) -> Result<usize, FileError> {
        let Opened { file, name } = &*self.open.get(handle)?;
        let most = buffer.len().min(self.most.0);
        let work = transfer::read_file(&self.connections, file, offset, &mut buffer[..most], most);
        let done = self.connections.runtime.block_on_with_timeout(RESPONSE_TIMEOUT, work);
        done.flatten().map_err(|fault| fault.about(attempt::read, name))
    }

    fn write_at(&self, handle: FileHandle, data: &[u8], offset: u64) -> Result<(), FileError> {
        let Opened { file, name } = &*self.open.get(handle)?;
        let work = transfer::write_file_unstable(&self.connections, file, offset, data, self.most.1);
        let done = self.connections.runtime.block_on_with_timeout(RESPONSE_TIMEOUT, work);
        done.flatten().map(drop).map_err(|fault| fault.about(attempt::write, name))
    }

    fn flush(&self, handle: FileHandle) -> Result<(), FileError> {
        let Opened { file, name } = &*self.open.get(handle)?;
        let durability = &self.connections.durability;
        if !durability.needs_commit() {
            return Ok(());
        }
        let arguments = COMMIT3args { file: file.clone(), offset: 0, count: 0 };
        let done =
            self.connections.run_call(FLUSH_RESPONSE_TIMEOUT, async |client| client.commit(&arguments).await);
        let done = done.and_then(|done| {
            durability.check_verifier(done.verf.0);
            if durability.take_restart_flag() {
                let why = "the server was started again since data was written; that data may be lost";
                return Err(OperationError::connection_lost(why));
            }
            Ok(())
        });
        done.map_err(|fault| fault.about(attempt::flush, name))
    }

    fn query_path_status(&self, path: &RelPath) -> Result<FileStatus, FileError> {
        let found = self.folders.resolve_path(&self.connections, path);
        let found = self.about(found, attempt::look_at, path)?;
        Ok(state(&found.attributes))
    }

    fn query_handle_status(&self, handle: FileHandle) -> Result<FileStatus, FileError> {
        let Opened { file, name } = &*self.open.get(handle)?;
        let attributes = folder_handles::fetch_attributes(&self.connections, file)
            .map_err(|fault| fault.about(attempt::look_at, name))?;
        Ok(state(&attributes))
    }

    fn set_times_to_now(&self, handle: FileHandle) -> Result<(), FileError> {
        let Opened { file, name } = &*self.open.get(handle)?;
        let now = sattr3 {
            atime: set_atime::SET_TO_SERVER_TIME,
            mtime: set_mtime::SET_TO_SERVER_TIME,
            ..sattr3::default()
        };
        self.set(file, now).map_err(|fault| fault.about(attempt::set_times, name))
    }

    fn disk_space(&self) -> Result<DiskSpace, FileError> {
        self.about(self.free(), attempt::ask_free_space, &RelPath::root())
    }

    fn find_folder_entries(
        &self,
        folder: &RelPath,
        pattern: &str,
        most: Option<usize>,
    ) -> Result<Vec<FolderEntry>, FileError> {
        let found = self
            .folders
            .resolve_folder(&self.connections, folder.as_str())
            .and_then(|handle| names::find_folder_entries(&self.connections, &handle, pattern, most));
        self.about(found, attempt::list, folder)
    }

    fn make_folder(&self, path: &RelPath) -> Result<(), FileError> {
        self.about(self.make(path, true).map(drop), attempt::make_folder, path)
    }

    fn remove_folder(&self, path: &RelPath) -> Result<(), FileError> {
        let parent = match (&self.above, path.as_str().is_empty()) {
            (Some((above, name)), true) => Ok((above.clone(), name.as_str())),
            _ => self.folders.resolve_parent(&self.connections, path),
        };
        let done = parent.and_then(|(above, name)| {
            let arguments = RMDIR3args { object: dir_op_args(&above, name) };
            self.connections.run_call(RESPONSE_TIMEOUT, async |client| client.rmdir(&arguments).await)
        });
        self.folders.clear();
        self.about(done.map(drop), attempt::remove_folder, path)
    }

    fn remove_file(&self, path: &RelPath) -> Result<(), FileError> {
        let done = self.folders.resolve_parent(&self.connections, path).and_then(|(above, name)| {
            let arguments = REMOVE3args { object: dir_op_args(&above, name) };
            self.connections
                .run_call(FLUSH_RESPONSE_TIMEOUT, async |client| client.remove(&arguments).await)
                .map(drop)
        });
        self.about(done, attempt::remove, path)
    }

    fn rename(&self, from: &RelPath, to: &RelPath) -> Result<(), FileError> {
        let done =
            self.folders.resolve_parent(&self.connections, from).and_then(|(from_folder, from_name)| {
                let (to_folder, to_name) = self.folders.resolve_parent(&self.connections, to)?;
                // RENAME itself would replace an existing name.
                match folder_handles::lookup_name(&self.connections, &to_folder, to_name) {
                    Ok(_) => return Err(status::error_from_status(nfsstat3::NFS3ERR_EXIST)),
                    Err(fault) if fault.trouble == FileErrorKind::NotFound => {}
                    Err(fault) => return Err(fault),
                }
                let arguments = RENAME3args {
                    from: dir_op_args(&from_folder, from_name),
                    to: dir_op_args(&to_folder, to_name),
                };
                self.connections
                    .run_call(RESPONSE_TIMEOUT, async |client| client.rename(&arguments).await)
                    .map(drop)
            });
        self.folders.clear();
        self.about(done, attempt::rename, from)
    }

    fn lock_range(&self, handle: FileHandle, _offset: u64, _length: u64) -> Result<(), FileError> {
        let Opened { name, .. } = &*self.open.get(handle)?;
        Err(OperationError::new(FileErrorKind::NotSupported, NO_LOCKS).about(attempt::lock, name))
    }

    fn unlock_range(&self, handle: FileHandle, _offset: u64, _length: u64) -> Result<(), FileError> {
        let Opened { name, .. } = &*self.open.get(handle)?;
        Err(OperationError::new(FileErrorKind::NotSupported, NO_LOCKS).about(attempt::unlock, name))
    }

    fn request_count(&self) -> Option<u64> {
        Some(self.connections.request_count())
    }

    fn open_another_connection(&self) -> Result<Box<dyn Share>, FileError> {
        Ok(Box::new(NfsShare::enter(self.connections.to.clone(), &RelPath::parse(&self.base)?)?))
    }
}

const NO_LOCKS: &str = "locks of NFS 3 belong to a protocol of their own, which is not spoken here";
