//! Joins an agent to a router, so that coordinators of other sites reach it by name. Zenoh keeps the session;
//! this module opens it and retries.

use super::{Agent, AgentInner, handlers};
use crate::address::{AgentRouterAddress, HostAddress};
use crate::message_bus::{BusRegistration, ZenohBus};
use crate::preflight;
use crate::{ControlError, locked};
use goodput_model::trial::TrialTimeouts;
use goodput_words::ErrorMessage;
use std::sync::{Arc, Mutex, Weak};
use std::time::Duration;

const FIRST_PAUSE: Duration = Duration::from_secs(1);
const LONGEST_PAUSE: Duration = Duration::from_secs(30);
const OPEN: Duration = Duration::from_secs(10);

/// What an agent serves on routers; shared with the joining threads.
pub(super) type RouterRegistrations = Arc<Mutex<Vec<BusRegistration>>>;

impl Agent {
    /// Joins in the background and returns at once; `tell` receives a sentence on success, and each cause of
    /// failure once. An unreachable router is no error.
    pub fn join_router(
        &self,
        router: AgentRouterAddress,
        tell: impl Fn(&str) + Send + 'static,
    ) -> Result<(), ControlError> {
        let (inner, routed) = (Arc::downgrade(&self.inner), self.routed.clone());
        crate::spawn("goodput-router", move || keep_trying(&inner, &routed, &router, &tell)).map(drop)
    }
}

fn keep_trying(
    inner: &Weak<AgentInner>,
    routed: &RouterRegistrations,
    router: &AgentRouterAddress,
    tell: &dyn Fn(&str),
) {
    let mut said = String::new();
    let mut pause = FIRST_PAUSE;
    while let Some(inner) = inner.upgrade() {
        match inner.join(router) {
            Ok(registered) => {
                locked(routed).extend(registered);
                // If the agent was dropped meanwhile, nobody else would release these.
                if inner.lock().stopping {
                    locked(routed).clear();
                }
                tell(&format!("registered at the router {router}"));
                return;
            }
            Err(e) => {
                let why = e.message_with_sources().to_string();
                if why != said {
                    tell(&format!("not yet registered at the router {router}: {why}"));
                    said = why;
                }
            }
        }
        if inner.wait_while(inner.lock(), pause, |state| !state.stopping).stopping {
            return;
        }
        pause = (pause * 2).min(LONGEST_PAUSE);
    }
}

impl AgentInner {
    fn join(self: &Arc<Self>, router: &AgentRouterAddress) -> Result<Vec<BusRegistration>, ControlError> {
        // Zenoh reports all failures alike; the preflight check finds the cause.
        let (at, identity) = (HostAddress::from(router), self.identity.as_deref());
        preflight::check_agent(&at, Some(&at.host), identity, &TrialTimeouts::default())?;
        let bus = Arc::new(ZenohBus::join_router(router, identity, OPEN)?);
        let registered = handlers::register_handlers(self, &*bus)?;
        self.bus.add_bus(bus);
        Ok(registered)
    }
}
