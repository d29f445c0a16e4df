//! Combines the counts of a trial's threads, the other end and the supervisor.

use super::receive::FlowReceiveResult;
use super::send::FlowSendResult;
use super::totals_exchange::{FlowTotals, PeerTotals};
use super::{DatagramEnd, open};
use crate::interval_counter::IntervalCounts;
use crate::watch::{SampleMoment, ThreadCounter};
use crate::{CancelFlag, EndpointMeasurement, ProbeError, TrialProgress};
use goodput_model::Series;
use goodput_model::datagram::{Datagram, DatagramCounts, ReceivedTotals, SentTotals};
use goodput_model::trial::{Flow, MeasurementWindow};
use std::sync::atomic::Ordering;

pub(super) enum FlowResult {
    Sent(FlowSendResult),
    Received(Box<FlowReceiveResult>),
    Failed(ProbeError),
}

impl FlowResult {
    pub fn from_error(error: ProbeError) -> FlowResult {
        FlowResult::Failed(error)
    }

    /// For the other end. A thread that failed to start has sent nothing.
    pub fn flow_totals(&self, receives: bool) -> FlowTotals {
        match self {
            FlowResult::Sent(s) => FlowTotals::Sent(s.account.totals()),
            FlowResult::Received(r) => FlowTotals::Received(r.received.totals()),
            FlowResult::Failed(_) if receives => FlowTotals::Received(ReceivedTotals {
                received: 0,
                duplicates: None,
                unresolved: None,
                malformed: 0,
                socket_drops: None,
            }),
            FlowResult::Failed(_) => FlowTotals::Sent(SentTotals { offered: 0, refused: 0, sent: 0 }),
        }
    }
}

/// Bytes, calls, operations.
type Counts = (u64, u64, u64);

pub(super) struct WindowEdgeSamples {
    opened: Vec<Counts>,
    closed: Vec<Counts>,
    cpu: (u64, u64),
}

impl WindowEdgeSamples {
    pub fn new(n: usize) -> WindowEdgeSamples {
        WindowEdgeSamples { opened: vec![(0, 0, 0); n], closed: vec![(0, 0, 0); n], cpu: (0, 0) }
    }

    pub fn take_sample(
        &mut self,
        moment: SampleMoment,
        parts: &[DatagramEnd],
        counters: &[ThreadCounter],
    ) -> TrialProgress {
        let counts = |c: &ThreadCounter| {
            (c.bytes_and_calls().0, c.bytes_and_calls().1, c.operations.load(Ordering::Relaxed))
        };
        let edge = match moment {
            SampleMoment::Opened => Some((&mut self.opened, &mut self.cpu.0)),
            SampleMoment::Closed => Some((&mut self.closed, &mut self.cpu.1)),
            SampleMoment::Tick | SampleMoment::After => None,
        };
        if let Some((at, cpu)) = edge {
            *at = counters.iter().map(counts).collect();
            *cpu = counters.iter().map(ThreadCounter::cpu_ns).sum();
        }
        let mut progress = TrialProgress::default();
        let mut goals = None;
        for ((part, counter), opened) in parts.iter().zip(counters).zip(&self.opened) {
            let (bytes, _, operations) = counts(counter);
            progress.operations += operations.saturating_sub(opened.2);
            if part.receives {
                progress.bytes += bytes.saturating_sub(opened.0);
            }
            if let Some(goal) = part.goal {
                let (did, all) = goals.unwrap_or((0, 0));
                goals = Some((did + operations.min(goal), all + goal));
            }
        }
        progress.done = goals.filter(|g| g.1 > 0).map(|(did, all)| did as f64 / all as f64);
        progress
    }
}

