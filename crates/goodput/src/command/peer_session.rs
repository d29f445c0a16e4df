//! The peers of a command's trials: agents at both ends, or a host that only answers ICMP echo.

use crate::args::measure_args::MeasureInvocation;
use crate::exit::ExitStatus;
use crate::failure::{self, Failure};
use goodput_control::session::run_single_ended_trial;
use goodput_control::{
    AgentRoute, CancelFlag, ControlError, Credentials, HostAddress, Session, SessionHosts, TrialPlan,
    preflight,
};
use goodput_model::{Event, Probe, Recorder, Trial};
use goodput_words::{ErrorMessage, message};
use std::io::ErrorKind;
use std::net::SocketAddr;

pub enum PeerSession {
    Agents(Box<Session>),
    /// No agent.
    Echo {
        to: String,
        at: SocketAddr,
    },
}

impl PeerSession {
    pub fn open(
        order: &MeasureInvocation,
        (to, from): (&HostAddress, Option<HostAddress>),
        name: &str,
        shown: Option<&Credentials>,
    ) -> Result<PeerSession, Failure> {
        let deadlines = &order.options.trial_timeouts();
        let cannot = |e: ControlError| failure::failure_from_control_error("cannot measure", &e);
        if !uses_icmp_echo(&order.probe) {
            let session = Session::open(&SessionHosts::server_and_client(to.clone(), from), shown, deadlines)
                .map_err(|e| {
                    let failure = cannot(e);
                    let mtu = matches!(order.probe, Probe::Mtu(_)) && failure.exit == ExitStatus::Unreachable;
                    let hint = failure.hint.clone().filter(|_| mtu);
                    match hint {
                        Some(hint) => failure.with_hint(message!(hint_mtu_icmp_without_agent { hint })),
                        None => failure,
                    }
                })?;
            return Ok(PeerSession::Agents(Box::new(session)));
        }
        let at = address(to, deadlines.resolve.to_duration()).map_err(cannot)?;
        goodput_probe::echo_allowed(at.ip()).map_err(|e| not_allowed(&e))?;
        Ok(PeerSession::Echo { to: name.to_string(), at })
    }

    pub fn agent_session(&self) -> Option<&Session> {
        match self {
            PeerSession::Agents(session) => Some(session),
            PeerSession::Echo { .. } => None,
        }
    }

    pub fn run_trial(
        &self,
        plan: &TrialPlan,
        recorder: &mut dyn Recorder,
        tell: &mut dyn FnMut(&Event),
        cancel: &CancelFlag,
    ) -> Result<Trial, ControlError> {
        match self {
            PeerSession::Agents(session) => session.run_trial(plan, recorder, tell, cancel),
            PeerSession::Echo { to, at } => run_single_ended_trial(plan, to, *at, recorder, tell, cancel),
        }
    }
}

/// True for a probe that needs no agent at the other end.
pub fn uses_icmp_echo(probe: &Probe) -> bool {
    matches!(probe, Probe::Mtu(settings) if settings.icmp)
}

fn address(host: &HostAddress, deadline: std::time::Duration) -> Result<SocketAddr, ControlError> {
    if let AgentRoute::At(at) = host.way {
        return Ok(at);
    }
    let found = preflight::resolve_host(host, deadline)?;
    found.first().copied().ok_or(ControlError::NoDataPort { host: host.to_string() })
}

fn not_allowed(error: &std::io::Error) -> Failure {
    let failure = Failure::new(ExitStatus::CannotMeasure, "this host cannot send ICMP echo requests");
    match error.kind() {
        ErrorKind::PermissionDenied => failure
            .with_cause("ICMP echo needs CAP_NET_RAW, or a group within net.ipv4.ping_group_range")
            .with_hint(
                "sysctl -w net.ipv4.ping_group_range=\"0 2147483647\" allows it to everybody; or start goodput agent on \
                 HOST and leave --icmp out: UDP needs no privilege, and tells both directions",
            ),
        _ => failure.with_cause(error.message()),
    }
}
