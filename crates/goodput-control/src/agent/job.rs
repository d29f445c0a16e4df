//! Runs one end of one trial on its own thread: measures, reports, stores, then signals completion.

use super::AgentInner;
use super::last_contact::LastContact;
use super::lease::{LEASE_TTL, MAX_COORDINATOR_SILENCE};
use super::measurement_window_observer::{LivePublisher, MeasurementWindowObserver, ProgressTracker};
use crate::prober::RunListenerTrialFn;
use crate::protocol::{
    EndpointFailure, EndpointResult, ResultOrigin, StartJobRequest, StoredResult, live_progress_zenoh_key,
};
use crate::time_arg;
use goodput_host::counters::CounterMeasurement;
use goodput_model::Probe;
use goodput_model::trial::{EndpointReport, Flow};
use goodput_probe::{CancelFlag, EndpointMeasurement, ProbeError, TrialObserver};
use goodput_words::{ErrorMessage, Message, message};
use std::net::{IpAddr, SocketAddr};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

pub(super) struct AgentJob {
    pub id: String,
    pub lease: String,
    pub course: Arc<TrialState>,
    pub kept: Option<StoredResult>,
}

/// State of a running trial, shared with its observers.
pub(super) struct TrialState {
    pub cancel: CancelFlag,
    pub movement: Arc<ProgressTracker>,
    pub word: Arc<LastContact>,
    /// True once another trial has run at the same time.
    pub shared: AtomicBool,
    /// On the agent's clock.
    pub began: Duration,
    /// Why it was cancelled, unless its coordinator asked for it.
    why: OnceLock<AbortReason>,
}

/// Why an agent ends a trial by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AbortReason {
    /// The coordinator's presence ended.
    Gone,
    /// The coordinator was silent while the trial ran.
    Silent,
    Expired,
    Overlong,
    Stopping,
}

impl AbortReason {
    fn message(self) -> Message {
        match self {
            AbortReason::Gone => "the coordinator of the trial disconnected".into(),
            AbortReason::Silent => {
                let time = time_arg(MAX_COORDINATOR_SILENCE.as_secs_f64());
                message!(part_coordinator_not_heard { time })
            }
            AbortReason::Expired => {
                message!(part_coordinator_not_renewed { time: time_arg(LEASE_TTL.as_secs_f64()) })
            }
            AbortReason::Overlong => {
                "the trial ran longer than rule limits.time of the agent's policy allows".into()
            }
            AbortReason::Stopping => "the agent was stopped".into(),
        }
    }
}

impl TrialState {
    pub fn new(probe: &Probe, began: Duration) -> TrialState {
        TrialState {
            cancel: CancelFlag::default(),
            movement: Arc::new(ProgressTracker::new(probe)),
            word: Arc::new(LastContact::now()),
            shared: AtomicBool::new(false),
            began,
            why: OnceLock::new(),
        }
    }

    /// Ends the trial; only the first reason is kept.
    pub fn abort(&self, why: AbortReason) {
        let _ = self.why.set(why);
        self.cancel.cancel();
    }

    pub fn abort_reason(&self) -> Option<AbortReason> {
        self.why.get().copied()
    }
}

pub(super) enum ProbeEndpoint {
    Connect(SocketAddr),
    Listen(RunListenerTrialFn),
}

/// Returns the result to store and its origin. `presence` is the coordinator's.
pub(super) fn run_job(
    inner: &AgentInner,
    id: &str,
    presence: String,
    start: StartJobRequest,
    part: ProbeEndpoint,
    course: &TrialState,
) -> (Vec<u8>, Option<ResultOrigin>) {
    let live = start
        .order
        .live
        .then(|| LivePublisher { bus: inner.bus.clone(), key: live_progress_zenoh_key(&inner.card.id, id) });
    let watch =
        MeasurementWindowObserver::new(start.order.trial, live, course.movement.clone(), course.word.clone());
    let watch = watch.with_traffic_limits(inner.policy.traffic_limits());
    let watch = if start.live_cpu { watch.with_cpu_samples(inner.facts.pinned_cpu) } else { watch };
    let whole = start.order.probe.settings().counts_whole_trial().then(CounterMeasurement::start);
    let mut measured = measure(inner, &start, part, &watch, &course.cancel);
    let whole_trial = whole.map(CounterMeasurement::finish);
    let broken = measured.broken.as_ref().map(|e| broken(e, course));
    let excluded = std::mem::take(&mut measured.excluded);
    let towards = others(start.peer, &measured.flows);
    let report = watch.into_report(start.role(), start.host, inner.facts.clone(), measured, towards);
    let result = EndpointResult {
        report: EndpointReport { whole_trial, ..report },
        broken,
        shared: course.shared.load(Ordering::Relaxed),
        excluded,
        origin: start.about.map(|about| ResultOrigin {
            about,
            presence,
            trial: start.order.trial,
            probe: start.order.probe,
            client: start.order.client,
        }),
    };
    // Cannot fail: plain data with string keys and finite numbers.
    (serde_json::to_vec(&result).unwrap_or_default(), result.origin)
}

fn measure(
    inner: &AgentInner,
    start: &StartJobRequest,
    part: ProbeEndpoint,
    watch: &dyn TrialObserver,
    cancel: &CancelFlag,
) -> EndpointMeasurement {
    // A panic in a probe must not keep the agent's lease.
    let outcome = catch_unwind(AssertUnwindSafe(|| match part {
        ProbeEndpoint::Connect(peer) => inner.prober.connect_and_measure(&start.order, peer, watch, cancel),
        ProbeEndpoint::Listen(listening) => listening(&start.order, watch, cancel),
    }));
    outcome.unwrap_or_else(|_| {
        let why = "the probe failed by an error of this program (panic)";
        EndpointMeasurement::from_error(ProbeError::Settings(why.into()))
    })
}

fn broken(e: &ProbeError, course: &TrialState) -> EndpointFailure {
    match (e, course.abort_reason()) {
        (ProbeError::Cancelled, Some(why)) => EndpointFailure { cause: why.message(), follows: false },
        _ => EndpointFailure {
            cause: e.message_with_sources(),
            follows: matches!(e, ProbeError::Cancelled | ProbeError::PeerGone { .. }),
        },
    }
}

/// Known addresses of the other end, each once.
fn others(peer: Option<SocketAddr>, flows: &[Flow]) -> Vec<IpAddr> {
    let of_flows = flows.iter().filter_map(|f| f.socket.remote.parse::<SocketAddr>().ok());
    let mut addresses: Vec<IpAddr> = Vec::new();
    for address in peer.into_iter().chain(of_flows).map(|a| a.ip().to_canonical()) {
        if !addresses.contains(&address) {
            addresses.push(address);
        }
    }
    addresses
}
