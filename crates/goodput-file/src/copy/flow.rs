//! The loops of a copy, each on one thread: target and memory, or target and local disk. Both lanes are
//! asynchronous, so one thread keeps both busy. It waits for the source only when no data is left, and for
//! the target only when it has no room; these waits show the bottleneck.

use super::timed_io_queue::{TimedCompletion, TimedIoQueue};
use crate::clock::now_ns;
use crate::data::DataGenerator;
use crate::histogram::LatencyRecorder;
use crate::interval_bytes::IntervalByteCounter;
use crate::supervise::{WorkerOperationCounters, WorkerSupervisor};
use crate::verify::BlockSamples;
use crate::{FileError, FileHandle, Share};
use goodput_model::Nanos;
use goodput_model::file::{FileDirection, FileOpClass, FlushMode};
use std::collections::VecDeque;

pub(super) struct TransferParameters<'a> {
    pub way: FileDirection,
    pub size: u64,
    pub block: usize,
    pub depth: usize,
    pub flush: FlushMode,
    pub patience: Nanos,
    /// No operation begins after this instant.
    pub begin_until: u64,
    /// Where written data is flushed; `None` when nothing is written.
    pub target: Option<(&'a dyn Share, FileHandle)>,
    pub data: &'a DataGenerator,
    pub generation: u32,
    pub pool: &'a WorkerSupervisor,
    pub counter: &'a WorkerOperationCounters,
}

pub(super) struct TransferTotals {
    pub ledger: IntervalByteCounter,
    pub tally: LatencyRecorder,
    pub kept: BlockSamples,
    pub blocks: u64,
    pub done: u64,
    /// Completion of the last write.
    pub accepted_at: Option<u64>,
    pub durable_at: Option<u64>,
    pub flushes: u64,
    pub cpu_ns: u64,
    pub ended_at: u64,
}

impl TransferParameters<'_> {
    /// Length of the block at this offset; `None` at the end, and after `begin_until`.
    fn next(&self, from: u64) -> Option<usize> {
        let length = self.size.saturating_sub(from).min(self.block as u64) as usize;
        (length > 0 && !self.pool.is_stopping()).then_some(length)
    }

    fn is_late(&self, now: u64) -> bool {
        now >= self.begin_until
    }

    fn make_durable(&self, totals: &mut TransferTotals) -> Result<u64, FileError> {
        let Some((share, handle)) = self.target else { return Ok(0) };
        let begun = now_ns();
        share.flush(handle)?;
        let at = now_ns();
        if self.way == FileDirection::Write {
            totals.tally.record(FileOpClass::Flush, at, at - begun);
            totals.flushes += 1;
        }
        totals.durable_at = Some(at);
        Ok(at - begun)
    }

    fn finish(&self, totals: &mut TransferTotals, now: u64) -> Result<u64, FileError> {
        if totals.done < self.size || self.target.is_none() {
            return Ok(0);
        }
        totals.accepted_at = Some(now);
        match self.flush {
            FlushMode::End | FlushMode::Within => self.make_durable(totals),
            FlushMode::None | FlushMode::Each => Ok(0),
        }
    }

    fn book_place(&self, totals: &mut TransferTotals, arrived: &TimedCompletion, timed: bool) {
        let class = if self.way == FileDirection::Write { FileOpClass::Write } else { FileOpClass::Read };
        totals.ledger.record(arrived.at, arrived.extent.length as u64);
        if timed {
            totals.tally.record(class, arrived.at, arrived.latency);
        }
        totals.blocks += 1;
        self.counter.add_operation(arrived.extent.length as u64);
    }
}

/// Between place and memory: writes come from filled buffers; reads are dropped but for blocks to verify.
pub(super) fn transfer_to_or_from_memory(
    transfer: &TransferParameters<'_>,
    place: &mut TimedIoQueue,
    totals: &mut TransferTotals,
) -> Result<(), FileError> {
    let writes = transfer.way == FileDirection::Write;
    let blocks = transfer.size.div_ceil(transfer.block as u64);
    let (mut next, mut now) = (0, now_ns());
    let begin = |place: &mut TimedIoQueue, slot: usize, next: &mut u64| {
        let Some(length) = transfer.next(*next) else { return Ok(()) };
        if writes {
            transfer.data.stamp_queue_buffer(
                place.lane.as_mut(),
                slot,
                transfer.block,
                length,
                *next,
                transfer.generation,
            );
        }
        place.submit(slot, *next, length)?;
        *next += length as u64;
        Ok::<(), FileError>(())
    };
    for slot in 0..transfer.depth {
        begin(place, slot, &mut next)?;
    }
    while place.under_way > 0 {
        let Some(arrived) = place.wait_for_completion(transfer.patience, transfer.pool)? else {
            return Ok(());
        };
        now = arrived.at;
        totals.done += arrived.extent.length as u64;
        if !writes && totals.kept.is_sample_due(totals.blocks, blocks) {
            totals
                .kept
                .add_sample(&place.lane.buffer(arrived.slot)[..arrived.extent.length], arrived.extent.offset);
        }
        transfer.book_place(totals, &arrived, true);
        if writes && transfer.flush == FlushMode::Each {
            place.spent_ns += transfer.make_durable(totals)?;
            now = now_ns();
        }
        if !transfer.is_late(now) {
            begin(place, arrived.slot, &mut next)?;
        }
    }
    place.spent_ns += transfer.finish(totals, now)?;
    Ok(())
}

pub(super) fn copy_between_queues(
    transfer: &TransferParameters<'_>,
    from: &mut TimedIoQueue,
    to: &mut TimedIoQueue,
    totals: &mut TransferTotals,
) -> Result<(), FileError> {
    let writes = transfer.way == FileDirection::Write;
    let mut ready: VecDeque<TimedCompletion> = VecDeque::with_capacity(transfer.depth);
    let mut free: Vec<usize> = (0..transfer.depth).rev().collect();
    let (mut next, mut now) = (0, now_ns());
    let begin = |from: &mut TimedIoQueue, slot: usize, next: &mut u64| {
        let Some(length) = transfer.next(*next) else { return Ok(()) };
        from.submit(slot, *next, length)?;
        *next += length as u64;
        Ok::<(), FileError>(())
    };
    for slot in 0..transfer.depth {
        begin(from, slot, &mut next)?;
    }
    loop {
        if let (Some(block), Some(slot)) = (ready.front().copied(), free.last().copied()) {
            let length = block.extent.length;
            to.lane.buffer(slot)[..length].copy_from_slice(&from.lane.buffer(block.slot)[..length]);
            to.submit(slot, block.extent.offset, length)?;
            free.pop();
            ready.pop_front();
            if !transfer.is_late(now) {
                begin(from, block.slot, &mut next)?;
            }
        } else if ready.is_empty() && from.under_way > 0 {
            let Some(arrived) = from.wait_for_completion(transfer.patience, transfer.pool)? else {
                return Ok(());
            };
            now = arrived.at;
            if !writes {
                transfer.book_place(totals, &arrived, false);
            }
            ready.push_back(arrived);
        } else if to.under_way > 0 {
            let Some(arrived) = to.wait_for_completion(transfer.patience, transfer.pool)? else {
                return Ok(());
            };
            now = arrived.at;
            totals.done += arrived.extent.length as u64;
            if writes {
                transfer.book_place(totals, &arrived, false);
            }
            if transfer.flush == FlushMode::Each {
                to.spent_ns += transfer.make_durable(totals)?;
                now = now_ns();
            }
            free.push(arrived.slot);
        } else {
            break;
        }
    }
    to.spent_ns += transfer.finish(totals, now)?;
    Ok(())
}
