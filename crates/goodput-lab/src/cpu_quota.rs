//! A host's share of the CPU: a quota for all its processes together. Kernel work for packets counts where it
//! runs in one of the host's processes: sending, and receiving caused by its own system calls. Work on behalf
//! of the other host counts there.

use crate::cgroup::{self, CgroupOwner};
use crate::lab_name::LabOrHostName;
use crate::start_failure::LabStartFailure;
use crate::topology::CpuShare;
use goodput_words::message;
use serde::{Deserialize, Serialize};
use std::fs;
use std::io;
use std::path::PathBuf;

/// Short, because a throttled host stops until the next period.
const PERIOD_US: u64 = 10_000;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CpuQuotaState {
    /// CPU time in each period.
    pub quota_us: u64,
    pub period_us: u64,
    pub group: PathBuf,
}

impl CpuShare {
    /// The groups that the host's processes must join; a separate accounting group shows the CPU time used.
    pub(crate) fn apply_to_host(
        self,
        owner: &CgroupOwner,
        host: &LabOrHostName,
    ) -> Result<(CpuQuotaState, Vec<PathBuf>), LabStartFailure> {
        let refused = message!(part_lab_no_cpu_share { host });
        let failed =
            |e: io::Error| LabStartFailure::wrap_error(message!(error_lab_cannot_share_cpu { host }))(e);
        let hierarchy = cgroup::find_hierarchy("cpu").map_err(failed)?;
        let hierarchy = hierarchy.ok_or_else(|| cgroup::missing_controller_failure(&refused, "cpu"))?;
        let group = owner.create_cgroup(&hierarchy, host.as_str()).map_err(failed)?;
        let asked = u64::from(self.0) * PERIOD_US / 100;
        let file = |name: &str| group.join(name);
        fs::write(file("cpu.cfs_period_us"), PERIOD_US.to_string()).map_err(failed)?;
        fs::write(file("cpu.cfs_quota_us"), asked.to_string()).map_err(failed)?;
        let obtained = fs::read_to_string(file("cpu.cfs_quota_us")).map_err(failed)?;
        if obtained.trim() != asked.to_string() {
            let (obtained, asked) = (obtained.trim(), asked.to_string());
            return Err(LabStartFailure::new(message!(error_lab_cpu_quota { host, obtained, asked })));
        }
        let mut groups = vec![group.clone()];
        if let Some(accounts) = cgroup::find_hierarchy("cpuacct").map_err(failed)?
            && accounts != hierarchy
        {
            groups.push(owner.create_cgroup(&accounts, host.as_str()).map_err(failed)?);
        }
        Ok((CpuQuotaState { quota_us: asked, period_us: PERIOD_US, group }, groups))
    }
}
