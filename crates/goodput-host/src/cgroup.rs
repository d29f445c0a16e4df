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
        let quotas =
            found.iter().flat_map(|place| place.group.ancestors().filter_map(move |group| place.read(group)));
        quotas.min_by(|a, b| a.cpus.total_cmp(&b.cpus))
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
    fn read(&self, group: &Path) -> Option<CpuQuotaReading> {
        let folder = self.mount.join(group);
        let stat = text(&folder.join("cpu.stat"))?;
        let count = |name| field(&stat, name);
        let (quota, used_ns, throttled_ns) = if self.version_2 {
            let ns = |us: u64| us.saturating_mul(1_000);
            (text(&folder.join("cpu.max"))?, count("usage_usec").map(ns), ns(count("throttled_usec")?))
        } else {
            let line = |file: &str| Some(text(&folder.join(file))?.trim().to_string());
            let used = self.used.as_ref().and_then(|mount| text(&mount.join(group).join("cpuacct.usage")));
            let quota = format!("{} {}", line("cpu.cfs_quota_us")?, line("cpu.cfs_period_us")?);
            (quota, used.and_then(|ns| ns.trim().parse().ok()), count("throttled_time")?)
        };
        Some(CpuQuotaReading {
            cpus: worth(&quota)?,
            used_ns,
            periods: count("nr_periods")?,
            throttled_periods: count("nr_throttled")?,
            throttled_ns,
            group: folder,
        })
    }
}

fn text(file: &Path) -> Option<String> {
    std::fs::read_to_string(file).ok()
}

fn field(stat: &str, name: &str) -> Option<u64> {
    stat.lines().filter_map(|l| l.split_once(' ')).find(|(key, _)| *key == name)?.1.trim().parse().ok()
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
    let place = |name: &str, group: &str| mounted.iter().find_map(|m| m.holds(name, group));
    if let Some((mount, group)) = of("cpu").and_then(|group| place("cpu", group)) {
        // The groups must match in both trees, or the usage is another group's.
        let same = of("cpuacct").filter(|acct| Some(*acct) == of("cpu"));
        let used = same.and_then(|acct| place("cpuacct", acct));
        found.push(CgroupMount { mount, group, used: used.map(|(mount, _)| mount), version_2: false });
    }
    if let Some((mount, group)) = of("").and_then(|group| place("", group)) {
        found.push(CgroupMount { mount, group, used: None, version_2: true });
    }
    found
}

struct Mount<'a> {
    root: &'a str,
    point: &'a str,
    /// Only "" for version 2.
    controllers: Vec<&'a str>,
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
        "cgroup" => options.split(',').collect(),
        "cgroup2" => vec![""],
        _ => return None,
    };
    Some(Mount { root, point, controllers })
}

impl Mount<'_> {
    /// Mount and relative group, if this hierarchy has the controller and the group.
    fn holds(&self, controller: &str, group: &str) -> Option<(PathBuf, PathBuf)> {
        let below = Path::new(group).strip_prefix(self.root).ok()?;
        let right = self.controllers.contains(&controller);
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
        assert_eq!(found, [one, two]);
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
