//! Why an agent is unreachable, found before any order. Zenoh's failures are alike, so each step is separate:
//! resolve, connect, shake hands with the same certificates. The first bytes identify other services.

mod diagnosis;
mod tls;

pub use diagnosis::PeerDiagnosis;

use crate::address::{AgentRoute, HostAddress};
use crate::identity::{CertificateProblem, Identity};
use goodput_model::trial::TrialTimeouts;
use std::io;
use std::net::{SocketAddr, TcpStream, ToSocketAddrs};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

#[derive(Debug, thiserror::Error)]
pub enum PreflightError {
    #[error("the name {host} cannot be resolved")]
    Unresolved { host: String, said: String },
    #[error("the name lookup of {host} received no answer within {seconds} s")]
    ResolveDeadline { host: String, seconds: f64 },
    /// The host is up and nothing listens on the port.
    #[error("{addr} refuses the connection")]
    Refused { addr: SocketAddr },
    #[error("no answer from {addr} within {seconds} s")]
    NoAnswer { addr: SocketAddr, seconds: f64 },
    #[error("{addr} cannot be reached")]
    Unreachable { addr: SocketAddr, source: io::Error },
    #[error("{addr} uses a different lab key")]
    WrongKey { addr: SocketAddr, said: String },
    /// One side has a lab key, the other certificates.
    #[error("{addr} uses {}, but this host uses {}", kind(*they_have_key), kind(!they_have_key))]
    OtherKind {
        addr: SocketAddr,
        /// True when the other side has the lab key.
        they_have_key: bool,
        issuer: String,
    },
    /// The peer's certificate is rejected.
    #[error("the certificate of {addr} {fault}")]
    Certificate { addr: SocketAddr, fault: CertificateProblem },
    /// The peer rejects our certificate, or accepts no orders from here.
    #[error("{addr} rejects this host: {said}")]
    NotAccepted {
        addr: SocketAddr,
        said: &'static str,
        /// Facts of our own certificate, in a sentence.
        ours: String,
        hint: &'static str,
    },
    /// No common TLS version or cipher.
    #[error("{addr} uses TLS, but offers no version or cipher that this program accepts")]
    TlsVersion { addr: SocketAddr, said: String },
    #[error("{addr} is not a goodput agent: {stranger}")]
    PeerDiagnosis { addr: SocketAddr, stranger: PeerDiagnosis },
    #[error("the agent at {addr} runs without a lab key")]
    AgentWithoutKey { addr: SocketAddr },
    #[error("the agent at {addr} requires a lab key, but this host has none")]
    KeyMissing { addr: SocketAddr },
    #[error("{addr} is another machine, but this host has no lab key")]
    KeyNeeded { addr: SocketAddr },
}

impl PreflightError {
    pub fn cause(&self) -> String {
        match self {
            PreflightError::Unresolved { said, .. } => said.clone(),
            PreflightError::ResolveDeadline { .. } => "the DNS server does not answer".into(),
            PreflightError::Refused { .. } => {
                "the host is reachable, but no program listens on this port".into()
            }
            PreflightError::NoAnswer { .. } => {
                "the host is off, the address is wrong, or a firewall drops the packets".into()
            }
            PreflightError::Unreachable { source, .. } => source.to_string(),
            PreflightError::WrongKey { said, .. } | PreflightError::TlsVersion { said, .. } => said.clone(),
            PreflightError::PeerDiagnosis { stranger, .. } => stranger.cause(),
            PreflightError::OtherKind { issuer, .. } => format!("its certificate was issued by {issuer:?}"),
            PreflightError::Certificate { fault, .. } => {
                fault.cause().unwrap_or_else(|| "the problem can be fixed only on that host".into())
            }
            PreflightError::NotAccepted { ours, .. } => ours.clone(),
            PreflightError::AgentWithoutKey { .. } => {
                "the agent does not use TLS, but this host requires TLS".into()
            }
            PreflightError::KeyMissing { .. } => {
                "the agent uses TLS, but this host has no certificate".into()
            }
            PreflightError::KeyNeeded { .. } => "an agent without a key accepts connections only from its \
                own machine"
                .into(),
        }
    }

