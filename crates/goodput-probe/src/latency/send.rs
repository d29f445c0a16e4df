//! The thread that sends probes on schedule and receives their answers.

use super::schedule::Schedule;
use crate::link::Link;
use crate::request::channel::{Channel, Udp};
use crate::time::now_ns;
use crate::watch::{Counter, Shared};
use crate::wire::{Message, Op};
use crate::{Cancel, ProbeError};
use goodput_model::Series;
use goodput_model::latency::Latency;
use std::io;
use std::net::UdpSocket;
use std::sync::atomic::Ordering;

const LOOK_NS: u64 = 100_000_000;

pub(super) struct Sent {
    pub answered: u64,
    pub series: Series,
    pub notes: Vec<String>,
}

/// Runs until every probe is answered or lost, then notifies the other end.
pub(super) fn run(
    settings: &Latency,
    mut schedule: Schedule,
    talk: &mut Link,
    udp: &UdpSocket,
    counter: &Counter,
    shared: &Shared,
    cancel: &Cancel,
) -> (Sent, Option<ProbeError>) {
    let result = Udp::new(udp, &settings.probe_requests())
        .and_then(|channel| exchange(channel, &mut schedule, counter, shared, cancel))
        .map_err(|e| talk.broken("an answer to a probe", e))
        .and_then(|()| talk.send(Message::new(Op::End)));
    let mut notes = Vec::new();
    if schedule.duplicates() > 0 {
        notes.push(format!("{} answers to probes came more than once", schedule.duplicates()));
    }
    let answered = schedule.answered_in_window();
    (Sent { answered, series: schedule.series(), notes }, result.err())
}

fn exchange(
    mut channel: Udp,
    schedule: &mut Schedule,
    counter: &Counter,
    shared: &Shared,
    cancel: &Cancel,
) -> io::Result<()> {
    let mut answers = 0;
    loop {
        let mut now = now_ns();
        while schedule.due().is_some_and(|due| due <= now) {
            // Without buffer space the probe waits, charged from its due time. The time before the call: the
            // call is part of the round trip.
            if !channel.try_send(schedule.next())? {
                break;
            }
            schedule.sent(now);
            now = now_ns();
        }
        if schedule.is_over(now) || cancel.is_cancelled() || shared.stopping_early() {
            return Ok(());
        }
        let until = schedule.due().unwrap_or_else(|| schedule.last_chance());
        // A due probe without buffer space is retried as soon as there is some.
        let blocked = until <= now;
        if let Some(number) = channel.receive(until.min(now + LOOK_NS), blocked)? {
            schedule.answered(number, now_ns());
            answers += 1;
            counter.operations.store(answers, Ordering::Relaxed);
        }
    }
}
