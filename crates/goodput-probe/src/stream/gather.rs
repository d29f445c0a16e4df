//! When a receiver rests, so that small messages gather and the sender need not wake it for each.
//!
//! Two manners. *After short reads*: a fixed rest after a short read that did not have to wait, with the kernel's own
//! buffer. *By the window*: in a small buffer, a rest after every read, of a length that finds itself, so that the window
//! is just full when the receiver comes back. Which of them delivers more depends on the machine and the path; a
//! receiver that may choose tries both in the warm-up and keeps the better one. Why: `docs/methods/stream.md`.

use crate::clock::{now_ns, rest};
use crate::socket;
use goodput_model::probe::{Receiver, Stop, Stream};
use goodput_model::trial::Gathered;
use goodput_model::{BitRate, Bytes};
use std::net::TcpStream;

/// A read of less than this is short: what gathers during a rest stays well below the least receive buffer.
const SHORT: usize = 64 << 10;
/// A read that took no longer than this did not have to wait for its data.
const AT_ONCE_NS: u64 = 20_000;
/// The buffer of a receiver that rests by its window: what Linux grants everyone (net.core.rmem_max is 208 KiB, half of it
/// for the kernel's own bookkeeping).
const BUFFER: usize = 104 << 10;
/// The shortest warm-up in which both manners can be tried.
const LEAST_WARM_UP_NS: u64 = 100_000_000;
/// How many times as much the window's manner must deliver to be kept.
const WORTH: f64 = 1.2;

/// What a receiver does between two reads.
pub(super) struct Gather<'a> {
    stream: &'a TcpStream,
    /// The fixed rest, and below what a read is short.
    rest_ns: u64,
    short: usize,
    /// When the read to come was asked for.
    asked: u64,
    /// There while it rests by its window.
    pace: Option<Pace>,
    trial: Option<Trial>,
    /// When [`Gather::turn`] is due.
    next: u64,
}

