//! Starts a lab: writes the key, starts the keeper and waits for its reply.

use crate::cgroup;
use crate::cleanup;
use crate::lab_name::LabOrHostName;
use crate::lab_plan::{
    HostCommand, HostEnvironment, LabPlan, LabStartReply, ProgramInvocation, lab_start_timeout,
};
use crate::lab_process::last_log_lines;
use crate::lab_state::LabState;
use crate::process;
use crate::runtime_folder::{RuntimeFolder, RuntimeFolderError, RuntimeLock};
use crate::start_failure::LabStartFailure;
use crate::topology::Topology;
use goodput_words::{Message, error_messages, message};
use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use std::fs::OpenOptions;
use std::io::{self, Read, Write};
use std::net::Shutdown;
use std::os::fd::OwnedFd;
use std::os::unix::fs::OpenOptionsExt;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

#[derive(Debug, Clone)]
pub struct StartLabRequest {
    pub name: LabOrHostName,
    /// Checked with [`Topology::checked`].
    pub topology: Topology,
    /// This program's command line for [`crate::keeper::main`]; the lab's name follows, for process lists.
    pub keeper: ProgramInvocation,
    /// Content of the key file (mode 600).
    pub key: Vec<u8>,
}

/// Nothing of the lab is left.
#[derive(Debug)]
pub enum StartLabError {
    Running {
        name: LabOrHostName,
        /// True when its topology is the requested one, so that it can be used.
        identical: bool,
    },
    Elsewhere {
        name: LabOrHostName,
        state_file: PathBuf,
    },
    Runtime(RuntimeFolderError),
    Write {
        path: PathBuf,
        source: io::Error,
    },
    Start {
        program: PathBuf,
        source: io::Error,
    },
    Refused(LabStartFailure),
    Died {
        name: LabOrHostName,
        how: String,
        log: Option<String>,
    },
    Late {
        name: LabOrHostName,
        after: Duration,
        log: Option<String>,
    },
}

error_messages! {
    StartLabError {
        StartLabError::Running { name, identical: true } => message!(error_lab_same_topology { name }),
        StartLabError::Running { name, .. } => message!(error_lab_another_topology { name }),
        StartLabError::Elsewhere { name, .. } => message!(error_lab_elsewhere_unknown { name }),
        StartLabError::Runtime(e) => e.message_with_sources(),
        StartLabError::Write { path, .. } =>
            message!(error_cannot_write { path: path.display().to_string() }),
        StartLabError::Start { program, .. } =>
            message!(error_lab_start_keeper { program: program.display().to_string() }),
        StartLabError::Refused(e) => e.message(),
        StartLabError::Died { name, how, log } =>
            with_last_words(message!(error_lab_keeper_died { name, how }), log.as_deref()),
        StartLabError::Late { name, after, log } =>
            with_last_words(message!(error_lab_late { name, seconds: after.as_secs() }), log.as_deref()),
    }
    sources { StartLabError::Write { source, .. } | StartLabError::Start { source, .. } => source }
    from { RuntimeFolderError => StartLabError::Runtime }
}

fn with_last_words(what: Message, log: Option<&str>) -> Message {
    match log {
        Some(words) => message!(error_lab_last_words { what, words }),
        None => what,
    }
}

impl StartLabError {
    pub fn hint(&self) -> Option<Message> {
        match self {
            StartLabError::Running { name, .. } => Some(format!("goodput lab down {name}").into()),
            StartLabError::Elsewhere { state_file, .. } => {
                Some(message!(hint_lab_if_gone { file: state_file.display().to_string() }))
            }
            StartLabError::Runtime(e) => Some(e.hint()),
            StartLabError::Refused(refusal) => refusal.hint.clone(),
            _ => None,
        }
    }
}

/// Returns when every host's command listens, after at most 10 s and 6 s for each disk. The lab outlives this
/// process. `command` is called for each host.
pub fn start_lab(
    runtime: &RuntimeFolder,
    order: &StartLabRequest,
    command: impl FnMut(&HostEnvironment) -> HostCommand,
) -> Result<LabState, StartLabError> {
    let lock = runtime.lock()?;
    let raised = free(runtime, &lock, order).and_then(|()| {
        let raised = raise(runtime, &lock, order, command);
        if raised.is_err() {
            runtime.remove_lab(order.name.as_str())?;
            // The next command removes the rest.
            let _ = cgroup::remove_stale_cgroups();
        }
        raised
    });
    runtime.remove_if_empty();
    raised
}

fn free(runtime: &RuntimeFolder, lock: &RuntimeLock, order: &StartLabRequest) -> Result<(), StartLabError> {
    let labs = cleanup::remove_dead_labs(runtime, lock)?;
    if let Some(lab) = labs.running.iter().find(|lab| lab.name == order.name) {
        let identical = lab.topology == order.topology;
        return Err(StartLabError::Running { name: lab.name.clone(), identical });
    }
    if let Some(lab) = labs.elsewhere.iter().find(|lab| lab.name == order.name) {
        let state_file = runtime.state_file(&order.name);
        return Err(StartLabError::Elsewhere { name: lab.name.clone(), state_file });
    }
    Ok(LabState::read(runtime, &order.name).map(drop)?)
}

