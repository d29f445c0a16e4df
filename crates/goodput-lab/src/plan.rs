//! The messages between `lab up` and the keeper, and the commands of the hosts.

use crate::name::Name;
use crate::state::LabState;
use crate::topology::Topology;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::net::IpAddr;
use std::path::PathBuf;
use std::time::Duration;

/// How long `lab up` waits for the keeper, also on a busy machine: hosts that are given something are measured first.
pub(crate) fn ready_within(topology: &Topology) -> Duration {
    let disks = topology.hosts.iter().filter(|h| h.disk.is_some()).count();
    let costs = topology.hosts.iter().filter(|h| h.packet_cost.is_some()).count();
    Duration::from_secs(30) + Duration::from_secs(6) * disks as u32 + Duration::from_secs(1) * costs as u32
}

/// How long the keeper waits for the hosts' commands to listen; shorter, so that it can still say which did not.
pub(crate) const LISTEN_WITHIN: Duration = Duration::from_secs(25);

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Invocation {
    pub program: PathBuf,
    pub args: Vec<String>,
}

/// What is known of a host when its command is made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostPlace {
    pub lab: Name,
    pub host: Name,
    /// All its addresses, IPv4 on its first link first.
    pub addresses: Vec<IpAddr>,
    pub key_file: PathBuf,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HostCommand {
    pub program: PathBuf,
    pub args: Vec<String>,
    /// Variables beside those that `lab up` was started with.
    pub env: BTreeMap<String, String>,
    /// Ports on which it listens, by what they are for; recorded for other commands.
    pub ports: BTreeMap<String, u16>,
    /// TCP ports that must be listened on before the lab counts as up.
    pub wait_for: Vec<u16>,
}

/// The keeper's orders.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Plan {
    pub name: Name,
    pub topology: Topology,
    pub commands: Vec<(HostCommand, PathBuf)>,
    /// False where the kernel has no IPv6.
    pub ipv6: bool,
    pub user_namespace: bool,
    pub boot_id: String,
    pub pid_namespace: u64,
    pub state_file: PathBuf,
    pub key_file: PathBuf,
    pub log_file: PathBuf,
}

impl Plan {
    pub(crate) fn relay_file(&self, link: usize) -> PathBuf {
        self.state_file.with_file_name(format!("{}.link{link}.relay", self.name))
    }
}

#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Answer {
    Ready(Box<LabState>),
    Refused(Refusal),
}

/// Why the keeper could not raise the lab, after its way through a pipe.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[error("{what}")]
pub struct Refusal {
    /// Which kind of reason, for exit codes.
    pub kind: RefusalKind,
    pub what: String,
    pub cause: Option<String>,
    pub hint: Option<String>,
}

/// Kinds of [`Refusal`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum RefusalKind {
    /// This user or this kernel may not make namespaces.
    NotPermitted,
    /// `ip`, `tc`, `nft` or `mkfs.ext4` is not installed.
    ToolMissing,
    /// The network could not be built, or the kernel gave something else than was asked.
    Network,
    /// A host could not be given its share of the CPU, its disk, its bus or its cost of a packet.
    Limits,
    /// A host's command did not start, ended at once, or did not listen in time.
    HostCommand,
}
