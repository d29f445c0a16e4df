//! Agents, coordinators and a router over Zenoh on loopback: presence, names and changes.

use goodput_control::agent_router::{AgentRouter, AgentRouterSettings};
use goodput_control::identity::Identity;
use goodput_control::registry::{AgentChange, AgentRegistry, HostSelection, HostSelector};
use goodput_control::{
    Agent, AgentRouterAddress, AgentSettings, CancelFlag, ControlError, Credentials, LabKey,
};
use goodput_model::trial::TrialTimeouts;
use goodput_testkit::{WAIT_TIMEOUT, free_port};
use std::collections::BTreeMap;
use std::net::Ipv4Addr;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::thread;

struct Site {
    key: Credentials,
    router: Option<AgentRouter>,
    at: AgentRouterAddress,
}

impl Site {
    fn new() -> Site {
        let at = AgentRouterAddress { host: "127.0.0.1".into(), port: free_port() };
        let mut site = Site { key: LabKey::generate().unwrap().into(), router: None, at };
        site.raise();
        site
    }

    fn raise(&mut self) {
        let address = Some(Ipv4Addr::LOCALHOST.into());
        let settings = AgentRouterSettings { address, port: self.at.port, connect: Vec::new() };
        self.router = Some(AgentRouter::open(&settings, Some(&self.key)).unwrap());
    }

    fn agent(&self, name: &str, group: &str) -> Agent {
        let settings = AgentSettings {
            name: name.into(),
            address: Some(Ipv4Addr::LOCALHOST.into()),
            control_port: free_port(),
            data_port: 0,
            groups: vec![group.into()],
            hidden: true,
            ..AgentSettings::default()
        };
        let agent = Agent::listen(&settings, Some(&self.key)).unwrap();
        let (tell, told) = channel();
        agent.join_router(self.at.clone(), move |sentence| tell.send(sentence.to_string()).unwrap()).unwrap();
        let said = told.recv_timeout(WAIT_TIMEOUT).unwrap();
        assert!(said.starts_with("registered at the router"), "{said}");
        agent
    }

    fn identity(&self) -> Arc<Identity> {
        let Credentials::LabKey(key) = &self.key else { panic!("the sites have lab keys") };
        Arc::new(Identity::new(key, "coordinator").unwrap())
    }

    fn registry(&self) -> AgentRegistry {
        AgentRegistry::new(Some(self.identity()), Some(self.at.clone()), TrialTimeouts::default())
    }
}

#[test]
fn groups_and_names_are_chosen_once() {
    let site = Site::new();
    let _agents = [site.agent("a", "web"), site.agent("b", "web"), site.agent("c", "db")];
    let registry = site.registry();
    let choices = ["@web", "c", "a"].map(|c| c.parse::<HostSelector>().unwrap());
    let chosen = registry.resolve_selection(&HostSelection::new(choices.to_vec(), BTreeMap::new())).unwrap();
    assert!(chosen.iter().map(|(name, _)| name.as_str()).eq(["a", "b", "c"]));
}

#[test]
fn a_router_with_another_key_is_named() {
    let (site, other) = (Site::new(), Site::new());
    let stranger =
        AgentRegistry::new(Some(other.identity()), Some(site.at.clone()), TrialTimeouts::default());
    match stranger.list_agents() {
        Err(e @ ControlError::Router { .. }) => {
            assert!(e.to_string().contains("uses a different lab key") && e.hint().is_some(), "{e}");
        }
        other => panic!("{other:?}"),
    }
}

fn watch(registry: AgentRegistry, cancel: &CancelFlag) -> (Receiver<AgentChange>, thread::JoinHandle<()>) {
    let (tell, told) = channel();
    let cancel = cancel.clone();
    let watching = thread::spawn(move || {
        registry.watch_agents(&mut |change| drop(tell.send(change)), &cancel).unwrap();
    });
    (told, watching)
}

fn came(change: AgentChange, name: &str) -> String {
    match change {
        AgentChange::Came(listed) if listed.agent.display_name() == name => listed.agent.id,
        other => panic!("{other:?}"),
    }
}

#[test]
fn who_comes_goes_and_outlives_its_router_is_watched() {
    let mut site = Site::new();
    let first = site.agent("a", "web");
    let cancel = CancelFlag::default();
    let (told, watching) = watch(site.registry(), &cancel);
    assert_eq!(came(told.recv_timeout(WAIT_TIMEOUT).unwrap(), "a"), first.id());
    let second = site.agent("b", "web");
    assert_eq!(came(told.recv_timeout(WAIT_TIMEOUT).unwrap(), "b"), second.id());
    let id = first.id().to_string();
    drop(first);
    assert_eq!(told.recv_timeout(WAIT_TIMEOUT).unwrap(), AgentChange::Went { id });
    // The router restarts; its members return.
    site.router = None;
    let id = second.id().to_string();
    assert_eq!(told.recv_timeout(WAIT_TIMEOUT).unwrap(), AgentChange::Went { id });
    site.raise();
    assert_eq!(came(told.recv_timeout(WAIT_TIMEOUT).unwrap(), "b"), second.id());
    cancel.cancel();
    watching.join().unwrap();
}
