//! A running lab's state: `NAME.json`, written by the keeper before it is ready, read by later commands.

use crate::cpu_pin::CpuPin;
use crate::cpu_quota::CpuQuotaState;
use crate::disk::DiskState;
use crate::emulated_host_bus::EmulatedHostBusState;
use crate::emulated_packet_cost::EmulatedPacketCostState;
use crate::lab_name::LabOrHostName;
use crate::link_relay::LinkRelayState;
use crate::namespace::HostNamespaces;
use crate::process::{self, ProcessId};
use crate::runtime_folder::{RuntimeFolder, RuntimeFolderError, none_if_not_found};
use crate::topology::{Link, LinkImpairments, LinkMedium, Topology};
use crate::traffic_shape::VethEndState;
use goodput_model::BitRate;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::net::IpAddr;
use std::path::PathBuf;

pub const STATE_SCHEMA: &str = "goodput/lab/1";

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LabState {
    pub schema: String,
    pub name: LabOrHostName,
    /// After another boot nothing of the lab is left.
    pub boot_id: String,
    /// In which the process numbers below are valid.
    pub pid_namespace: u64,
    pub keeper: ProcessId,
    /// True when not started by root.
    pub user_namespace: bool,
    pub topology: Topology,
    pub hosts: Vec<HostState>,
    pub links: Vec<LinkState>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pin: Option<CpuPin>,
    pub key_file: PathBuf,
    pub log_file: PathBuf,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HostState {
    pub name: LabOrHostName,
    pub process: ProcessId,
    /// Preferred address: IPv4 on its first link.
    pub address: IpAddr,
    pub interfaces: Vec<InterfaceState>,
    pub ports: BTreeMap<String, u16>,
    pub log_file: PathBuf,
    pub namespaces: HostNamespaces,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub groups: Vec<PathBuf>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu_share: Option<CpuQuotaState>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub disk: Option<DiskState>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub packet_cost: Option<EmulatedPacketCostState>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bus: Option<EmulatedHostBusState>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct InterfaceState {
    /// From 0.
    pub link: usize,
    pub interface: String,
    /// IPv4 first.
    pub addresses: Vec<IpAddr>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LinkState {
    pub hosts: Vec<LabOrHostName>,
    /// `None` is unshaped.
    pub rate: Option<BitRate>,
    /// `None` for an unshaped link.
    pub medium: Option<LinkMedium>,
    #[serde(default)]
    pub way: LinkImpairments,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub relay: Option<LinkRelayState>,
    /// Both ends of each veth pair.
    pub ends: Vec<VethEndState>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LabLiveness {
    Running,
    Dead,
    /// Started in another PID namespace: unknown.
    Elsewhere,
}

impl LinkState {
    pub(crate) fn new(link: &Link, ends: Vec<VethEndState>) -> LinkState {
        let medium = link.medium();
        let rate = link.rate.or(medium.as_ref().map(|m| m.rate));
        LinkState { hosts: link.hosts.clone(), rate, medium, way: link.way, relay: None, ends }
    }
}

impl LabState {
    pub fn host(&self, name: &LabOrHostName) -> Option<&HostState> {
        self.hosts.iter().find(|h| h.name == *name)
    }

    pub fn link_between(&self, from: &LabOrHostName, to: &LabOrHostName) -> Option<&LinkState> {
        self.links.iter().find(|l| l.hosts.contains(from) && l.hosts.contains(to))
    }

    /// IPv4 on the first common link, else on the nearest one behind forwarding hosts.
    pub fn destination_address(&self, from: &LabOrHostName, to: &LabOrHostName) -> Option<IpAddr> {
        let link = self.topology.nearest_link_to(from, to)?;
        let interface = self.host(to)?.interfaces.iter().find(|i| i.link == link)?;
        interface.addresses.first().copied()
    }

    /// Default host to measure from: the first other one that reaches this host.
    pub fn first_reachable_host(&self, of: &LabOrHostName) -> Option<&HostState> {
        self.hosts.iter().find(|h| h.name != *of && self.link_between(&h.name, of).is_some())
    }

    pub fn liveness(&self) -> LabLiveness {
        if process::boot_id().is_ok_and(|boot| boot != self.boot_id) {
            return LabLiveness::Dead;
        }
        match process::pid_namespace() {
            Ok(here) if here == self.pid_namespace => {}
            _ => return LabLiveness::Elsewhere,
        }
        if self.keeper.is_running() { LabLiveness::Running } else { LabLiveness::Dead }
    }

    /// `None` when there is none.
    pub(crate) fn read(
        runtime: &RuntimeFolder,
        lab: &LabOrHostName,
    ) -> Result<Option<LabState>, RuntimeFolderError> {
        runtime.check_owner()?;
        let path = runtime.state_file(lab);
        let text = none_if_not_found(fs::read_to_string(&path));
        let text = text.map_err(|source| RuntimeFolderError::Read { path: path.clone(), source })?;
        let Some(text) = text else { return Ok(None) };
        let state: LabState = serde_json::from_str(&text)
            .map_err(|source| RuntimeFolderError::Form { path: path.clone(), source })?;
        if state.schema == STATE_SCHEMA {
            return Ok(Some(state));
        }
        let source = serde::de::Error::custom(format_args!("its schema is {:?}", state.schema));
        Err(RuntimeFolderError::Form { path, source })
    }

    /// Atomic for readers.
    pub(crate) fn write(&self, path: &std::path::Path) -> io::Result<()> {
        let mut text = serde_json::to_string_pretty(self)?;
        text.push('\n');
        let fresh = path.with_extension("json.new");
        fs::write(&fresh, text)?;
        fs::rename(fresh, path)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::namespace::NamespaceHandle;

    pub(crate) fn state(name: &str) -> LabState {
        let text = "[[host]]\nname='a'\n[[host]]\nname='b'\n[[host]]\nname='c'\n\
                    [[link]]\nhosts=['a','b']\nrate='100Mbit'\n[[link]]\nhosts=['b','c']\n";
        let topology = Topology::from_toml(text).unwrap();
        let keeper = ProcessId::from_proc_stat("/proc", "self").unwrap();
        let handle = NamespaceHandle { fd: 3, inode: 4 };
        let host = |name: &str, interfaces: &[(usize, &str)]| HostState {
            name: name.parse().unwrap(),
            process: keeper,
            address: interfaces[0].1.parse().unwrap(),
            interfaces: (interfaces.iter().enumerate())
                .map(|(i, (link, address))| {
                    let addresses = vec![address.parse().unwrap()];
                    InterfaceState { link: *link, interface: format!("eth{i}"), addresses }
                })
                .collect(),
            ports: BTreeMap::from([("control".to_string(), 5303)]),
            log_file: "x.log".into(),
            namespaces: HostNamespaces { net: handle, mnt: handle, uts: handle },
            groups: vec![],
            cpu_share: None,
            disk: None,
            packet_cost: None,
            bus: None,
        };
        LabState {
            schema: STATE_SCHEMA.into(),
            name: name.parse().unwrap(),
            boot_id: process::boot_id().unwrap(),
            pid_namespace: process::pid_namespace().unwrap(),
            keeper,
            user_namespace: false,
            hosts: vec![
                host("a", &[(0, "10.53.0.1")]),
                host("b", &[(0, "10.53.0.2"), (1, "10.53.1.1")]),
                host("c", &[(1, "10.53.1.2")]),
            ],
            links: topology.links.iter().map(|l| LinkState::new(l, vec![])).collect(),
            topology,
            pin: None,
            key_file: "x.key".into(),
            log_file: "x.log".into(),
        }
    }

    #[test]
    fn a_host_is_reached_on_the_link_that_both_are_on() {
        let mut lab = state("x");
        let [a, b, c] = ["a", "b", "c"].map(|name| name.parse::<LabOrHostName>().unwrap());
        assert_eq!(lab.destination_address(&a, &b), "10.53.0.2".parse().ok());
        assert_eq!(lab.destination_address(&c, &b), "10.53.1.1".parse().ok());
        assert_eq!(lab.destination_address(&a, &c), None);
        assert_eq!(lab.first_reachable_host(&c).unwrap().name, b);
        assert_eq!(lab.link_between(&b, &a).unwrap().medium.as_ref().unwrap().name, "ethernet 100 Mbit/s");
        lab.topology.hosts[1].forward = true;
        assert_eq!(lab.destination_address(&a, &c), "10.53.1.2".parse().ok());
    }

    #[test]
    fn a_lab_lives_as_long_as_its_keeper() {
        let mut lab = state("x");
        assert_eq!(lab.liveness(), LabLiveness::Running);
        lab.keeper.start_ticks -= 1;
        assert_eq!(lab.liveness(), LabLiveness::Dead);
        lab.pid_namespace += 1;
        assert_eq!(lab.liveness(), LabLiveness::Elsewhere);
        lab.boot_id = "another".into();
        assert_eq!(lab.liveness(), LabLiveness::Dead);
    }

    #[test]
    fn what_is_written_is_read() {
        let (_temp, runtime) = crate::runtime_folder::tests::folder();
        let lab = state("x");
        assert_eq!(LabState::read(&runtime, &lab.name).unwrap(), None);
        lab.write(&runtime.state_file(&lab.name)).unwrap();
        assert_eq!(LabState::read(&runtime, &lab.name).unwrap(), Some(lab.clone()));
        let newer = LabState { schema: "goodput/lab/2".into(), ..lab };
        newer.write(&runtime.state_file(&newer.name)).unwrap();
        assert!(matches!(LabState::read(&runtime, &newer.name), Err(RuntimeFolderError::Form { .. })));
    }
}
