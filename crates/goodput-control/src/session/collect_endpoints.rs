//! Follows all ends of a trial until each has ended or is lost, and fetches the results. One thread per end
//! asks for progress about once a second, which renews the lease; one loop decides (`collect_endpoints/monitor.rs`).

mod monitor;

use super::TrialPlan;
use super::agent_connection::AgentConnection;
use super::parallel_map::map_parallel;
use crate::message_bus::{BusRegistration, CallError};
use crate::protocol::{
    EndpointResult, JobStatusResponse, MAX_LONG_POLL_DURATION, decode_answer, live_progress_zenoh_key,
};
use crate::whole_seconds_arg;
use goodput_model::event::{EndpointLiveProgress, LiveProgress};
use goodput_model::probe::Probe;
use goodput_model::trial::EndpointRole;
use goodput_probe::CancelFlag;
use goodput_words::{ErrorMessage, Message, message};
use monitor::{EndpointProgressMonitor, MonitorAction};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

/// Interval of the deciding loop, and the least between two questions to an agent, which answers later unless the
/// trial has ended.
const POLL_INTERVAL: Duration = Duration::from_millis(100);
/// Live samples of one end that wait for the deciding loop; further ones are dropped.
const MAX_WAITING_LIVE_SAMPLES: usize = 64;
/// Consecutive unanswered calls, of 4 s each, before an agent counts as lost.
const MAX_UNANSWERED_CALLS: u32 = 3;

/// One end of a trial, started or failed to start.
pub(super) struct StartedEndpoint<'a> {
    pub end: &'a AgentConnection,
    pub role: EndpointRole,
    /// The job's name, or why it did not start; no reason where it was not asked to.
    pub job: Result<String, Option<Message>>,
}

#[derive(Debug)]
pub(super) enum EndpointStatus {
    /// It reported, complete or broken off.
    Whole { job: String, result: Box<EndpointResult> },
    /// Its agent or its result is lost.
    Lost { cause: Message },
    /// It did not start; the cause where it is its own.
    Idle { cause: Option<Message> },
}

#[derive(Debug)]
pub(super) struct EndpointOutcome {
    pub role: EndpointRole,
    pub host: String,
    pub ended: EndpointStatus,
    pub live: Option<LiveProgress>,
}

/// The connecting ends in their order, then the listening one.
#[derive(Debug)]
pub(super) struct CollectedEndpointOutcomes {
    pub parts: Vec<EndpointOutcome>,
    /// Why all were asked to stop.
    pub stopped: Option<Message>,
}

impl CollectedEndpointOutcomes {
    /// A trial that did not start.
    pub fn for_unstarted_trial(parts: &[StartedEndpoint<'_>]) -> CollectedEndpointOutcomes {
        let idle = |part: &StartedEndpoint<'_>| EndpointOutcome {
            role: part.role,
            host: part.end.host.clone(),
            ended: EndpointStatus::Idle { cause: part.job.clone().err().flatten() },
            live: None,
        };
        CollectedEndpointOutcomes { parts: parts.iter().map(idle).collect(), stopped: None }
    }
}

/// Time limits of a trial.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct EndpointCollectionTimeouts {
    /// In total, where the length is known.
    pub whole: Option<Duration>,
    /// Without progress at any end.
    pub still: Duration,
    /// For the others, once the first end is complete.
    pub behind: Duration,
}

impl EndpointCollectionTimeouts {
    pub fn from_plan(plan: &TrialPlan) -> EndpointCollectionTimeouts {
        let d = &plan.deadlines;
        let slack = Duration::from_secs(5);
        let waits = d.connect.to_duration() + d.first_byte.to_duration() + d.progress.to_duration() + slack;
        // A server drains, then waits for the totals of clients that may have stalled.
        let settings = plan.probe.settings();
        let has_clients = settings.client_names().is_some();
        let drain = if has_clients { slack } else { Duration::ZERO };
        let (warm_up, window) = settings.measurement_window();
        let (warm_up, idle) = (warm_up.to_duration(), settings.idle_allowance().to_duration());
        let behind = d.progress.to_duration() + slack + drain + idle;
        EndpointCollectionTimeouts {
            whole: window.map(|window| warm_up + window.to_duration() + waits + drain + idle),
            still: warm_up + waits + idle,
            behind: if has_clients && window.is_none() { ANY } else { behind },
        }
    }
}

