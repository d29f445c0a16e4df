//! The client's side of a sink: a [`SinkStorage`] over data connections to the listening end.

use super::data::DataConnectionPool;
use super::data_connection::DataConnection;
use super::frame::{
    MAX_IO_BYTES, SinkOp, SinkReply, SinkRequest, decode_directory_entries, encode_open_flags,
};
use super::remote_io_queue::RemoteIoQueue;
use super::storage::{SinkError, SinkStorage};
use crate::locked;
use goodput_model::file::{DiskSpace, FileErrorKind, FileOpenOptions, FileStatus, FolderEntry};
use std::net::SocketAddr;
use std::sync::Mutex;
use std::time::Duration;

/// Limit of a flush or close: the device may have much to write.
const FLUSHING: Duration = Duration::from_secs(900);

impl DataConnectionPool {
    pub fn open_remote_files(&self) -> Result<RemoteFiles, SinkError> {
        Ok(RemoteFiles { data: self.clone(), line: Mutex::new(self.take_connection()?) })
    }
}

pub struct RemoteFiles {
    data: DataConnectionPool,
    line: Mutex<DataConnection>,
}

impl RemoteFiles {
    pub fn reconnect(&self) -> Result<RemoteFiles, SinkError> {
        self.data.open_remote_files()
    }

    /// A lane of `depth` buffers of `block` bytes on an open file, over its own connection.
    pub fn open_io_queue(&self, handle: u64, block: usize, depth: usize) -> Result<RemoteIoQueue, SinkError> {
        RemoteIoQueue::new(&self.data, handle, block, depth)
    }

    pub fn peer_addr(&self) -> SocketAddr {
        self.data.peer_addr()
    }

    fn ask(
        &self,
        request: SinkRequest,
        name: &str,
        data: &[u8],
        into: &mut [u8],
    ) -> Result<(SinkReply, Vec<u8>), SinkError> {
        let patience = match request.op {
            SinkOp::Flush | SinkOp::Close => FLUSHING,
            _ => self.data.progress_timeout(),
        };
        locked(&self.line).send_request(request, name, data, into, patience)
    }

    fn plain(&self, request: SinkRequest, name: &str) -> Result<SinkReply, SinkError> {
        self.ask(request, name, &[], &mut []).map(|(reply, _)| reply)
    }
}

impl SinkStorage for RemoteFiles {
    fn may_wait_for_device(&self) -> bool {
        true
    }

    fn open(&self, path: &str, how: FileOpenOptions) -> Result<u64, SinkError> {
        Ok(self
            .plain(SinkRequest { flags: encode_open_flags(&how), ..SinkRequest::new(SinkOp::Open) }, path)?
            .a)
    }

    fn close(&self, handle: u64) -> Result<(), SinkError> {
        self.plain(SinkRequest::for_handle(SinkOp::Close, handle), "").map(drop)
    }

    fn read_at(&self, handle: u64, into: &mut [u8], offset: u64) -> Result<usize, SinkError> {
        let most = into.len().min(MAX_IO_BYTES as usize);
        let request =
            SinkRequest { offset, length: most as u32, ..SinkRequest::for_handle(SinkOp::Read, handle) };
        Ok(self.ask(request, "", &[], &mut into[..most])?.0.a as usize)
    }

    fn write_at(&self, handle: u64, data: &[u8], offset: u64) -> Result<(), SinkError> {
        let mut at = offset;
        for part in data.chunks(MAX_IO_BYTES as usize) {
            self.ask(
                SinkRequest { offset: at, ..SinkRequest::for_handle(SinkOp::Write, handle) },
                "",
                part,
                &mut [],
            )?;
            at = at.saturating_add(part.len() as u64);
        }
        Ok(())
    }

    fn flush(&self, handle: u64) -> Result<(), SinkError> {
        self.plain(SinkRequest::for_handle(SinkOp::Flush, handle), "").map(drop)
    }

    fn stat_path(&self, path: &str) -> Result<FileStatus, SinkError> {
        Ok(self.plain(SinkRequest::new(SinkOp::Query), path)?.to_stat())
    }

    fn stat_handle(&self, handle: u64) -> Result<FileStatus, SinkError> {
        Ok(self.plain(SinkRequest::for_handle(SinkOp::QueryOpen, handle), "")?.to_stat())
    }

    fn set_times_to_now(&self, handle: u64) -> Result<(), SinkError> {
        self.plain(SinkRequest::for_handle(SinkOp::Touch, handle), "").map(drop)
    }

    fn storage_space(&self) -> Result<DiskSpace, SinkError> {
        let reply = self.plain(SinkRequest::new(SinkOp::Room), "")?;
        Ok(DiskSpace { total: reply.a, free: reply.b })
    }

    fn list_matching_entries(
        &self,
        folder: &str,
        pattern: &str,
        most: Option<usize>,
    ) -> Result<Vec<FolderEntry>, SinkError> {
        let length = most.and_then(|m| u32::try_from(m).ok()).unwrap_or(u32::MAX);
        let request = SinkRequest { length, ..SinkRequest::new(SinkOp::Find) };
        let (_, names) = self.ask(request, folder, pattern.as_bytes(), &mut [])?;
        decode_directory_entries(&names)
            .ok_or_else(|| SinkError::new(FileErrorKind::Other, "the list of names is not understood"))
    }

    fn make_folder(&self, path: &str) -> Result<(), SinkError> {
        self.plain(SinkRequest::new(SinkOp::MakeFolder), path).map(drop)
    }

    fn remove_folder(&self, path: &str) -> Result<(), SinkError> {
        self.plain(SinkRequest::new(SinkOp::RemoveFolder), path).map(drop)
    }

    fn remove_file(&self, path: &str) -> Result<(), SinkError> {
        self.plain(SinkRequest::new(SinkOp::RemoveFile), path).map(drop)
    }

    fn rename(&self, from: &str, to: &str) -> Result<(), SinkError> {
        self.ask(SinkRequest::new(SinkOp::Rename), from, to.as_bytes(), &mut []).map(drop)
    }

    fn lock_range(&self, handle: u64, offset: u64, length: u64) -> Result<(), SinkError> {
        let request = SinkRequest { offset, ..SinkRequest::for_handle(SinkOp::Lock, handle) };
        self.ask(request, "", &length.to_be_bytes(), &mut []).map(drop)
    }

    fn unlock_range(&self, handle: u64, offset: u64, length: u64) -> Result<(), SinkError> {
        let request = SinkRequest { offset, ..SinkRequest::for_handle(SinkOp::Unlock, handle) };
        self.ask(request, "", &length.to_be_bytes(), &mut []).map(drop)
    }
}
