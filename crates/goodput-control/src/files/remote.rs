//! An agent's sink as a `goodput-file` place: the same calls, over the trial's data connections.

use super::convert_errors::to_file_error;
use goodput_file::attempt::Attempt;
use goodput_file::operation_mix::TbenchTransport;
use goodput_file::{
    DiskSpace, ErrorText, FileError, FileHandle, FileOpenOptions, FileStatus, FolderEntry, IoCompletion,
    IoQueue, IoRequest, RelPath, Share,
};
use goodput_model::Bytes;
use goodput_model::file::FileLocationFacts;
use goodput_probe::file::{
    DataConnectionPool, RemoteFiles, RemoteIoQueue, SinkError, SinkStorage, TbenchConnection,
};
use goodput_words::{Message, message};
use std::time::Duration;

macro_rules! attempts {
    ($($name:ident $key:ident,)*) => {
        $(
            fn $name(path: &str) -> Message {
                message!($key { place: place(path) })
            }
        )*
    };
}

attempts! {
    open part_attempt_open,
    open_lane part_sink_open_lane,
    close part_attempt_close,
    read part_attempt_read,
    write part_attempt_write,
    read_or_write part_attempt_read_or_write,
    flush part_attempt_flush,
    look_at part_attempt_look_at,
    look_into part_sink_look_into,
    set_times part_attempt_set_times,
    ask_for_room part_sink_ask_for_room,
    make part_attempt_make,
    remove part_attempt_remove,
    rename part_attempt_rename,
    lock_bytes part_sink_lock_bytes,
    unlock_bytes part_sink_unlock_bytes,
    reach part_sink_reach,
}

const OPEN_FILE: &str = "a file";

fn place(path: &str) -> Message {
    match path {
        "" => "the agent's sink".into(),
        path => message!(part_sink_path { path: Message::from(path) }),
    }
}

/// The text is composed only for an error.
fn failed(attempt: Attempt, path: &str) -> impl FnOnce(SinkError) -> FileError {
    move |fault| to_file_error(ErrorText::of(attempt, path), fault)
}

pub(super) struct RemoteSinkShare {
    remote: RemoteFiles,
    free: Option<Bytes>,
}

impl RemoteSinkShare {
    pub fn open(data: &DataConnectionPool) -> Result<RemoteSinkShare, FileError> {
        let remote = data.open_remote_files().map_err(failed(reach, ""))?;
        let free = remote.storage_space().ok().map(|room| Bytes(room.free));
        Ok(RemoteSinkShare { remote, free })
    }
}

impl Share for RemoteSinkShare {
    fn location_facts(&self) -> FileLocationFacts {
        FileLocationFacts { engine: "agent".into(), free: self.free, ..FileLocationFacts::default() }
    }

    fn open(&self, path: &RelPath, how: FileOpenOptions) -> Result<FileHandle, FileError> {
        self.remote.open(path.as_str(), how).map(FileHandle).map_err(failed(open, path.as_str()))
    }

    fn close(&self, handle: FileHandle) -> Result<(), FileError> {
        self.remote.close(handle.0).map_err(failed(close, OPEN_FILE))
    }

    fn open_io_queue(
        &self,
        handle: FileHandle,
        block: usize,
        depth: usize,
    ) -> Result<Box<dyn IoQueue>, FileError> {
        let lane = self.remote.open_io_queue(handle.0, block, depth);
        Ok(Box::new(SunkLane(lane.map_err(failed(open_lane, OPEN_FILE))?)))
    }

    fn read_at(&self, handle: FileHandle, buffer: &mut [u8], offset: u64) -> Result<usize, FileError> {
        self.remote.read_at(handle.0, buffer, offset).map_err(failed(read, OPEN_FILE))
    }

    fn write_at(&self, handle: FileHandle, data: &[u8], offset: u64) -> Result<(), FileError> {
        self.remote.write_at(handle.0, data, offset).map_err(failed(write, OPEN_FILE))
    }

    fn flush(&self, handle: FileHandle) -> Result<(), FileError> {
        self.remote.flush(handle.0).map_err(failed(flush, OPEN_FILE))
    }

    fn query_path_status(&self, path: &RelPath) -> Result<FileStatus, FileError> {
        self.remote.stat_path(path.as_str()).map_err(failed(look_at, path.as_str()))
    }

    fn query_handle_status(&self, handle: FileHandle) -> Result<FileStatus, FileError> {
        self.remote.stat_handle(handle.0).map_err(failed(look_at, OPEN_FILE))
    }

    fn set_times_to_now(&self, handle: FileHandle) -> Result<(), FileError> {
        self.remote.set_times_to_now(handle.0).map_err(failed(set_times, OPEN_FILE))
    }

    fn disk_space(&self) -> Result<DiskSpace, FileError> {
        self.remote.storage_space().map_err(failed(ask_for_room, ""))
    }

    fn find_folder_entries(
        &self,
        folder: &RelPath,
        pattern: &str,
        most: Option<usize>,
    ) -> Result<Vec<FolderEntry>, FileError> {
        let names = self.remote.list_matching_entries(folder.as_str(), pattern, most);
        names.map_err(failed(look_into, folder.as_str()))
    }

    fn make_folder(&self, path: &RelPath) -> Result<(), FileError> {
        self.remote.make_folder(path.as_str()).map_err(failed(make, path.as_str()))
    }

    fn remove_folder(&self, path: &RelPath) -> Result<(), FileError> {
        self.remote.remove_folder(path.as_str()).map_err(failed(remove, path.as_str()))
    }

    fn remove_file(&self, path: &RelPath) -> Result<(), FileError> {
        self.remote.remove_file(path.as_str()).map_err(failed(remove, path.as_str()))
    }

    fn rename(&self, from: &RelPath, to: &RelPath) -> Result<(), FileError> {
        self.remote.rename(from.as_str(), to.as_str()).map_err(failed(rename, from.as_str()))
    }

    fn lock_range(&self, handle: FileHandle, offset: u64, length: u64) -> Result<(), FileError> {
        self.remote.lock_range(handle.0, offset, length).map_err(failed(lock_bytes, OPEN_FILE))
    }

    fn unlock_range(&self, handle: FileHandle, offset: u64, length: u64) -> Result<(), FileError> {
        self.remote.unlock_range(handle.0, offset, length).map_err(failed(unlock_bytes, OPEN_FILE))
    }

    fn open_another_connection(&self) -> Result<Box<dyn Share>, FileError> {
        let remote = self.remote.reconnect().map_err(failed(reach, ""))?;
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
        Ok(IoCompletion { slot, moved: moved.map_err(failed(read_or_write, OPEN_FILE)) })
    }
}
