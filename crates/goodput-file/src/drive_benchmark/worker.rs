//! One thread of a row.

use super::Shape;
use super::offsets::OffsetGenerator;
use crate::clock::{self, now_ns};
use crate::data::DataGenerator;
use crate::histogram::LatencyRecorder;
use crate::interval_bytes::{IntervalByteCounter, MeasurementWindowBounds};
use crate::supervise::{
    WorkerOperationCounters, WorkerSupervisor, wait_for_io_completion, wait_for_measurement_start,
};
use crate::verify::{BitSet, BlockSamples};
use crate::{FileError, FileHandle, IoQueue, IoRequest, Share, classes};
use goodput_model::Nanos;
use goodput_model::file::{FileDirection, FileOpClass, FlushMode};

#[derive(Debug, Clone, Copy)]
pub(super) struct WorkerSettings {
    pub span: MeasurementWindowBounds,
    pub begin_until: u64,
    pub flush: FlushMode,
    pub patience: Nanos,
}

#[derive(Clone, Copy)]
pub(super) struct WorkerContext<'a> {
    pub share: &'a dyn Share,
    pub data: &'a DataGenerator,
    pub generation: u32,
    pub pool: &'a WorkerSupervisor,
    pub counter: &'a WorkerOperationCounters,
}

pub(super) struct BenchmarkWorker {
    shape: Shape,
    lane: Box<dyn IoQueue>,
    handle: FileHandle,
    begun: Vec<u64>,
    at: Vec<u64>,
    written: Option<BitSet>,
}

pub(super) struct WorkerResult {
    pub ledger: IntervalByteCounter,
    pub tally: LatencyRecorder,
    /// CPU time between the first completions in and after the window.
    pub cpu_ns: u64,
    pub accepted_at: Option<u64>,
    pub durable_at: Option<u64>,
    pub flushes: u64,
    pub kept: BlockSamples,
    pub written: Option<BitSet>,
    pub ended_at: u64,
    pub result: Result<(), FileError>,
}

impl BenchmarkWorker {
    pub fn new(shape: Shape, lane: Box<dyn IoQueue>, handle: FileHandle) -> BenchmarkWorker {
        let written = (shape.way == FileDirection::Write).then(|| BitSet::new(shape.blocks()));
        BenchmarkWorker {
            shape,
            lane,
            handle,
            begun: vec![0; shape.queue],
            at: vec![0; shape.queue],
            written,
        }
    }

    pub fn run(
        self,
        order: WorkerSettings,
        tools: WorkerContext<'_>,
        offsets: OffsetGenerator<'_>,
        tally: LatencyRecorder,
        kept: BlockSamples,
        interval: u64,
    ) -> WorkerResult {
        let membership = tools.pool.register_worker();
        let mut work = Work {
            own: self,
            order,
            tools,
            offsets,
            ledger: IntervalByteCounter::new(order.span, interval),
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
        membership.unregister(now, result.is_ok());
        WorkerResult {
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
    own: BenchmarkWorker,
    order: WorkerSettings,
    tools: WorkerContext<'a>,
    offsets: OffsetGenerator<'a>,
    ledger: IntervalByteCounter,
    tally: LatencyRecorder,
    kept: BlockSamples,
    cpu: (u64, u64),
    accepted_at: Option<u64>,
    durable_at: Option<u64>,
    flushes: u64,
}

impl Work<'_> {
    fn through(&mut self) -> Result<(), FileError> {
        let WorkerSettings { span, begin_until, flush, patience } = self.order;
        let writes = self.own.shape.way == FileDirection::Write;
        // CPU time starts here when everything counts, else at the first completion in the window.
        if span.t1.is_none() {
            if !wait_for_measurement_start(span.t0, self.tools.pool) {
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
            let Some(done) = wait_for_io_completion(lane, patience, self.tools.pool, now)? else {
                return Ok(());
            };
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
        let (offset, block) = (self.offsets.next_offset(), own.shape.block);
        let write = own.shape.way == FileDirection::Write;
        if write {
            let WorkerContext { data, generation, .. } = self.tools;
            data.stamp_queue_buffer(own.lane.as_mut(), slot, block, block, offset, generation);
        }
        own.begun[slot] = now;
        own.at[slot] = offset;
        own.lane.submit(IoRequest { slot, offset, length: block, write })
    }

    #[inline(always)]
    fn book(&mut self, slot: usize, moved: usize, now: u64) -> Result<(), FileError> {
        let own = &mut self.own;
        if moved < own.shape.block {
            let write = own.shape.way == FileDirection::Write;
            let (block, offset) = (own.shape.block, own.at[slot]);
            return Err(FileError::short_transfer(write, "the test file", moved, block, offset));
        }
        if self.ledger.record(now, moved as u64) {
            self.tally.record(classes::op_class_of_direction(own.shape.way), now, now - own.begun[slot]);
            if self.cpu.0 == 0 {
                self.cpu.0 = clock::thread_cpu_ns();
            }
        } else if self.cpu.1 == 0 && now >= self.order.span.end_or_u64_max() {
            self.cpu.1 = clock::thread_cpu_ns();
        }
        self.tools.counter.add_operation(moved as u64);
        match own.written.as_mut() {
            Some(written) => {
                written.set(own.at[slot] / own.shape.block as u64);
                self.accepted_at = Some(now);
            }
            None if self.kept.is_sample_due(1, 0) => {
                self.kept.add_sample(own.lane.buffer(slot), own.at[slot])
            }
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
