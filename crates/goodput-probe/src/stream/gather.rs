//! When a receiver rests, so that small messages gather and the sender need not wake it for each.
//!
//! Two manners. *After short reads*: a fixed rest after a short read that did not have to wait, with the kernel's own
//! buffer. *By the window*: in a small buffer, a rest after every read, of a length that finds itself, so that the window
//! is just full when the receiver comes back. Which of them delivers more depends on the machine and the path; a
//! receiver that may choose tries both in the warm-up and keeps the better one. Why: `docs/methods/stream.md`.

use crate::clock::now_ns;
use crate::short_reads::ShortReads;
use crate::socket::{Info, ReceiveBuffer, congestion};
use goodput_model::probe::Stream;
use goodput_model::trial::Gathered;
use goodput_model::{BitRate, Bytes};
use std::net::TcpStream;

/// The buffer of a receiver that rests by its window.
const BUFFER: usize = Stream::WINDOW_BUFFER.0 as usize;
/// The shortest warm-up in which both manners can be tried.
const LEAST_WARM_UP_NS: u64 = Stream::LEAST_WARM_UP.0;
/// How many times as much the window's manner must deliver to be kept.
const WORTH: f64 = 1.2;
/// It must have brought at least this part of the buffer a read, or it was not the window that mattered.
const FILLED: u64 = 4;
/// The longest round trip of a path on which a window of [`BUFFER`] may be kept: it carries 0.8 Gbit/s there.
const FAR_US: u32 = 1_000;

/// What a receiver does between two reads.
pub(super) struct Gather<'a> {
    hold: ReceiveBuffer<'a>,
    short_reads: ShortReads,
    /// There while it rests by its window.
    pace: Option<Pace>,
    /// It does not rest by its window before so many bytes have come: what a larger window had promised would not fit.
    promised: u64,
    trial: Option<Trial>,
    /// When [`Gather::turn`] is due.
    next: u64,
}

impl<'a> Gather<'a> {
    /// For a receiver that begins now, with a window from `t0` on.
    pub fn new(stream: &'a TcpStream, settings: &Stream, t0: u64) -> Gather<'a> {
        let now = now_ns();
        let rest_ns = if settings.may_rest() { settings.gather.0 } else { 0 };
        let short_reads = ShortReads::new(rest_ns, settings.read.0 as usize);
        let near = || Info::take(stream).is_some_and(|i| (1..=FAR_US).contains(&i.min_rtt_us()));
        // Both ends are given the same congestion control, or their kernels' own.
        let paced = || congestion(stream).is_some_and(|name| name.starts_with("bbr"));
        let trial = Trial::new(now.max(t0.saturating_sub(settings.warm_up.0)), t0)
            .filter(|_| settings.may_rest_by_window() && near() && !paced());
        let next = trial.as_ref().map_or(u64::MAX, Trial::due);
        let hold = ReceiveBuffer::new(stream, settings.socket.send_buffer.is_some());
        Gather { hold, short_reads, pace: None, promised: 0, trial, next }
    }

    /// A read, the `reads`-th, has returned `n` bytes `now`, and all of them `bytes`: rests as long as it should before
    /// the next one.
    #[inline(always)]
    pub fn after(&mut self, n: usize, now: u64, bytes: u64, reads: u64) {
        if now >= self.next {
            self.turn(now, bytes, reads);
        }
        let rest_ns = match &mut self.pace {
            Some(pace) if bytes >= self.promised => pace.after(n),
            Some(_) => 0,
            None => self.short_reads.after(n, now),
        };
        self.short_reads.pause(rest_ns, now);
    }

    /// What the trial of both manners has shown.
    pub fn told(&self) -> Option<Gathered> {
        self.trial.as_ref()?.told
    }

    #[cold]
    fn turn(&mut self, now: u64, bytes: u64, reads: u64) {
        let Some(trial) = &mut self.trial else { return };
        let turn = trial.turn(now, bytes, reads);
        self.next = trial.due();
        match turn {
            // What the larger window had promised is not in yet: this manner has not begun and cannot be measured.
            Turn::Stay if self.pace.is_some() && bytes < self.promised => {
                let _ = self.hold.release();
                (self.pace, self.trial, self.next) = (None, None, u64::MAX);
            }
            Turn::Stay => {}
            Turn::ByWindow => match self.hold.fix(BUFFER) {
                Ok(fixed) => {
                    self.pace = Some(Pace::new());
                    self.promised = bytes + fixed.grown as u64;
                    trial.buffer = Bytes(fixed.obtained as u64);
                }
                // A kernel that could not let the buffer go again.
                Err(_) => (self.trial, self.next) = (None, u64::MAX),
            },
            Turn::AfterShortReads => {
                // Nothing to be done about a kernel that does not: the buffer it has is in the result.
                let _ = self.hold.release();
                self.pace = None;
            }
        }
    }
}

/// The rest that leaves the window just full, found from one read to the next: a little shorter after a read that
/// brought nearly as much as the most of late, longer after one that did not. Now and then it rests twice as long, to see
/// what a full window brings by now.
struct Pace {
    rest_ns: f64,
    most: f64,
    reads: u32,
}

impl Pace {
    /// Where it begins: a rest in which a fast sender fills most of [`BUFFER`].
    const FIRST_NS: f64 = 40_000.0;
    const LEAST_NS: f64 = 2_000.0;
    const MOST_NS: f64 = 500_000.0;
    /// As full as this is full.
    const FULL: f64 = 0.75;
    const SHORTER: f64 = 0.98;
    const LONGER: f64 = 1.1;
    /// What is left of the most after each read.
    const REMEMBERED: f64 = 0.999;
    /// One rest in so many is twice as long.
    const LOOK: u32 = 64;

