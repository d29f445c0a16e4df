//! Follows all ends of a trial until each has ended or is lost, and fetches the results. One thread per end
//! asks for progress about once a second, which renews the lease; one loop decides (`gather/watch.rs`).

mod watch;

use super::TrialPlan;
use super::end::End;
use super::parallel::each;
use crate::bus::{CallError, Registration};
use crate::protocol::{Collect, EndResult, LONGEST_WAIT, live_key};
use goodput_model::Bytes;
use goodput_model::event::{Live, LiveEnd};
use goodput_model::file::{File, FileWork};
use goodput_model::probe::Probe;
use goodput_model::trial::Role;
use goodput_probe::Cancel;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::thread;
use std::time::{Duration, Instant};
use watch::{Decision, Watch};

/// Interval of the deciding loop.
const POLL_INTERVAL: Duration = Duration::from_millis(100);
/// Consecutive unanswered calls, of 4 s each, before an agent counts as lost.
const MAX_UNANSWERED_CALLS: u32 = 3;

/// One end of a trial, started or failed to start.
pub(super) struct StartedEnd<'a> {
    pub end: &'a End,
    pub role: Role,
    /// The job's name, or why it did not start; no reason where it was not asked to.
    pub job: Result<String, Option<String>>,
}

#[derive(Debug)]
pub(super) enum Ended {
    /// It reported, complete or broken off.
    Whole { job: String, result: Box<EndResult> },
    /// Its agent or its result is lost.
    Lost { cause: String },
    /// It did not start; the cause where it is its own.
    Idle { cause: Option<String> },
}

#[derive(Debug)]
pub(super) struct EndOutcome {
    pub role: Role,
    pub host: String,
    pub ended: Ended,
    pub live: Option<Live>,
}

/// The connecting ends in their order, then the listening one.
#[derive(Debug)]
pub(super) struct GatherResult {
    pub parts: Vec<EndOutcome>,
    /// Why all were asked to stop.
    pub stopped: Option<String>,
}

impl GatherResult {
    /// A trial that did not start.
    pub fn idle(parts: &[StartedEnd<'_>]) -> GatherResult {
        let idle = |part: &StartedEnd<'_>| EndOutcome {
            role: part.role,
            host: part.end.host.clone(),
            ended: Ended::Idle { cause: part.job.clone().err().flatten() },
            live: None,
        };
        GatherResult { parts: parts.iter().map(idle).collect(), stopped: None }
    }
}

/// Time limits of a trial.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Limits {
    /// In total, where the length is known.
    pub whole: Option<Duration>,
    /// Without progress at any end.
    pub still: Duration,
    /// For the others, once the first end is complete.
    pub behind: Duration,
}

impl Limits {
    pub fn of(plan: &TrialPlan) -> Limits {
        let d = &plan.deadlines;
        let slack = Duration::from_secs(5);
        let waits = d.connect.duration() + d.first_byte.duration() + d.progress.duration() + slack;
        // A server drains, then waits for the totals of clients that may have stalled.
        let drain = if plan.probe.settings().clients().is_some() { slack } else { Duration::ZERO };
        let (warm_up, window) = plan.probe.window();
        let warm_up = warm_up.duration();
        let behind = d.progress.duration() + slack + drain;
        let (beside, behind) = match &plan.probe {
            Probe::File(file) => (beside(file), if window.is_some() { behind + beside(file) } else { ANY }),
            _ => (Duration::ZERO, behind),
        };
        Limits {
            whole: window.map(|window| warm_up + window.duration() + waits + drain + beside),
            still: warm_up + waits + beside,
            behind,
        }
    }
}

/// Where the window ends with the work, clients may finish far apart.
const ANY: Duration = Duration::from_secs(7 * 86_400);
/// Limit for preparing, flushing and closing on any place.
const FILES: Duration = Duration::from_secs(120);
/// The slowest supported disk while it writes or compares a whole file: bytes per second.
const MIN_DISK_RATE: u64 = 4_000_000;

/// How long file work may show no progress: while a file is prepared or compared, or a disk writes its cache.
fn beside(file: &File) -> Duration {
    let size = match &file.work {
        FileWork::Prepare { file } => file.unwrap_or_default(),
        FileWork::Copy { size, .. } | FileWork::Row { size, .. } => *size,
        FileWork::Mix { .. } | FileWork::Remove => Bytes(0),
    };
    FILES + Duration::from_secs(size.0 / MIN_DISK_RATE)
}

enum EndEvent {
    Live(usize, Live),
    Still(usize, Duration),
    Ended(usize, Ended),
}

/// Receives the sum over all ends that count; each end is available on request.
pub(super) type LiveCallback<'a> = &'a mut dyn FnMut(Live, &dyn Fn() -> Vec<LiveEnd>);

