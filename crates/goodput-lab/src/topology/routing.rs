//! Which links a host reaches, and through which forwarding host: the lab's routing tables as data.

use super::Topology;
use crate::lab_name::LabOrHostName;
use std::collections::VecDeque;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReachableLink {
    pub link: usize,
    /// Link to leave by, and forwarding host to send to. `None` for a direct link.
    pub through: Option<(usize, usize)>,
}

impl Topology {
    /// The nearest first, in the topology's order where several are equally near. Only forwarding hosts are
    /// passed through.
    pub fn reachable_links(&self, from: usize) -> Vec<ReachableLink> {
        let mut found: Vec<ReachableLink> = Vec::new();
        let mut passed = vec![from];
        let mut ahead = VecDeque::from([(from, None)]);
        while let Some((host, through)) = ahead.pop_front() {
            for (link, on) in self.links.iter().enumerate() {
                let here = self.hosts.get(host).is_some_and(|h| on.hosts.contains(&h.name));
                if !here || found.iter().any(|r| r.link == link) {
                    continue;
                }
                found.push(ReachableLink { link, through });
                let next =
                    self.hosts.iter().enumerate().filter(|(_, h)| h.forward && on.hosts.contains(&h.name));
                for (number, _) in next {
                    if !passed.contains(&number) {
                        passed.push(number);
                        ahead.push_back((number, through.or(Some((link, number)))));
                    }
                }
            }
        }
        found
    }

    /// The first that both are on, else the nearest on the way.
    pub fn nearest_link_to(&self, from: &LabOrHostName, to: &LabOrHostName) -> Option<usize> {
        let number = self.hosts.iter().position(|h| h.name == *from)?;
        self.reachable_links(number)
            .into_iter()
            .map(|r| r.link)
            .find(|link| self.links[*link].hosts.contains(to))
    }
}

#[cfg(test)]
mod tests {
    use super::super::Link;
    use super::*;

    /// a – r1 – r2 – b.
    fn chain(forward: bool) -> Topology {
        let hosts = [("a", false), ("r1", forward), ("r2", forward), ("b", false)];
        let hosts = hosts.map(|(name, forward)| format!("[[host]]\nname = '{name}'\nforward = {forward}\n"));
        let links = [("a", "r1"), ("r1", "r2"), ("r2", "b")];
        let links = links.map(|(a, b)| format!("[[link]]\nhosts = ['{a}', '{b}']\n"));
        Topology::from_toml(&(hosts.concat() + &links.concat())).unwrap()
    }

    fn link_to(topology: &Topology, from: &str, to: &str) -> Option<usize> {
        topology.nearest_link_to(&from.parse().unwrap(), &to.parse().unwrap())
    }

    #[test]
    fn forwarding_hosts_lead_further_and_a_circle_is_gone_through_once() {
        let at = |link, through| ReachableLink { link, through };
        let routed = chain(true);
        assert_eq!(routed.reachable_links(0), [at(0, None), at(1, Some((0, 1))), at(2, Some((0, 1)))]);
        assert_eq!(routed.reachable_links(1), [at(0, None), at(1, None), at(2, Some((1, 2)))]);
        let links = [("a", "b"), ("b", "a"), ("a", "r1")].map(|(from, to)| link_to(&routed, from, to));
        assert_eq!(links, [Some(2), Some(0), Some(0)]);
        // Others do not.
        assert_eq!(chain(false).reachable_links(0), [at(0, None)]);
        assert_eq!(link_to(&chain(false), "a", "b"), None);
        let mut topology = chain(true);
        let back =
            Link { hosts: ["b", "a"].map(|name| name.parse().unwrap()).into(), ..topology.links[0].clone() };
        topology.links.push(back);
        assert_eq!((link_to(&topology, "a", "b"), topology.reachable_links(0).len()), (Some(3), 4));
    }
}
