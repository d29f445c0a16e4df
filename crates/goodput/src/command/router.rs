//! `goodput router`: relays between agents and coordinators until it is stopped.

use super::credentials;
use crate::args::router::RouterArgs;
use crate::exit::ExitStatus;
use crate::failure::{self, Failure};
use crate::interrupt;
use goodput_control::agent_router::{AgentRouter, AgentRouterSettings};
use nix::sys::resource::{Resource, getrlimit, setrlimit};

/// Files of a router besides its sessions.
const OWN_FILES: u64 = 64;

pub fn run_router(order: RouterArgs) -> Result<ExitStatus, Failure> {
    let ended = interrupt::signal_channel()?;
    let shown = credentials::find_credentials(&order.credentials)?;
    let settings = AgentRouterSettings { address: order.bind, port: order.port, connect: order.connect };
    let most = max_sessions();
    let router = AgentRouter::start(&settings, shown.as_ref())
        .map_err(|e| failure::failure_from_control_error("the router did not start", &e))?;
    eprintln!("{}", router.startup_message());
    if let Some(most) = most {
        eprintln!("open files allow {most} sessions (`ulimit -Hn` raises it)");
    }
    let _ = ended.recv();
    drop(router);
    Ok(ExitStatus::Done)
}

/// Raises the limit of open files, one per session; returns the sessions if fewer than the router's maximum.
fn max_sessions() -> Option<u64> {
    let (soft, hard) = getrlimit(Resource::RLIMIT_NOFILE).ok()?;
    let files = if setrlimit(Resource::RLIMIT_NOFILE, hard, hard).is_ok() { hard } else { soft };
    let sessions = files.saturating_sub(OWN_FILES);
    (sessions < u64::from(goodput_control::agent_router::MAX_SESSIONS)).then_some(sessions)
}
