//! Differences between the system clocks of two hosts, by timestamps at both ends of small exchanges on one TCP
//! connection (RFC 5905, section 8). `docs/methods/clock.md`.

use crate::data_listener::TrialRegistration;
use crate::link::{ConnectionDialer, ProbeConnection, SocketShutdownHandle, control_socket_options};
use crate::time::{now_ns, sleep_until, unix_time_ns};
use crate::watch::{ThreadCounters, run_supervised_thread};
use crate::wire::{ControlMessage, ControlMessageType};
use crate::{CancelFlag, EndpointMeasurement, EndpointTrial, MeasurementResult, ProbeError, TrialProgress};
use goodput_model::Series;
use goodput_model::probe::clock::Clock;
use goodput_model::trial::MeasurementWindow;
use std::net::SocketAddr;
use std::sync::atomic::Ordering;

const MOST_SAMPLES: u64 = 10_000_000;
/// The system clock may run this much faster or slower than CLOCK_MONOTONIC within an exchange; more means that it was
/// set. The kernel slews by at most 500 ppm (adjtimex(2)).
const SET_NS: u64 = 1_000;

#[derive(Default)]
struct Samples {
    at_ns: Vec<i64>,
    offset_ns: Vec<i64>,
    error_ns: Vec<i64>,
    round_trip_ns: Vec<i64>,
}

/// One exchange: the other clock minus ours, and the round trip without the time at the other end.
struct Exchange {
    offset_ns: i64,
    round_trip_ns: u64,
}

pub(crate) fn run_connecting_end(
    trial: EndpointTrial<'_>,
    settings: &Clock,
    peer: SocketAddr,
) -> MeasurementResult {
    check(settings)?;
    let dial = ConnectionDialer { peer, order: trial.order, socket: &control_socket_options() };
    let mut link = dial.open(0)?;
    let window = link.propose_measurement_window(trial.order.probe.measurement_window())?;
    run(trial, link, window, |link, counter| {
        let mut samples = Samples::default();
        let measured = sample_all(link, settings, &window, counter, trial.cancel, &mut samples);
        let ended = measured.and_then(|()| link.send_message(ControlMessage::new(ControlMessageType::End)));
        (Some(samples), ended.err())
    })
}

pub(crate) fn run_listening_end(
    trial: EndpointTrial<'_>,
    settings: &Clock,
    expected: TrialRegistration,
) -> MeasurementResult {
    check(settings)?;
    let mut link = ProbeConnection::accept(&expected, trial.order, &control_socket_options())?;
    let window = link.receive_measurement_window(trial.order.probe.measurement_window())?;
    run(trial, link, window, |link, counter| (None, answer_all(link, counter).err()))
}

fn check(settings: &Clock) -> Result<(), ProbeError> {
    let fail = |why: &str| Err(ProbeError::Settings(why.into()));
    if settings.interval.0 == 0 || settings.time.0 / settings.interval.0.max(1) > MOST_SAMPLES {
        return fail("a clock trial has at most 10,000,000 samples");
    }
    if settings.exchanges == 0 {
        return fail("a clock sample needs an exchange");
    }
    Ok(())
}

fn run(
    trial: EndpointTrial<'_>,
    mut link: ProbeConnection,
    window: MeasurementWindow,
    measure: impl FnOnce(&mut ProbeConnection, &ThreadCounters) -> (Option<Samples>, Option<ProbeError>) + Send,
) -> MeasurementResult {
    let counter = ThreadCounters::default();
    let progress = |_| TrialProgress {
        operations: counter.operations.load(Ordering::Relaxed),
        ..TrialProgress::default()
    };
    let waits = SocketShutdownHandle::new(&link, None);
    let measure = || measure(&mut link, &counter);
    let (samples, measured) = run_supervised_thread(
        trial,
        &window,
        &counter,
        || waits.tcp_traffic(),
        || waits.shut_down_sockets(),
        progress,
        measure,
    )?;
    Ok(EndpointMeasurement { series: samples.map(Samples::series).into_iter().collect(), ..measured })
}

