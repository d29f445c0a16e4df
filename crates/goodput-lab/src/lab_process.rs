//! The keeper: the process that holds a lab. It creates the lab, reports, and waits; when it dies, the kernel
//! removes all processes and networks of the lab. It is the caller's own program with a hidden argument,
//! because only a process with one thread can enter a user namespace.

mod limits;
mod start;

use crate::cgroup::CgroupOwner;
use crate::cpu_pin::CpuPin;
use crate::lab_plan::{LabPlan, LabStartReply};
use crate::lab_state::{LabState, STATE_SCHEMA};
use crate::link_relay::{self, LinkRelayStation};
use crate::namespace::{self, NamespaceFiles};
use crate::network::NetworkBuilder;
use crate::process;
use crate::start_failure::LabStartFailure;
use crate::sys;
use crate::veth::{VethPair, veth_pairs};
use goodput_words::message;
use nix::errno::Errno;
use nix::sys::signal::{SigSet, Signal};
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::{ForkResult, Pid};
use start::RunningHost;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::fs::FileTypeExt;
use std::os::unix::net::UnixStream;
use std::path::Path;

fn pipe_failed<E: Into<io::Error>>(error: E) -> LabStartFailure {
    LabStartFailure::wrap_error("cannot speak with goodput lab up")(error)
}

fn processes_failed<E: Into<io::Error>>(error: E) -> LabStartFailure {
    LabStartFailure::wrap_error("cannot look after the processes of the lab")(error)
}

/// To be called first when the program has the hidden argument. Returns when the lab has ended, or at once in
/// the half that only starts it; failures have been reported to `lab up`.
pub fn run_lab_process() -> Result<(), LabStartFailure> {
    let stdout = io::stdout().as_fd().try_clone_to_owned().map_err(pipe_failed)?;
    let channel = File::from(stdout);
    let kind = channel.metadata().map_err(pipe_failed)?.file_type();
    if !kind.is_socket() {
        return Err(LabStartFailure::new("the keeper of a lab is started by goodput lab up, not by hand"));
    }
    let mut channel = UnixStream::from(std::os::fd::OwnedFd::from(channel));
    let mut orders = String::new();
    channel.read_to_string(&mut orders).map_err(pipe_failed)?;
    let plan: LabPlan = serde_json::from_str(&orders).map_err(pipe_failed)?;
    let kept = found(&plan).and_then(|first| if first { keep(&plan, &mut channel) } else { Ok(()) });
    if let Err(error) = &kept
        && send_answer(&mut channel, &LabStartReply::Refused(error.clone())).is_err()
    {
        // `lab up` was killed. This process still holds the lock; the next sweep handles the rest.
        let _ = plan.runtime.remove_lab(plan.name.as_str());
    }
    kept
}

/// Forks: true in the first process of a new PID namespace.
fn found(plan: &LabPlan) -> Result<bool, LabStartFailure> {
    match process::thread_count().map_err(processes_failed)? {
        1 => {}
        more => {
            let what =
                format!("the keeper must be the first thing of its program, this one has {more} threads");
            return Err(LabStartFailure::new(what));
        }
    }
    // Detached from the terminal, in a folder that blocks no unmount.
    nix::unistd::setsid().map_err(processes_failed)?;
    nix::unistd::chdir("/").map_err(processes_failed)?;
    if plan.user_namespace {
        namespace::enter_user_namespace()?;
    }
    namespace::unshare_pid_namespace()?;
    match sys::fork().map_err(processes_failed)? {
        ForkResult::Parent { .. } => Ok(false),
        ForkResult::Child => Ok(true),
    }
}

fn keep(plan: &LabPlan, channel: &mut UnixStream) -> Result<(), LabStartFailure> {
    let outer = namespace::enter_namespaces()?;
    let switches = File::open("/proc/self/ns/net").map_err(processes_failed)?;
    let hosts =
        plan.topology.hosts.iter().map(|h| NamespaceFiles::create(&h.name)).collect::<Result<Vec<_>, _>>()?;
    let wires = veth_pairs(&plan.topology, plan.ipv6);
    let (topology, ipv6) = (&plan.topology, plan.ipv6);
    let pin = CpuPin::from_topology(topology)?;
    let ground = NetworkBuilder {
        topology,
        wires: &wires,
        hosts: &hosts,
        switches: &switches,
        ipv6,
        pin: pin.as_ref(),
    };
    let mut links = ground.build()?;
    let keeper = outer.own_process_id().map_err(processes_failed)?;
    let owner = CgroupOwner { pid_namespace: plan.pid_namespace, keeper };
    let given = limits::apply_host_limits(plan, &owner, &hosts, &wires)?;
    for (number, link) in topology.links.iter().enumerate().filter(|(_, link)| link.uses_relay_process()) {
        let stations = wires.iter().filter(|w| w.link == number).map(station).collect();
        let record = plan.relay_counters_file(number);
        let relay = link_relay::start_link_relay(link, stations, record, pin.as_ref(), &outer)
            .map_err(|e| e.with_context(message!(error_lab_cannot_relay { link: number + 1 })))?;
        links[number].relay = Some(relay);
    }
    let running = start::start_hosts(plan, &ground, &links, &outer, given, channel)?;
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
        key_file: plan.runtime.key_file(&plan.name),
        log_file: plan.runtime.log_file(&plan.name),
    };
    drop(outer);
    let file = plan.runtime.state_file(&plan.name);
    let path = file.display().to_string();
    lab.write(&file).map_err(LabStartFailure::wrap_error(message!(error_cannot_write { path })))?;
    send_answer(channel, &LabStartReply::Ready(Box::new(lab))).map_err(pipe_failed)?;
    process::detach_standard_streams().map_err(processes_failed)?;
    let _ = channel.shutdown(std::net::Shutdown::Both);
    wait(&running)
}

fn station(wire: &VethPair) -> LinkRelayStation {
    LinkRelayStation { interface: wire.ends[1].interface.clone(), line: wire.line }
}

fn send_answer(channel: &mut UnixStream, answer: &LabStartReply) -> io::Result<()> {
    let mut text = serde_json::to_string(answer)?;
    text.push('\n');
    channel.write_all(text.as_bytes())
}

/// Reaps children, as the first process of a PID namespace must, until it is terminated.
fn wait(running: &[RunningHost]) -> Result<(), LabStartFailure> {
    let signals = SigSet::from_iter([Signal::SIGCHLD, Signal::SIGTERM, Signal::SIGINT, Signal::SIGHUP]);
    signals.thread_block().map_err(processes_failed)?;
    loop {
        loop {
            match waitpid(None, Some(WaitPidFlag::WNOHANG)) {
                Ok(WaitStatus::StillAlive) | Err(Errno::ECHILD) => break,
                Ok(status) => note(running, status),
                Err(Errno::EINTR) => {}
                Err(e) => return Err(processes_failed(e)),
            }
        }
        match signals.wait().map_err(processes_failed)? {
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

pub(crate) fn last_log_lines(log: &Path) -> Option<String> {
    const LINES: usize = 5;
    let text = fs::read(log).ok()?;
    let text = String::from_utf8_lossy(&text);
    let lines: Vec<&str> = text.lines().filter(|l| !l.trim().is_empty()).collect();
    let last = lines.get(lines.len().saturating_sub(LINES)..)?;
    (!last.is_empty()).then(|| last.join("\n"))
}
