//! Creates the namespaces of a lab in the keeper, and explains permission errors.

use crate::lab_name::LabOrHostName;
use crate::process::ProcessId;
use crate::start_failure::{LabStartFailure, LabStartFailureKind};
use crate::sys;
use goodput_words::{Message, message};
use nix::errno::Errno;
use nix::mount::{MntFlags, MsFlags, mount, umount2};
use nix::sched::{CloneFlags, setns, unshare};
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::fs::MetadataExt;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct HostNamespaces {
    pub net: NamespaceHandle,
    pub mnt: NamespaceHandle,
    pub uts: NamespaceHandle,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct NamespaceHandle {
    pub fd: i32,
    pub inode: u64,
}

fn failed<E: Into<io::Error>>(step: &'static str) -> impl FnOnce(E) -> LabStartFailure {
    move |error| {
        let error: io::Error = error.into();
        let step = Message::from(step);
        match error.raw_os_error() {
            // ENOSPC: the limit of their number is reached (user_namespaces(7)).
            Some(libc::EPERM | libc::EACCES | libc::ENOSPC) => {
                LabStartFailure::wrap_error(message!(error_kernel_does_not_let { step }))(error)
                    .with_kind(LabStartFailureKind::NotPermitted)
                    .with_hint(permission_hint(denying_setting()))
            }
            _ => LabStartFailure::wrap_error(message!(error_lab_cannot_step { step }))(error),
        }
    }
}

/// The setting that denies it, with its value, where known.
fn denying_setting() -> Option<String> {
    let denying = [
        ("kernel.unprivileged_userns_clone", "0"),
        ("kernel.apparmor_restrict_unprivileged_userns", "1"),
        ("user.max_user_namespaces", "0"),
        ("user.max_net_namespaces", "0"),
    ];
    denying.iter().find_map(|(name, value)| {
        let found = fs::read_to_string(format!("/proc/sys/{}", name.replace('.', "/"))).ok()?;
        (found.trim() == *value).then(|| format!("{name} = {value}"))
    })
}

fn permission_hint(setting: Option<String>) -> Message {
    match setting {
        Some(setting) => message!(hint_lab_denying_setting { setting }),
        None => message!(hint_lab_permissions),
    }
}

pub(crate) fn enter_user_namespace() -> Result<(), LabStartFailure> {
    let (user, group) = (nix::unistd::geteuid(), nix::unistd::getegid());
    unshare(CloneFlags::CLONE_NEWUSER).map_err(failed("make a user namespace"))?;
    let map = |file: &str, text: String| {
        fs::write(format!("/proc/self/{file}"), text).map_err(failed("map itself into a user namespace"))
    };
    // user_namespaces(7): without this the group map may not be written.
    map("setgroups", "deny".into())?;
    map("uid_map", format!("0 {user} 1"))?;
    map("gid_map", format!("0 {group} 1"))
}

pub(crate) fn unshare_pid_namespace() -> Result<(), LabStartFailure> {
    unshare(CloneFlags::CLONE_NEWPID).map_err(failed("make a PID namespace"))
}

/// The outer `/proc`, with process numbers as seen outside.
pub(crate) struct ParentNamespaceProcFs(File);

impl ParentNamespaceProcFs {
    fn path(&self) -> String {
        format!("/proc/self/fd/{}", self.0.as_raw_fd())
    }

    pub(crate) fn own_process_id(&self) -> io::Result<ProcessId> {
        ProcessId::from_proc_stat(&self.path(), "self")
    }

    pub(crate) fn child_process_id(&self, pid: i32) -> io::Result<ProcessId> {
        let handle: OwnedFd = sys::pidfd_open(pid)?;
        let info = fs::read_to_string(format!("{}/self/fdinfo/{}", self.path(), handle.as_raw_fd()))?;
        let outer = info.lines().find_map(|line| line.strip_prefix("Pid:")).map_or("", str::trim);
        ProcessId::from_proc_stat(&self.path(), outer)
    }
}

/// Mount and network namespace (for the switches) of a PID namespace's first process, and its `/proc`.
pub(crate) fn enter_namespaces() -> Result<ParentNamespaceProcFs, LabStartFailure> {
    let outer = ParentNamespaceProcFs(File::open("/proc").map_err(failed("open /proc"))?);
    // A user namespace can only return to namespaces that it owns.
    unshare(HOST_FLAGS).map_err(failed("make a mount and a network namespace"))?;
    // Slave, not private: a lab must not keep mounts busy that the system unmounts.
    mount(None::<&str>, "/", None::<&str>, MsFlags::MS_REC | MsFlags::MS_SLAVE, None::<&str>)
        .map_err(failed("detach its mounts"))?;
    fresh("proc", "/proc").map_err(failed("mount a fresh /proc"))?;
    Ok(outer)
}

fn fresh(kind: &str, at: &str) -> Result<(), Errno> {
    let flags = MsFlags::MS_NOSUID | MsFlags::MS_NODEV | MsFlags::MS_NOEXEC;
    match mount(Some("lab"), at, Some(kind), flags, None::<&str>) {
        // Where the old one is read-only, a user namespace may not mount a writable one.
        Err(Errno::EPERM) => mount(Some("lab"), at, Some(kind), flags | MsFlags::MS_RDONLY, None::<&str>),
        other => other,
    }
}

pub(crate) struct NamespaceFiles {
    pub net: File,
    pub mnt: File,
    pub uts: File,
}

const HOST_FLAGS: CloneFlags =
    CloneFlags::CLONE_NEWNET.union(CloneFlags::CLONE_NEWNS).union(CloneFlags::CLONE_NEWUTS);

impl NamespaceFiles {
    fn current() -> io::Result<NamespaceFiles> {
        let open = |kind| File::open(format!("/proc/self/ns/{kind}"));
        Ok(NamespaceFiles { net: open("net")?, mnt: open("mnt")?, uts: open("uts")? })
    }

    /// Afterwards this process is back in its own namespaces.
    pub(crate) fn create(name: &LabOrHostName) -> Result<NamespaceFiles, LabStartFailure> {
        let home = NamespaceFiles::current().map_err(failed("open its own namespaces"))?;
        unshare(HOST_FLAGS).map_err(failed("make a host's namespaces"))?;
        let host = furnish(name);
        home.enter().map_err(failed("leave a host's namespaces"))?;
        host
    }

    fn enter(&self) -> Result<(), Errno> {
        setns(&self.net, CloneFlags::CLONE_NEWNET)?;
        setns(&self.uts, CloneFlags::CLONE_NEWUTS)?;
        setns(&self.mnt, CloneFlags::CLONE_NEWNS)
    }

    pub(crate) fn run_in_mount_namespace<T>(&self, act: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
        let home = File::open("/proc/self/ns/mnt")?;
        setns(&self.mnt, CloneFlags::CLONE_NEWNS)?;
        let result = act();
        setns(&home, CloneFlags::CLONE_NEWNS)?;
        result
    }

    pub(crate) fn setns_targets(&self) -> io::Result<Vec<(File, CloneFlags)>> {
        Ok(vec![
            (self.net.try_clone()?, CloneFlags::CLONE_NEWNET),
            (self.uts.try_clone()?, CloneFlags::CLONE_NEWUTS),
            (self.mnt.try_clone()?, CloneFlags::CLONE_NEWNS),
        ])
    }

    pub(crate) fn to_handles(&self) -> io::Result<HostNamespaces> {
        let handle = |file: &File| -> io::Result<NamespaceHandle> {
            Ok(NamespaceHandle { fd: file.as_raw_fd(), inode: file.metadata()?.ino() })
        };
        Ok(HostNamespaces { net: handle(&self.net)?, mnt: handle(&self.mnt)?, uts: handle(&self.uts)? })
    }
}

fn furnish(name: &LabOrHostName) -> Result<NamespaceFiles, LabStartFailure> {
    nix::unistd::sethostname(name.as_str()).map_err(failed("set a host's name"))?;
    let groups = File::open("/sys/fs/cgroup").ok();
    fresh("sysfs", "/sys").map_err(failed("mount a fresh /sys"))?;
    if let Some(groups) = groups {
        // The fresh /sys hides the control groups, by which a host finds its CPU quota. Failure is harmless.
        let from = format!("/proc/self/fd/{}", groups.as_raw_fd());
        let flags = MsFlags::MS_BIND | MsFlags::MS_REC;
        let _ = mount(Some(from.as_str()), "/sys/fs/cgroup", None::<&str>, flags, None::<&str>);
    }
    NamespaceFiles::current().map_err(failed("open a host's namespaces"))
}

pub(crate) fn run_with_namespace_sysfs<T>(net: &File, act: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
    run_in_network_namespace(net, || {
        fresh("sysfs", "/sys")?;
        let result = act();
        umount2("/sys", MntFlags::MNT_DETACH)?;
        result
    })
}

pub(crate) fn run_in_network_namespace<T>(net: &File, act: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
    let home = File::open("/proc/self/ns/net")?;
    setns(net, CloneFlags::CLONE_NEWNET)?;
    let result = act();
    setns(&home, CloneFlags::CLONE_NEWNET)?;
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_says_what_to_look_at() {
        let error = failed("make a user namespace")(Errno::EPERM);
        assert_eq!(error.what, "the kernel does not permit this user to make a user namespace");
        assert!(error.hint.unwrap().contains("root"));
        let setting = "kernel.unprivileged_userns_clone = 0";
        assert!(permission_hint(Some(setting.into())).contains(setting));
        assert!(failed("x")(Errno::EINVAL).hint.is_none());
    }
}
