//! A lab's hosts and links. `topology/file.rs` reads TOML, `veth.rs` derives interfaces and addresses.

mod bus;
mod cpu_share;
mod disk;
mod file;
mod impairments;
mod link;
mod routing;

pub use bus::EmulatedHostBus;
pub use cpu_share::{CpuShare, ParseCpuShareError};
pub use disk::{Disk, ParseDiskError};
pub use impairments::{LinkImpairments, LossRate, ParseLossError};
pub(crate) use link::format_rate;
pub use link::{Link, LinkMedium};
pub use routing::ReachableLink;

use crate::lab_name::LabOrHostName;
use disk::MAX_DISKS;
use goodput_model::BitRate;
use goodput_words::{Message, error_messages, message};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// On one link, so that all have an address in its /24.
pub const MAX_HOSTS: usize = 250;
/// The link's number is one byte of its addresses.
pub const MAX_LINKS: usize = 250;
pub const DEFAULT_MTU: u32 = 1500;
/// RFC 791, section 3.1.
const MIN_MTU: u32 = 68;
/// ETH_MAX_MTU, the most that a veth pair takes.
const MAX_MTU: u32 = 65_535;
/// Below this a 1500-byte frame takes longer than a second and measurements time out.
const MIN_RATE: BitRate = BitRate(16_000);
/// Above this the queue exceeds the shaper's 32-bit byte counts.
const MAX_RATE: BitRate = BitRate(400_000_000_000);

/// Loading more takes seconds.
pub const MAX_RULES_PER_PACKET: u32 = 20_000;

