//! One player: the operations of the load, one after the other, again and again until the time is up.

use super::judge::{Outcome, Surprise};
use super::pace::Pace;
use super::points::Points;
use super::stage::Stage;
use crate::clock::{now_ns, sleep_until, thread_cpu_ns};
use crate::ledger::{Ledger, Span};
use crate::supervise::{Counter, WorkerPool};
use crate::tally::{Last, Tally};
use crate::{FileError, Trouble};
use goodput_model::file::{ClassAccount, FileOp, LoadFile, OpClass, TimedOp};
use goodput_model::{BitRate, Nanos};

const WORDS: usize = 5;
/// Longest single sleep, so that the end is noticed.
const STEP_NS: u64 = 50_000_000;

/// What a player is told.
pub(super) struct Part<'a> {
    pub load: &'a LoadFile,
    /// From 0 on this client.
    pub index: u32,
    /// From 0 on all clients, for words to the user.
    pub number: usize,
    pub players: u32,
    pub span: Span,
    pub patience: Nanos,
    pub max_errors: u32,
    pub rate: Option<BitRate>,
    pub crew: &'a WorkerPool,
    pub points: &'a Points,
    pub counter: &'a Counter,
    pub tally: Tally,
    pub ledger: Ledger,
}

/// What a player leaves behind.
pub(super) struct Played {
    pub last: Last,
    pub ledger: Ledger,
    /// In the order of [`OpClass::ALL`].
    pub classes: Vec<ClassAccount>,
    /// Surprises in the window, the first few in words.
    pub surprises: Vec<String>,
    /// Surprises before the window.
    pub early: u64,
    /// The first of them.
    pub first_early: Option<String>,
    /// Time of the window that was spent on bringing the folder back to its beginning.
    pub clearing_ns: u64,
    pub threads_ns: u64,
    pub requests: Option<u64>,
    pub broken: Option<FileError>,
}

/// Plays until the window is over, the budget of surprises is used up, or, in a window without an end, through one pass.
pub(super) fn play<S: Stage>(stage: &mut S, part: Part<'_>) -> Played {
    let crew = part.crew;
    let post = crew.post();
    let mut player = Player::new(part);
    let broken = player.passes(stage).err();
    let well = broken.is_none();
    let played = player.end(stage, broken);
    post.leave(now_ns(), well);
    played
}

/// One LOOP that is being played.
#[derive(Clone, Copy)]
struct Turn {
    /// The operation after LOOP.
    from: usize,
    left: u32,
}

struct Player<'a> {
    part: Part<'a>,
    classes: Vec<ClassAccount>,
    surprises: Vec<String>,
    early: u64,
    first_early: Option<String>,
    errors: u64,
    clearing_ns: u64,
    pass: u64,
    pace: Pace,
    turns: Vec<Turn>,
    opened: Option<(u64, Option<u64>)>,
}

/// What comes after an operation.
enum Next {
    On,
    To(usize),
    Stop,
}

