//! Reads and sets knobs in the network namespace of the calling thread.

mod features;
mod files;

use super::interface;
use super::message::{self, IFLA_MTU, IFLA_TXQLEN};
use super::restorer::{HostIdentity, KnobBackend, KnobState};
use super::value::{normalize_whitespace, parse_cpu_mask};
use super::{ChangeScope, ControlConnectionPath, DriverTable, InterfaceId, Knob, KnobError, KnobMechanism};
use crate::ethtool::EthtoolNetlink;
use crate::link_statistics::{self, LinkInfo};
use crate::netlink::{self, NetlinkSocket};
use crate::{HostError, machine, qdisc, steering, sys};
use goodput_words::{ErrorMessage, Message, message};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::net::IpAddr;
use std::path::{Path, PathBuf};

/// A knob, with its interface.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct InterfaceKnob {
    pub knob: Knob,
    /// `None` for a knob without an interface.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub device: Option<InterfaceId>,
}

impl PartialEq for InterfaceKnob {
    /// Interfaces are identified by number, because names may change.
    fn eq(&self, other: &InterfaceKnob) -> bool {
        let index = |setting: &InterfaceKnob| setting.device.as_ref().map(|d| d.index);
        self.knob == other.knob && index(self) == index(other)
    }
}

impl fmt::Display for InterfaceKnob {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.device {
            Some(device) => write!(f, "{} of {}", self.knob, device.name),
            None => write!(f, "{}", self.knob),
        }
    }
}

#[derive(Debug, Clone, Copy, Default)]
pub struct KernelBackend;

impl KernelBackend {
    /// The knob on the named interface, else on the one that leads to all of these addresses.
    /// [`KnobError::Interface`] lists candidates.
    pub fn resolve_setting(
        &self,
        knob: Knob,
        named: Option<&str>,
        towards: &[IpAddr],
    ) -> Result<InterfaceKnob, KnobError> {
        let (mut route, links) = network(&knob.to_string())?;
        let device = interface::resolve_interface(&knob, named, towards, &mut route, &links)?;
        Ok(InterfaceKnob { knob, device })
    }

    /// Whether it may be set while orders use this path; [`KnobError::ControlPath`] suggests alternatives.
    pub fn check_change_allowed(
        &self,
        setting: &InterfaceKnob,
        control: ControlConnectionPath,
    ) -> Result<(), KnobError> {
        let Some(device) = &setting.device else { return Ok(()) };
        interface::check_change_allowed(&setting.knob, device, control)
    }

    /// Boot and network namespace, for a journal.
    pub fn host_identity(&self) -> HostIdentity {
        HostIdentity {
            boot: machine::read_trimmed_text("/proc/sys/kernel/random/boot_id").unwrap_or_default(),
            namespace: sys::network_namespace_cookie().ok(),
        }
    }
}

impl KnobBackend for KernelBackend {
    type Setting = InterfaceKnob;

    fn read_state(&self, setting: &InterfaceKnob) -> Result<KnobState, KnobError> {
        let missing = |why: Message| KnobError::NotHere { setting: setting.to_string(), why };
        let plain = |text: String| KnobState { shown: text.clone(), exact: text, linked: BTreeMap::new() };
        match setting.knob.spec().way {
            KnobMechanism::Mtu => Ok(plain(link(setting)?.mtu.to_string())),
            KnobMechanism::QueueLength => Ok(plain(link(setting)?.queue_length.to_string())),
            KnobMechanism::Qdisc => qdiscs(link(setting)?.index).map(plain).map_err(|e| missing(e.message())),
            KnobMechanism::Sysctl => fs::read_to_string(sysctl(&setting.knob))
                .map(|text| plain(normalize_whitespace(&text)))
                .map_err(|e| missing(absent(&e))),
            KnobMechanism::Offload(group) => features::read_offload(setting, group),
            KnobMechanism::Steering(file, queues) => {
                let (name, shown) = sysfs(setting)?;
                if !shown {
                    return Err(missing("/sys shows another network namespace than this one".into()));
                }
                let folder = Path::new("/sys/class/net").join(name).join("queues");
                files::read_file_in_each_folder(&folder, queues, file, |text| parse_cpu_mask(&text))
                    .map_err(missing)
            }
            KnobMechanism::Driver(table, field) => {
                let index = link(setting)?.index;
                let numbers = driver(table, index).map_err(|e| missing(said(&e)))?;
                let number =
                    numbers.get(field).ok_or_else(|| missing("the driver does not have it".into()))?;
                Ok(plain(number.to_string()))
            }
            KnobMechanism::Governor => {
                files::read_file_in_each_folder(Path::new(POLICIES), "policy", "scaling_governor", |text| {
                    Some(normalize_whitespace(&text))
                })
                .map_err(|_| missing("the kernel does not control the CPUs' frequency".into()))
            }
        }
    }

