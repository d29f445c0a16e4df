//! What a machine is: the record by which a result can be blamed on a card, a driver or a setting.
//!
//! Plain data; it is read by `goodput-host`. A thing that could not be read says so with the reason
//! ([`Fact::NotAvailable`]); nothing here is guessed.

mod interface;

pub use interface::{Driver, Interface, Interrupt, LinkMode, Pause, PciLink, Qdisc};

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Version of the record's form; a hash is compared only between equal ones.
pub const INVENTORY_FORMAT: u32 = 1;

/// Something read, or why it could not be.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fact<T> {
    Value(T),
    NotAvailable(String),
}

impl<T> Fact<T> {
    pub fn value(&self) -> Option<&T> {
        match self {
            Fact::Value(value) => Some(value),
            Fact::NotAvailable(_) => None,
        }
    }

    /// Why nothing was read.
    pub fn reason(&self) -> Option<&str> {
        match self {
            Fact::Value(_) => None,
            Fact::NotAvailable(reason) => Some(reason),
        }
    }
}

impl<T> Default for Fact<T> {
    fn default() -> Self {
        Fact::NotAvailable("not asked".to_string())
    }
}

impl<T, E: std::fmt::Display> From<Result<T, E>> for Fact<T> {
    fn from(result: Result<T, E>) -> Self {
        match result {
            Ok(value) => Fact::Value(value),
            Err(why) => Fact::NotAvailable(why.to_string()),
        }
    }
}

/// Everything known of one host at one time.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Inventory {
    /// [`INVENTORY_FORMAT`] of the program that wrote it.
    pub format: u32,
    /// SHA-256 in hexadecimal over the record without what changes by itself ([`Inventory::stable`]), as
    /// compact JSON in the order of these fields.
    pub hash: String,
    /// Kernel, firmware, hypervisor, clock.
    pub machine: Machine,
    pub processor: Processor,
    /// Kernel settings by their names, as this network namespace sees them.
    pub sysctls: BTreeMap<String, Fact<String>>,
    /// Names of the interfaces that the trial's traffic takes, in order; not available when no trial was asked for.
    pub path: Fact<Vec<String>>,
    /// Network interfaces by name: those on the path with those below them, or all of this network namespace.
    pub interfaces: Fact<BTreeMap<String, Interface>>,
    /// What is true of this reading only; outside the hash.
    pub moment: Moment,
}

/// The part of an inventory that names the host or changes without anybody changing the host.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Moment {
    /// The host's own name.
    pub hostname: String,
    pub boot_id: Fact<String>,
    /// Network namespace, as the kernel names it: two agents with the same one count the same interfaces.
    pub network_namespace: Fact<String>,
    /// Time that reading the inventory took, in ns.
    pub cost_ns: u64,
}

/// The machine apart from its CPUs and interfaces.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Machine {
    pub kernel: Fact<String>,
    pub kernel_build: Fact<String>,
    /// Instruction set, as the program was built for.
    pub architecture: String,
    /// Maker and name of the machine (DMI, or the device tree's model).
    pub product: Fact<String>,
    /// Version and date of its firmware (DMI).
    pub firmware: Fact<String>,
    /// Name of the hypervisor; `none` when the CPU says that there is none.
    pub hypervisor: Fact<String>,
    pub clock_source: Fact<String>,
    pub memory_bytes: Fact<u64>,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Processor {
    pub model: Fact<String>,
    pub microcode: Fact<String>,
    /// Logical CPUs online, as a list like `0-3`.
    pub online: Fact<String>,
    /// Packages (sockets).
    pub packages: Fact<u32>,
    pub cores: Fact<u32>,
    /// Simultaneous multithreading: `on`, `off`, `forceoff`, `notsupported`.
    pub smt: Fact<String>,
    /// Frequency governor; with the CPUs of each where they differ.
    pub governor: Fact<String>,
    pub frequency_driver: Fact<String>,
    /// Whether the CPU may go above its nominal frequency.
    pub boost: Fact<String>,
    pub idle: Fact<String>,
    /// CPUs kept free of other work, as a list.
    pub isolated: Fact<String>,
    /// What the kernel does about each known weakness of the CPU.
    pub vulnerabilities: Fact<BTreeMap<String, String>>,
}

impl Inventory {
    /// The record without what changes by itself: names of the host, boot, numbers given out at start, where an
    /// interrupt is just now, which path was asked for, and the hash.
    pub fn stable(&self) -> Inventory {
        let mut stable = self.clone();
        stable.hash = String::new();
        stable.moment = Moment::default();
        stable.path = Fact::default();
        if let Fact::Value(interfaces) = &mut stable.interfaces {
            for interface in interfaces.values_mut() {
                interface.index = 0;
                if let Fact::Value(interrupts) = &mut interface.interrupts {
                    for interrupt in interrupts {
                        interrupt.number = 0;
                        interrupt.effective = String::new();
                    }
                }
            }
        }
        stable
    }

