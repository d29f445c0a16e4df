//! Runs one trial: a listening end and one or more connecting ends. A load starts without a missing client:
//! the client and its workers are removed from the settings and the rest renumbered
//! ([`goodput_model::load::Load::without`]). These settings are ordered and recorded, so connection indices
//! match. [`Trial::excluded`] lists missing clients.

use super::agent_connection::{AgentConnection, describe_call_error};
use super::collect_endpoints::{
    self, CollectedEndpointOutcomes, EndpointCollectionTimeouts, EndpointStatus, StartedEndpoint,
};
use super::parallel_map::map_parallel;
use super::trial_leases::{self, LeaseRequester, TrialLeases};
use super::{SessionError, TrialPlan, heartbeat, outcome};
use crate::ControlError;
use crate::protocol::{LivenessPolicy, StartJobRequest, TrialContext};
use goodput_model::event::{EndpointLiveProgress, Event, LiveProgress};
use goodput_model::load::ExcludedClient;
use goodput_model::probe::Probe;
use goodput_model::recorder::Recorder;
use goodput_model::trial::{EndpointRole, Trial, TrialSpec};
use goodput_probe::CancelFlag;
use goodput_words::{ErrorMessage, message};
use std::net::SocketAddr;

pub(crate) struct TrialParticipants<'a> {
    /// In the order of [`Order::client`], with the address for data connections.
    pub connecting: Vec<(&'a AgentConnection, SocketAddr)>,
    pub listening: &'a AgentConnection,
    /// Clients missing already; not in `without_listener`.
    pub absent: Vec<ExcludedClient>,
    /// No client may be missing at the start.
    pub strict: bool,
    /// The listening end only agrees on the window of file work; its report is discarded.
    pub referee: bool,
}

impl<'a> TrialParticipants<'a> {
    /// In the order of [`CollectedEndpoints::parts`].
    fn ends(&self) -> Vec<&'a AgentConnection> {
        self.connecting.iter().map(|(end, _)| *end).chain([self.listening]).collect()
    }
}

/// The trial is recorded before [`Event::TrialFinished`] and before this returns.
pub(crate) fn run_trial(
    mut cast: TrialParticipants<'_>,
    plan: &TrialPlan,
    recorder: &mut dyn Recorder,
    tell: &mut dyn FnMut(&Event),
    cancel: &CancelFlag,
) -> Result<Trial, ControlError> {
    let mut plan = plan.clone();
    let leases = take_leases(&mut cast, &mut plan, tell, cancel)?;
    tell(&Event::TrialStarted { trial: plan.trial, probe: plan.probe.clone() });
    let order = plan.to_trial_spec(plan.live)?;
    let about = about(&cast, &plan)?;
    let gathered = heartbeat::run_with_heartbeats(&leases, |beating| {
        let start = Start { order: &order, about: &about, live_cpu: plan.live && plan.watched, beating };
        let parts = begin(&cast, &leases, &start);
        if !parts.iter().any(|p| p.role == EndpointRole::Connect && p.job.is_ok()) {
            return give_up(&parts);
        }
        let mut on_live = |whole: LiveProgress, ends: &dyn Fn() -> Vec<EndpointLiveProgress>| {
            if plan.watched || plan.viewer_flag.has_viewers() {
                let mut ends = ends();
                ends.retain(|end| !cast.referee || end.role != EndpointRole::Listen);
                tell(&Event::LiveEnds { whole, ends });
            }
            tell(&Event::Live(whole));
        };
        collect_endpoints::collect_endpoint_results(
            &parts,
            &plan.probe,
            &EndpointCollectionTimeouts::from_plan(&plan),
            &mut on_live,
            cancel,
        )
    });
    let mut trial = outcome::build_trial_record(&plan, &cast.absent, &gathered);
    if cast.referee {
        trial.ends.retain(|end| end.role != EndpointRole::Listen);
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
    cast: &mut TrialParticipants<'a>,
    plan: &mut TrialPlan,
    tell: &mut dyn FnMut(&Event),
    cancel: &CancelFlag,
) -> Result<TrialLeases<'a>, ControlError> {
    let spare = plan.probe.settings().client_names().is_some();
    let listening = cast.listening;
    let needs = |end: &AgentConnection| !spare || end.hello.agent == listening.hello.agent;
    let asker = LeaseRequester { client: &plan.client, shared: plan.shared, needs: &needs };
    let taken = trial_leases::acquire_leases(&cast.ends(), &asker, tell, cancel)?;
    let there = |end: &AgentConnection| taken.leases.lease_of_agent(end).is_some();
    let gone: Vec<u16> =
        (0u16..).zip(&cast.connecting).filter(|(_, (end, _))| !there(end)).map(|(at, _)| at).collect();
    plan.probe.settings_mut().remove_clients(&gone);
    if spare {
        cast.connecting.retain(|(end, _)| there(end));
    }
    cast.absent.extend(taken.missing.iter().map(|(end, e)| excluded_client_from_error(&end.host, e)));
    if cast.connecting.is_empty() || (cast.strict && !cast.absent.is_empty()) {
        return Err(SessionError::Missing { missing: cast.absent.clone() }.into());
    }
    Ok(taken.leases)
}

