//! A row of a drive benchmark: threads keep a queue of reads or writes on the prepared file for a fixed time.
//! Threads start before the window, so the queue is full at both edges; completions in the window count. With
//! [`FlushMode::Within`] the row starts with the window and counts everything. Latency is from submission to
//! completion as the thread sees it.

mod offsets;
#[cfg(test)]
mod tests;
mod worker;

use crate::data::DataGenerator;
use crate::disk_meter::DiskAndRequestMeter;
use crate::histogram;
use crate::interval_bytes::MeasurementWindowBounds;
use crate::job::{FileJob, FileJobSpec, JobObserver, JobResult};
use crate::supervise::{WorkerOperationCounters, WorkerSupervisor, supervise_measurement_window};
use crate::verify::{
    BitSet, BlockSamples, ContentComparison, ExpectedContent, add_verification_counts, compare_file,
};
use crate::work::{
    check_block_size, local_block_device, location_generates_read_data, new_generation_number, test_file_path,
};
use crate::{FileError, FileErrorKind, FileHandle, FileOpenOptions, RelPath, Share, cache, classes};
use goodput_model::Nanos;
use goodput_model::file::{
    CacheMode, CacheResidency, File, FileAccessPattern, FileDirection, FileOpClass, FileReport, FileWorkload,
    FlushMode, MAX_SAMPLED_BLOCKS, VerificationCounts, VerifyMode,
};
use goodput_words::{Message, message};
use offsets::OffsetGenerator;
use std::sync::atomic::AtomicU64;
use worker::{BenchmarkWorker, WorkerResult};

const MAX_THREADS: u16 = 256;
const MAX_QUEUE: u16 = 4096;
const MAX_MEMORY: u64 = 4 << 30;

#[derive(Debug, Clone, Copy)]
struct Shape {
    way: FileDirection,
    pattern: FileAccessPattern,
    block: usize,
    queue: usize,
    threads: usize,
    size: u64,
    time: Nanos,
}

impl Shape {
    fn blocks(&self) -> u64 {
        self.size / self.block as u64
    }
}

struct Row {
    settings: File,
    shape: Shape,
    client: u16,
    share: Box<dyn Share>,
    path: RelPath,
    data: DataGenerator,
    generation: u32,
    workers: Vec<BenchmarkWorker>,
    handles: Vec<FileHandle>,
    cache: CacheResidency,
    notes: Vec<String>,
    stamping_ns: f64,
    left: Option<RowResults>,
}

struct RowResults {
    kept: Vec<BlockSamples>,
    written: Option<BitSet>,
}

pub(crate) fn create_benchmark_job(order: FileJobSpec<'_>) -> Result<Box<dyn FileJob>, FileError> {
    let FileJobSpec { settings, client, share, .. } = order;
    let shape = shape(settings)?;
    let path = test_file_path(client)?;
    let length = share.query_path_status(&path)?.length;
    if length < shape.size {
        let (length, needed) = (length.to_string(), shape.size.to_string());
        let why = message!(cause_place_test_file_short { length, needed });
        return Err(FileError::with_reason("run the row", FileErrorKind::EndOfFile, why));
    }
    let data = DataGenerator::new(&settings.workspace);
    let how = FileOpenOptions {
        read_only: shape.way == FileDirection::Read,
        direct: settings.access == CacheMode::Direct,
        ..FileOpenOptions::EXISTING_FILE
    };
    let mut row = Row {
        settings: settings.clone(),
        shape,
        client,
        path,
        data,
        generation: new_generation_number(),
        workers: Vec::new(),
        handles: Vec::new(),
        cache: CacheResidency::default(),
        notes: Vec::new(),
        stamping_ns: 0.0,
        left: None,
        share,
    };
    for _ in 0..shape.threads {
        let handle = row.share.open(&row.path, how)?;
        row.handles.push(handle);
        let mut lane = row.share.open_io_queue(handle, shape.block, shape.queue)?;
        // Faults in every page before the window, for reads too.
        row.data.fill_queue_buffers(lane.as_mut(), shape.block, shape.queue);
        if shape.way == FileDirection::Write && row.workers.is_empty() {
            row.stamping_ns = row.data.measure_stamp_cost_ns(lane.as_mut(), shape.block, shape.queue);
        }
        row.workers.push(BenchmarkWorker::new(shape, lane, handle));
    }
    let (way, access) = (shape.way, settings.access);
    if let (FileDirection::Read, Some(handle)) = (way, row.handles.first()) {
        row.cache =
            cache::drop_file_cache(row.share.as_ref(), *handle, access, "the test file", &mut row.notes);
    }
    Ok(Box::new(row))
}