/// Rules that every packet passes once in each direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct EmulatedPacketCost(pub u32);

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Topology {
    pub hosts: Vec<Host>,
    pub links: Vec<Link>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pin: Option<LabOrHostName>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Host {
    pub name: LabOrHostName,
    /// True for a router between its links.
    #[serde(default)]
    pub forward: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu_share: Option<CpuShare>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub disk: Option<Disk>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub packet_cost: Option<EmulatedPacketCost>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bus: Option<EmulatedHostBus>,
}

impl Host {
    pub fn with_defaults(name: LabOrHostName) -> Host {
        Host { name, forward: false, cpu_share: None, disk: None, packet_cost: None, bus: None }
    }

    fn check(&self) -> Result<(), TopologyError> {
        let refuse = |why: Message| Err(TopologyError(message!(error_lab_host { name: &self.name, why })));
        if self.cpu_share.is_some_and(|share| !share.is_valid()) {
            let (least, most) = (cpu_share::MIN_CPU_PERCENT, cpu_share::MAX_CPU_PERCENT);
            let (least, most) = (least.to_string(), most.to_string());
            return refuse(message!(cause_lab_cpu_share { least, most }));
        }
        if self.disk.is_some_and(|disk| !disk.is_valid()) {
            return refuse("a disk holds 16 MiB to 1 TiB and moves 1 MB to 100 GB a second".into());
        }
        if self.packet_cost.is_some_and(|cost| !(1..=MAX_RULES_PER_PACKET).contains(&cost.0)) {
            return refuse(message!(cause_lab_packet_cost { most: MAX_RULES_PER_PACKET.to_string() }));
        }
        if self.bus.as_ref().is_some_and(|bus| !(MIN_RATE..=MAX_RATE).contains(&bus.rate)) {
            return refuse("a bus carries 16 kbit to 400 Gbit a second".into());
        }
        if self.bus.as_ref().is_some_and(|bus| !bus.is_valid()) {
            return refuse("a bus queue holds 1600 B to 16 MiB".into());
        }
        Ok(())
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct TopologyError(Message);

error_messages! { TopologyError { TopologyError(text) => text } }

impl Default for Topology {
    fn default() -> Self {
        let names = || ["a", "b"].iter().filter_map(|n| n.parse::<LabOrHostName>().ok());
        Topology {
            hosts: names().map(Host::with_defaults).collect(),
            links: vec![Link::with_defaults(names().collect())],
            pin: None,
        }
    }
}

impl Topology {
    pub fn from_toml(text: &str) -> Result<Topology, TopologyError> {
        file::parse_topology(text)?.validate()
    }

    /// Hosts `server`, `c1`, `c2` … and `desk` on one switch, unshaped but for a given server rate. The
    /// coordinator runs on `desk`, apart from the load.
    pub fn star(clients: u32, server_rate: Option<BitRate>) -> Topology {
        let server = "server".parse::<LabOrHostName>().into_iter();
        let clients = (1..=clients).filter_map(|n| format!("c{n}").parse::<LabOrHostName>().ok());
        let names: Vec<LabOrHostName> = server.chain(clients).chain("desk".parse().ok()).collect();
        let rates = names.first().cloned().zip(server_rate).into_iter().collect();
        Topology {
            hosts: names.iter().cloned().map(Host::with_defaults).collect(),
            links: vec![Link { rates, ..Link::with_defaults(names) }],
            pin: None,
        }
    }

    pub fn validate(self) -> Result<Topology, TopologyError> {
        let refuse = |what: Message| Err(TopologyError(what));
        let (hosts, links) = (self.hosts.len(), self.links.len());
        if hosts < 2 {
            return refuse(message!(error_lab_two_hosts { count: hosts }));
        }
        if links > MAX_LINKS {
            let (most, count) = (MAX_LINKS.to_string(), links.to_string());
            return refuse(message!(error_lab_too_many_links { most, count }));
        }
        let mut names = BTreeSet::new();
        for host in &self.hosts {
            if !names.insert(&host.name) {
                return refuse(message!(error_lab_host_twice { name: &host.name }));
            }
            host.check()?;
        }
        let disks = self.hosts.iter().filter(|h| h.disk.is_some()).count();
        if disks > MAX_DISKS {
            let (most, count) = (MAX_DISKS.to_string(), disks.to_string());
            return refuse(message!(error_lab_too_many_disks { most, count }));
        }
        let mut linked = BTreeSet::new();
        for (at, link) in self.links.iter().enumerate() {
            link.validate(at + 1, &names)?;
            linked.extend(&link.hosts);
        }
        if let Some(pin) = self.pin.as_ref().filter(|p| !names.contains(p)) {
            return refuse(message!(error_lab_pinned_host_missing { name: pin }));
        }
        match self.hosts.iter().find(|h| !linked.contains(&h.name)) {
            Some(alone) => refuse(message!(error_lab_host_on_no_link { name: &alone.name })),
            None => Ok(self),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use goodput_model::Bytes;

    fn with(change: impl FnOnce(&mut Topology)) -> Result<Topology, TopologyError> {
        let mut topology = Topology::default();
        change(&mut topology);
        topology.validate()
    }

    #[test]
    fn a_star_has_a_server_and_its_clients() {
        let mut star = Topology::star(20, Some(BitRate(1_000_000_000))).validate().unwrap();
        star.links[0].rate = Some(BitRate(100_000_000));
        let names: Vec<String> = star.hosts.iter().map(|h| h.name.to_string()).collect();
        assert_eq!((names.len(), names[0].as_str(), names[20].as_str()), (22, "server", "c20"));
        assert_eq!(names[21], "desk");
        let rate = |host: usize| star.links[0].medium_for_host(&star.hosts[host].name).unwrap().rate.0;
        assert_eq!((rate(0), rate(1), rate(20)), (1_000_000_000, 100_000_000, 100_000_000));
    }

    #[test]
    fn what_cannot_be_built_is_refused() {
        let c: LabOrHostName = "c".parse().unwrap();
        let why = |change: &dyn Fn(&mut Topology)| with(change).unwrap_err().to_string();
        assert_eq!(why(&|t| t.hosts.truncate(1)), "a lab needs at least 2 hosts, this one has 1");
        assert_eq!(why(&|t| t.hosts[1] = t.hosts[0].clone()), "host a is defined twice");
        let unknown = why(&|t| t.links[0].hosts.push(c.clone()));
        assert_eq!(unknown, "link 1 refers to host c, which the topology does not contain");
        let alone = why(&|t| t.hosts.push(Host::with_defaults(c.clone())));
        assert_eq!(alone, "host c is not connected to any link");
        let same = why(&|t| t.links[0].hosts[1] = t.links[0].hosts[0].clone());
        assert_eq!(same, "link 1 names host a twice");
        assert_eq!(why(&|t| t.links[0].hosts.truncate(1)), "link 1 has 1 hosts, a link has 2 to 250");
        for mtu in [0, 67, 65_536] {
            assert!(why(&|t| t.links[0].mtu = mtu).starts_with(&format!("link 1 has mtu {mtu}")));
        }
        for rate in [0, 15_999, 400_000_000_001] {
            let refused = why(&|t| t.links[0].rate = Some(BitRate(rate)));
            assert!(refused.starts_with(&format!("link 1 has a rate of {rate} bit/s")), "{refused}");
        }
        let refused = |change: fn(&mut Host)| with(|t| change(&mut t.hosts[0])).unwrap_err().to_string();
        assert!(refused(|h| h.cpu_share = Some(CpuShare(19))).contains("host a: a CPU share is 20%"));
        assert!(refused(|h| h.packet_cost = Some(EmulatedPacketCost(0))).contains("1 to 20000 rules"));
        let small = |h: &mut Host| h.disk = Some(Disk { size: Bytes(1), rate: None, iops: None });
        assert!(refused(small).contains("16 MiB"));
        let nine = with(|t| {
            let disk = Some("64MiB".parse().unwrap());
            let names = (0..9).map(|n| format!("h{n}").parse::<LabOrHostName>().unwrap());
            t.hosts = names.map(|name| Host { disk, ..Host::with_defaults(name) }).collect();
        });
        assert_eq!(nine.unwrap_err().to_string(), "a lab has 8 disks at most, this one has 9");
    }
}
