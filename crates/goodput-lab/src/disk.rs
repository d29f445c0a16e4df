//! A host's own disk: ext4 on a loop device over memory, mounted at [`FOLDER`] in that host alone, as fast as memory or
//! as slow as is asked, and measured before anybody uses it.
//!
//! Everything of it goes with the lab: the memory is an anonymous file that only the device holds, the device lets go of
//! it when nothing mounts it any more (`LO_FLAGS_AUTOCLEAR`), and the mount is in the host's namespace.
//!
//! A disk with a rate is two loop devices, one upon the other by direct I/O, of which the lower is limited. So a request
//! that has to wait is under way at the upper one, whose counters in `/proc/diskstats` are those of a slow disk: a limit on
//! the upper one would hold requests back before they are counted.
//!
//! The limit stands in the root group of the blkio controller (version 1), which is where the kernel's own writers run:
//! what they write back later is limited like what a process writes directly. Such devices have numbers of their own and
//! go with the lab, so that no limit stays behind for another's device; a group that is otherwise empty marks each, and
//! [`crate::group::sweep`] removes both when the keeper is gone.

mod proof;

use crate::group::{self, Owner};
use crate::name::Name;
use crate::namespace::Host;
use crate::sys::{self, Through};
use crate::tool::{self, ToolError};
use goodput_model::Bytes;
use goodput_model::units::QuantityError;
use nix::mount::{MsFlags, mount};
use nix::sys::memfd::{MFdFlags, memfd_create};
use serde::{Deserialize, Serialize};
use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// Where a host finds its disk. The folder is there on every Linux (File System Hierarchy Standard, section 3.17).
pub const FOLDER: &str = "/srv";
/// Most disks of a lab: each takes seconds to be measured.
pub const MOST_DISKS: usize = 8;
/// Least and most that a disk holds.
const SIZES: std::ops::RangeInclusive<Bytes> = Bytes(16 << 20)..=Bytes(1 << 40);
/// Least and most that it moves in a second.
const RATES: std::ops::RangeInclusive<Bytes> = Bytes(1_000_000)..=Bytes(100_000_000_000);
/// Least and most operations a second.
const IOPS: std::ops::RangeInclusive<u32> = 10..=1_000_000;
/// How far a limited disk may be from its rate.
const TOLERANCE: f64 = 0.1;
/// How often a disk is measured until it is as it should be.
const TRIES: usize = 3;
/// The number from which on loop devices are made: no system has so many of its own.
const FIRST_NUMBER: u32 = 530_300;
/// What a group that marks a disk is called.
const MARK: &str = "loop";

/// A disk as it is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Disk {
    /// How much it holds, file system included.
    pub size: Bytes,
    /// Bytes a second, reading and writing each; `None` is as fast as memory.
    pub rate: Option<Bytes>,
    /// Reads and writes a second, each by itself, whatever their length: what a disk that must move its arm is short of.
    /// `None` is as many as memory gives.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub iops: Option<u32>,
}

/// A disk as it was obtained.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DiskState {
    /// Where the host has it.
    pub folder: PathBuf,
    /// Its device, by the name that the kernel's tables use.
    pub device: String,
    /// What it moved before anybody used it.
    pub measured: Speed,
    /// Reads of 4 KiB a second, where their number is limited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub measured_iops: Option<u32>,
}

/// What a disk moves, in bytes a second, measured by direct I/O of one thread, one request after the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Speed {
    /// Writing.
    pub write: Bytes,
    /// Reading.
    pub read: Bytes,
}

/// Why a typed disk was refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{typed:?} is no disk: {why}")]
pub struct DiskTypeError {
    /// What was typed.
    pub typed: String,
    /// One sentence.
    pub why: String,
    /// What would be accepted.
    pub hint: String,
}

/// Why a host has no disk.
#[derive(Debug, thiserror::Error)]
pub enum DiskError {
    /// It lies in memory, which must hold it.
    #[error("the disks of the lab need {asked} of memory, and {available} are available")]
    Memory {
        /// All disks together.
        asked: Bytes,
        /// What the kernel calls available.
        available: Bytes,
    },
    /// The controller is not in a hierarchy of its own.
    #[error(
        "the disk of host {host} cannot be limited: this system has no blkio controller of cgroup version 1"
    )]
    NoController {
        /// The host.
        host: Name,
    },
    /// `mkfs.ext4` failed.
    #[error(transparent)]
    Tool(#[from] ToolError),
    /// A step of the kernel's failed.
    #[error("cannot {step} for the disk of host {host}")]
    Step {
        /// The host.
        host: Name,
        /// What was tried.
        step: &'static str,
        /// Why.
        source: io::Error,
    },
    /// It is not what it is called.
    #[error("the disk of host {host} moves {what} {obtained} a second where {asked} were asked")]
    NotObtained {
        /// The host.
        host: Name,
        /// Reading or writing.
        what: &'static str,
        /// What was asked.
        asked: Bytes,
        /// What was measured.
        obtained: Bytes,
    },
    /// Likewise, counted in operations.
    #[error("the disk of host {host} does {obtained} operations a second where {asked} were asked")]
    OperationsNotObtained {
        /// The host.
        host: Name,
        /// What was asked.
        asked: u32,
        /// What was measured.
        obtained: u32,
    },
}

