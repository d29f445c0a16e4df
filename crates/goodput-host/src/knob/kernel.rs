//! Reads and sets knobs in the network namespace of the calling thread.

mod features;
mod files;

use super::interface::Network;
use super::message::{self, MTU, QUEUE_LENGTH};
use super::restorer::{HostIdentity, KnobBackend, State};
use super::value::{mask, words};
use super::{ChangeScope, Control, Device, DriverTable, Knob, KnobError, KnobMethod};
use crate::ethtool::Ethtool;
use crate::link_statistics::Link;
use crate::netlink::{self, Netlink};
use crate::{HostError, machine, qdisc, steering, sys};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::net::IpAddr;
use std::path::{Path, PathBuf};

/// A knob, with its interface.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Setting {
    pub knob: Knob,
    /// `None` for a knob without an interface.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub device: Option<Device>,
}

impl PartialEq for Setting {
    /// Interfaces are identified by number, because names may change.
    fn eq(&self, other: &Setting) -> bool {
        let index = |setting: &Setting| setting.device.as_ref().map(|d| d.index);
        self.knob == other.knob && index(self) == index(other)
    }
}

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.device {
            Some(device) => write!(f, "{} of {}", self.knob, device.name),
            None => write!(f, "{}", self.knob),
        }
    }
}

#[derive(Debug, Clone, Copy, Default)]
pub struct Kernel;

impl Kernel {
    /// The knob on the named interface, else on the one that leads to all of these addresses.
    /// [`KnobError::Interface`] lists candidates.
    pub fn setting(&self, knob: Knob, named: Option<&str>, towards: &[IpAddr]) -> Result<Setting, KnobError> {
        let device = network(&knob.to_string())?.device(&knob, named, towards)?;
        Ok(Setting { knob, device })
    }

    /// Whether it may be set while orders use this path; [`KnobError::ControlPath`] suggests alternatives.
    pub fn admits(&self, setting: &Setting, control: Control) -> Result<(), KnobError> {
        let Some(device) = &setting.device else { return Ok(()) };
        network(&setting.to_string())?.admits(&setting.knob, device, control)
    }

    /// Boot and network namespace, for a journal.
    pub fn here(&self) -> HostIdentity {
        HostIdentity {
            boot: machine::line("/proc/sys/kernel/random/boot_id").value().cloned().unwrap_or_default(),
            namespace: sys::network_namespace_cookie().ok(),
        }
    }
}

impl KnobBackend for Kernel {
    type Setting = Setting;

    fn read(&self, setting: &Setting) -> Result<State, KnobError> {
        let missing = |why: String| KnobError::NotHere { setting: setting.to_string(), why };
        let plain = |text: String| State { shown: text.clone(), exact: text, linked: BTreeMap::new() };
        match setting.knob.entry().way {
            KnobMethod::Mtu => Ok(plain(link(setting)?.mtu.to_string())),
            KnobMethod::QueueLength => Ok(plain(link(setting)?.queue_length.to_string())),
            KnobMethod::Qdisc => qdiscs(link(setting)?.index).map(plain).map_err(|e| missing(e.reason())),
            KnobMethod::Sysctl => fs::read_to_string(sysctl(&setting.knob))
                .map(|text| plain(words(&text)))
                .map_err(|e| missing(absent(&e))),
            KnobMethod::Offload(group) => features::read(setting, group),
            KnobMethod::Steering(file, queues) => {
                let (name, shown) = sysfs(setting)?;
                if !shown {
                    return Err(missing("/sys shows another network namespace than this one".into()));
                }
                let folder = Path::new("/sys/class/net").join(name).join("queues");
                files::each(&folder, queues, file, |text| mask(&text)).map_err(missing)
            }
            KnobMethod::Driver(table, field) => {
                let index = link(setting)?.index;
                let numbers = driver(table, index).map_err(|e| missing(said(&e)))?;
                let number =
                    numbers.get(field).ok_or_else(|| missing("the driver does not have it".into()))?;
                Ok(plain(number.to_string()))
            }
            KnobMethod::Governor => {
                files::each(Path::new(POLICIES), "policy", "scaling_governor", |text| Some(words(&text)))
                    .map_err(|_| missing("the kernel does not control the CPUs' frequency".into()))
            }
        }
    }

    fn set(&self, setting: &Setting, value: &str) -> Result<(), KnobError> {
        match setting.knob.entry().way {
            KnobMethod::Offload(_) => {
                let on = value == "on";
                let wanted =
                    switches(&self.read(setting)?.exact).into_keys().map(|name| (name, on)).collect();
                features::change(setting, value, &wanted)
            }
            KnobMethod::Steering(..) | KnobMethod::Governor => {
                let now = self.read(setting)?.exact;
                let all: BTreeMap<String, String> =
                    pairs(&now).map(|(k, _)| (k.into(), value.into())).collect();
                files::write_each(setting, value, &all)
            }
            _ => self.write(setting, value),
        }
    }