pub(super) fn assemble_result(
    settings: &Datagram,
    window: MeasurementWindow,
    parts: &[DatagramEnd],
    done: Vec<FlowResult>,
    told: PeerTotals,
    samples: &WindowEdgeSamples,
    cancel: &CancelFlag,
) -> EndpointMeasurement {
    let threads_ns = samples.cpu.1.saturating_sub(samples.cpu.0);
    let mut measured = EndpointMeasurement { window, threads_ns, ..EndpointMeasurement::default() };
    let failed = told.error.is_some() || done.iter().any(|d| d.error().is_some());
    measured.window = counted(window, &done, failed || cancel.is_cancelled());
    let size = settings.size.0;
    let by_time = window.t1_ns != 0;
    for (i, (part, done)) in parts.iter().zip(done).enumerate() {
        let mut flow = blank(part, settings);
        let account = DatagramCounts {
            size: settings.size,
            sent: None,
            received: None,
            told_sent: told.sent[i],
            told_received: told.received[i],
        };
        let error = match done {
            FlowResult::Failed(e) => Some(e),
            FlowResult::Sent(mut s) => {
                let total = s.account.sent * size;
                let whole = ((0, 0, 0), (total, s.account.calls, s.account.offered));
                // Without a fixed end, everything sent is in the window.
                let (opened, closed) = if by_time { (samples.opened[i], samples.closed[i]) } else { whole };
                flow.before_bytes = opened.0;
                flow.window_bytes = closed.0.saturating_sub(opened.0);
                flow.after_bytes = total.saturating_sub(opened.0.max(closed.0));
                flow.calls = closed.1.saturating_sub(opened.1);
                s.account.window_offered = closed.2.saturating_sub(opened.2);
                flow.datagrams = Some(DatagramCounts { sent: Some(s.account), ..account });
                s.error
            }
            FlowResult::Received(r) => {
                let a = r.account;
                let datagrams = a.bytes.iter().map(|b| b / size as i64).collect();
                measured.series.push(Series::new(
                    part.name("intervals"),
                    vec![("end_ns", a.ends), ("bytes", a.bytes), ("datagrams", datagrams)],
                ));
                measured.series.extend(r.variation);
                (flow.before_bytes, flow.window_bytes, flow.after_bytes) = (a.before, a.window, a.after);
                (flow.calls, flow.first_byte_ns, flow.last_byte_ns) = (a.calls, a.first, a.last);
                flow.datagrams = Some(DatagramCounts { received: Some(r.received), ..account });
                r.error
            }
        };
        measured.operations += flow.window_bytes / size;
        measured.flows.push(flow);
        measured.broken = measured.broken.or(error);
    }
    measured.broken = measured.broken.or(told.error);
    if cancel.is_cancelled() {
        measured.broken = Some(ProbeError::Cancelled);
    }
    measured
}

/// The counted window: as agreed; without a fixed end from t0 to the receiver's last byte; until the end of
/// counting in a broken trial.
fn counted(window: MeasurementWindow, done: &[FlowResult], broke_off: bool) -> MeasurementWindow {
    let received = || done.iter().filter_map(FlowResult::account);
    let ended = received().map(|a| a.t1).max().or_else(|| done.iter().filter_map(FlowResult::ended_ns).max());
    let ended = ended.unwrap_or(window.t0_ns);
    if window.t1_ns == 0 {
        // The sender of a one-way trial knows only its last send; its window is for CPU accounting, not the
        // rate.
        let t0_ns = received().map(|a| a.t0).min().unwrap_or(window.t0_ns);
        MeasurementWindow { t0_ns, t1_ns: ended.max(t0_ns), ..window }
    } else if broke_off {
        MeasurementWindow { t1_ns: ended.clamp(window.t0_ns, window.t1_ns), ..window }
    } else {
        window
    }
}

impl FlowResult {
    fn error(&self) -> Option<&ProbeError> {
        match self {
            FlowResult::Failed(e) => Some(e),
            FlowResult::Sent(s) => s.error.as_ref(),
            FlowResult::Received(r) => r.error.as_ref(),
        }
    }

    fn account(&self) -> Option<&IntervalCounts> {
        match self {
            FlowResult::Received(r) => Some(&r.account),
            FlowResult::Sent(_) | FlowResult::Failed(_) => None,
        }
    }

    fn ended_ns(&self) -> Option<u64> {
        match self {
            FlowResult::Sent(s) => Some(s.ended_ns),
            FlowResult::Received(_) | FlowResult::Failed(_) => None,
        }
    }
}

fn blank(part: &DatagramEnd, settings: &Datagram) -> Flow {
    Flow {
        index: part.index,
        direction: part.direction,
        receives: part.receives,
        before_bytes: 0,
        window_bytes: 0,
        after_bytes: 0,
        calls: 0,
        first_byte_ns: None,
        last_byte_ns: None,
        socket: open::socket_report(&part.socket, &settings.socket, part.receives),
        tcp: None,
        zero_copy: None,
        tcp_window: None,
        datagrams: None,
    }
}
