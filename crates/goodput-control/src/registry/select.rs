//! Selects agents from a list. Pure.

use super::{ListedAgent, NoSuchAgent, SearchPlace};
use crate::ControlError;
use crate::address::HostAddress;
use goodput_words::Message;

/// The only agent of this name, ignoring case as in host names.
pub(super) fn find_agent_by_name(
    listed: &[ListedAgent],
    name: &str,
    place: SearchPlace,
    cause: Message,
) -> Result<HostAddress, ControlError> {
    let bears = |l: &&ListedAgent| l.agent.name.as_ref().is_some_and(|n| n.eq_ignore_ascii_case(name));
    let found: Vec<&ListedAgent> = listed.iter().filter(bears).collect();
    match found.as_slice() {
        [ListedAgent { at: Some(at), .. }] => Ok(at.clone()),
        [] | [_] => Err(ControlError::NoSuchAgent(NoSuchAgent {
            name: name.to_string(),
            place: Some(place),
            cause: Some(cause),
            known: listed.iter().filter_map(|l| l.agent.name.clone()).take(MAX_NAMES).collect(),
        })),
        several => Err(ambiguous(name, several.iter().map(|l| l.name_and_address()).collect())),
    }
}

const MAX_NAMES: usize = 20;

pub(super) fn find_group_members(
    listed: &[ListedAgent],
    group: &str,
    place: SearchPlace,
) -> Result<Vec<(String, HostAddress)>, ControlError> {
    let belongs = |l: &&ListedAgent| l.agent.groups.iter().any(|g| g == group);
    let found: Vec<&ListedAgent> = listed.iter().filter(belongs).collect();
    if found.is_empty() {
        return Err(ControlError::NoSuchGroup { group: group.to_string(), place, known: groups(listed) });
    }
    let member = |l: &ListedAgent| match (&l.agent.trouble, &l.at) {
        (None, Some(at)) => Ok((l.agent.display_name().to_string(), at.clone())),
        (trouble, _) => Err(ControlError::Member {
            name: l.name_and_address(),
            cause: trouble.as_ref().map(|t| t.error.clone()).unwrap_or_default(),
            hint: trouble.as_ref().and_then(|t| t.hint.clone()),
        }),
    };
    found.into_iter().map(member).collect()
}

/// Each host once. Two hosts with one name are an error: their results would be indistinguishable.
pub(super) fn deduplicate_hosts(
    found: Vec<(String, HostAddress)>,
) -> Result<Vec<(String, HostAddress)>, ControlError> {
    let mut once: Vec<(String, HostAddress)> = Vec::new();
    for (name, host) in found {
        match once.iter().find(|(n, _)| *n == name) {
            None => once.push((name, host)),
            Some((_, same)) if *same == host => {}
            Some((_, other)) => {
                let all = [other, &host].map(|h| format!("{name} ({})", super::format_address(h)));
                return Err(ambiguous(&name, all.to_vec()));
            }
        }
    }
    Ok(once)
}

fn ambiguous(name: &str, all: Vec<String>) -> ControlError {
    ControlError::Ambiguous { name: name.to_string(), all }
}

fn groups(listed: &[ListedAgent]) -> Vec<String> {
    let mut all: Vec<String> = listed.iter().flat_map(|l| l.agent.groups.clone()).collect();
    all.sort();
    all.dedup();
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::address::AgentRoute;
    use goodput_model::agent::{AgentError, DiscoveredAgent};

    fn agent(name: &str, groups: &[&str], last: u8) -> ListedAgent {
        let way = AgentRoute::At(([10, 0, 0, last], 5303).into());
        let agent = DiscoveredAgent {
            id: format!("id{last}"),
            name: Some(name.into()),
            groups: groups.iter().map(|g| g.to_string()).collect(),
            ..DiscoveredAgent::default()
        };
        ListedAgent { agent, at: Some(HostAddress { way, ..HostAddress::new(name, 5303) }) }
    }

    fn fleet() -> Vec<ListedAgent> {
        vec![agent("a", &["web"], 1), agent("b", &["web", "db"], 2), agent("c", &["db"], 3)]
    }

    fn names(found: Vec<(String, HostAddress)>) -> Vec<String> {
        found.into_iter().map(|(name, _)| name).collect()
    }

    #[test]
    fn a_name_that_two_or_nobody_bear_is_not_guessed_about() {
        let mut agents = fleet();
        let find = |agents: &[ListedAgent], name: &str| {
            find_agent_by_name(agents, name, SearchPlace::Network, "no address".into())
        };
        assert_eq!(find(&agents, "B").unwrap().to_string(), "b");
        agents.push(agent("b", &[], 9));
        let found = find(&agents, "b");
        let Err(ControlError::Ambiguous { all, .. }) = found else { panic!("{found:?}") };
        assert!(all.len() == 2 && all[1].contains("id9"), "{all:?}");

        let found = find(&fleet(), "nas");
        let Err(ControlError::NoSuchAgent(e)) = found else { panic!("{found:?}") };
        let said = (e.to_string(), e.cause.as_deref());
        assert_eq!(said, ("no agent named nas found on this network".into(), Some("no address")));
        assert!(e.hint().contains("a, b, c"), "{}", e.hint());
    }

    #[test]
    fn a_group_has_members_and_one_that_takes_no_orders_is_an_error() {
        let mut fleet = fleet();
        let find = |all: &[ListedAgent], group: &str| find_group_members(all, group, SearchPlace::Network);
        assert_eq!(names(find(&fleet, "web").unwrap()), ["a", "b"]);
        let found = find(&fleet, "wbe");
        let Err(ControlError::NoSuchGroup { group, known, .. }) = found else { panic!("{found:?}") };
        assert!(group == "wbe" && known == ["db", "web"], "{group}: {known:?}");

        fleet[1].agent.trouble =
            Some(AgentError { error: "it speaks protocol 9".into(), cause: None, hint: None });
        let found = find(&fleet, "web");
        let Err(ControlError::Member { name, cause, .. }) = found else { panic!("{found:?}") };
        assert!(name.starts_with("b (") && cause.contains("protocol 9"), "{name}: {cause}");
    }

    #[test]
    fn a_host_named_twice_is_one_and_two_of_one_name_are_an_error() {
        let of = |l: &ListedAgent| (l.agent.display_name().to_string(), l.at.clone().unwrap());
        let (a, other) = (agent("a", &[], 1), agent("a", &[], 2));
        assert_eq!(deduplicate_hosts(vec![of(&a), of(&a)]).unwrap().len(), 1);
        assert!(matches!(deduplicate_hosts(vec![of(&a), of(&other)]), Err(ControlError::Ambiguous { .. })));
    }
}