    fn put_back(&self, setting: &Setting, exact: &str) -> Result<(), KnobError> {
        match setting.knob.entry().way {
            KnobMethod::Offload(_) => features::change(setting, exact, &switches(exact)),
            KnobMethod::Steering(..) | KnobMethod::Governor => {
                let all = pairs(exact).map(|(k, v)| (k.to_string(), v.to_string())).collect();
                files::write_each(setting, exact, &all)
            }
            _ => self.write(setting, exact),
        }
    }

    fn namespaced(&self, setting: &Setting) -> bool {
        setting.knob.entry().reach != ChangeScope::Host
    }

    fn survives_boot(&self, _: &Setting) -> bool {
        false
    }
}

impl Kernel {
    fn write(&self, setting: &Setting, value: &str) -> Result<(), KnobError> {
        let refused = |why: String| refused(setting, value, why);
        match setting.knob.entry().way {
            KnobMethod::Mtu | KnobMethod::QueueLength => {
                let link = link(setting)?;
                let field = if setting.knob.entry().way == KnobMethod::Mtu { MTU } else { QUEUE_LENGTH };
                let mut netlink = Netlink::open(netlink::ROUTE).map_err(|e| refused(e.reason()))?;
                message::set_link(&mut netlink, link.index, field, number(setting, value)?).map_err(|e| {
                    let most = link.largest_mtu.filter(|_| field == MTU);
                    let most = most.map(|most| format!("; the driver takes at most {most}"));
                    refused(said(&e) + &most.unwrap_or_default())
                })
            }
            KnobMethod::Sysctl => fs::write(sysctl(&setting.knob), value).map_err(|e| refused(unwritten(&e))),
            KnobMethod::Driver(table, field) => {
                let index = link(setting)?.index;
                let value = number(setting, value)?;
                let set =
                    |mut ethtool: Ethtool| message::set_driver(&mut ethtool, table, index, field, value);
                Ethtool::open().and_then(set).map_err(|e| refused(said(&e)))
            }
            KnobMethod::Qdisc | KnobMethod::Offload(_) | KnobMethod::Steering(..) | KnobMethod::Governor => {
                Err(KnobError::ReadOnly { knob: setting.knob.to_string() })
            }
        }
    }
}

const POLICIES: &str = "/sys/devices/system/cpu/cpufreq";

fn network(setting: &str) -> Result<Network, KnobError> {
    Network::open().map_err(|e| KnobError::NotHere { setting: setting.to_string(), why: e.reason() })
}

fn link(setting: &Setting) -> Result<Link, KnobError> {
    let gone = |why: &str| KnobError::Gone { setting: setting.to_string(), why: why.to_string() };
    let device = setting.device.as_ref().ok_or_else(|| gone("it names no interface"))?;
    let network = network(&setting.to_string())?;
    let found = network.links().iter().find(|l| l.index == device.index).cloned();
    found.ok_or_else(|| gone("the interface is no longer there"))
}

fn sysfs(setting: &Setting) -> Result<(String, bool), KnobError> {
    let name = link(setting)?.name;
    Ok((name, steering::shows(network(&setting.to_string())?.links())))
}

fn sysctl(knob: &Knob) -> PathBuf {
    let name = knob.name().strip_prefix("sysctl ").unwrap_or_default();
    Path::new("/proc/sys").join(name.replace('.', "/"))
}

fn qdiscs(index: u32) -> Result<String, HostError> {
    let mut netlink = Netlink::open(netlink::ROUTE)?;
    let all = qdisc::qdiscs(&mut netlink)?;
    let one = |q: &qdisc::OnLink| format!("{} {}", q.qdisc.kind, q.qdisc.parent);
    Ok(all.iter().filter(|q| q.index == index).map(one).collect::<Vec<_>>().join(", "))
}

fn driver(table: DriverTable, index: u32) -> Result<BTreeMap<String, u64>, HostError> {
    let mut ethtool = Ethtool::open()?;
    match table {
        DriverTable::Rings => ethtool.rings(index),
        DriverTable::Channels => ethtool.channels(index),
        DriverTable::Coalescing => ethtool.coalescing(index),
    }
}

/// Parses `name=value` pairs separated by spaces.
fn pairs(exact: &str) -> impl Iterator<Item = (&str, &str)> {
    exact.split(' ').filter_map(|pair| pair.split_once('='))
}

fn switches(exact: &str) -> BTreeMap<String, bool> {
    pairs(exact).map(|(name, word)| (name.to_string(), word == "on")).collect()
}

fn number(setting: &Setting, value: &str) -> Result<u32, KnobError> {
    value.parse().map_err(|_| refused(setting, value, "it is no number of 32 bits".into()))
}

fn refused(setting: &Setting, value: &str, why: String) -> KnobError {
    KnobError::Refused { setting: setting.to_string(), value: value.to_string(), why }
}