impl FromStr for Disk {
    type Err = DiskTypeError;
    /// `2GiB`, `2GiB@40MB`, `2GiB@40MB/s`, `2GiB@200iops` or `2GiB@40MB,200iops`.
    fn from_str(typed: &str) -> Result<Disk, DiskTypeError> {
        let refuse = |why: String, hint: String| DiskTypeError { typed: typed.to_string(), why, hint };
        let bytes = |text: &str| {
            text.trim().parse::<Bytes>().map_err(|e: QuantityError| refuse(e.why.clone(), e.hint))
        };
        let (size, limits) = typed.split_once('@').map_or((typed, None), |(size, all)| (size, Some(all)));
        let mut disk = Disk { size: bytes(size)?, rate: None, iops: None };
        for limit in limits.into_iter().flat_map(|all| all.split(',')).map(str::trim) {
            match limit.strip_suffix("iops") {
                Some(number) => {
                    disk.iops = Some(number.trim().parse().map_err(|_| {
                        refuse(format!("{limit:?} is no number of operations"), "type 2GiB@200iops".into())
                    })?);
                }
                None => disk.rate = Some(bytes(limit.strip_suffix("/s").unwrap_or(limit))?),
            }
        }
        match disk.is_possible() {
            true => Ok(disk),
            false => Err(refuse(
                "it is outside what a lab can make".into(),
                "type a size of 16MiB to 1TiB, a rate of 1MB to 100GB a second and 10 to 1000000 operations a second, \
                 for example 2GiB@40MB or 2GiB@200iops"
                    .into(),
            )),
        }
    }
}

impl Disk {
    /// True within the bounds.
    pub fn is_possible(&self) -> bool {
        SIZES.contains(&self.size)
            && self.rate.is_none_or(|rate| RATES.contains(&rate))
            && self.iops.is_none_or(|iops| IOPS.contains(&iops))
    }

    /// True when it is slower than memory on purpose.
    fn is_limited(&self) -> bool {
        self.rate.is_some() || self.iops.is_some()
    }
}

/// Makes sure that memory holds all disks of a lab, with as much again for what works on them.
pub(crate) fn check_memory(disks: impl Iterator<Item = Disk>) -> Result<(), DiskError> {
    let asked = Bytes(disks.map(|disk| disk.size.0).sum());
    let table = fs::read_to_string("/proc/meminfo").unwrap_or_default();
    match available(&table) {
        Some(available) if asked.0 > available.0 / 2 => Err(DiskError::Memory { asked, available }),
        _ => Ok(()),
    }
}

/// MemAvailable of proc_meminfo(5), which the kernel gives in KiB.
fn available(table: &str) -> Option<Bytes> {
    let line = table.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok().map(|kib| Bytes(kib * 1024))
}

