//! Message-size sweep: messages of each size go back and forth over one connection. The connecting end
//! decides sizes, repeats and stops, and announces each batch outside the timed span. See
//! `docs/methods/pingpong.md`.

mod compat;
mod exchange;
mod native;

use crate::data_listener::TrialRegistration;
use crate::link::{ConnectionDialer, ProbeConnection, SocketShutdownHandle};
use crate::socket::{self, with_tcp_nodelay_default};
use crate::time::now_ns;
use crate::watch::{ThreadCounters, run_supervised_thread};
use crate::wire::{ControlMessage, ControlMessageType};
use crate::{EndpointMeasurement, EndpointTrial, MeasurementResult, ProbeError, TrialProgress, locked};
use exchange::{BatchTiming, MessageBuffers};
use goodput_model::Series;
use goodput_model::probe::{PingPong, PingPongMethod, PingPongPattern, SocketOptions};
use goodput_model::trial::{Flow, MeasurementWindow};
use std::net::SocketAddr;
use std::sync::Mutex;
use std::sync::atomic::Ordering;

/// Larger messages are refused, because several buffers are needed.
const LARGEST: u64 = 1 << 30;
const MAX_SIZES: usize = 65_536;

pub(crate) fn run_connecting_end(
    trial: EndpointTrial<'_>,
    settings: &PingPong,
    peer: SocketAddr,
) -> MeasurementResult {
    check(settings)?;
    let options = with_tcp_nodelay_default(&settings.socket);
    let dial = ConnectionDialer { peer, order: trial.order, socket: &options };
    let mut link = dial.open(0)?;
    let window = link.propose_measurement_window(trial.order.probe.measurement_window())?;
    run(trial, settings, link, window, |link, current, counter| {
        let mut books = PingPongRecord::new(settings);
        let mut end = Driver { settings, trial, link, dial: Some(dial), current, counter, memory: None };
        let result = match &settings.method {
            PingPongMethod::Native { .. } => native::run_size_sweep(&mut end, &mut books),
            PingPongMethod::Compat { .. } => compat::run_netpipe_sweep(&mut end, &mut books),
        };
        let result =
            result.and_then(|()| end.link.send_message(ControlMessage::new(ControlMessageType::End)));
        (end.link, books, result)
    })
}

pub(crate) fn run_listening_end(
    trial: EndpointTrial<'_>,
    settings: &PingPong,
    expected: TrialRegistration,
) -> MeasurementResult {
    check(settings)?;
    let options = &with_tcp_nodelay_default(&settings.socket);
    let congestion = expected.request_congestion_control(options);
    let mut link = ProbeConnection::accept(&expected, trial.order, options)?;
    drop(congestion);
    let window = link.receive_measurement_window(trial.order.probe.measurement_window())?;
    run(trial, settings, link, window, move |link, current, counter| {
        let mut end = Driver { settings, trial, link, dial: None, current, counter, memory: None };
        let result = end.respond(&expected, options);
        (end.link, PingPongRecord::new(settings), result)
    })
}

fn check(settings: &PingPong) -> Result<(), ProbeError> {
    let fail = |why: &str| Err(ProbeError::Settings(why.into()));
    if settings.sizes.is_empty() {
        return fail("a sweep needs at least one message size");
    }
    if settings.sizes.len() > MAX_SIZES {
        return fail("a sweep has at most 65,536 message sizes");
    }
    if settings.sample_cap > PingPong::MAX_SAMPLES {
        return fail("at most 33,554,432 round trips can be kept as samples");
    }
    if settings.sizes.iter().any(|s| s.0 == 0 || s.0 > LARGEST) {
        return fail("message sizes must be from 1 B to 1 GiB");
    }
    Ok(())
}

pub(crate) struct PingPongRecord {
    batches: [Vec<i64>; 7],
    round_trips: [Vec<i64>; 2],
    cap: usize,
    sizes: [Vec<i64>; 2],
    notes: Vec<String>,
    operations: u64,
}

impl PingPongRecord {
    fn new(settings: &PingPong) -> PingPongRecord {
        let cap = match settings.method {
            PingPongMethod::Native { .. } => settings.sample_cap as usize,
            PingPongMethod::Compat { .. } => 0,
        };
        PingPongRecord {
            batches: Default::default(),
            // Grows between batches, outside the timed spans.
            round_trips: Default::default(),
            cap,
            sizes: Default::default(),
            notes: Vec::new(),
            operations: 0,
        }
    }

