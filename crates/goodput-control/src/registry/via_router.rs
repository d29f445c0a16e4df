//! Agents at a router: present under keys that carry their names, and asked all at once.

use super::{ListedAgent, NoSuchAgent, SearchPlace};
use crate::address::{AgentRoute, AgentRouterAddress, CONTROL_PORT, HostAddress};
use crate::identify::HelloChallenge;
use crate::identity::Identity;
use crate::message_bus::{CallError, MessageBus, ZenohBus};
use crate::protocol::{PROTOCOL_VERSION, PresenceKey, hello_zenoh_key};
use crate::{ControlError, preflight};
use goodput_model::trial::TrialTimeouts;
use std::collections::HashMap;
use std::time::Duration;

/// Limit for the router's list of present agents.
const PRESENT: Duration = Duration::from_secs(3);
/// Limit for answers; thousands of agents answer within half a second.
pub(super) const AGENT_REPLY_TIMEOUT: Duration = Duration::from_secs(3);

pub(crate) fn connect_to_router(
    router: &AgentRouterAddress,
    identity: Option<&Identity>,
    deadlines: &TrialTimeouts,
) -> Result<ZenohBus, ControlError> {
    let host = HostAddress::from(router);
    preflight::check_agent(&host, Some(&host.host), identity, deadlines)
        .map_err(|source| ControlError::Router { router: router.to_string(), source })?;
    let deadline = deadlines.connect.to_duration() + deadlines.first_byte.to_duration();
    Ok(ZenohBus::join_router(router, identity, deadline)?)
}

pub(crate) fn find_agent_id(
    bus: &dyn MessageBus,
    router: &AgentRouterAddress,
    name: &str,
    deadlines: &TrialTimeouts,
) -> Result<String, ControlError> {
    let wait = deadlines.first_byte.to_duration();
    let mut found = present(bus, &PresenceKey::pattern_for_name(name), wait)?;
    found.retain(|present| present.name == name);
    match found.as_slice() {
        [one] => Ok(one.id.clone()),
        [] => {
            let mut known: Vec<String> =
                present(bus, PresenceKey::ANY_AGENT_PATTERN, wait)?.into_iter().map(|p| p.name).collect();
            known.sort();
            known.dedup();
            known.truncate(20);
            let place = Some(SearchPlace::Router(router.clone()));
            Err(NoSuchAgent { name: name.to_string(), place, cause: None, known }.into())
        }
        several => {
            let all = several.iter().map(|p| format!("{} ({}, version {})", p.name, p.id, p.version));
            Err(ControlError::Ambiguous { name: name.to_string(), all: all.collect() })
        }
    }
}

pub(super) fn agent_address(router: &AgentRouterAddress, name: &str) -> HostAddress {
    HostAddress { way: AgentRoute::Router(router.clone()), ..HostAddress::new(name, CONTROL_PORT) }
}

pub(super) fn list_agents(
    bus: &dyn MessageBus,
    router: &AgentRouterAddress,
    identity: Option<&Identity>,
) -> Result<Vec<ListedAgent>, ControlError> {
    let mut all: HashMap<String, PresenceKey> = present(bus, PresenceKey::ANY_AGENT_PATTERN, PRESENT)?
        .into_iter()
        .map(|p| (p.id.clone(), p))
        .collect();
    let greeting = HelloChallenge::new()?;
    let failed = |source| ControlError::Call { host: router.to_string(), what: "hello", source };
    let answers =
        bus.call_all(&hello_zenoh_key("*"), &greeting.question, AGENT_REPLY_TIMEOUT).map_err(failed)?;
    let mut listed = Vec::new();
    for answer in answers {
        // Whoever answers is there, even if the router has not reported it.
        let id = answer.key.rsplit('/').next().unwrap_or_default().to_string();
        let there = all.remove(&id).unwrap_or_else(|| unnamed(&id));
        listed.push(read(&greeting, &answer.payload, &there, router, identity));
    }
    listed.extend(all.into_values().map(|silent| {
        let name = silent.name.clone();
        let source = CallError::Busy { key: hello_zenoh_key(&silent.id), deadline: AGENT_REPLY_TIMEOUT };
        let why = ControlError::Call { host: name, what: "hello", source };
        ListedAgent::from_presence(&silent, AgentRoute::Router(router.clone()), &why)
    }));
    Ok(listed)
}

