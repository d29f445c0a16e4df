//! Combines the counts of a trial's threads, the other end and the supervisor.

use super::receive::FlowReceiveResult;
use super::send::FlowSendResult;
use super::totals_exchange::{FlowTotals, PeerTotals};
use super::{DatagramEnd, open};
use crate::interval_counter::IntervalCounts;
use crate::watch::{CountsAtWindowEdges, ThreadCounters};
use crate::{CancelFlag, EndpointMeasurement, ProbeError, TrialProgress};
use goodput_model::Series;
use goodput_model::datagram::{Datagram, DatagramCounts, ReceivedTotals, SentTotals};
use goodput_model::trial::{Flow, MeasurementWindow};

pub(super) enum FlowResult {
    Sent(FlowSendResult),
    Received(Box<FlowReceiveResult>),
    Failed(ProbeError),
}

impl FlowResult {
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

pub(super) fn compute_progress(
    samples: &CountsAtWindowEdges,
    parts: &[DatagramEnd],
    counters: &[ThreadCounters],
) -> TrialProgress {
    let mut progress = TrialProgress::default();
    let mut goals = None;
    for ((part, counter), opened) in parts.iter().zip(counters).zip(&samples.opened) {
        let (bytes, _, operations) = counter.all_counter_values();
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

pub(super) fn assemble_result(
    settings: &Datagram,
    window: MeasurementWindow,
    parts: &[DatagramEnd],
    done: Vec<FlowResult>,
    told: PeerTotals,
    samples: &CountsAtWindowEdges,
    cancel: &CancelFlag,
) -> EndpointMeasurement {
    let mut measured =
        EndpointMeasurement { window, threads_ns: samples.window_cpu_ns(), ..EndpointMeasurement::default() };
    let failed = told.error.is_some() || done.iter().any(|d| d.error().is_some());
    measured.window = counted(window, &done, failed || cancel.is_cancelled());
    let size = settings.size.0;
    for (i, (part, done)) in parts.iter().zip(done).enumerate() {
        let mut flow = Flow {
            index: part.index,
            direction: part.direction,
            receives: part.receives,
            thread: samples.thread_time(i),
            socket: open::read_effective_socket_options(&part.socket, &settings.socket, part.receives),
            ..Flow::default()
        };
        let account = DatagramCounts {
            size: settings.size,
            sent: None,
            received: None,
            told_sent: told.sent[i],
            told_received: told.received[i],
        };
        let error = match done {
            FlowResult::Failed(e) => Some(e),
            FlowResult::Sent(s) => {
                let [opened, closed] = s.edges;
                flow.before_bytes = opened.0;
                flow.window_bytes = closed.0.saturating_sub(opened.0);
                flow.after_bytes = (s.account.sent * size).saturating_sub(opened.0.max(closed.0));
                flow.calls = closed.1.saturating_sub(opened.1);
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
    measured.broken = cancel.cancelled_error().or(measured.broken).or(told.error);
    measured
}

/// The counted window: as agreed; without a fixed end from t0 to the receiver's last byte; until the end of
/// counting in a broken trial.
fn counted(window: MeasurementWindow, done: &[FlowResult], broke_off: bool) -> MeasurementWindow {
    let received = || done.iter().filter_map(FlowResult::account);
    let ended = received().map(|a| a.t1).max().or_else(|| done.iter().filter_map(FlowResult::ended_ns).max());
    let ended = ended.unwrap_or(window.t0_ns);
    if window.t1_ns == 0 {
        // A one-way sender knows only its last send; its window is for CPU accounting, not the rate.
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
