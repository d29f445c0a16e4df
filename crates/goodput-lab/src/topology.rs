//! A lab as data: which hosts there are and what links them. Reading it from TOML is in `topology/file.rs`,
//! turning it into interfaces and addresses in `wiring.rs`.

mod file;
mod reach;

pub use reach::Reached;

use crate::name::Name;
use goodput_model::BitRate;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// Most hosts on one link, so that every one has an address in its /24.
pub const MOST_HOSTS: usize = 250;
/// Most links, because the link's number is one byte of its addresses.
pub const MOST_LINKS: usize = 250;
/// MTU of a link that names none, in bytes of an IP packet.
pub const DEFAULT_MTU: u32 = 1500;
/// Least MTU that IPv4 allows (RFC 791, section 3.1).
const LEAST_MTU: u32 = 68;
/// Most that a veth pair takes (ETH_MAX_MTU).
const MOST_MTU: u32 = 65_535;
/// Below this a 1500-byte frame takes longer than a second and every deadline of a measurement is met first.
const LEAST_RATE: BitRate = BitRate(16_000);
/// Above this the queue of a shaped link no longer fits the shaper's 32-bit byte counts.
const MOST_RATE: BitRate = BitRate(400_000_000_000);

/// Hosts and links of a lab.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Topology {
    /// The hosts, in the order of their addresses.
    pub hosts: Vec<Host>,
    /// The links.
    pub links: Vec<Link>,
}

/// A host: a network namespace with a process in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Host {
    /// Its name, which is also its host name inside.
    pub name: Name,
    /// True for a router: it hands packets on between its links, and the others reach what lies behind it.
    #[serde(default)]
    pub forward: bool,
}

/// A link: a veth pair between two hosts, or a bridge between more.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Link {
    /// The hosts on it, two or more.
    pub hosts: Vec<Name>,
    /// Rate of each host's connection, each direction by itself, in bits on the wire; `None` is unshaped.
    pub rate: Option<BitRate>,
    /// Largest IP packet, in bytes.
    pub mtu: u32,
}

/// What a link stands for when a result is set against what the wire allows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Medium {
    /// For example `ethernet 100 Mbit/s`.
    pub name: String,
    /// Bits on the wire a second, each direction; frames count 38 bytes beyond the IP packet.
    pub rate: BitRate,
    /// Largest IP packet, in bytes.
    pub mtu: u32,
}

/// Why a topology was refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TopologyError {
    /// Not TOML, an unknown key, a missing key or a value of the wrong kind.
    #[error("line {line}: {why}")]
    File {
        /// Counted from 1.
        line: usize,
        /// One sentence.
        why: String,
    },
    /// Fewer than two hosts.
    #[error("a lab needs 2 hosts at least, this one has {0}")]
    TooFewHosts(usize),
    /// More links than there are addresses for.
    #[error("a lab has {MOST_LINKS} links at most, this one has {0}")]
    TooManyLinks(usize),
    /// Two hosts of one name.
    #[error("host {0} is there twice")]
    HostTwice(Name),
    /// A host that nothing can reach.
    #[error("host {0} is on no link")]
    HostWithoutLink(Name),
    /// A link names a host that is not there.
    #[error("link {link} names host {host}, which the topology does not have")]
    UnknownHost {
        /// Counted from 1 in the order of the file.
        link: usize,
        /// The name.
        host: Name,
    },
    /// A link names one host twice.
    #[error("link {link} names host {host} twice")]
    SameHostTwice {
        /// Counted from 1.
        link: usize,
        /// The name.
        host: Name,
    },
    /// A link with too few or too many ends.
    #[error("link {link} has {hosts} hosts, a link has 2 to {MOST_HOSTS}")]
    Ends {
        /// Counted from 1.
        link: usize,
        /// How many it names.
        hosts: usize,
    },
    /// An MTU that the link cannot carry.
    #[error("link {link} has mtu {mtu}, the least is {LEAST_MTU} and the most {MOST_MTU}")]
    Mtu {
        /// Counted from 1.
        link: usize,
        /// As typed.
        mtu: u32,
    },
    /// A rate that cannot be shaped.
    #[error("link {link} has a rate of {rate} bit/s, the least is 16 kbit/s and the most 400 Gbit/s", rate = .rate.0)]
    Rate {
        /// Counted from 1.
        link: usize,
        /// As typed.
        rate: BitRate,
    },
}

impl Default for Topology {
    /// Hosts `a` and `b` on one unshaped link of 1500 bytes.
    fn default() -> Self {
        let names = || ["a", "b"].iter().filter_map(|n| n.parse::<Name>().ok());
        Topology {
            hosts: names().map(|name| Host { name, forward: false }).collect(),
            links: vec![Link { hosts: names().collect(), rate: None, mtu: DEFAULT_MTU }],
        }
    }
}

impl Topology {
    /// Reads a topology file and checks it; its form is in `topology/file.rs`.
    pub fn from_toml(text: &str) -> Result<Topology, TopologyError> {
        file::read(text)?.checked()
    }

