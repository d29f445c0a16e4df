//! The listening end of a data connection: reads requests, executes them, sends replies. If the keeper may
//! wait for a device, several threads execute reads and writes and reply as they complete; otherwise one
//! thread does all in order. Memory in flight is bounded.

use super::execute::{execute_request, refuse_request};
use super::frame::{HEADER_BYTES, SinkOp, SinkRequest};
use super::meter::ConnectionMeter;
use super::storage::{SinkError, SinkStorage};
use crate::time::now_ns;
use crate::{locked, sys};
use goodput_model::file::FileErrorKind;
use goodput_words::{Message, message};
use std::collections::VecDeque;
use std::io::{self, ErrorKind};
use std::os::fd::{AsRawFd, RawFd};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread::{Builder, Scope};

const THREADS: usize = 32;
/// Memory in flight on one connection; one request may use half of it.
const UNDER_WAY: u64 = 128 << 20;
const SPARE: usize = 32;
/// Most open files of one connection, and most locks.
const MAX_HANDLES: usize = 1024;

pub(super) fn serve_sink(
    meter: &ConnectionMeter,
    keeper: &dyn SinkStorage,
    stop: &AtomicBool,
) -> io::Result<()> {
    let service =
        Service { fd: meter.link.stream.as_raw_fd(), meter, keeper, stop, replies: Mutex::default() };
    let mut held = HeldHandles::default();
    let pool = Pool::default();
    let ended = std::thread::scope(|scope| {
        let ended = service.read_on(scope, &pool, &mut held);
        pool.close();
        ended
    });
    for handle in held.opened {
        let _ = keeper.close(handle);
    }
    ended
}

/// Handles opened over one connection, and those locked over it, once for each lock.
#[derive(Default)]
struct HeldHandles {
    opened: Vec<u64>,
    locked: Vec<u64>,
}

impl HeldHandles {
    fn refusal_reason(&self, op: SinkOp) -> Option<SinkError> {
        let (held, what) = match op {
            SinkOp::Open => (&self.opened, Message::from("open files")),
            SinkOp::Lock => (&self.locked, message!(part_probe_what_locks)),
            _ => return None,
        };
        (held.len() >= MAX_HANDLES).then(|| {
            let most = MAX_HANDLES.to_string();
            SinkError::new(FileErrorKind::Other, message!(error_probe_sink_too_many { most, what }))
        })
    }

    /// Of a request that was carried out, with the handle that it opened.
    fn record(&mut self, request: &SinkRequest, opened: u64) {
        let handle = request.handle;
        match request.op {
            SinkOp::Open => self.opened.push(opened),
            SinkOp::Close => {
                self.opened.retain(|h| *h != handle);
                self.locked.retain(|h| *h != handle);
            }
            SinkOp::Lock => self.locked.push(handle),
            SinkOp::Unlock => {
                if let Some(at) = self.locked.iter().position(|h| *h == handle) {
                    self.locked.swap_remove(at);
                }
            }
            _ => {}
        }
    }
}

struct Service<'a> {
    fd: RawFd,
    meter: &'a ConnectionMeter,
    keeper: &'a dyn SinkStorage,
    stop: &'a AtomicBool,
    replies: Mutex<()>,
}

struct Task {
    request: SinkRequest,
    data: Vec<u8>,
}

impl Task {
    /// With its own, because a request may be empty, and with all of a buffer that an earlier one has made large.
    fn bytes(&self) -> u64 {
        (size_of::<Task>() + self.data.len()) as u64 + u64::from(self.request.length)
    }
}

