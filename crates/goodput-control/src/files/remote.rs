//! An agent's sink as a `goodput-file` place: the same calls, over the trial's data connections.

use super::convert_errors::to_file_error;
use goodput_file::mix::Wire;
use goodput_file::{Done, Entry, FileError, Handle, Io, Lane, Open, RelPath, Share, Space, Status};
use goodput_model::Bytes;
use goodput_model::file::FileLocationFacts;
use goodput_probe::file::{Data, Fault, How, Net, Remote, RemoteLane, SinkStorage, Stat};
use std::time::Duration;

pub(super) struct RemoteSinkShare {
    remote: Remote,
    free: Option<Bytes>,
}

impl RemoteSinkShare {
    pub fn open(data: &Data) -> Result<RemoteSinkShare, FileError> {
        let remote = data.remote().map_err(|e| to_file_error("reach the agent's sink", e))?;
        let free = remote.room().ok().map(|room| Bytes(room.free));
        Ok(RemoteSinkShare { remote, free })
    }

    fn failed(&self, verb: &str, path: &RelPath) -> impl FnOnce(Fault) -> FileError {
        let what = match path.as_str() {
            "" => format!("{verb} the agent's sink"),
            path => format!("{verb} {path} at the agent's sink"),
        };
        move |fault| to_file_error(what, fault)
    }

    fn failed_at(&self, verb: &'static str) -> impl FnOnce(Fault) -> FileError {
        move |fault| to_file_error(format!("{verb} a file at the agent's sink"), fault)
    }
}

fn status(stat: Stat) -> Status {
    Status { length: stat.length, allocated: stat.allocated, folder: stat.folder }
}

impl Share for RemoteSinkShare {
    fn facts(&self) -> FileLocationFacts {
        FileLocationFacts { engine: "agent".into(), free: self.free, ..FileLocationFacts::default() }
    }

    fn open(&self, path: &RelPath, how: Open) -> Result<Handle, FileError> {
        let Open { disposition, folder, file, read_only, direct } = how;
        let how = How { disposition, folder, file, read_only, direct };
        self.remote.open(path.as_str(), how).map(Handle).map_err(self.failed("open", path))
    }

    fn close(&self, handle: Handle) -> Result<(), FileError> {
        self.remote.close(handle.0).map_err(self.failed_at("close"))
    }

    fn lane(&self, handle: Handle, block: usize, depth: usize) -> Result<Box<dyn Lane>, FileError> {
        let lane = self.remote.lane(handle.0, block, depth).map_err(self.failed_at("open a lane on"))?;
        Ok(Box::new(SunkLane(lane)))
    }

    fn read_at(&self, handle: Handle, buffer: &mut [u8], offset: u64) -> Result<usize, FileError> {
        self.remote.read_at(handle.0, buffer, offset).map_err(self.failed_at("read"))
    }

    fn write_at(&self, handle: Handle, data: &[u8], offset: u64) -> Result<(), FileError> {
        self.remote.write_at(handle.0, data, offset).map_err(self.failed_at("write"))
    }

    fn flush(&self, handle: Handle) -> Result<(), FileError> {
        self.remote.flush(handle.0).map_err(self.failed_at("flush"))
    }

    fn query(&self, path: &RelPath) -> Result<Status, FileError> {
        self.remote.query(path.as_str()).map(status).map_err(self.failed("look at", path))
    }

    fn query_open(&self, handle: Handle) -> Result<Status, FileError> {
        self.remote.query_open(handle.0).map(status).map_err(self.failed_at("look at"))
    }

    fn touch(&self, handle: Handle) -> Result<(), FileError> {
        self.remote.touch(handle.0).map_err(self.failed_at("set the times of"))
    }

    fn space(&self) -> Result<Space, FileError> {
        let room = self.remote.room().map_err(self.failed("ask for the room of", &RelPath::root()))?;
        Ok(Space { total: room.total, free: room.free })
    }

    fn find(&self, folder: &RelPath, pattern: &str, most: Option<usize>) -> Result<Vec<Entry>, FileError> {
        let names =
            self.remote.find(folder.as_str(), pattern, most).map_err(self.failed("look into", folder))?;
        Ok(names.into_iter().map(|n| Entry { name: n.name, status: status(n.stat) }).collect())
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

    fn lock(&self, handle: Handle, offset: u64, length: u64) -> Result<(), FileError> {
        self.remote.lock(handle.0, offset, length).map_err(self.failed_at("lock bytes of"))
    }

    fn unlock(&self, handle: Handle, offset: u64, length: u64) -> Result<(), FileError> {
        self.remote.unlock(handle.0, offset, length).map_err(self.failed_at("unlock bytes of"))
    }

    fn another(&self) -> Result<Box<dyn Share>, FileError> {
        let remote = self.remote.another().map_err(self.failed("reach", &RelPath::root()))?;
        Ok(Box::new(RemoteSinkShare { remote, free: self.free }))
    }
}

/// A connection that carries a mix's bytes without files.
pub(super) struct NetworkWire(Net);

/// Limit for an answer that waits for the network only.
const ANSWER: Duration = Duration::from_secs(10);

impl NetworkWire {
    pub fn open(data: &Data) -> Result<Box<dyn Wire>, FileError> {
        let net = data.net().map_err(|e| to_file_error("reach the agent", e))?;
        Ok(Box::new(NetworkWire(net)))
    }
}

impl Wire for NetworkWire {
    fn exchange(&mut self, request: u32, response: u32) -> Result<(), FileError> {
        self.0
            .exchange(request, response, ANSWER)
            .map_err(|e| to_file_error("exchange bytes with the agent", e))
    }
}

struct SunkLane(RemoteLane);

impl Lane for SunkLane {
    fn buffer(&mut self, slot: usize) -> &mut [u8] {
        self.0.buffer(slot)
    }

    fn submit(&mut self, io: Io) -> Result<(), FileError> {
        let done = self.0.submit(io.slot, io.offset, io.length, io.write);
        done.map_err(|e| to_file_error("ask the agent's sink", e))
    }

    fn complete(&mut self, patience: Duration) -> Result<Done, FileError> {
        let (slot, moved) =
            self.0.complete(patience).map_err(|e| to_file_error("wait for the agent's sink", e))?;
        let moved = moved.map_err(|e| to_file_error("read or write a file at the agent's sink", e));
        Ok(Done { slot, moved })
    }
}