    /// The same topology if it can be built.
    pub fn checked(self) -> Result<Topology, TopologyError> {
        if self.hosts.len() < 2 {
            return Err(TopologyError::TooFewHosts(self.hosts.len()));
        }
        if self.links.len() > MOST_LINKS {
            return Err(TopologyError::TooManyLinks(self.links.len()));
        }
        let mut names = BTreeSet::new();
        for host in &self.hosts {
            if !names.insert(&host.name) {
                return Err(TopologyError::HostTwice(host.name.clone()));
            }
        }
        let mut linked = BTreeSet::new();
        for (at, link) in self.links.iter().enumerate() {
            link.check(at + 1, &names)?;
            linked.extend(&link.hosts);
        }
        match self.hosts.iter().find(|h| !linked.contains(&h.name)) {
            Some(alone) => Err(TopologyError::HostWithoutLink(alone.name.clone())),
            None => Ok(self),
        }
    }
}

impl Link {
    /// Checks the link alone; `link` is its number for a person.
    fn check(&self, link: usize, names: &BTreeSet<&Name>) -> Result<(), TopologyError> {
        let mut ends = BTreeSet::new();
        for host in &self.hosts {
            if !names.contains(host) {
                return Err(TopologyError::UnknownHost { link, host: host.clone() });
            }
            if !ends.insert(host) {
                return Err(TopologyError::SameHostTwice { link, host: host.clone() });
            }
        }
        if !(2..=MOST_HOSTS).contains(&ends.len()) {
            return Err(TopologyError::Ends { link, hosts: ends.len() });
        }
        if !(LEAST_MTU..=MOST_MTU).contains(&self.mtu) {
            return Err(TopologyError::Mtu { link, mtu: self.mtu });
        }
        match self.rate {
            Some(rate) if !(LEAST_RATE..=MOST_RATE).contains(&rate) => {
                Err(TopologyError::Rate { link, rate })
            }
            _ => Ok(()),
        }
    }

    /// What the link stands for. `None` when it is unshaped: a veth pair is no real medium and has no limit.
    pub fn medium(&self) -> Option<Medium> {
        self.rate.map(|rate| Medium { name: format!("ethernet {}", readable(rate)), rate, mtu: self.mtu })
    }
}

/// A rate in the largest decimal unit that leaves a whole number or one short fraction: `100 Mbit/s`, `2.5 Gbit/s`.
fn readable(rate: BitRate) -> String {
    let units = [(1_000_000_000, "Gbit/s"), (1_000_000, "Mbit/s"), (1_000, "kbit/s")];
    let (scale, unit) = units.into_iter().find(|(scale, _)| rate.0 >= *scale).unwrap_or((1, "bit/s"));
    format!("{} {unit}", rate.0 as f64 / scale as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(change: impl FnOnce(&mut Topology)) -> Result<Topology, TopologyError> {
        let mut topology = Topology::default();
        change(&mut topology);
        topology.checked()
    }

    #[test]
    fn the_default_is_two_hosts_on_an_unshaped_link() {
        let topology = with(|_| ()).unwrap();
        assert_eq!(topology.hosts.len(), 2);
        assert_eq!(topology.links[0].medium(), None);
    }

    #[test]
    fn what_cannot_be_built_is_refused() {
        let c: Name = "c".parse().unwrap();
        assert_eq!(with(|t| t.hosts.truncate(1)).unwrap_err(), TopologyError::TooFewHosts(1));
        let twice = with(|t| t.hosts[1] = t.hosts[0].clone()).unwrap_err();
        assert!(matches!(twice, TopologyError::HostTwice(_)), "{twice}");
        let unknown = with(|t| t.links[0].hosts.push(c.clone())).unwrap_err();
        assert_eq!(unknown.to_string(), "link 1 names host c, which the topology does not have");
        let alone = with(|t| t.hosts.push(Host { name: c.clone(), forward: false })).unwrap_err();
        assert_eq!(alone, TopologyError::HostWithoutLink(c.clone()));
        let same = with(|t| t.links[0].hosts[1] = t.links[0].hosts[0].clone()).unwrap_err();
        assert!(matches!(same, TopologyError::SameHostTwice { link: 1, .. }));
        assert!(matches!(with(|t| t.links[0].hosts.truncate(1)), Err(TopologyError::Ends { hosts: 1, .. })));
        for mtu in [0, 67, 65_536] {
            assert!(matches!(with(|t| t.links[0].mtu = mtu), Err(TopologyError::Mtu { .. })));
        }
        for rate in [0, 15_999, 400_000_000_001] {
            assert!(matches!(
                with(|t| t.links[0].rate = Some(BitRate(rate))),
                Err(TopologyError::Rate { .. })
            ));
        }
    }

    #[test]
    fn a_rated_link_is_a_medium() {
        let named =
            |rate| Link { hosts: vec![], rate: Some(BitRate(rate)), mtu: 1500 }.medium().unwrap().name;
        assert_eq!(named(100_000_000), "ethernet 100 Mbit/s");
        assert_eq!(named(2_500_000_000), "ethernet 2.5 Gbit/s");
        assert_eq!(named(64_000), "ethernet 64 kbit/s");
    }
}
