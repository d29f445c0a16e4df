//! Runs one trial: a listening end and one or more connecting ends. A load starts without a missing client:
//! the client and its workers are removed from the settings and the rest renumbered
//! ([`goodput_model::load::Load::without`]). These settings are ordered and recorded, so connection indices
//! match. [`Trial::excluded`] lists missing clients.

use super::collect_ends::{self, Ended, GatherResult, Limits, StartedEnd};
use super::end::{End, in_words};
use super::parallel::each;
use super::queue::{self, LeaseRequester, Leases};
use super::{SessionError, TrialPlan, heartbeat, outcome};
use crate::ControlError;
use crate::protocol::{LivenessPolicy, StartRequest, TrialContext};
use goodput_model::event::{Event, Live, LiveEnd};
use goodput_model::id::Token;
use goodput_model::load::Excluded;
use goodput_model::probe::Probe;
use goodput_model::record::Recorder;
use goodput_model::trial::{Order, Role, Trial};
use goodput_probe::Cancel;
use std::net::SocketAddr;

pub(crate) struct Participants<'a> {
    /// In the order of [`Order::client`], with the address for data connections.
    pub connecting: Vec<(&'a End, SocketAddr)>,
    pub listening: &'a End,
    /// Clients missing already; not in `connecting`.
    pub absent: Vec<Excluded>,
    /// No client may be missing at the start.
    pub strict: bool,
    /// The listening end only agrees on the window of file work; its report is discarded.
    pub referee: bool,
}

impl<'a> Participants<'a> {
    /// In the order of [`GatherResult::parts`].
    fn ends(&self) -> Vec<&'a End> {
        self.connecting.iter().map(|(end, _)| *end).chain([self.listening]).collect()
    }
}

/// The trial is recorded before [`Event::TrialFinished`] and before this returns.
pub(crate) fn make(
    mut cast: Participants<'_>,
    plan: &TrialPlan,
    recorder: &mut dyn Recorder,
    tell: &mut dyn FnMut(&Event),
    cancel: &Cancel,
) -> Result<Trial, ControlError> {
    let mut plan = plan.clone();
    let leases = take_leases(&mut cast, &mut plan, tell, cancel)?;
    tell(&Event::TrialStarted { trial: plan.trial, probe: plan.probe.clone() });
    let order = Order {
        trial: plan.trial,
        probe: plan.probe.clone(),
        token: Token(crate::random()?),
        deadlines: plan.deadlines,
        cpus: plan.cpus.clone(),
        live: plan.live,
        client: 0,
    };
    let about = about(&cast, &plan)?;
    let gathered = heartbeat::during(&leases, |beating| {
        let start = Start { order: &order, about: &about, live_cpu: plan.live && plan.watched, beating };
        let parts = begin(&cast, &leases, &start);
        if !parts.iter().any(|p| p.role == Role::Connect && p.job.is_ok()) {
            return give_up(&parts);
        }
        let mut on_live = |whole: Live, ends: &dyn Fn() -> Vec<LiveEnd>| {
            if plan.watched || plan.viewer_flag.are_there() {
                let mut ends = ends();
                ends.retain(|end| !cast.referee || end.role != Role::Listen);
                tell(&Event::LiveEnds { whole, ends });
            }
            tell(&Event::Live(whole));
        };
        collect_ends::gather(&parts, &plan.probe, &Limits::of(&plan), &mut on_live, cancel)
    });
    let mut trial = outcome::assemble(&plan, &cast.absent, &gathered);
    if cast.referee {
        trial.ends.retain(|end| end.role != Role::Listen);
    }
    // Agents keep their results, so the next coordinator need not wait for our disk.
    drop(leases);
    recorder.record(&trial)?;
    discard(&cast, &gathered);
    tell(&Event::TrialFinished { trial: Box::new(trial.clone()), series: Vec::new() });
    Ok(trial)
}

/// Leases every agent. Lost clients that a load can do without are removed from participants and plan.
fn take_leases<'a>(
    cast: &mut Participants<'a>,
    plan: &mut TrialPlan,
    tell: &mut dyn FnMut(&Event),
    cancel: &Cancel,
) -> Result<Leases<'a>, ControlError> {
    let spare = plan.probe.settings().clients().is_some();
    let listening = cast.listening;
    let needs = |end: &End| !spare || end.hello.agent == listening.hello.agent;
    let asker = LeaseRequester { client: &plan.client, shared: plan.shared, needs: &needs };
    let taken = queue::take(&cast.ends(), &asker, tell, cancel)?;
    let there = |end: &End| taken.leases.of(end).is_some();
    let gone: Vec<u16> =
        (0u16..).zip(&cast.connecting).filter(|(_, (end, _))| !there(end)).map(|(at, _)| at).collect();
    plan.probe.settings_mut().remove_clients(&gone);
    if spare {
        cast.connecting.retain(|(end, _)| there(end));
    }
    cast.absent.extend(taken.missing.iter().map(|(end, e)| absent(&end.host, e)));
    if cast.connecting.is_empty() || (cast.strict && !cast.absent.is_empty()) {
        return Err(SessionError::Missing { missing: cast.absent.clone() }.into());
    }
    Ok(taken.leases)
}