    fn new() -> Pace {
        Pace { rest_ns: Pace::FIRST_NS, most: 0.0, reads: 0 }
    }

    /// The rest after a read of `n` bytes.
    #[inline(always)]
    fn after(&mut self, n: usize) -> u64 {
        let n = n as f64;
        self.most = (self.most * Pace::REMEMBERED).max(n);
        let step = if n >= Pace::FULL * self.most { Pace::SHORTER } else { Pace::LONGER };
        self.rest_ns = (self.rest_ns * step).clamp(Pace::LEAST_NS, Pace::MOST_NS);
        self.reads = self.reads.wrapping_add(1);
        let times = if self.reads.is_multiple_of(Pace::LOOK) { 2.0 } else { 1.0 };
        (self.rest_ns * times) as u64
    }
}

/// What the receiver does from now on.
#[derive(Debug, PartialEq, Eq)]
enum Turn {
    Stay,
    ByWindow,
    AfterShortReads,
}

/// The trial of both manners in the warm-up: after short reads first, in the kernel's own buffer, then by the window, which
/// takes longer to settle; of each the first part settles and an eighth of the warm-up is measured. A quarter is left for
/// what is kept to settle in.
struct Trial {
    begun: u64,
    t0: u64,
    /// Turns behind it.
    turns: usize,
    /// Instant, bytes and reads at the last turn.
    mark: (u64, u64, u64),
    /// Bit/s after short reads.
    otherwise: Option<f64>,
    /// What the receive buffer is by the window.
    buffer: Bytes,
    told: Option<Gathered>,
}

impl Trial {
    /// Eighths of the warm-up at which it turns.
    const TURNS: [u64; 4] = [1, 2, 5, 6];

    /// For a warm-up from `begun` to `t0`.
    fn new(begun: u64, t0: u64) -> Option<Trial> {
        let long_enough = t0.saturating_sub(begun) >= LEAST_WARM_UP_NS;
        long_enough.then_some(Trial {
            begun,
            t0,
            turns: 0,
            mark: (begun, 0, 0),
            otherwise: None,
            buffer: Stream::WINDOW_BUFFER,
            told: None,
        })
    }

    fn length(&self) -> u64 {
        self.t0 - self.begun
    }

    /// When the next turn is due.
    fn due(&self) -> u64 {
        Trial::TURNS.get(self.turns).map_or(u64::MAX, |eighths| self.begun + self.length() / 8 * eighths)
    }

    /// The time of a turn has come: `bytes` in `reads` by `now`.
    fn turn(&mut self, now: u64, bytes: u64, reads: u64) -> Turn {
        let (elapsed, came, reads_now) =
            (now.saturating_sub(self.mark.0), bytes - self.mark.1, (reads - self.mark.2).max(1));
        // Unless data came too late to say.
        let rate = (elapsed >= self.length() / 16).then(|| came as f64 * 8e9 / elapsed as f64);
        self.mark = (now, bytes, reads);
        self.turns += 1;
        if now >= self.t0 {
            // Too late for a trial: the window has begun.
            self.turns = Trial::TURNS.len();
            return Turn::AfterShortReads;
        }
        match self.turns {
            2 => {
                self.otherwise = rate;
                Turn::ByWindow
            }
            4 => {
                let filled = came / reads_now >= BUFFER as u64 / FILLED;
                match (rate, self.otherwise) {
                    (Some(rate), Some(otherwise)) => self.decide(rate, otherwise, filled),
                    _ => Turn::AfterShortReads,
                }
            }
            _ => Turn::Stay,
        }
    }

