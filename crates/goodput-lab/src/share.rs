//! A host's share of the CPU: a quota on the time of all its processes together.
//!
//! What the kernel does for a host's packets is in it where it happens while one of the host's processes runs: sending,
//! and receiving what a system call of its own set off. What it does on behalf of the other host is in that one's.

use crate::group::{self, Owner};
use crate::name::Name;
use serde::{Deserialize, Serialize};
use std::fs;
use std::io;
use std::path::PathBuf;
use std::str::FromStr;

/// Least share, in per cent of one CPU: below it a host answers in bursts and the programs' own deadlines come first.
pub const LEAST: u32 = 20;
/// Most, which is 64 CPUs.
pub const MOST: u32 = 6400;
/// The quota is given anew so often. Short, because a host that has used its quota stands still until the next period.
const PERIOD_US: u64 = 10_000;

/// A share in per cent of one CPU.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct CpuShare(pub u32);

/// Why a share was refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{typed:?} is no share of a CPU: it is {LEAST}% to {MOST}%, where 100% is one CPU")]
pub struct CpuShareError {
    /// What was typed.
    pub typed: String,
}

/// A share as it was obtained.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShareState {
    /// Time on a CPU in each period, in µs, as the kernel has it.
    pub quota_us: u64,
    /// The period, in µs.
    pub period_us: u64,
    /// The group of the host's processes.
    pub group: PathBuf,
}

/// Why a host has no share of its own.
#[derive(Debug, thiserror::Error)]
pub enum ShareError {
    /// The controller is not in a hierarchy of its own.
    #[error(
        "host {host} cannot be given a share of the CPU: this system has no cpu controller of cgroup version 1"
    )]
    NoController {
        /// The host.
        host: Name,
    },
    /// The group could not be made or set.
    #[error("cannot give host {host} a share of the CPU")]
    Group {
        /// The host.
        host: Name,
        /// Why.
        source: io::Error,
    },
    /// The kernel has another quota than was asked.
    #[error("host {host} has a quota of {obtained} µs where {asked} µs were asked")]
    NotObtained {
        /// The host.
        host: Name,
        /// What was asked.
        asked: u64,
        /// What was read back.
        obtained: String,
    },
}

impl FromStr for CpuShare {
    type Err = CpuShareError;
    /// `25%` or `25`.
    fn from_str(typed: &str) -> Result<CpuShare, CpuShareError> {
        let number = typed.strip_suffix('%').unwrap_or(typed).trim_end().parse().ok();
        let share = number.map(CpuShare).filter(|share| share.is_possible());
        share.ok_or_else(|| CpuShareError { typed: typed.to_string() })
    }
}

impl CpuShare {
    /// True within the bounds.
    pub fn is_possible(self) -> bool {
        (LEAST..=MOST).contains(&self.0)
    }

    /// Makes the groups of a host and reads back the quota. The host's processes are to join all of them: in the
    /// accounting one, where it is another, the time that they really used can be read.
    pub(crate) fn give(self, owner: &Owner, host: &Name) -> Result<(ShareState, Vec<PathBuf>), ShareError> {
        let failed = |source| ShareError::Group { host: host.clone(), source };
        let hierarchy = group::hierarchy("cpu").map_err(failed)?;
        let hierarchy = hierarchy.ok_or_else(|| ShareError::NoController { host: host.clone() })?;
        let group = owner.create(&hierarchy, host.as_str()).map_err(failed)?;
        let asked = u64::from(self.0) * PERIOD_US / 100;
        let file = |name: &str| group.join(name);
        fs::write(file("cpu.cfs_period_us"), PERIOD_US.to_string()).map_err(failed)?;
        fs::write(file("cpu.cfs_quota_us"), asked.to_string()).map_err(failed)?;
        let obtained = fs::read_to_string(file("cpu.cfs_quota_us")).map_err(failed)?;
        if obtained.trim() != asked.to_string() {
            let obtained = obtained.trim().to_string();
            return Err(ShareError::NotObtained { host: host.clone(), asked, obtained });
        }
        let mut groups = vec![group.clone()];
        if let Some(accounts) = group::hierarchy("cpuacct").map_err(failed)?
            && accounts != hierarchy
        {
            groups.push(owner.create(&accounts, host.as_str()).map_err(failed)?);
        }
        Ok((ShareState { quota_us: asked, period_us: PERIOD_US, group }, groups))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_is_per_cent_of_one_cpu() {
        assert_eq!("25%".parse(), Ok(CpuShare(25)));
        assert_eq!("150".parse(), Ok(CpuShare(150)));
        for bad in ["19%", "6401%", "", "%", "a quarter", "-30", "0.5"] {
            assert!(bad.parse::<CpuShare>().unwrap_err().to_string().contains("20%"), "{bad}");
        }
    }
}