pub(crate) fn absent(host: &str, e: &ControlError) -> Excluded {
    let cause = match e {
        ControlError::Call { source, .. } => in_words(source),
        _ => e.cause().map_or(e.to_string(), |cause| format!("{e}: {cause}")),
    };
    Excluded { host: host.to_string(), cause, midway: false }
}

fn about(cast: &Participants<'_>, plan: &TrialPlan) -> Result<TrialContext, ControlError> {
    Ok(TrialContext {
        attempt: crate::random_name()?,
        run: plan.run,
        by: plan.client.clone(),
        ordered: jiff::Timestamp::now().to_string(),
        connecting: cast.connecting.iter().map(|(end, _)| end.host.clone()).collect(),
        listening: cast.listening.host.clone(),
        medium: plan.medium.clone(),
        bus: plan.bus.clone(),
    })
}

struct Start<'a> {
    order: &'a Order,
    about: &'a TrialContext,
    /// Whether live samples include the CPU.
    live_cpu: bool,
    beating: bool,
}

/// Starts the listening end, then all connecting ends at once; in the order of [`GatherResult::parts`].
fn begin<'a>(cast: &Participants<'a>, leases: &Leases<'_>, told: &Start<'_>) -> Vec<StartedEnd<'a>> {
    let start = |end: &'a End, peer: Option<SocketAddr>, client: u16| {
        let role = if peer.is_some() { Role::Connect } else { Role::Listen };
        let order = StartRequest {
            lease: leases.of(end).unwrap_or_default().to_string(),
            order: Order { client, ..told.order.clone() },
            host: end.host.clone(),
            peer,
            vigil: if told.beating {
                vigil(cast, end, role, &told.order.probe)
            } else {
                LivenessPolicy::Lease
            },
            about: Some(told.about.clone()),
            live_cpu: told.live_cpu,
        };
        let job = end.start(&order).map_err(Some);
        if job.is_err() && role == Role::Connect {
            // Only its answer may be lost: free it, because nobody counts its work.
            leases.give_back(end);
        }
        StartedEnd { end, role, job }
    };
    let listening = start(cast.listening, None, 0);
    let clients: Vec<(u16, &(&'a End, SocketAddr))> = (0u16..).zip(&cast.connecting).collect();
    let mut parts = if listening.job.is_ok() {
        each(&clients, |(client, (end, data))| start(end, Some(*data), *client))
    } else {
        let never =
            |(end, _): &(&'a End, SocketAddr)| StartedEnd { end, role: Role::Connect, job: Err(None) };
        cast.connecting.iter().map(never).collect()
    };
    parts.push(listening);
    parts
}

/// How an agent detects the loss of the coordinator. Arriving data is a sign of life where its sender would
/// stop without us. Where data flows one way, the sender hears only us. Where it flows both ways between
/// remote hosts, one of them relies on heartbeats alone. In file work, data says nothing about the
/// coordinator.
fn vigil(cast: &Participants<'_>, end: &End, role: Role, probe: &Probe) -> LivenessPolicy {
    let ours = cast.ends().iter().any(|e| e.own);
    let files = matches!(probe, Probe::File(_));
    if end.own {
        LivenessPolicy::Lease
    } else if files || (role == Role::Listen && !ours && probe.settings().is_bidirectional()) {
        LivenessPolicy::Silence
    } else {
        LivenessPolicy::Arrivals
    }
}

fn give_up(parts: &[StartedEnd<'_>]) -> GatherResult {
    for part in parts {
        if let Ok(job) = &part.job {
            part.end.abandon(job);
        }
    }
    GatherResult::idle(parts)
}

fn discard(cast: &Participants<'_>, gathered: &GatherResult) {
    let whole: Vec<(&End, &str)> = cast
        .ends()
        .into_iter()
        .zip(&gathered.parts)
        .filter_map(|(end, part)| match &part.ended {
            Ended::Whole { job, .. } => Some((end, job.as_str())),
            Ended::Lost { .. } | Ended::Idle { .. } => None,
        })
        .collect();
    each(&whole, |(end, job)| end.discard(job));
}
