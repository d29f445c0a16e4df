//! A client's clock synchronisation with the server.

use super::control::Control;
use super::offset::{ClockLine, Exchange, believed, best};
use crate::time::now_ns;
use crate::wire::{Message, Op};
use crate::{Cancel, ProbeError};
use goodput_model::{Nanos, Series};
use std::iter::repeat_n;

/// Exchanges per group: the best of sixteen is rarely disturbed by late wake-ups.
const GROUP: usize = 16;
/// Exchanges between the groups before the window.
const BETWEEN: u64 = 32;
/// The groups are this share of the predicted time apart, within limits, so that the drift's error grows to
/// at most 16 times one group's error.
const SHARE: u64 = 16;
const NEAREST_NS: u64 = 100_000_000;
const FARTHEST_NS: u64 = 4_000_000_000;
/// Attempts after the window, where queues may still be full.
const TRIES: usize = 3;

/// This host's monotonic clock as the server sees it. Tests can simulate an offset and a drift; measured
/// loops read the clock directly.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct OwnClock {
    offset: i64,
    ppb: i64,
    since: u64,
}

impl OwnClock {
    /// Adds `offset`, and drifts by `ppb` parts per billion from now on.
    #[cfg(test)]
    pub fn planted(offset: i64, ppb: i64) -> OwnClock {
        OwnClock { offset, ppb, since: now_ns() }
    }

    pub fn reading(&self, monotonic: u64) -> u64 {
        let gained = (i128::from(monotonic) - i128::from(self.since)) * i128::from(self.ppb) / 1_000_000_000;
        (i128::from(monotonic) + i128::from(self.offset) + gained) as u64
    }

    pub fn monotonic(&self, reading: u64) -> u64 {
        let since = i128::from(reading) - i128::from(self.offset) - i128::from(self.since);
        (i128::from(self.since) + since * 1_000_000_000 / (1_000_000_000 + i128::from(self.ppb))) as u64
    }

    fn now(&self) -> u64 {
        self.reading(now_ns())
    }
}

pub(crate) struct ClockSync {
    pub clock: OwnClock,
    exchanges: Vec<Exchange>,
    line: ClockLine,
    least: u64,
}

impl ClockSync {
    /// Sufficient for a common start.
    pub fn offset_only(
        clock: OwnClock,
        control: &mut Control,
        cancel: &Cancel,
    ) -> Result<ClockSync, ProbeError> {
        ClockSync::exchanged(clock, control, repeat_n(now_ns(), GROUP), cancel)
    }

    /// Offset and drift for a window that ends `ahead` ns from now.
    pub fn take(
        clock: OwnClock,
        control: &mut Control,
        ahead: u64,
        cancel: &Cancel,
    ) -> Result<ClockSync, ProbeError> {
        let span = (ahead / SHARE).clamp(NEAREST_NS, FARTHEST_NS);
        let start = now_ns();
        let between = (1..=BETWEEN).map(|i| start + span * i / (BETWEEN + 1));
        let at = repeat_n(start, GROUP).chain(between).chain(repeat_n(start + span, GROUP));
        ClockSync::exchanged(clock, control, at, cancel)
    }

    fn exchanged(
        clock: OwnClock,
        control: &mut Control,
        at: impl Iterator<Item = u64>,
        cancel: &Cancel,
    ) -> Result<ClockSync, ProbeError> {
        let mut exchanges = Vec::with_capacity(4 * GROUP);
        for at in at {
            crate::time::sleep_until(at);
            exchanges.push(one(&clock, control, cancel)?);
        }
        let nothing = || control.link.out_of_order();
        let line = ClockLine::fit(&exchanges).ok_or_else(nothing)?;
        let least = best(&exchanges).ok_or_else(nothing)?.delay();
        Ok(ClockSync { clock, exchanges, line, least })
    }

    /// Requests the server's clock; the answer goes to [`ClockSync::answered`]. `heard` is when this host
    /// heard the coordinator.
    pub fn ask(&self, control: &Control, heard: Option<u64>) -> std::io::Result<()> {
        let heard = heard.map_or(0, |at| self.line.server_at(self.clock.reading(at)));
        control.say(Message { a: self.clock.now(), d: heard, ..Message::new(Op::Clock) })
    }

