//! Waiting in turn: a lease on each agent before a trial, given back after it.

use super::end::{End, PROMPT};
use crate::ControlError;
use crate::bus::CallError;
use crate::protocol::{AskLease, Standing};
use goodput_model::event::Event;
use goodput_probe::Cancel;
use std::time::Duration;

/// How long one look at a queue lasts. A lease expires after several of them.
const LOOK: Duration = Duration::from_millis(500);

/// The leases of one trial; given back when dropped.
pub(super) struct Leases<'a> {
    held: Vec<(&'a End, String)>,
}

impl Leases<'_> {
    /// The lease on an end's agent.
    pub fn of(&self, end: &End) -> &str {
        let held = self.held.iter().find(|(e, _)| e.hello.agent == end.hello.agent);
        held.map_or("", |(_, lease)| lease.as_str())
    }

    /// Says to the agents held already that we are still there.
    fn renew(&self) -> Result<(), ControlError> {
        for (end, id) in &self.held {
            end.ask(&AskLease::Renew { id: id.clone(), wait_ms: 0 }, "renew the lease", PROMPT)?;
        }
        Ok(())
    }
}

impl Drop for Leases<'_> {
    fn drop(&mut self) {
        for (end, id) in &self.held {
            // Should this be lost, the lease expires by itself.
            let _ = end.ask(&AskLease::Release { id: id.clone() }, "release the lease", PROMPT);
        }
    }
}

/// Takes a lease on each agent, one agent once. All coordinators take them in the order of the agents'
/// names, so that no two can wait for each other.
pub(super) fn take<'a>(
    ends: &[&'a End; 2],
    client: &str,
    shared: bool,
    tell: &mut dyn FnMut(&Event),
    cancel: &Cancel,
) -> Result<Leases<'a>, ControlError> {
    let mut order: Vec<&'a End> = ends.to_vec();
    order.sort_by(|a, b| a.hello.agent.cmp(&b.hello.agent));
    order.dedup_by(|a, b| a.hello.agent == b.hello.agent);
    let mut leases = Leases { held: Vec::new() };
    for end in order {
        let request =
            AskLease::Request { client: client.to_string(), presence: end.presence.clone(), shared };
        let standing = end.ask(&request, "give a lease", PROMPT)?;
        wait(end, standing, &mut leases, tell, cancel)?;
    }
    Ok(leases)
}

/// Waits for our turn on one agent and adds its lease to those held.
fn wait<'a>(
    end: &'a End,
    mut standing: Standing,
    leases: &mut Leases<'a>,
    tell: &mut dyn FnMut(&Event),
    cancel: &Cancel,
) -> Result<(), ControlError> {
    let mut told = None;
    loop {
        let id = match standing {
            Standing::Granted { id } => {
                leases.held.push((end, id));
                return Ok(());
            }
            Standing::Queued { id, place, holder } => {
                if told.as_ref() != Some(&(place, holder.clone())) {
                    tell(&Event::Waiting { host: end.host.clone(), place, holder: holder.clone() });
                    told = Some((place, holder));
                }
                id
            }
            Standing::Released => return Err(lost(end)),
        };
        if cancel.is_cancelled() {
            let _ = end.ask(&AskLease::Release { id }, "release the lease", PROMPT);
            return Err(ControlError::Interrupted);
        }
        leases.renew()?;
        let wait_ms = LOOK.as_millis() as u64;
        standing = end.ask(&AskLease::Renew { id, wait_ms }, "wait in turn", LOOK + PROMPT)?;
    }
}

fn lost(end: &End) -> ControlError {
    let source = CallError::Refused { message: "the lease was released by somebody else".into() };
    ControlError::Call { host: end.host.clone(), what: "wait in turn", source }
}
