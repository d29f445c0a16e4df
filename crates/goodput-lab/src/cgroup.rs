//! Control groups of a lab (cgroups(7), version 1): CPU limits, and marks of disks. A group outlives its
//! processes, so its name identifies its keeper, and every `lab` command removes groups whose keeper is gone.

use crate::loop_device;
use crate::process::{self, ProcessId};
use crate::runtime_folder::none_if_not_found;
use crate::start_failure::LabStartFailure;
use goodput_words::{ErrorMessage, Message, error_messages, message};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

const PREFIX: &str = "goodput-lab";
const CONTROLLERS: [&str; 3] = ["cpu", "cpuacct", "blkio"];
const EXIT_TIMEOUT: Duration = Duration::from_secs(10);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct CgroupOwner {
    /// In which the keeper's process number is valid.
    pub pid_namespace: u64,
    pub keeper: ProcessId,
}

#[derive(Debug, Clone, PartialEq)]
pub struct StaleCgroupRemovalError {
    pub path: PathBuf,
    pub why: Message,
}

error_messages! {
    StaleCgroupRemovalError {
        StaleCgroupRemovalError { path, why } =>
            message!(error_lab_group_left { path: path.display().to_string(), why }),
    }
}

impl CgroupOwner {
    /// `goodput-lab.PIDNS.PID.TICKS.WHAT`.
    fn name(&self, what: &str) -> String {
        let ProcessId { pid, start_ticks } = self.keeper;
        format!("{PREFIX}.{}.{pid}.{start_ticks}.{what}", self.pid_namespace)
    }

    /// `None` for a foreign group.
    fn parse(name: &str) -> Option<(CgroupOwner, &str)> {
        let mut parts = name.splitn(5, '.');
        if parts.next()? != PREFIX {
            return None;
        }
        let pid_namespace = parts.next()?.parse().ok()?;
        let keeper = ProcessId { pid: parts.next()?.parse().ok()?, start_ticks: parts.next()?.parse().ok()? };
        Some((CgroupOwner { pid_namespace, keeper }, parts.next()?))
    }

    pub(crate) fn create_cgroup(&self, hierarchy: &Path, what: &str) -> io::Result<PathBuf> {
        let group = hierarchy.join(self.name(what));
        fs::create_dir(&group)?;
        Ok(group)
    }
}

/// `None` where this kernel has the controller in version 2 or not at all.
pub(crate) fn find_hierarchy(controller: &str) -> io::Result<Option<PathBuf>> {
    Ok(mounted(&fs::read_to_string("/proc/self/mountinfo")?, controller))
}

pub(crate) fn missing_controller_failure(refused: &Message, controller: &str) -> LabStartFailure {
    LabStartFailure::new(message!(error_lab_no_controller { refused, controller }))
        .with_hint("start the system with cgroup version 1: systemd.unified_cgroup_hierarchy=0")
}

/// proc_pid_mountinfo(5): root is field 4, mount point field 5; behind a lone hyphen type, source and
/// options, one of which is the controller.
fn mounted(table: &str, controller: &str) -> Option<PathBuf> {
    table.lines().rev().find_map(|line| {
        let (before, after) = line.split_once(" - ")?;
        let (before, after): (Vec<&str>, Vec<&str>) =
            (before.split(' ').collect(), after.split(' ').collect());
        let is_it =
            *after.first()? == "cgroup" && after.get(2)?.split(',').any(|option| option == controller);
        (is_it && *before.get(3)? == "/").then(|| PathBuf::from(before[4]))
    })
}

pub(crate) fn open_cgroup_procs(group: &Path) -> io::Result<fs::File> {
    fs::OpenOptions::new().write(true).open(group.join("cgroup.procs"))
}

pub(crate) fn join_cgroup(group: &Path) -> io::Result<()> {
    use std::io::Write;
    open_cgroup_procs(group)?.write_all(b"0")
}

/// Pending write-back would otherwise delay the lab's end.
pub(crate) fn remove_disk_limits(owner: &CgroupOwner) -> io::Result<()> {
    let Some(hierarchy) = find_hierarchy("blkio")? else { return Ok(()) };
    for entry in fs::read_dir(&hierarchy)? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if let Some((found, what)) = CgroupOwner::parse(&name)
            && found == *owner
            && let Some(number) = loop_device::parse_device_number(what)
        {
            loop_device::throttle_device(&hierarchy, number, None)?;
        }
    }
    Ok(())
}