    /// Every fact of the stable record as a name and its value in words: `interfaces.eth0.mtu`, `1500`.
    pub fn facts(&self) -> BTreeMap<String, String> {
        let mut facts = BTreeMap::new();
        // Plain data with string keys: there is no way for this to fail.
        let value = serde_json::to_value(self.stable()).unwrap_or_default();
        flatten("", &value, &mut facts);
        facts.remove("hash");
        facts.retain(|name, _| !name.starts_with("moment") && name != "path");
        facts
    }
}

/// Leaves of a JSON value by their path. Lists of plain values are one leaf.
fn flatten(path: &str, value: &serde_json::Value, facts: &mut BTreeMap<String, String>) {
    use serde_json::Value;
    let below = |key: &str| if path.is_empty() { key.to_string() } else { format!("{path}.{key}") };
    match value {
        Value::Object(map) if map.len() == 1 && map.contains_key("value") => {
            flatten(path, &map["value"], facts);
        }
        Value::Object(map) if map.len() == 1 && map.contains_key("not_available") => {
            facts.insert(path.to_string(), format!("not available: {}", words(&map["not_available"])));
        }
        Value::Object(map) => map.iter().for_each(|(key, value)| flatten(&below(key), value, facts)),
        Value::Array(list) if list.iter().any(|v| v.is_object() || v.is_array()) => {
            list.iter().enumerate().for_each(|(i, value)| flatten(&below(&i.to_string()), value, facts));
        }
        Value::Array(list) => {
            facts.insert(path.to_string(), list.iter().map(words).collect::<Vec<_>>().join(", "));
        }
        leaf => {
            facts.insert(path.to_string(), words(leaf));
        }
    }
}

fn words(value: &serde_json::Value) -> String {
    match value {
        serde_json::Value::String(text) => text.clone(),
        serde_json::Value::Null => "none".to_string(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Inventory {
        let interrupt = Interrupt {
            number: 41,
            name: "virtio2-input.0".into(),
            allowed: "0-1".into(),
            effective: "1".into(),
        };
        let eth0 = Interface {
            kind: "device".into(),
            index: 2,
            mtu: 1500,
            interrupts: Fact::Value(vec![interrupt]),
            ..Interface::default()
        };
        Inventory {
            format: INVENTORY_FORMAT,
            hash: "00".into(),
            sysctls: BTreeMap::from([(
                "net.ipv4.tcp_rmem".into(),
                Fact::Value("4096 131072 6291456".into()),
            )]),
            interfaces: Fact::Value(BTreeMap::from([("eth0".into(), eth0)])),
            moment: Moment { hostname: "h".into(), cost_ns: 1, ..Moment::default() },
            ..Inventory::default()
        }
    }

    #[test]
    fn what_changes_by_itself_is_not_in_the_stable_record() {
        let one = sample();
        let mut other = one.clone();
        other.hash = "11".into();
        other.moment.hostname = "elsewhere".into();
        other.path = Fact::Value(vec!["eth0".into()]);
        let Fact::Value(interfaces) = &mut other.interfaces else { panic!() };
        let eth0 = interfaces.get_mut("eth0").unwrap();
        eth0.index = 9;
        let Fact::Value(interrupts) = &mut eth0.interrupts else { panic!() };
        (interrupts[0].number, interrupts[0].effective) = (77, "0".into());
        assert_eq!(one.stable(), other.stable());
        assert_eq!(one.facts(), other.facts());
        let Fact::Value(interfaces) = &mut other.interfaces else { panic!() };
        interfaces.get_mut("eth0").unwrap().mtu = 9000;
        assert_ne!(one.stable(), other.stable());
    }

    #[test]
    fn every_fact_has_a_name_and_a_value() {
        let facts = sample().facts();
        assert_eq!(facts["interfaces.eth0.mtu"], "1500");
        assert_eq!(facts["interfaces.eth0.interrupts.0.allowed"], "0-1");
        assert_eq!(facts["sysctls.net.ipv4.tcp_rmem"], "4096 131072 6291456");
        assert_eq!(facts["machine.kernel"], "not available: not asked");
        assert!(!facts.keys().any(|k| k.starts_with("moment") || k == "hash" || k == "path"));
    }

    #[test]
    fn a_record_reads_back() {
        let text = serde_json::to_string(&sample()).unwrap();
        assert!(text.contains(r#""net.ipv4.tcp_rmem":{"value":"4096 131072 6291456"}"#));
        assert_eq!(serde_json::from_str::<Inventory>(&text).unwrap(), sample());
    }
}