fn raise(
    runtime: &RuntimeFolder,
    lock: &RuntimeLock,
    order: &StartLabRequest,
    command: impl FnMut(&HostEnvironment) -> HostCommand,
) -> Result<LabState, StartLabError> {
    let key_file = runtime.key_file(&order.name);
    let write = |path: &Path, mode| {
        let opened = OpenOptions::new().write(true).create_new(true).mode(mode).open(path);
        opened.map_err(|source| StartLabError::Write { path: path.to_path_buf(), source })
    };
    let mut key = write(&key_file, 0o600)?;
    key.write_all(&order.key).map_err(|source| StartLabError::Write { path: key_file.clone(), source })?;
    let log = write(&runtime.log_file(&order.name), 0o600)?;

    let failed = |source| StartLabError::Start { program: order.keeper.program.clone(), source };
    let plan = plan(runtime, order, command).map_err(failed)?;
    let (mut ours, theirs) = UnixStream::pair().map_err(failed)?;
    let mut keeper = Command::new(&order.keeper.program)
        .args(&order.keeper.args)
        .arg(order.name.as_str())
        // The keeper holds the lock as well: if this process is killed, nobody starts a lab of the same name
        // before the keeper has exited.
        .stdin(Stdio::from(lock.clone_for_child().map_err(failed)?))
        .stdout(Stdio::from(OwnedFd::from(theirs)))
        .stderr(Stdio::from(log))
        .spawn()
        .map_err(failed)?;
    let (since, patience) = (Instant::now(), lab_start_timeout(&order.topology));
    let heard = send(&mut ours, &plan, patience).and_then(|()| read_answer(&mut ours, since, patience));
    let answer = heard.map(|text| serde_json::from_str::<LabStartReply>(&text));
    if !matches!(answer, Ok(Ok(LabStartReply::Ready(_)))) {
        end(&mut keeper);
    }
    let status = keeper.wait().map_err(failed)?;
    let name = order.name.clone();
    let log = last_log_lines(&runtime.log_file(&order.name));
    match answer {
        Ok(Ok(LabStartReply::Ready(lab))) => Ok(*lab),
        Ok(Ok(LabStartReply::Refused(refusal))) => Err(StartLabError::Refused(refusal)),
        Ok(Err(_)) => Err(StartLabError::Died { name, how: status.to_string(), log }),
        Err(e) if matches!(e.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut) => {
            Err(StartLabError::Late { name, after: patience, log })
        }
        Err(e) => Err(StartLabError::Died { name, how: format!("{status}, {e}"), log }),
    }
}

fn plan(
    runtime: &RuntimeFolder,
    order: &StartLabRequest,
    mut command: impl FnMut(&HostEnvironment) -> HostCommand,
) -> io::Result<LabPlan> {
    let ipv6 = Path::new("/proc/net/if_inet6").exists();
    let commands = order.topology.hosts.iter().map(|host| {
        let place = HostEnvironment {
            lab: order.name.clone(),
            host: host.name.clone(),
            key_file: runtime.key_file(&order.name),
        };
        let log = runtime.labs_folder().join(format!("{}.{}.log", order.name, host.name));
        (command(&place), log)
    });
    Ok(LabPlan {
        name: order.name.clone(),
        topology: order.topology.clone(),
        commands: commands.collect(),
        ipv6,
        user_namespace: !nix::unistd::geteuid().is_root(),
        boot_id: process::boot_id()?,
        pid_namespace: process::pid_namespace()?,
        runtime: runtime.clone(),
    })
}

fn send(channel: &mut UnixStream, plan: &LabPlan, patience: Duration) -> io::Result<()> {
    channel.set_write_timeout(Some(patience))?;
    channel.write_all(&serde_json::to_vec(plan)?)?;
    channel.shutdown(Shutdown::Write)
}

/// The answer's line, or what arrived before the keeper ended.
fn read_answer(channel: &mut UnixStream, since: Instant, patience: Duration) -> io::Result<String> {
    let mut text = Vec::new();
    let mut buffer = [0; 4096];
    while !text.ends_with(b"\n") {
        let left = patience.saturating_sub(since.elapsed());
        if left.is_zero() {
            return Err(io::ErrorKind::TimedOut.into());
        }
        channel.set_read_timeout(Some(left))?;
        match channel.read(&mut buffer) {
            Ok(0) => break,
            Ok(n) => text.extend_from_slice(&buffer[..n]),
            // A wait with a timeout is not restarted after a signal (signal(7)).
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    }
    String::from_utf8(text).map_err(io::Error::other)
}

/// Kills both halves of a keeper. Its number cannot have been reused, because this process has not waited for
/// it yet; both halves are in the first's session.
fn end(keeper: &mut Child) {
    let _ = keeper.kill();
    let session = Pid::from_raw(keeper.id() as i32);
    let _ = killpg(session, Signal::SIGKILL);
    let since = Instant::now();
    while killpg(session, None).is_ok() && since.elapsed() < Duration::from_secs(1) {
        // The first half stays a zombie of the session until it is waited for.
        if keeper.try_wait().is_err() {
            break;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}