    fn decide(&mut self, by_window: f64, otherwise: f64, filled: bool) -> Turn {
        let kept = filled && by_window >= otherwise * WORTH;
        self.told = Some(Gathered {
            by_window: kept,
            buffer: self.buffer,
            by_window_rate: BitRate(by_window as u64),
            otherwise: BitRate(otherwise as u64),
        });
        if kept { Turn::Stay } else { Turn::AfterShortReads }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: u64 = 1_000_000;

    /// Plays a sender that adds `speed` bytes/ns until `window` is full; the share of its speed that arrives, once settled.
    fn share(pace: &mut Pace, window: f64, speed: f64) -> f64 {
        let (mut time, mut bytes, mut rest) = (0.0, 0.0, 1_000.0);
        for read in 0..40_000 {
            let came = (rest * speed).min(window);
            let slept = pace.after(came as usize) as f64;
            if read >= 20_000 {
                time += rest;
                bytes += came;
            }
            rest = slept;
        }
        bytes / (time * speed)
    }

    #[test]
    fn the_rest_finds_the_speed_of_the_sender_whatever_the_window() {
        for window in [30_000.0, 60_000.0, 200_000.0] {
            for speed in [0.5, 1.0, 3.0] {
                let mut pace = Pace::new();
                assert!(share(&mut pace, window, speed) > 0.95, "{window} B, {speed} B/ns");
                let filled = pace.rest_ns * speed / window;
                assert!((0.5..1.3).contains(&filled), "{filled} of {window} B at {speed} B/ns");
                // The window shrinks: what used to come no longer does.
                assert!(share(&mut pace, window * 0.6, speed) > 0.95, "{window} B shrunk, {speed} B/ns");
            }
        }
    }

    /// A trial of 800 ms in which each manner delivers this many bytes in its measured part of 100 ms, the window's in
    /// reads of `each`.
    fn tried(by_window: u64, otherwise: u64, each: u64) -> (Option<Gathered>, Turn) {
        let mut trial = Trial::new(1000 * MS, 1800 * MS).unwrap();
        assert_eq!(trial.due(), 1100 * MS);
        assert_eq!(trial.turn(1100 * MS, 7, 1), Turn::Stay);
        assert_eq!(trial.due(), 1200 * MS);
        assert_eq!(trial.turn(1200 * MS, 7 + otherwise, 10), Turn::ByWindow);
        assert_eq!(trial.turn(1500 * MS, 9 + otherwise, 20), Turn::Stay);
        let last = trial.turn(1600 * MS, 9 + otherwise + by_window, 20 + by_window / each);
        assert_eq!(trial.due(), u64::MAX);
        (trial.told, last)
    }

    #[test]
    fn the_window_is_kept_where_it_delivers_clearly_more() {
        let (told, turn) = tried(12_500_000, 5_000_000, 100_000);
        let told = told.unwrap();
        assert_eq!(turn, Turn::Stay);
        assert_eq!((told.by_window_rate, told.otherwise), (BitRate(1_000_000_000), BitRate(400_000_000)));
        assert!(told.by_window);
        for (otherwise, each) in [(12_500_000, 100_000), (11_000_000, 100_000), (20_000_000, 100_000)] {
            let (told, turn) = tried(12_500_000, otherwise, each);
            assert_eq!((turn, told.unwrap().by_window), (Turn::AfterShortReads, false));
        }
        // A link that had a bad moment first: more came, but in reads that never filled a window.
        let (told, turn) = tried(12_500_000, 5_000_000, 10_000);
        assert_eq!((turn, told.unwrap().by_window), (Turn::AfterShortReads, false));
    }

    #[test]
    fn a_path_that_brings_nothing_in_time_is_received_as_ever() {
        let mut trial = Trial::new(0, 800 * MS).unwrap();
        // Nothing came before most of the warm-up was over: each part of the trial is too short to be told.
        assert_eq!(trial.turn(700 * MS, 10, 1), Turn::Stay);
        assert_eq!(trial.turn(701 * MS, 20, 2), Turn::ByWindow);
        assert_eq!(trial.turn(702 * MS, 30, 3), Turn::Stay);
        assert_eq!(trial.turn(703 * MS, 40, 4), Turn::AfterShortReads);
        assert_eq!((trial.told, trial.due()), (None, u64::MAX));
        // Nothing by the window is in the way once the measured window has begun.
        let mut late = Trial::new(0, 800 * MS).unwrap();
        assert_eq!(late.turn(200 * MS, 10, 1), Turn::Stay);
        assert_eq!(late.turn(300 * MS, 20, 2), Turn::ByWindow);
        assert_eq!(late.turn(900 * MS, 30, 3), Turn::AfterShortReads);
        assert_eq!(late.due(), u64::MAX);
        assert!(Trial::new(0, 99 * MS).is_none());
    }
}
