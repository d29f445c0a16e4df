//! The thread that sends probes on schedule and receives their answers.

use super::schedule::ProbeSchedule;
use crate::link::ProbeConnection;
use crate::request::request_channel::{RequestChannel, UdpRequestChannel};
use crate::time::now_ns;
use crate::watch::{ThreadCounters, ThreadSupervision};
use crate::wire::{ControlMessage, ControlMessageType};
use crate::{CancelFlag, ProbeError};
use goodput_model::Series;
use goodput_model::latency::Latency;
use std::io;
use std::net::UdpSocket;
use std::sync::atomic::Ordering;

const LOOK_NS: u64 = 100_000_000;

pub(super) struct LatencyRunResult {
    pub answered: u64,
    pub series: Series,
    pub notes: Vec<String>,
}

/// Runs until every probe is answered or lost, then notifies the other end.
pub(super) fn run_probes(
    settings: &Latency,
    mut schedule: ProbeSchedule,
    talk: &mut ProbeConnection,
    udp: &UdpSocket,
    counter: &ThreadCounters,
    shared: &ThreadSupervision,
    cancel: &CancelFlag,
) -> (LatencyRunResult, Option<ProbeError>) {
    let result = UdpRequestChannel::new(udp, &settings.udp_request_settings(), counter)
        .and_then(|channel| exchange(channel, &mut schedule, counter, shared, cancel))
        .map_err(|e| talk.convert_io_error("an answer to a probe", e))
        .and_then(|()| talk.send_message(ControlMessage::new(ControlMessageType::End)));
    let mut notes = Vec::new();
    if schedule.duplicate_count() > 0 {
        notes.push(format!("{} answers to probes came more than once", schedule.duplicate_count()));
    }
    let answered = schedule.measured_answer_count();
    (LatencyRunResult { answered, series: schedule.into_series(), notes }, result.err())
}

fn exchange(
    mut channel: UdpRequestChannel<'_>,
    schedule: &mut ProbeSchedule,
    counter: &ThreadCounters,
    shared: &ThreadSupervision,
    cancel: &CancelFlag,
) -> io::Result<()> {
    let mut answers = 0;
    loop {
        let mut now = now_ns();
        while schedule.next_due_time().is_some_and(|due| due <= now) {
            // Without buffer space the probe waits, charged from its due time. The time before the call: the
            // call is part of the round trip.
            if !channel.try_send_request(schedule.next_probe_number())? {
                break;
            }
            schedule.record_sent(now);
            now = now_ns();
        }
        if schedule.is_finished(now) || cancel.is_cancelled() || shared.has_thread_failed() {
            return Ok(());
        }
        let until = schedule.next_due_time().unwrap_or_else(|| schedule.last_answer_deadline());
        // A due probe without buffer space is retried as soon as there is some.
        let blocked = until <= now;
        if let Some(number) = channel.receive_answer(until.min(now + LOOK_NS), blocked)? {
            schedule.record_answer(number, now_ns());
            answers += 1;
            counter.operations.store(answers, Ordering::Relaxed);
        }
    }
}
