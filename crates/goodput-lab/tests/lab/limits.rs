//! Cases of hosts that have a disk, a share of the CPU or a cost of packets of their own.

use crate::case::{address, number, raise, same, take_down};
use crate::stage::{Stage, fresh_name};
use crate::witness::{device, eventually, groups, nothing_left};
use goodput_lab::disk::DISK_MOUNT_POINT;
use goodput_lab::{LabStartFailureKind, StartLabError, StopLabOutcome, Topology, list_labs};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use std::fs;
use std::path::Path;

fn with(line: &str) -> Topology {
    let text = format!("[[host]]\nname='a'\n{line}\n[[host]]\nname='b'\n[[link]]\nhosts=['a','b']\n");
    Topology::from_toml(&text).unwrap()
}

/// Checks the refusal for other users than root.
fn may(stage: &Stage, line: &str, controller: &str) -> Result<bool, String> {
    if nix::unistd::geteuid().is_root() {
        let there = Path::new("/sys/fs/cgroup").join(controller).join("cgroup.procs").exists();
        if !there {
            println!("not looked at: there is no {controller} controller of cgroup version 1");
        }
        return Ok(there);
    }
    match stage.up(&fresh_name(), with(line)) {
        Err(StartLabError::Refused(r)) if r.kind == LabStartFailureKind::NotPermitted => {
            same("the hint", r.hint.as_deref(), Some("run as root"))?;
            Ok(false)
        }
        other => Err(format!("{other:?}")),
    }
}

/// Direct and cached I/O keep the rate; the outside does not see the disk.
pub fn a_disk(stage: &Stage) -> Result<(), String> {
    const LINE: &str = "disk='256MiB@40MB/s'";
    if !may(stage, LINE, "blkio")? {
        return Ok(());
    }
    let outside = || fs::read_dir(DISK_MOUNT_POINT).map(Iterator::count).map_err(|e| e.to_string());
    let before = outside()?;
    let lab = raise(stage, with(LINE))?;
    let disk = lab.hosts[0].disk.clone().ok_or("no disk in the state")?;
    for speed in [disk.measured.write, disk.measured.read] {
        same("within a tenth of 40 MB/s", (36e6..44e6).contains(&(speed.0 as f64)), true)?;
    }
    same("the other host's disk", lab.hosts[1].disk.is_none(), true)?;
    let rate = number(&stage.guest(&lab, "a", &["write", "/srv/x", "20000000"])?)?;
    // A tenth of a second's worth passes at once, a fifth of these 20 MB.
    same(&format!("{rate} B/s written and flushed is at most 52 MB/s"), rate < 52e6, true)?;
    same("the file", stage.said(&lab, "a", &["stat", "-c", "%s", "/srv/x"])?, "20000000".into())?;
    same("the file outside", outside()?, before)?;
    stage.said(&lab, "b", &["test", "!", "-e", "/srv/x"])?;
    same("marks of its two devices", groups(&lab).len(), 2)?;
    same("the device", device(&lab), true)?;
    take_down(stage, &lab, StopLabOutcome::Stopped)?;
    same("the device", device(&lab), false)
}

/// With data that would take 40 s at the disk's rate.
pub fn a_killed_keeper(stage: &Stage) -> Result<(), String> {
    const LINE: &str = "disk='256MiB@2MB/s'\ncpu_share='50%'";
    if !may(stage, LINE, "blkio")? {
        return Ok(());
    }
    let lab = raise(stage, with(LINE))?;
    let words = ["dd", "if=/dev/zero", "of=/srv/x", "bs=1M", "count=80", "status=none"];
    stage.said(&lab, "a", &words)?;
    kill(Pid::from_raw(lab.keeper.pid), Signal::SIGKILL).map_err(|e| e.to_string())?;
    eventually(|| same("the keeper runs", lab.keeper.is_running(), false))?;
    // Any lab command removes it. With its limit, 80 MB of write-back would outlast the 10 s for removal.
    let labs = list_labs(&stage.runtime).map_err(|e| e.to_string())?;
    same("what is left", labs.left, vec![])?;
    same("the device", device(&lab), false)?;
    nothing_left(&lab)?;
    take_down(stage, &lab, StopLabOutcome::NothingRuns)
}

pub fn a_share(stage: &Stage) -> Result<(), String> {
    const LINE: &str = "cpu_share='25%'";
    if !may(stage, LINE, "cpu")? {
        return Ok(());
    }
    let lab = raise(stage, with(LINE))?;
    let share = lab.hosts[0].cpu_share.clone().ok_or("no share in the state")?;
    same("the quota", (share.quota_us, share.period_us), (2_500, 10_000))?;
    let both = std::thread::scope(|scope| {
        let spin = || number(&stage.guest(&lab, "a", &["spin", "1000"])?);
        let other = scope.spawn(spin);
        Ok::<f64, String>(spin()? + other.join().unwrap()?)
    })?;
    same(&format!("{both} % of a CPU is at most 30"), both < 30.0, true)?;
    let agent = lab.hosts[0].process.pid;
    let group = fs::read_to_string(format!("/proc/{agent}/cgroup")).map_err(|e| e.to_string())?;
    same("the group of the host's own command", group.contains("goodput-lab."), true)?;
    let free = stage.said(&lab, "b", &["cat", "/proc/self/cgroup"])?;
    same("the other host's group", free.contains("goodput-lab."), false)?;
    take_down(stage, &lab, StopLabOutcome::Stopped)
}

pub fn packets(stage: &Stage) -> Result<(), String> {
    let lab = raise(stage, with("packet_cost=2000"))?;
    let cost = lab.hosts[0].packet_cost.clone().ok_or("no cost in the state")?;
    same("rules", cost.rules, 2000)?;
    same("a cost above a microsecond", cost.packet_ns > 1_000, true)?;
    for end in &lab.links[0].ends {
        same("the offloads", end.offloads.obtained, end.offloads.asked)?;
        same("offloads asked to be off", end.offloads.asked.is_some(), true)?;
    }
    // From a, datagram and ICMP error pay; from b a likewise pays both times. Loopback of a does not.
    let own = number(&stage.guest(&lab, "a", &["datagrams", "127.0.0.1", "2000"])?)?;
    let out = number(&stage.guest(&lab, "a", &["datagrams", &address(&lab, "a", "b"), "2000"])?)?;
    let cost = cost.packet_ns as f64;
    // ICMP errors are rate-limited (icmp_msgs_per_sec), so only one pass is certain; a busy machine inflates
    // the measured cost.
    same(&format!("{out} ns is {own} ns and at least {} ns more", cost / 4.0), out - own > cost / 4.0, true)?;
    take_down(stage, &lab, StopLabOutcome::Stopped)
}