/// Removes groups and disks of labs whose keepers are gone; returns the rest. Only root has groups.
pub(crate) fn remove_stale_cgroups() -> Vec<StaleCgroupRemovalError> {
    if !nix::unistd::geteuid().is_root() {
        return Vec::new();
    }
    let dead = dead_groups();
    // First, because pending write-back blocks the processes that other groups wait for.
    for group in &dead {
        if let (Some(number), Some(hierarchy)) = (group.disk, group.path.parent()) {
            // An error shows when the group cannot be removed.
            let _ = loop_device::throttle_device(hierarchy, number, None);
        }
    }
    let left = |group: DeadGroup| {
        let disk = group.disk.map_or(Ok(()), |number| patiently(|| loop_device::remove_device(number)));
        let removed =
            disk.and_then(|()| patiently(|| none_if_not_found(fs::remove_dir(&group.path)).map(drop)));
        Some(StaleCgroupRemovalError { why: removed.err()?.message(), path: group.path })
    };
    dead.into_iter().filter_map(left).collect()
}

struct DeadGroup {
    path: PathBuf,
    /// That it marks.
    disk: Option<u32>,
}

fn dead_groups() -> Vec<DeadGroup> {
    let Ok(here) = process::pid_namespace() else { return Vec::new() };
    let mut dead = Vec::new();
    for controller in CONTROLLERS {
        let Ok(Some(hierarchy)) = find_hierarchy(controller) else { continue };
        for entry in fs::read_dir(&hierarchy).into_iter().flatten().flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            if let Some((owner, what)) = CgroupOwner::parse(&name)
                && owner.pid_namespace == here
                && !owner.keeper.is_running()
            {
                let disk = loop_device::parse_device_number(what).filter(|_| controller == "blkio");
                dead.push(DeadGroup { path: entry.path(), disk });
            }
        }
    }
    dead
}

/// Retries: the kernel releases resources after a process has died.
fn patiently(act: impl Fn() -> io::Result<()>) -> io::Result<()> {
    let since = Instant::now();
    loop {
        match act() {
            Err(e) if e.kind() == io::ErrorKind::ResourceBusy && since.elapsed() < EXIT_TIMEOUT => {
                std::thread::sleep(Duration::from_millis(10));
            }
            other => return other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const TABLE: &str = "\
25 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw
36 30 0:31 / /sys/fs/cgroup/cpu rw,relatime - cgroup cgroup rw,cpu
37 30 0:32 / /sys/fs/cgroup/cpuacct rw,relatime - cgroup cgroup rw,cpuacct
44 30 0:39 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw
45 30 0:40 /docker/x /sys/fs/cgroup/blkio rw - cgroup cgroup rw,blkio
";
    const TOGETHER: &str = "36 30 0:31 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n";

    #[test]
    fn a_controller_is_found_where_it_is_mounted() {
        let at = |table, controller| mounted(table, controller).map(|p| p.display().to_string());
        assert_eq!(at(TABLE, "cpu").as_deref(), Some("/sys/fs/cgroup/cpu"));
        assert_eq!(at(TOGETHER, "cpuacct").as_deref(), Some("/sys/fs/cgroup/cpu,cpuacct"));
        assert_eq!(at(TABLE, "blkio"), None, "its root cannot be seen");
        assert_eq!(at(TABLE, "memory"), None);
    }

    #[test]
    fn a_group_says_whose_it_is() {
        let keeper = ProcessId { pid: 42, start_ticks: 777 };
        let owner = CgroupOwner { pid_namespace: 4_026_531_836, keeper };
        let name = owner.name("web-1");
        assert_eq!(name, "goodput-lab.4026531836.42.777.web-1");
        assert_eq!(CgroupOwner::parse(&name), Some((owner, "web-1")));
        assert_eq!(CgroupOwner::parse("system.slice"), None);
        assert_eq!(CgroupOwner::parse("goodput-lab.1.2.x.a"), None);
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in "[a-z0-9 ./,-]{0,80}\n?[a-z0-9 ./,-]{0,80}") {
            let _ = mounted(&text, "cpu");
            let _ = CgroupOwner::parse(&text);
        }
    }
}