pub(super) fn gather(
    parts: &[StartedEnd<'_>],
    probe: &Probe,
    limits: &Limits,
    on_live: LiveCallback<'_>,
    cancel: &Cancel,
) -> GatherResult {
    let (tell, told) = channel();
    let begun = || parts.iter().enumerate().filter_map(|(at, p)| Some((at, p.end, p.job.as_deref().ok()?)));
    let _listening: Vec<Option<Registration>> =
        begun().map(|(at, end, job)| subscribe_live(at, end, job, tell.clone())).collect();
    let give_up = AtomicBool::new(false);
    thread::scope(|scope| {
        for (at, end, job) in begun() {
            let (news, give_up) = (tell.clone(), &give_up);
            let following = move || {
                let ended = follow(end, job, give_up, &|still| {
                    let _ = news.send(EndEvent::Still(at, still));
                });
                let _ = news.send(EndEvent::Ended(at, ended));
            };
            if let Err(e) =
                thread::Builder::new().name("goodput-follow".into()).spawn_scoped(scope, following)
            {
                end.abandon(job);
                let cause = format!("could not be followed: {e}");
                let _ = tell.send(EndEvent::Ended(at, Ended::Lost { cause }));
            }
        }
        let mut watch = Watch::new(GatherResult::idle(parts), begun().map(|(at, ..)| at), probe, limits);
        while !watch.over() {
            match told.recv_timeout(POLL_INTERVAL) {
                Ok(EndEvent::Live(at, live)) => {
                    if let Some(sum) = watch.live(at, live) {
                        on_live(sum, &|| watch.ends(|at| shares_kernel(parts, at)));
                    }
                }
                Ok(EndEvent::Still(at, still)) => watch.still(at, still),
                Ok(EndEvent::Ended(at, ended)) => watch.ended(at, ended, Instant::now()),
                Err(_) => {}
            }
            match watch.decide(Instant::now(), cancel.is_cancelled()) {
                Decision::GoOn => {}
                Decision::Stop => stop(parts, &watch),
                Decision::GiveUp => give_up.store(true, Ordering::Relaxed),
            }
        }
        watch.gathered()
    })
}

/// True when another end runs on the same kernel and neither has its own CPU.
fn shares_kernel(parts: &[StartedEnd<'_>], at: usize) -> bool {
    let facts = |at: usize| &parts[at].end.hello.facts;
    let apart = |other: usize| facts(other).pinned_cpu.is_some() || facts(at).pinned_cpu.is_some();
    // A listener in our own process only agrees on the window.
    let takes_part = |other: usize| !(parts[other].end.own && parts[other].role == Role::Listen);
    let mut others = (0..parts.len()).filter(|other| *other != at && takes_part(*other));
    others.any(|other| facts(at).shares_kernel(facts(other)) && !apart(other))
}

/// Asks the running ends to stop.
fn stop(parts: &[StartedEnd<'_>], watch: &Watch<'_>) {
    let running: Vec<(&End, &str)> =
        watch.running().filter_map(|at| Some((parts[at].end, parts[at].job.as_deref().ok()?))).collect();
    each(&running, |(end, job)| end.abandon(job));
}

fn subscribe_live(at: usize, end: &End, job: &str, tell: Sender<EndEvent>) -> Option<Registration> {
    let listener = Box::new(move |_: &str, payload: &[u8]| {
        if let Ok(live) = serde_json::from_slice(payload) {
            let _ = tell.send(EndEvent::Live(at, live));
        }
    });
    // The trial works without live samples.
    end.bus().subscribe(&live_key(&end.hello.agent, job), listener).ok()
}

/// Polls one end until it has ended or is lost.
fn follow(end: &End, job: &str, give_up: &AtomicBool, still: &dyn Fn(Duration)) -> Ended {
    let mut unanswered = 0;
    loop {
        let cause = match end.collect(job, LONGEST_WAIT) {
            Ok(Collect::Done(kept)) => {
                return match end.fetch(&kept) {
                    Ok(result) => Ended::Whole { job: job.to_string(), result: Box::new(result) },
                    Err(cause) => Ended::Lost { cause },
                };
            }
            Ok(Collect::Running { still_ms }) => {
                unanswered = 0;
                still(Duration::from_millis(still_ms));
                "did not stop when it was told to".to_string()
            }
            Err(CallError::Died { .. } | CallError::NoAgent { .. }) => {
                return Ended::Lost { cause: "went away in the middle of the trial".to_string() };
            }
            Err(CallError::Busy { deadline, .. }) => {
                unanswered += 1;
                if unanswered < MAX_UNANSWERED_CALLS {
                    continue;
                }
                let seconds = deadline.as_secs_f64() * f64::from(unanswered);
                return Ended::Lost { cause: format!("did not answer for {seconds:.0} s") };
            }
            Err(e) => return Ended::Lost { cause: e.to_string() },
        };
        if give_up.load(Ordering::Relaxed) {
            return Ended::Lost { cause };
        }
    }
}
