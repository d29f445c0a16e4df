//! The keeper: the process that holds a lab. It creates the lab, reports, and waits; when it dies, the kernel
//! removes all processes and networks of the lab. It is the caller's own program with a hidden argument,
//! because only a process with one thread can enter a user namespace.

mod limits;
mod start;

use crate::cgroup::CgroupOwner;
use crate::cpu_pin::CpuPin;
use crate::cpu_quota::CpuQuotaError;
use crate::disk::DiskError;
use crate::emulated_bus::EmulatedBusError;
use crate::lab_plan::{LISTEN_TIMEOUT, LabPlan, LabStartFailure, LabStartFailureKind, LabStartReply};
use crate::name::Name;
use crate::namespace::{self, NamespaceError, OpenNamespaces};
use crate::network::{NetworkBuilder, NetworkError};
use crate::packet_cost::PacketCostError;
use crate::process;
use crate::relay::{self, RelayError, RelayStation};
use crate::state::{LabState, STATE_SCHEMA};
use crate::sys::{self, ForkResult};
use crate::tool::ToolError;
use crate::veth::{VethPair, VethPort, veth_pairs};
use nix::errno::Errno;
use nix::sys::signal::{SigSet, Signal};
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::Pid;
use start::RunningHost;
use std::error::Error;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::fs::FileTypeExt;
use std::os::unix::net::UnixStream;
use std::path::Path;

