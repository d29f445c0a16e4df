//! Follows both ends of a running trial until each has ended or is given up, and brings back their results.
//!
//! One thread an end asks "how is it going" about once a second, which also renews the lease; what they
//! hear, the live samples and the user's wish to stop meet in one loop that decides.

use super::TrialPlan;
use super::end::End;
use crate::bus::{CallError, Registration};
use crate::protocol::{Collect, EndResult, LONGEST_WAIT, live_key};
use goodput_model::event::Live;
use goodput_model::probe::{Direction, Probe, Stop};
use goodput_model::trial::Role;
use goodput_probe::Cancel;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

/// How often the deciding loop looks at clock and user.
const LOOK: Duration = Duration::from_millis(100);
/// How long an end may go on after the other one broke off.
const ALONE: Duration = Duration::from_secs(1);
/// How long an end that was told to stop may take.
const STOPPING: Duration = Duration::from_secs(5);
/// Calls in a row that may stay unanswered before an agent counts as gone.
const PATIENCE: u32 = 2;

/// How one end ended.
#[derive(Debug)]
pub(super) enum Ended {
    /// It reported, whole or broken off.
    Whole { job: String, result: Box<EndResult> },
    /// Its agent is gone, or what it kept could not be had; why, in a sentence.
    Lost { cause: String },
    /// It was never started.
    Idle,
}

/// Both ends, connecting first, and what else is known.
#[derive(Debug)]
pub(super) struct Gathered {
    pub ends: [Ended; 2],
    /// The last live sample of each end.
    pub live: [Option<Live>; 2],
    /// Why both were told to stop, if they were.
    pub stopped: Option<String>,
}

impl Gathered {
    /// A trial that could not be started.
    pub fn failed(role: Role, cause: String) -> Gathered {
        let mut ends = [Ended::Idle, Ended::Idle];
        ends[at(role)] = Ended::Lost { cause: format!("did not start: {cause}") };
        Gathered { ends, live: [None; 2], stopped: None }
    }
}

/// How long a trial may take.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Limits {
    /// In all, where its length is known beforehand.
    pub whole: Option<Duration>,
    /// Without anything moving at either end.
    pub still: Duration,
    /// For the second end, once the first is complete.
    pub behind: Duration,
}

impl Limits {
    pub fn of(plan: &TrialPlan) -> Limits {
        let d = &plan.deadlines;
        let slack = Duration::from_secs(5);
        let waits = d.connect.duration() + d.first_byte.duration() + d.progress.duration() + slack;
        let (warm_up, stop) = match &plan.probe {
            Probe::Stream(s) => (s.warm_up.duration(), Some(s.stop)),
            Probe::Request(r) => (r.warm_up.duration(), Some(r.stop)),
            Probe::Datagram(d) => (d.warm_up.duration(), Some(d.stop)),
            Probe::Mtu(m) => (Duration::ZERO, Some(Stop::Time(m.time))),
            Probe::Latency(l) => (l.warm_up.duration(), Some(Stop::Time(l.time))),
            Probe::Load(l) => (l.warm_up.duration(), Some(Stop::Time(l.time))),
            Probe::PingPong(_) => (Duration::ZERO, None),
        };
        let whole = match stop {
            Some(Stop::Time(time)) => Some(warm_up + time.duration() + waits),
            _ => None,
        };
        Limits { whole, still: warm_up + waits, behind: d.progress.duration() + slack }
    }
}

enum News {
    Live(Role, Live),
    Still(Role, Duration),
    Ended(Role, Ended),
}

/// Follows the connecting and the listening end.
pub(super) fn gather(
    parts: &[(&End, Role, String); 2],
    probe: &Probe,
    limits: &Limits,
    on_live: &mut dyn FnMut(Live),
    cancel: &Cancel,
) -> Gathered {
    let (tell, told) = channel();
    let _listening: Vec<Option<Registration>> =
        parts.iter().map(|(end, role, job)| hear(end, *role, job, tell.clone())).collect();
    let give_up = AtomicBool::new(false);
    thread::scope(|scope| {
        for (end, role, job) in parts {
            let (tell, give_up) = (tell.clone(), &give_up);
            scope.spawn(move || {
                let ended = follow(end, job, give_up, &|still| {
                    let _ = tell.send(News::Still(*role, still));
                });
                let _ = tell.send(News::Ended(*role, ended));
            });
        }
        let mut watch = Watch::new(parts, probe, limits, &give_up);
        while !watch.over() {
            watch.hear(told.recv_timeout(LOOK), on_live);
            watch.decide(cancel);
        }
        watch.gathered()
    })
}

fn hear(end: &End, role: Role, job: &str, tell: Sender<News>) -> Option<Registration> {
    let listener = Box::new(move |_: &str, payload: &[u8]| {
        if let Ok(live) = serde_json::from_slice(payload) {
            let _ = tell.send(News::Live(role, live));
        }
    });
    // Without live samples the trial is as good as with them.
    end.bus().subscribe(&live_key(&end.hello.agent, job), listener).ok()
}

