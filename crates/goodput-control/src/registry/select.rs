//! Selects agents from a list. Pure.

use super::{ListedAgent, NoSuchAgent};
use crate::ControlError;
use crate::address::{AddressError, HostAddress};
use std::collections::BTreeMap;
use std::str::FromStr;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HostSelector {
    Host(HostAddress),
    Name(String),
    /// All agents of a group (`@GROUP`).
    Group(String),
}

impl FromStr for HostSelector {
    type Err = AddressError;

    fn from_str(typed: &str) -> Result<HostSelector, AddressError> {
        match typed.strip_prefix('@') {
            Some(group) => Ok(HostSelector::Group(group.to_string())),
            None if HostAddress::is_bare_name(typed) => {
                typed.parse::<HostAddress>().map(|host| HostSelector::Name(host.host))
            }
            None => typed.parse().map(HostSelector::Host),
        }
    }
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HostSelection {
    choices: Vec<HostSelector>,
    /// Labels that group members must have; without choices, that all agents must have.
    pub labels: BTreeMap<String, String>,
}

impl HostSelection {
    pub fn new(choices: Vec<HostSelector>, labels: BTreeMap<String, String>) -> HostSelection {
        HostSelection { choices, labels }
    }

    pub fn selectors(&self) -> &[HostSelector] {
        &self.choices
    }

