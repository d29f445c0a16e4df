//! Starts each host's command and waits until it listens.

use super::limits::AppliedHostLimits;
use super::{last_log_lines, pipe_failed, processes_failed};
use crate::exec::prepare_host_process;
use crate::lab_plan::{HOST_LISTEN_TIMEOUT, LabPlan};
use crate::lab_state::{HostState, InterfaceState, LinkState};
use crate::namespace::ParentNamespaceProcFs;
use crate::network::NetworkBuilder;
use crate::start_failure::{LabStartFailure, LabStartFailureKind};
use crate::sys::{self, ProcessSetup};
use crate::veth::VethEndLocation;
use goodput_words::{Message, message};
use nix::poll::{PollFd, PollFlags, PollTimeout};
use std::fs::{self, OpenOptions};
use std::io;
use std::os::fd::AsFd;
use std::os::unix::fs::OpenOptionsExt;
use std::os::unix::net::UnixStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

pub(super) struct RunningHost {
    pub child: Child,
    pub state: HostState,
}

pub(super) fn start_hosts(
    plan: &LabPlan,
    network: &NetworkBuilder<'_>,
    links: &[LinkState],
    outer: &ParentNamespaceProcFs,
    given: Vec<AppliedHostLimits>,
    channel: &UnixStream,
) -> Result<Vec<RunningHost>, LabStartFailure> {
    let mut running = Vec::new();
    for (number, given) in given.into_iter().enumerate() {
        let (command, host) = (&plan.commands[number].0, &plan.topology.hosts[number].name);
        let program = command.program.display().to_string();
        let what = message!(error_lab_start_in_host { program, host });
        let started = one(plan, network, links, outer, number, given)
            .map_err(|e| LabStartFailure::wrap_error(what)(e).with_kind(LabStartFailureKind::HostCommand))?;
        running.push(started);
    }
    let since = Instant::now();
    for (one, (command, _)) in running.iter_mut().zip(&plan.commands) {
        for port in &command.wait_for {
            one.await_port(*port, since, channel)?;
        }
    }
    Ok(running)
}

fn one(
    plan: &LabPlan,
    network: &NetworkBuilder<'_>,
    links: &[LinkState],
    outer: &ParentNamespaceProcFs,
    number: usize,
    given: AppliedHostLimits,
) -> io::Result<RunningHost> {
    let host = &network.hosts[number];
    let name = &plan.topology.hosts[number].name;
    let (order, log_file) = &plan.commands[number];
    let log = OpenOptions::new().create(true).append(true).mode(0o600).open(log_file)?;
    let mut command = Command::new(&order.program);
    command.args(&order.args).envs(&order.env).stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log);
    let setup = prepare_host_process(&mut command, name, links, network.pin, &given.groups)?;
    sys::set_pre_exec(&mut command, ProcessSetup { namespaces: host.setns_targets()?, ..setup });
    let child = command.spawn()?;
    let interfaces: Vec<InterfaceState> = (network.wires.iter())
        .flat_map(|wire| wire.ends.iter().map(move |end| (wire.link, end)))
        .filter(|(_, end)| end.place == VethEndLocation::Host(number))
        .map(|(link, end)| InterfaceState {
            link,
            interface: end.interface.clone(),
            addresses: end.addresses.clone(),
        })
        .collect();
    let address = interfaces.first().and_then(|i| i.addresses.first().copied());
    let state = HostState {
        name: name.clone(),
        process: outer.child_process_id(child.id() as i32)?,
        address: address.ok_or_else(|| io::Error::other("it is on no link"))?,
        interfaces,
        ports: order.ports.clone(),
        log_file: log_file.clone(),
        namespaces: host.to_handles()?,
        groups: given.groups,
        cpu_share: given.cpu_share,
        disk: given.disk,
        packet_cost: given.packet_cost,
        bus: given.bus,
    };
    Ok(RunningHost { child, state })
}

impl RunningHost {
    fn await_port(&mut self, port: u16, since: Instant, channel: &UnixStream) -> Result<(), LabStartFailure> {
        let failed = |what: Message| LabStartFailure {
            cause: last_log_lines(&self.state.log_file).map(Message::from),
            ..LabStartFailure::new(what).with_kind(LabStartFailureKind::HostCommand)
        };
        let host = &self.state.name;
        let number = self.child.id();
        let table = |file| fs::read_to_string(format!("/proc/{number}/net/{file}")).unwrap_or_default();
        loop {
            if hung_up(channel) {
                return Err(pipe_failed(io::Error::from(io::ErrorKind::BrokenPipe)));
            }
            if let Some(status) = self.child.try_wait().map_err(processes_failed)? {
                return Err(failed(message!(error_lab_command_ended { host, how: status.to_string() })));
            }
            if listens(&table("tcp"), port) || listens(&table("tcp6"), port) {
                return Ok(());
            }
            if since.elapsed() > HOST_LISTEN_TIMEOUT {
                let (port, seconds) = (port.to_string(), HOST_LISTEN_TIMEOUT.as_secs());
                return Err(failed(message!(error_lab_command_does_not_listen { host, port, seconds })));
            }
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

fn hung_up(channel: &UnixStream) -> bool {
    // POLLHUP is always reported; the other end's half-close does not count.
    let mut poll = [PollFd::new(channel.as_fd(), PollFlags::empty())];
    nix::poll::poll(&mut poll, PollTimeout::ZERO).is_ok_and(|n| n > 0)
}

/// proc_pid_net(5): state 0A is listening.
fn listens(table: &str, port: u16) -> bool {
    table.lines().skip(1).any(|line| {
        let mut fields = line.split_whitespace().skip(1);
        let local = fields.next().and_then(|f| u16::from_str_radix(f.rsplit_once(':')?.1, 16).ok());
        local == Some(port) && fields.nth(1) == Some("0A")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// From a real /proc/net/tcp: one listener on 5303, one connection from it.
    const TABLE: &str = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid\n\
        \x20  0: 00000000:14B7 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 1\n\
        \x20  1: 0100350A:14B8 0200350A:C350 01 00000000:00000000 00:00000000 00000000     0        0 2\n";

    #[test]
    fn only_a_listener_listens() {
        assert!(listens(TABLE, 5303));
        assert!(!listens(TABLE, 5304), "a connection is no listener");
        assert!(!listens("", 5303));
        assert!(!listens("head\nnonsense\n", 5303));
    }
}
