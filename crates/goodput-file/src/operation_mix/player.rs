//! One player: repeats the operations of the load in order until the window ends.

use super::backend::MixBackend;
use super::expected_result::{OperationOutcome, UnexpectedResult};
use super::pace::SimulatedClientPace;
use super::sync_points::SyncPoints;
use crate::clock::{now_ns, sleep_until, thread_cpu_ns};
use crate::histogram::{LastIntervalHistograms, LatencyRecorder};
use crate::interval_bytes::{IntervalByteCounter, MeasurementWindowBounds};
use crate::supervise::{WorkerOperationCounters, WorkerSupervisor};
use crate::{FileError, FileErrorKind};
use goodput_model::file::{DbenchLoadFile, FileOp, FileOpClass, FileOpClassCounts, ScheduledFileOp};
use goodput_model::{BitRate, MessageArg, Nanos};
use goodput_words::{Message, message};

const WORDS: usize = 5;
/// Longest single sleep, so that the end is noticed.
const STEP_NS: u64 = 50_000_000;

pub(super) struct SimulatedClientSettings<'a> {
    pub load: &'a DbenchLoadFile,
    pub index: u32,
    pub number: usize,
    pub players: u32,
    pub span: MeasurementWindowBounds,
    pub patience: Nanos,
    pub max_errors: u32,
    pub rate: Option<BitRate>,
    pub pool: &'a WorkerSupervisor,
    pub points: &'a SyncPoints,
    pub counter: &'a WorkerOperationCounters,
    pub tally: LatencyRecorder,
    pub ledger: IntervalByteCounter,
}

pub(super) struct SimulatedClientResult {
    pub last: LastIntervalHistograms,
    pub ledger: IntervalByteCounter,
    pub classes: Vec<FileOpClassCounts>,
    /// Unexpected results in the window; texts of the first few.
    pub surprises: Vec<String>,
    pub early: u64,
    pub first_early: Option<String>,
    /// Time in the window spent on resetting the folder.
    pub clearing_ns: u64,
    pub threads_ns: u64,
    pub requests: Option<u64>,
    pub broken: Option<FileError>,
}

/// Plays until the window ends or the error budget is used up; without `t1`, one pass.
pub(super) fn run_simulated_client<S: MixBackend>(
    backend: &mut S,
    order: SimulatedClientSettings<'_>,
) -> SimulatedClientResult {
    let pool = order.pool;
    let membership = pool.register_worker();
    let mut player = Player::new(order);
    let broken = player.passes(backend).err();
    let well = broken.is_none();
    let played = player.end(backend, broken);
    membership.unregister(now_ns(), well);
    played
}

#[derive(Clone, Copy)]
struct LoopState {
    from: usize,
    left: u32,
}

struct Player<'a> {
    order: SimulatedClientSettings<'a>,
    classes: Vec<FileOpClassCounts>,
    surprises: Vec<String>,
    early: u64,
    first_early: Option<String>,
    errors: u64,
    clearing_ns: u64,
    pass: u64,
    pace: SimulatedClientPace,
    loops: Vec<LoopState>,
    opened: Option<(u64, Option<u64>)>,
}

enum Next {
    On,
    To(usize),
    Stop,
}

