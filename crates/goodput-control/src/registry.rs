//! Which agents there are, and which of them is meant: on this network, or at a router.
//!
//! On a network nobody is registered anywhere: a coordinator asks by multicast for about a second, then asks each
//! that answered who it is, over mutual TLS. At a router agents are present under keys that carry their names, and
//! all are asked at once. A name that two agents bear is never guessed about.

mod lan;
mod listed;
mod routed;
mod select;
mod watch;

pub use listed::Listed;
pub use select::{Choice, Selection};
pub use watch::Change;

pub(crate) use routed::{join, only};

use crate::ControlError;
use crate::address::CONTROL_PORT;
use crate::address::{HostAddress, RouterAddress, Way};
use crate::identity::Identity;
use crate::preflight::{self, PreflightError};
use goodput_model::trial::Deadlines;
use goodput_probe::Cancel;
use std::sync::Arc;

/// Where agents are looked for, and with what one shows oneself to them.
pub struct Registry {
    identity: Option<Arc<Identity>>,
    router: Option<RouterAddress>,
    deadlines: Deadlines,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no agent called {name} {place}")]
pub struct NoSuchAgent {
    pub name: String,
    pub place: String,
    /// Why, as far as it is known.
    pub cause: Option<String>,
    pub known: Vec<String>,
}

impl NoSuchAgent {
    /// It was there, and now another one is at its place.
    pub(crate) fn gone(name: &str, other: &str) -> NoSuchAgent {
        NoSuchAgent {
            name: name.to_string(),
            place: "any more".to_string(),
            cause: Some(format!("the agent at its address is called {other} now")),
            known: Vec::new(),
        }
    }

    pub fn hint(&self) -> String {
        match self.known.as_slice() {
            [] => {
                "start `goodput agent` there; `goodput hosts` lists the agents that can be found, an address \
                   reaches the others"
                    .to_string()
            }
            known => format!("the agents found are: {}; an address reaches others", known.join(", ")),
        }
    }
}

impl Registry {
    /// Looks on this network, or at a router if one is named.
    pub fn new(
        identity: Option<Arc<Identity>>,
        router: Option<RouterAddress>,
        deadlines: Deadlines,
    ) -> Registry {
        Registry { identity, router, deadlines }
    }

    /// Every agent that can be found, by name. On a network this takes about a second, also when nobody answers.
    ///
    /// # Errors
    /// The router cannot be reached, or the engine failed. An agent that cannot be asked is no error: it is in
    /// the list with its trouble.
    pub fn list(&self) -> Result<Vec<Listed>, ControlError> {
        let identity = self.identity.as_deref();
        let mut listed = match &self.router {
            Some(router) => {
                let bus = join(router, identity, &self.deadlines)?;
                routed::list(&bus, router, identity)?
            }
            None => lan::survey(identity, &self.deadlines)?,
        };
        listed.sort_by(|a, b| a.order().cmp(&b.order()));
        Ok(listed)
    }

    /// The host that is meant by a bare name. With a router it is the agent of this name there, and nothing else.
    /// Without one it is the host that the system's resolver knows; only if there is none, the agent of this name
    /// on the network.
    ///
    /// # Errors
    /// Nobody bears the name ([`ControlError::NoSuchAgent`]) or several do ([`ControlError::Ambiguous`]).
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

    /// The hosts that are meant, each with its name, in the order of the choices; members of a group by name.
    ///
    /// # Errors
    /// As [`Registry::find`]; a group nobody belongs to ([`ControlError::NoSuchGroup`]); a member that cannot be
    /// given orders ([`ControlError::Member`]); two hosts of one name ([`ControlError::Ambiguous`]).
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
        select::each_once(found)
    }

    /// Tells who is there, who comes, who goes and what they are doing, until it is cancelled. Nobody is asked
    /// twice: what changes is told by those to whom it happens.
    ///
    /// # Errors
    /// As [`Registry::list`].
    pub fn watch(&self, tell: &mut dyn FnMut(Change), cancel: &Cancel) -> Result<(), ControlError> {
        match &self.router {
            Some(router) => watch::routed(router, self.identity.clone(), &self.deadlines, tell, cancel),
            None => watch::lan(self.identity.clone(), &self.deadlines, tell, cancel),
        }
    }

    /// The agent of this machine that has no key: it listens on loopback alone, where no watch hears of it. `None` where
    /// there is none, and for whoever has a key or a router.
    pub fn own_machine(&self) -> Option<Listed> {
        let alone = self.identity.is_none() && self.router.is_none();
        if alone { lan::own_machine(&self.deadlines) } else { None }
    }

    /// The host that the system's resolver knows by a name.
    fn resolved(&self, name: &str) -> Result<HostAddress, PreflightError> {
        let host = HostAddress::new(name, CONTROL_PORT);
        preflight::resolve(&host, self.deadlines.resolve.duration()).map(|_| host)
    }

    /// Where agents are looked for, in words.
    fn place(&self) -> String {
        match &self.router {
            Some(router) => format!("at the router {router}"),
            None => "on this network".to_string(),
        }
    }
}

/// How a found host is said to be reached.
pub(crate) fn shown(host: &HostAddress) -> String {
    match &host.way {
        Way::Resolver => host.to_string(),
        Way::At(addr) => HostAddress::new(addr.ip().to_string(), addr.port()).to_string(),
        Way::Router(router) => format!("through {router}"),
    }
}
