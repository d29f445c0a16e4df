//! Replays a file server's load: each player is a thread with its own connection and folder.
//!
//! * Operations run on a [`Share`] ([`share_backend`]), or on a [`Wire`] that carries only their bytes
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
pub mod net;
pub mod office;
mod pace;
mod player;
mod share_backend;
mod sync_points;
#[cfg(test)]
mod tests;
mod tree;

pub use net::{Wire, wire_sizes};

use crate::data::Data;
use crate::histogram::{self, COARSE};
use crate::interval_bytes::{IntervalBytes, Span};
use crate::job::{Job, JobOrder, JobResult, Watch};
use crate::supervise::{Counter, WindowMoment, WorkerPool, supervise};
use crate::work::room;
use crate::{FileError, FileErrorKind, Open, RelPath, Share};
use backend::Backend;
use goodput_model::file::{
    CacheResidency, CreateDisposition, DbenchLoadFile, File, FileLocationFacts, FileMixSource, FileOpClass,
    FileOpClassCounts, FileReport, FileWork, FlushMode,
};
use goodput_model::{BitRate, Nanos};
use load_paths::LoadPaths;
use player::{PlayerOrder, PlayerResult, play};
use share_backend::ShareBackend;
use std::sync::Arc;
use sync_points::SyncPoints;

const WORDS: usize = 10;
const SPARES: usize = 2;

pub(crate) fn open(order: JobOrder<'_>) -> Result<Box<dyn Job>, FileError> {
    let mix = MixSettings::of(order.settings, order.client, order.load)?;
    let needs = check::check(&mix.load)?;
    check::memory(needs, mix.players)?;
    room(&*order.share, check::footprint(&mix.load).saturating_mul(mix.players as u64))?;
    let data = Data::new(&order.settings.workspace);
    let facts = order.share.facts();
    let flush_each = order.settings.flush == FlushMode::Each;
    let mut backends = Vec::with_capacity(mix.players);
    for index in 0..mix.players {
        let number = mix.first + index;
        let paths = LoadPaths::new(&mix.load, number + 1)?;
        let share = order.share.another()?;
        paths.above.iter().try_for_each(|folder| make_shared(&*share, folder))?;
        let mut outgoing = vec![0; needs.outgoing()].into_boxed_slice();
        data.fill(&mut outgoing, number.wrapping_mul(97));
        backends.push(ShareBackend::new(share, paths, needs, outgoing, flush_each));
    }
    Ok(Box::new(Mix { mix, facts, cache: "the client's caches take part".into(), backends }))
}

/// A mix on wires, one per player (`AgentSink::Net`). Without `load` it uses the built-in profile.
pub fn net_job(
    settings: &File,
    client: u16,
    load: Option<Arc<DbenchLoadFile>>,
    wires: Vec<Box<dyn Wire>>,
) -> Result<Box<dyn Job>, FileError> {
    let mix = MixSettings::of(settings, client, load)?;
    check::check(&mix.load)?;
    if wires.len() != mix.players {
        let why = format!("there are {} connections for {} simulated clients", wires.len(), mix.players);
        return Err(FileError::because("run the mix", FileErrorKind::Other, why));
    }
    let backend =
        |(index, wire): (usize, Box<dyn Wire>)| net::WireBackend::new(wire, &mix.load, mix.first + index + 1);
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
        let refuse = |why: &str| Err(FileError::because("play a mix", FileErrorKind::NotSupported, why));
        let FileWork::Mix { load, players, max_errors, rate, .. } = &settings.work else {
            return refuse("another work was ordered");
        };
        let load = match (load, given) {
            (_, Some(load)) => load,
            (FileMixSource::Office { seed }, None) => Arc::new(office::office(*seed)),
            (FileMixSource::LoadFile { .. }, None) => return refuse("the load file was not handed over"),
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
    let how = Open {
        disposition: CreateDisposition::OpenIf,
        folder: true,
        file: false,
        read_only: false,
        direct: false,
    };
    share.open(folder, how).and_then(|handle| share.close(handle))
}

struct Mix<S> {
    mix: MixSettings,
    facts: FileLocationFacts,
    cache: String,
    backends: Vec<S>,
}

impl<S: Backend> Job for Mix<S> {
    fn run(&mut self, t0_ns: u64, t1_ns: Option<u64>, patience: Nanos, watch: &dyn Watch) -> JobResult {
        let span = Span { t0: t0_ns, t1: t1_ns };
        let mix = &self.mix;
        let (pool, points) = (WorkerPool::new(self.backends.len()), SyncPoints::default());
        let counters: Vec<Counter> = self.backends.iter().map(|_| Counter::default()).collect();
        let classes = occurring(&mix.load);
        let (mut slots, tallies): (Vec<_>, Vec<_>) =
            self.backends.iter().map(|_| histogram::pair(span, &classes, COARSE, SPARES)).unzip();
        let players = self.backends.len() as u32;
        let mut failed = None;
        let (t1, played) = std::thread::scope(|scope| {
            let mut threads = Vec::with_capacity(self.backends.len());
            let work = self.backends.iter_mut().zip(tallies).zip(&counters).zip(0u32..);
            for (((backend, tally), counter), index) in work {
                let order = PlayerOrder {
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
                    ledger: IntervalBytes::new(span, mix.interval),
                };
                let name = format!("player {}", order.number + 1);
                match std::thread::Builder::new().name(name).spawn_scoped(scope, move || play(backend, order))
                {
                    Ok(thread) => threads.push(thread),
                    Err(e) => {
                        // A slot left without a result ends the job.
                        drop(pool.join());
                        failed
                            .get_or_insert(FileError::system("start a thread for each simulated client", e));
                    }
                }
            }
            let t1 = supervise(span, &pool, &counters, None, watch, |moment| {
                if moment == WindowMoment::Tick {
                    slots.iter_mut().for_each(histogram::Slots::collect);
                }
            });
            (t1, threads.into_iter().map(|thread| thread.join().ok()).collect::<Vec<_>>())
        });
        let mut ran = self.assemble(t1, played, slots);
        ran.broken = failed.or(ran.broken);
        ran
    }

    fn settle(&mut self, _report: &mut FileReport) -> Result<(), FileError> {
        std::thread::scope(|scope| {
            let threads: Vec<_> =
                self.backends.iter_mut().map(|backend| scope.spawn(|| backend.leave())).collect();
            let panicked = || FileError::because("clear up", FileErrorKind::Other, "a thread broke off");
            threads.into_iter().try_for_each(|thread| thread.join().unwrap_or_else(|_| Err(panicked())))
        })
    }
}

impl<S: Backend> Mix<S> {
    fn assemble(
        &self,
        t1: u64,
        played: Vec<Option<PlayerResult>>,
        slots: Vec<histogram::Slots>,
    ) -> JobResult {
        let mut ran = JobResult { t1_ns: t1, ..JobResult::default() };
        let mut classes: Vec<FileOpClassCounts> = Vec::new();
        let mut surprises = Vec::new();
        let (mut requests, mut early, mut clearing) = (Some(0u64), (0, None), 0u64);
        let mut tallied = Vec::new();
        for ((index, played), slots) in played.into_iter().enumerate().zip(slots) {
            let Some(p) = played else {
                let why = "its thread broke off";
                ran.broken.get_or_insert(FileError::because("go on with the mix", FileErrorKind::Other, why));
                continue;
            };
            let account = p.ledger.close(t1);
            ran.operations += account.operations;
            ran.series.push(account.series(index));
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
        ran.series.extend(histogram::series(tallied));
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