pub(super) fn query_agent(
    bus: &dyn MessageBus,
    there: &PresenceKey,
    router: &AgentRouterAddress,
    identity: Option<&Identity>,
) -> Result<ListedAgent, ControlError> {
    let greeting = HelloChallenge::new()?;
    Ok(match bus.call(&hello_zenoh_key(&there.id), &greeting.question, AGENT_REPLY_TIMEOUT) {
        Ok(answer) => read(&greeting, &answer, there, router, identity),
        Err(source) => {
            let why = ControlError::Call { host: there.name.clone(), what: "hello", source };
            ListedAgent::from_presence(there, AgentRoute::Router(router.clone()), &why)
        }
    })
}

fn read(
    greeting: &HelloChallenge,
    answer: &[u8],
    there: &PresenceKey,
    router: &AgentRouterAddress,
    identity: Option<&Identity>,
) -> ListedAgent {
    let way = AgentRoute::Router(router.clone());
    match greeting.verify_answer(answer, &there.name, None, identity) {
        Ok((hello, _)) => ListedAgent::from_hello(hello, way),
        Err(why) => ListedAgent::from_presence(there, way, &why),
    }
}

fn present(bus: &dyn MessageBus, pattern: &str, wait: Duration) -> Result<Vec<PresenceKey>, ControlError> {
    Ok(bus.list_present_keys(pattern, wait)?.iter().filter_map(|key| PresenceKey::parse(key)).collect())
}

/// An agent that answers without a known presence.
fn unnamed(id: &str) -> PresenceKey {
    PresenceKey {
        id: id.to_string(),
        name: id.to_string(),
        protocol: PROTOCOL_VERSION,
        version: "?".to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::{Agent, AgentInfo, KnobJournalLocation, Policy};
    use crate::message_bus::MemoryBus;
    use crate::prober::SocketProber;
    use std::sync::Arc;

    fn router() -> AgentRouterAddress {
        "hub".parse().unwrap()
    }

    fn agent(bus: &MemoryBus, name: &str) -> Agent {
        let mut card = AgentInfo::with_name(name).unwrap();
        card.labels = [("site".to_string(), "tokyo".to_string())].into();
        card.groups = vec!["web".into()];
        let prober = Arc::new(SocketProber::without_listener());
        let (policy, journal) = (Policy::default(), KnobJournalLocation::None);
        Agent::serve_with_journal(Arc::new(bus.clone()), prober, None, card, None, policy, journal).unwrap()
    }

    #[test]
    fn everybody_is_listed_with_what_they_say_of_themselves() {
        let bus = MemoryBus::new();
        let _agents = [agent(&bus, "b"), agent(&bus, "a")];
        let announce = |id: &str, name: &str, protocol, version: &str| {
            let (id, name, version) = (id.into(), name.into(), version.into());
            bus.announce_presence(&PresenceKey { id, name, protocol, version }.to_zenoh_key()).unwrap()
        };
        let _mute = announce("900d9a7e0001ff", "m", 1, "0");
        let _new = announce("900d9a7e0009ff", "n", 9, "4.0.0");
        let hello = br#"{"protocol":9,"version":"4.0.0"}"#;
        let _answers = bus.serve(&hello_zenoh_key("900d9a7e0009ff"), Box::new(|_| Ok(hello.to_vec())));
        let mut listed = list_agents(&bus, &router(), None).unwrap();
        listed.sort_by(|a, b| a.sort_key().cmp(&b.sort_key()));
        let names: Vec<&str> = listed.iter().map(|l| l.agent.display_name()).collect();
        assert_eq!(names, ["a", "b", "m", "n"]);
        let first = &listed[0].agent;
        assert_eq!((first.labels["site"].as_str(), &first.groups[..]), ("tokyo", &["web".to_string()][..]));
        assert!(first.trouble.is_none() && first.facts.is_some());
        let error = |at: usize| listed[at].agent.trouble.as_ref().unwrap().error.as_str();
        assert!(error(2).contains("the agent on m did not carry out the request"), "{}", error(2));
        assert!(error(3).contains("4.0.0") && error(3).contains("protocol 9"), "{}", error(3));
    }

    #[test]
    fn the_one_agent_of_a_name_is_found_and_two_are_an_error() {
        let bus = MemoryBus::new();
        let a = agent(&bus, "a");
        let find = |name: &str| find_agent_id(&bus, &router(), name, &TrialTimeouts::default());
        assert_eq!(find("a").unwrap(), a.id());
        let missing = find("nobody");
        assert!(matches!(&missing, Err(ControlError::NoSuchAgent(e)) if e.known == ["a"]), "{missing:?}");
        let _twin = agent(&bus, "a");
        assert!(matches!(find("a"), Err(ControlError::Ambiguous { .. })));
    }
}