    pub fn hint(&self) -> String {
        match self {
            PreflightError::Unresolved { host, .. } | PreflightError::ResolveDeadline { host, .. } => {
                format!("check the spelling with `getent hosts {host}`, or type the address")
            }
            PreflightError::Refused { addr } => {
                format!("start `goodput agent` on {}, or give its port as HOST:PORT", addr.ip())
            }
            PreflightError::NoAnswer { addr, .. } | PreflightError::Unreachable { addr, .. } => {
                let (ip, port) = (addr.ip(), addr.port());
                format!("try `ping {ip}`, and open TCP {port} in the firewall of {ip}")
            }
            PreflightError::WrongKey { .. } => {
                "copy the key file from one host to the other; `--key-file` specifies its path".into()
            }
            PreflightError::OtherKind { they_have_key: true, .. } => {
                "use the same method on both hosts: specify the key file of that host with --key-file".into()
            }
            PreflightError::OtherKind { .. } => {
                "use the same method on both hosts: specify certificates with --ca, --certificate and \
                 --private-key"
                    .into()
            }
            PreflightError::Certificate { fault, .. } => fault.hint(),
            PreflightError::NotAccepted { hint, .. } => (*hint).into(),
            PreflightError::TlsVersion { .. } => "install the same version of goodput on both hosts".into(),
            PreflightError::PeerDiagnosis { addr, .. } => {
                format!(
                    "another program uses port {} on that host; give the agent's port as HOST:PORT",
                    addr.port()
                )
            }
            PreflightError::AgentWithoutKey { .. } => {
                "restart the agent with the key file (`--key-file`)".into()
            }
            PreflightError::KeyMissing { .. } | PreflightError::KeyNeeded { .. } => {
                "copy the key file of the other host to this host; if none exists, create one: `goodput \
                 key new` (with certificates: --ca, --certificate, --private-key)"
                    .into()
            }
        }
    }
}

fn kind(lab_key: bool) -> &'static str {
    if lab_key { "a lab key" } else { "certificates" }
}

pub fn resolve_host(host: &HostAddress, deadline: Duration) -> Result<Vec<SocketAddr>, PreflightError> {
    let (tell, told) = channel();
    let wanted = (host.host.clone(), host.port);
    let unresolved = |said: String| PreflightError::Unresolved { host: host.host.clone(), said };
    // The resolver cannot be interrupted; a late thread ends by itself.
    let looking = thread::Builder::new().name("goodput-resolve".into()).spawn(move || {
        let _ = tell.send(wanted.to_socket_addrs().map(Iterator::collect::<Vec<_>>));
    });
    looking.map_err(|e| unresolved(e.to_string()))?;
    match told.recv_timeout(deadline) {
        Ok(Ok(found)) if !found.is_empty() => Ok(found),
        Ok(Ok(_)) => Err(unresolved("the name has no address".into())),
        Ok(Err(e)) => Err(unresolved(e.to_string())),
        Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {
            Err(PreflightError::ResolveDeadline { host: host.host.clone(), seconds: deadline.as_secs_f64() })
        }
    }
}

/// Connects to the first address that accepts; the deadline covers all.
pub fn connect_to_first_reachable(
    found: &[SocketAddr],
    deadline: Duration,
) -> Result<(SocketAddr, TcpStream), PreflightError> {
    let until = Instant::now() + deadline;
    let mut first_error = None;
    for (at, addr) in found.iter().enumerate() {
        // Each address gets an equal share of the remaining time, so a black hole costs only its share.
        let left = until.saturating_duration_since(Instant::now()) / (found.len() - at) as u32;
        match TcpStream::connect_timeout(addr, left.max(Duration::from_millis(1))) {
            Ok(stream) => return Ok((*addr, stream)),
            Err(e) => first_error.get_or_insert((*addr, e)),
        };
    }
    let Some((addr, source)) = first_error else {
        return Err(PreflightError::Unresolved { host: String::new(), said: "no address".into() });
    };
    Err(match source.kind() {
        io::ErrorKind::ConnectionRefused => PreflightError::Refused { addr },
        io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock => {
            PreflightError::NoAnswer { addr, seconds: deadline.as_secs_f64() }
        }
        _ => PreflightError::Unreachable { addr, source },
    })
}

/// Checks that an agent of our identity listens, and returns its address; its certificate must be for the
/// host `called`, `None` for any. Without an identity only connects: Zenoh's opening and
/// [`diagnose_unencrypted_session`] do the rest.
pub fn check_agent(
    host: &HostAddress,
    called: Option<&str>,
    identity: Option<&Identity>,
    deadlines: &TrialTimeouts,
) -> Result<SocketAddr, PreflightError> {
    let found = match host.way {
        AgentRoute::At(addr) => vec![addr],
        AgentRoute::Resolver | AgentRoute::Router(_) => resolve_host(host, deadlines.resolve.to_duration())?,
    };
    let (addr, stream) = connect_to_first_reachable(&found, deadlines.connect.to_duration())?;
    match identity {
        Some(identity) => {
            tls::perform_tls_handshake(addr, called, stream, identity, deadlines.first_byte.to_duration())?;
        }
        None if !addr.ip().is_loopback() && !is_own(&stream) => {
            return Err(PreflightError::KeyNeeded { addr });
        }
        None => {}
    }
    Ok(addr)
}

/// Explains why a plain session did not open.
pub fn diagnose_unencrypted_session(addr: SocketAddr, deadline: Duration) -> PreflightError {
    match diagnosis::diagnose_peer(addr, deadline) {
        Ok(PeerDiagnosis::Tls) => PreflightError::KeyMissing { addr },
        Ok(stranger) => PreflightError::PeerDiagnosis { addr, stranger },
        Err(e) => e,
    }
}

/// True when source and destination are the same address: the host is this machine.
fn is_own(stream: &TcpStream) -> bool {
    matches!((stream.local_addr(), stream.peer_addr()), (Ok(a), Ok(b)) if a.ip() == b.ip())
}