#[derive(Debug, thiserror::Error)]
pub enum LabProcessError {
    #[error("the keeper of a lab is started by goodput lab up, not by hand")]
    ByHand,
    #[error("cannot speak with goodput lab up")]
    Orders(#[source] io::Error),
    #[error("the keeper must be the first thing of its program, this one has {0} threads")]
    Threads(usize),
    #[error(transparent)]
    Namespace(#[from] NamespaceError),
    #[error(transparent)]
    Network(#[from] NetworkError),
    #[error("host {host} cannot be given {what} without being root")]
    OnlyRoot { host: Name, what: &'static str },
    #[error(transparent)]
    Share(#[from] CpuQuotaError),
    #[error(transparent)]
    Disk(#[from] DiskError),
    #[error("cannot make host {host} pay for packets")]
    Cost { host: Name, source: PacketCostError },
    #[error("cannot put host {host} onto its bus")]
    Bus { host: Name, source: EmulatedBusError },
    #[error("cannot relay link {link}")]
    Relay {
        /// Counted from 1.
        link: usize,
        source: RelayError,
    },
    #[error("cannot look after the processes of the lab")]
    Processes(#[source] io::Error),
    #[error("cannot write {path}")]
    State { path: String, source: io::Error },
    #[error("cannot start {program} in host {host}")]
    Start { host: Name, program: String, source: io::Error },
    #[error("the command of host {host} ended at once: {how}")]
    Ended { host: Name, how: String },
    #[error("the command of host {host} does not listen on TCP port {port} after {} s", LISTEN_TIMEOUT.as_secs())]
    Silent { host: Name, port: u16 },
}

/// To be called first when the program has the hidden argument. Returns when the lab has ended, or at once in
/// the half that only starts it; failures have been reported to `lab up`.
pub fn run_lab_process() -> Result<(), LabProcessError> {
    let stdout = io::stdout().as_fd().try_clone_to_owned().map_err(LabProcessError::Orders)?;
    let channel = File::from(stdout);
    let kind = channel.metadata().map_err(LabProcessError::Orders)?.file_type();
    if !kind.is_socket() {
        return Err(LabProcessError::ByHand);
    }
    let mut channel = UnixStream::from(std::os::fd::OwnedFd::from(channel));
    let mut orders = String::new();
    channel.read_to_string(&mut orders).map_err(LabProcessError::Orders)?;
    let plan: LabPlan = serde_json::from_str(&orders).map_err(|e| LabProcessError::Orders(e.into()))?;
    let kept = found(&plan).and_then(|first| if first { keep(&plan, &mut channel) } else { Ok(()) });
    if let Err(error) = &kept
        && send_answer(&mut channel, &LabStartReply::Refused(refusal(error, &plan))).is_err()
    {
        forget(&plan);
    }
    kept
}

/// Removes the lab's files after `lab up` was killed. This process still holds the lock.
fn forget(plan: &LabPlan) {
    let logs = plan.commands.iter().map(|(_, log)| log);
    let relays: Vec<_> = (0..plan.topology.links.len()).map(|link| plan.relay_record_file(link)).collect();
    for file in [&plan.state_file, &plan.key_file, &plan.log_file].into_iter().chain(logs).chain(&relays) {
        // The next sweep handles the rest.
        let _ = fs::remove_file(file);
    }
}

/// Forks: true in the first process of a new PID namespace.
fn found(plan: &LabPlan) -> Result<bool, LabProcessError> {
    match process::thread_count().map_err(LabProcessError::Processes)? {
        1 => {}
        more => return Err(LabProcessError::Threads(more)),
    }
    // Detached from the terminal, in a folder that blocks no unmount.
    nix::unistd::setsid().map_err(|e| LabProcessError::Processes(e.into()))?;
    nix::unistd::chdir("/").map_err(|e| LabProcessError::Processes(e.into()))?;
    if plan.user_namespace {
        namespace::enter_user_namespace()?;
    }
    namespace::unshare_pid_namespace()?;
    match sys::fork().map_err(LabProcessError::Processes)? {
        ForkResult::Parent { .. } => Ok(false),
        ForkResult::Child => Ok(true),
    }
}

fn keep(plan: &LabPlan, channel: &mut UnixStream) -> Result<(), LabProcessError> {
    let outer = namespace::enter_namespaces()?;
    let switches = File::open("/proc/self/ns/net").map_err(LabProcessError::Processes)?;
    let hosts =
        plan.topology.hosts.iter().map(|h| OpenNamespaces::create(&h.name)).collect::<Result<Vec<_>, _>>()?;
    let wires = veth_pairs(&plan.topology, plan.ipv6);
    let (topology, ipv6) = (&plan.topology, plan.ipv6);
    let pin = CpuPin::from_topology(topology).map_err(NetworkError::Pin)?;
    let ground = NetworkBuilder {
        topology,
        wires: &wires,
        hosts: &hosts,
        switches: &switches,
        ipv6,
        pin: pin.as_ref(),
    };
    let mut links = ground.build()?;
    let keeper = outer.own_process_id().map_err(LabProcessError::Processes)?;
    let given = limits::apply_limits(
        plan,
        &CgroupOwner { pid_namespace: plan.pid_namespace, keeper },
        &hosts,
        &wires,
    )?;
    for (number, link) in topology.links.iter().enumerate().filter(|(_, link)| link.is_relayed()) {
        let stations = wires.iter().filter(|w| w.link == number).map(|w| station(&w.ends[1], w)).collect();
        let record = plan.relay_record_file(number);
        let relay = relay::start_relay(link, stations, record, pin.as_ref(), &outer)
            .map_err(|source| LabProcessError::Relay { link: number + 1, source })?;
        links[number].relay = Some(relay);
    }
    let ready = start::HostStartContext {
        plan,
        hosts: &hosts,
        wires: &wires,
        links: &links,
        outer: &outer,
        pin: pin.as_ref(),
    };
    let running = start::start_hosts(&ready, given, channel)?;
    let lab = LabState {
        schema: STATE_SCHEMA.into(),
        name: plan.name.clone(),
        boot_id: plan.boot_id.clone(),
        pid_namespace: plan.pid_namespace,
        keeper,
        user_namespace: plan.user_namespace,
        topology: plan.topology.clone(),
        hosts: running.iter().map(|one| one.state.clone()).collect(),
        links,
        pin,
        key_file: plan.key_file.clone(),
        log_file: plan.log_file.clone(),
    };
    drop(outer);
    let path = &plan.state_file;
    lab.write(path).map_err(|source| LabProcessError::State { path: path.display().to_string(), source })?;
    send_answer(channel, &LabStartReply::Ready(Box::new(lab))).map_err(LabProcessError::Orders)?;
    let null =
        OpenOptions::new().read(true).write(true).open("/dev/null").map_err(LabProcessError::Processes)?;
    let detached = nix::unistd::dup2_stdin(&null)
        .and_then(|()| nix::unistd::dup2_stdout(&null))
        .and_then(|()| channel.shutdown(std::net::Shutdown::Both).or(Ok(())));
    detached.map_err(|e| LabProcessError::Processes(e.into()))?;
    wait(&running)
}

fn station(port: &VethPort, wire: &VethPair) -> RelayStation {
    RelayStation { interface: port.interface.clone(), line: wire.line }
}

fn send_answer(channel: &mut UnixStream, answer: &LabStartReply) -> io::Result<()> {
    let mut text = serde_json::to_string(answer)?;
    text.push('\n');
    channel.write_all(text.as_bytes())
}

/// Reaps children, as the first process of a PID namespace must, until it is terminated.
fn wait(running: &[RunningHost]) -> Result<(), LabProcessError> {
    let failed = |e: Errno| LabProcessError::Processes(e.into());
    let signals = SigSet::from_iter([Signal::SIGCHLD, Signal::SIGTERM, Signal::SIGINT, Signal::SIGHUP]);
    signals.thread_block().map_err(failed)?;
    loop {
        loop {
            match waitpid(None, Some(WaitPidFlag::WNOHANG)) {
                Ok(WaitStatus::StillAlive) | Err(Errno::ECHILD) => break,
                Ok(status) => note(running, status),
                Err(Errno::EINTR) => {}
                Err(e) => return Err(failed(e)),
            }
        }
        match signals.wait().map_err(failed)? {
            Signal::SIGCHLD => {}
            _ => return Ok(()),
        }
    }
}

fn note(running: &[RunningHost], status: WaitStatus) {
    let ended = |one: &&RunningHost| status.pid() == Some(Pid::from_raw(one.child.id() as i32));
    if let Some(one) = running.iter().find(ended) {
        // A full disk must not end the lab.
        let _ = writeln!(io::stderr(), "the command of host {} has ended: {status:?}", one.state.name);
    }
}

/// For `lab up`.
fn refusal(error: &LabProcessError, plan: &LabPlan) -> LabStartFailure {
    let mut causes = Vec::new();
    let (kind, hint) = match error {
        LabProcessError::Namespace(e @ NamespaceError::NotPermitted { .. }) => {
            (LabStartFailureKind::NotPermitted, e.hint())
        }
        LabProcessError::Network(NetworkError::Tool(e @ ToolError::Missing(_)))
        | LabProcessError::Disk(DiskError::Tool(e @ ToolError::Missing(_)))
        | LabProcessError::Bus { source: EmulatedBusError::Tool(e @ ToolError::Missing(_)), .. }
        | LabProcessError::Cost { source: PacketCostError::Rules(e @ ToolError::Missing(_)), .. } => {
            (LabStartFailureKind::ToolMissing, e.hint())
        }
        LabProcessError::OnlyRoot { .. } => (LabStartFailureKind::NotPermitted, Some("run as root".into())),
        LabProcessError::Share(CpuQuotaError::NoController { .. })
        | LabProcessError::Disk(DiskError::NoController { .. }) => (
            LabStartFailureKind::Limits,
            Some("start the system with cgroup version 1: systemd.unified_cgroup_hierarchy=0".into()),
        ),
        LabProcessError::Disk(DiskError::Memory { .. }) => {
            (LabStartFailureKind::Limits, Some("ask for smaller disks, or for fewer".into()))
        }
        LabProcessError::Share(_)
        | LabProcessError::Disk(_)
        | LabProcessError::Cost { .. }
        | LabProcessError::Bus { .. } => (LabStartFailureKind::Limits, None),
        LabProcessError::Start { .. } => (LabStartFailureKind::HostCommand, None),
        LabProcessError::Ended { host, .. } | LabProcessError::Silent { host, .. } => {
            let number = plan.topology.hosts.iter().position(|h| h.name == *host);
            let log = number.and_then(|n| plan.commands.get(n)).map(|(_, log)| log);
            causes.extend(log.and_then(|log| exit_message(log)));
            (LabStartFailureKind::HostCommand, None)
        }
        _ => (LabStartFailureKind::Network, None),
    };
    let mut next = error.source();
    while let Some(cause) = next {
        causes.push(cause.to_string());
        next = cause.source();
    }
    LabStartFailure {
        kind,
        what: error.to_string(),
        cause: (!causes.is_empty()).then(|| causes.join(": ")),
        hint,
    }
}

pub(crate) fn exit_message(log: &Path) -> Option<String> {
    const LINES: usize = 5;
    let text = fs::read(log).ok()?;
    let text = String::from_utf8_lossy(&text);
    let lines: Vec<&str> = text.lines().filter(|l| !l.trim().is_empty()).collect();
    let last = lines.get(lines.len().saturating_sub(LINES)..)?;
    (!last.is_empty()).then(|| last.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan() -> LabPlan {
        LabPlan {
            name: Name::default_lab(),
            topology: Default::default(),
            commands: vec![],
            ipv6: true,
            user_namespace: false,
            boot_id: String::new(),
            pid_namespace: 0,
            state_file: "x.json".into(),
            key_file: "x.key".into(),
            log_file: "x.log".into(),
        }
    }

    #[test]
    fn a_refusal_keeps_every_cause_and_what_to_type() {
        let missing = LabProcessError::Network(NetworkError::Tool(ToolError::Missing("tc")));
        let told = refusal(&missing, &plan());
        assert_eq!(told.kind, LabStartFailureKind::ToolMissing);
        assert_eq!(told.what, "the program tc is not installed");
        assert_eq!(told.hint.as_deref(), Some("apt-get install iproute2"));
        let start = LabProcessError::Start {
            host: "a".parse().unwrap(),
            program: "/none".into(),
            source: io::Error::from_raw_os_error(libc::ENOENT),
        };
        assert!(refusal(&start, &plan()).cause.unwrap().contains("No such file"));
    }
}