fn shape(settings: &File) -> Result<Shape, FileError> {
    let FileWorkload::Row { way, pattern, block, queue, threads, size, time, .. } = &settings.work else {
        return Err(FileError::with_reason(
            "run the row",
            FileErrorKind::Other,
            "these are not the settings of a row",
        ));
    };
    let refuse = |why: Message| Err(FileError::with_reason("run the row", FileErrorKind::NotSupported, why));
    if let Err(why) = check_block_size(*block) {
        return refuse(why);
    }
    if *queue == 0 || *queue > MAX_QUEUE || *threads == 0 || *threads > MAX_THREADS {
        let (queue, threads) = (MAX_QUEUE.to_string(), MAX_THREADS.to_string());
        return refuse(message!(cause_place_row_limits { queue, threads }));
    }
    if u64::from(*queue) * u64::from(*threads) * block.0 > MAX_MEMORY {
        return refuse("its buffers would take more than 4 GiB".into());
    }
    if size.0 < block.0 || time.0 == 0 {
        return refuse("the file must hold a block or more, and the time must not be 0".into());
    }
    Ok(Shape {
        way: *way,
        pattern: *pattern,
        block: block.0 as usize,
        queue: usize::from(*queue),
        threads: usize::from(*threads),
        size: size.0,
        time: *time,
    })
}

impl FileJob for Row {
    fn run(&mut self, t0_ns: u64, t1_ns: Option<u64>, patience: Nanos, watch: &dyn JobObserver) -> JobResult {
        let t1 = t1_ns.unwrap_or(t0_ns.saturating_add(self.shape.time.0));
        let within = self.settings.flush == FlushMode::Within && self.shape.way == FileDirection::Write;
        // With a flush the window ends with the work; nothing begins after `t1`.
        let span = MeasurementWindowBounds { t0: t0_ns, t1: (!within).then_some(t1) };
        let order = worker::WorkerSettings { span, begin_until: t1, flush: self.settings.flush, patience };
        let threads = self.workers.len();
        let (pool, next) = (WorkerSupervisor::new(threads), AtomicU64::new(0));
        let counters: Vec<WorkerOperationCounters> =
            (0..threads).map(|_| WorkerOperationCounters::default()).collect();
        let classes = [classes::op_class_of_direction(self.shape.way), FileOpClass::Flush];
        let spares = if threads <= 8 { 4 } else { 2 };
        let (mut slots, tallies): (Vec<_>, Vec<_>) = (0..threads)
            .map(|_| {
                histogram::latency_recorder_pair(span, &classes, histogram::FINE_SIGNIFICANT_DIGITS, spares)
            })
            .unzip();
        let share = self.share.as_ref();
        let mut edges = DiskAndRequestMeter::new([local_block_device(&self.settings.place, share)]);
        let (mut outcomes, mut t1_ns) = (Vec::new(), t1);
        let workers = std::mem::take(&mut self.workers);
        std::thread::scope(|scope| {
            let work = workers.into_iter().zip(tallies).zip(&counters).enumerate();
            let running: Vec<_> = work
                .map(|(thread, ((worker, tally), counter))| {
                    let offsets =
                        OffsetGenerator::new(&self.shape, &next, self.settings.seed, self.client, thread);
                    let kept = self.kept(threads);
                    let (data, generation, pool) = (&self.data, self.generation, &pool);
                    let tools = worker::WorkerContext { share, data, generation, pool, counter };
                    let interval = self.settings.interval.0;
                    scope.spawn(move || worker.run(order, tools, offsets, tally, kept, interval))
                })
                .collect();
            t1_ns = supervise_measurement_window(span, &pool, &counters, None, watch, |moment| {
                slots.iter_mut().for_each(histogram::HistogramCollector::collect_full_histograms);
                edges.take_reading(share, moment);
            });
            outcomes = running.into_iter().map(|thread| thread.join().ok()).collect();
        });
        let mut ran = JobResult { t1_ns, notes: std::mem::take(&mut self.notes), ..JobResult::default() };
        ran.report.facts = share.location_facts();
        ran.report.cache = self.cache.clone();
        [ran.report.place_disk] = edges.disk_counters();
        self.assemble(&mut ran, outcomes, slots, span);
        ran.report.requests_per_operation = edges.requests_per_operation(ran.operations);
        ran
    }

