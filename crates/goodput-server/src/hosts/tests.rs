use super::documents::AgentPresence::{Absent, Answers, Unknown};
use super::*;
use crate::tests::at;
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

    fn find_local_agent(&self) -> Option<ListedAgent> {
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
    let tell = Box::new(move || lock(&tell).send(()).unwrap_or_default());
    let hosts = HostMonitor::new(Box::new(source), tell);
    Scene { hosts, say, told, looks }
}

fn listed(id: &str, name: &str) -> ListedAgent {
    let agent = DiscoveredAgent {
        id: id.into(),
        name: Some(name.into()),
        facts: Some(HostFacts { cpus: 4, ..HostFacts::default() }),
        ..DiscoveredAgent::default()
    };
    ListedAgent { agent, at: None }
}

fn came(id: &str, name: &str) -> AgentChange {
    AgentChange::Came(Box::new(listed(id, name)))
}

#[test]
fn who_holds_an_agent_and_until_when_is_said_by_the_clock() {
    let Scene { hosts, told, .. } = scene(None);
    let now = at("2026-03-01T12:00:00Z");
    hosts.apply_agent_change(came("2", "b"), now);
    let busy = AgentState::Busy { client: "lab".into(), since_ms: 3_000, left_ms: Some(7_000), waiting: 1 };
    hosts.apply_agent_change(AgentChange::State { id: "2".into(), state: busy.clone() }, now);
    hosts.apply_agent_change(AgentChange::State { id: "9".into(), state: busy }, now);
    let list = hosts.list();
    let host = &list.hosts[0];
    let (since, until) = (Some(at("2026-03-01T11:59:57Z")), Some(at("2026-03-01T12:00:07Z")));
    let busy = documents::HostState::Busy { holder: "lab".into(), since, until, waiting: 1 };
    assert_eq!((&host.state, host.facts.as_ref().map(|f| f.cpus)), (&Some(busy), Some(4)));
    assert_eq!(told.try_iter().count(), 2);
}

#[test]
fn who_went_is_remembered_until_it_comes_back() {
    let Scene { hosts, .. } = scene(None);
    let (came_at, went_at) = (at("2026-03-01T12:00:00Z"), at("2026-03-01T12:05:00Z"));
    let how = || {
        let found = hosts.presence_snapshot().presence_of_host("a");
        (found.agent, found.at)
    };
    assert_eq!(how(), (Absent, None));
    for (change, now, agent) in [
        (came("1", "a"), came_at, Answers),
        (AgentChange::Went { id: "1".into() }, went_at, Absent),
        (came("2", "a"), went_at, Answers),
    ] {
        hosts.apply_agent_change(change, now);
        assert_eq!(how(), (agent, Some(now)));
    }
}

#[test]
fn a_watch_that_breaks_forgets_everybody_and_our_own_agent_is_looked_for_once_in_a_while() {
    let Scene { hosts, say, told, .. } = scene(None);
    hosts.start_watch();
    let patience = Duration::from_secs(10);
    say.send(came("1", "a")).unwrap();
    told.recv_timeout(patience).unwrap();
    assert_eq!((hosts.list().hosts.len(), hosts.list().trouble), (1, None));
    drop(say);
    told.recv_timeout(patience).unwrap();
    let list = hosts.list();
    assert_eq!(list.hosts.len(), 0);
    assert_eq!(list.trouble.unwrap().error, "the agents cannot be monitored");
    assert_eq!(hosts.presence_snapshot().presence_of_host("a").agent, Unknown);
    hosts.close();
    let Scene { hosts, told, looks, .. } = scene(Some(listed("own", "me")));
    hosts.check_local_agent();
    hosts.check_local_agent();
    assert_eq!((looks.load(Ordering::Relaxed), hosts.list().hosts.len()), (1, 1));
    assert_eq!(told.try_iter().count(), 1);
}
