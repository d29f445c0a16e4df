//! An agent's sink as a `goodput-file` place: the same calls, over the trial's data connections.

use super::convert_errors::to_file_error;
use goodput_file::operation_mix::TbenchTransport;
use goodput_file::{
    DiskSpace, FileError, FileHandle, FileOpenOptions, FileStatus, FolderEntry, IoCompletion, IoQueue,
    IoRequest, RelPath, Share,
};
use goodput_model::Bytes;
use goodput_model::file::FileLocationFacts;
use goodput_probe::file::{
    DataConnectionPool, RemoteFiles, RemoteIoQueue, SinkError, SinkStorage, TbenchConnection,
};
use std::time::Duration;

pub(super) struct RemoteSinkShare {
    remote: RemoteFiles,
    free: Option<Bytes>,
}

impl RemoteSinkShare {
    pub fn open(data: &DataConnectionPool) -> Result<RemoteSinkShare, FileError> {
        let remote = data.open_remote_files().map_err(|e| to_file_error("reach the agent's sink", e))?;
        let free = remote.storage_space().ok().map(|room| Bytes(room.free));
        Ok(RemoteSinkShare { remote, free })
    }

    fn failed(&self, verb: &str, path: &RelPath) -> impl FnOnce(SinkError) -> FileError {
        let what = match path.as_str() {
            "" => format!("{verb} the agent's sink"),
            path => format!("{verb} {path} at the agent's sink"),
        };
        move |fault| to_file_error(what, fault)
    }

    fn failed_at(&self, verb: &'static str) -> impl FnOnce(SinkError) -> FileError {
        move |fault| to_file_error(format!("{verb} a file at the agent's sink"), fault)
    }
}

impl Share for RemoteSinkShare {
    fn location_facts(&self) -> FileLocationFacts {
        FileLocationFacts { engine: "agent".into(), free: self.free, ..FileLocationFacts::default() }
    }

    fn open(&self, path: &RelPath, how: FileOpenOptions) -> Result<FileHandle, FileError> {
        self.remote.open(path.as_str(), how).map(FileHandle).map_err(self.failed("open", path))
    }

    fn close(&self, handle: FileHandle) -> Result<(), FileError> {
        self.remote.close(handle.0).map_err(self.failed_at("close"))
    }

    fn open_io_queue(
        &self,
        handle: FileHandle,
        block: usize,
        depth: usize,
    ) -> Result<Box<dyn IoQueue>, FileError> {
        let lane =
            self.remote.open_io_queue(handle.0, block, depth).map_err(self.failed_at("open a lane on"))?;
        Ok(Box::new(SunkLane(lane)))
    }

    fn read_at(&self, handle: FileHandle, buffer: &mut [u8], offset: u64) -> Result<usize, FileError> {
        self.remote.read_at(handle.0, buffer, offset).map_err(self.failed_at("read"))
    }

    fn write_at(&self, handle: FileHandle, data: &[u8], offset: u64) -> Result<(), FileError> {
        self.remote.write_at(handle.0, data, offset).map_err(self.failed_at("write"))
    }

    fn flush(&self, handle: FileHandle) -> Result<(), FileError> {
        self.remote.flush(handle.0).map_err(self.failed_at("flush"))
    }

    fn query_path_status(&self, path: &RelPath) -> Result<FileStatus, FileError> {
        self.remote.stat_path(path.as_str()).map_err(self.failed("look at", path))
    }

    fn query_handle_status(&self, handle: FileHandle) -> Result<FileStatus, FileError> {
        self.remote.stat_handle(handle.0).map_err(self.failed_at("look at"))
    }

    fn set_times_to_now(&self, handle: FileHandle) -> Result<(), FileError> {
        self.remote.set_times_to_now(handle.0).map_err(self.failed_at("set the times of"))
    }

    fn disk_space(&self) -> Result<DiskSpace, FileError> {
        self.remote.storage_space().map_err(self.failed("ask for the room of", &RelPath::root()))
    }

    fn find_folder_entries(
        &self,
        folder: &RelPath,
        pattern: &str,
        most: Option<usize>,
    ) -> Result<Vec<FolderEntry>, FileError> {
        let names = self.remote.list_matching_entries(folder.as_str(), pattern, most);
        names.map_err(self.failed("look into", folder))
    }

    fn make_folder(&self, path: &RelPath) -> Result<(), FileError> {
        self.remote.make_folder(path.as_str()).map_err(self.failed("make", path))
    }

    fn remove_folder(&self, path: &RelPath) -> Result<(), FileError> {
        self.remote.remove_folder(path.as_str()).map_err(self.failed("remove", path))
    }

    fn remove_file(&self, path: &RelPath) -> Result<(), FileError> {
        self.remote.remove_file(path.as_str()).map_err(self.failed("remove", path))
    }

    fn rename(&self, from: &RelPath, to: &RelPath) -> Result<(), FileError> {
        self.remote.rename(from.as_str(), to.as_str()).map_err(self.failed("rename", from))
    }

    fn lock_range(&self, handle: FileHandle, offset: u64, length: u64) -> Result<(), FileError> {
        self.remote.lock_range(handle.0, offset, length).map_err(self.failed_at("lock bytes of"))
    }

    fn unlock_range(&self, handle: FileHandle, offset: u64, length: u64) -> Result<(), FileError> {
        self.remote.unlock_range(handle.0, offset, length).map_err(self.failed_at("unlock bytes of"))
    }

    fn open_another_connection(&self) -> Result<Box<dyn Share>, FileError> {
        let remote = self.remote.reconnect().map_err(self.failed("reach", &RelPath::root()))?;
        Ok(Box::new(RemoteSinkShare { remote, free: self.free }))
    }
}

/// A connection that carries a mix's bytes without files.
pub(super) struct TbenchDataConnection(TbenchConnection);

/// Limit for an answer that waits for the network only.
const ANSWER: Duration = Duration::from_secs(10);

impl TbenchDataConnection {
    pub fn open(data: &DataConnectionPool) -> Result<Box<dyn TbenchTransport>, FileError> {
        let net = data.open_tbench_connection().map_err(|e| to_file_error("reach the agent", e))?;
        Ok(Box::new(TbenchDataConnection(net)))
    }
}

impl TbenchTransport for TbenchDataConnection {
    fn exchange_messages(&mut self, request: u32, response: u32) -> Result<(), FileError> {
        self.0
            .exchange_messages(request, response, ANSWER)
            .map_err(|e| to_file_error("exchange bytes with the agent", e))
    }
}

struct SunkLane(RemoteIoQueue);

impl IoQueue for SunkLane {
    fn buffer(&mut self, slot: usize) -> &mut [u8] {
        self.0.buffer(slot)
    }

    fn submit(&mut self, io: IoRequest) -> Result<(), FileError> {
        let done = self.0.submit(io.slot, io.offset, io.length, io.write);
        done.map_err(|e| to_file_error("ask the agent's sink", e))
    }

    fn wait_for_completion(&mut self, patience: Duration) -> Result<IoCompletion, FileError> {
        let (slot, moved) = self
            .0
            .wait_for_io_completion(patience)
            .map_err(|e| to_file_error("wait for the agent's sink", e))?;
        let moved = moved.map_err(|e| to_file_error("read or write a file at the agent's sink", e));
        Ok(IoCompletion { slot, moved })
    }
}