    fn finish(&mut self, report: &mut FileReport) -> Result<(), FileError> {
        self.workers.clear();
        let mut closed = Ok(());
        for handle in std::mem::take(&mut self.handles) {
            closed = closed.and(self.share.close(handle));
        }
        closed?;
        if let Some(left) = self.left.take()
            && self.settings.verify != VerifyMode::Off
            && !location_generates_read_data(&self.settings.place)
        {
            report.verified = self.compare(&left)?;
        }
        Ok(())
    }
}

impl Row {
    fn kept(&self, threads: usize) -> BlockSamples {
        let wanted = self.shape.way == FileDirection::Read && self.settings.verify != VerifyMode::Off;
        BlockSamples::new(if wanted { (MAX_SAMPLED_BLOCKS / threads).max(1) } else { 0 })
    }

    fn assemble(
        &mut self,
        ran: &mut JobResult,
        outcomes: Vec<Option<WorkerResult>>,
        slots: Vec<histogram::HistogramCollector>,
        span: MeasurementWindowBounds,
    ) {
        let (t0, t1) = (span.t0, span.end_or_u64_max());
        let (mut kept, mut written, mut latencies) = (Vec::new(), None::<BitSet>, Vec::new());
        let (mut accepted, mut durable, mut flushes) = (0, Some(0), 0);
        for (thread, (outcome, slots)) in outcomes.into_iter().zip(slots).enumerate() {
            let Some(outcome) = outcome else {
                let why = "the working thread panicked";
                ran.broken = Some(FileError::with_reason("run the row", FileErrorKind::Other, why));
                durable = None;
                continue;
            };
            let WorkerResult { ledger, tally, cpu_ns, accepted_at, durable_at, ended_at, result, .. } =
                outcome;
            let account = ledger.finish(ran.t1_ns);
            ran.operations += account.operations;
            match self.shape.way {
                FileDirection::Read => ran.report.bytes_read += account.bytes,
                FileDirection::Write => ran.report.bytes_written += account.bytes,
            }
            ran.series.push(account.interval_series(thread));
            latencies.push((slots, tally.finish()));
            ran.threads_ns += cpu_ns;
            flushes += outcome.flushes;
            accepted = accepted.max(accepted_at.unwrap_or(0));
            durable = durable.zip(durable_at).map(|(all, one)| all.max(one));
            kept.push(outcome.kept);
            if let Some(bits) = outcome.written {
                written.get_or_insert_with(|| BitSet::new(self.shape.blocks())).union_with(&bits);
            }
            match result {
                Ok(()) => {}
                // After the window: its counts stay valid.
                Err(e) if ended_at >= t1 => ran.notes.push(format!("after the window: {e}: {}", e.source)),
                Err(e) => ran.broken = ran.broken.take().or(Some(e)),
            }
        }
        ran.series.extend(histogram::latency_series(latencies));
        classes::record_op_class_counts(ran, classes::op_class_of_direction(self.shape.way), flushes);
        if self.shape.way == FileDirection::Write && ran.broken.is_none() && accepted > 0 {
            ran.report.accepted_ns = Some(accepted.saturating_sub(t0));
            ran.report.durable_ns = durable.filter(|d| *d > 0).map(|d| d.saturating_sub(t0));
        }
        if self.shape.way == FileDirection::Write {
            ran.record_stamping_time(self.stamping_ns * ran.operations as f64, t0);
        }
        self.left = Some(RowResults { kept, written });
    }

    fn compare(&self, left: &RowResults) -> Result<Option<VerificationCounts>, FileError> {
        let kept = left.kept.iter().map(|kept| kept.compare_samples(&self.data)).filter(|v| v.bytes > 0);
        let kept = kept.fold(None, |sum, one| add_verification_counts(sum, Some(one)));
        let expected = match &left.written {
            Some(bits) => {
                ExpectedContent::Written { bits, block: self.shape.block as u64, generation: self.generation }
            }
            None if self.settings.verify == VerifyMode::Full => {
                ExpectedContent::Everywhere(crate::data::ExpectedGenerationNumber::Any)
            }
            None => return Ok(kept),
        };
        let comparison = ContentComparison {
            data: &self.data,
            size: self.shape.size,
            verify: self.settings.verify,
            seed: self.settings.seed,
            expected,
        };
        let direct = self.settings.access == CacheMode::Direct;
        Ok(add_verification_counts(kept, compare_file(self.share.as_ref(), &self.path, direct, &comparison)?))
    }
}
