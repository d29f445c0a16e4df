//! A host's own disk: ext4 on a loop device over memory, at [`FOLDER`] in that host only, optionally limited.
//!
//! Everything disappears with the lab: an anonymous memory file, a loop device with `LO_FLAGS_AUTOCLEAR`, and
//! a mount in the host's namespace.
//!
//! A limited disk is two loop devices with direct I/O, of which the lower is limited, so that throttled
//! requests count in the upper one's `/proc/diskstats`. The limit is in the root group of the blkio
//! controller (version 1), where the kernel's write-back runs. Its devices have numbers of their own, each
//! marked by an empty group, so that [`crate::group::sweep`] removes both when the keeper is gone.

mod benchmark;

use crate::cgroup::{self, CgroupOwner};
use crate::external_tool;
use crate::lab_name::LabOrHostName;
use crate::loop_device::{DEVICE_PREFIX, FIRST_DEVICE_NUMBER, device_path, open_device, throttle_device};
use crate::namespace::NamespaceFiles;
use crate::start_failure::LabStartFailure;
use crate::sys::{self, LoopDeviceIoMode};
use crate::topology::Disk;
use goodput_model::Bytes;
use goodput_words::{Message, message};
use nix::mount::{MsFlags, mount};
use nix::sys::memfd::{MFdFlags, memfd_create};
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// Exists on every Linux (File System Hierarchy Standard, section 3.17).
pub const DISK_MOUNT_POINT: &str = "/srv";
/// Largest deviation of a limited disk from its rate.
const TOLERANCE: f64 = 0.1;
const TRIES: usize = 3;
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DiskState {
    pub folder: PathBuf,
    pub device: String,
    pub measured: DirectIoSpeed,
    /// Reads of 4 KiB a second, where limited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub measured_iops: Option<u32>,
}

/// Bytes a second of direct I/O by one thread, one request after the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct DirectIoSpeed {
    pub write: Bytes,
    pub read: Bytes,
}

fn failed(step: &str, host: &LabOrHostName) -> impl FnOnce(io::Error) -> LabStartFailure {
    LabStartFailure::wrap_error(message!(error_lab_disk_step { step: Message::from(step), host }))
}

/// Requires memory for all disks of a lab, and as much again for processes.
pub(crate) fn check_available_memory(disks: impl Iterator<Item = Disk>) -> Result<(), LabStartFailure> {
    let asked = Bytes(disks.map(|disk| disk.size.0).sum());
    let table = fs::read_to_string("/proc/meminfo").unwrap_or_default();
    match available(&table) {
        Some(available) if asked.0 > available.0 / 2 => {
            let (asked, available) = (asked.to_string(), available.to_string());
            let what = message!(error_lab_disk_memory { asked, available });
            Err(LabStartFailure::new(what).with_hint("ask for smaller disks, or for fewer"))
        }
        _ => Ok(()),
    }
}

/// MemAvailable of proc_meminfo(5), in KiB.
fn available(table: &str) -> Option<Bytes> {
    let line = table.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok().map(|kib| Bytes(kib * 1024))
}

impl Disk {
    /// Creates, mounts, limits and measures the disk. The host's processes must join the returned groups.
    pub(crate) fn create(
        &self,
        owner: &CgroupOwner,
        name: &LabOrHostName,
        host: &NamespaceFiles,
    ) -> Result<(DiskState, Vec<PathBuf>), LabStartFailure> {
        let step = |step: &'static str| failed(step, name);
        let memory = File::from(
            memfd_create(c"goodput-lab-disk", MFdFlags::MFD_CLOEXEC)
                .map_err(|e| step("get memory")(e.into()))?,
        );
        memory.set_len(self.size.0).map_err(step("get memory"))?;
        let control = open_device("/dev/loop-control").map_err(step("open /dev/loop-control"))?;
        let refused = || {
            let what = message!(part_lab_disk_not_limited { host: name });
            cgroup::missing_controller_failure(&what, "blkio")
        };
        let blkio = match self.has_speed_limit() {
            false => None,
            true => Some(
                cgroup::find_hierarchy("blkio")
                    .map_err(step("find the control groups"))?
                    .ok_or_else(refused)?,
            ),
        };
        let set_up = || step("set up a loop device");
        let ((number, device), below) = match &blkio {
            None => (free(&control, &memory).map_err(set_up())?, None),
            Some(blkio) => {
                let below =
                    own(&control, &memory, LoopDeviceIoMode::PageCache, blkio, owner).map_err(set_up())?;
                let above =
                    own(&control, &below.1, LoopDeviceIoMode::Direct, blkio, owner).map_err(set_up())?;
                (above, Some(below))
            }
        };
        let limited = below.as_ref().map(|below| below.0);
        let path = device_path(number);
        external_tool::run_tool("mkfs.ext4", &[&MKFS, &[path.as_str()][..]].concat())?;
        let mounted = host.run_in_mount_namespace(|| {
            let flags = MsFlags::MS_NOATIME | MsFlags::MS_NODEV | MsFlags::MS_NOSUID;
            mount(Some(path.as_str()), DISK_MOUNT_POINT, Some("ext4"), flags, None::<&str>)?;
            benchmark::create_temp_file(Path::new(DISK_MOUNT_POINT))
        });
        let file = mounted.map_err(step("mount a file system at /srv"))?;
        // From here on the mount alone keeps the devices.
        drop((device, below, memory));
        if let (Some(blkio), Some(limited)) = (&blkio, limited) {
            throttle_device(blkio, limited, Some(self)).map_err(step("set the limits"))?;
            // The limit is that of the root group; other groups bypass it.
            cgroup::join_cgroup(blkio).map_err(step("join the root group of blkio"))?;
        }
        let measure = || benchmark::measure_speed(&file, self).map_err(step("measure direct I/O"));
        let mut measured = measure()?;
        // A busy machine may distort one measurement.
        for _ in 1..TRIES {
            if self.prove(name, measured).is_err() {
                measured = measure()?;
            }
        }
        self.prove(name, measured)?;
        let measured_iops = self.prove_iops(name, &file)?;
        let device = format!("{DEVICE_PREFIX}{number}");
        let state = DiskState { folder: DISK_MOUNT_POINT.into(), device, measured, measured_iops };
        Ok((state, blkio.into_iter().collect()))
    }

