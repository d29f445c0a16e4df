//! Knobs: host settings that the program reads, sets, verifies and restores. A knob has a name (`mtu`,
//! `offload gro`, `sysctl net.ipv4.tcp_sack`) and an entry in [`LIST`] with reach and risk; `docs/knobs.md` has
//! meaning, unit and source. [`KernelBackend`] accesses it by netlink, `/proc/sys` and `/sys`, in the calling thread's
//! network namespace. A [`KnobRestorer`] restores values from a write-ahead [`restore_journal`]. Never knobs: mitigations,
//! boot parameters, firmware, firewall rules.

mod error;
mod file;
mod interface;
mod kernel;
mod list;
mod message;
pub mod restore_journal;
mod restorer;
mod value;

#[cfg(test)]
mod crash_tests;

pub use error::KnobError;
pub use file::JournalFile;
pub use interface::{ControlConnectionPath, InterfaceId};
pub use kernel::{InterfaceKnob, KernelBackend};
pub use list::KNOB_SPECS;
pub use restorer::{
    AppliedSetting, HostIdentity, JournalStorage, KnobBackend, KnobRestorer, KnobState, NullJournal,
    RestoredSetting,
};

pub(crate) use crate::ethtool::EthtoolParameterGroup as DriverTable;
use goodput_words::{Message, message};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Knob(&'static KnobSpec);

#[derive(Debug)]
pub struct KnobSpec {
    /// As typed: `mtu`, `offload tso`.
    pub name: &'static str,
    pub reach: ChangeScope,
    pub risk: ChangeRisk,
    pub(crate) way: KnobMechanism,
    pub(crate) values: ValueFormat,
}

/// Scope of a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChangeScope {
    Namespace,
    Interface,
    Host,
}

/// Of a change on real adapters. On virtual interfaces (veth, bridge, …) all are low.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChangeRisk {
    /// Affects only new connections of this namespace, or nothing.
    Low,
    /// Affects all traffic of the adapter or machine; the link stays up.
    Medium,
    /// The driver may reset the link: not on the control connection's interface.
    Link,
    ReadOnly,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum KnobMechanism {
    Mtu,
    QueueLength,
    Qdisc,
    /// A file below `/proc/sys`.
    Sysctl,
    Offload(&'static [&'static str]),
    /// The file of each queue, and the queues' name prefix.
    Steering(&'static str, &'static str),
    /// A driver parameter, by its place in the inventory.
    Driver(DriverTable, &'static str),
    Governor,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ValueFormat {
    Number(u64, u64),
    Switch,
    Mask,
    Numbers(usize),
    Word,
    /// Read-only.
    None,
}

impl Knob {
    pub fn spec(&self) -> &'static KnobSpec {
        self.0
    }

    pub fn name(&self) -> &'static str {
        self.0.name
    }

    /// True where a change may take the link down.
    pub fn resets_link(&self) -> bool {
        self.0.risk == ChangeRisk::Link
    }

    /// Normalises a value as the kernel would write it. [`KnobError::Value`] suggests valid input.
    pub fn normalize_value(&self, typed: &str) -> Result<String, KnobError> {
        value::normalize_value(self, typed)
    }

    /// True when a policy rule covers this knob: `any`, its name, or its first words. [`Knob::is_namespace_local`]
    /// decides `namespace`.
    pub fn matches_policy_rule(&self, rule: &str) -> bool {
        let (mut rule, mut name) = (rule.split_whitespace(), self.0.name.split_whitespace());
        let Some(first) = rule.next() else { return false };
        first == "any" || (name.next() == Some(first) && rule.all(|word| name.next() == Some(word)))
    }

    /// True when a change has no effect outside this network namespace; `on` is the knob's interface.
    pub fn is_namespace_local(&self, on: Option<&InterfaceId>) -> bool {
        match self.0.reach {
            ChangeScope::Namespace => true,
            ChangeScope::Interface => on.is_some_and(|device| device.software),
            ChangeScope::Host => false,
        }
    }
}

/// True when these words are valid in a policy rule, including `any` and `namespace`.
pub fn is_valid_policy_rule(rule: &str) -> bool {
    let words: Vec<&str> = rule.split_whitespace().collect();
    matches!(words.as_slice(), ["any" | "namespace"])
        || (!words.is_empty()
            && words[0] != "any"
            && KNOB_SPECS.iter().any(|entry| Knob(entry).matches_policy_rule(rule)))
}

impl FromStr for Knob {
    type Err = KnobError;

    fn from_str(typed: &str) -> Result<Knob, KnobError> {
        let words = typed.split_whitespace().collect::<Vec<_>>().join(" ");
        let found = KNOB_SPECS.iter().find(|entry| entry.name == words);
        found.map(Knob).ok_or_else(|| KnobError::Unknown { typed: typed.to_string(), hint: hint(&words) })
    }
}

