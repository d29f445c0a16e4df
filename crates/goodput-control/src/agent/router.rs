//! Being present at a router beside one's own port, so that coordinators of other sites reach the agent by its
//! name. The engine keeps the session; here it is opened, as often as it takes.

use super::{Agent, Inner, orders};
use crate::ControlError;
use crate::address::{HostAddress, RouterAddress};
use crate::bus::{Registration, ZenohBus};
use crate::preflight;
use goodput_model::trial::Deadlines;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::thread;
use std::time::{Duration, Instant};

/// Between the first two attempts; each pause is twice the one before.
const FIRST_PAUSE: Duration = Duration::from_secs(1);
const LONGEST_PAUSE: Duration = Duration::from_secs(30);
/// How long the engine may take to open a session.
const OPEN: Duration = Duration::from_secs(10);

/// What an agent serves on routers; shared with the threads that join them.
#[derive(Clone, Default)]
pub(super) struct Routed(Arc<Mutex<Vec<Registration>>>);

impl Routed {
    fn hold(&self, more: Vec<Registration>) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend(more);
    }

    pub fn leave(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }
}

impl Agent {
    /// Is present at a router as well, from the moment that it can be reached. Returns at once; `tell` hears in a
    /// sentence when it is there, and why not yet, each reason once.
    ///
    /// # Errors
    /// No thread to be had. A router that cannot be reached is no error: it may come.
    pub fn join(
        &self,
        router: RouterAddress,
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

fn keep_trying(inner: &Weak<Inner>, routed: &Routed, router: &RouterAddress, tell: &dyn Fn(&str)) {
    let mut said = String::new();
    let mut pause = FIRST_PAUSE;
    while let Some(inner) = inner.upgrade() {
        match inner.join(router) {
            Ok(registered) => {
                routed.hold(registered);
                // Should the agent have been dropped meanwhile, nobody else would let go of these.
                if inner.lock().stopping {
                    routed.leave();
                }
                tell(&format!("present at the router {router}"));
                return;
            }
            Err(e) => {
                let why = crate::chain(&e);
                if why != said {
                    tell(&format!("not at the router {router} yet: {why}"));
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

impl Inner {
    fn join(self: &Arc<Self>, router: &RouterAddress) -> Result<Vec<Registration>, ControlError> {
        // The engine says the same of every failure; this says which it is.
        preflight::check(&HostAddress::from(router), self.identity.as_deref(), &Deadlines::default())?;
        let bus = Arc::new(ZenohBus::join(router, self.identity.as_deref(), OPEN)?);
        let registered = orders::register(self, &*bus)?;
        self.bus.add(bus);
        Ok(registered)
    }

    /// Waits so long; false when the agent is to stop.
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
