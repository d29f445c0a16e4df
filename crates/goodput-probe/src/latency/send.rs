//! The thread that sends probes on schedule and takes their answers.

use super::schedule::Schedule;
use crate::clock::now_ns;
use crate::link::Link;
use crate::request::channel::{Channel, Udp};
use crate::watch::{Counter, Shared};
use crate::wire::{Message, Op};
use crate::{Cancel, ProbeError};
use goodput_model::Series;
use goodput_model::latency::Latency;
use std::io;
use std::net::UdpSocket;
use std::sync::atomic::Ordering;

/// No wait is longer, so that cancelling is noticed.
const LOOK_NS: u64 = 100_000_000;

/// What the thread leaves behind.
pub(super) struct Sent {
    pub answered: u64,
    pub series: Series,
    pub notes: Vec<String>,
}

/// Sends and receives until every probe is answered or lost, then tells the other end.
pub(super) fn run(
    settings: &Latency,
    mut schedule: Schedule,
    talk: &mut Link,
    udp: &UdpSocket,
    counter: &Counter,
    shared: &Shared,
    cancel: &Cancel,
) -> (Sent, Option<ProbeError>) {
    let result = Udp::new(udp, &settings.requests())
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
            // With no room in the socket's buffer the probe waits; it is charged from when it was due.
            // The instant before the call: what the call takes belongs to the round trip.
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
        // A probe that is due and has found no room is tried again as soon as there is some.
        let blocked = until <= now;
        if let Some(number) = channel.receive(until.min(now + LOOK_NS), blocked)? {
            schedule.answered(number, now_ns());
            answers += 1;
            counter.operations.store(answers, Ordering::Relaxed);
        }
    }
}