impl Service<'_> {
    fn read_on<'scope>(
        &'scope self,
        scope: &'scope Scope<'scope, '_>,
        pool: &'scope Pool,
        held: &mut HeldHandles,
    ) -> io::Result<()> {
        let (mut name, mut out) = (Vec::new(), Vec::new());
        loop {
            let mut head = [0; HEADER_BYTES];
            if !get(self.fd, &mut head, self.stop)? {
                return Ok(());
            }
            let request = SinkRequest::decode(&head).ok_or(ErrorKind::InvalidData)?;
            name.resize(usize::from(request.name), 0);
            whole(self.fd, &mut name, self.stop)?;
            let mut data = pool.spare(request.data as usize);
            whole(self.fd, &mut data[..request.data as usize], self.stop)?;
            let task = Task { request, data };
            let moves = matches!(request.op, SinkOp::Read | SinkOp::Write);
            if moves && self.keeper.may_wait_for_device() && (pool.is_busy() || more(self.fd)) {
                self.hand_over(scope, pool, task);
                continue;
            }
            self.carry_out(&task, &name, Some(&mut *held), &mut out)?;
            pool.give_back(task.data);
        }
    }

    /// `held` counts what requests other than reads and writes open and lock.
    fn carry_out(
        &self,
        task: &Task,
        name: &[u8],
        held: Option<&mut HeldHandles>,
        out: &mut Vec<u8>,
    ) -> io::Result<()> {
        let Task { request, data } = task;
        let data = &data[..request.data as usize];
        let refused = held.as_deref().and_then(|held| held.refusal_reason(request.op));
        let (length, reply) = match refused {
            Some(why) => refuse_request(request, why, out),
            None => execute_request(self.keeper, request, name, data, out),
        };
        let good = reply.failure == 0;
        // Before the reply, which may fail: what is open is closed at the end.
        if let Some(held) = held.filter(|_| good) {
            held.record(request, reply.a);
        }
        let turn = locked(&self.replies);
        send_all(self.fd, &out[..length], self.stop)?;
        drop(turn);
        let sent = if good && request.op == SinkOp::Read { reply.a } else { 0 };
        let received = if good && request.op == SinkOp::Write { reply.a } else { 0 };
        self.meter.count_request(sent, received);
        Ok(())
    }

    fn hand_over<'scope>(&'scope self, scope: &'scope Scope<'scope, '_>, pool: &'scope Pool, task: Task) {
        if pool.give(task) {
            let work = move || {
                let mut out = Vec::new();
                while let Some(task) = pool.take() {
                    let bytes = task.bytes();
                    let sent = self.carry_out(&task, &[], None, &mut out);
                    pool.done(task, bytes);
                    if sent.is_err() {
                        sys::reset_connection(self.fd);
                    }
                }
            };
            let spawned = Builder::new().name("goodput-sink".into()).spawn_scoped(scope, work);
            if spawned.is_err() {
                // Without another thread, the reader does it.
                pool.one_less();
                while let Some(task) = pool.take_if_any() {
                    let bytes = task.bytes();
                    if self.carry_out(&task, &[], None, &mut Vec::new()).is_err() {
                        sys::reset_connection(self.fd);
                    }
                    pool.done(task, bytes);
                }
            }
        }
    }
}

#[derive(Default)]
struct Pool {
    state: Mutex<State>,
    work: Condvar,
    room: Condvar,
}

#[derive(Default)]
struct State {
    queue: VecDeque<Task>,
    bytes: u64,
    under_way: usize,
    threads: usize,
    idle: usize,
    closed: bool,
    spare: Vec<Vec<u8>>,
}

impl Pool {
    fn spare(&self, length: usize) -> Vec<u8> {
        if length == 0 {
            return Vec::new();
        }
        let mut buffer = locked(&self.state).spare.pop().unwrap_or_default();
        if buffer.len() < length {
            buffer.resize(length, 0);
        }
        buffer
    }

    fn give_back(&self, buffer: Vec<u8>) {
        let mut state = locked(&self.state);
        let kept: usize = state.spare.iter().map(Vec::len).sum();
        if !buffer.is_empty() && state.spare.len() < SPARE && (kept + buffer.len()) as u64 <= UNDER_WAY {
            state.spare.push(buffer);
        }
    }

