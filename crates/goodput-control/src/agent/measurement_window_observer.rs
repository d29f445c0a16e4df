//! An agent at the window's edges and during it: CPU snapshots, counters, live samples, last progress.

use super::cpu_sampler::CpuSampler;
use super::last_contact::LastContact;
use crate::locked;
use crate::message_bus::CombinedBus;
use goodput_host::counters::CounterMeasurement;
use goodput_host::cpu::CpuSnapshot;
use goodput_host::{HostError, InterfaceScope, collect_inventory};
use goodput_model::Probe;
use goodput_model::event::LiveProgress;
use goodput_model::host::{CpuAccounting, HostCounters, HostFacts};
use goodput_model::ids::TrialId;
use goodput_model::trial::{EndpointReport, EndpointRole};
use goodput_model::units::Nanos;
use goodput_probe::{EndpointMeasurement, TrafficLimits, TrialObserver, TrialProgress};
use goodput_words::ErrorMessage;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Time of the last progress and of the last arrival in a running trial.
#[derive(Debug)]
pub struct ProgressTracker {
    last: Mutex<Last>,
    /// True if completing an operation implies that data arrived.
    operations_imply_arrival: bool,
}

#[derive(Debug)]
struct Last {
    moved: (Instant, u64),
    arrived_at: (Instant, u64),
}

impl ProgressTracker {
    pub(crate) fn new(probe: &Probe) -> ProgressTracker {
        let now = Instant::now();
        ProgressTracker {
            last: Mutex::new(Last { moved: (now, 0), arrived_at: (now, 0) }),
            operations_imply_arrival: probe.settings().has_replies(),
        }
    }

    pub(super) fn time_since_last_progress(&self) -> Duration {
        locked(&self.last).moved.0.elapsed()
    }

    pub(super) fn time_since_data_arrived(&self) -> Duration {
        locked(&self.last).arrived_at.0.elapsed()
    }

    fn note(&self, progress: &TrialProgress) {
        let moved = progress.bytes.wrapping_add(progress.operations);
        let arrived_at = if self.operations_imply_arrival { moved } else { progress.bytes };
        let mut last = locked(&self.last);
        let Last { moved: last_moved, arrived_at: last_came_in } = &mut *last;
        for (last, count) in [(last_moved, moved), (last_came_in, arrived_at)] {
            if last.1 != count {
                *last = (Instant::now(), count);
            }
        }
    }
}

pub struct LivePublisher {
    pub bus: Arc<CombinedBus>,
    pub key: String,
}

pub struct MeasurementWindowObserver {
    trial: TrialId,
    live: Option<LivePublisher>,
    movement: Arc<ProgressTracker>,
    word: Arc<LastContact>,
    edges: Mutex<Edges>,
    /// Samples the CPU for a watcher.
    cpu: Option<Mutex<CpuSampler>>,
    limits: TrafficLimits,
}

#[derive(Default)]
struct Edges {
    opened: Option<Result<CpuSnapshot, HostError>>,
    closed: Option<Result<CpuSnapshot, HostError>>,
    counting: Option<CounterMeasurement>,
    counted: Option<HostCounters>,
}

pub struct MeasurementWindowHostUsage {
    pub cpu: Result<CpuAccounting, String>,
    pub counters: Option<HostCounters>,
}

impl MeasurementWindowObserver {
    /// `live` is `None` when nothing may be published during the window.
    pub fn new(
        trial: TrialId,
        live: Option<LivePublisher>,
        movement: Arc<ProgressTracker>,
        word: Arc<LastContact>,
    ) -> MeasurementWindowObserver {
        MeasurementWindowObserver {
            trial,
            live,
            movement,
            word,
            edges: Mutex::default(),
            cpu: None,
            limits: TrafficLimits::default(),
        }
    }

    /// Adds the CPU to live samples; `pinned` is the host's only CPU in a lab.
    pub fn with_cpu_samples(self, pinned: Option<u32>) -> MeasurementWindowObserver {
        MeasurementWindowObserver { cpu: Some(Mutex::new(CpuSampler::new(pinned))), ..self }
    }

    /// Those of the agent's policy.
    pub fn with_traffic_limits(self, limits: TrafficLimits) -> MeasurementWindowObserver {
        MeasurementWindowObserver { limits, ..self }
    }

    pub fn into_usage(self) -> MeasurementWindowHostUsage {
        let edges = self.edges.into_inner().unwrap_or_else(PoisonError::into_inner);
        let cpu = match (edges.opened, edges.closed) {
            (Some(Ok(opened)), Some(Ok(closed))) => Ok(opened.difference_to(&closed)),
            (Some(Err(e)), _) | (_, Some(Err(e))) => {
                Err(format!("no CPU figure: {}", e.message_with_sources()))
            }
            (None, _) => Err("no CPU figure: the window did not open".to_string()),
            (_, None) => Err("no CPU figure: the window did not close".to_string()),
        };
        MeasurementWindowHostUsage { cpu, counters: edges.counted }
    }

