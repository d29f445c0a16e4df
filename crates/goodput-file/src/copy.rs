//! Copies a large file once between a local disk or memory and the target. The window begins with the first
//! operation and ends with the work: the last write accepted, or the flush. Open and close are outside.
//! Several blocks are in flight at both ends, so disk and target overlap. Counts are the target's. Latencies
//! are kept only for copies with memory: otherwise completions are seen only when the other disk allows.

mod endpoint;
mod flow;
#[cfg(test)]
mod tests;
mod timed_io_queue;

pub(crate) use endpoint::LocalWorkspace;

use crate::data::{DataGenerator, ExpectedGenerationNumber};
use crate::disk_meter::DiskAndRequestMeter;
use crate::interval_bytes::{IntervalByteCounter, MeasurementWindowBounds};
use crate::job::{FileJob, FileJobSpec, JobObserver, JobResult};
use crate::supervise::{
    WorkerOperationCounters, WorkerSupervisor, supervise_measurement_window, wait_for_measurement_start,
};
use crate::verify::{
    BlockSamples, ContentComparison, ExpectedContent, add_verification_counts, compare_file,
};
use crate::work::{
    check_block_size, copy_file_path, location_generates_read_data, new_generation_number, test_file_path,
};
use crate::{ErrorText, FileError, FileErrorKind, RelPath, cache, classes, clock, histogram};
use endpoint::CopyEndpoint;
use flow::{TransferParameters, TransferTotals};
use goodput_model::Nanos;
use goodput_model::file::{
    CacheMode, CacheResidency, File, FileDirection, FileLocation, FileOpClass, FileReport, FileWorkload,
    FlushMode, MAX_SAMPLED_BLOCKS, VerificationCounts, VerifyMode,
};
use goodput_words::message;
use timed_io_queue::TimedIoQueue;

const MAX_DEPTH: u16 = 1024;
const MAX_MEMORY: u64 = 4 << 30;

pub(crate) struct CopyPlan {
    pub way: FileDirection,
    pub size: u64,
    /// What the target has to have room for.
    pub stored: u64,
    pub block: usize,
    pub depth: usize,
    pub target: RelPath,
    pub keeps: bool,
    pub access: CacheMode,
    pub flush: FlushMode,
    pub verify: VerifyMode,
    /// The place stores nothing, so there is no content to verify.
    pub made_up: bool,
    /// The place is a folder of this host, with a local device.
    pub on_disk: bool,
}

pub(crate) struct CopyJob {
    plan: CopyPlan,
    interval: u64,
    seed: u64,
    place: CopyEndpoint,
    local: Option<(CopyEndpoint, LocalWorkspace)>,
    data: DataGenerator,
    generation: u32,
    stamping_ns: f64,
    cache: CacheResidency,
    notes: Vec<String>,
    /// Blocks to verify at the end.
    arrived: Option<BlockSamples>,
}

pub(crate) fn create_copy_job(order: FileJobSpec<'_>) -> Result<Box<dyn FileJob>, FileError> {
    let settings = order.settings;
    let FileWorkload::Copy { way, size, block, depth, local } = &settings.work else {
        return Err(failure(FileErrorKind::Other, "these are not the settings of a copy"));
    };
    check_block_size(*block).map_err(|why| failure(FileErrorKind::NotSupported, why))?;
    if size.0 == 0 || *depth == 0 || *depth > MAX_DEPTH || u64::from(*depth) * block.0 > MAX_MEMORY {
        let why = message!(cause_place_copy_limits { depth: MAX_DEPTH.to_string() });
        return Err(failure(FileErrorKind::NotSupported, why));
    }
    let plan = CopyPlan {
        way: *way,
        size: size.0,
        stored: match way {
            FileDirection::Write => stored_bytes(settings, size.0),
            FileDirection::Read => size.0,
        },
        block: block.0 as usize,
        depth: usize::from(*depth),
        target: copy_file_path(order.client)?,
        keeps: false,
        access: settings.access,
        flush: settings.flush,
        verify: settings.verify,
        made_up: location_generates_read_data(&settings.place),
        on_disk: matches!(settings.place, FileLocation::Folder { .. }),
    };
    let local = local.as_ref().map(|folder| LocalWorkspace::open_or_create(folder, &settings.workspace));
    let local = local.transpose()?;
    Ok(Box::new(CopyJob::from_plan(order, plan, local)?))
}

