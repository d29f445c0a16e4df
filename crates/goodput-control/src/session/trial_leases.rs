//! Queues for a lease on each agent of a trial. All are asked at once. Where another coordinator is first,
//! leases on agents after that one in name order are released before waiting, which prevents deadlock.

use super::agent_connection::{AgentConnection, IMMEDIATE_REPLY_TIMEOUT};
use super::parallel_map::map_parallel;
use crate::message_bus::CallError;
use crate::protocol::{LeaseRequest, LeaseStatus};
use crate::{ControlError, millis};
use goodput_model::event::Event;
use goodput_model::units::Nanos;
use goodput_probe::CancelFlag;
use std::thread;
use std::time::Duration;

/// Length of one poll; several fit into a lease.
const POLL_INTERVAL: Duration = Duration::from_millis(500);
/// Between two polls, however soon an agent answers.
const MIN_POLL_INTERVAL: Duration = Duration::from_millis(20);

pub(super) struct LeaseRequester<'a> {
    pub client: &'a str,
    /// Run together with other shared trials.
    pub shared: bool,
    /// Agents without which there is no trial.
    pub needs: &'a (dyn Fn(&AgentConnection) -> bool + Sync),
}

/// The leases of one trial; released on drop.
#[derive(Default)]
pub(super) struct TrialLeases<'a> {
    /// Sorted by agent name.
    held: Vec<(&'a AgentConnection, String)>,
}

#[derive(Default)]
pub(super) struct LeaseAcquisitionResult<'a> {
    pub leases: TrialLeases<'a>,
    /// Agents that granted none, and why.
    pub missing: Vec<(&'a AgentConnection, ControlError)>,
}

impl TrialLeases<'_> {
    pub fn lease_of_agent(&self, end: &AgentConnection) -> Option<&str> {
        let at = self.held.binary_search_by(|(e, _)| e.hello.agent.cmp(&end.hello.agent));
        at.ok().map(|at| self.held[at].1.as_str())
    }

    pub fn release_lease(&self, end: &AgentConnection) {
        if let Some(id) = self.lease_of_agent(end) {
            release(&[(end, id.to_string())]);
        }
    }

    /// Sends heartbeats without waiting.
    pub fn send_heartbeats(&self) {
        self.held.iter().for_each(|(end, id)| end.send_heartbeat(id));
    }
}

impl Drop for TrialLeases<'_> {
    fn drop(&mut self) {
        release(&self.held);
    }
}

fn release(leases: &[(&AgentConnection, String)]) {
    map_parallel(leases, |(end, id)| {
        // If this is lost, the lease expires.
        let _ = end.call_with_error_context(
            &LeaseRequest::Release { id: id.clone() },
            "release the lease",
            IMMEDIATE_REPLY_TIMEOUT,
        );
    });
}

/// Takes a lease on each agent, queueing where others are first.
pub(super) fn acquire_leases<'a>(
    ends: &[&'a AgentConnection],
    asker: &LeaseRequester<'_>,
    tell: &mut dyn FnMut(&Event),
    cancel: &CancelFlag,
) -> Result<LeaseAcquisitionResult<'a>, ControlError> {
    let mut rest = in_order(ends);
    let mut taken = LeaseAcquisitionResult::default();
    while !rest.is_empty() {
        let Some((at, end, standing)) = ask(&rest, asker, &mut taken)? else { break };
        wait(end, standing, asker, &mut taken, tell, cancel)?;
        rest.drain(..=at);
        // Agents found missing meanwhile are not asked again.
        rest.retain(|e| !taken.missing.iter().any(|(m, _)| m.hello.agent == e.hello.agent));
    }
    Ok(taken)
}

/// Takes leases on agents that are free, or become free within one poll.
pub(super) fn try_acquire_leases<'a>(ends: &[&'a AgentConnection], client: &str) -> TrialLeases<'a> {
    let asker = LeaseRequester { client, shared: false, needs: &|_| false };
    let order = in_order(ends);
    let granted = map_parallel(&order, |end| match request(end, &asker) {
        Ok(LeaseStatus::Granted { id }) => Some(id),
        Ok(LeaseStatus::Queued { id, .. }) => {
            let granted = matches!(wait_in_turn(end, id.clone()), Ok(LeaseStatus::Granted { .. }));
            if !granted {
                release(&[(end, id.clone())]);
            }
            granted.then_some(id)
        }
        Ok(LeaseStatus::Released) | Err(_) => None,
    });
    let held = order.into_iter().zip(granted).filter_map(|(end, id)| Some((end, id?))).collect();
    TrialLeases { held }
}

fn in_order<'a>(ends: &[&'a AgentConnection]) -> Vec<&'a AgentConnection> {
    let mut order: Vec<&'a AgentConnection> = ends.to_vec();
    order.sort_by(|a, b| a.hello.agent.cmp(&b.hello.agent));
    order.dedup_by(|a, b| a.hello.agent == b.hello.agent);
    order
}

