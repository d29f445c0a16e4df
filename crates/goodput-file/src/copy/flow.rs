//! The loops of a copy, each one thread: between the place and memory, and between the place and a local disk.
//!
//! Both lanes work in the background, so one thread suffices to keep both busy: it waits for a source only when nothing that
//! has been read is left, and for a target only when there is something to hand over and no room for it. Which of the two
//! it waited for, and how long, says where the time went.

use super::side::{Arrived, Side};
use crate::clock::{self, now_ns};
use crate::data::Data;
use crate::ledger::Ledger;
use crate::supervise::{Counter, WorkerPool};
use crate::tally::Tally;
use crate::verify::Kept;
use crate::{FileError, Handle, Share};
use goodput_model::Nanos;
use goodput_model::file::{FileWay, Flush, OpClass};
use std::collections::VecDeque;

/// What the loops are told.
pub(super) struct Course<'a> {
    pub way: FileWay,
    pub size: u64,
    pub block: usize,
    pub depth: usize,
    pub flush: Flush,
    pub patience: Nanos,
    /// Nothing is begun from this instant on.
    pub begin_until: u64,
    /// Where written data is made durable; `None` when nothing is written.
    pub target: Option<(&'a dyn Share, Handle)>,
    pub data: &'a Data,
    pub generation: u32,
    pub crew: &'a WorkerPool,
    pub counter: &'a Counter,
}

/// What they write down.
pub(super) struct Book {
    pub ledger: Ledger,
    pub tally: Tally,
    pub kept: Kept,
    pub blocks: u64,
    /// Bytes that have reached their end.
    pub done: u64,
    /// When the last write was accepted, once all were.
    pub accepted_at: Option<u64>,
    /// When the flush after it was answered.
    pub durable_at: Option<u64>,
    pub flushes: u64,
    pub cpu_ns: u64,
    pub ended_at: u64,
}

impl Course<'_> {
    /// The block that begins here: its length; `None` at the end, and when nothing more is to be begun.
    fn next(&self, from: u64) -> Option<usize> {
        let length = self.size.saturating_sub(from).min(self.block as u64) as usize;
        (length > 0 && !self.crew.is_stopping()).then_some(length)
    }

    fn is_late(&self, now: u64) -> bool {
        now >= self.begin_until
    }

    /// Makes durable; returns how long it took.
    fn make_durable(&self, book: &mut Book) -> Result<u64, FileError> {
        let Some((share, handle)) = self.target else { return Ok(0) };
        let begun = now_ns();
        share.flush(handle)?;
        let at = now_ns();
        if self.way == FileWay::Write {
            book.tally.record(OpClass::Flush, at, at - begun);
            book.flushes += 1;
        }
        book.durable_at = Some(at);
        Ok(at - begun)
    }

    /// After the last block: the flush. Returns how long it took.
    fn finish(&self, book: &mut Book, now: u64) -> Result<u64, FileError> {
        if book.done < self.size || self.target.is_none() {
            return Ok(0);
        }
        book.accepted_at = Some(now);
        match self.flush {
            Flush::End | Flush::Within => self.make_durable(book),
            Flush::None | Flush::Each => Ok(0),
        }
    }

    fn book_place(&self, book: &mut Book, arrived: &Arrived, timed: bool) {
        let class = if self.way == FileWay::Write { OpClass::Write } else { OpClass::Read };
        book.ledger.book(arrived.at, arrived.piece.length as u64);
        if timed {
            book.tally.record(class, arrived.at, arrived.latency);
        }
        book.blocks += 1;
        self.counter.add(arrived.piece.length as u64);
    }
}

/// Between the place and memory: what is written comes from buffers that were filled before, what is read is dropped but for
/// the blocks that are kept for comparing.
pub(super) fn memory(course: &Course<'_>, place: &mut Side, book: &mut Book) -> Result<(), FileError> {
    let cpu = clock::thread_cpu_ns();
    let ended = memory_loop(course, place, book);
    book.cpu_ns = clock::thread_cpu_ns() - cpu;
    book.ended_at = now_ns();
    ended
}