    pub(super) fn needs_agent_list(&self) -> bool {
        !self.labels.is_empty() || self.choices.iter().any(|c| matches!(c, HostSelector::Group(_)))
    }
}

/// The only agent of this name, ignoring case as in host names.
pub(super) fn find_by_name(
    listed: &[ListedAgent],
    name: &str,
    place: &str,
    cause: Option<&str>,
) -> Result<HostAddress, ControlError> {
    let bears = |l: &&ListedAgent| l.agent.name.as_ref().is_some_and(|n| n.eq_ignore_ascii_case(name));
    let found: Vec<&ListedAgent> = listed.iter().filter(bears).collect();
    match found.as_slice() {
        [ListedAgent { at: Some(at), .. }] => Ok(at.clone()),
        [] | [_] => Err(ControlError::NoSuchAgent(NoSuchAgent {
            name: name.to_string(),
            place: format!("found {place}"),
            cause: cause.map(str::to_string),
            known: listed.iter().filter_map(|l| l.agent.name.clone()).take(MAX_NAMES).collect(),
        })),
        several => Err(ambiguous(name, several.iter().map(|l| l.name_and_address()).collect())),
    }
}

const MAX_NAMES: usize = 20;

pub(super) fn find_group_members(
    listed: &[ListedAgent],
    group: Option<&str>,
    labels: &BTreeMap<String, String>,
    place: &str,
) -> Result<Vec<(String, HostAddress)>, ControlError> {
    let belongs = |l: &&ListedAgent| {
        group.is_none_or(|group| l.agent.groups.iter().any(|g| g == group)) && labelled(l, labels)
    };
    let found: Vec<&ListedAgent> = listed.iter().filter(belongs).collect();
    if found.is_empty() {
        return Err(ControlError::NoSuchGroup {
            wanted: wanted(group, labels),
            place: place.to_string(),
            known: groups(listed),
        });
    }
    let member = |l: &ListedAgent| match (&l.agent.trouble, &l.at) {
        (None, Some(at)) => Ok((l.agent.display_name().to_string(), at.clone())),
        (trouble, _) => Err(ControlError::Member {
            name: l.name_and_address(),
            cause: trouble.as_ref().map_or_else(String::new, |t| t.error.clone()),
            hint: trouble.as_ref().and_then(|t| t.hint.clone()),
        }),
    };
    found.into_iter().map(member).collect()
}

fn labelled(listed: &ListedAgent, labels: &BTreeMap<String, String>) -> bool {
    labels.iter().all(|(key, value)| listed.agent.labels.get(key) == Some(value))
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

fn wanted(group: Option<&str>, labels: &BTreeMap<String, String>) -> String {
    let labels: Vec<String> = labels.iter().map(|(k, v)| format!("{k}={v}")).collect();
    match (group, labels.is_empty()) {
        (Some(group), true) => format!("in the group {group}"),
        (Some(group), false) => format!("in the group {group} with {}", labels.join(" and ")),
        (None, _) => format!("with {}", labels.join(" and ")),
    }
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

    fn agent(name: &str, groups: &[&str], site: &str, last: u8) -> ListedAgent {
        let way = AgentRoute::At(([10, 0, 0, last], 5303).into());
        let agent = DiscoveredAgent {
            id: format!("id{last}"),
            name: Some(name.into()),
            groups: groups.iter().map(|g| g.to_string()).collect(),
            labels: BTreeMap::from([("site".to_string(), site.to_string())]),
            ..DiscoveredAgent::default()
        };
        ListedAgent { agent, at: Some(HostAddress { way, ..HostAddress::new(name, 5303) }) }
    }

    fn fleet() -> Vec<ListedAgent> {
        vec![
            agent("a", &["web"], "tokyo", 1),
            agent("b", &["web", "db"], "bonn", 2),
            agent("c", &["db"], "tokyo", 3),
        ]
    }

    fn names(found: Vec<(String, HostAddress)>) -> Vec<String> {
        found.into_iter().map(|(name, _)| name).collect()
    }

    #[test]
    fn words_of_a_list() {
        assert_eq!("@web".parse(), Ok(HostSelector::Group("web".into())));
        assert_eq!("nas".parse(), Ok(HostSelector::Name("nas".into())));
        assert_eq!("nas:1".parse(), Ok(HostSelector::Host(HostAddress::new("nas", 1))));
        assert_eq!("10.0.0.2".parse(), Ok(HostSelector::Host(HostAddress::new("10.0.0.2", 5303))));
        assert!("a b".parse::<HostSelector>().is_err() && "".parse::<HostSelector>().is_err());
    }

    #[test]
    fn a_name_that_two_or_nobody_bear_is_not_guessed_about() {
        let mut agents = fleet();
        assert_eq!(find_by_name(&agents, "B", "here", None).unwrap().to_string(), "b");
        agents.push(agent("b", &[], "oslo", 9));
        let found = find_by_name(&agents, "b", "here", None);
        let Err(ControlError::Ambiguous { all, .. }) = found else { panic!("{found:?}") };
        assert!(all.len() == 2 && all[1].contains("id9"), "{all:?}");

        let found = find_by_name(&fleet(), "nas", "here", Some("no address"));
        let Err(ControlError::NoSuchAgent(e)) = found else { panic!("{found:?}") };
        let said = (e.to_string(), e.cause.as_deref());
        assert_eq!(said, ("no agent named nas found here".into(), Some("no address")));
        assert!(e.hint().contains("a, b, c"), "{}", e.hint());
    }

    #[test]
    fn groups_and_labels_narrow_each_other_and_a_member_that_takes_no_orders_is_an_error() {
        let mut fleet = fleet();
        let tokyo = BTreeMap::from([("site".to_string(), "tokyo".to_string())]);
        let of = |group, labels: &_| names(find_group_members(&fleet, group, labels, "here").unwrap());
        assert_eq!(of(Some("web"), &BTreeMap::new()), ["a", "b"]);
        assert_eq!(of(Some("web"), &tokyo), ["a"]);
        assert_eq!(of(None, &tokyo), ["a", "c"]);
        let found = find_group_members(&fleet, Some("wbe"), &tokyo, "here");
        let Err(ControlError::NoSuchGroup { wanted, known, .. }) = found else { panic!("{found:?}") };
        assert!(
            wanted == "in the group wbe with site=tokyo" && known == ["db", "web"],
            "{wanted}: {known:?}"
        );

        fleet[1].agent.trouble =
            Some(AgentError { error: "it speaks protocol 9".into(), cause: None, hint: None });
        let found = find_group_members(&fleet, Some("web"), &BTreeMap::new(), "here");
        let Err(ControlError::Member { name, cause, .. }) = found else { panic!("{found:?}") };
        assert!(name.starts_with("b (") && cause.contains("protocol 9"), "{name}: {cause}");
    }

    #[test]
    fn a_host_named_twice_is_one_and_two_of_one_name_are_an_error() {
        let of = |l: &ListedAgent| (l.agent.display_name().to_string(), l.at.clone().unwrap());
        let (a, other) = (agent("a", &[], "x", 1), agent("a", &[], "x", 2));
        assert_eq!(deduplicate_hosts(vec![of(&a), of(&a)]).unwrap().len(), 1);
        assert!(matches!(deduplicate_hosts(vec![of(&a), of(&other)]), Err(ControlError::Ambiguous { .. })));
    }
}
