//! Requests in flight on one connection, and their waiting callers. A request is registered before it is
//! sent. The thread that reads a reply claims and settles the entry. An operation of a lane is a *job* of one
//! or more *parts*, because servers limit the size of requests.

use crate::operation_error::OperationError;
use crate::sys::AlignedBuffer;
use std::collections::{HashMap, VecDeque};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

pub(super) struct SharedPendingRequests {
    state: Mutex<PendingRequestTable>,
    pub(super) changed: Condvar,
}

#[derive(Default)]
pub(super) struct PendingRequestTable {
    entries: HashMap<u64, Entry>,
    answers: HashMap<u64, Vec<u8>>,
    jobs: HashMap<u64, Job>,
    done: HashMap<u64, VecDeque<FinishedJob>>,
    last: u64,
    pub(super) credits: u32,
    pub(super) spent: u32,
    pub(super) reading: bool,
    /// Threads that wait for the reader.
    pub(super) sleepers: u32,
    pub(super) broken: Option<OperationError>,
}

struct Entry {
    charge: u16,
    whose: ReplyTarget,
}

#[derive(Clone, Copy)]
enum ReplyTarget {
    Call,
    Part {
        job: u64,
        at: usize,
        length: usize,
    },
    /// The caller timed out; the credits stay in use until the reply.
    Nobody,
}

struct Job {
    lane: u64,
    slot: usize,
    write: bool,
    block: Option<AlignedBuffer>,
    open: u32,
    all_sent: bool,
    /// First byte of the job that a part did not move.
    reached: usize,
    failed: Option<OperationError>,
}

#[derive(Debug)]
pub(super) struct FinishedJob {
    pub(super) slot: usize,
    pub(super) write: bool,
    pub(super) block: AlignedBuffer,
    pub(super) moved: Result<usize, OperationError>,
}

#[derive(Debug)]
pub(super) enum ReplyOwner {
    Answer,
    /// A range of a job. A read's block is here; a write's may still be with its sender.
    Part {
        job: u64,
        at: usize,
        length: usize,
        write: bool,
        block: Option<AlignedBuffer>,
    },
    Nobody,
}

impl SharedPendingRequests {
    pub(super) fn new(credits: u32) -> SharedPendingRequests {
        SharedPendingRequests {
            state: Mutex::new(PendingRequestTable { credits, ..PendingRequestTable::default() }),
            changed: Condvar::new(),
        }
    }

    /// Held briefly; consistent after each statement.
    pub(super) fn lock(&self) -> MutexGuard<'_, PendingRequestTable> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns a request's credits, and those newly granted.
    pub(super) fn claim_reply(&self, number: u64, granted: u16) -> ReplyOwner {
        let mut state = self.lock();
        state.grant_credits(granted);
        let Some(entry) = state.entries.remove(&number) else { return ReplyOwner::Nobody };
        state.spent = state.spent.saturating_sub(u32::from(entry.charge));
        match entry.whose {
            ReplyTarget::Call => ReplyOwner::Answer,
            ReplyTarget::Nobody => ReplyOwner::Nobody,
            ReplyTarget::Part { job, at, length } => match state.jobs.get_mut(&job) {
                Some(found) => {
                    ReplyOwner::Part { job, at, length, write: found.write, block: found.block.take() }
                }
                None => ReplyOwner::Nobody,
            },
        }
    }

    /// An interim reply: only grants credits.
    pub(super) fn add_credits(&self, granted: u16) {
        self.lock().grant_credits(granted);
    }

    pub(super) fn store_reply(&self, number: u64, reply: Vec<u8>) {
        self.lock().answers.insert(number, reply);
    }

    /// A part ended: bytes moved from its beginning, or an error.
    pub(super) fn finish_job_request(
        &self,
        job: u64,
        at: usize,
        length: usize,
        block: Option<AlignedBuffer>,
        moved: Result<usize, OperationError>,
    ) {
        let mut state = self.lock();
        let Some(found) = state.jobs.get_mut(&job) else { return };
        found.open = found.open.saturating_sub(1);
        if block.is_some() {
            found.block = block;
        }
        match moved {
            Ok(moved) if moved < length => found.reached = found.reached.min(at + moved),
            Ok(_) => {}
            Err(fault) => {
                found.failed.get_or_insert(fault);
            }
        }
        state.finish(job);
    }
}

impl PendingRequestTable {
    /// A server may grant without end.
    fn grant_credits(&mut self, granted: u16) {
        self.credits = self.credits.saturating_add(u32::from(granted));
    }

    pub(super) fn register_call(&mut self, number: u64, charge: u16) {
        self.enter(number, charge, ReplyTarget::Call);
    }

    pub(super) fn register_job_request(
        &mut self,
        number: u64,
        charge: u16,
        job: u64,
        at: usize,
        length: usize,
    ) {
        if let Some(found) = self.jobs.get_mut(&job) {
            found.open += 1;
        }
        self.enter(number, charge, ReplyTarget::Part { job, at, length });
    }

    fn enter(&mut self, number: u64, charge: u16, whose: ReplyTarget) {
        self.credits = self.credits.saturating_sub(u32::from(charge));
        self.spent += u32::from(charge);
        self.entries.insert(number, Entry { charge, whose });
    }

    pub(super) fn abandon_calls(&mut self, numbers: impl Iterator<Item = u64>) {
        for number in numbers {
            if let Some(entry) = self.entries.get_mut(&number) {
                entry.whose = ReplyTarget::Nobody;
            }
            self.answers.remove(&number);
        }
    }

