//! The client's side of a sink: a [`SinkStorage`] over data connections to the listening end.

use super::data::Data;
use super::data_connection::DataConnection;
use super::frame::{LARGEST, Op, Reply, Request, flags_of, unlisted};
use super::lane::RemoteLane;
use super::storage::{Code, Fault, How, Named, Room, SinkStorage, Stat};
use std::net::SocketAddr;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Limit of a flush or close: the device may have much to write.
const FLUSHING: Duration = Duration::from_secs(900);

impl Data {
    pub fn remote(&self) -> Result<Remote, Fault> {
        Ok(Remote { data: self.clone(), line: Mutex::new(self.line()?) })
    }
}

pub struct Remote {
    data: Data,
    line: Mutex<DataConnection>,
}

impl Remote {
    pub fn another(&self) -> Result<Remote, Fault> {
        self.data.remote()
    }

    /// A lane of `depth` buffers of `block` bytes on an open file, over its own connection.
    pub fn lane(&self, handle: u64, block: usize, depth: usize) -> Result<RemoteLane, Fault> {
        RemoteLane::new(&self.data, handle, block, depth)
    }

    pub fn peer(&self) -> SocketAddr {
        self.data.peer()
    }

    fn ask(
        &self,
        request: Request,
        name: &str,
        data: &[u8],
        into: &mut [u8],
    ) -> Result<(Reply, Vec<u8>), Fault> {
        let patience = match request.op {
            Op::Flush | Op::Close => FLUSHING,
            _ => self.data.progress(),
        };
        let mut line = self.line.lock().unwrap_or_else(PoisonError::into_inner);
        line.call(request, name, data, into, patience)
    }

    fn plain(&self, request: Request, name: &str) -> Result<Reply, Fault> {
        self.ask(request, name, &[], &mut []).map(|(reply, _)| reply)
    }
}

impl SinkStorage for Remote {
    fn waits(&self) -> bool {
        true
    }

    fn open(&self, path: &str, how: How) -> Result<u64, Fault> {
        Ok(self.plain(Request { flags: flags_of(&how), ..Request::new(Op::Open) }, path)?.a)
    }

    fn close(&self, handle: u64) -> Result<(), Fault> {
        self.plain(Request::on(Op::Close, handle), "").map(drop)
    }

    fn read_at(&self, handle: u64, into: &mut [u8], offset: u64) -> Result<usize, Fault> {
        let most = into.len().min(LARGEST as usize);
        let request = Request { offset, length: most as u32, ..Request::on(Op::Read, handle) };
        Ok(self.ask(request, "", &[], &mut into[..most])?.0.a as usize)
    }

    fn write_at(&self, handle: u64, data: &[u8], offset: u64) -> Result<(), Fault> {
        let mut at = offset;
        for part in data.chunks(LARGEST as usize) {
            self.ask(Request { offset: at, ..Request::on(Op::Write, handle) }, "", part, &mut [])?;
            at = at.saturating_add(part.len() as u64);
        }
        Ok(())
    }

    fn flush(&self, handle: u64) -> Result<(), Fault> {
        self.plain(Request::on(Op::Flush, handle), "").map(drop)
    }

    fn query(&self, path: &str) -> Result<Stat, Fault> {
        Ok(self.plain(Request::new(Op::Query), path)?.stat())
    }

    fn query_open(&self, handle: u64) -> Result<Stat, Fault> {
        Ok(self.plain(Request::on(Op::QueryOpen, handle), "")?.stat())
    }

    fn touch(&self, handle: u64) -> Result<(), Fault> {
        self.plain(Request::on(Op::Touch, handle), "").map(drop)
    }

    fn room(&self) -> Result<Room, Fault> {
        let reply = self.plain(Request::new(Op::Room), "")?;
        Ok(Room { total: reply.a, free: reply.b })
    }

    fn find(&self, folder: &str, pattern: &str, most: Option<usize>) -> Result<Vec<Named>, Fault> {
        let length = most.and_then(|m| u32::try_from(m).ok()).unwrap_or(u32::MAX);
        let request = Request { length, ..Request::new(Op::Find) };
        let (_, names) = self.ask(request, folder, pattern.as_bytes(), &mut [])?;
        unlisted(&names).ok_or_else(|| Fault::new(Code::Other, "the list of names is not understood"))
    }

    fn make_folder(&self, path: &str) -> Result<(), Fault> {
        self.plain(Request::new(Op::MakeFolder), path).map(drop)
    }

    fn remove_folder(&self, path: &str) -> Result<(), Fault> {
        self.plain(Request::new(Op::RemoveFolder), path).map(drop)
    }

    fn remove_file(&self, path: &str) -> Result<(), Fault> {
        self.plain(Request::new(Op::RemoveFile), path).map(drop)
    }

    fn rename(&self, from: &str, to: &str) -> Result<(), Fault> {
        self.ask(Request::new(Op::Rename), from, to.as_bytes(), &mut []).map(drop)
    }

    fn lock(&self, handle: u64, offset: u64, length: u64) -> Result<(), Fault> {
        let request = Request { offset, ..Request::on(Op::Lock, handle) };
        self.ask(request, "", &length.to_be_bytes(), &mut []).map(drop)
    }

    fn unlock(&self, handle: u64, offset: u64, length: u64) -> Result<(), Fault> {
        let request = Request { offset, ..Request::on(Op::Unlock, handle) };
        self.ask(request, "", &length.to_be_bytes(), &mut []).map(drop)
    }
}
