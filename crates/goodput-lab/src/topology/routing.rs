//! Which links a host reaches, and through which forwarding host: the lab's routing tables as data.

use super::Topology;
use crate::name::Name;
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
    pub fn link_to(&self, from: &Name, to: &Name) -> Option<usize> {
        let number = self.hosts.iter().position(|h| h.name == *from)?;
        self.reachable_links(number)
            .into_iter()
            .map(|r| r.link)
            .find(|link| self.links[*link].hosts.contains(to))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// a – r1 – r2 – b.
    fn chain(forward: bool) -> Topology {
        let host = |name: &str, forward| format!("[[host]]\nname = '{name}'\nforward = {forward}\n");
        let link = |a: &str, b: &str| format!("[[link]]\nhosts = ['{a}', '{b}']\n");
        let text = host("a", false)
            + &host("r1", forward)
            + &host("r2", forward)
            + &host("b", false)
            + &link("a", "r1")
            + &link("r1", "r2")
            + &link("r2", "b");
        Topology::from_toml(&text).unwrap()
    }

    fn name(text: &str) -> Name {
        text.parse().unwrap()
    }

    #[test]
    fn forwarding_hosts_lead_further() {
        let reached = chain(true).reachable_links(0);
        let at = |link, through| ReachableLink { link, through };
        assert_eq!(reached, [at(0, None), at(1, Some((0, 1))), at(2, Some((0, 1)))]);
        assert_eq!(chain(true).reachable_links(1), [at(0, None), at(1, None), at(2, Some((1, 2)))]);
        assert_eq!(chain(true).link_to(&name("a"), &name("b")), Some(2));
        assert_eq!(chain(true).link_to(&name("b"), &name("a")), Some(0));
        assert_eq!(chain(true).link_to(&name("a"), &name("r1")), Some(0));
    }

    #[test]
    fn others_do_not() {
        assert_eq!(chain(false).reachable_links(0), [ReachableLink { link: 0, through: None }]);
        assert_eq!(chain(false).link_to(&name("a"), &name("b")), None);
    }

    #[test]
    fn a_circle_is_gone_through_once() {
        let mut topology = chain(true);
        let mut back = topology.links[0].clone();
        back.hosts = vec![name("b"), name("a")];
        topology.links.push(back);
        assert_eq!(topology.link_to(&name("a"), &name("b")), Some(3));
        assert_eq!(topology.reachable_links(0).len(), 4);
    }
}
