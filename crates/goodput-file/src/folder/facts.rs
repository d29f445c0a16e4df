//! File system, mount options and device of a folder, from `/proc/self/mountinfo` (proc_pid_mountinfo(5)).

use crate::sys;
use std::os::fd::BorrowedFd;
use std::os::unix::fs::{FileTypeExt, MetadataExt};

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct MountInfo {
    pub file_system: Option<String>,
    pub options: Option<String>,
    pub device: Option<String>,
}

impl MountInfo {
    pub(super) fn of_folder(folder: BorrowedFd) -> MountInfo {
        let Some(id) = sys::statx(folder).ok().and_then(|known| known.mount) else {
            return MountInfo::default();
        };
        // Paths may contain any bytes, so this file may not be UTF-8.
        let table = std::fs::read("/proc/self/mountinfo").unwrap_or_default();
        let mut mount = parse(&String::from_utf8_lossy(&table), id).unwrap_or_default();
        if mount.0.device.is_none() {
            mount.0.device = device_of(&mount.1);
        }
        mount.0
    }

    /// True for file systems in memory, which have no cache to bypass.
    pub(super) fn is_in_memory(&self) -> bool {
        matches!(self.file_system.as_deref(), Some("tmpfs" | "ramfs"))
    }
}

fn parse(table: &str, id: u64) -> Option<(MountInfo, String)> {
    let line = table.lines().find(|l| l.split(' ').next() == Some(id.to_string().as_str()))?;
    // 27 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw,discard
    let (before, after) = line.split_once(" - ")?;
    let before: Vec<&str> = before.split(' ').collect();
    let mut after = after.split(' ');
    let (file_system, source) = (after.next()?, after.next()?);
    let mut options: Vec<&str> = before.get(5)?.split(',').collect();
    for option in after.next().unwrap_or_default().split(',') {
        if !option.is_empty() && !options.contains(&option) {
            options.push(option);
        }
    }
    // Major 0 marks file systems without a device, or with several.
    let device = before.get(2).filter(|d| !d.starts_with("0:")).map(|d| d.to_string());
    let mount = MountInfo { file_system: Some(file_system.into()), options: Some(options.join(",")), device };
    Some((mount, source.to_string()))
}

/// The device of a mount's source, for file systems with their own numbers (btrfs).
fn device_of(source: &str) -> Option<String> {
    let known = source.starts_with("/dev/").then(|| std::fs::metadata(source).ok())??;
    let number = known.file_type().is_block_device().then(|| known.rdev())?;
    Some(format!("{}:{}", libc::major(number), libc::minor(number)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::fd::AsFd;

    #[test]
    fn a_mount_is_found_by_its_number() {
        let table = "25 24 0:23 / /dev/shm rw - tmpfs tmpfs rw,size=24684096k\n\
                     27 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw,discard\n\
                     270 1 0:40 / /mnt/my\\040nas rw - cifs //nas/share rw,vers=3.1.1,cache=strict\n";
        let (root, source) = parse(table, 27).unwrap();
        assert_eq!(source, "/dev/vda");
        let found = [&root.file_system, &root.options, &root.device].map(Option::as_deref);
        assert_eq!(found, ["ext4", "rw,relatime,discard", "254:0"].map(Some));
        assert!(!root.is_in_memory() && parse(table, 25).unwrap().0.is_in_memory());
        let nas = parse(table, 270).unwrap().0;
        assert_eq!((nas.options.as_deref(), nas.device), (Some("rw,vers=3.1.1,cache=strict"), None));
        assert_eq!([parse(table, 2), parse("27 1 254:0", 27)], [None, None]);
    }

    #[test]
    fn the_file_system_of_proc_is_proc() {
        let proc = MountInfo::of_folder(std::fs::File::open("/proc").unwrap().as_fd());
        assert_eq!((proc.file_system.as_deref(), proc.device), (Some("proc"), None));
    }
}