fn request(end: &AgentConnection, asker: &LeaseRequester<'_>) -> Result<LeaseStatus, ControlError> {
    let (client, presence) = (asker.client.to_string(), end.presence.clone());
    end.call_with_error_context(
        &LeaseRequest::Request { client, presence, shared: asker.shared },
        "give a lease",
        IMMEDIATE_REPLY_TIMEOUT,
    )
}

/// Answers when the place in the queue changes, after one poll at the latest.
fn wait_in_turn(end: &AgentConnection, id: String) -> Result<LeaseStatus, ControlError> {
    let asked = id.clone();
    let renew = LeaseRequest::Renew { id, wait_ms: millis(POLL_INTERVAL) };
    let standing =
        end.call_with_error_context(&renew, "wait in turn", POLL_INTERVAL + IMMEDIATE_REPLY_TIMEOUT)?;
    match &standing {
        LeaseStatus::Granted { id } | LeaseStatus::Queued { id, .. } if *id != asked => {
            let source = CallError::Refused { message: "it answered for another lease".into() };
            Err(ControlError::Call { host: end.host.clone(), what: "wait in turn", source })
        }
        _ => Ok(standing),
    }
}

/// Asks all at once. Keeps grants before the first queue, releases those behind, returns that queue.
fn ask<'a>(
    rest: &[&'a AgentConnection],
    asker: &LeaseRequester<'_>,
    taken: &mut LeaseAcquisitionResult<'a>,
) -> Result<Option<(usize, &'a AgentConnection, LeaseStatus)>, ControlError> {
    let (mut queue, mut back, mut trouble) = (None, Vec::new(), None);
    for (at, (end, standing)) in rest.iter().zip(map_parallel(rest, |end| request(end, asker))).enumerate() {
        match standing {
            Ok(LeaseStatus::Granted { id }) if queue.is_none() => taken.leases.held.push((*end, id)),
            Ok(standing @ LeaseStatus::Queued { .. }) if queue.is_none() => {
                queue = Some((at, *end, standing))
            }
            Ok(LeaseStatus::Granted { id } | LeaseStatus::Queued { id, .. }) => back.push((*end, id)),
            Ok(LeaseStatus::Released) => trouble = trouble.or(Some(lost(end))),
            Err(e) if (asker.needs)(end) => trouble = trouble.or(Some(e)),
            Err(e) => taken.missing.push((*end, e)),
        }
    }
    if let Some(trouble) = trouble {
        if let Some((_, end, LeaseStatus::Queued { id, .. })) = queue {
            back.push((end, id));
        }
        release(&back);
        return Err(trouble);
    }
    release(&back);
    Ok(queue)
}

/// Waits in one agent's queue.
fn wait<'a>(
    end: &'a AgentConnection,
    mut standing: LeaseStatus,
    asker: &LeaseRequester<'_>,
    taken: &mut LeaseAcquisitionResult<'a>,
    tell: &mut dyn FnMut(&Event),
    cancel: &CancelFlag,
) -> Result<(), ControlError> {
    let mut told = None;
    loop {
        let id = match standing {
            LeaseStatus::Granted { id } => {
                taken.leases.held.push((end, id));
                return Ok(());
            }
            LeaseStatus::Queued { id, place, holder, held_for_ms, left_ms } => {
                if told.as_ref() != Some(&(place, holder.clone())) {
                    let nanos = |ms: u64| Nanos::from(Duration::from_millis(ms));
                    tell(&Event::Waiting {
                        host: end.host.clone(),
                        place,
                        holder: holder.clone(),
                        held_for: held_for_ms.map(nanos),
                        left: left_ms.map(nanos),
                    });
                    told = Some((place, holder));
                }
                id
            }
            LeaseStatus::Released => return Err(lost(end)),
        };
        let gone = if cancel.is_cancelled() { Err(ControlError::Interrupted) } else { renew(asker, taken) };
        if let Err(e) = gone {
            release(&[(end, id)]);
            return Err(e);
        }
        thread::sleep(MIN_POLL_INTERVAL);
        match wait_in_turn(end, id) {
            Ok(now) => standing = now,
            Err(e) if (asker.needs)(end) => return Err(e),
            Err(e) => {
                taken.missing.push((end, e));
                return Ok(());
            }
        }
    }
}

/// Renews the held leases; drops agents that may be missing and are.
fn renew(asker: &LeaseRequester<'_>, taken: &mut LeaseAcquisitionResult<'_>) -> Result<(), ControlError> {
    let renewed = map_parallel(&taken.leases.held, |(end, id)| {
        end.call_with_error_context(
            &LeaseRequest::Renew { id: id.clone(), wait_ms: 0 },
            "renew the lease",
            IMMEDIATE_REPLY_TIMEOUT,
        )
    });
    for (at, renewed) in renewed.into_iter().enumerate().rev() {
        let Err(e) = renewed else { continue };
        let end = taken.leases.held[at].0;
        if (asker.needs)(end) {
            return Err(e);
        }
        taken.leases.held.remove(at);
        taken.missing.push((end, e));
    }
    Ok(())
}

fn lost(end: &AgentConnection) -> ControlError {
    let source = CallError::Refused { message: "the lease was released by somebody else".into() };
    ControlError::Call { host: end.host.clone(), what: "wait in turn", source }
}
