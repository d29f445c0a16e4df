//! Replays a file server's load: each player is a thread with its own connection and folder.
//!
//! * Operations run on a [`Share`] ([`share_backend`]), or on a [`TbenchTransport`] that carries only their bytes
//!   ([`net`]).
//! * Player *n* (from 1 over all clients) works in `clients/clientn`, which is removed after each pass.
//! * Expected failures are compared ([`judge`]). Unexpected results are counted; beyond the budget the mix
//!   ends.
//! * Bytes count as moved (dbench: as requested), in the window by completion time.
//! * Latency is the time of the call, or starts at the due time of the load file.
//! * Lines with a time wait for it; with a rate, each player's payload is limited instead ([`pace`]).
//! * Caches are used, as by applications.

mod backend;
mod check;
mod expected_result;
mod load_paths;
pub mod office_profile;
mod pace;
mod player;
mod share_backend;
mod sync_points;
pub mod tbench_backend;
#[cfg(test)]
mod tests;
mod tree;

pub use tbench_backend::{TbenchTransport, tbench_message_sizes};

use crate::data::DataGenerator;
use crate::histogram::{self, COARSE_SIGNIFICANT_DIGITS};
use crate::interval_bytes::{IntervalByteCounter, MeasurementWindowBounds};
use crate::job::{FileJob, FileJobSpec, JobObserver, JobResult};
use crate::supervise::{
    MeasurementWindowEvent, WorkerOperationCounters, WorkerSupervisor, supervise_measurement_window,
};
use crate::work::check_free_space_on_share;
use crate::{FileError, FileErrorKind, FileOpenOptions, RelPath, Share};
use backend::MixBackend;
use goodput_model::file::{
    CacheResidency, CreateDisposition, DbenchLoadFile, File, FileLocationFacts, FileOpClass,
    FileOpClassCounts, FileOperationMixSource, FileReport, FileWorkload, FlushMode,
};
use goodput_model::{BitRate, Nanos};
use goodput_words::message;
use load_paths::LoadFilePaths;
use player::{SimulatedClientResult, SimulatedClientSettings, run_simulated_client};
use share_backend::ShareBackend;
use std::sync::Arc;
use sync_points::SyncPoints;

const WORDS: usize = 10;
const SPARES: usize = 2;

pub(crate) fn create_mix_job(order: FileJobSpec<'_>) -> Result<Box<dyn FileJob>, FileError> {
    let mix = MixSettings::of(order.settings, order.client, order.load)?;
    let needs = check::validate_load_file(&mix.load)?;
    check::check_memory_limit(needs, mix.players)?;
    check_free_space_on_share(
        &*order.share,
        check::required_disk_bytes(&mix.load).saturating_mul(mix.players as u64),
    )?;
    let data = DataGenerator::new(&order.settings.workspace);
    let facts = order.share.location_facts();
    let flush_each = order.settings.flush == FlushMode::Each;
    let mut backends = Vec::with_capacity(mix.players);
    for index in 0..mix.players {
        let number = mix.first + index;
        let paths = LoadFilePaths::for_simulated_client(&mix.load, number + 1)?;
        let share = order.share.open_another_connection()?;
        paths.above.iter().try_for_each(|folder| make_shared(&*share, folder))?;
        let mut outgoing = vec![0; needs.write_buffer_bytes()].into_boxed_slice();
        data.fill_buffer(&mut outgoing, number.wrapping_mul(97));
        backends.push(ShareBackend::new(share, paths, needs, outgoing, flush_each));
    }
    Ok(Box::new(Mix { mix, facts, cache: "the client's caches take part".into(), backends }))
}

/// A mix on wires, one per player (`AgentSink::Net`). Without `load` it uses the built-in profile.
pub fn create_tbench_job(
    settings: &File,
    client: u16,
    load: Option<Arc<DbenchLoadFile>>,
    wires: Vec<Box<dyn TbenchTransport>>,
) -> Result<Box<dyn FileJob>, FileError> {
    let mix = MixSettings::of(settings, client, load)?;
    check::validate_load_file(&mix.load)?;
    if wires.len() != mix.players {
        let (connections, clients) = (wires.len().to_string(), mix.players.to_string());
        let why = message!(cause_place_mix_connections { connections, clients });
        return Err(FileError::with_reason("run the mix", FileErrorKind::Other, why));
    }
    let backend = |(index, wire): (usize, Box<dyn TbenchTransport>)| {
        tbench_backend::TbenchBackend::new(wire, &mix.load, mix.first + index + 1)
    };
    let backends = wires.into_iter().enumerate().map(backend).collect();
    let facts = FileLocationFacts { engine: "net".into(), ..FileLocationFacts::default() };
    Ok(Box::new(Mix { mix, facts, cache: String::new(), backends }))
}