    fn set_value(&self, setting: &InterfaceKnob, value: &str) -> Result<(), KnobError> {
        match setting.knob.spec().way {
            KnobMechanism::Offload(_) => {
                let on = value == "on";
                let wanted =
                    switches(&self.read_state(setting)?.exact).into_keys().map(|name| (name, on)).collect();
                features::set_offload(setting, value, &wanted)
            }
            KnobMechanism::Steering(..) | KnobMechanism::Governor => {
                let now = self.read_state(setting)?.exact;
                let all: BTreeMap<String, String> =
                    pairs(&now).map(|(k, _)| (k.into(), value.into())).collect();
                files::write_file_in_each_folder(setting, value, &all)
            }
            _ => self.write(setting, value),
        }
    }

    fn restore_value(&self, setting: &InterfaceKnob, exact: &str) -> Result<(), KnobError> {
        match setting.knob.spec().way {
            KnobMechanism::Offload(_) => features::set_offload(setting, exact, &switches(exact)),
            KnobMechanism::Steering(..) | KnobMechanism::Governor => {
                let all = pairs(exact).map(|(k, v)| (k.to_string(), v.to_string())).collect();
                files::write_file_in_each_folder(setting, exact, &all)
            }
            _ => self.write(setting, exact),
        }
    }

    fn is_namespaced(&self, setting: &InterfaceKnob) -> bool {
        setting.knob.spec().reach != ChangeScope::Host
    }

    fn survives_reboot(&self, _: &InterfaceKnob) -> bool {
        false
    }
}

impl KernelBackend {
    fn write(&self, setting: &InterfaceKnob, value: &str) -> Result<(), KnobError> {
        let refused = |why: Message| refused(setting, value, why);
        match setting.knob.spec().way {
            KnobMechanism::Mtu | KnobMechanism::QueueLength => {
                let link = link(setting)?;
                let field =
                    if setting.knob.spec().way == KnobMechanism::Mtu { IFLA_MTU } else { IFLA_TXQLEN };
                let mut netlink =
                    NetlinkSocket::open(netlink::NETLINK_ROUTE).map_err(|e| refused(e.message()))?;
                let why = |e: &HostError| match link.largest_mtu.filter(|_| field == IFLA_MTU) {
                    Some(most) => message!(cause_knob_driver_most { why: said(e), most: most.to_string() }),
                    None => said(e),
                };
                message::set_link_attribute(&mut netlink, link.index, field, number(setting, value)?)
                    .map_err(|e| refused(why(&e)))
            }
            KnobMechanism::Sysctl => {
                fs::write(sysctl(&setting.knob), value).map_err(|e| refused(unwritten(&e)))
            }
            KnobMechanism::Driver(table, field) => {
                let index = link(setting)?.index;
                let value = number(setting, value)?;
                let set = |mut ethtool: EthtoolNetlink| {
                    message::set_driver_parameter(&mut ethtool, table, index, field, value)
                };
                EthtoolNetlink::open().and_then(set).map_err(|e| refused(said(&e)))
            }
            KnobMechanism::Qdisc
            | KnobMechanism::Offload(_)
            | KnobMechanism::Steering(..)
            | KnobMechanism::Governor => Err(KnobError::ReadOnly { knob: setting.knob.to_string() }),
        }
    }
}