    fn is_busy(&self) -> bool {
        locked(&self.state).under_way > 0
    }

    /// Adds a task once there is memory. True when another thread is wanted.
    fn give(&self, task: Task) -> bool {
        let bytes = task.bytes();
        let mut state = locked(&self.state);
        while state.under_way > 0 && state.bytes + bytes > UNDER_WAY {
            state = self.room.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.bytes += bytes;
        state.under_way += 1;
        state.queue.push_back(task);
        let more = state.idle < state.queue.len() && state.threads < THREADS;
        state.threads += usize::from(more);
        drop(state);
        self.work.notify_one();
        more
    }

    fn one_less(&self) {
        locked(&self.state).threads -= 1;
    }

    fn take_if_any(&self) -> Option<Task> {
        locked(&self.state).queue.pop_front()
    }

    fn take(&self) -> Option<Task> {
        let mut state = locked(&self.state);
        loop {
            if let Some(task) = state.queue.pop_front() {
                return Some(task);
            }
            if state.closed {
                return None;
            }
            state.idle += 1;
            state = self.work.wait(state).unwrap_or_else(PoisonError::into_inner);
            state.idle -= 1;
        }
    }

    fn done(&self, task: Task, bytes: u64) {
        let mut state = locked(&self.state);
        state.bytes -= bytes;
        state.under_way -= 1;
        drop(state);
        self.room.notify_one();
        self.give_back(task.data);
    }

    fn close(&self) {
        locked(&self.state).closed = true;
        self.work.notify_all();
    }
}

fn more(fd: RawFd) -> bool {
    sys::wait_for_readable(fd, now_ns()).unwrap_or(false)
}

/// Reads exactly this much. False at a clean end of the connection, or when `stop` is set.
fn get(fd: RawFd, into: &mut [u8], stop: &AtomicBool) -> io::Result<bool> {
    let mut at = 0;
    while at < into.len() {
        match sys::recv(fd, &mut into[at..], 0) {
            Ok(0) if at == 0 => return Ok(false),
            Ok(0) => return Err(ErrorKind::UnexpectedEof.into()),
            Ok(n) => at += n,
            Err(e) if e.kind() == ErrorKind::Interrupted => {}
            Err(e) if e.kind() == ErrorKind::WouldBlock => {
                if stop.load(Ordering::Acquire) {
                    return Ok(false);
                }
            }
            Err(e) => return Err(e),
        }
    }
    Ok(true)
}

fn whole(fd: RawFd, into: &mut [u8], stop: &AtomicBool) -> io::Result<()> {
    if get(fd, into, stop)? { Ok(()) } else { Err(ErrorKind::UnexpectedEof.into()) }
}

pub(super) fn send_all(fd: RawFd, mut bytes: &[u8], stop: &AtomicBool) -> io::Result<()> {
    while !bytes.is_empty() {
        match sys::send(fd, bytes, libc::MSG_NOSIGNAL) {
            Ok(n) => bytes = &bytes[n..],
            Err(e) if e.kind() == ErrorKind::Interrupted => {}
            Err(e) if e.kind() == ErrorKind::WouldBlock => {
                if stop.load(Ordering::Acquire) {
                    return Err(ErrorKind::Interrupted.into());
                }
            }
            Err(e) => return Err(e),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_requests_and_kept_buffers_count_as_memory_in_flight() {
        let task = |data| Task { request: SinkRequest::new(SinkOp::Read), data };
        assert!(task(Vec::new()).bytes() > 0);
        assert!(task(vec![0; 1 << 20]).bytes() > 1 << 20);
        let pool = Pool::default();
        for _ in 0..SPARE {
            pool.give_back(vec![0; 64 << 20]);
        }
        let kept: usize = locked(&pool.state).spare.iter().map(Vec::len).sum();
        assert!(kept as u64 <= UNDER_WAY, "{kept}");
    }
}