fn failure(trouble: FileErrorKind, why: impl Into<ErrorText>) -> FileError {
    FileError::with_reason(message!(part_attempt_copy), trouble, why)
}

/// At the place of a file of this size.
fn stored_bytes(settings: &File, size: u64) -> u64 {
    size.saturating_mul(settings.storage_passes.into())
}

impl CopyJob {
    pub fn from_plan(
        order: FileJobSpec<'_>,
        plan: CopyPlan,
        local: Option<LocalWorkspace>,
    ) -> Result<CopyJob, FileError> {
        let FileJobSpec { settings, client, share, .. } = order;
        let data = DataGenerator::new(&settings.workspace);
        let mut notes = Vec::new();
        let mut opened = None;
        let place = match (plan.way, local) {
            (FileDirection::Write, local) => {
                if let Some(mut local) = local {
                    local.ensure_test_file(settings, client, plan.size)?;
                    let (share, path) = (local.duplicate_share()?, test_file_path(client)?);
                    let source = CopyEndpoint::open_source(share, path, &plan, &data)?;
                    opened = Some((source, local));
                }
                CopyEndpoint::create_target(share, &plan, !plan.made_up, &data)?
            }
            (FileDirection::Read, local) => {
                if let Some(local) = local {
                    let target = CopyEndpoint::create_target(local.duplicate_share()?, &plan, true, &data)?;
                    opened = Some((target, local));
                }
                CopyEndpoint::open_source(share, test_file_path(client)?, &plan, &data)?
            }
        };
        let mut copy = CopyJob {
            interval: settings.interval.0,
            seed: settings.seed,
            place,
            local: opened,
            data,
            generation: new_generation_number(),
            stamping_ns: 0.0,
            cache: CacheResidency::default(),
            notes: Vec::new(),
            arrived: None,
            plan,
        };
        copy.cool(&mut notes);
        if let Some((_, local)) = copy.local.as_mut() {
            notes.append(&mut local.notes);
        } else if let (FileDirection::Write, Some(side)) = (copy.plan.way, copy.place.side.as_mut()) {
            copy.stamping_ns =
                copy.data.measure_stamp_cost_ns(side.lane.as_mut(), copy.plan.block, copy.plan.depth);
        }
        copy.notes = notes;
        Ok(copy)
    }

    pub fn for_test_file_creation(order: FileJobSpec<'_>, size: u64) -> Result<CopyJob, FileError> {
        let plan = CopyPlan {
            way: FileDirection::Write,
            size,
            stored: stored_bytes(order.settings, size),
            block: 1 << 20,
            depth: 4,
            target: test_file_path(order.client)?,
            keeps: true,
            // Keeps the file out of the page cache, because it may be read cold.
            access: CacheMode::Direct,
            flush: FlushMode::End,
            verify: VerifyMode::Off,
            made_up: false,
            on_disk: matches!(order.settings.place, FileLocation::Folder { .. }),
        };
        CopyJob::from_plan(order, plan, None)
    }

    /// Drops the page cache of the source file and inspects it.
    fn cool(&mut self, notes: &mut Vec<String>) {
        let read = match (self.plan.way, &self.local) {
            (FileDirection::Read, _) => Some((&self.place, "the file at the place")),
            (FileDirection::Write, Some((end, _))) => Some((end, "the local file")),
            (FileDirection::Write, None) => None,
        };
        if let Some((end, name)) = read
            && let Some(handle) = end.handle
        {
            self.cache = cache::drop_file_cache(end.share.as_ref(), handle, self.plan.access, name, notes);
        }
    }