    /// `round_trips` is empty where only the whole was timed.
    fn batch(&mut self, size: u64, pass: u32, batch: u32, timed: &BatchTiming, sorted: &[u32]) {
        let row = self.batches[0].len() as i64;
        let median = median(sorted);
        let least = sorted.first().map_or(0, |r| i64::from(*r));
        let values = [
            size as i64,
            i64::from(pass),
            i64::from(batch),
            timed.repeats as i64,
            timed.elapsed_ns as i64,
            median,
            least,
        ];
        self.batches.iter_mut().zip(values).for_each(|(column, value)| column.push(value));
        self.operations += timed.repeats;
        let room = self.cap - self.round_trips[0].len();
        if sorted.len() > room {
            // A part of a sorted batch would be biased: a batch is kept whole or not at all.
            if self.notes.is_empty() {
                let kept = self.round_trips[0].len();
                self.notes
                    .push(format!("only the first {kept} RTTs are kept as samples; batches are complete"));
            }
            return;
        }
        for rtt in sorted {
            self.round_trips[0].push(row);
            self.round_trips[1].push(i64::from(*rtt));
        }
    }

    fn size_done(&mut self, size: u64, cap_reached: bool) {
        self.sizes[0].push(size as i64);
        self.sizes[1].push(i64::from(cap_reached));
    }

    fn series(self) -> Vec<Series> {
        let named =
            |names: &[&'static str], columns: Vec<Vec<i64>>| names.iter().copied().zip(columns).collect();
        let batch_columns =
            ["size_bytes", "pass", "batch", "repeats", "elapsed_ns", "median_rtt_ns", "min_rtt_ns"];
        let mut series = vec![
            Series::new("batches", named(&batch_columns, self.batches.into())),
            Series::new("sizes", named(&["size_bytes", "cap_reached"], self.sizes.into())),
        ];
        if !self.round_trips[0].is_empty() {
            series.push(Series::new("round_trips", named(&["batch", "rtt_ns"], self.round_trips.into())));
        }
        series
    }
}

fn median(sorted: &[u32]) -> i64 {
    match sorted.len() {
        0 => 0,
        n if n % 2 == 1 => i64::from(sorted[n / 2]),
        n => (i64::from(sorted[n / 2 - 1]) + i64::from(sorted[n / 2])) / 2,
    }
}

/// One end of the sweep, with its connection and buffers.
struct Driver<'a> {
    settings: &'a PingPong,
    trial: EndpointTrial<'a>,
    link: ProbeConnection,
    dial: Option<ConnectionDialer<'a>>,
    current: &'a Mutex<SocketShutdownHandle>,
    counter: &'a ThreadCounters,
    memory: Option<MessageBuffers>,
}

impl Driver<'_> {
    /// Connecting end: announces and runs a batch. `round_trips` receives the times, if the pattern has any.
    fn batch(
        &mut self,
        size: u64,
        repeats: u64,
        round_trips: Option<&mut Vec<u32>>,
    ) -> Result<BatchTiming, ProbeError> {
        self.trial.cancel.check_not_cancelled()?;
        let pattern = self.settings.pattern;
        let order =
            ControlMessage { op: ControlMessageType::Batch, a: size, b: repeats, c: code(pattern), d: 0 };
        // Buffers are ready at both ends before the answer, so page faults precede the batch.
        self.prepare(size)?;
        self.link.send_message(order)?;
        self.link.expect_message(ControlMessageType::Ready, "readiness for a batch")?;
        let memory = self.memory.as_mut().ok_or_else(no_memory)?;
        let timed =
            exchange::initiate_batch(&mut self.link, memory, self.settings, size, repeats, round_trips)?;
        self.counter.operations.fetch_add(repeats, Ordering::Relaxed);
        let moved = self.counter.byte_and_syscall_counts().0 + size * repeats;
        self.counter.set_byte_and_syscall_counts(moved, 0);
        Ok(timed)
    }

    /// Connecting end: reconnects (`-r`; in native mode between passes, with new buffers at both ends).
    fn reset(&mut self) -> Result<(), ProbeError> {
        let Some(dial) = self.dial else { return Ok(()) };
        self.link.send_message(ControlMessage::new(ControlMessageType::Reset))?;
        self.link.expect_message(ControlMessageType::Ready, "readiness for a new connection")?;
        self.renew(dial.open(self.link.index.wrapping_add(1))?);
        Ok(())
    }

    fn renew(&mut self, link: ProbeConnection) {
        let mut current = locked(self.current);
        // Under the lock, so that the traffic of the former connection is counted once.
        let traffic = current.tcp_traffic();
        self.counter.add_traffic(traffic.sent, traffic.received);
        *current = SocketShutdownHandle::new(&link, None);
        drop(current);
        self.link = link;
        // A cold pool exceeds all caches wherever it lies, and is slow to allocate.
        if matches!(self.settings.method, PingPongMethod::Native { .. }) && !self.settings.cold {
            self.memory = None;
        }
    }

    fn prepare(&mut self, size: u64) -> Result<(), ProbeError> {
        if self.memory.as_ref().is_none_or(|m| m.max_message_bytes() < size) {
            let largest = self.settings.sizes.iter().map(|s| s.0).max().unwrap_or(size).max(size);
            self.memory = Some(MessageBuffers::new(self.settings, largest)?);
        }
        if let Some(memory) = self.memory.as_mut() {
            memory.flush_cpu_cache();
        }
        Ok(())
    }

    fn respond(&mut self, expected: &TrialRegistration, options: &SocketOptions) -> Result<(), ProbeError> {
        loop {
            let order = self.link.receive_message("the next batch")?;
            match order.op {
                ControlMessageType::End => return Ok(()),
                ControlMessageType::Reset => {
                    let _congestion = expected.request_congestion_control(options);
                    self.link.send_message(ControlMessage::new(ControlMessageType::Ready))?;
                    let next = ProbeConnection::accept(expected, self.trial.order, options)?;
                    self.renew(next);
                }
                ControlMessageType::Batch
                    if self.settings.sizes.iter().any(|size| size.0 == order.a)
                        && order.c == code(self.settings.pattern) =>
                {
                    self.prepare(order.a)?;
                    self.link.send_message(ControlMessage::new(ControlMessageType::Ready))?;
                    let memory = self.memory.as_mut().ok_or_else(no_memory)?;
                    exchange::respond_to_batch(&mut self.link, memory, self.settings, order.a, order.b)?;
                    self.counter.operations.fetch_add(order.b, Ordering::Relaxed);
                }
                _ => return Err(self.link.unexpected_message_error()),
            }
        }
    }
}

