//! API types of hosts.

use crate::translate::{Localize, localize_all};
use goodput_model::agent::DiscoveredAgent;
use goodput_report::display_text::DisplayText;
use goodput_words::Translator;
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The agents that are there.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct HostList {
    /// By name; those who have not said one last.
    pub hosts: Vec<HostDocument>,
    /// Why nobody can be watched; `null` while they can.
    pub trouble: Option<HostErrorDocument>,
}

/// An agent and its host.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "Host")]
pub struct HostDocument {
    /// The agent's random name since its start.
    pub id: String,
    /// The name it goes by; `null` when it could not be asked.
    pub name: Option<String>,
    /// Where it waits for orders, or through which router it is reached.
    pub address: String,
    /// The program's version.
    pub version: Option<String>,
    /// The protocol it speaks.
    pub protocol: Option<u16>,
    /// Labels given to it.
    pub labels: BTreeMap<String, String>,
    /// Groups it belongs to.
    pub groups: Vec<String>,
    /// What its host is; `null` when it could not be asked.
    pub facts: Option<HostFactsDocument>,
    /// Where it takes data connections.
    pub data_addresses: Vec<String>,
    /// What it is doing; `null` when it could not be asked.
    pub state: Option<HostState>,
    /// Why no order can be given to it from here; `null` when one can.
    pub trouble: Option<HostErrorDocument>,
}

/// What an agent is doing.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum HostState {
    /// Waits for orders.
    Idle,
    /// Has given itself to a coordinator.
    Busy {
        /// Who, in the coordinator's words.
        holder: String,
        /// Since when, RFC 3339, by this server's clock.
        #[schemars(with = "Option<String>")]
        since: Option<Timestamp>,
        /// Until when the present trial should be over by its settings; `null` where they do not say.
        #[schemars(with = "Option<String>")]
        until: Option<Timestamp>,
        /// Others who wait for their turn.
        waiting: u32,
    },
}

/// The head of what a host is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "HostFacts")]
pub struct HostFactsDocument {
    /// The host's own name.
    pub hostname: String,
    /// Kernel name and release.
    pub kernel: String,
    /// CPU model.
    pub cpu_model: String,
    /// Logical CPUs online.
    pub cpus: u32,
    /// Equal for two hosts that share one kernel.
    pub boot_id: String,
    /// The one CPU on which the host runs, in a lab that pins them.
    pub pinned_cpu: Option<u32>,
}

/// Why something cannot be done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "Trouble")]
pub struct HostErrorDocument {
    /// What cannot be done.
    pub error: DisplayText,
    /// Why, if more is known.
    pub cause: Option<DisplayText>,
    /// What to type or to look at.
    pub hint: Option<DisplayText>,
}

/// Which two hosts are held against each other.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HostPairQuery {
    /// Two names with a comma between them.
    #[schemars(length(min = 3, max = 600))]
    pub names: String,
}

/// Whose records are wanted.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HostRecordQuery {
    /// Hosts by name; 64 at most.
    #[serde(default)]
    #[schemars(length(max = 64))]
    pub name: Vec<String>,
}

/// Whether an agent answers for a host.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct HostPresence {
    /// The host, as it was measured or as its agent is called.
    pub host: String,
    /// How it stands with its agent.
    pub agent: AgentPresence,
    /// When it was heard of last, or was seen to go: RFC 3339, by this server's clock; `null` where neither is known.
    #[schemars(with = "Option<String>")]
    pub at: Option<Timestamp>,
}

/// How it stands with the agent of a host.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum AgentPresence {
    /// It is there and takes orders; or it is the server's own machine, which needs none.
    Answers,
    /// It is there, and no order can be given to it from here.
    Refuses,
    /// None is there.
    Absent,
    /// It cannot be told: nobody can be watched, or it is a host of a lab, which has no agent.
    Unknown,
}

/// What hosts were when they measured last.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct HostRecords {
    /// By name; hosts of which no run has a record are left out.
    pub records: Vec<RecordedHost>,
}

/// What a host was when it measured last. What could not be read is `null`.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct RecordedHost {
    /// Where that was recorded.
    pub record: HostRecord,
    /// Physical memory.
    pub memory_bytes: Option<u64>,
    /// The kernel's congestion control for connections that ask for none.
    pub congestion_control: Option<String>,
    /// Adapters that the traffic took, with those below them.
    pub adapters: Vec<HostAdapter>,
}

/// A network adapter as it was recorded. What could not be read is `null`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct HostAdapter {
    /// Its name: `eth0`.
    pub name: String,
    /// `device` for one with hardware or a virtual bus behind it, else the kernel's kind: `veth`, `bridge`, …
    pub kind: String,
    /// Its driver.
    pub driver: Option<String>,
    /// The link's speed.
    pub speed_bps: Option<u64>,
    /// `full` or `half`.
    pub duplex: Option<String>,
    /// IP MTU in bytes.
    pub mtu: u32,
    /// Offloads that are on, by the kernel's names.
    pub offloads: Option<Vec<String>>,
}

/// What is not the same on two hosts, by the last records of them.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct HostDifferences {
    /// The first host's record.
    pub first: HostRecord,
    /// The second's.
    pub second: HostRecord,
    /// What is not the same, by name.
    pub differences: Vec<FactDifference>,
}

/// Where a host's facts were recorded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct HostRecord {
    /// The host.
    pub name: String,
    /// The run that recorded them.
    pub run: String,
    /// When that began, RFC 3339.
    pub started: String,
    /// Hash of the facts.
    pub hash: String,
}

/// One fact that is not the same.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct FactDifference {
    /// Its name, `interfaces.eth0.mtu`.
    pub name: String,
    /// On the first host; `null` where that has no such fact.
    pub first: Option<String>,
    /// On the second.
    pub second: Option<String>,
}

impl Localize for HostList {
    fn localize(&mut self, words: &Translator) {
        let each = self.hosts.iter_mut().filter_map(|host| host.trouble.as_mut());
        each.chain(&mut self.trouble).for_each(|trouble| trouble.localize(words));
    }
}

impl Localize for HostErrorDocument {
    fn localize(&mut self, words: &Translator) {
        localize_all(words, [&mut self.error].into_iter().chain(&mut self.cause).chain(&mut self.hint));
    }
}

impl Localize for HostDifferences {}
impl Localize for HostRecords {}

impl HostDocument {
    pub fn from_agent(agent: &DiscoveredAgent, state: Option<HostState>) -> HostDocument {
        let facts = agent.facts.as_ref().map(|f| HostFactsDocument {
            hostname: f.hostname.clone(),
            kernel: f.kernel.clone(),
            cpu_model: f.cpu_model.clone(),
            cpus: f.cpus,
            boot_id: f.boot_id.clone(),
            pinned_cpu: f.pinned_cpu,
        });
        let trouble = agent.trouble.as_ref().map(|t| HostErrorDocument {
            error: (&t.error).into(),
            cause: t.cause.as_ref().map(DisplayText::from),
            hint: t.hint.as_ref().map(DisplayText::from),
        });
        HostDocument {
            id: agent.id.clone(),
            name: agent.name.clone(),
            address: agent.address.clone(),
            version: agent.version.clone(),
            protocol: agent.protocol,
            labels: agent.labels.clone(),
            groups: agent.groups.clone(),
            facts,
            data_addresses: agent.data_addresses.iter().map(ToString::to_string).collect(),
            state,
            trouble,
        }
    }
}
