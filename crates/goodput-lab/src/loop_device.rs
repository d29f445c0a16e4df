//! The loop devices of a lab's disks: numbering, limits, removal.

use crate::sys;
use crate::topology::Disk;
use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::Path;

/// High enough to avoid the system's own devices.
pub(crate) const FIRST_DEVICE_NUMBER: u32 = 530_300;
pub(crate) const DEVICE_PREFIX: &str = "loop";

pub(crate) fn open_device(path: &str) -> io::Result<File> {
    OpenOptions::new().read(true).write(true).open(path)
}

pub(crate) fn device_path(number: u32) -> String {
    format!("/dev/{DEVICE_PREFIX}{number}")
}

pub(crate) fn parse_device_number(what: &str) -> Option<u32> {
    what.strip_prefix(DEVICE_PREFIX)?.parse().ok().filter(|number| *number >= FIRST_DEVICE_NUMBER)
}

pub(crate) fn throttle_device(blkio: &Path, number: u32, disk: Option<&Disk>) -> io::Result<()> {
    let Ok(device) = fs::read_to_string(format!("/sys/block/{DEVICE_PREFIX}{number}/dev")) else {
        return Ok(());
    };
    for direction in ["read", "write"] {
        let rate = disk.and_then(|disk| disk.rate).map_or(0, |rate| rate.0);
        let iops = disk.and_then(|disk| disk.iops).map_or(0, u64::from);
        for (what, limit) in [("bps", rate), ("iops", iops)] {
            let file = blkio.join(format!("blkio.throttle.{direction}_{what}_device"));
            // 0 removes the limit (Documentation/admin-guide/cgroup-v1/blkio-controller.rst).
            fs::write(file, format!("{} {limit}", device.trim())).or_else(gone)?;
        }
    }
    Ok(())
}

/// Another command may have removed it.
fn gone(error: io::Error) -> io::Result<()> {
    if error.raw_os_error() == Some(libc::ENODEV) { Ok(()) } else { Err(error) }
}

/// Busy until the kernel has released its mount.
pub(crate) fn remove_device(number: u32) -> io::Result<()> {
    if !Path::new(&format!("/sys/block/{DEVICE_PREFIX}{number}")).exists() {
        return Ok(());
    }
    sys::remove_loop_device(&open_device("/dev/loop-control")?, number).or_else(gone)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_devices_of_a_lab_are_removed() {
        assert_eq!(parse_device_number("loop530301"), Some(530_301));
        for other in ["loop0", "loop7", "loop", "web", "loopx"] {
            assert_eq!(parse_device_number(other), None, "{other}");
        }
    }
}
