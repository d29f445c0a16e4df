//! Identifies a process by number and start time, because the kernel reuses numbers.

use crate::sys;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::unistd::{dup2_stdin, dup2_stdout};
use serde::{Deserialize, Serialize};
use std::fs::{self, OpenOptions};
use std::io;
use std::os::fd::AsFd;
use std::time::Duration;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProcessId {
    /// In the PID namespace of `lab up`.
    pub pid: i32,
    /// In ticks since boot (field 22 of proc_pid_stat(5)).
    pub start_ticks: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum KillOutcome {
    Gone,
    WasGone,
    Still,
}

impl ProcessId {
    pub(crate) fn from_proc_stat(proc: &str, pid: &str) -> io::Result<ProcessId> {
        let stat = fs::read_to_string(format!("{proc}/{pid}/stat"))?;
        let unreadable = || io::Error::other(format!("{proc}/{pid}/stat has an unknown form"));
        parse(&stat).map(|(id, _)| id).ok_or_else(unreadable)
    }

    /// False for a zombie and a process that ends, though the kernel may still write back its mounts.
    pub fn is_running(&self) -> bool {
        let Ok(stat) = fs::read_to_string(format!("/proc/{}/stat", self.pid)) else { return false };
        parse(&stat).is_some_and(|(id, running)| id == *self && running)
    }

    pub(crate) fn kill(&self, patience: Duration) -> io::Result<KillOutcome> {
        let handle = match sys::pidfd_open(self.pid) {
            Ok(handle) => handle,
            Err(e) if e.raw_os_error() == Some(libc::ESRCH) => return Ok(KillOutcome::WasGone),
            Err(e) => return Err(e),
        };
        // The handle is tied to the process; only now is the start time certain to be its own.
        if !self.is_running() {
            return Ok(KillOutcome::WasGone);
        }
        match sys::pidfd_signal(handle.as_fd(), libc::SIGKILL) {
            Err(e) if e.raw_os_error() != Some(libc::ESRCH) => return Err(e),
            _ => {}
        }
        let timeout = PollTimeout::try_from(patience).unwrap_or(PollTimeout::MAX);
        let ended = poll(&mut [PollFd::new(handle.as_fd(), PollFlags::POLLIN)], timeout)?;
        Ok(if ended > 0 { KillOutcome::Gone } else { KillOutcome::Still })
    }
}

/// PF_EXITING in include/linux/sched.h.
const PF_EXITING: u32 = 0x4;

/// Also whether it is running. The command's name is in parentheses and may contain any character, so fields
/// are counted from the last one.
fn parse(stat: &str) -> Option<(ProcessId, bool)> {
    let (before, after) = (stat.split_once(" (")?.0, stat.rsplit_once(") ")?.1);
    let mut fields = after.split(' ');
    let state = fields.next()?.chars().next()?;
    // After the state (field 3): flags are field 9, start time field 22.
    let flags: u32 = fields.nth(5)?.parse().ok()?;
    let running = !matches!(state, 'Z' | 'X') && flags & PF_EXITING == 0;
    Some((ProcessId { pid: before.parse().ok()?, start_ticks: fields.nth(12)?.parse().ok()? }, running))
}

pub(crate) fn boot_id() -> io::Result<String> {
    Ok(fs::read_to_string("/proc/sys/kernel/random/boot_id")?.trim().to_string())
}

pub(crate) fn pid_namespace() -> io::Result<u64> {
    use std::os::unix::fs::MetadataExt;
    Ok(fs::metadata("/proc/self/ns/pid")?.ino())
}

/// From the pipe and the lock of `lab up`.
pub(crate) fn detach_standard_streams() -> io::Result<()> {
    let null = OpenOptions::new().read(true).write(true).open("/dev/null")?;
    dup2_stdin(&null)?;
    Ok(dup2_stdout(&null)?)
}

pub(crate) fn thread_count() -> io::Result<usize> {
    Ok(fs::read_dir("/proc/self/task")?.count())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const LINE: &str = "4242 (a) Z (b c) S 1 4242 4242 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 987654 1 2 3\n";

    #[test]
    fn a_command_with_parentheses_does_not_mislead() {
        let id = ProcessId { pid: 4242, start_ticks: 987_654 };
        assert_eq!(parse(LINE), Some((id, true)));
        assert_eq!(parse(&LINE.replace("4194560", "4194564")), Some((id, false)));
        assert_eq!(parse(&LINE.replace(") S", ") Z")), Some((id, false)));
    }

    #[test]
    fn a_number_given_again_is_another_process_and_a_killed_one_is_gone() {
        let me = ProcessId::from_proc_stat("/proc", "self").unwrap();
        assert!(me.is_running() && me.pid == std::process::id() as i32);
        let earlier = ProcessId { start_ticks: me.start_ticks - 1, ..me };
        assert!(!earlier.is_running());
        assert_eq!(earlier.kill(Duration::ZERO).unwrap(), KillOutcome::WasGone);
        let mut child = std::process::Command::new("sleep").arg("60").spawn().unwrap();
        let id = ProcessId::from_proc_stat("/proc", &child.id().to_string()).unwrap();
        assert_eq!(id.kill(Duration::from_secs(5)).unwrap(), KillOutcome::Gone);
        assert!(!id.is_running());
        child.wait().unwrap();
    }

    proptest! {
        #[test]
        fn no_line_makes_it_panic(line in "[0-9]{0,3} ?\\(?.{0,40}\\)? ?[0-9 SZ]{0,60}") {
            let _ = parse(&line);
        }
    }
}