impl<'a> Player<'a> {
    fn new(part: Part<'a>) -> Player<'a> {
        let account =
            |class| ClassAccount { class, count: 0, failed_as_expected: 0, unexpected: 0, bytes: 0 };
        Player {
            classes: OpClass::ALL.map(account).to_vec(),
            surprises: Vec::with_capacity(WORDS),
            early: 0,
            first_early: None,
            errors: 0,
            clearing_ns: 0,
            pass: 0,
            pace: Pace::new(part.rate, now_ns()),
            turns: Vec::with_capacity(16),
            opened: None,
            part,
        }
    }

    fn passes<S: Stage>(&mut self, stage: &mut S) -> Result<(), FileError> {
        let load = self.part.load;
        loop {
            let begun = now_ns();
            if self.is_over(begun) {
                return Ok(());
            }
            stage.begin_pass()?;
            let now = now_ns();
            self.look(stage, now);
            self.clearing_ns += now.min(self.part.span.end()).saturating_sub(begun.max(self.part.span.t0));
            self.pass += 1;
            self.pace.begin_pass(now);
            self.turns.clear();
            let mut at = 0;
            while let Some(timed) = load.ops.get(at) {
                match self.step(stage, timed, at)? {
                    Next::On => at += 1,
                    Next::To(other) => at = other,
                    Next::Stop => return Ok(()),
                }
            }
            if self.part.span.t1.is_none() {
                return Ok(());
            }
        }
    }

    #[inline(always)]
    fn is_over(&self, now: u64) -> bool {
        self.part.crew.is_stopping() || self.part.crew.is_abandoned() || now >= self.part.span.end()
    }

    /// Notes what only counts from the window's opening on.
    #[inline(always)]
    fn look<S: Stage>(&mut self, stage: &S, now: u64) {
        if self.opened.is_none() && now >= self.part.span.t0 {
            self.opened = Some((thread_cpu_ns(), stage.requests()));
        }
    }

    #[inline(always)]
    fn step<S: Stage>(&mut self, stage: &mut S, timed: &TimedOp, at: usize) -> Result<Next, FileError> {
        if self.part.crew.is_stopping() {
            return Ok(Next::Stop);
        }
        let due = self.pace.next(timed.at);
        if let Some((due, _)) = due
            && !self.wait_until(due)
        {
            return Ok(Next::Stop);
        }
        let Some(class) = timed.op.class() else { return self.steer(&timed.op, timed.line, at) };
        let begun = now_ns();
        let outcome = stage.perform(&timed.op, timed.expect);
        let ended = now_ns();
        self.look(stage, ended);
        // Who comes late to what was due has kept somebody waiting since then.
        let since = match due {
            Some((due, true)) => due.min(begun),
            _ => begun,
        };
        self.book(stage, class, timed, ended, ended - since, outcome)
    }

    #[inline(always)]
    fn book<S: Stage>(
        &mut self,
        stage: &S,
        class: OpClass,
        timed: &TimedOp,
        ended: u64,
        latency: u64,
        outcome: Outcome,
    ) -> Result<Next, FileError> {
        let bytes = match &outcome {
            Outcome::Done(bytes) => *bytes,
            Outcome::Failed => 0,
            Outcome::Surprise(surprise) => surprise.bytes,
        };
        let in_window = self.part.ledger.book(ended, bytes);
        self.part.counter.add(bytes);
        self.pace.moved(bytes);
        if in_window {
            self.part.tally.record(class, ended, latency);
            let account = &mut self.classes[class as usize];
            account.count += 1;
            account.bytes += bytes;
            account.failed_as_expected += u64::from(outcome == Outcome::Failed);
            account.unexpected += u64::from(matches!(outcome, Outcome::Surprise(_)));
        } else if ended >= self.part.span.end() {
            return Ok(Next::Stop);
        }
        match outcome {
            Outcome::Surprise(surprise) => {
                self.surprised(stage, timed, *surprise, in_window).map(|()| Next::On)
            }
            _ => Ok(Next::On),
        }
    }

    /// Writes a surprise down.
    ///
    /// # Errors
    /// When there have been too many, or the server is gone.
    #[cold]
    fn surprised<S: Stage>(
        &mut self,
        stage: &S,
        timed: &TimedOp,
        surprise: Surprise,
        in_window: bool,
    ) -> Result<(), FileError> {
        self.errors += 1;
        let names: Vec<String> =
            timed.op.paths().into_iter().flatten().map(|path| stage.path(path)).collect();
        let class = timed.op.class().map_or("a point", OpClass::name);
        let (player, line) = (self.part.number + 1, timed.line);
        let text = format!("player {player}, line {line}, {class} {}: {}", names.join(" to "), surprise.text);
        if !in_window {
            self.early += 1;
            self.first_early.get_or_insert_with(|| text.clone());
        } else if self.surprises.len() < WORDS {
            self.surprises.push(text.clone());
        }
        if surprise.gone {
            return Err(FileError::because("go on with the mix", Trouble::Gone, text));
        }
        if self.errors > u64::from(self.part.max_errors) {
            let why = format!(
                "{} operations ended otherwise than the load says, {} are allowed; the last one: {text}",
                self.errors, self.part.max_errors
            );
            return Err(FileError::because("go on with the mix", Trouble::Other, why));
        }
        Ok(())
    }

    /// Sleeps until the instant; false when the window is over before.
    fn wait_until(&self, at: u64) -> bool {
        loop {
            let now = now_ns();
            if now >= at {
                return true;
            }
            if self.is_over(now) {
                return false;
            }
            sleep_until(at.min(now + STEP_NS).min(self.part.span.end()));
        }
    }

    /// Does what only steers the player.
    #[cold]
    fn steer(&mut self, op: &FileOp, line: u32, at: usize) -> Result<Next, FileError> {
        match *op {
            FileOp::Loop { times } => self.turns.push(Turn { from: at + 1, left: times.saturating_sub(1) }),
            // A loop without an operation in it must end with the window, too.
            FileOp::EndLoop if self.is_over(now_ns()) => return Ok(Next::Stop),
            FileOp::EndLoop => match self.turns.last_mut() {
                Some(turn) if turn.left > 0 => {
                    turn.left -= 1;
                    return Ok(Next::To(turn.from));
                }
                _ => {
                    self.turns.pop();
                }
            },
            FileOp::Sleep { time } if !self.wait_until(now_ns().saturating_add(time.0)) => {
                return Ok(Next::Stop);
            }
            FileOp::SetPoint { point } => self.part.points.set(self.part.index, point, self.pass),
            FileOp::WaitPoint { player, point } => return self.wait_point(player, point, line),
            _ => {}
        }
        Ok(Next::On)
    }

    fn wait_point(&mut self, player: u32, point: u32, line: u32) -> Result<Next, FileError> {
        if player >= self.part.players {
            let players = self.part.players;
            let why =
                format!("line {line} waits for player {player}, and this client has {players}, from 0 on");
            return Err(FileError::because("go on with the mix", Trouble::Other, why));
        }
        let until = now_ns().saturating_add(self.part.patience.0);
        let came = self.part.points.wait(player, point, self.pass, || {
            let now = now_ns();
            now >= until || self.is_over(now)
        });
        if came {
            return Ok(Next::On);
        }
        if self.is_over(now_ns()) {
            return Ok(Next::Stop);
        }
        let waited = self.part.patience.0 / 1_000_000_000;
        let why = format!("line {line}: player {player} has not come to point {point} in {waited} s");
        Err(FileError::because("go on with the mix", Trouble::Other, why))
    }

    fn end<S: Stage>(self, stage: &S, broken: Option<FileError>) -> Played {
        let (cpu, requests) = self.opened.unwrap_or((thread_cpu_ns(), stage.requests()));
        Played {
            threads_ns: thread_cpu_ns().saturating_sub(cpu),
            requests: stage.requests().zip(requests).map(|(now, then)| now.saturating_sub(then)),
            last: self.part.tally.end(),
            ledger: self.part.ledger,
            classes: self.classes,
            surprises: self.surprises,
            early: self.early,
            first_early: self.first_early,
            clearing_ns: self.clearing_ns,
            broken,
        }
    }
}
