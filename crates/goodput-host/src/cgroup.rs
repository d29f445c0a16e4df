//! The CPU quota of this program's control group and its usage. The tightest quota of this group and its
//! parents counts. Version 2: `cpu.max`, `cpu.stat`. Version 1: `cpu.cfs_quota_us`, `cpu.cfs_period_us` and
//! `cpu.stat` under `cpu`; usage under `cpuacct`, possibly a different tree. Sources:
//! `Documentation/admin-guide/cgroup-v2.rst`, `Documentation/scheduler/sched-bwc.rst`,
//! `Documentation/admin-guide/cgroup-v1/cpuacct.rst`, cgroups(7).

use goodput_model::host::CpuQuotaAccounting;
use std::path::{Path, PathBuf};

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct CpuQuotaReading {
    group: PathBuf,
    cpus: f64,
    used_ns: Option<u64>,
    periods: u64,
    throttled_periods: u64,
    throttled_ns: u64,
}

impl CpuQuotaReading {
    /// The tightest quota that applies; `None` without one, or if unknown.
    pub(crate) fn read() -> Option<CpuQuotaReading> {
        let groups = text(Path::new("/proc/self/cgroup"))?;
        let mounts = text(Path::new("/proc/self/mountinfo"))?;
        let found = places(&groups, &mounts);
        let tightest = found
            .iter()
            .flat_map(CgroupMount::ancestor_groups)
            .filter_map(|(place, group)| place.read(&group));
        tightest.min_by(|a, b| a.cpus.total_cmp(&b.cpus))
    }

    /// The difference to a later reading; `None` when the quota belongs to another group now.
    pub(crate) fn difference_to(&self, later: &CpuQuotaReading) -> Option<CpuQuotaAccounting> {
        let same = self.group == later.group && self.cpus == later.cpus;
        let used = self.used_ns.zip(later.used_ns).map(|(old, new)| new.saturating_sub(old));
        same.then(|| CpuQuotaAccounting {
            cpus: self.cpus,
            used_ns: used,
            periods: later.periods.saturating_sub(self.periods),
            throttled_periods: later.throttled_periods.saturating_sub(self.throttled_periods),
            throttled_ns: later.throttled_ns.saturating_sub(self.throttled_ns),
        })
    }
}

/// Mount point of a hierarchy, and this program's group in it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct CgroupMount {
    mount: PathBuf,
    group: PathBuf,
    /// Version 1: folder of the usage counters.
    used: Option<PathBuf>,
    version_2: bool,
}

impl CgroupMount {
    fn ancestor_groups(&self) -> Vec<(&CgroupMount, PathBuf)> {
        self.group.ancestors().map(|group| (self, group.to_path_buf())).collect()
    }

    fn read(&self, group: &Path) -> Option<CpuQuotaReading> {
        let folder = self.mount.join(group);
        let stat = text(&folder.join("cpu.stat"))?;
        let count = |name| field(&stat, name);
        if self.version_2 {
            return Some(CpuQuotaReading {
                cpus: worth(&text(&folder.join("cpu.max"))?)?,
                used_ns: count("usage_usec").map(|us| us.saturating_mul(1_000)),
                periods: count("nr_periods")?,
                throttled_periods: count("nr_throttled")?,
                throttled_ns: count("throttled_usec")?.saturating_mul(1_000),
                group: folder,
            });
        }
        let line = |file: &str| Some(text(&folder.join(file))?.trim().to_string());
        let both = format!("{} {}", line("cpu.cfs_quota_us")?, line("cpu.cfs_period_us")?);
        let used = self.used.as_ref().and_then(|mount| text(&mount.join(group).join("cpuacct.usage")));
        Some(CpuQuotaReading {
            cpus: worth(&both)?,
            used_ns: used.and_then(|ns| ns.trim().parse().ok()),
            periods: count("nr_periods")?,
            throttled_periods: count("nr_throttled")?,
            throttled_ns: count("throttled_time")?,
            group: folder,
        })
    }
}

fn text(file: &Path) -> Option<String> {
    std::fs::read_to_string(file).ok()
}

fn field(stat: &str, name: &str) -> Option<u64> {
    let lines = stat.lines().filter_map(|l| l.split_once(' '));
    lines.into_iter().find(|(key, _)| *key == name)?.1.trim().parse().ok()
}

/// CPUs of "quota period" in µs; `None` for `max` and -1.
fn worth(both: &str) -> Option<f64> {
    let mut words = both.split_whitespace();
    let quota: u64 = words.next()?.parse().ok()?;
    let period: u64 = words.next()?.parse().ok().filter(|p| *p > 0)?;
    Some(quota as f64 / period as f64)
}

