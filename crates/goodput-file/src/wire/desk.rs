//! Who waits for which reply of one connection, and whose turn it is to read it.
//!
//! A request is entered under its number before it is sent. Whoever reads a reply claims the entry and settles it.
//! A read or write of a lane is a *job* of one or more *parts*, because a server takes only so much in one request.

use super::{Block, Fault};
use std::collections::{HashMap, VecDeque};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

pub(crate) struct Desk {
    state: Mutex<State>,
    pub(super) bell: Condvar,
}

#[derive(Default)]
pub(crate) struct State {
    entries: HashMap<u64, Entry>,
    answers: HashMap<u64, Vec<u8>>,
    jobs: HashMap<u64, Job>,
    done: HashMap<u64, VecDeque<Finished>>,
    last: u64,
    /// What may still be sent, in the protocol's unit, and what is under way of it.
    pub(crate) credits: u32,
    pub(crate) spent: u32,
    pub(super) reading: bool,
    /// So many wait for the reader to tell them something.
    pub(super) sleepers: u32,
    /// Why nothing goes any more.
    pub(super) broken: Option<Fault>,
}

struct Entry {
    charge: u16,
    whose: Whose,
}

#[derive(Clone, Copy)]
enum Whose {
    Call,
    Part {
        job: u64,
        at: usize,
        length: usize,
    },
    /// The caller has given up; the credits are spent until the reply comes.
    Nobody,
}

struct Job {
    lane: u64,
    slot: usize,
    write: bool,
    block: Option<Block>,
    open: u32,
    all_sent: bool,
    /// The first byte, counted from the job's beginning, that a part did not move.
    reached: usize,
    failed: Option<Fault>,
}

/// A job that has ended, with its buffer.
#[derive(Debug)]
pub(crate) struct Finished {
    pub(crate) slot: usize,
    pub(crate) write: bool,
    pub(crate) block: Block,
    pub(crate) moved: Result<usize, Fault>,
}

/// What a reply is for.
#[derive(Debug)]
pub(crate) enum Claim {
    /// The caller who waits for this number.
    Answer,
    /// These bytes of a job. A read's block is there to be filled; a write's may still be with its sender.
    Part { job: u64, at: usize, length: usize, write: bool, block: Option<Block> },
    /// Nobody any more.
    Nobody,
}

impl Desk {
    pub(crate) fn new(credits: u32) -> Desk {
        Desk { state: Mutex::new(State { credits, ..State::default() }), bell: Condvar::new() }
    }

    /// Locks are held for a few lines at a time, and what stands in them is whole after each.
    pub(crate) fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The requests of a reply that has been read go back to what may be sent, with what the server grants beside
    /// them.
    pub(crate) fn claim(&self, number: u64, granted: u16) -> Claim {
        let mut state = self.lock();
        state.credits += u32::from(granted);
        let Some(entry) = state.entries.remove(&number) else { return Claim::Nobody };
        state.spent = state.spent.saturating_sub(u32::from(entry.charge));
        match entry.whose {
            Whose::Call => Claim::Answer,
            Whose::Nobody => Claim::Nobody,
            Whose::Part { job, at, length } => match state.jobs.get_mut(&job) {
                Some(found) => Claim::Part { job, at, length, write: found.write, block: found.block.take() },
                None => Claim::Nobody,
            },
        }
    }

    /// An interim reply: the request is still under way, but credits may have come with it.
    pub(crate) fn granted(&self, granted: u16) {
        self.lock().credits += u32::from(granted);
    }

    pub(crate) fn answer(&self, number: u64, reply: Vec<u8>) {
        self.lock().answers.insert(number, reply);
    }