/// Explains a driver's or kernel's error.
fn said(error: &HostError) -> String {
    match error {
        HostError::Call { source, .. } if source.raw_os_error() == Some(95) => {
            "the driver does not have it".into()
        }
        HostError::Call { source, .. } if source.raw_os_error() == Some(22) => {
            format!("the kernel does not take it ({source})")
        }
        HostError::Call { source, .. } if source.raw_os_error() == Some(1) => {
            format!("this process may not ({source}); it needs CAP_NET_ADMIN, as root has it")
        }
        other => other.reason(),
    }
}

fn absent(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => {
            "this kernel has no such setting, or not in this network namespace".into()
        }
        _ => format!("it cannot be read: {error}"),
    }
}

fn unwritten(error: &std::io::Error) -> String {
    match error.raw_os_error() {
        Some(1 | 13 | 30) => format!(
            "this process may not ({error}); it needs to be root, and in a lab the whole machine's settings are not to be changed"
        ),
        Some(22) => format!("the kernel does not take it ({error})"),
        Some(2) => format!("the kernel knows no such word here ({error})"),
        _ => error.to_string(),
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use crate::knob::restorer::{KnobRestorer, MemoryLog};
    use nix::sched::{CloneFlags, unshare};

    fn knob(typed: &str) -> Knob {
        typed.parse().expect("a knob of the list")
    }

    #[test]
    fn pairs_are_read_as_they_are_written() {
        let found = switches("a=on b=off");
        assert_eq!(found, BTreeMap::from([("a".into(), true), ("b".into(), false)]));
        assert!(switches("").is_empty());
    }

    #[test]
    fn a_setting_is_written_by_its_names() {
        let device = Device { index: 3, name: "eth0".into(), software: true };
        let setting = Setting { knob: knob("offload gro"), device: Some(device) };
        let text = serde_json::to_string(&setting).unwrap();
        assert_eq!(text, r#"{"knob":"offload gro","device":{"index":3,"name":"eth0","software":true}}"#);
        assert_eq!(serde_json::from_str::<Setting>(&text).unwrap(), setting);
        assert_eq!(setting.to_string(), "offload gro of eth0");
    }

    /// Runs a function in a new network namespace and thread; `None` without permission.
    fn in_a_namespace<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
        let inside = move || unshare(CloneFlags::CLONE_NEWNET).ok().map(|()| work());
        std::thread::spawn(inside).join().expect("the thread ends")
    }

    #[test]
    fn knobs_of_loopback_are_set_and_put_back() {
        let told = in_a_namespace(|| {
            let named = |typed: &str| Kernel.setting(knob(typed), Some("lo"), &[]).unwrap();
            let mut keeper = KnobRestorer::open(Kernel, Box::new(MemoryLog), &[], Kernel.here()).unwrap();
            let before = crate::inventory(&crate::Scope::All).stable_facts();
            let mtu = keeper.set("t", &named("mtu"), "9000").unwrap();
            assert_eq!((mtu.before.as_str(), mtu.obtained.as_str()), ("65536", "9000"));
            keeper.set("t", &named("txqueuelen"), "77").unwrap();
            let sack = Kernel.setting(knob("sysctl net.ipv4.tcp_sack"), None, &[]).unwrap();
            keeper.set("t", &sack, "0").unwrap();
            let tso = keeper.set("t", &named("offload tso"), "off");
            let between = crate::inventory(&crate::Scope::All).stable_facts();
            assert_ne!(before, between);
            let back = keeper.restore("t");
            assert!(back.iter().all(|b| b.trouble.is_none()), "{back:?}");
            assert_eq!(crate::inventory(&crate::Scope::All).stable_facts(), before);
            (back.len(), tso.is_ok())
        });
        if let Some((back, tso)) = told {
            assert_eq!(back, 3 + usize::from(tso));
        }
    }

    #[test]
    fn what_is_not_there_is_said() {
        assert!(Kernel.setting(knob("mtu"), Some("no-such-thing"), &[]).is_err());
        let said = Kernel.setting(knob("governor"), Some("lo"), &[]).unwrap_err().to_string();
        assert!(said.contains("belongs to no interface"), "{said}");
        let gone = Device { index: 999_999, name: "x".into(), software: true };
        let setting = Setting { knob: knob("mtu"), device: Some(gone) };
        assert!(matches!(Kernel.read(&setting), Err(KnobError::Gone { .. })));
        assert!(Kernel.admits(&setting, Control::Unknown).is_ok());
        assert!(!Kernel.here().boot.is_empty());
    }

    #[test]
    fn what_the_kernel_refuses_stays_as_it_was() {
        in_a_namespace(|| {
            let cc = Kernel.setting(knob("sysctl net.ipv4.tcp_congestion_control"), None, &[]).unwrap();
            let mut keeper = KnobRestorer::open(Kernel, Box::new(MemoryLog), &[], Kernel.here()).unwrap();
            let said = keeper.set("t", &cc, "nosuch").unwrap_err().to_string();
            assert!(said.contains("nosuch") && said.contains("no such word"), "{said}");
            assert_eq!(keeper.changed().count(), 0);
        });
    }
}
