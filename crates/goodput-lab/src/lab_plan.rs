//! Messages between `lab up` and the keeper, and the hosts' commands.

use crate::lab_name::LabOrHostName;
use crate::lab_state::LabState;
use crate::runtime_folder::RuntimeFolder;
use crate::start_failure::LabStartFailure;
use crate::topology::Topology;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

/// Generous for a busy machine; hosts with limits are measured first.
pub(crate) fn lab_start_timeout(topology: &Topology) -> Duration {
    let disks = topology.hosts.iter().filter(|h| h.disk.is_some()).count();
    let costs = topology.hosts.iter().filter(|h| h.packet_cost.is_some()).count();
    Duration::from_secs(30) + Duration::from_secs(6) * disks as u32 + Duration::from_secs(1) * costs as u32
}

/// Shorter than [`lab_start_timeout`], so that the keeper can still report which host failed.
pub(crate) const HOST_LISTEN_TIMEOUT: Duration = Duration::from_secs(25);

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProgramInvocation {
    pub program: PathBuf,
    pub args: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostEnvironment {
    pub lab: LabOrHostName,
    pub host: LabOrHostName,
    pub key_file: PathBuf,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HostCommand {
    pub program: PathBuf,
    pub args: Vec<String>,
    /// In addition to the environment of `lab up`.
    pub env: BTreeMap<String, String>,
    /// By purpose; recorded for other commands.
    pub ports: BTreeMap<String, u16>,
    /// TCP ports that must listen before the lab is up.
    pub wait_for: Vec<u16>,
}

#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct LabPlan {
    pub name: LabOrHostName,
    pub topology: Topology,
    pub commands: Vec<(HostCommand, PathBuf)>,
    pub ipv6: bool,
    pub user_namespace: bool,
    pub boot_id: String,
    pub pid_namespace: u64,
    pub runtime: RuntimeFolder,
}

impl LabPlan {
    pub(crate) fn relay_counters_file(&self, link: usize) -> PathBuf {
        self.runtime.labs_folder().join(format!("{}.link{link}.relay", self.name))
    }
}

#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum LabStartReply {
    Ready(Box<LabState>),
    Refused(LabStartFailure),
}
