//! Runs a command inside a host of a running lab: `goodput lab exec`, and measuring commands with a lab host.

use crate::cgroup;
use crate::cpu_pin::{CpuPin, PINNED_CPU_ENV};
use crate::lab_name::LabOrHostName;
use crate::lab_state::{LabState, LinkState};
use crate::namespace::NamespaceHandle;
use crate::process;
use crate::sys::{self, ProcessSetup};
use goodput_model::host::link_relay::LINK_RELAY_COUNTER_FILES_ENV;
use goodput_words::{Message, error_messages, message};
use nix::sched::{CloneFlags, setns};
use nix::sys::signal::{SigSet, Signal, kill};
use nix::sys::signalfd::SignalFd;
use nix::unistd::Pid;
use std::ffi::CString;
use std::fs::File;
use std::io;
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::MetadataExt;
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus};

const PASSED_ON: [Signal; 6] =
    [Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP, Signal::SIGQUIT, Signal::SIGUSR1, Signal::SIGUSR2];

#[derive(Debug)]
pub struct ExecError {
    what: Message,
    hint: Option<Message>,
    source: Option<io::Error>,
}

error_messages! {
    ExecError { ExecError { what, .. } => what }
    sources { ExecError { source: Some(source), .. } => source }
}

impl ExecError {
    pub fn hint(&self) -> Option<Message> {
        self.hint.clone()
    }

    fn new(what: Message, hint: Option<Message>) -> ExecError {
        ExecError { what, hint, source: None }
    }

    fn because(what: Message) -> impl FnOnce(io::Error) -> ExecError {
        |source| ExecError { what, hint: None, source: Some(source) }
    }
}

/// Runs a command in a host and returns its exit status. It has this process's folder and standard streams,
/// receives its signals, and dies with it. Must be called before any thread is started, and no thread can be
/// started afterwards: the process has entered the lab's PID namespace for its children.
pub fn run_in_host(
    lab: &LabState,
    host: &LabOrHostName,
    mut command: Command,
) -> Result<ExitStatus, ExecError> {
    let state = lab.host(host).ok_or_else(|| {
        let hosts: Vec<&LabOrHostName> = lab.hosts.iter().map(|h| &h.name).collect();
        let lab = &lab.name;
        let hint = hosts.first().map(|host| message!(hint_lab_use_host { host: *host, lab }));
        ExecError::new(message!(error_lab_has_no_host { lab, host, hosts }), hint)
    })?;
    let name = &lab.name;
    let enter = |source: io::Error| match lab.keeper.is_running() {
        true => ExecError::because(message!(error_lab_enter_host { host, lab: name }))(source),
        false => {
            let hint = message!(hint_lab_down_then_up { name });
            ExecError::new(message!(error_lab_is_gone { name }), Some(hint))
        }
    };
    match process::thread_count().map_err(enter)? {
        1 => {}
        more => {
            let what = format!("a host is entered before any thread is started, this program has {more}");
            return Err(ExecError::new(what.into(), None));
        }
    }
    let namespaces = vec![
        (held(lab, state.namespaces.net).map_err(enter)?, CloneFlags::CLONE_NEWNET),
        (held(lab, state.namespaces.uts).map_err(enter)?, CloneFlags::CLONE_NEWUTS),
        (held(lab, state.namespaces.mnt).map_err(enter)?, CloneFlags::CLONE_NEWNS),
    ];
    let setup = prepare_host_process(&mut command, host, &lab.links, lab.pin.as_ref(), &state.groups);
    let setup = setup.map_err(enter)?;
    enter_for_children(lab).map_err(enter)?;
    let folder = std::env::current_dir().ok().and_then(|f| CString::new(f.into_os_string().into_vec()).ok());
    sys::set_pre_exec(&mut command, ProcessSetup { namespaces, folder, dies_with_parent: true, ..setup });
    let program = command.get_program().to_string_lossy().into_owned();

    let failed = |e: io::Error| ExecError::because(message!(error_lab_wait_for_command { host }))(e);
    let mut signals = SigSet::from_iter(PASSED_ON);
    signals.add(Signal::SIGCHLD);
    signals.thread_block().map_err(|e| failed(e.into()))?;
    let source = SignalFd::new(&signals).map_err(|e| failed(e.into()))?;
    let child = command.spawn();
    let mut child = child.map_err(ExecError::because(message!(error_lab_start_in_host { program, host })))?;
    follow(&mut child, &source).map_err(failed)
}