    /// A part has ended: so many bytes from its beginning were moved, or none for this reason.
    pub(crate) fn settle(
        &self,
        job: u64,
        at: usize,
        length: usize,
        block: Option<Block>,
        moved: Result<usize, Fault>,
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

impl State {
    /// Enters a request that a caller will wait for.
    pub(crate) fn expect_call(&mut self, number: u64, charge: u16) {
        self.enter(number, charge, Whose::Call);
    }

    pub(crate) fn expect_part(&mut self, number: u64, charge: u16, job: u64, at: usize, length: usize) {
        if let Some(found) = self.jobs.get_mut(&job) {
            found.open += 1;
        }
        self.enter(number, charge, Whose::Part { job, at, length });
    }

    fn enter(&mut self, number: u64, charge: u16, whose: Whose) {
        self.credits = self.credits.saturating_sub(u32::from(charge));
        self.spent += u32::from(charge);
        self.entries.insert(number, Entry { charge, whose });
    }

    /// Nobody waits for these replies any more.
    pub(crate) fn forget_calls(&mut self, numbers: impl Iterator<Item = u64>) {
        for number in numbers {
            if let Some(entry) = self.entries.get_mut(&number) {
                entry.whose = Whose::Nobody;
            }
            self.answers.remove(&number);
        }
    }

    pub(crate) fn take_answer(&mut self, number: u64) -> Option<Vec<u8>> {
        self.answers.remove(&number)
    }

    pub(crate) fn has_answer(&self, number: u64) -> bool {
        self.answers.contains_key(&number)
    }

    pub(crate) fn open_lane(&mut self) -> u64 {
        self.last += 1;
        self.done.insert(self.last, VecDeque::new());
        self.last
    }

    pub(crate) fn close_lane(&mut self, lane: u64) {
        self.done.remove(&lane);
    }

    /// A job is to begin. A read hands its buffer over now, because the reply may come before the last part is sent.
    pub(crate) fn begin(&mut self, lane: u64, slot: usize, length: usize, block: Option<Block>) -> u64 {
        self.last += 1;
        let write = block.is_none();
        let job = Job { lane, slot, write, block, open: 0, all_sent: false, reached: length, failed: None };
        self.jobs.insert(self.last, job);
        self.last
    }

    /// All parts of a job are on their way. A write hands its buffer over now.
    pub(crate) fn all_sent(&mut self, job: u64, block: Option<Block>) {
        if let Some(found) = self.jobs.get_mut(&job) {
            found.all_sent = true;
            if block.is_some() {
                found.block = block;
            }
        }
        self.finish(job);
    }

    /// A job could not be sent: its buffer, where nobody is just filling it.
    pub(crate) fn abandon(&mut self, job: u64) -> Option<Block> {
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
            done.push_back(Finished { slot, write, block, moved });
        }
    }

    pub(crate) fn next_done(&mut self, lane: u64) -> Option<Finished> {
        self.done.get_mut(&lane)?.pop_front()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Trouble;

    fn counts(desk: &Desk) -> (u32, u32) {
        let state = desk.lock();
        (state.credits, state.spent)
    }

    #[test]
    fn a_job_of_two_parts_moves_what_hangs_together_from_its_beginning() {
        let desk = Desk::new(10);
        let (lane, job) = {
            let mut state = desk.lock();
            let lane = state.open_lane();
            let job = state.begin(lane, 3, 100, Some(Block::new(100)));
            state.expect_part(1, 2, job, 0, 60);
            state.expect_part(2, 1, job, 60, 40);
            state.all_sent(job, None);
            assert_eq!((state.credits, state.spent), (7, 3));
            (lane, job)
        };
        // The second part comes first, whole; the first one is short: what lies behind its end does not count.
        let Claim::Part { at: 60, length: 40, block, .. } = desk.claim(2, 1) else { panic!() };
        desk.settle(job, 60, 40, block, Ok(40));
        assert!(desk.lock().next_done(lane).is_none());
        let Claim::Part { at: 0, length: 60, block, .. } = desk.claim(1, 2) else { panic!() };
        desk.settle(job, 0, 60, block, Ok(50));
        let finished = desk.lock().next_done(lane).unwrap();
        assert_eq!((finished.slot, finished.moved.unwrap()), (3, 50));
        assert_eq!(counts(&desk), (10, 0));
    }

    #[test]
    fn a_write_ends_when_its_buffer_is_back_whichever_comes_first() {
        for reply_first in [true, false] {
            let desk = Desk::new(10);
            let lane = desk.lock().open_lane();
            let job = desk.lock().begin(lane, 0, 8, None);
            desk.lock().expect_part(7, 1, job, 0, 8);
            let hand_over = || desk.lock().all_sent(job, Some(Block::new(8)));
            let reply = || {
                let Claim::Part { write: true, block, .. } = desk.claim(7, 1) else { panic!() };
                assert_eq!(block.is_none(), reply_first);
                desk.settle(job, 0, 8, block, Err(Fault::new(Trouble::Full, "no room")));
            };
            if reply_first {
                reply();
                assert!(desk.lock().next_done(lane).is_none());
                hand_over();
            } else {
                hand_over();
                reply();
            }
            let finished = desk.lock().next_done(lane);
            assert_eq!(finished.unwrap().moved.unwrap_err().trouble, Trouble::Full);
        }
    }

    #[test]
    fn a_reply_that_nobody_waits_for_still_gives_its_credits_back() {
        let desk = Desk::new(4);
        desk.lock().expect_call(5, 4);
        desk.lock().forget_calls([5].into_iter());
        assert!(matches!(desk.claim(5, 3), Claim::Nobody));
        assert_eq!(counts(&desk), (3, 0));
    }
}
