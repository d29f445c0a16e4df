//! A lane over threads, for kernels without io_uring: one thread per buffer. The thread owns its buffer
//! during an operation, so a hanging thread keeps only its own.

use super::{OpenModes, Plan, failed, none_done};
use crate::sys::AlignedBuffer;
use crate::{FileError, IoCompletion, IoQueue, IoRequest, locked};
use std::collections::VecDeque;
use std::io;
use std::os::unix::fs::FileExt;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// How long threads are awaited when a lane is dropped with operations in flight.
const LAST_WAIT: Duration = Duration::from_secs(5);

pub(super) struct ThreadPoolQueue {
    modes: OpenModes,
    shown: String,
    /// `None` while in flight.
    buffers: Vec<Option<AlignedBuffer>>,
    desk: Arc<TaskQueue>,
    done: Receiver<Finished>,
    under_way: usize,
}

#[derive(Default)]
struct TaskQueue {
    tasks: Mutex<Tasks>,
    more: Condvar,
}

#[derive(Default)]
struct Tasks {
    waiting: VecDeque<Task>,
    closed: bool,
}

struct Task {
    io: IoRequest,
    plan: Plan,
    buffer: AlignedBuffer,
}

struct Finished {
    task: Task,
    moved: io::Result<usize>,
}

impl TaskQueue {
    fn next(&self) -> Option<Task> {
        let mut tasks = locked(&self.tasks);
        loop {
            if let Some(task) = tasks.waiting.pop_front() {
                return Some(task);
            }
            if tasks.closed {
                return None;
            }
            tasks = self.more.wait(tasks).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn close(&self) {
        locked(&self.tasks).closed = true;
        self.more.notify_all();
    }
}

impl ThreadPoolQueue {
    pub(super) fn new(modes: OpenModes, shown: String, depth: usize) -> io::Result<ThreadPoolQueue> {
        let mut buffers = Vec::with_capacity(depth);
        for _ in 0..depth {
            buffers.push(Some(AlignedBuffer::new(modes.room, modes.memory)?));
        }
        let desk = Arc::new(TaskQueue::default());
        let (tell, done) = channel();
        // Made first, so that its drop ends the threads already started if another cannot start.
        let lane = ThreadPoolQueue { modes, shown, buffers, desk, done, under_way: 0 };
        for _ in 0..depth {
            let (desk, modes, tell) = (lane.desk.clone(), lane.modes.clone(), tell.clone());
            thread::Builder::new().name("lane".into()).spawn(move || work(&desk, &modes, &tell))?;
        }
        Ok(lane)
    }
}

fn work(desk: &TaskQueue, modes: &OpenModes, tell: &Sender<Finished>) {
    while let Some(mut task) = desk.next() {
        let moved = carry_out(modes, &mut task);
        if tell.send(Finished { task, moved }).is_err() {
            return;
        }
    }
}

fn carry_out(modes: &OpenModes, task: &mut Task) -> io::Result<usize> {
    let Task { io, plan, buffer } = task;
    let file = modes.file(*plan);
    let part = &mut buffer.bytes_mut()[..plan.length];
    if io.write {
        return file.write_all_at(part, io.offset).map(|()| io.length);
    }
    let mut moved = 0;
    while moved < io.length {
        match file.read_at(&mut part[moved..], io.offset + moved as u64) {
            Ok(0) => break,
            Ok(more) => moved += more,
            Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
            Err(e) => return Err(e),
        }
        // An unaligned result can only be the end of the file.
        if !plan.plain && !moved.is_multiple_of(modes.unit) {
            break;
        }
    }
    Ok(moved.min(io.length))
}

impl IoQueue for ThreadPoolQueue {
    fn buffer(&mut self, slot: usize) -> &mut [u8] {
        match self.buffers.get_mut(slot) {
            Some(Some(buffer)) => &mut buffer.bytes_mut()[..self.modes.block],
            _ => &mut [],
        }
    }

    fn submit(&mut self, io: IoRequest) -> Result<(), FileError> {
        self.modes.check(&io, self.buffers.len(), &self.shown)?;
        let Some(buffer) = self.buffers[io.slot].take() else {
            return Err(failed(&io, &self.shown, io::Error::from_raw_os_error(libc::EBUSY)));
        };
        let task = Task { io, plan: self.modes.plan(&io), buffer };
        locked(&self.desk.tasks).waiting.push_back(task);
        self.desk.more.notify_one();
        self.under_way += 1;
        Ok(())
    }

    fn wait_for_completion(&mut self, patience: Duration) -> Result<IoCompletion, FileError> {
        if self.under_way == 0 {
            return Err(none_done(&self.shown, false));
        }
        let Ok(Finished { task, moved }) = self.done.recv_timeout(patience) else {
            return Err(none_done(&self.shown, true));
        };
        self.under_way -= 1;
        let moved = moved.map_err(|source| failed(&task.io, &self.shown, source));
        self.buffers[task.io.slot] = Some(task.buffer);
        Ok(IoCompletion { slot: task.io.slot, moved })
    }
}

impl Drop for ThreadPoolQueue {
    fn drop(&mut self) {
        self.desk.close();
        while self.under_way > 0 && self.wait_for_completion(LAST_WAIT).is_ok() {}
    }
}
