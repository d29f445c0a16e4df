//! A client's clock synchronisation with the server.

use super::control::ControlConnection;
use super::offset::{ClockExchange, ClockOffsetModel, is_near_min_delay, min_delay_exchange};
use crate::time::now_ns;
use crate::wire::{ControlMessage, ControlMessageType};
use crate::{CancelFlag, ProbeError};
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
pub(crate) struct LocalClock {
    offset: i64,
    ppb: i64,
    since: u64,
}

impl LocalClock {
    /// Adds `offset`, and drifts by `ppb` parts per billion from now on.
    #[cfg(test)]
    pub fn planted(offset: i64, ppb: i64) -> LocalClock {
        LocalClock { offset, ppb, since: now_ns() }
    }

    pub fn from_monotonic(&self, monotonic: u64) -> u64 {
        let gained = (i128::from(monotonic) - i128::from(self.since)) * i128::from(self.ppb) / 1_000_000_000;
        (i128::from(monotonic) + i128::from(self.offset) + gained) as u64
    }

    pub fn to_monotonic(&self, reading: u64) -> u64 {
        let since = i128::from(reading) - i128::from(self.offset) - i128::from(self.since);
        (i128::from(self.since) + since * 1_000_000_000 / (1_000_000_000 + i128::from(self.ppb))) as u64
    }

    fn now(&self) -> u64 {
        self.from_monotonic(now_ns())
    }
}

pub(crate) struct ClockSync {
    pub clock: LocalClock,
    exchanges: Vec<ClockExchange>,
    line: ClockOffsetModel,
    least: u64,
}

impl ClockSync {
    /// Sufficient for a common start.
    pub fn measure_offset(
        clock: LocalClock,
        control: &mut ControlConnection,
        cancel: &CancelFlag,
    ) -> Result<ClockSync, ProbeError> {
        ClockSync::exchanged(clock, control, repeat_n(now_ns(), GROUP), cancel)
    }

    /// Offset and drift for a window that ends `ahead` ns from now.
    pub fn measure_offset_and_drift(
        clock: LocalClock,
        control: &mut ControlConnection,
        ahead: u64,
        cancel: &CancelFlag,
    ) -> Result<ClockSync, ProbeError> {
        let span = (ahead / SHARE).clamp(NEAREST_NS, FARTHEST_NS);
        let start = now_ns();
        let between = (1..=BETWEEN).map(|i| start + span * i / (BETWEEN + 1));
        let at = repeat_n(start, GROUP).chain(between).chain(repeat_n(start + span, GROUP));
        ClockSync::exchanged(clock, control, at, cancel)
    }

    fn exchanged(
        clock: LocalClock,
        control: &mut ControlConnection,
        at: impl Iterator<Item = u64>,
        cancel: &CancelFlag,
    ) -> Result<ClockSync, ProbeError> {
        let mut exchanges = Vec::with_capacity(4 * GROUP);
        for at in at {
            crate::time::sleep_until(at);
            exchanges.push(one(&clock, control, cancel)?);
        }
        let nothing = || control.link.unexpected_message_error();
        let line = ClockOffsetModel::fit(&exchanges).ok_or_else(nothing)?;
        let least = min_delay_exchange(&exchanges).ok_or_else(nothing)?.round_trip_delay();
        Ok(ClockSync { clock, exchanges, line, least })
    }

    /// Asks for the server's clock, for [`ClockSync::answered`]. `heard` is when the coordinator was heard.
    pub fn request_server_time(
        &self,
        control: &ControlConnection,
        heard: Option<u64>,
    ) -> std::io::Result<()> {
        let heard = heard.map_or(0, |at| self.line.server_time_at(self.clock.from_monotonic(at)));
        control.write_message(ControlMessage {
            d: heard,
            ..ControlMessageType::Clock.to_message_with_value(self.clock.now())
        })
    }

    /// Records an answer and refits the line if it is reliable. True when the line changed.
    pub fn record_server_time(&mut self, answer: &ControlMessage) -> bool {
        let exchange = heard(&self.clock, answer);
        self.exchanges.push(exchange);
        self.least = self.least.min(exchange.round_trip_delay());
        let moved = if is_near_min_delay(exchange.round_trip_delay(), self.least) {
            ClockOffsetModel::fit(&self.exchanges)
        } else {
            None
        };
        if let Some(line) = moved {
            self.line = line;
        }
        moved.is_some()
    }

    /// A group after the window, the best of a few within `patience`. `None` when all were delayed by queues.
    pub fn measure_offset_after_window(
        &mut self,
        control: &mut ControlConnection,
        patience: Nanos,
        cancel: &CancelFlag,
    ) -> Result<Option<ClockExchange>, ProbeError> {
        let mut group = Vec::with_capacity(TRIES * GROUP);
        let until = now_ns().saturating_add(patience.0);
        let good = |e: &ClockExchange| is_near_min_delay(e.round_trip_delay(), self.least);
        while group.len() < TRIES * GROUP && (group.is_empty() || now_ns() < until) {
            group.push(one(&self.clock, control, cancel)?);
            if group.len().is_multiple_of(GROUP) && min_delay_exchange(&group).is_some_and(good) {
                break;
            }
        }
        let found = min_delay_exchange(&group).copied().filter(good);
        self.exchanges.extend(group);
        Ok(found)
    }

    pub fn offset_model(&self) -> ClockOffsetModel {
        self.line
    }

    pub fn clock_error_ns(&self) -> u64 {
        self.least / 2
    }

    /// The last instant supported by an exchange.
    pub fn last_reliable_exchange_time(&self) -> u64 {
        let of_best = |e: &&ClockExchange| is_near_min_delay(e.round_trip_delay(), self.least);
        self.exchanges.iter().rev().find(of_best).map_or(0, ClockExchange::midpoint)
    }

    /// Converts the server's time to this host's monotonic clock.
    pub fn server_time_to_monotonic(&self, server: u64) -> u64 {
        self.clock.to_monotonic(self.line.client_time_at(server))
    }

    /// Every exchange, `t_ns` since t0 on this host, with its cost in `bytes` (user bytes both ways).
    pub fn clock_exchange_series(&self, t0_reading: u64) -> Series {
        let column = |of: &dyn Fn(&ClockExchange) -> i64| self.exchanges.iter().map(of).collect();
        let columns = vec![
            ("t_ns", column(&|e| e.sent.wrapping_sub(t0_reading) as i64)),
            ("round_trip_ns", column(&|e| e.round_trip_delay() as i64)),
            ("offset_ns", column(&|e| e.offset())),
            ("bytes", column(&|_| 2 * crate::wire::CONTROL_MESSAGE_BYTES as i64)),
        ];
        Series::new("clock", columns)
    }
}

/// The exchange of a just received answer.
fn heard(clock: &LocalClock, answer: &ControlMessage) -> ClockExchange {
    ClockExchange { sent: answer.a, arrived: answer.b, left: answer.c, back: clock.now() }
}

fn one(
    clock: &LocalClock,
    control: &mut ControlConnection,
    cancel: &CancelFlag,
) -> Result<ClockExchange, ProbeError> {
    let sent = clock.now();
    control
        .write_message(ControlMessageType::Clock.to_message_with_value(sent))
        .map_err(|e| control.link.convert_io_error("clock exchange", e))?;
    loop {
        let answer = control.wait_for_message(ControlMessageType::Clock, "clock exchange", cancel)?;
        // A late answer to a heartbeat belongs to another question.
        if answer.a == sent {
            return Ok(heard(clock, &answer));
        }
    }
}
