use super::*;
use goodput_model::host::HostFacts;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};

struct Planted {
    news: Mutex<Option<Receiver<AgentChange>>>,
    own: Mutex<Option<ListedAgent>>,
    looks: Arc<AtomicUsize>,
}

impl AgentSource for Planted {
    fn watch_agents(
        &self,
        tell: &mut dyn FnMut(AgentChange),
        cancel: &CancelFlag,
    ) -> Result<(), ControlError> {
        let Some(news) = lock(&self.news).take() else { return Err(ControlError::Random) };
        while !cancel.is_cancelled() {
            match news.recv_timeout(Duration::from_millis(5)) {
                Ok(change) => tell(change),
                Err(std::sync::mpsc::RecvTimeoutError::Timeout) => {}
                Err(std::sync::mpsc::RecvTimeoutError::Disconnected) => return Err(ControlError::Random),
            }
        }
        Ok(())
    }

    fn agent_on_this_host(&self) -> Option<ListedAgent> {
        self.looks.fetch_add(1, Ordering::Relaxed);
        lock(&self.own).clone()
    }
}

struct Scene {
    hosts: HostMonitor,
    say: Sender<AgentChange>,
    told: Receiver<()>,
    looks: Arc<AtomicUsize>,
}

fn scene(own: Option<ListedAgent>) -> Scene {
    let (say, news) = channel();
    let (tell, told) = channel();
    let looks = Arc::new(AtomicUsize::new(0));
    let source = Planted { news: Mutex::new(Some(news)), own: Mutex::new(own), looks: looks.clone() };
    let tell = Mutex::new(tell);
    let hosts = HostMonitor::new(
        Box::new(source),
        Box::new(move || {
            let _ = lock(&tell).send(());
        }),
    );
    Scene { hosts, say, told, looks }
}

fn listed(id: &str, name: Option<&str>) -> ListedAgent {
    let agent = DiscoveredAgent {
        id: id.into(),
        name: name.map(str::to_string),
        address: "10.0.0.9".into(),
        facts: name.map(|n| HostFacts { hostname: n.into(), cpus: 4, ..HostFacts::default() }),
        state: Some(AgentState::Idle),
        ..DiscoveredAgent::default()
    };
    ListedAgent { agent, at: None }
}

fn came(id: &str, name: Option<&str>) -> AgentChange {
    AgentChange::Came(Box::new(listed(id, name)))
}

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

#[test]
fn who_holds_an_agent_and_until_when_is_said_by_the_clock() {
    let Scene { hosts, told, .. } = scene(None);
    let now = at("2026-03-01T12:00:00Z");
    hosts.apply_change(came("2", Some("b")), now);
    let busy = AgentState::Busy { client: "lab".into(), since_ms: 3_000, left_ms: Some(7_000), waiting: 1 };
    hosts.apply_change(AgentChange::State { id: "2".into(), state: busy.clone() }, now);
    hosts.apply_change(AgentChange::State { id: "9".into(), state: busy }, now);
    let list = hosts.list();
    assert_eq!(
        list.hosts[0].state,
        Some(documents::HostState::Busy {
            holder: "lab".into(),
            since: Some(at("2026-03-01T11:59:57Z")),
            until: Some(at("2026-03-01T12:00:07Z")),
            waiting: 1
        })
    );
    assert_eq!(list.hosts[0].facts.as_ref().map(|f| f.cpus), Some(4));
    assert_eq!(told.try_iter().count(), 2);
}

#[test]
fn who_went_is_remembered_until_it_comes_back() {
    use documents::AgentPresence::{Absent, Answers};
    let Scene { hosts, .. } = scene(None);
    let (came_at, went_at) = (at("2026-03-01T12:00:00Z"), at("2026-03-01T12:05:00Z"));
    let how = || {
        let found = hosts.presence().for_host("a");
        (found.agent, found.at)
    };
    assert_eq!(how(), (Absent, None));
    hosts.apply_change(came("1", Some("a")), came_at);
    assert_eq!(how(), (Answers, Some(came_at)));
    hosts.apply_change(AgentChange::Went { id: "1".into() }, went_at);
    assert_eq!(how(), (Absent, Some(went_at)));
    hosts.apply_change(came("2", Some("a")), went_at);
    assert_eq!(how(), (Answers, Some(went_at)));
}

#[test]
fn a_watch_that_breaks_forgets_everybody_and_says_why() {
    let Scene { hosts, say, told, .. } = scene(None);
    hosts.start_watch();
    let patience = Duration::from_secs(10);
    say.send(came("1", Some("a"))).unwrap();
    told.recv_timeout(patience).unwrap();
    assert_eq!((hosts.list().hosts.len(), hosts.list().trouble), (1, None));
    drop(say);
    told.recv_timeout(patience).unwrap();
    let list = hosts.list();
    assert!(list.hosts.is_empty());
    assert_eq!(list.trouble.map(|t| t.error), Some("the agents cannot be monitored".to_string()));
    assert_eq!(hosts.presence().for_host("a").agent, documents::AgentPresence::Unknown);
    hosts.close();
}

#[test]
fn the_agent_of_this_machine_is_looked_for_once_in_a_while() {
    let Scene { hosts, told, looks, .. } = scene(Some(listed("own", Some("me"))));
    hosts.check_local_agent();
    hosts.check_local_agent();
    assert_eq!((looks.load(Ordering::Relaxed), hosts.list().hosts.len()), (1, 1));
    assert_eq!(told.try_iter().count(), 1);
}