/// Hierarchies with a CPU quota, from `/proc/self/cgroup` and `/proc/self/mountinfo`.
fn places(groups: &str, mounts: &str) -> Vec<CgroupMount> {
    // hierarchy:controllers:group; version 2 names no controllers.
    let lines: Vec<(Vec<&str>, &str)> = groups
        .lines()
        .filter_map(|line| {
            let mut parts = line.splitn(3, ':').skip(1);
            Some((parts.next()?.split(',').collect(), parts.next()?))
        })
        .collect();
    let of = |controller: &str| lines.iter().find(|(names, _)| names.contains(&controller)).map(|(_, g)| *g);
    let mounted: Vec<Mount<'_>> = mounts.lines().filter_map(mount).collect();
    let mut found = Vec::new();
    if let Some(group) = of("cpu")
        && let Some((mount, group)) = mounted.iter().find_map(|m| m.holds(Some("cpu"), group))
    {
        // The groups must match in both trees, or the usage is another group's.
        let same = of("cpuacct").filter(|acct| Some(*acct) == of("cpu"));
        let used = same.and_then(|acct| mounted.iter().find_map(|m| m.holds(Some("cpuacct"), acct)));
        found.push(CgroupMount { mount, group, used: used.map(|(mount, _)| mount), version_2: false });
    }
    if let Some(group) = of("")
        && let Some((mount, group)) = mounted.iter().find_map(|m| m.holds(None, group))
    {
        found.push(CgroupMount { mount, group, used: None, version_2: true });
    }
    found
}

struct Mount<'a> {
    root: &'a str,
    point: &'a str,
    /// Version 1 only.
    controllers: Option<Vec<&'a str>>,
}

/// A mountinfo line that mounts control groups (proc_pid_mountinfo(5)).
fn mount(line: &str) -> Option<Mount<'_>> {
    let (before, after) = line.split_once(" - ")?;
    let mut left = before.split(' ').skip(3);
    let (root, point) = (left.next()?, left.next()?);
    let mut right = after.split(' ');
    let kind = right.next()?;
    let options = right.nth(1).unwrap_or_default();
    let controllers = match kind {
        "cgroup" => Some(options.split(',').collect()),
        "cgroup2" => None,
        _ => return None,
    };
    Some(Mount { root, point, controllers })
}

impl Mount<'_> {
    /// Mount and relative group, if this hierarchy has the controller and the group.
    fn holds(&self, controller: Option<&str>, group: &str) -> Option<(PathBuf, PathBuf)> {
        let right = match (controller, &self.controllers) {
            (Some(wanted), Some(has)) => has.contains(&wanted),
            (None, None) => true,
            _ => false,
        };
        let below = Path::new(group).strip_prefix(self.root).ok()?;
        right.then(|| (PathBuf::from(self.point), below.to_path_buf()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_of_both_versions_are_found_below_their_mounts() {
        let mounts = "31 23 0:27 / /sys/fs/cgroup/cpu rw,nosuid shared:9 - cgroup cgroup rw,cpu\n\
                      32 23 0:28 / /sys/fs/cgroup/cpuacct rw - cgroup cgroup rw,cpuacct\n\
                      33 23 0:29 /box /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n\
                      34 23 0:30 / /tmp rw - tmpfs tmpfs rw\n";
        let groups = "2:cpuacct:/lab/a\n1:cpu:/lab/a\n0::/box/in\n";
        let found = places(groups, mounts);
        let one = CgroupMount {
            mount: "/sys/fs/cgroup/cpu".into(),
            group: "lab/a".into(),
            used: Some("/sys/fs/cgroup/cpuacct".into()),
            version_2: false,
        };
        let mount = "/sys/fs/cgroup/unified".into();
        let two = CgroupMount { mount, group: "in".into(), used: None, version_2: true };
        assert_eq!(found, [one.clone(), two]);
        let way: Vec<PathBuf> = one.ancestor_groups().into_iter().map(|(_, group)| group).collect();
        assert_eq!(way, ["lab/a", "lab", ""].map(PathBuf::from));
        // Another group's usage is irrelevant.
        let apart = places("2:cpuacct:/\n1:cpu:/lab/a\n", mounts);
        assert_eq!(apart[0].used, None);
        assert_eq!(places("garbage", "more of it"), []);
    }

    #[test]
    fn quotas_and_counters_are_read_and_subtracted() {
        // A quota is worth its share of a period.
        let worths =
            ["20000 100000\n", "150000 100000", "max 100000", "-1 100000", "", "5", "5 0"].map(worth);
        assert_eq!(worths, [Some(0.2), Some(1.5), None, None, None, None, None]);
        let stat = "usage_usec 12\nnr_periods 10\nnr_throttled 4\nthrottled_usec 99\n";
        assert_eq!((field(stat, "nr_throttled"), field(stat, "nr"), field("", "x")), (Some(4), None, None));
        let at = |used_ns, periods| CpuQuotaReading {
            group: "g".into(),
            cpus: 0.5,
            used_ns,
            periods,
            throttled_periods: periods / 2,
            throttled_ns: periods,
        };
        let account = at(Some(5), 10).difference_to(&at(Some(25), 30)).unwrap();
        assert_eq!((account.used_ns, account.periods, account.throttled_periods), (Some(20), 20, 10));
        let other = CpuQuotaReading { cpus: 0.2, ..at(None, 30) };
        assert_eq!(at(Some(5), 10).difference_to(&other), None);
    }
}