struct MixSettings {
    load: Arc<DbenchLoadFile>,
    players: usize,
    first: usize,
    max_errors: u32,
    rate: Option<BitRate>,
    interval: u64,
}

impl MixSettings {
    fn of(
        settings: &File,
        client: u16,
        given: Option<Arc<DbenchLoadFile>>,
    ) -> Result<MixSettings, FileError> {
        let refuse = |why: &str| Err(FileError::with_reason("play a mix", FileErrorKind::NotSupported, why));
        let FileWorkload::Mix { load, players, max_errors, rate, .. } = &settings.work else {
            return refuse("another work was ordered");
        };
        let load = match (load, given) {
            (_, Some(load)) => load,
            (FileOperationMixSource::Office { seed }, None) => {
                Arc::new(office_profile::generate_office_load(*seed))
            }
            (FileOperationMixSource::LoadFile { .. }, None) => {
                return refuse("the load file was not handed over");
            }
        };
        let players = usize::from((*players).max(1));
        Ok(MixSettings {
            load,
            players,
            first: usize::from(client) * players,
            max_errors: *max_errors,
            rate: *rate,
            interval: settings.interval.0,
        })
    }
}

fn make_shared(share: &dyn Share, folder: &RelPath) -> Result<(), FileError> {
    let disposition = CreateDisposition::OpenIf;
    let how = FileOpenOptions { disposition, folder: true, file: false, ..FileOpenOptions::NEW_FILE };
    share.open(folder, how).and_then(|handle| share.close(handle))
}

struct Mix<S> {
    mix: MixSettings,
    facts: FileLocationFacts,
    cache: String,
    backends: Vec<S>,
}

impl<S: MixBackend> FileJob for Mix<S> {
    fn run(&mut self, t0_ns: u64, t1_ns: Option<u64>, patience: Nanos, watch: &dyn JobObserver) -> JobResult {
        let span = MeasurementWindowBounds { t0: t0_ns, t1: t1_ns };
        let mix = &self.mix;
        let (pool, points) = (WorkerSupervisor::new(self.backends.len()), SyncPoints::default());
        let counters: Vec<WorkerOperationCounters> =
            self.backends.iter().map(|_| WorkerOperationCounters::default()).collect();
        let classes = occurring(&mix.load);
        let (mut slots, tallies): (Vec<_>, Vec<_>) = self
            .backends
            .iter()
            .map(|_| histogram::latency_recorder_pair(span, &classes, COARSE_SIGNIFICANT_DIGITS, SPARES))
            .unzip();
        let players = self.backends.len() as u32;
        let mut failed = None;
        let (t1, played) = std::thread::scope(|scope| {
            let mut threads = Vec::with_capacity(self.backends.len());
            let work = self.backends.iter_mut().zip(tallies).zip(&counters).zip(0u32..);
            for (((backend, tally), counter), index) in work {
                let order = SimulatedClientSettings {
                    load: &mix.load,
                    index,
                    number: mix.first + index as usize,
                    players,
                    span,
                    patience,
                    max_errors: mix.max_errors,
                    rate: mix.rate,
                    pool: &pool,
                    points: &points,
                    counter,
                    tally,
                    ledger: IntervalByteCounter::new(span, mix.interval),
                };
                let name = format!("player {}", order.number + 1);
                match std::thread::Builder::new()
                    .name(name)
                    .spawn_scoped(scope, move || run_simulated_client(backend, order))
                {
                    Ok(thread) => threads.push(thread),
                    Err(e) => {
                        // A slot left without a result ends the job.
                        drop(pool.register_worker());
                        failed.get_or_insert(FileError::from_io_error(
                            "start a thread for each simulated client",
                            e,
                        ));
                    }
                }
            }
            let t1 = supervise_measurement_window(span, &pool, &counters, None, watch, |moment| {
                if moment == MeasurementWindowEvent::Tick {
                    slots.iter_mut().for_each(histogram::HistogramCollector::collect_full_histograms);
                }
            });
            (t1, threads.into_iter().map(|thread| thread.join().ok()).collect::<Vec<_>>())
        });
        let mut ran = self.assemble(t1, played, slots);
        ran.broken = failed.or(ran.broken);
        ran
    }