/// Asks one end until it has ended, its agent is gone, or it is given up.
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
                if unanswered < PATIENCE {
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

/// The deciding loop's knowledge.
struct Watch<'a> {
    parts: &'a [(&'a End, Role, String); 2],
    probe: &'a Probe,
    limits: &'a Limits,
    give_up: &'a AtomicBool,
    started: Instant,
    ends: [Option<Ended>; 2],
    live: [Option<Live>; 2],
    still: [Duration; 2],
    /// Until when the second end may go on, and what to say if it does not end. Nothing is said when the
    /// first broke off: it says why itself.
    alone: Option<(Instant, Option<String>)>,
    stopped: Option<(Instant, Option<String>)>,
}

impl<'a> Watch<'a> {
    fn new(
        parts: &'a [(&'a End, Role, String); 2],
        probe: &'a Probe,
        limits: &'a Limits,
        give_up: &'a AtomicBool,
    ) -> Watch<'a> {
        Watch {
            parts,
            probe,
            limits,
            give_up,
            started: Instant::now(),
            ends: [None, None],
            live: [None; 2],
            still: [Duration::ZERO; 2],
            alone: None,
            stopped: None,
        }
    }

    fn over(&self) -> bool {
        self.ends.iter().all(Option::is_some)
    }

    fn hear(&mut self, news: Result<News, RecvTimeoutError>, on_live: &mut dyn FnMut(Live)) {
        match news {
            Ok(News::Live(role, live)) => {
                self.live[at(role)] = Some(live);
                if counts(self.probe, role) {
                    on_live(both(self.probe, &self.live, live));
                }
            }
            Ok(News::Still(role, still)) => self.still[at(role)] = still,
            Ok(News::Ended(role, ended)) => {
                let whole = matches!(&ended, Ended::Whole { result, .. } if result.broken.is_none());
                let (patience, why) = if whole {
                    let seconds = self.limits.behind.as_secs_f64();
                    let host = &self.parts[1 - at(role)].0.host;
                    (
                        self.limits.behind,
                        Some(format!("{host} did not end within {seconds:.0} s of the other end")),
                    )
                } else {
                    (ALONE, None)
                };
                self.alone = Some((Instant::now() + patience, why));
                self.ends[at(role)] = Some(ended);
            }
            Err(_) => {}
        }
    }

    fn decide(&mut self, cancel: &Cancel) {
        if let Some((since, _)) = &self.stopped {
            if since.elapsed() > STOPPING {
                self.give_up.store(true, Ordering::Relaxed);
            }
            return;
        }
        let still = self.still[0].min(self.still[1]);
        if cancel.is_cancelled() {
            self.stop(Some("interrupted".to_string()));
        } else if let Some((_, why)) = self.alone.take_if(|(until, _)| Instant::now() > *until) {
            self.stop(why);
        } else if self.limits.whole.is_some_and(|whole| self.started.elapsed() > whole) {
            let seconds = self.started.elapsed().as_secs_f64();
            self.stop(Some(format!("the trial was not over after {seconds:.0} s")));
        } else if still > self.limits.still {
            self.stop(Some(format!("nothing moved for {:.0} s", still.as_secs_f64())));
        }
    }

    fn stop(&mut self, why: Option<String>) {
        self.stopped = Some((Instant::now(), why));
        for (at, (end, _, job)) in self.parts.iter().enumerate() {
            if self.ends[at].is_none() {
                end.abandon(job);
            }
        }
    }

    fn gathered(self) -> Gathered {
        Gathered {
            ends: self.ends.map(|end| end.unwrap_or(Ended::Idle)),
            live: self.live,
            stopped: self.stopped.and_then(|(_, why)| why),
        }
    }
}

/// Connecting first.
pub(super) fn at(role: Role) -> usize {
    match role {
        Role::Connect => 0,
        Role::Listen => 1,
    }
}

/// True for an end whose count is the result: the receiver, or the one that sees replies.
pub(super) fn counts(probe: &Probe, role: Role) -> bool {
    let arrives = |direction: Direction| {
        direction.parts().contains(match role {
            Role::Connect => &Direction::Receive,
            Role::Listen => &Direction::Send,
        })
    };
    match probe {
        Probe::Stream(stream) => arrives(stream.direction),
        Probe::Datagram(datagram) => arrives(datagram.direction),
        Probe::PingPong(_) | Probe::Request(_) | Probe::Mtu(_) | Probe::Latency(_) => role == Role::Connect,
        Probe::Load(_) => true,
    }
}

/// One glimpse of both ends that count, the latest of each.
fn both(probe: &Probe, live: &[Option<Live>; 2], newest: Live) -> Live {
    let counted = [Role::Connect, Role::Listen].into_iter().filter(|role| counts(probe, *role));
    let latest = counted.filter_map(|role| live[at(role)]);
    let zero = Live { bytes: 0, operations: 0, ..newest };
    latest.fold(zero, |sum, l| Live {
        bytes: sum.bytes + l.bytes,
        operations: sum.operations + l.operations,
        ..sum
    })
}