impl Disk {
    /// Makes the disk, mounts it in the host, limits and measures it. The host's processes are to join the groups that
    /// are given back, if any.
    pub(crate) fn make(
        &self,
        owner: &Owner,
        name: &Name,
        host: &Host,
    ) -> Result<(DiskState, Vec<PathBuf>), DiskError> {
        let step = |step| move |source: io::Error| DiskError::Step { host: name.clone(), step, source };
        let memory = File::from(
            memfd_create(c"goodput-lab-disk", MFdFlags::MFD_CLOEXEC)
                .map_err(|e| step("get memory")(e.into()))?,
        );
        memory.set_len(self.size.0).map_err(step("get memory"))?;
        let control = open("/dev/loop-control").map_err(step("open /dev/loop-control"))?;
        let blkio = match self.is_limited() {
            false => None,
            true => Some(
                group::hierarchy("blkio")
                    .map_err(step("find the control groups"))?
                    .ok_or_else(|| DiskError::NoController { host: name.clone() })?,
            ),
        };
        let set_up = step("set up a loop device");
        let ((number, device), below) = match &blkio {
            // Any free one will do, and stays as it was found.
            None => (free(&control, &memory).map_err(set_up)?, None),
            Some(blkio) => {
                let below = own(&control, &memory, Through::PageCache, blkio, owner).map_err(&set_up)?;
                let above = own(&control, &below.1, Through::Direct, blkio, owner).map_err(set_up)?;
                (above, Some(below))
            }
        };
        let limited = below.as_ref().map(|below| below.0);
        let path = device_path(number);
        tool::run("mkfs.ext4", &[&MKFS, &[path.as_str()][..]].concat())?;
        let mounted = host.in_mounts(|| {
            let flags = MsFlags::MS_NOATIME | MsFlags::MS_NODEV | MsFlags::MS_NOSUID;
            mount(Some(path.as_str()), FOLDER, Some("ext4"), flags, None::<&str>)?;
            proof::nameless(Path::new(FOLDER))
        });
        let file = mounted.map_err(step("mount a file system at /srv"))?;
        // From here on the mount alone keeps the device; when it goes, each lets go of what it lies on.
        drop((device, below, memory));
        if let (Some(blkio), Some(limited)) = (&blkio, limited) {
            limit(blkio, limited, Some(self)).map_err(step("set the limits"))?;
            // The limit is that of the root group; whoever is in another one passes it by.
            group::join(blkio).map_err(step("join the root group of blkio"))?;
        }
        let measure = || proof::measure(&file, self).map_err(step("measure direct I/O"));
        let mut measured = measure()?;
        // A machine that is busy with something else may be late in handing on what the limit lets pass.
        for _ in 1..TRIES {
            if self.prove(name, measured).is_err() {
                measured = measure()?;
            }
        }
        self.prove(name, measured)?;
        let measured_iops = self.prove_iops(name, &file)?;
        let device = format!("{MARK}{number}");
        let state = DiskState { folder: FOLDER.into(), device, measured, measured_iops };
        Ok((state, blkio.into_iter().collect()))
    }

    /// Measures how many operations pass and refuses a disk that is not what it is called.
    fn prove_iops(&self, host: &Name, file: &File) -> Result<Option<u32>, DiskError> {
        let Some(asked) = self.iops else { return Ok(None) };
        let mut obtained = 0;
        for _ in 0..TRIES {
            let counted = proof::operations(file);
            obtained = counted.map_err(|source| {
                let step = "measure operations by direct I/O";
                DiskError::Step { host: host.clone(), step, source }
            })?;
            if (f64::from(obtained) / f64::from(asked) - 1.0).abs() <= TOLERANCE {
                return Ok(Some(obtained));
            }
        }
        Err(DiskError::OperationsNotObtained { host: host.clone(), asked, obtained })
    }

    /// Refuses a disk that is not what it is called. Where operations are limited too, they may keep it below its rate.
    fn prove(&self, host: &Name, measured: Speed) -> Result<(), DiskError> {
        let Some(asked) = self.rate.filter(|_| self.iops.is_none()) else { return Ok(()) };
        for (what, obtained) in [("writing", measured.write), ("reading", measured.read)] {
            if (obtained.0 as f64 / asked.0 as f64 - 1.0).abs() > TOLERANCE {
                return Err(DiskError::NotObtained { host: host.clone(), what, asked, obtained });
            }
        }
        Ok(())
    }
}

/// Quiet; no room kept for root; tables and journal written now, while nothing limits or measures it, instead of later
/// by a thread of the kernel's; and no holes made in memory that has none.
const MKFS: [&str; 6] = ["-q", "-F", "-m", "0", "-E", "lazy_itable_init=0,lazy_journal_init=0,nodiscard"];

fn open(path: &str) -> io::Result<File> {
    OpenOptions::new().read(true).write(true).open(path)
}

fn device_path(number: u32) -> String {
    format!("/dev/{MARK}{number}")
}

/// Sets up the first free loop device over this memory. Others look for one too, so it may be gone meanwhile.
fn free(control: &File, memory: &File) -> io::Result<(u32, File)> {
    loop {
        let number = sys::loop_free(control)?;
        let device = open(&device_path(number))?;
        match sys::loop_configure(&device, memory, Through::PageCache) {
            Err(e) if e.kind() == io::ErrorKind::ResourceBusy => {}
            other => return other.map(|()| (number, device)),
        }
    }
}