    /// Records an answer and refits the line if it is reliable. True when the line changed.
    pub fn answered(&mut self, answer: &Message) -> bool {
        let exchange = heard(&self.clock, answer);
        self.exchanges.push(exchange);
        self.least = self.least.min(exchange.delay());
        let moved =
            if believed(exchange.delay(), self.least) { ClockLine::fit(&self.exchanges) } else { None };
        if let Some(line) = moved {
            self.line = line;
        }
        moved.is_some()
    }

    /// A group after the window, the best of a few within `patience`. `None` when all were delayed by queues.
    pub fn take_again(
        &mut self,
        control: &mut Control,
        patience: Nanos,
        cancel: &Cancel,
    ) -> Result<Option<Exchange>, ProbeError> {
        let mut group = Vec::with_capacity(TRIES * GROUP);
        let until = now_ns().saturating_add(patience.0);
        let good = |e: &Exchange| believed(e.delay(), self.least);
        while group.len() < TRIES * GROUP && (group.is_empty() || now_ns() < until) {
            group.push(one(&self.clock, control, cancel)?);
            if group.len().is_multiple_of(GROUP) && best(&group).is_some_and(good) {
                break;
            }
        }
        let found = best(&group).copied().filter(good);
        self.exchanges.extend(group);
        Ok(found)
    }

    pub fn line(&self) -> ClockLine {
        self.line
    }

    pub fn error_ns(&self) -> u64 {
        self.least / 2
    }

    /// The last instant supported by an exchange.
    pub fn measured_at(&self) -> u64 {
        let of_best = |e: &&Exchange| believed(e.delay(), self.least);
        self.exchanges.iter().rev().find(of_best).map_or(0, Exchange::middle)
    }

    /// Converts the server's time to this host's monotonic clock.
    pub fn monotonic(&self, server: u64) -> u64 {
        self.clock.monotonic(self.line.client_at(server))
    }

    /// Every exchange, `t_ns` since t0 on this host, with its cost in `bytes` (user bytes both ways).
    pub fn series(&self, t0_reading: u64) -> Series {
        let column = |of: &dyn Fn(&Exchange) -> i64| self.exchanges.iter().map(of).collect();
        let columns = vec![
            ("t_ns", column(&|e| e.sent.wrapping_sub(t0_reading) as i64)),
            ("round_trip_ns", column(&|e| e.delay() as i64)),
            ("offset_ns", column(&|e| e.offset())),
            ("bytes", column(&|_| 2 * crate::wire::MESSAGE_LEN as i64)),
        ];
        Series::new("clock", columns)
    }
}

/// The exchange of a just received answer.
fn heard(clock: &OwnClock, answer: &Message) -> Exchange {
    Exchange { sent: answer.a, arrived: answer.b, left: answer.c, back: clock.now() }
}

fn one(clock: &OwnClock, control: &mut Control, cancel: &Cancel) -> Result<Exchange, ProbeError> {
    let sent = clock.now();
    control
        .say(Message { a: sent, ..Message::new(Op::Clock) })
        .map_err(|e| control.link.broken("clock exchange", e))?;
    loop {
        let answer = control.wait(Op::Clock, "clock exchange", cancel)?;
        // A late answer to a heartbeat belongs to another question.
        if answer.a == sent {
            return Ok(heard(clock, &answer));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_planted_clock_can_be_read_both_ways() {
        let clock = OwnClock { offset: -5_000_000_000, ppb: 50_000, since: 77_000_000_000 };
        assert_eq!(clock.reading(77_000_000_000), 72_000_000_000);
        assert_eq!(clock.reading(87_000_000_000), 82_000_500_000);
        for at in [77_000_000_000u64, 87_654_321_987, 200_000_000_001] {
            assert!(clock.monotonic(clock.reading(at)).abs_diff(at) <= 1);
        }
        let real = OwnClock::default();
        assert_eq!((real.reading(5), real.monotonic(5)), (5, 5));
    }
}