fn memory_loop(course: &Course<'_>, place: &mut Side, book: &mut Book) -> Result<(), FileError> {
    let writes = course.way == FileWay::Write;
    let blocks = course.size.div_ceil(course.block as u64);
    let (mut next, mut now) = (0, now_ns());
    let begin = |place: &mut Side, slot: usize, next: &mut u64| {
        let Some(length) = course.next(*next) else { return Ok(()) };
        if writes {
            course.data.stamp_slot(place.lane.as_mut(), slot, course.block, length, *next, course.generation);
        }
        place.submit(slot, *next, length)?;
        *next += length as u64;
        Ok::<(), FileError>(())
    };
    for slot in 0..course.depth {
        begin(place, slot, &mut next)?;
    }
    while place.under_way > 0 {
        let Some(arrived) = place.complete(course.patience, course.crew)? else { return Ok(()) };
        now = arrived.at;
        book.done += arrived.piece.length as u64;
        if !writes && book.kept.wants(book.blocks, blocks) {
            book.kept.take(&place.lane.buffer(arrived.slot)[..arrived.piece.length], arrived.piece.offset);
        }
        course.book_place(book, &arrived, true);
        if writes && course.flush == Flush::Each {
            place.spent_ns += course.make_durable(book)?;
            now = now_ns();
        }
        if !course.is_late(now) {
            begin(place, arrived.slot, &mut next)?;
        }
    }
    place.spent_ns += course.finish(book, now)?;
    Ok(())
}

/// From one disk to another place, or back. The place is `to` when the copy writes, `from` when it reads.
pub(super) fn pipe(
    course: &Course<'_>,
    from: &mut Side,
    to: &mut Side,
    book: &mut Book,
) -> Result<(), FileError> {
    let cpu = clock::thread_cpu_ns();
    let ended = pipe_loop(course, from, to, book);
    book.cpu_ns = clock::thread_cpu_ns() - cpu;
    book.ended_at = now_ns();
    ended
}

fn pipe_loop(course: &Course<'_>, from: &mut Side, to: &mut Side, book: &mut Book) -> Result<(), FileError> {
    let writes = course.way == FileWay::Write;
    let mut ready: VecDeque<Arrived> = VecDeque::with_capacity(course.depth);
    let mut free: Vec<usize> = (0..course.depth).rev().collect();
    let (mut next, mut now) = (0, now_ns());
    let begin = |from: &mut Side, slot: usize, next: &mut u64| {
        let Some(length) = course.next(*next) else { return Ok(()) };
        from.submit(slot, *next, length)?;
        *next += length as u64;
        Ok::<(), FileError>(())
    };
    for slot in 0..course.depth {
        begin(from, slot, &mut next)?;
    }
    loop {
        if let (Some(block), Some(slot)) = (ready.front().copied(), free.last().copied()) {
            let length = block.piece.length;
            to.lane.buffer(slot)[..length].copy_from_slice(&from.lane.buffer(block.slot)[..length]);
            to.submit(slot, block.piece.offset, length)?;
            free.pop();
            ready.pop_front();
            if !course.is_late(now) {
                begin(from, block.slot, &mut next)?;
            }
        } else if ready.is_empty() && from.under_way > 0 {
            let Some(arrived) = from.complete(course.patience, course.crew)? else { return Ok(()) };
            now = arrived.at;
            if !writes {
                course.book_place(book, &arrived, false);
            }
            ready.push_back(arrived);
        } else if to.under_way > 0 {
            let Some(arrived) = to.complete(course.patience, course.crew)? else { return Ok(()) };
            now = arrived.at;
            book.done += arrived.piece.length as u64;
            if writes {
                course.book_place(book, &arrived, false);
            }
            if course.flush == Flush::Each {
                to.spent_ns += course.make_durable(book)?;
                now = now_ns();
            }
            free.push(arrived.slot);
        } else {
            break;
        }
    }
    to.spent_ns += course.finish(book, now)?;
    Ok(())
}