/// Makes a loop device with a number of its own, marks it, and sets it up over this file. The mark comes first, so that
/// nothing is left unmarked whenever the keeper dies.
fn own(
    control: &File,
    backing: &File,
    through: Through,
    blkio: &Path,
    owner: &Owner,
) -> io::Result<(u32, File)> {
    for number in FIRST_NUMBER..1 << 20 {
        if Path::new(&format!("/sys/block/{MARK}{number}")).exists() {
            continue;
        }
        let mark = owner.create(blkio, &format!("{MARK}{number}"))?;
        match sys::loop_add(control, number) {
            Ok(()) => {}
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {
                fs::remove_dir(mark)?;
                continue;
            }
            Err(e) => return Err(e),
        }
        let device = open(&device_path(number))?;
        return sys::loop_configure(&device, backing, through).map(|()| (number, device));
    }
    Err(io::Error::other("no number for a loop device is free"))
}

/// The number of the disk that a group of this purpose marks.
pub(crate) fn marked(what: &str) -> Option<u32> {
    what.strip_prefix(MARK)?.parse().ok().filter(|number| *number >= FIRST_NUMBER)
}

/// Limits a disk, or lifts its limits. A device that is not there any more has none.
pub(crate) fn limit(blkio: &Path, number: u32, disk: Option<&Disk>) -> io::Result<()> {
    let Ok(device) = fs::read_to_string(format!("/sys/block/{MARK}{number}/dev")) else { return Ok(()) };
    for direction in ["read", "write"] {
        let rate = disk.and_then(|disk| disk.rate).map_or(0, |rate| rate.0);
        let iops = disk.and_then(|disk| disk.iops).map_or(0, u64::from);
        for (what, limit) in [("bps", rate), ("iops", iops)] {
            let file = blkio.join(format!("blkio.throttle.{direction}_{what}_device"));
            // 0 lifts it (Documentation/admin-guide/cgroup-v1/blkio-controller.rst).
            fs::write(file, format!("{} {limit}", device.trim())).or_else(gone)?;
        }
    }
    Ok(())
}

/// What another command has removed meanwhile is gone as well.
fn gone(error: io::Error) -> io::Result<()> {
    if error.raw_os_error() == Some(libc::ENODEV) { Ok(()) } else { Err(error) }
}

/// Removes the loop device of a lab that is gone. Busy while the kernel is not done with its mount.
pub(crate) fn remove(number: u32) -> io::Result<()> {
    if !Path::new(&format!("/sys/block/{MARK}{number}")).exists() {
        return Ok(());
    }
    sys::loop_remove(&open("/dev/loop-control")?, number).or_else(gone)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_disk_is_a_size_and_perhaps_a_rate() {
        let disk = |size, rate: Option<u64>| Disk { size: Bytes(size), rate: rate.map(Bytes), iops: None };
        assert_eq!("2GiB".parse(), Ok(disk(2 << 30, None)));
        assert_eq!("2GiB@40MB".parse(), Ok(disk(2 << 30, Some(40_000_000))));
        assert_eq!("512 MiB @ 40MB/s".parse(), Ok(disk(512 << 20, Some(40_000_000))));
        let seeking = |rate, iops| Ok(Disk { iops: Some(iops), ..disk(1 << 30, rate) });
        assert_eq!("1GiB@200iops".parse(), seeking(None, 200));
        assert_eq!("1GiB@40MB, 200 iops".parse(), seeking(Some(40_000_000), 200));
        for bad in [
            "1GiB@1iops",
            "1GiB@iops",
            "1GiB@-5iops",
            "1GiB@200iops,",
            "",
            "2G",
            "2GiB@",
            "2GiB@40M",
            "1MiB",
            "2GiB@1kB",
            "2TiB",
            "2GiB@40Mbit",
        ] {
            let refused = bad.parse::<Disk>().unwrap_err();
            assert!(!refused.hint.is_empty(), "{bad}");
        }
    }

    #[test]
    fn a_slow_disk_must_be_slow() {
        let host: Name = "a".parse().unwrap();
        let disk = Disk { size: Bytes(1 << 30), rate: Some(Bytes(40_000_000)), iops: None };
        let refused =
            |write, read| disk.prove(&host, Speed { write: Bytes(write), read: Bytes(read) }).is_err();
        assert!(!refused(39_000_000, 41_000_000));
        assert!(refused(39_000_000, 400_000_000));
        assert!(refused(30_000_000, 40_000_000));
    }

    #[test]
    fn only_devices_of_a_lab_are_removed() {
        assert_eq!(marked("loop530301"), Some(530_301));
        for other in ["loop0", "loop7", "loop", "web", "loopx"] {
            assert_eq!(marked(other), None, "{other}");
        }
    }

    #[test]
    fn memory_is_what_the_kernel_calls_available() {
        let table = "MemTotal:       24684096 kB\nMemFree:          100 kB\nMemAvailable:   24166188 kB\n";
        assert_eq!(available(table), Some(Bytes(24_166_188 * 1024)));
        assert_eq!(available(""), None);
    }
}