fn no_memory() -> ProbeError {
    ProbeError::Settings("no buffers were prepared".into())
}

fn code(pattern: PingPongPattern) -> u64 {
    match pattern {
        PingPongPattern::PingPong => 0,
        PingPongPattern::Streaming => 1,
        PingPongPattern::TwoWay => 2,
    }
}

/// Both ends: one measuring thread, one supervisor, an open-ended window.
fn run(
    trial: EndpointTrial<'_>,
    settings: &PingPong,
    link: ProbeConnection,
    window: MeasurementWindow,
    measure: impl for<'m> FnOnce(
        ProbeConnection,
        &'m Mutex<SocketShutdownHandle>,
        &'m ThreadCounters,
    ) -> (ProbeConnection, PingPongRecord, Result<(), ProbeError>)
    + Send,
) -> MeasurementResult {
    let counter = ThreadCounters::default();
    let current = Mutex::new(SocketShutdownHandle::new(&link, None));
    let unblock = || locked(&current).shut_down_sockets();
    let traffic = || locked(&current).tcp_traffic();
    let sample = |_| TrialProgress {
        bytes: counter.byte_and_syscall_counts().0,
        operations: counter.operations.load(Ordering::Relaxed),
        done: progress(settings, &window),
        ..TrialProgress::default()
    };
    let measure = || {
        let (link, books, result) = measure(link, &current, &counter);
        ((link, books, now_ns()), result.err())
    };
    let ((link, books, ended), mut measured) =
        run_supervised_thread(trial, &window, &counter, traffic, unblock, sample, measure)?;
    measured.window.t1_ns = ended;
    let flow = Flow {
        receives: true,
        window_bytes: counter.byte_and_syscall_counts().0,
        socket: socket::read_effective_socket_options(
            &link.stream,
            &with_tcp_nodelay_default(&settings.socket),
        ),
        tcp: link.tcp_statistics(),
        ..Flow::default()
    };
    Ok(EndpointMeasurement {
        flows: vec![flow],
        operations: books.operations.max(measured.operations),
        notes: books.notes.clone(),
        series: books.series(),
        ..measured
    })
}

/// Progress by maximum time, because sizes finish in no fixed order.
fn progress(settings: &PingPong, window: &MeasurementWindow) -> Option<f64> {
    let longest = match settings.method {
        PingPongMethod::Native { cap, .. } => cap.0,
        PingPongMethod::Compat { trials, run_time, .. } => u64::from(trials) * run_time.0 * 6 / 5,
    } * settings.sizes.len() as u64;
    let elapsed = now_ns().saturating_sub(window.t0_ns);
    (longest > 0).then(|| (elapsed as f64 / longest as f64).min(1.0))
}
