//! Agents, coordinators and a router over Zenoh on loopback: presence, names and changes.

use goodput_control::agent::Policy;
use goodput_control::agent_router::{AgentRouter, AgentRouterSettings};
use goodput_control::identity::Identity;
use goodput_control::registry::{AgentChange, AgentRegistry};
use goodput_control::{
    Agent, AgentRouterAddress, AgentSettings, CancelFlag, ControlError, Credentials, LabKey,
};
use goodput_model::trial::TrialTimeouts;
use goodput_testkit::{WAIT_TIMEOUT, find_free_port};
use std::net::Ipv4Addr;
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::thread;

struct Site {
    key: Credentials,
    router: Option<AgentRouter>,
    at: AgentRouterAddress,
}

impl Site {
    fn new() -> Site {
        let at = AgentRouterAddress { host: "127.0.0.1".into(), port: find_free_port() };
        let mut site = Site { key: LabKey::generate().unwrap().into(), router: None, at };
        site.raise();
        site
    }

    fn raise(&mut self) {
        let address = Some(Ipv4Addr::LOCALHOST.into());
        let settings = AgentRouterSettings { address, port: self.at.port, connect: Vec::new() };
        self.router = Some(AgentRouter::start(&settings, Some(&self.key)).unwrap());
    }

    fn agent(&self, name: &str, group: &str) -> Agent {
        let settings = AgentSettings {
            name: name.into(),
            address: Some(Ipv4Addr::LOCALHOST.into()),
            control_port: find_free_port(),
            data_port: 0,
            groups: vec![group.into()],
            hidden: true,
            ..AgentSettings::default()
        };
        let agent = Agent::listen(&settings, Some(&self.key), Policy::default()).unwrap();
        let (tell, told) = channel();
        agent.join_router(self.at.clone(), move |sentence| tell.send(sentence.to_string()).unwrap()).unwrap();
        let said = told.recv_timeout(WAIT_TIMEOUT).unwrap();
        assert!(said.starts_with("registered at the router"), "{said}");
        agent
    }

    fn registry(&self, credentials: &Credentials) -> AgentRegistry {
        let Credentials::LabKey(key) = credentials else { panic!("the sites have lab keys") };
        let identity = Arc::new(Identity::new(key, "coordinator").unwrap());
        AgentRegistry::new(Some(identity), Some(self.at.clone()), TrialTimeouts::default())
    }
}

#[test]
fn a_router_with_another_key_is_named() {
    let (site, other) = (Site::new(), Site::new());
    match site.registry(&other.key).list_agents() {
        Err(e @ ControlError::Router { .. }) => {
            assert!(e.to_string().contains("uses a different lab key") && e.hint().is_some(), "{e}");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn who_comes_goes_and_outlives_its_router_is_watched() {
    let mut site = Site::new();
    let first = site.agent("a", "web");
    let (cancel, registry) = (CancelFlag::default(), site.registry(&site.key));
    let ((tell, told), watcher) = (channel(), cancel.clone());
    let mut tell = move |change| drop(tell.send(change));
    let watching = thread::spawn(move || registry.watch_agents(&mut tell, &watcher).unwrap());
    let next = || told.recv_timeout(WAIT_TIMEOUT).unwrap();
    let came = |name: &str| match next() {
        AgentChange::Came(listed) if listed.agent.display_name() == name => listed.agent.id,
        other => panic!("{other:?}"),
    };
    assert_eq!(came("a"), first.id());
    let second = site.agent("b", "web");
    assert_eq!(came("b"), second.id());
    let id = first.id().to_string();
    drop(first);
    assert_eq!(next(), AgentChange::Went { id });
    // The router restarts; its members return.
    site.router = None;
    assert_eq!(next(), AgentChange::Went { id: second.id().to_string() });
    site.raise();
    assert_eq!(came("b"), second.id());
    cancel.cancel();
    watching.join().unwrap();
}
