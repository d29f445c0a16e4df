//! One thread of a row.

use super::Shape;
use super::offsets::Offsets;
use crate::clock::{self, now_ns};
use crate::data::Data;
use crate::histogram::LatencyHistograms;
use crate::interval_bytes::{IntervalBytes, Span};
use crate::supervise::{Counter, WorkerPool, complete, until_open};
use crate::verify::{Bits, Samples};
use crate::{FileError, FileErrorKind, Handle, Io, Lane, Share};
use goodput_model::Nanos;
use goodput_model::file::{FileDirection, FileOpClass, FlushMode};

#[derive(Debug, Clone, Copy)]
pub(super) struct Order {
    pub span: Span,
    pub begin_until: u64,
    pub flush: FlushMode,
    pub patience: Nanos,
}

#[derive(Clone, Copy)]
pub(super) struct Tools<'a> {
    pub share: &'a dyn Share,
    pub data: &'a Data,
    pub generation: u32,
    pub pool: &'a WorkerPool,
    pub counter: &'a Counter,
}

pub(super) struct Worker {
    shape: Shape,
    lane: Box<dyn Lane>,
    handle: Handle,
    begun: Vec<u64>,
    at: Vec<u64>,
    written: Option<Bits>,
}

pub(super) struct Outcome {
    pub ledger: IntervalBytes,
    pub tally: LatencyHistograms,
    /// CPU time between the first completions in and after the window.
    pub cpu_ns: u64,
    pub accepted_at: Option<u64>,
    pub durable_at: Option<u64>,
    pub flushes: u64,
    pub kept: Samples,
    pub written: Option<Bits>,
    pub ended_at: u64,
    pub result: Result<(), FileError>,
}

impl Worker {
    pub fn new(shape: Shape, lane: Box<dyn Lane>, handle: Handle) -> Worker {
        let written = (shape.way == FileDirection::Write).then(|| Bits::new(shape.blocks()));
        Worker { shape, lane, handle, begun: vec![0; shape.queue], at: vec![0; shape.queue], written }
    }

    pub fn run(
        self,
        order: Order,
        tools: Tools<'_>,
        offsets: Offsets<'_>,
        tally: LatencyHistograms,
        kept: Samples,
        interval: u64,
    ) -> Outcome {
        let membership = tools.pool.join();
        let mut work = Work {
            own: self,
            order,
            tools,
            offsets,
            ledger: IntervalBytes::new(order.span, interval),
            tally,
            kept,
            cpu: (0, 0),
            accepted_at: None,
            durable_at: None,
            flushes: 0,
        };
        let result = work.through();
        let now = now_ns();
        if work.cpu.1 == 0 {
            work.cpu.1 = clock::thread_cpu_ns();
        }
        membership.leave(now, result.is_ok());
        Outcome {
            ledger: work.ledger,
            tally: work.tally,
            cpu_ns: work.cpu.1.saturating_sub(work.cpu.0),
            accepted_at: work.accepted_at,
            durable_at: work.durable_at,
            flushes: work.flushes,
            kept: work.kept,
            written: work.own.written,
            ended_at: now,
            result,
        }
    }
}

struct Work<'a> {
    own: Worker,
    order: Order,
    tools: Tools<'a>,
    offsets: Offsets<'a>,
    ledger: IntervalBytes,
    tally: LatencyHistograms,
    kept: Samples,
    cpu: (u64, u64),
    accepted_at: Option<u64>,
    durable_at: Option<u64>,
    flushes: u64,
}

impl Work<'_> {
    fn through(&mut self) -> Result<(), FileError> {
        let Order { span, begin_until, flush, patience } = self.order;
        let writes = self.own.shape.way == FileDirection::Write;
        // CPU time starts here when everything counts, else at the first completion in the window.
        if span.t1.is_none() {
            if !until_open(span.t0, self.tools.pool) {
                return Ok(());
            }
            self.cpu.0 = clock::thread_cpu_ns();
        }
        let mut now = now_ns();
        for slot in 0..self.own.shape.queue {
            self.submit(slot, now)?;
        }
        let mut under_way = self.own.shape.queue;
        while under_way > 0 {
            let lane = self.own.lane.as_mut();
            let Some(done) = complete(lane, patience, self.tools.pool, now)? else { return Ok(()) };
            now = now_ns();
            under_way -= 1;
            self.book(done.slot, done.moved?, now)?;
            if writes && flush == FlushMode::Each {
                now = self.flush()?;
            }
            if now < begin_until && !self.tools.pool.is_stopping() {
                self.submit(done.slot, now)?;
                under_way += 1;
            }
        }
        if writes && matches!(flush, FlushMode::End | FlushMode::Within) {
            self.durable_at = Some(self.flush()?);
        }
        Ok(())
    }

    #[inline(always)]
    fn submit(&mut self, slot: usize, now: u64) -> Result<(), FileError> {
        let own = &mut self.own;
        let (offset, block) = (self.offsets.next(), own.shape.block);
        let write = own.shape.way == FileDirection::Write;
        if write {
            let Tools { data, generation, .. } = self.tools;
            data.stamp_slot(own.lane.as_mut(), slot, block, block, offset, generation);
        }
        own.begun[slot] = now;
        own.at[slot] = offset;
        own.lane.submit(Io { slot, offset, length: block, write })
    }

    #[inline(always)]
    fn book(&mut self, slot: usize, moved: usize, now: u64) -> Result<(), FileError> {
        let own = &mut self.own;
        if moved < own.shape.block {
            return Err(short(own.at[slot], moved, own.shape.block));
        }
        if self.ledger.book(now, moved as u64) {
            self.tally.record(own.shape.class(), now, now - own.begun[slot]);
            if self.cpu.0 == 0 {
                self.cpu.0 = clock::thread_cpu_ns();
            }
        } else if self.cpu.1 == 0 && now >= self.order.span.end() {
            self.cpu.1 = clock::thread_cpu_ns();
        }
        self.tools.counter.add(moved as u64);
        match own.written.as_mut() {
            Some(written) => {
                written.set(own.at[slot] / own.shape.block as u64);
                self.accepted_at = Some(now);
            }
            None if self.kept.wants(1, 0) => self.kept.take(own.lane.buffer(slot), own.at[slot]),
            None => {}
        }
        Ok(())
    }

    /// Flushes; returns the completion time.
    fn flush(&mut self) -> Result<u64, FileError> {
        let begun = now_ns();
        self.tools.share.flush(self.own.handle)?;
        let now = now_ns();
        if self.tally.record(FileOpClass::Flush, now, now - begun) {
            self.flushes += 1;
        }
        Ok(now)
    }
}

#[cold]
fn short(offset: u64, moved: usize, block: usize) -> FileError {
    let why = format!("{moved} B of {block} B came at byte {offset}: the file has become shorter");
    FileError::because("read the test file", FileErrorKind::EndOfFile, why)
}