/// Where the window ends with the work, clients may finish far apart.
const ANY: Duration = Duration::from_secs(7 * 86_400);

enum EndEvent {
    Live(usize, LiveProgress, WaitingSample),
    Still(usize, Duration),
    Ended(usize, EndpointStatus),
}

/// Counts the waiting samples of one end by its clones.
type WaitingSample = Arc<()>;

/// Receives the sum over all ends that count; each end is available on request.
pub(super) type LiveProgressCallback<'a> =
    &'a mut dyn FnMut(LiveProgress, &dyn Fn() -> Vec<EndpointLiveProgress>);

pub(super) fn collect_endpoint_results(
    parts: &[StartedEndpoint<'_>],
    probe: &Probe,
    limits: &EndpointCollectionTimeouts,
    on_live: LiveProgressCallback<'_>,
    cancel: &CancelFlag,
) -> CollectedEndpointOutcomes {
    let (tell, told) = channel();
    let begun = || parts.iter().enumerate().filter_map(|(at, p)| Some((at, p.end, p.job.as_deref().ok()?)));
    let _listening: Vec<Option<BusRegistration>> =
        begun().map(|(at, end, job)| subscribe_live(at, end, job, tell.clone())).collect();
    let give_up = AtomicBool::new(false);
    thread::scope(|scope| {
        for (at, end, job) in begun() {
            let (news, give_up, role) = (tell.clone(), &give_up, parts[at].role);
            let following = move || {
                let ended = follow(end, (job, role), give_up, &|still| {
                    let _ = news.send(EndEvent::Still(at, still));
                });
                let _ = news.send(EndEvent::Ended(at, ended));
            };
            if let Err(e) =
                thread::Builder::new().name("goodput-follow".into()).spawn_scoped(scope, following)
            {
                end.stop_job(job);
                let cause = message!(part_could_not_be_followed { why: e.message() });
                let _ = tell.send(EndEvent::Ended(at, EndpointStatus::Lost { cause }));
            }
        }
        let mut watch = EndpointProgressMonitor::new(
            CollectedEndpointOutcomes::for_unstarted_trial(parts),
            begun().map(|(at, ..)| at),
            probe,
            limits,
        );
        while !watch.is_finished() {
            match told.recv_timeout(POLL_INTERVAL) {
                Ok(EndEvent::Live(at, live, _waiting)) => {
                    if let Some(sum) = watch.record_live_progress(at, live) {
                        on_live(sum, &|| watch.live_progress_by_endpoint(|at| shares_kernel(parts, at)));
                    }
                }
                Ok(EndEvent::Still(at, still)) => watch.record_stall_duration(at, still),
                Ok(EndEvent::Ended(at, ended)) => watch.record_endpoint_end(at, ended, Instant::now()),
                Err(_) => {}
            }
            match watch.next_action(Instant::now(), cancel.is_cancelled()) {
                MonitorAction::GoOn => {}
                MonitorAction::Stop => stop(parts, &watch),
                MonitorAction::GiveUp => give_up.store(true, Ordering::Relaxed),
            }
        }
        watch.into_result()
    })
}

/// True when another end runs on the same kernel and neither has its own CPU.
fn shares_kernel(parts: &[StartedEndpoint<'_>], at: usize) -> bool {
    let facts = |at: usize| &parts[at].end.hello.facts;
    let apart = |other: usize| facts(other).pinned_cpu.is_some() || facts(at).pinned_cpu.is_some();
    // A listener in our own process only agrees on the window.
    let takes_part = |other: usize| !(parts[other].end.own && parts[other].role == EndpointRole::Listen);
    let mut others = (0..parts.len()).filter(|other| *other != at && takes_part(*other));
    others.any(|other| facts(at).shares_kernel_with(facts(other)) && !apart(other))
}

/// Asks the running ends to stop.
fn stop(parts: &[StartedEndpoint<'_>], watch: &EndpointProgressMonitor<'_>) {
    let running: Vec<(&AgentConnection, &str)> = watch
        .running_endpoints()
        .filter_map(|at| Some((parts[at].end, parts[at].job.as_deref().ok()?)))
        .collect();
    map_parallel(&running, |(end, job)| end.stop_job(job));
}

fn subscribe_live(
    at: usize,
    end: &AgentConnection,
    job: &str,
    tell: Sender<EndEvent>,
) -> Option<BusRegistration> {
    let waiting = WaitingSample::default();
    let listener = Box::new(move |_: &str, payload: &[u8]| {
        if Arc::strong_count(&waiting) <= MAX_WAITING_LIVE_SAMPLES
            && let Ok(live) = decode_answer(payload)
        {
            let _ = tell.send(EndEvent::Live(at, live, waiting.clone()));
        }
    });
    // The trial works without live samples.
    end.bus().subscribe(&live_progress_zenoh_key(&end.hello.agent, job), listener).ok()
}

/// Polls one end until it has ended or is lost.
fn follow(
    end: &AgentConnection,
    (job, role): (&str, EndpointRole),
    give_up: &AtomicBool,
    still: &dyn Fn(Duration),
) -> EndpointStatus {
    let mut unanswered = 0;
    loop {
        let asked = Instant::now();
        let cause = match end.job_status(job, MAX_LONG_POLL_DURATION) {
            Ok(JobStatusResponse::Done(kept)) => {
                return match end.fetch_result(&kept) {
                    Ok(result) if kept.job != job || result.report.role != role => {
                        let why = Message::from("it delivered another one");
                        EndpointStatus::Lost { cause: message!(part_did_not_hand_over { why }) }
                    }
                    Ok(mut result) => {
                        result.report.host.clone_from(&end.host);
                        EndpointStatus::Whole { job: job.to_string(), result: Box::new(result) }
                    }
                    Err(cause) => EndpointStatus::Lost { cause },
                };
            }
            Ok(JobStatusResponse::Running { still_ms }) => {
                unanswered = 0;
                still(Duration::from_millis(still_ms));
                "did not stop when it was instructed to".into()
            }
            Err(CallError::Died { .. } | CallError::NoAgent { .. }) => {
                return EndpointStatus::Lost { cause: "disconnected during the trial".into() };
            }
            Err(CallError::Busy { deadline, .. }) => {
                unanswered += 1;
                if unanswered < MAX_UNANSWERED_CALLS {
                    continue;
                }
                let time = whole_seconds_arg(deadline.as_secs_f64() * f64::from(unanswered));
                return EndpointStatus::Lost { cause: message!(part_did_not_answer { time }) };
            }
            Err(e) => return EndpointStatus::Lost { cause: e.message() },
        };
        if give_up.load(Ordering::Relaxed) {
            return EndpointStatus::Lost { cause };
        }
        thread::sleep(POLL_INTERVAL.saturating_sub(asked.elapsed()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fake::{self, FakeProber, ProbeGate};
    use crate::message_bus::{MemoryBus, MessageBus};
    use goodput_model::ids::TrialId;

    #[test]
    fn a_flood_of_live_samples_does_not_fill_memory() {
        let bus = MemoryBus::new();
        let agent = fake::start_agent(&bus, "far", FakeProber::with_gate(&ProbeGate::new_open()));
        let end = fake::connect_agent(&bus, "far");
        let (tell, told) = channel();
        let _listening = subscribe_live(0, &end, "job", tell).unwrap();
        let live = LiveProgress {
            trial: TrialId(1),
            done: None,
            elapsed_ns: Some(1),
            bytes: 1,
            operations: 1,
            busy_percent: None,
        };
        let (key, live) = (live_progress_zenoh_key(agent.id(), "job"), serde_json::to_vec(&live).unwrap());
        for _ in 0..2 {
            for _ in 0..1000 {
                bus.publish(&key, &live).unwrap();
            }
            assert_eq!(told.try_iter().count(), MAX_WAITING_LIVE_SAMPLES);
        }
    }
}
