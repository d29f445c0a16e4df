//! Lists and selects agents on this network or at a router. On a network a coordinator scouts by multicast
//! for about a second and identifies each answer over mutual TLS. At a router all present agents are asked at
//! once. Ambiguous names are errors.

mod lan;
mod listed_agent;
mod routed;
mod select;
mod watch;

pub use listed_agent::ListedAgent;
pub use select::{Choice, Selection};
pub use watch::Change;

pub(crate) use routed::{join, only};

use crate::ControlError;
use crate::address::CONTROL_PORT;
use crate::address::{HostAddress, Route, RouterAddress};
pub use crate::error::NoSuchAgent;
use crate::identity::Identity;
use crate::preflight::{self, PreflightError};
use goodput_model::trial::Deadlines;
use goodput_probe::Cancel;
use std::sync::Arc;

/// Where and with which identity to look for agents.
pub struct Registry {
    identity: Option<Arc<Identity>>,
    router: Option<RouterAddress>,
    deadlines: Deadlines,
}

impl Registry {
    /// Uses a router if one is named, else this network.
    pub fn new(
        identity: Option<Arc<Identity>>,
        router: Option<RouterAddress>,
        deadlines: Deadlines,
    ) -> Registry {
        Registry { identity, router, deadlines }
    }

    /// All agents by name; takes about a second on a network. An agent that cannot be asked is listed with
    /// its error.
    pub fn list(&self) -> Result<Vec<ListedAgent>, ControlError> {
        let identity = self.identity.as_deref();
        let mut listed = match &self.router {
            Some(router) => {
                let bus = join(router, identity, &self.deadlines)?;
                routed::list(&bus, router, identity)?
            }
            None => lan::survey_lan(identity, &self.deadlines)?,
        };
        listed.sort_by(|a, b| a.order().cmp(&b.order()));
        Ok(listed)
    }

    /// Resolves a bare name. With a router: only the agent of this name there. Otherwise the host that the
    /// resolver knows, else the agent of this name on the network.
    pub fn find(&self, name: &str) -> Result<HostAddress, ControlError> {
        if let Some(router) = &self.router {
            let bus = join(router, self.identity.as_deref(), &self.deadlines)?;
            only(&bus, router, name, &self.deadlines)?;
            return Ok(routed::address(router, name));
        }
        match self.resolved(name) {
            Ok(host) => Ok(host),
            Err(unresolved) => {
                let listed = self.list()?;
                select::named(&listed, name, &self.place(), Some(&unresolved.cause()))
            }
        }
    }

    /// Resolves choices in their order; members of a group by name. Fails for an empty group, an unusable
    /// member, and two hosts with one name.
    pub fn select(&self, wanted: &Selection) -> Result<Vec<(String, HostAddress)>, ControlError> {
        let listed = if self.router.is_some() || wanted.needs_list() { Some(self.list()?) } else { None };
        let mut found: Vec<(String, HostAddress)> = Vec::new();
        for choice in wanted.choices() {
            found.extend(match choice {
                Choice::Host(host) => vec![(host.to_string(), host.clone())],
                Choice::Name(name) => {
                    let host = match (&listed, self.router.is_some()) {
                        (Some(listed), true) => select::named(listed, name, &self.place(), None)?,
                        (Some(listed), false) => match self.resolved(name) {
                            Ok(host) => host,
                            Err(e) => select::named(listed, name, &self.place(), Some(&e.cause()))?,
                        },
                        (None, _) => self.find(name)?,
                    };
                    vec![(name.clone(), host)]
                }
                Choice::Group(group) => {
                    let listed = listed.as_deref().unwrap_or(&[]);
                    select::members(listed, Some(group), &wanted.labels, &self.place())?
                }
            });
        }
        if wanted.choices().is_empty() && !wanted.labels.is_empty() {
            let listed = listed.as_deref().unwrap_or(&[]);
            found.extend(select::members(listed, None, &wanted.labels, &self.place())?);
        }
        select::deduplicated(found)
    }

    /// Reports agents and their changes until cancelled.
    pub fn watch(&self, tell: &mut dyn FnMut(Change), cancel: &Cancel) -> Result<(), ControlError> {
        match &self.router {
            Some(router) => watch::routed(router, self.identity.clone(), &self.deadlines, tell, cancel),
            None => watch::lan(self.identity.clone(), &self.deadlines, tell, cancel),
        }
    }

    /// The local agent without a key, which a watch does not find. `None` with a key or a router.
    pub fn agent_on_this_host(&self) -> Option<ListedAgent> {
        let alone = self.identity.is_none() && self.router.is_none();
        if alone { lan::agent_on_this_host(&self.deadlines) } else { None }
    }

    fn resolved(&self, name: &str) -> Result<HostAddress, PreflightError> {
        let host = HostAddress::new(name, CONTROL_PORT);
        preflight::resolve(&host, self.deadlines.resolve.duration()).map(|_| host)
    }

    fn place(&self) -> String {
        match &self.router {
            Some(router) => format!("at the router {router}"),
            None => "on this network".to_string(),
        }
    }
}

pub(crate) fn shown(host: &HostAddress) -> String {
    match &host.way {
        Route::Resolver => host.to_string(),
        Route::At(addr) => HostAddress::new(addr.ip().to_string(), addr.port()).to_string(),
        Route::Router(router) => format!("through {router}"),
    }
}