    fn book(&self, span: MeasurementWindowBounds, tally: histogram::LatencyRecorder) -> TransferTotals {
        let keeps = self.plan.way == FileDirection::Read
            && self.local.is_none()
            && !self.plan.made_up
            && self.plan.verify != VerifyMode::Off;
        TransferTotals {
            ledger: IntervalByteCounter::new(span, self.interval),
            tally,
            kept: BlockSamples::new(if keeps { MAX_SAMPLED_BLOCKS } else { 0 }),
            blocks: 0,
            done: 0,
            accepted_at: None,
            durable_at: None,
            flushes: 0,
            cpu_ns: 0,
            ended_at: 0,
        }
    }
}

impl FileJob for CopyJob {
    fn run(&mut self, t0_ns: u64, t1_ns: Option<u64>, patience: Nanos, watch: &dyn JobObserver) -> JobResult {
        let place_side = self.place.side.take();
        let local_side = self.local.as_mut().and_then(|(end, _)| end.side.take());
        let Some(mut place_side) = place_side else {
            let again = failure(FileErrorKind::Other, "this copy has run already");
            return JobResult { t1_ns: t0_ns, broken: Some(again), ..JobResult::default() };
        };
        let mut local_side = local_side;
        let span = MeasurementWindowBounds { t0: t0_ns, t1: t1_ns };
        let (pool, counters) = (WorkerSupervisor::new(1), [WorkerOperationCounters::default()]);
        let (mut slots, tally) = histogram::latency_recorder_pair(
            span,
            &[classes::op_class_of_direction(self.plan.way), FileOpClass::Flush],
            histogram::FINE_SIGNIFICANT_DIGITS,
            4,
        );
        let mut totals = self.book(span, tally);
        let disk = |end: &CopyEndpoint| end.share.location_facts().device;
        let disks = [
            self.plan.on_disk.then(|| disk(&self.place)).flatten(),
            self.local.as_ref().and_then(|(end, _)| disk(end)),
        ];
        let share = self.place.share.as_ref();
        let mut edges = DiskAndRequestMeter::new(disks);
        let target =
            if self.place.writes { Some(&self.place) } else { self.local.as_ref().map(|(end, _)| end) };
        let transfer = TransferParameters {
            way: self.plan.way,
            size: self.plan.size,
            block: self.plan.block,
            depth: self.plan.depth,
            flush: self.plan.flush,
            patience,
            begin_until: span.end_or_u64_max(),
            target: target.and_then(|end| Some((end.share.as_ref(), end.handle?))),
            data: &self.data,
            generation: self.generation,
            pool: &pool,
            counter: &counters[0],
        };
        let (mut t1_ns, mut result) = (t0_ns, None);
        std::thread::scope(|scope| {
            let (place_side, local_side, totals) = (&mut place_side, &mut local_side, &mut totals);
            let transfer = &transfer;
            let working = scope.spawn(move || {
                let membership = transfer.pool.register_worker();
                let result = match wait_for_measurement_start(span.t0, transfer.pool) {
                    true => go(transfer, place_side, local_side.as_mut(), totals),
                    false => Ok(()),
                };
                let ended = if totals.ended_at == 0 { clock::now_ns() } else { totals.ended_at };
                membership.unregister(ended, result.is_ok());
                result
            });
            t1_ns =
                supervise_measurement_window(span, &pool, &counters, Some(self.plan.size), watch, |moment| {
                    slots.collect_full_histograms();
                    edges.take_reading(share, moment);
                });
            result = working.join().ok();
        });
        let mut ran = JobResult { t1_ns, notes: std::mem::take(&mut self.notes), ..JobResult::default() };
        ran.broken = match result {
            Some(result) => result.err(),
            None => Some(failure(FileErrorKind::Other, "the working thread panicked")),
        };
        ran.report.facts = share.location_facts();
        ran.report.cache = self.cache.clone();
        [ran.report.place_disk, ran.report.local_disk] = edges.disk_counters();
        ran.report.place_wait_ns = Some(place_side.spent_ns);
        ran.report.local_wait_ns = local_side.as_ref().map(|side| side.spent_ns);
        drop((place_side, local_side));
        self.assemble(&mut ran, totals, slots, span);
        ran.report.requests_per_operation = edges.requests_per_operation(ran.operations);
        ran
    }