pub(crate) fn excluded_client_from_error(host: &str, e: &ControlError) -> ExcludedClient {
    let cause = match e {
        ControlError::Call { source, .. } => describe_call_error(source),
        _ => match e.cause() {
            Some(why) => message!(list_colon { what: e.message(), why }),
            None => e.message(),
        },
    };
    ExcludedClient { host: host.to_string(), cause, midway: false }
}

fn about(cast: &TrialParticipants<'_>, plan: &TrialPlan) -> Result<TrialContext, ControlError> {
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
    order: &'a TrialSpec,
    about: &'a TrialContext,
    /// Whether live samples include the CPU.
    live_cpu: bool,
    beating: bool,
}

/// Starts the listening end, then all connecting ends at once; in the order of [`CollectedEndpoints::parts`].
fn begin<'a>(
    cast: &TrialParticipants<'a>,
    leases: &TrialLeases<'_>,
    told: &Start<'_>,
) -> Vec<StartedEndpoint<'a>> {
    let start = |end: &'a AgentConnection, peer: Option<SocketAddr>, client: u16| {
        let role = if peer.is_some() { EndpointRole::Connect } else { EndpointRole::Listen };
        let order = StartJobRequest {
            lease: leases.lease_of_agent(end).unwrap_or_default().to_string(),
            order: TrialSpec { client, ..told.order.clone() },
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
        let job = end.start_job(&order).map_err(Some);
        if job.is_err() && role == EndpointRole::Connect {
            // Only its answer may be lost: free it, because nobody counts its work.
            leases.release_lease(end);
        }
        StartedEndpoint { end, role, job }
    };
    let listening = start(cast.listening, None, 0);
    let clients: Vec<(u16, &(&'a AgentConnection, SocketAddr))> = (0u16..).zip(&cast.connecting).collect();
    let mut parts = if listening.job.is_ok() {
        map_parallel(&clients, |(client, (end, data))| start(end, Some(*data), *client))
    } else {
        let never = |(end, _): &(&'a AgentConnection, SocketAddr)| StartedEndpoint {
            end,
            role: EndpointRole::Connect,
            job: Err(None),
        };
        cast.connecting.iter().map(never).collect()
    };
    parts.push(listening);
    parts
}

/// How an agent detects a lost coordinator. Arriving data is a sign of life where its sender would stop
/// without us. Where data flows one way, the sender hears only us. Where it flows both ways between remote
/// hosts, one of them relies on heartbeats alone. In file work, data says nothing about us.
fn vigil(
    cast: &TrialParticipants<'_>,
    end: &AgentConnection,
    role: EndpointRole,
    probe: &Probe,
) -> LivenessPolicy {
    let ours = cast.ends().iter().any(|e| e.own);
    let files = probe.settings().file_location().is_some();
    if end.own {
        LivenessPolicy::Lease
    } else if files || (role == EndpointRole::Listen && !ours && probe.settings().is_bidirectional()) {
        LivenessPolicy::Silence
    } else {
        LivenessPolicy::Arrivals
    }
}

fn give_up(parts: &[StartedEndpoint<'_>]) -> CollectedEndpointOutcomes {
    for part in parts {
        if let Ok(job) = &part.job {
            part.end.stop_job(job);
        }
    }
    CollectedEndpointOutcomes::for_unstarted_trial(parts)
}

fn discard(cast: &TrialParticipants<'_>, gathered: &CollectedEndpointOutcomes) {
    let whole: Vec<(&AgentConnection, &str)> = cast
        .ends()
        .into_iter()
        .zip(&gathered.parts)
        .filter_map(|(end, part)| match &part.ended {
            EndpointStatus::Whole { job, .. } => Some((end, job.as_str())),
            EndpointStatus::Lost { .. } | EndpointStatus::Idle { .. } => None,
        })
        .collect();
    map_parallel(&whole, |(end, job)| end.discard_result(job));
}
