//! The peers of a command's trials: agents at both ends, or a host that only answers ICMP echo.

use crate::args::measure_options::Measure;
use crate::exit::Exit;
use crate::failure::{self, Failure};
use goodput_control::session::run_single_ended;
use goodput_control::{
    Cancel, ControlError, Credentials, HostAddress, Hosts, Route, Session, TrialPlan, preflight,
};
use goodput_model::{Event, Probe, Recorder, Trial};
use std::io::ErrorKind;
use std::net::SocketAddr;

pub enum Reached {
    Agents(Box<Session>),
    /// No agent.
    Echo {
        to: String,
        at: SocketAddr,
    },
}

impl Reached {
    pub fn open(
        order: &Measure,
        (to, from): (&HostAddress, Option<HostAddress>),
        name: &str,
        shown: Option<&Credentials>,
    ) -> Result<Reached, Failure> {
        let deadlines = &order.options.deadlines();
        let cannot = |e: ControlError| failure::control("cannot measure", &e);
        if !by_echo(&order.probe) {
            let session = Session::open(&Hosts::pair(to.clone(), from), shown, deadlines).map_err(|e| {
                let failure = cannot(e);
                let mtu = matches!(order.probe, Probe::Mtu(_)) && failure.exit == Exit::Unreachable;
                let hint = failure.hint.clone().filter(|_| mtu);
                match hint {
                    Some(hint) => failure.try_this(format!("{hint}; --icmp needs no agent there")),
                    None => failure,
                }
            })?;
            return Ok(Reached::Agents(Box::new(session)));
        }
        let at = address(to, deadlines.resolve.duration()).map_err(cannot)?;
        goodput_probe::echo_allowed(at.ip()).map_err(|e| not_allowed(&e))?;
        Ok(Reached::Echo { to: name.to_string(), at })
    }

    pub fn session(&self) -> Option<&Session> {
        match self {
            Reached::Agents(session) => Some(session),
            Reached::Echo { .. } => None,
        }
    }

    pub fn run(
        &self,
        plan: &TrialPlan,
        recorder: &mut dyn Recorder,
        tell: &mut dyn FnMut(&Event),
        cancel: &Cancel,
    ) -> Result<Trial, ControlError> {
        match self {
            Reached::Agents(session) => session.run(plan, recorder, tell, cancel),
            Reached::Echo { to, at } => run_single_ended(plan, to, *at, recorder, tell, cancel),
        }
    }
}

/// True for a probe that needs no agent at the other end.
pub fn by_echo(probe: &Probe) -> bool {
    matches!(probe, Probe::Mtu(settings) if settings.icmp)
}

fn address(host: &HostAddress, deadline: std::time::Duration) -> Result<SocketAddr, ControlError> {
    if let Route::At(at) = host.way {
        return Ok(at);
    }
    let found = preflight::resolve(host, deadline)?;
    found.first().copied().ok_or(ControlError::NoDataPort { host: host.to_string() })
}

fn not_allowed(error: &std::io::Error) -> Failure {
    let failure = Failure::new(Exit::CannotMeasure, "ICMP echo cannot be sent from here");
    match error.kind() {
        ErrorKind::PermissionDenied => failure
            .because("it needs CAP_NET_RAW, or a group within net.ipv4.ping_group_range")
            .try_this(
                "sysctl -w net.ipv4.ping_group_range=\"0 2147483647\" allows it to everybody; or start goodput agent on \
                 HOST and leave --icmp out: UDP needs no privilege, and tells both directions",
            ),
        _ => failure.because(error.to_string()),
    }
}