    fn prove_iops(&self, host: &LabOrHostName, file: &File) -> Result<Option<u32>, LabStartFailure> {
        let Some(asked) = self.iops else { return Ok(None) };
        let mut obtained = 0;
        for _ in 0..TRIES {
            obtained =
                benchmark::measure_iops(file).map_err(failed("measure operations by direct I/O", host))?;
            if (f64::from(obtained) / f64::from(asked) - 1.0).abs() <= TOLERANCE {
                return Ok(Some(obtained));
            }
        }
        let (obtained, asked) = (obtained.to_string(), asked.to_string());
        Err(LabStartFailure::new(message!(error_lab_disk_operations { host, obtained, asked })))
    }

    fn prove(&self, host: &LabOrHostName, measured: DirectIoSpeed) -> Result<(), LabStartFailure> {
        let Some(asked) = self.rate.filter(|_| self.iops.is_none()) else { return Ok(()) };
        for (way, obtained) in [("writing", measured.write), ("reading", measured.read)] {
            if (obtained.0 as f64 / asked.0 as f64 - 1.0).abs() > TOLERANCE {
                let (obtained, asked) = (obtained.to_string(), asked.to_string());
                let what = message!(error_lab_disk_rate { host, way, obtained, asked });
                return Err(LabStartFailure::new(what));
            }
        }
        Ok(())
    }
}

/// Quiet; no root reserve; tables and journal written now, not later by a kernel thread; no discard.
const MKFS: [&str; 6] = ["-q", "-F", "-m", "0", "-E", "lazy_itable_init=0,lazy_journal_init=0,nodiscard"];

/// Another process may take the free device first, so it retries.
fn free(control: &File, memory: &File) -> io::Result<(u32, File)> {
    loop {
        let number = sys::get_free_loop_number(control)?;
        let device = open_device(&device_path(number))?;
        match sys::configure_loop_device(&device, memory, LoopDeviceIoMode::PageCache) {
            Err(e) if e.kind() == io::ErrorKind::ResourceBusy => {}
            other => return other.map(|()| (number, device)),
        }
    }
}

/// The mark comes first, so that no unmarked device is left if the keeper dies.
fn own(
    control: &File,
    backing: &File,
    through: LoopDeviceIoMode,
    blkio: &Path,
    owner: &CgroupOwner,
) -> io::Result<(u32, File)> {
    for number in FIRST_DEVICE_NUMBER..1 << 20 {
        if Path::new(&format!("/sys/block/{DEVICE_PREFIX}{number}")).exists() {
            continue;
        }
        let mark = owner.create_cgroup(blkio, &format!("{DEVICE_PREFIX}{number}"))?;
        match sys::add_loop_device(control, number) {
            Ok(()) => {}
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {
                fs::remove_dir(mark)?;
                continue;
            }
            Err(e) => return Err(e),
        }
        let device = open_device(&device_path(number))?;
        return sys::configure_loop_device(&device, backing, through).map(|()| (number, device));
    }
    Err(io::Error::other("no number for a loop device is free"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slow_disk_must_be_slow() {
        let host: LabOrHostName = "a".parse().unwrap();
        let disk = Disk { size: Bytes(1 << 30), rate: Some(Bytes(40_000_000)), iops: None };
        for (write, read, fits) in [(39, 41, true), (39, 400, false), (30, 40, false)] {
            let [write, read] = [write, read].map(|megabytes| Bytes(megabytes * 1_000_000));
            assert_eq!(disk.prove(&host, DirectIoSpeed { write, read }).is_ok(), fits, "{write:?} {read:?}");
        }
    }

    #[test]
    fn memory_is_what_the_kernel_calls_available() {
        let table = "MemTotal:       24684096 kB\nMemFree:          100 kB\nMemAvailable:   24166188 kB\n";
        assert_eq!(available(table), Some(Bytes(24_166_188 * 1024)));
        assert_eq!(available(""), None);
    }
}
