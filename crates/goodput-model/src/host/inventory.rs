//! Inventory of a host: hardware, drivers and settings that a result may depend on. An unreadable fact has
//! its reason ([`Fact::NotAvailable`]); nothing is guessed.

mod interface;

pub use interface::{Driver, Interface, Interrupt, LinkMode, PauseFrameSettings, PciLink, Qdisc};

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Version of this record; hashes are comparable only between equal versions.
pub const INVENTORY_FORMAT: u32 = 1;

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

    pub fn unavailable_reason(&self) -> Option<&str> {
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

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Inventory {
    pub format: u32,
    /// SHA-256 of [`Inventory::without_volatile_facts`] as compact JSON in the order of these fields.
    pub hash: String,
    pub machine: MachineFacts,
    pub processor: ProcessorFacts,
    /// Kernel settings, as this network namespace sees them.
    pub sysctls: BTreeMap<String, Fact<String>>,
    /// Interfaces that the trial's traffic takes, in order; not available without a trial.
    pub path: Fact<Vec<String>>,
    /// Interfaces on the path with those below them, or all of this network namespace.
    pub interfaces: Fact<BTreeMap<String, Interface>>,
    pub moment: VolatileFacts,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct VolatileFacts {
    pub hostname: String,
    pub boot_id: Fact<String>,
    /// Two agents with the same one count the same interfaces.
    pub network_namespace: Fact<String>,
    /// Time that reading the inventory took.
    pub cost_ns: u64,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct MachineFacts {
    pub kernel: Fact<String>,
    pub kernel_build: Fact<String>,
    /// As the program was built for.
    pub architecture: String,
    pub product: Fact<String>,
    pub firmware: Fact<String>,
    /// `none` when the CPU reports none.
    pub hypervisor: Fact<String>,
    pub clock_source: Fact<String>,
    pub memory_bytes: Fact<u64>,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ProcessorFacts {
    pub model: Fact<String>,
    pub microcode: Fact<String>,
    pub online: Fact<String>,
    pub packages: Fact<u32>,
    pub cores: Fact<u32>,
    /// `on`, `off`, `forceoff`, `notsupported`.
    pub smt: Fact<String>,
    pub governor: Fact<String>,
    pub frequency_driver: Fact<String>,
    /// Turbo frequencies.
    pub boost: Fact<String>,
    pub idle: Fact<String>,
    pub isolated: Fact<String>,
    pub vulnerabilities: Fact<BTreeMap<String, String>>,
}

impl Inventory {
    /// The record without what changes by itself (host and boot names, numbers assigned at start, current
    /// interrupt CPUs), the path and the hash.
    pub fn without_volatile_facts(&self) -> Inventory {
        let mut stable = self.clone();
        stable.hash = String::new();
        stable.moment = VolatileFacts::default();
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

    /// Every fact of the stable record as name and value: `interfaces.eth0.mtu`, `1500`.
    pub fn flatten_stable_facts(&self) -> BTreeMap<String, String> {
        let mut facts = BTreeMap::new();
        // Plain data with string keys: serialization cannot fail.
        let value = serde_json::to_value(self.without_volatile_facts()).unwrap_or_default();
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
        let (name, allowed, effective) = ("virtio2-input.0".into(), "0-1".into(), "1".into());
        let interrupt = Interrupt { number: 41, name, allowed, effective };
        let interrupts = Fact::Value(vec![interrupt]);
        let (kind, index, mtu) = ("device".into(), 2, 1500);
        let eth0 = Interface { kind, index, mtu, interrupts, ..Interface::default() };
        let memory = ("net.ipv4.tcp_rmem".into(), Fact::Value("4096 131072 6291456".into()));
        Inventory {
            format: INVENTORY_FORMAT,
            sysctls: BTreeMap::from([memory]),
            interfaces: Fact::Value(BTreeMap::from([("eth0".into(), eth0)])),
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
        assert_eq!(one.without_volatile_facts(), other.without_volatile_facts());
        assert_eq!(one.flatten_stable_facts(), other.flatten_stable_facts());
        let Fact::Value(interfaces) = &mut other.interfaces else { panic!() };
        interfaces.get_mut("eth0").unwrap().mtu = 9000;
        assert_ne!(one.without_volatile_facts(), other.without_volatile_facts());
    }

    #[test]
    fn every_fact_has_a_name_and_a_value_and_a_record_reads_back() {
        let facts = sample().flatten_stable_facts();
        assert_eq!(facts["interfaces.eth0.mtu"], "1500");
        assert_eq!(facts["interfaces.eth0.interrupts.0.allowed"], "0-1");
        assert_eq!(facts["sysctls.net.ipv4.tcp_rmem"], "4096 131072 6291456");
        assert_eq!(facts["machine.kernel"], "not available: not asked");
        assert!(!facts.keys().any(|k| k.starts_with("moment") || k == "hash" || k == "path"));
        let text = serde_json::to_string(&sample()).unwrap();
        assert!(text.contains(r#""net.ipv4.tcp_rmem":{"value":"4096 131072 6291456"}"#));
        assert_eq!(serde_json::from_str::<Inventory>(&text).unwrap(), sample());
    }
}