impl TryFrom<String> for Knob {
    type Error = KnobError;

    fn try_from(typed: String) -> Result<Knob, KnobError> {
        typed.parse()
    }
}

impl From<Knob> for String {
    fn from(knob: Knob) -> String {
        knob.name().to_string()
    }
}

/// Suggests names with the same beginning, else all first words.
fn hint(typed: &str) -> Message {
    let first = typed.split(' ').next().unwrap_or_default();
    let alike: Vec<&str> =
        KNOB_SPECS.iter().map(|e| e.name).filter(|name| name.split(' ').next() == Some(first)).collect();
    match alike.len() {
        0 => {
            let mut kinds: Vec<&str> = KNOB_SPECS.iter().filter_map(|e| e.name.split(' ').next()).collect();
            kinds.dedup();
            message!(part_knob_kinds { kinds })
        }
        1..=12 => alike.join(", ").into(),
        // Names that contain the last part typed.
        _ => {
            let piece = typed.rsplit(['.', ' ']).next().unwrap_or_default();
            let near: Vec<&str> = alike.iter().filter(|n| n.contains(piece)).take(6).copied().collect();
            let names = if near.is_empty() { alike[..6].to_vec() } else { near };
            message!(part_knob_example { names })
        }
    }
}

impl fmt::Display for Knob {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.name)
    }
}

impl PartialEq for Knob {
    fn eq(&self, other: &Knob) -> bool {
        self.0.name == other.0.name
    }
}

impl Eq for Knob {}

#[cfg(test)]
mod tests {
    use super::*;

    fn knob(typed: &str) -> Knob {
        typed.parse().unwrap()
    }

    #[test]
    fn names_are_read_as_they_are_typed() {
        assert_eq!(knob("mtu").name(), "mtu");
        assert_eq!(knob("  sysctl   net.ipv4.tcp_rmem ").to_string(), "sysctl net.ipv4.tcp_rmem");
        assert!(knob("ring rx").resets_link() && !knob("offload gro").resets_link());
        for bad in ["", "mtu eth0", "sysctl", "sysctl kernel.panic", "offload", "iptables", "sysctl net"] {
            let said = bad.parse::<Knob>().unwrap_err().to_string();
            assert!(said.contains("type "), "{said}");
        }
        let said = "offload tcp".parse::<Knob>().unwrap_err().to_string();
        assert!(said.contains("offload tso"), "{said}");
        let said = "sysctl net.ipv4.tcp_congestion".parse::<Knob>().unwrap_err().to_string();
        assert!(said.contains("sysctl net.ipv4.tcp_congestion_control"), "{said}");
        let said = "speed".parse::<Knob>().unwrap_err().to_string();
        assert!(said.contains("mtu") && said.contains("governor"), "{said}");
    }

    #[test]
    fn a_rule_names_knobs_by_their_first_words() {
        let tso = knob("offload tso");
        assert!(tso.matches_policy_rule("offload") && tso.matches_policy_rule("offload tso"));
        assert!(
            !knob("offload tso").matches_policy_rule("offload gso")
                && !knob("mtu").matches_policy_rule("offload")
        );
        assert!(
            !knob("offload tso").matches_policy_rule("offload tso please")
                && !knob("mtu").matches_policy_rule("")
        );
        assert!(knob("governor").matches_policy_rule("any"));
        for good in ["any", "namespace", "mtu", "sysctl", "sysctl net.ipv4.tcp_sack", "coalesce rx-usecs"] {
            assert!(is_valid_policy_rule(good), "{good}");
        }
        for bad in ["", " ", "anything", "any mtu", "sysctl net.ipv4", "mtu 9000"] {
            assert!(!is_valid_policy_rule(bad), "{bad}");
        }
    }

    #[test]
    fn what_stays_inside_a_namespace() {
        let veth = InterfaceId { index: 2, name: "v".into(), software: true };
        let card = InterfaceId { software: false, ..veth.clone() };
        assert!(knob("mtu").is_namespace_local(Some(&veth)) && !knob("mtu").is_namespace_local(Some(&card)));
        assert!(!knob("mtu").is_namespace_local(None));
        assert!(knob("sysctl net.ipv4.tcp_sack").is_namespace_local(None));
        assert!(!knob("sysctl net.core.rmem_max").is_namespace_local(None));
        assert!(!knob("governor").is_namespace_local(None));
    }

    #[test]
    fn the_page_says_what_the_list_says() {
        let page = include_str!("../../../docs/knobs.md");
        let rows = page.lines().filter(|l| l.starts_with("| `") || l.starts_with("### "));
        let rows: Vec<&str> = rows.map(|l| l.split(" | ").next().unwrap()).collect();
        assert_eq!(rows, list::rows(), "write the rows of knob::list::rows() into docs/knobs.md");
    }
}