    pub(super) fn take_reply(&mut self, number: u64) -> Option<Vec<u8>> {
        self.answers.remove(&number)
    }

    pub(super) fn has_reply(&self, number: u64) -> bool {
        self.answers.contains_key(&number)
    }

    pub(super) fn open_queue(&mut self) -> u64 {
        self.last += 1;
        self.done.insert(self.last, VecDeque::new());
        self.last
    }

    pub(super) fn close_queue(&mut self, lane: u64) {
        self.done.remove(&lane);
    }

    /// Registers a job. A read hands over its buffer now, because replies may precede the last request.
    pub(super) fn register_job(
        &mut self,
        lane: u64,
        slot: usize,
        length: usize,
        block: Option<AlignedBuffer>,
    ) -> u64 {
        self.last += 1;
        let write = block.is_none();
        let job = Job { lane, slot, write, block, open: 0, all_sent: false, reached: length, failed: None };
        self.jobs.insert(self.last, job);
        self.last
    }

    /// All parts were sent. A write hands over its buffer now.
    pub(super) fn mark_job_sent(&mut self, job: u64, block: Option<AlignedBuffer>) {
        if let Some(found) = self.jobs.get_mut(&job) {
            found.all_sent = true;
            if block.is_some() {
                found.block = block;
            }
        }
        self.finish(job);
    }

    /// The job could not be sent; returns its buffer unless it is being filled.
    pub(super) fn abandon_job(&mut self, job: u64) -> Option<AlignedBuffer> {
        self.jobs.remove(&job)?.block
    }

    fn finish(&mut self, job: u64) {
        let ended =
            self.jobs.get(&job).is_some_and(|job| job.open == 0 && job.all_sent && job.block.is_some());
        if !ended {
            return;
        }
        let Some(Job { lane, slot, write, block: Some(block), reached, failed, .. }) = self.jobs.remove(&job)
        else {
            return;
        };
        if let Some(done) = self.done.get_mut(&lane) {
            let moved = failed.map_or(Ok(reached), Err);
            done.push_back(FinishedJob { slot, write, block, moved });
        }
    }

    pub(super) fn next_finished_job(&mut self, lane: u64) -> Option<FinishedJob> {
        self.done.get_mut(&lane)?.pop_front()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::FileErrorKind;

    fn counts(pending: &SharedPendingRequests) -> (u32, u32) {
        let state = pending.lock();
        (state.credits, state.spent)
    }

    #[test]
    fn a_job_of_two_parts_moves_what_hangs_together_from_its_beginning() {
        let pending = SharedPendingRequests::new(10);
        let mut state = pending.lock();
        let lane = state.open_queue();
        let job = state.register_job(lane, 3, 100, Some(AlignedBuffer::new(100, 4096).unwrap()));
        state.register_job_request(1, 2, job, 0, 60);
        state.register_job_request(2, 1, job, 60, 40);
        state.mark_job_sent(job, None);
        drop(state);
        assert_eq!(counts(&pending), (7, 3));
        // The second part arrives first and complete; bytes behind the short first part do not count.
        let ReplyOwner::Part { at: 60, length: 40, block, .. } = pending.claim_reply(2, 1) else { panic!() };
        pending.finish_job_request(job, 60, 40, block, Ok(40));
        assert!(pending.lock().next_finished_job(lane).is_none());
        let ReplyOwner::Part { at: 0, length: 60, block, .. } = pending.claim_reply(1, 2) else { panic!() };
        pending.finish_job_request(job, 0, 60, block, Ok(50));
        let finished = pending.lock().next_finished_job(lane).unwrap();
        assert_eq!((finished.slot, finished.moved.unwrap()), (3, 50));
        assert_eq!(counts(&pending), (10, 0));
    }

    #[test]
    fn a_write_ends_when_its_buffer_is_back_whichever_comes_first() {
        for reply_first in [true, false] {
            let pending = SharedPendingRequests::new(10);
            let lane = pending.lock().open_queue();
            let job = pending.lock().register_job(lane, 0, 8, None);
            pending.lock().register_job_request(7, 1, job, 0, 8);
            let hand_over = || pending.lock().mark_job_sent(job, Some(AlignedBuffer::new(8, 4096).unwrap()));
            let reply = || {
                let ReplyOwner::Part { write: true, block, .. } = pending.claim_reply(7, 1) else { panic!() };
                assert_eq!(block.is_none(), reply_first);
                let full = OperationError::new(FileErrorKind::Full, "no room");
                pending.finish_job_request(job, 0, 8, block, Err(full));
            };
            if reply_first {
                reply();
                assert!(pending.lock().next_finished_job(lane).is_none());
                hand_over();
            } else {
                hand_over();
                reply();
            }
            let finished = pending.lock().next_finished_job(lane);
            assert_eq!(finished.unwrap().moved.unwrap_err().trouble, FileErrorKind::Full);
        }
    }

    #[test]
    fn a_reply_that_nobody_waits_for_still_gives_its_credits_back() {
        let pending = SharedPendingRequests::new(4);
        pending.lock().register_call(5, 4);
        pending.lock().abandon_calls([5].into_iter());
        assert!(matches!(pending.claim_reply(5, 3), ReplyOwner::Nobody));
        assert_eq!(counts(&pending), (3, 0));
    }
}