impl<'a> Gather<'a> {
    /// For a receiver that begins now, with a window from `t0` on.
    pub fn new(stream: &'a TcpStream, settings: &Stream, t0: u64) -> Gather<'a> {
        let now = now_ns();
        let (rest_ns, short) = gathering(settings).unwrap_or((0, 0));
        let plain = Gather { stream, rest_ns, short, asked: now, pace: None, trial: None, next: u64::MAX };
        match Trial::new(now, t0).filter(|_| may_choose(settings)) {
            Some(trial) if socket::fix_receive_buffer(stream, BUFFER).is_ok() => {
                Gather { pace: Some(Pace::new()), next: trial.due(), trial: Some(trial), ..plain }
            }
            _ => plain,
        }
    }

    /// A read has returned `n` bytes `now`, and `bytes` in all: rests as long as it should before the next one.
    #[inline(always)]
    pub fn after(&mut self, n: usize, now: u64, bytes: u64) {
        if now >= self.next {
            self.turn(now, bytes);
        }
        let rest_ns = match &mut self.pace {
            Some(pace) => pace.after(n),
            None if n < self.short && now - self.asked <= AT_ONCE_NS => self.rest_ns,
            None => 0,
        };
        self.asked = if rest_ns > 0 {
            rest(rest_ns);
            now_ns()
        } else {
            now
        };
    }

    /// What the trial of both manners has shown.
    pub fn told(&self) -> Option<Gathered> {
        self.trial.as_ref()?.told
    }

    #[cold]
    fn turn(&mut self, now: u64, bytes: u64) {
        let Some(trial) = &mut self.trial else { return };
        match trial.turn(now, bytes) {
            Turn::Stay => {}
            Turn::ByWindow => {
                if socket::fix_receive_buffer(self.stream, BUFFER).is_ok() {
                    self.pace = Some(Pace::new());
                }
            }
            Turn::AfterShortReads => {
                // The kernel that let it be fixed lets it go.
                let _ = socket::free_receive_buffer(self.stream);
                self.pace = None;
            }
        }
        self.next = trial.due();
    }
}

/// How long to rest after a short read that came at once, and what is short; `None` never rests.
fn gathering(settings: &Stream) -> Option<(u64, usize)> {
    // A buffer that the user has fixed may be smaller than what comes during a rest.
    let may = settings.receiver == Receiver::Read && settings.socket.receive_buffer.is_none();
    (may && settings.gather.0 > 0).then_some((settings.gather.0, SHORT.min(settings.read.0 as usize)))
}

/// Whether both manners are to be tried: messages that are short themselves, one connection, a read that takes all that
/// a window can bring.
fn may_choose(settings: &Stream) -> bool {
    settings.adapt
        && gathering(settings).is_some()
        && matches!(settings.stop, Stop::Time(_))
        && settings.connections == 1
        && settings.message.0 < SHORT as u64
        && settings.read.0 >= 2 * BUFFER as u64
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

/// The trial of both manners in the warm-up: by the window first, then after short reads; of each the first part settles
/// and the second is measured. A quarter is left for what is kept to settle in.
struct Trial {
    t0: u64,
    /// Length of the warm-up that was left.
    length: u64,
    /// Turns behind it.
    turns: usize,
    /// Instant and bytes at the last turn.
    mark: (u64, u64),
    /// Bit/s by the window.
    by_window: Option<f64>,
    told: Option<Gathered>,
}

impl Trial {
    /// Eighths of the warm-up at which it turns.
    const TURNS: [u64; 4] = [2, 3, 5, 6];

    fn new(now: u64, t0: u64) -> Option<Trial> {
        let length = t0.saturating_sub(now);
        let long_enough = length >= LEAST_WARM_UP_NS;
        long_enough.then_some(Trial { t0, length, turns: 0, mark: (now, 0), by_window: None, told: None })
    }

    /// When the next turn is due.
    fn due(&self) -> u64 {
        let begun = self.t0 - self.length;
        Trial::TURNS.get(self.turns).map_or(u64::MAX, |eighths| begun + self.length / 8 * eighths)
    }

    /// The time of a turn has come: `bytes` in all by `now`.
    fn turn(&mut self, now: u64, bytes: u64) -> Turn {
        // Bit/s since the last turn, unless data came too late to say.
        let elapsed = now - self.mark.0;
        let rate = (elapsed >= self.length / 16).then(|| (bytes - self.mark.1) as f64 * 8e9 / elapsed as f64);
        self.mark = (now, bytes);
        self.turns += 1;
        if now >= self.t0 {
            // Too late for a trial: the window has begun.
            self.turns = Trial::TURNS.len();
            return Turn::AfterShortReads;
        }
        match self.turns {
            2 => {
                self.by_window = rate;
                Turn::AfterShortReads
            }
            4 => self.decide(rate),
            _ => Turn::Stay,
        }
    }

    fn decide(&mut self, after_short_reads: Option<f64>) -> Turn {
        let (Some(by_window), Some(other)) = (self.by_window, after_short_reads) else { return Turn::Stay };
        let kept = by_window >= other * WORTH;
        self.told = Some(Gathered {
            by_window: kept,
            buffer: Bytes(BUFFER as u64),
            by_window_rate: BitRate(by_window as u64),
            otherwise: BitRate(other as u64),
        });
        if kept { Turn::ByWindow } else { Turn::Stay }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use goodput_model::Nanos;

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

    /// A trial of 800 ms in which each manner delivers this many bytes in its measured part of 100 ms.
    fn tried(by_window: u64, otherwise: u64) -> (Trial, Turn) {
        let mut trial = Trial::new(1000 * MS, 1800 * MS).unwrap();
        assert_eq!(trial.due(), 1200 * MS);
        assert_eq!(trial.turn(1200 * MS, 7), Turn::Stay);
        assert_eq!(trial.due(), 1300 * MS);
        assert_eq!(trial.turn(1300 * MS, 7 + by_window), Turn::AfterShortReads);
        assert_eq!(trial.turn(1500 * MS, 9 + by_window), Turn::Stay);
        let last = trial.turn(1600 * MS, 9 + by_window + otherwise);
        assert_eq!(trial.due(), u64::MAX);
        (trial, last)
    }

    #[test]
    fn the_window_is_kept_where_it_delivers_clearly_more() {
        let (trial, turn) = tried(12_500_000, 5_000_000);
        assert_eq!(turn, Turn::ByWindow);
        let told = trial.told.unwrap();
        assert_eq!((told.by_window_rate, told.otherwise), (BitRate(1_000_000_000), BitRate(400_000_000)));
        assert!(told.by_window);
        for otherwise in [12_500_000, 11_000_000, 20_000_000] {
            let (trial, turn) = tried(12_500_000, otherwise);
            assert_eq!((turn, trial.told.unwrap().by_window), (Turn::Stay, false));
        }
    }

    #[test]
    fn a_path_that_brings_nothing_in_time_is_received_as_ever() {
        let mut trial = Trial::new(0, 800 * MS).unwrap();
        // Nothing came before most of the warm-up was over: each part of the trial is too short to be told.
        assert_eq!(trial.turn(700 * MS, 10), Turn::Stay);
        assert_eq!(trial.turn(701 * MS, 20), Turn::AfterShortReads);
        assert_eq!(trial.turn(702 * MS, 30), Turn::Stay);
        assert_eq!(trial.turn(703 * MS, 40), Turn::Stay);
        assert_eq!((trial.told, trial.due()), (None, u64::MAX));
        let mut late = Trial::new(0, 800 * MS).unwrap();
        assert_eq!(late.turn(900 * MS, 10), Turn::AfterShortReads);
        assert_eq!(late.due(), u64::MAX);
        assert!(Trial::new(0, 99 * MS).is_none());
    }

    #[test]
    fn only_small_messages_of_one_connection_are_tried() {
        let small = Stream { message: Bytes(1024), ..Stream::default() };
        assert!(may_choose(&small));
        let mut fixed = small.clone();
        fixed.socket.receive_buffer = Some(Bytes(1 << 20));
        for other in [
            fixed,
            Stream::default(),
            Stream { adapt: false, ..small.clone() },
            Stream { gather: Nanos(0), ..small.clone() },
            Stream { connections: 2, ..small.clone() },
            Stream { read: Bytes(1024), ..small.clone() },
            Stream { receiver: Receiver::Discard, ..small.clone() },
            Stream { stop: Stop::Bytes(Bytes(1 << 30)), ..small },
        ] {
            assert!(!may_choose(&other), "{other:?}");
        }
    }
}
