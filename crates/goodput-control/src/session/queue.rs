//! Waiting in turn: a lease on each agent before a trial, given back after it.
//!
//! All agents are asked at once. Where somebody else comes first on one of them, those that come after it in the order
//! of the agents' names are given back before we wait there: whoever waits holds only agents before the one he waits
//! for, so no two coordinators can wait for each other.

use super::each::each;
use super::end::{End, PROMPT};
use crate::ControlError;
use crate::bus::CallError;
use crate::protocol::{AskLease, Standing};
use goodput_model::event::Event;
use goodput_model::units::Nanos;
use goodput_probe::Cancel;
use std::time::Duration;

/// How long one look at a queue lasts. A lease expires after several of them.
const LOOK: Duration = Duration::from_millis(500);

pub(super) struct Asker<'a> {
    pub client: &'a str,
    /// Run together with others who say so too.
    pub shared: bool,
    /// Agents without which there is no trial; the others may be missing.
    pub needs: &'a (dyn Fn(&End) -> bool + Sync),
}

/// The leases of one trial; given back when dropped.
#[derive(Default)]
pub(super) struct Leases<'a> {
    /// In the order of the agents' names.
    held: Vec<(&'a End, String)>,
}

#[derive(Default)]
pub(super) struct Taken<'a> {
    pub leases: Leases<'a>,
    /// Who could not give one, and why.
    pub missing: Vec<(&'a End, ControlError)>,
}

impl Leases<'_> {
    /// The lease on an end's agent.
    pub fn of(&self, end: &End) -> Option<&str> {
        let at = self.held.binary_search_by(|(e, _)| e.hello.agent.cmp(&end.hello.agent));
        at.ok().map(|at| self.held[at].1.as_str())
    }

    pub fn give_back(&self, end: &End) {
        if let Some(id) = self.of(end) {
            release(&[(end, id.to_string())]);
        }
    }

    /// Says to each agent that we are still there, without waiting for an answer.
    pub fn beat(&self) {
        self.held.iter().for_each(|(end, id)| end.beat(id));
    }
}

impl Drop for Leases<'_> {
    fn drop(&mut self) {
        release(&self.held);
    }
}

fn release(leases: &[(&End, String)]) {
    each(leases, |(end, id)| {
        // Should this be lost, the lease expires by itself.
        let _ = end.ask(&AskLease::Release { id: id.clone() }, "release the lease", PROMPT);
    });
}

/// Takes a lease on each agent, one agent once, waiting in turn where others come first.
pub(super) fn take<'a>(
    ends: &[&'a End],
    asker: &Asker<'_>,
    tell: &mut dyn FnMut(&Event),
    cancel: &Cancel,
) -> Result<Taken<'a>, ControlError> {
    let mut rest = in_order(ends);
    let mut taken = Taken::default();
    while !rest.is_empty() {
        let Some((at, end, standing)) = ask(&rest, asker, &mut taken)? else { break };
        wait(end, standing, asker, &mut taken, tell, cancel)?;
        rest.drain(..=at);
        // Whoever was found missing behind that queue is not asked again.
        rest.retain(|e| !taken.missing.iter().any(|(m, _)| m.hello.agent == e.hello.agent));
    }
    Ok(taken)
}

/// Takes a lease on each agent that nobody has, or gives back within one look: one whose trial has just ended.
pub(super) fn take_free<'a>(ends: &[&'a End], client: &str) -> Leases<'a> {
    let asker = Asker { client, shared: false, needs: &|_| false };
    let order = in_order(ends);
    let granted = each(&order, |end| match request(end, &asker) {
        Ok(Standing::Granted { id }) => Some(id),
        Ok(Standing::Queued { id, .. }) => {
            let wait_ms = LOOK.as_millis() as u64;
            let again = AskLease::Renew { id: id.clone(), wait_ms };
            let granted =
                matches!(end.ask(&again, "wait in turn", LOOK + PROMPT), Ok(Standing::Granted { .. }));
            if !granted {
                release(&[(end, id.clone())]);
            }
            granted.then_some(id)
        }
        Ok(Standing::Released) | Err(_) => None,
    });
    let held = order.into_iter().zip(granted).filter_map(|(end, id)| Some((end, id?))).collect();
    Leases { held }
}

