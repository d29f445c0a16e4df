//! Whether an agent answers for a host, by the watch; no requests are sent.

use super::documents::{AgentPresence, HostPresence};
use goodput_model::agent::DiscoveredAgent;
use jiff::Timestamp;
use std::collections::BTreeMap;

pub(super) const MAX_DEPARTED_HOSTS: usize = 1_000;

const LAB: &str = "lab:";

#[derive(Debug, Clone, Default, PartialEq)]
pub struct PresenceSnapshot {
    /// With the time of the last message.
    here: Vec<(DiscoveredAgent, Timestamp)>,
    gone: BTreeMap<String, Timestamp>,
    /// Without a watch, silence means nothing.
    watched: bool,
    /// This machine needs no agent; with the time of the request.
    own: Option<(String, Timestamp)>,
}

impl PresenceSnapshot {
    /// Agents with the time of their last message, departed agents with theirs, and whether the watch works.
    pub fn new<'a>(
        here: impl Iterator<Item = (&'a DiscoveredAgent, Timestamp)>,
        gone: BTreeMap<String, Timestamp>,
        watched: bool,
    ) -> PresenceSnapshot {
        let here = here.map(|(agent, heard)| (agent.clone(), heard)).collect();
        PresenceSnapshot { here, gone, watched, own: None }
    }

    pub fn with_local_host(self, name: Option<String>, now: Timestamp) -> PresenceSnapshot {
        PresenceSnapshot { own: name.map(|name| (name, now)), ..self }
    }

    pub fn agent_names(&self) -> impl Iterator<Item = &str> {
        self.here.iter().filter_map(|(agent, _)| agent.name.as_deref())
    }

    /// By the name or address under which the host was measured.
    pub fn presence_of_host(&self, host: &str) -> HostPresence {
        let meant =
            |agent: &DiscoveredAgent| agent.name.as_deref() == Some(host) || is_address(&agent.address, host);
        let found = self.here.iter().filter(|(agent, _)| meant(agent));
        // Of two agents with one name, a measurement uses the one that accepts orders.
        let best = found.map(|(agent, heard)| (agent.trouble.is_none(), *heard)).max();
        let (agent, at) = match best {
            Some((true, heard)) => (AgentPresence::Answers, Some(heard)),
            Some((false, heard)) => (AgentPresence::Refuses, Some(heard)),
            None if self.own.as_ref().is_some_and(|(own, _)| own == host) => {
                (AgentPresence::Answers, self.own.as_ref().map(|(_, now)| *now))
            }
            // A measurement enters a lab's host itself; its agent is not visible.
            None if host.starts_with(LAB) => (AgentPresence::Unknown, None),
            None if self.watched => (AgentPresence::Absent, self.gone.get(host).copied()),
            None => (AgentPresence::Unknown, None),
        };
        HostPresence { host: host.to_string(), agent, at }
    }
}

fn is_address(address: &str, host: &str) -> bool {
    let bare = address.rsplit_once(':').map_or(address, |(bare, _)| bare);
    !host.is_empty() && (address == host || bare == host || bare.trim_matches(['[', ']']) == host)
}

#[cfg(test)]
mod tests {
    use super::AgentPresence::{Absent, Answers, Refuses, Unknown};
    use super::*;
    use goodput_model::agent::AgentError;

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(1_800_000_000 + second).unwrap()
    }

    fn agent(name: &str, address: &str, refuses: bool) -> DiscoveredAgent {
        let trouble = AgentError { error: "another protocol".into(), cause: None, hint: None };
        DiscoveredAgent {
            name: Some(name.into()),
            address: address.into(),
            trouble: refuses.then_some(trouble),
            ..DiscoveredAgent::default()
        }
    }

    #[test]
    fn silence_says_something_only_where_somebody_listens() {
        let here = [agent("a", "10.0.0.1:5303", false), agent("b", "[fe80::1]:5303", true)];
        let gone = BTreeMap::from([("c".to_string(), at(5))]);
        for (watched, absent, left_at) in [(true, Absent, Some(at(5))), (false, Unknown, None)] {
            let presence = PresenceSnapshot::new(here.iter().map(|a| (a, at(9))), gone.clone(), watched);
            for (host, agent, since) in [
                ("a", Answers, Some(at(9))),
                ("10.0.0.1", Answers, Some(at(9))),
                ("10.0.0.1:5303", Answers, Some(at(9))),
                ("fe80::1", Refuses, Some(at(9))),
                ("c", absent, left_at),
                ("d", absent, None),
                ("lab:d", Unknown, None),
            ] {
                let found = presence.presence_of_host(host);
                assert_eq!((found.agent, found.at), (agent, since), "{host}");
            }
            assert_eq!(presence.agent_names().collect::<Vec<_>>(), ["a", "b"]);
        }
    }

    #[test]
    fn this_machine_needs_no_agent_and_of_two_with_one_name_the_one_that_takes_orders_counts() {
        let presence = PresenceSnapshot::new([].into_iter(), BTreeMap::new(), true);
        let presence = presence.with_local_host(Some("desk".into()), at(3));
        let found = presence.presence_of_host("desk");
        assert_eq!((found.agent, found.at), (Answers, Some(at(3))));
        assert_eq!(presence.agent_names().count(), 0);
        let here = [agent("a", "10.0.0.1:5303", false), agent("a", "10.0.0.2:5303", true)];
        let presence = PresenceSnapshot::new(here.iter().zip([at(1), at(2)]), BTreeMap::new(), true);
        assert_eq!(presence.presence_of_host("a").agent, Answers);
    }
}