const POLICIES: &str = "/sys/devices/system/cpu/cpufreq";

fn network(setting: &str) -> Result<(NetlinkSocket, Vec<LinkInfo>), KnobError> {
    link_statistics::list_links_with_socket()
        .map_err(|e| KnobError::NotHere { setting: setting.to_string(), why: e.message() })
}

fn link(setting: &InterfaceKnob) -> Result<LinkInfo, KnobError> {
    let gone = |why: &str| KnobError::Gone { setting: setting.to_string(), why: why.into() };
    let device = setting.device.as_ref().ok_or_else(|| gone("it names no interface"))?;
    let (_, links) = network(&setting.to_string())?;
    let found = links.into_iter().find(|l| l.index == device.index);
    found.ok_or_else(|| gone("the interface is no longer there"))
}

fn sysfs(setting: &InterfaceKnob) -> Result<(String, bool), KnobError> {
    let name = link(setting)?.name;
    Ok((name, steering::sysfs_matches_namespace(&network(&setting.to_string())?.1)))
}

fn sysctl(knob: &Knob) -> PathBuf {
    let name = knob.name().strip_prefix("sysctl ").unwrap_or_default();
    Path::new("/proc/sys").join(name.replace('.', "/"))
}

fn qdiscs(index: u32) -> Result<String, HostError> {
    let mut netlink = NetlinkSocket::open(netlink::NETLINK_ROUTE)?;
    let all = qdisc::list_qdiscs(&mut netlink)?;
    let one = |q: &qdisc::LinkQdisc| format!("{} {}", q.qdisc.kind, q.qdisc.parent);
    Ok(all.iter().filter(|q| q.index == index).map(one).collect::<Vec<_>>().join(", "))
}

fn driver(table: DriverTable, index: u32) -> Result<BTreeMap<String, u64>, HostError> {
    EthtoolNetlink::open()?.read_parameter_group(table, index)
}

/// Parses `name=value` pairs separated by spaces.
fn pairs(exact: &str) -> impl Iterator<Item = (&str, &str)> {
    exact.split(' ').filter_map(|pair| pair.split_once('='))
}

fn switches(exact: &str) -> BTreeMap<String, bool> {
    pairs(exact).map(|(name, word)| (name.to_string(), word == "on")).collect()
}

fn number(setting: &InterfaceKnob, value: &str) -> Result<u32, KnobError> {
    value.parse().map_err(|_| refused(setting, value, "it is no number of 32 bits".into()))
}

fn refused(setting: &InterfaceKnob, value: &str, why: Message) -> KnobError {
    KnobError::Refused { setting: setting.to_string(), value: value.to_string(), why }
}

/// Explains a driver's or kernel's error.
fn said(error: &HostError) -> Message {
    let HostError::Call { cause, .. } = error else { return error.message() };
    let why = cause.message();
    match cause.raw_os_error() {
        Some(95) => "the driver does not have it".into(),
        Some(22) => message!(cause_knob_kernel_refuses { why }),
        Some(1) => message!(cause_knob_needs_net_admin { why }),
        _ => error.message(),
    }
}

fn absent(error: &std::io::Error) -> Message {
    match error.kind() {
        std::io::ErrorKind::NotFound => {
            "this kernel has no such setting, or not in this network namespace".into()
        }
        _ => message!(cause_knob_unreadable { why: error.message() }),
    }
}