    fn finish(&mut self, report: &mut FileReport) -> Result<(), FileError> {
        let mut outcome = self.place.close();
        if let Some((end, _)) = self.local.as_mut() {
            outcome = outcome.and(end.close());
        }
        if let Some(kept) = self.arrived.take()
            && outcome.is_ok()
        {
            match self.compare(&kept) {
                Ok(verified) => report.verified = verified,
                Err(e) => outcome = Err(e),
            }
        }
        let ends = [Some(&self.place), self.local.as_ref().map(|(end, _)| end)];
        for end in ends.into_iter().flatten().filter(|end| end.writes && !self.plan.keeps) {
            outcome = outcome.and(end.remove_file());
        }
        self.local = None;
        outcome
    }
}

fn go(
    transfer: &TransferParameters<'_>,
    place: &mut TimedIoQueue,
    local: Option<&mut TimedIoQueue>,
    totals: &mut TransferTotals,
) -> Result<(), FileError> {
    let cpu = clock::thread_cpu_ns();
    let ended = match (local, transfer.way) {
        (None, _) => flow::transfer_to_or_from_memory(transfer, place, totals),
        (Some(local), FileDirection::Write) => flow::copy_between_queues(transfer, local, place, totals),
        (Some(local), FileDirection::Read) => flow::copy_between_queues(transfer, place, local, totals),
    };
    totals.cpu_ns = clock::thread_cpu_ns() - cpu;
    totals.ended_at = clock::now_ns();
    ended
}

impl CopyJob {
    fn assemble(
        &mut self,
        ran: &mut JobResult,
        totals: TransferTotals,
        slots: histogram::HistogramCollector,
        span: MeasurementWindowBounds,
    ) {
        let account = totals.ledger.finish(ran.t1_ns);
        ran.operations = account.operations;
        ran.threads_ns = totals.cpu_ns;
        let report = &mut ran.report;
        match self.plan.way {
            FileDirection::Write => report.bytes_written = account.bytes,
            FileDirection::Read => report.bytes_read = account.bytes,
        }
        let since = |at: Option<u64>| at.map(|at| at.saturating_sub(span.t0));
        if totals.accepted_at.is_some() {
            report.accepted_ns = since(totals.accepted_at);
            report.durable_ns = since(totals.durable_at);
        }
        ran.record_stamping_time(self.stamping_ns * account.operations as f64, span.t0);
        let whole = totals.done >= self.plan.size && ran.broken.is_none();
        ran.series.push(account.interval_series(0));
        ran.series.extend(histogram::latency_series([(slots, totals.tally.finish())]));
        classes::record_op_class_counts(ran, classes::op_class_of_direction(self.plan.way), totals.flushes);
        self.arrived = whole.then_some(totals.kept);
    }

    /// Verifies the written file; in memory the kept blocks, with [`Verify::Full`] the whole file again.
    fn compare(&self, kept: &BlockSamples) -> Result<Option<VerificationCounts>, FileError> {
        let written = match (self.plan.way, &self.local) {
            (FileDirection::Write, None) => ExpectedGenerationNumber::Exactly(self.generation),
            // The source file may be of any generation.
            _ => ExpectedGenerationNumber::Any,
        };
        let comparison = ContentComparison {
            data: &self.data,
            size: self.plan.size,
            verify: self.plan.verify,
            seed: self.seed,
            expected: ExpectedContent::Everywhere(written),
        };
        let end = match (self.plan.way, &self.local) {
            _ if self.plan.made_up => return Ok(None),
            (FileDirection::Read, Some((end, _))) => end,
            (FileDirection::Write, _) => &self.place,
            (FileDirection::Read, None) if self.plan.verify == VerifyMode::Full => &self.place,
            (FileDirection::Read, None) => {
                return Ok(Some(kept.compare_samples(&self.data)).filter(|v| v.bytes > 0));
            }
        };
        let direct = self.plan.access == CacheMode::Direct;
        let again = compare_file(end.share.as_ref(), &end.path, direct, &comparison)?;
        Ok(add_verification_counts(Some(kept.compare_samples(&self.data)).filter(|v| v.bytes > 0), again))
    }
}