/// What every process in a host has, beside its namespaces; sets its environment.
pub(crate) fn prepare_host_process(
    command: &mut Command,
    host: &LabOrHostName,
    links: &[LinkState],
    pin: Option<&CpuPin>,
    groups: &[PathBuf],
) -> io::Result<ProcessSetup> {
    if let Some(pin) = pin.filter(|pin| pin.host == *host) {
        command.env(PINNED_CPU_ENV, pin.cpu.to_string());
    }
    let relays = links.iter().filter(|link| link.hosts.contains(host)).filter_map(|link| link.relay.as_ref());
    let files: Vec<String> = relays.map(|relay| relay.record.display().to_string()).collect();
    if !files.is_empty() {
        command.env(LINK_RELAY_COUNTER_FILES_ENV, files.join(":"));
    }
    let cpus = pin.map_or_else(Vec::new, |pin| pin.cpus_for_host(host).to_vec());
    let groups = groups.iter().map(|group| cgroup::open_cgroup_procs(group)).collect::<io::Result<_>>()?;
    Ok(ProcessSetup { groups, cpus, ..ProcessSetup::default() })
}

/// The exit code of a shell: the command's own, or 128 plus the signal's number.
pub fn exit_code(status: ExitStatus) -> u8 {
    let code = status.code().or_else(|| status.signal().map(|signal| 128 + signal)).unwrap_or(1);
    u8::try_from(code & 0xff).unwrap_or(1)
}

/// Verifies that it is the namespace meant.
fn held(lab: &LabState, handle: NamespaceHandle) -> io::Result<File> {
    let file = File::open(format!("/proc/{}/fd/{}", lab.keeper.pid, handle.fd))?;
    if file.metadata()?.ino() == handle.inode && lab.keeper.is_running() {
        Ok(file)
    } else {
        Err(io::ErrorKind::NotFound.into())
    }
}

fn enter_for_children(lab: &LabState) -> io::Result<()> {
    let open = |kind| File::open(format!("/proc/{}/ns/{kind}", lab.keeper.pid));
    let (user, pid) = (open("user")?, open("pid")?);
    // Only now is it certain that these were the keeper's, not those of a process that reused its number.
    if !lab.keeper.is_running() {
        return Err(io::ErrorKind::NotFound.into());
    }
    if lab.user_namespace {
        setns(user, CloneFlags::CLONE_NEWUSER)?;
    }
    setns(pid, CloneFlags::CLONE_NEWPID)?;
    Ok(())
}

/// Forwards signals.
fn follow(child: &mut Child, signals: &SignalFd) -> io::Result<ExitStatus> {
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status);
        }
        let Some(info) = signals.read_signal()? else { continue };
        let signal = Signal::try_from(info.ssi_signo as i32)?;
        // The terminal sends its signals to the whole process group, the command included.
        let from_terminal = info.ssi_code == libc::SI_KERNEL;
        if signal != Signal::SIGCHLD && !from_terminal {
            match kill(Pid::from_raw(child.id() as i32), signal) {
                Ok(()) | Err(nix::errno::Errno::ESRCH) => {}
                Err(e) => return Err(e.into()),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab_state::tests::state;

    #[test]
    fn codes_are_as_a_shell_gives_them() {
        assert_eq!(exit_code(ExitStatus::from_raw(0)), 0);
        assert_eq!(exit_code(ExitStatus::from_raw(7 << 8)), 7);
        assert_eq!(exit_code(ExitStatus::from_raw(9)), 137);
    }

    #[test]
    fn an_unknown_host_is_told_the_known_ones() {
        let error = run_in_host(&state("x"), &"z".parse().unwrap(), Command::new("true")).unwrap_err();
        assert_eq!(error.to_string(), "lab x has no host z; it has a, b, c");
    }
}