    fn finish(&mut self, _report: &mut FileReport) -> Result<(), FileError> {
        std::thread::scope(|scope| {
            let threads: Vec<_> =
                self.backends.iter_mut().map(|backend| scope.spawn(|| backend.remove_files())).collect();
            let panicked = || FileError::with_reason("clear up", FileErrorKind::Other, "a thread broke off");
            threads.into_iter().try_for_each(|thread| thread.join().unwrap_or_else(|_| Err(panicked())))
        })
    }
}

impl<S: MixBackend> Mix<S> {
    fn assemble(
        &self,
        t1: u64,
        played: Vec<Option<SimulatedClientResult>>,
        slots: Vec<histogram::HistogramCollector>,
    ) -> JobResult {
        let mut ran = JobResult { t1_ns: t1, ..JobResult::default() };
        let mut classes: Vec<FileOpClassCounts> = Vec::new();
        let mut surprises = Vec::new();
        let (mut requests, mut early, mut clearing) = (Some(0u64), (0, None), 0u64);
        let mut tallied = Vec::new();
        for ((index, played), slots) in played.into_iter().enumerate().zip(slots) {
            let Some(p) = played else {
                let why = "its thread broke off";
                ran.broken.get_or_insert(FileError::with_reason(
                    "go on with the mix",
                    FileErrorKind::Other,
                    why,
                ));
                continue;
            };
            let account = p.ledger.finish(t1);
            ran.operations += account.operations;
            ran.series.push(account.interval_series(index));
            ran.threads_ns += p.threads_ns;
            ran.broken = ran.broken.or(p.broken);
            tallied.push((slots, p.last));
            surprises.extend(p.surprises);
            requests = requests.zip(p.requests).map(|(sum, more)| sum + more);
            early = (early.0 + p.early, early.1.or(p.first_early));
            clearing += p.clearing_ns;
            match classes.is_empty() {
                true => classes = p.classes,
                false => classes.iter_mut().zip(&p.classes).for_each(|(sum, one)| add(sum, one)),
            }
        }
        ran.series.extend(histogram::latency_series(tallied));
        let bytes = |wanted| classes.iter().find(|c| c.class == wanted).map_or(0, |c| c.bytes);
        surprises.truncate(WORDS);
        ran.report = FileReport {
            facts: self.facts.clone(),
            bytes_read: bytes(FileOpClass::Read),
            bytes_written: bytes(FileOpClass::Write),
            classes: classes.into_iter().filter(|class| class.count > 0).collect(),
            surprises,
            requests_per_operation: requests
                .filter(|_| ran.operations > 0)
                .map(|requests| requests as f64 / ran.operations as f64),
            cache: CacheResidency { how: self.cache.clone(), ..CacheResidency::default() },
            ..FileReport::default()
        };
        ran.notes = self.notes(early, clearing);
        ran
    }

    fn notes(&self, early: (u64, Option<String>), clearing_ns: u64) -> Vec<String> {
        let mut notes = Vec::new();
        if let (count @ 1.., Some(first)) = early {
            notes.push(format!(
                "{count} operations ended otherwise than the load says before the window began, the first: {first}"
            ));
        }
        let each_ms = clearing_ns / self.backends.len().max(1) as u64 / 1_000_000;
        if each_ms > 0 {
            notes.push(format!(
                "emptying the folders between passes took each simulated client {each_ms} ms of the window"
            ));
        }
        notes
    }
}

fn add(sum: &mut FileOpClassCounts, one: &FileOpClassCounts) {
    sum.count += one.count;
    sum.failed_as_expected += one.failed_as_expected;
    sum.unexpected += one.unexpected;
    sum.bytes += one.bytes;
}

fn occurring(load: &DbenchLoadFile) -> Vec<FileOpClass> {
    let mut found = [false; FileOpClass::ALL.len()];
    load.ops.iter().filter_map(|timed| timed.op.class()).for_each(|class| found[class as usize] = true);
    FileOpClass::ALL.into_iter().filter(|class| found[*class as usize]).collect()
}
