//! Joins an agent to a router, so that coordinators of other sites reach it by name. Zenoh keeps the session;
//! this module opens it and retries.

use super::{Agent, AgentInner, handlers};
use crate::ControlError;
use crate::address::{AgentRouterAddress, HostAddress};
use crate::message_bus::{Registration, ZenohBus};
use crate::preflight;
use goodput_model::trial::TrialTimeouts;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::thread;
use std::time::{Duration, Instant};

const FIRST_PAUSE: Duration = Duration::from_secs(1);
const LONGEST_PAUSE: Duration = Duration::from_secs(30);
const OPEN: Duration = Duration::from_secs(10);

/// What an agent serves on routers; shared with the joining threads.
#[derive(Clone, Default)]
pub(super) struct RouterRegistrations(Arc<Mutex<Vec<Registration>>>);

impl RouterRegistrations {
    fn hold(&self, more: Vec<Registration>) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend(more);
    }

    pub fn unregister_all(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }
}

impl Agent {
    /// Joins in the background and returns at once; `tell` receives a sentence on success, and each cause of
    /// failure once. An unreachable router is no error.
    pub fn join_router(
        &self,
        router: AgentRouterAddress,
        tell: impl Fn(&str) + Send + 'static,
    ) -> Result<(), ControlError> {
        let (inner, routed) = (Arc::downgrade(&self.inner), self.routed.clone());
        thread::Builder::new()
            .name("goodput-router".into())
            .spawn(move || keep_trying(&inner, &routed, &router, &tell))
            .map_err(|source| ControlError::Thread { source })?;
        Ok(())
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
                routed.hold(registered);
                // If the agent was dropped meanwhile, nobody else would release these.
                if inner.lock().stopping {
                    routed.unregister_all();
                }
                tell(&format!("registered at the router {router}"));
                return;
            }
            Err(e) => {
                let why = crate::chain(&e);
                if why != said {
                    tell(&format!("not yet registered at the router {router}: {why}"));
                    said = why;
                }
            }
        }
        if !inner.rest(pause) {
            return;
        }
        pause = (pause * 2).min(LONGEST_PAUSE);
    }
}

impl AgentInner {
    fn join(self: &Arc<Self>, router: &AgentRouterAddress) -> Result<Vec<Registration>, ControlError> {
        // Zenoh reports all failures alike; the preflight check finds the cause.
        preflight::check_agent(
            &HostAddress::from(router),
            self.identity.as_deref(),
            &TrialTimeouts::default(),
        )?;
        let bus = Arc::new(ZenohBus::join_router(router, self.identity.as_deref(), OPEN)?);
        let registered = handlers::register_handlers(self, &*bus)?;
        self.bus.add(bus);
        Ok(registered)
    }

    /// Sleeps; false when the agent is to stop.
    fn rest(&self, pause: Duration) -> bool {
        let until = Instant::now() + pause;
        let mut state = self.lock();
        while !state.stopping {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return true;
            }
            state = self.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
        }
        false
    }
}