fn sample_all(
    link: &mut ProbeConnection,
    settings: &Clock,
    window: &MeasurementWindow,
    counter: &ThreadCounters,
    cancel: &CancelFlag,
    samples: &mut Samples,
) -> Result<(), ProbeError> {
    let mut next = window.t0_ns;
    while next < window.t1_ns && !cancel.is_cancelled() {
        sleep_until(next);
        let mut best: Option<(u64, Exchange)> = None;
        for _ in 0..settings.exchanges {
            let begun = now_ns();
            if let Some(exchange) = exchange(link, counter)?
                && best.as_ref().is_none_or(|(_, best)| exchange.round_trip_ns < best.round_trip_ns)
            {
                best = Some((begun, exchange));
            }
        }
        if let Some((begun, best)) = best {
            samples.push(begun.saturating_sub(window.t0_ns), &best);
        }
        // A late sample is not made up for.
        next = (next + settings.interval.0).max(now_ns());
    }
    Ok(())
}

/// `None` where the system clock was set meanwhile.
fn exchange(link: &mut ProbeConnection, counter: &ThreadCounters) -> Result<Option<Exchange>, ProbeError> {
    let (sent, sent_wall) = (now_ns(), unix_time_ns());
    link.send_message(ControlMessageType::Clock.to_message_with_value(sent_wall))?;
    let answer = link.expect_message(ControlMessageType::Clock, "clock exchange")?;
    let (received_wall, received) = (unix_time_ns(), now_ns());
    counter.operations.fetch_add(1, Ordering::Relaxed);
    let (monotonic, wall) = (received - sent, received_wall.wrapping_sub(sent_wall));
    if wall.abs_diff(monotonic) > SET_NS + monotonic / 1_000 {
        return Ok(None);
    }
    let there = answer.c.wrapping_sub(answer.b);
    if there > monotonic {
        return Ok(None);
    }
    Ok(Some(Exchange {
        offset_ns: offset(sent_wall, answer.b, answer.c, received_wall),
        round_trip_ns: monotonic - there,
    }))
}

/// RFC 5905, section 8: half of (T2 - T1) + (T3 - T4).
fn offset(sent: u64, arrived: u64, answered: u64, received: u64) -> i64 {
    let apart = |a: u64, b: u64| i128::from(a) - i128::from(b);
    let twice = apart(arrived, sent) + apart(answered, received);
    i64::try_from(twice.div_euclid(2)).unwrap_or(if twice < 0 { i64::MIN } else { i64::MAX })
}

fn answer_all(link: &mut ProbeConnection, counter: &ThreadCounters) -> Result<(), ProbeError> {
    loop {
        let message = link.receive_message("clock exchange")?;
        let arrived = unix_time_ns();
        match message.op {
            ControlMessageType::Clock => {
                counter.operations.fetch_add(1, Ordering::Relaxed);
                link.send_message(ControlMessage { b: arrived, c: unix_time_ns(), ..message })?;
            }
            ControlMessageType::End => return Ok(()),
            _ => return Err(link.unexpected_message_error()),
        }
    }
}

impl Samples {
    fn push(&mut self, at_ns: u64, exchange: &Exchange) {
        self.at_ns.push(at_ns as i64);
        self.offset_ns.push(exchange.offset_ns);
        self.error_ns.push(exchange.round_trip_ns.div_ceil(2) as i64);
        self.round_trip_ns.push(exchange.round_trip_ns as i64);
    }

    fn series(self) -> Series {
        let columns = vec![
            ("at_ns", self.at_ns),
            ("offset_ns", self.offset_ns),
            ("error_ns", self.error_ns),
            ("round_trip_ns", self.round_trip_ns),
        ];
        Series::new("clock", columns)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use goodput_model::Nanos;

    #[test]
    fn the_offset_is_free_of_a_symmetric_delay() {
        // The other clock is 1,000 ahead; 30 each way, 5 at the other end.
        assert_eq!(offset(100, 1_130, 1_135, 165), 1_000);
        // All delay on the way there: the error is half of it.
        assert_eq!(offset(100, 1_160, 1_165, 165), 1_030);
        assert_eq!(offset(u64::MAX, 0, 0, u64::MAX), i64::MIN);
    }

    #[test]
    fn settings_without_samples_are_refused() {
        assert!(check(&Clock::default()).is_ok());
        assert!(check(&Clock { exchanges: 0, ..Clock::default() }).is_err());
        assert!(check(&Clock { interval: Nanos(0), ..Clock::default() }).is_err());
        assert!(check(&Clock { interval: Nanos(1), ..Clock::default() }).is_err());
    }
}
