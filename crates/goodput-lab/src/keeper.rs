//! The keeper: the process that holds a lab. It creates the lab, reports, and waits; when it dies, the kernel
//! removes all processes and networks of the lab. It is the caller's own program with a hidden argument,
//! because only a process with one thread can enter a user namespace.

mod limits;
mod start;

use crate::bus::BusError;
use crate::disk::DiskError;
use crate::group::Owner;
use crate::name::Name;
use crate::namespace::{self, Host, NamespaceError};
use crate::network::{HostPreparation, NetworkError};
use crate::packet_cost::CostError;
use crate::pin::Pin;
use crate::plan::{Answer, LISTEN_WITHIN, Plan, Refusal, RefusalKind};
use crate::process;
use crate::relay::{self, RelayError, Station};
use crate::share::ShareError;
use crate::state::{LabState, SCHEMA};
use crate::sys::{self, Side};
use crate::tool::ToolError;
use crate::wiring::{Port, Wire, wires};
use nix::errno::Errno;
use nix::sys::signal::{SigSet, Signal};
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::Pid;
use start::Running;
use std::error::Error;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::fs::FileTypeExt;
use std::os::unix::net::UnixStream;
use std::path::Path;

#[derive(Debug, thiserror::Error)]
pub enum KeeperError {
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
    Share(#[from] ShareError),
    #[error(transparent)]
    Disk(#[from] DiskError),
    #[error("cannot make host {host} pay for packets")]
    Cost { host: Name, source: CostError },
    #[error("cannot put host {host} onto its bus")]
    Bus { host: Name, source: BusError },
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
    #[error("the command of host {host} does not listen on TCP port {port} after {} s", LISTEN_WITHIN.as_secs())]
    Silent { host: Name, port: u16 },
}

/// To be called first when the program has the hidden argument. Returns when the lab has ended, or at once in
/// the half that only starts it; failures have been reported to `lab up`.
pub fn main() -> Result<(), KeeperError> {
    let stdout = io::stdout().as_fd().try_clone_to_owned().map_err(KeeperError::Orders)?;
    let channel = File::from(stdout);
    let kind = channel.metadata().map_err(KeeperError::Orders)?.file_type();
    if !kind.is_socket() {
        return Err(KeeperError::ByHand);
    }
    let mut channel = UnixStream::from(std::os::fd::OwnedFd::from(channel));
    let mut orders = String::new();
    channel.read_to_string(&mut orders).map_err(KeeperError::Orders)?;
    let plan: Plan = serde_json::from_str(&orders).map_err(|e| KeeperError::Orders(e.into()))?;
    let kept = found(&plan).and_then(|first| if first { keep(&plan, &mut channel) } else { Ok(()) });
    if let Err(error) = &kept
        && send_answer(&mut channel, &Answer::Refused(refusal(error, &plan))).is_err()
    {
        forget(&plan);
    }
    kept
}

/// Removes the lab's files after `lab up` was killed. This process still holds the lock.
fn forget(plan: &Plan) {
    let logs = plan.commands.iter().map(|(_, log)| log);
    let relays: Vec<_> = (0..plan.topology.links.len()).map(|link| plan.relay_file(link)).collect();
    for file in [&plan.state_file, &plan.key_file, &plan.log_file].into_iter().chain(logs).chain(&relays) {
        // The next sweep handles the rest.
        let _ = fs::remove_file(file);
    }
}

/// Forks: true in the first process of a new PID namespace.
fn found(plan: &Plan) -> Result<bool, KeeperError> {
    match process::threads().map_err(KeeperError::Processes)? {
        1 => {}
        more => return Err(KeeperError::Threads(more)),
    }
    // Detached from the terminal, in a folder that blocks no unmount.
    nix::unistd::setsid().map_err(|e| KeeperError::Processes(e.into()))?;
    nix::unistd::chdir("/").map_err(|e| KeeperError::Processes(e.into()))?;
    if plan.user_namespace {
        namespace::become_root_of_own()?;
    }
    namespace::new_pid_namespace()?;
    match sys::fork().map_err(KeeperError::Processes)? {
        Side::Parent { .. } => Ok(false),
        Side::Child => Ok(true),
    }
}

fn keep(plan: &Plan, channel: &mut UnixStream) -> Result<(), KeeperError> {
    let outer = namespace::enter_namespaces()?;
    let switches = File::open("/proc/self/ns/net").map_err(KeeperError::Processes)?;
    let hosts = plan.topology.hosts.iter().map(|h| Host::create(&h.name)).collect::<Result<Vec<_>, _>>()?;
    let wires = wires(&plan.topology, plan.ipv6);
    let (topology, ipv6) = (&plan.topology, plan.ipv6);
    let pin = Pin::of(topology).map_err(NetworkError::Pin)?;
    let ground = HostPreparation {
        topology,
        wires: &wires,
        hosts: &hosts,
        switches: &switches,
        ipv6,
        pin: pin.as_ref(),
    };
    let mut links = ground.build()?;
    let keeper = outer.own().map_err(KeeperError::Processes)?;
    let given = limits::give(plan, &Owner { pid_namespace: plan.pid_namespace, keeper }, &hosts, &wires)?;
    for (number, link) in topology.links.iter().enumerate().filter(|(_, link)| link.is_relayed()) {
        let stations = wires.iter().filter(|w| w.link == number).map(|w| station(&w.ends[1], w)).collect();
        let record = plan.relay_file(number);
        let relay = relay::start(link, stations, record, pin.as_ref(), &outer)
            .map_err(|source| KeeperError::Relay { link: number + 1, source })?;
        links[number].relay = Some(relay);
    }
    let ready =
        start::Ready { plan, hosts: &hosts, wires: &wires, links: &links, outer: &outer, pin: pin.as_ref() };
    let running = start::all(&ready, given, channel)?;
    let lab = LabState {
        schema: SCHEMA.into(),
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
    lab.write(path).map_err(|source| KeeperError::State { path: path.display().to_string(), source })?;
    send_answer(channel, &Answer::Ready(Box::new(lab))).map_err(KeeperError::Orders)?;
    let null = OpenOptions::new().read(true).write(true).open("/dev/null").map_err(KeeperError::Processes)?;
    let detached = nix::unistd::dup2_stdin(&null)
        .and_then(|()| nix::unistd::dup2_stdout(&null))
        .and_then(|()| channel.shutdown(std::net::Shutdown::Both).or(Ok(())));
    detached.map_err(|e| KeeperError::Processes(e.into()))?;
    wait(&running)
}

fn station(port: &Port, wire: &Wire) -> Station {
    Station { interface: port.interface.clone(), line: wire.line }
}

fn send_answer(channel: &mut UnixStream, answer: &Answer) -> io::Result<()> {
    let mut text = serde_json::to_string(answer)?;
    text.push('\n');
    channel.write_all(text.as_bytes())
}

/// Reaps children, as the first process of a PID namespace must, until it is terminated.
fn wait(running: &[Running]) -> Result<(), KeeperError> {
    let failed = |e: Errno| KeeperError::Processes(e.into());
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

fn note(running: &[Running], status: WaitStatus) {
    let ended = |one: &&Running| status.pid() == Some(Pid::from_raw(one.child.id() as i32));
    if let Some(one) = running.iter().find(ended) {
        // A full disk must not end the lab.
        let _ = writeln!(io::stderr(), "the command of host {} has ended: {status:?}", one.state.name);
    }
}

/// For `lab up`.
fn refusal(error: &KeeperError, plan: &Plan) -> Refusal {
    let mut causes = Vec::new();
    let (kind, hint) = match error {
        KeeperError::Namespace(e @ NamespaceError::NotPermitted { .. }) => {
            (RefusalKind::NotPermitted, e.hint())
        }
        KeeperError::Network(NetworkError::Tool(e @ ToolError::Missing(_)))
        | KeeperError::Disk(DiskError::Tool(e @ ToolError::Missing(_)))
        | KeeperError::Bus { source: BusError::Tool(e @ ToolError::Missing(_)), .. }
        | KeeperError::Cost { source: CostError::Rules(e @ ToolError::Missing(_)), .. } => {
            (RefusalKind::ToolMissing, e.hint())
        }
        KeeperError::OnlyRoot { .. } => (RefusalKind::NotPermitted, Some("run as root".into())),
        KeeperError::Share(ShareError::NoController { .. })
        | KeeperError::Disk(DiskError::NoController { .. }) => (
            RefusalKind::Limits,
            Some("start the system with cgroup version 1: systemd.unified_cgroup_hierarchy=0".into()),
        ),
        KeeperError::Disk(DiskError::Memory { .. }) => {
            (RefusalKind::Limits, Some("ask for smaller disks, or for fewer".into()))
        }
        KeeperError::Share(_) | KeeperError::Disk(_) | KeeperError::Cost { .. } | KeeperError::Bus { .. } => {
            (RefusalKind::Limits, None)
        }
        KeeperError::Start { .. } => (RefusalKind::HostCommand, None),
        KeeperError::Ended { host, .. } | KeeperError::Silent { host, .. } => {
            let number = plan.topology.hosts.iter().position(|h| h.name == *host);
            let log = number.and_then(|n| plan.commands.get(n)).map(|(_, log)| log);
            causes.extend(log.and_then(|log| exit_message(log)));
            (RefusalKind::HostCommand, None)
        }
        _ => (RefusalKind::Network, None),
    };
    let mut next = error.source();
    while let Some(cause) = next {
        causes.push(cause.to_string());
        next = cause.source();
    }
    Refusal { kind, what: error.to_string(), cause: (!causes.is_empty()).then(|| causes.join(": ")), hint }
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

    fn plan() -> Plan {
        Plan {
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
        let missing = KeeperError::Network(NetworkError::Tool(ToolError::Missing("tc")));
        let told = refusal(&missing, &plan());
        assert_eq!(told.kind, RefusalKind::ToolMissing);
        assert_eq!(told.what, "the program tc is not installed");
        assert_eq!(told.hint.as_deref(), Some("apt-get install iproute2"));
        let start = KeeperError::Start {
            host: "a".parse().unwrap(),
            program: "/none".into(),
            source: io::Error::from_raw_os_error(libc::ENOENT),
        };
        assert!(refusal(&start, &plan()).cause.unwrap().contains("No such file"));
    }
}