fn in_order<'a>(ends: &[&'a End]) -> Vec<&'a End> {
    let mut order: Vec<&'a End> = ends.to_vec();
    order.sort_by(|a, b| a.hello.agent.cmp(&b.hello.agent));
    order.dedup_by(|a, b| a.hello.agent == b.hello.agent);
    order
}

fn request(end: &End, asker: &Asker<'_>) -> Result<Standing, ControlError> {
    let (client, presence) = (asker.client.to_string(), end.presence.clone());
    end.ask(&AskLease::Request { client, presence, shared: asker.shared }, "give a lease", PROMPT)
}

/// Asks all at once. Holds what was granted before the first queue, gives back what lies behind it; comes back with that
/// queue, if there is one.
fn ask<'a>(
    rest: &[&'a End],
    asker: &Asker<'_>,
    taken: &mut Taken<'a>,
) -> Result<Option<(usize, &'a End, Standing)>, ControlError> {
    let (mut queue, mut back, mut trouble) = (None, Vec::new(), None);
    for (at, (end, standing)) in rest.iter().zip(each(rest, |end| request(end, asker))).enumerate() {
        match standing {
            Ok(Standing::Granted { id }) if queue.is_none() => taken.leases.held.push((*end, id)),
            Ok(standing @ Standing::Queued { .. }) if queue.is_none() => queue = Some((at, *end, standing)),
            Ok(Standing::Granted { id } | Standing::Queued { id, .. }) => back.push((*end, id)),
            Ok(Standing::Released) => trouble = trouble.or(Some(lost(end))),
            Err(e) if (asker.needs)(end) => trouble = trouble.or(Some(e)),
            Err(e) => taken.missing.push((*end, e)),
        }
    }
    if let Some(trouble) = trouble {
        if let Some((_, end, Standing::Queued { id, .. })) = queue {
            back.push((end, id));
        }
        release(&back);
        return Err(trouble);
    }
    release(&back);
    Ok(queue)
}

/// Waits for our turn on one agent and adds its lease to those held.
fn wait<'a>(
    end: &'a End,
    mut standing: Standing,
    asker: &Asker<'_>,
    taken: &mut Taken<'a>,
    tell: &mut dyn FnMut(&Event),
    cancel: &Cancel,
) -> Result<(), ControlError> {
    let mut told = None;
    loop {
        let id = match standing {
            Standing::Granted { id } => {
                taken.leases.held.push((end, id));
                return Ok(());
            }
            Standing::Queued { id, place, holder, held_for_ms, left_ms } => {
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
            Standing::Released => return Err(lost(end)),
        };
        let gone = if cancel.is_cancelled() { Err(ControlError::Interrupted) } else { renew(asker, taken) };
        if let Err(e) = gone {
            release(&[(end, id)]);
            return Err(e);
        }
        let wait_ms = LOOK.as_millis() as u64;
        match end.ask(&AskLease::Renew { id, wait_ms }, "wait in turn", LOOK + PROMPT) {
            Ok(now) => standing = now,
            Err(e) if (asker.needs)(end) => return Err(e),
            Err(e) => {
                taken.missing.push((end, e));
                return Ok(());
            }
        }
    }
}

/// Says to the agents held already that we are still there, and lets go of those that may be missing and are.
fn renew(asker: &Asker<'_>, taken: &mut Taken<'_>) -> Result<(), ControlError> {
    let renewed = each(&taken.leases.held, |(end, id)| {
        end.ask(&AskLease::Renew { id: id.clone(), wait_ms: 0 }, "renew the lease", PROMPT)
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

fn lost(end: &End) -> ControlError {
    let source = CallError::Refused { message: "the lease was released by somebody else".into() };
    ControlError::Call { host: end.host.clone(), what: "wait in turn", source }
}