impl<'a> Player<'a> {
    fn new(order: SimulatedClientSettings<'a>) -> Player<'a> {
        let account =
            |class| FileOpClassCounts { class, count: 0, failed_as_expected: 0, unexpected: 0, bytes: 0 };
        Player {
            classes: FileOpClass::ALL.map(account).to_vec(),
            surprises: Vec::with_capacity(WORDS),
            early: 0,
            first_early: None,
            errors: 0,
            clearing_ns: 0,
            pass: 0,
            pace: SimulatedClientPace::new(order.rate, now_ns()),
            loops: Vec::with_capacity(16),
            opened: None,
            order,
        }
    }

    fn passes<S: MixBackend>(&mut self, backend: &mut S) -> Result<(), FileError> {
        let load = self.order.load;
        loop {
            let begun = now_ns();
            if self.is_over(begun) {
                return Ok(());
            }
            backend.prepare_load_file_pass()?;
            let now = now_ns();
            self.look(backend, now);
            self.clearing_ns +=
                now.min(self.order.span.end_or_u64_max()).saturating_sub(begun.max(self.order.span.t0));
            self.pass += 1;
            self.pace.begin_load_file_pass(now);
            self.loops.clear();
            let mut at = 0;
            while let Some(timed) = load.ops.get(at) {
                match self.step(backend, timed, at)? {
                    Next::On => at += 1,
                    Next::To(other) => at = other,
                    Next::Stop => return Ok(()),
                }
            }
            if self.order.span.t1.is_none() {
                return Ok(());
            }
        }
    }

    #[inline(always)]
    fn is_over(&self, now: u64) -> bool {
        self.order.pool.is_stopping()
            || self.order.pool.is_job_abandoned()
            || now >= self.order.span.end_or_u64_max()
    }

    /// Starts the window's counts when it opens.
    #[inline(always)]
    fn look<S: MixBackend>(&mut self, backend: &S, now: u64) {
        if self.opened.is_none() && now >= self.order.span.t0 {
            self.opened = Some((thread_cpu_ns(), backend.request_count()));
        }
    }

    #[inline(always)]
    fn step<S: MixBackend>(
        &mut self,
        backend: &mut S,
        timed: &ScheduledFileOp,
        at: usize,
    ) -> Result<Next, FileError> {
        if self.order.pool.is_stopping() {
            return Ok(Next::Stop);
        }
        let due = self.pace.next_operation_start(timed.at);
        if let Some((due, _)) = due
            && !self.wait_until(due)
        {
            return Ok(Next::Stop);
        }
        let Some(class) = timed.op.class() else { return self.steer(&timed.op, timed.line, at) };
        let begun = now_ns();
        let outcome = backend.perform_operation(&timed.op, timed.expect);
        let ended = now_ns();
        self.look(backend, ended);
        // A late start counts as latency from the due time.
        let since = match due {
            Some((due, true)) => due.min(begun),
            _ => begun,
        };
        self.book(backend, class, timed, ended, ended - since, outcome)
    }

    #[inline(always)]
    fn book<S: MixBackend>(
        &mut self,
        backend: &S,
        class: FileOpClass,
        timed: &ScheduledFileOp,
        ended: u64,
        latency: u64,
        outcome: OperationOutcome,
    ) -> Result<Next, FileError> {
        let bytes = match &outcome {
            OperationOutcome::Done(bytes) => *bytes,
            OperationOutcome::Failed => 0,
            OperationOutcome::Unexpected(surprise) => surprise.bytes,
        };
        let in_window = self.order.ledger.record(ended, bytes);
        self.order.counter.add_operation(bytes);
        self.pace.add_bytes(bytes);
        if in_window {
            self.order.tally.record(class, ended, latency);
            let account = &mut self.classes[class as usize];
            account.count += 1;
            account.bytes += bytes;
            account.failed_as_expected += u64::from(outcome == OperationOutcome::Failed);
            account.unexpected += u64::from(matches!(outcome, OperationOutcome::Unexpected(_)));
        } else if ended >= self.order.span.end_or_u64_max() {
            return Ok(Next::Stop);
        }
        match outcome {
            OperationOutcome::Unexpected(surprise) => {
                self.unexpected(backend, timed, *surprise, in_window).map(|()| Next::On)
            }
            _ => Ok(Next::On),
        }
    }

    /// Records an unexpected result. Fails when there were too many, or the server is lost.
    #[cold]
    fn unexpected<S: MixBackend>(
        &mut self,
        backend: &S,
        timed: &ScheduledFileOp,
        surprise: UnexpectedResult,
        in_window: bool,
    ) -> Result<(), FileError> {
        self.errors += 1;
        let names: Vec<String> =
            timed.op.path_indices().into_iter().flatten().map(|path| backend.display_path(path)).collect();
        let names: MessageArg = match names.as_slice() {
            [from, to] => message!(part_place_mix_from_to { from, to }).into(),
            names => names.concat().into(),
        };
        let text = message!(cause_place_mix_unexpected {
            player: (self.order.number + 1).to_string(),
            line: timed.line.to_string(),
            class: Message::from(timed.op.class().map_or("a point", FileOpClass::name)),
            names,
            what: surprise.text,
        });
        if !in_window {
            self.early += 1;
            self.first_early.get_or_insert_with(|| text.to_string());
        } else if self.surprises.len() < WORDS {
            self.surprises.push(text.to_string());
        }
        if surprise.gone {
            return Err(FileError::with_reason("go on with the mix", FileErrorKind::Gone, text));
        }
        if self.errors > u64::from(self.order.max_errors) {
            let (count, most) = (self.errors.to_string(), self.order.max_errors.to_string());
            let why = message!(cause_place_mix_too_many_errors { count, most, last: text });
            return Err(FileError::with_reason("go on with the mix", FileErrorKind::Other, why));
        }
        Ok(())
    }

    fn wait_until(&self, at: u64) -> bool {
        loop {
            let now = now_ns();
            if now >= at {
                return true;
            }
            if self.is_over(now) {
                return false;
            }
            sleep_until(at.min(now + STEP_NS).min(self.order.span.end_or_u64_max()));
        }
    }

    #[cold]
    fn steer(&mut self, op: &FileOp, line: u32, at: usize) -> Result<Next, FileError> {
        match *op {
            FileOp::Loop { times } => {
                self.loops.push(LoopState { from: at + 1, left: times.saturating_sub(1) })
            }
            // A loop without operations must end with the window.
            FileOp::EndLoop if self.is_over(now_ns()) => return Ok(Next::Stop),
            FileOp::EndLoop => match self.loops.last_mut() {
                Some(inner) if inner.left > 0 => {
                    inner.left -= 1;
                    return Ok(Next::To(inner.from));
                }
                _ => {
                    self.loops.pop();
                }
            },
            FileOp::Sleep { time } if !self.wait_until(now_ns().saturating_add(time.0)) => {
                return Ok(Next::Stop);
            }
            FileOp::SetPoint { point } => self.order.points.mark_reached(self.order.index, point, self.pass),
            FileOp::WaitPoint { player, point } => return self.wait_point(player, point, line),
            _ => {}
        }
        Ok(Next::On)
    }

    fn wait_point(&mut self, player: u32, point: u32, line: u32) -> Result<Next, FileError> {
        if player >= self.order.players {
            let (line, player) = (line.to_string(), player.to_string());
            let count = self.order.players.to_string();
            let why = message!(cause_place_mix_no_such_client { line, player, count });
            return Err(FileError::with_reason("go on with the mix", FileErrorKind::Other, why));
        }
        let until = now_ns().saturating_add(self.order.patience.0);
        let came = self.order.points.wait_for_simulated_client(player, point, self.pass, || {
            let now = now_ns();
            now >= until || self.is_over(now)
        });
        if came {
            return Ok(Next::On);
        }
        if self.is_over(now_ns()) {
            return Ok(Next::Stop);
        }
        let why = message!(cause_place_mix_point_not_reached {
            line: line.to_string(),
            player: player.to_string(),
            point: point.to_string(),
            seconds: (self.order.patience.0 / 1_000_000_000).to_string(),
        });
        Err(FileError::with_reason("go on with the mix", FileErrorKind::Other, why))
    }

    fn end<S: MixBackend>(self, backend: &S, broken: Option<FileError>) -> SimulatedClientResult {
        let (cpu, requests) = self.opened.unwrap_or((thread_cpu_ns(), backend.request_count()));
        SimulatedClientResult {
            threads_ns: thread_cpu_ns().saturating_sub(cpu),
            requests: backend.request_count().zip(requests).map(|(now, then)| now.saturating_sub(then)),
            last: self.order.tally.finish(),
            ledger: self.order.ledger,
            classes: self.classes,
            surprises: self.surprises,
            early: self.early,
            first_early: self.first_early,
            clearing_ns: self.clearing_ns,
            broken,
        }
    }
}