    /// The report of this end, only after the window: reading the inventory takes some ms of CPU. `towards`
    /// are the other end's addresses.
    pub fn into_report(
        self,
        role: EndpointRole,
        host: String,
        facts: HostFacts,
        measured: EndpointMeasurement,
        towards: Vec<IpAddr>,
    ) -> EndpointReport {
        let usage = self.into_usage();
        let mut notes = measured.notes;
        let cpu = usage.cpu.map_err(|why| notes.push(why)).ok();
        EndpointReport {
            role,
            host,
            facts,
            window: measured.window,
            flows: measured.flows,
            operations: measured.operations,
            cpu: cpu.map(|cpu| CpuAccounting { probe_threads_ns: measured.threads_ns, ..cpu }),
            inventory: Some(collect_inventory(&InterfaceScope::Towards(towards))),
            counters: usage.counters,
            whole_trial: None,
            path_mtu: measured.path_mtu,
            skew: measured.skew,
            file: measured.file,
            series: measured.series,
            complete: measured.broken.is_none(),
            notes,
        }
    }
}

impl TrialObserver for MeasurementWindowObserver {
    fn before_measurement_window(&self) {
        // Before the window: reading the counters takes at least half a millisecond of CPU.
        locked(&self.edges).counting = Some(CounterMeasurement::start());
    }

    fn measurement_window_opened(&self, _t0_ns: u64) {
        // CPU clocks first at both edges: they are the most sensitive to delay.
        let snapshot = CpuSnapshot::take();
        let mut edges = locked(&self.edges);
        edges.opened = Some(snapshot);
        edges.counting.get_or_insert_with(CounterMeasurement::start);
    }

    fn progress_updated(&self, progress: TrialProgress) {
        self.movement.note(&progress);
        let Some(port) = &self.live else { return };
        let live = LiveProgress {
            trial: self.trial,
            done: progress.done,
            elapsed_ns: Some(progress.elapsed_ns),
            bytes: progress.bytes,
            operations: progress.operations,
            busy_percent: self.cpu.as_ref().and_then(|cpu| locked(cpu).sample()),
        };
        // Live samples may be lost; results do not depend on them.
        if let Ok(text) = serde_json::to_vec(&live) {
            port.bus.publish(&port.key, &text);
        }
    }

    fn measurement_window_closed(&self, _t1_ns: u64) {
        let snapshot = CpuSnapshot::take();
        locked(&self.edges).closed = Some(snapshot);
    }

    fn after_measurement_window(&self) {
        let mut edges = locked(&self.edges);
        edges.counted = edges.counting.take().map(CounterMeasurement::finish);
    }

    fn time_since_coordinator_message(&self) -> Option<Nanos> {
        Some(Nanos(u64::try_from(self.word.elapsed().as_nanos()).unwrap_or(u64::MAX)))
    }

    fn traffic_limits(&self) -> TrafficLimits {
        self.limits
    }

    fn record_coordinator_contact_by_peer(&self, ago: Nanos) {
        self.word.record_peer_reported_contact(ago.to_duration());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use goodput_model::probe::{Request, Stream};

    fn watch() -> MeasurementWindowObserver {
        let movement = ProgressTracker::new(&Probe::Stream(Stream::default()));
        MeasurementWindowObserver::new(TrialId(1), None, Arc::new(movement), Arc::new(LastContact::now()))
    }

    #[test]
    fn what_is_sent_has_not_come_in() {
        let sent = TrialProgress { operations: 7, ..TrialProgress::default() };
        let received = TrialProgress { bytes: 1, ..sent };
        let at = |m: &ProgressTracker, progress| {
            m.note(progress);
            let last = locked(&m.last);
            (last.moved.1, last.arrived_at.1)
        };
        let stream = ProgressTracker::new(&Probe::Stream(Stream::default()));
        assert_eq!((at(&stream, &sent), at(&stream, &received)), ((7, 0), (8, 1)));
        assert_eq!(at(&ProgressTracker::new(&Probe::Request(Request::default())), &sent), (7, 7));
    }

    #[test]
    fn an_account_needs_both_edges() {
        assert!(watch().into_usage().cpu.unwrap_err().contains("did not open"));
        let half = watch();
        half.measurement_window_opened(0);
        let half = half.into_usage();
        assert!(half.cpu.unwrap_err().contains("did not close") && half.counters.is_none());
        for notice in [true, false] {
            let whole = watch();
            if notice {
                whole.before_measurement_window();
            }
            whole.measurement_window_opened(0);
            whole.measurement_window_closed(1);
            whole.after_measurement_window();
            let edge = whole.into_usage();
            let (account, counters) = (edge.cpu.unwrap(), edge.counters.unwrap());
            assert!(account.closed_ns.0 >= account.opened_ns.1);
            // Counters precede the CPU clocks only where the opening was announced.
            assert_eq!(counters.opened_ns.1 <= account.opened_ns.0, notice);
            assert!(counters.opened_ns.1 <= account.closed_ns.0);
            assert!(counters.closed_ns.0 >= account.closed_ns.1);
        }
    }
}