fn unwritten(error: &std::io::Error) -> Message {
    let why = error.message();
    match error.raw_os_error() {
        Some(1 | 13 | 30) => message!(cause_knob_needs_root { why }),
        Some(22) => message!(cause_knob_kernel_refuses { why }),
        Some(2) => message!(cause_knob_no_such_word { why }),
        _ => why,
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use crate::knob::restorer::{KnobRestorer, NullJournal};
    use nix::sched::{CloneFlags, unshare};

    fn knob(typed: &str) -> Knob {
        typed.parse().expect("a knob of the list")
    }

    fn setting(typed: &str, interface: Option<&str>) -> InterfaceKnob {
        KernelBackend.resolve_setting(knob(typed), interface, &[]).unwrap()
    }

    fn keeper() -> KnobRestorer<KernelBackend> {
        KnobRestorer::open(KernelBackend, Box::new(NullJournal), &[], KernelBackend.host_identity()).unwrap()
    }

    #[test]
    fn a_setting_is_written_by_its_names() {
        let device = Some(InterfaceId { index: 3, name: "eth0".into(), software: true });
        let setting = InterfaceKnob { knob: knob("offload gro"), device };
        let text = serde_json::to_string(&setting).unwrap();
        assert_eq!(text, r#"{"knob":"offload gro","device":{"index":3,"name":"eth0","software":true}}"#);
        assert_eq!(serde_json::from_str::<InterfaceKnob>(&text).unwrap(), setting);
        assert_eq!(setting.to_string(), "offload gro of eth0");
        assert_eq!(switches("a=on b=off"), BTreeMap::from([("a".into(), true), ("b".into(), false)]));
        assert!(switches("").is_empty());
    }

    /// Runs a function in a new network namespace and thread; `None` without permission.
    fn in_a_namespace<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
        let inside = move || unshare(CloneFlags::CLONE_NEWNET).ok().map(|()| work());
        std::thread::spawn(inside).join().expect("the thread ends")
    }

    #[test]
    fn knobs_of_loopback_are_set_and_put_back() {
        let told = in_a_namespace(|| {
            let facts = || crate::collect_inventory(&crate::InterfaceScope::All).flatten_stable_facts();
            let (mut keeper, before) = (keeper(), facts());
            let mtu = keeper.set_value("t", &setting("mtu", Some("lo")), "9000").unwrap();
            assert_eq!((mtu.before.as_str(), mtu.obtained.as_str()), ("65536", "9000"));
            keeper.set_value("t", &setting("txqueuelen", Some("lo")), "77").unwrap();
            keeper.set_value("t", &setting("sysctl net.ipv4.tcp_sack", None), "0").unwrap();
            let tso = keeper.set_value("t", &setting("offload tso", Some("lo")), "off");
            assert_ne!(facts(), before);
            // What the kernel refuses stays as it was.
            let cc = setting("sysctl net.ipv4.tcp_congestion_control", None);
            let said = keeper.set_value("t", &cc, "nosuch").unwrap_err().to_string();
            assert!(said.contains("nosuch") && said.contains("no such word"), "{said}");
            let back = keeper.restore_owner_settings("t");
            assert!(back.iter().all(|b| b.trouble.is_none()), "{back:?}");
            assert_eq!(facts(), before);
            (back.len(), tso.is_ok())
        });
        if let Some((back, tso)) = told {
            assert_eq!(back, 3 + usize::from(tso));
        }
    }

    #[test]
    fn what_is_not_there_is_said() {
        assert!(KernelBackend.resolve_setting(knob("mtu"), Some("no-such-thing"), &[]).is_err());
        let said = KernelBackend.resolve_setting(knob("governor"), Some("lo"), &[]).unwrap_err().to_string();
        assert!(said.contains("belongs to no interface"), "{said}");
        let gone = InterfaceId { index: 999_999, name: "x".into(), software: true };
        let setting = InterfaceKnob { knob: knob("mtu"), device: Some(gone) };
        assert!(matches!(KernelBackend.read_state(&setting), Err(KnobError::Gone { .. })));
        assert!(KernelBackend.check_change_allowed(&setting, ControlConnectionPath::Unknown).is_ok());
        assert!(!KernelBackend.host_identity().boot.is_empty());
    }
}
