//! Why an agent is unreachable, found before any order. Zenoh's failures are alike, so each step is separate:
//! resolve, connect, shake hands with the same certificates. The first bytes identify other services.

mod diagnosis;
mod tls;

pub use diagnosis::PeerDiagnosis;

use crate::address::{AgentRoute, HostAddress};
use crate::identity::{CertificateProblem, Identity};
use crate::seconds_arg;
use goodput_model::trial::TrialTimeouts;
use goodput_words::{ErrorMessage, Message, error_messages, message};
use std::io;
use std::net::{SocketAddr, TcpStream, ToSocketAddrs};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// `Refused`: the host is up, and nothing listens on the port. `OtherKind`: one side has a lab key, the other
/// certificates. `Certificate`: the peer's is rejected. `NotAccepted`: the peer rejects our certificate, or
/// accepts no orders from here; `ours` are facts of our certificate. `TlsVersion`: no common version or
/// cipher.
#[derive(Debug)]
pub enum PreflightError {
    Unresolved { host: String, said: Message },
    ResolveDeadline { host: String, seconds: f64 },
    Refused { addr: SocketAddr },
    NoAnswer { addr: SocketAddr, seconds: f64 },
    Unreachable { addr: SocketAddr, source: io::Error },
    WrongKey { addr: SocketAddr, said: String },
    OtherKind { addr: SocketAddr, they_have_key: bool, issuer: String },
    Certificate { addr: SocketAddr, fault: CertificateProblem },
    NotAccepted { addr: SocketAddr, said: &'static str, ours: Message, hint: &'static str },
    TlsVersion { addr: SocketAddr, said: String },
    PeerDiagnosis { addr: SocketAddr, stranger: PeerDiagnosis },
    AgentWithoutKey { addr: SocketAddr },
    KeyMissing { addr: SocketAddr },
    KeyNeeded { addr: SocketAddr },
}

error_messages! {
    PreflightError {
        PreflightError::Unresolved { host, .. } => message!(error_unresolved { host }),
        PreflightError::ResolveDeadline { host, seconds } =>
            message!(error_resolve_deadline { host, seconds: seconds_arg(*seconds) }),
        PreflightError::Refused { addr } => message!(error_refused_connection { address: addr.to_string() }),
        PreflightError::NoAnswer { addr, seconds } =>
            message!(error_no_answer { address: addr.to_string(), seconds: seconds_arg(*seconds) }),
        PreflightError::Unreachable { addr, .. } => message!(error_unreachable { address: addr.to_string() }),
        PreflightError::WrongKey { addr, .. } => message!(error_wrong_key { address: addr.to_string() }),
        PreflightError::OtherKind { addr, they_have_key, .. } => message!(error_key_or_certificate {
            address: addr.to_string(),
            theirs: kind(*they_have_key),
            ours: kind(!they_have_key),
        }),
        PreflightError::Certificate { addr, fault } =>
            message!(error_certificate_of { address: addr.to_string(), why: fault.message() }),
        PreflightError::NotAccepted { addr, said, .. } =>
            message!(error_does_not_accept { address: addr.to_string(), said: Message::from(*said) }),
        PreflightError::TlsVersion { addr, .. } => message!(error_tls_version { address: addr.to_string() }),
        PreflightError::PeerDiagnosis { addr, stranger } => stranger.error(*addr),
        PreflightError::AgentWithoutKey { addr } =>
            message!(error_agent_without_key { address: addr.to_string() }),
        PreflightError::KeyMissing { addr } => message!(error_key_missing { address: addr.to_string() }),
        PreflightError::KeyNeeded { addr } => message!(error_key_needed { address: addr.to_string() }),
    }
    sources { PreflightError::Unreachable { source, .. } => source }
}

impl PreflightError {
    pub fn cause(&self) -> Message {
        match self {
            PreflightError::Unresolved { said, .. } => said.clone(),
            PreflightError::ResolveDeadline { .. } => "the DNS server does not answer".into(),
            PreflightError::Refused { .. } => {
                "the host is reachable, but no program listens on this port".into()
            }
            PreflightError::NoAnswer { .. } => {
                "the host is off, the address is wrong, or a firewall drops the packets".into()
            }
            PreflightError::Unreachable { source, .. } => source.message(),
            PreflightError::WrongKey { said, .. } | PreflightError::TlsVersion { said, .. } => said.into(),
            PreflightError::PeerDiagnosis { stranger, .. } => stranger.cause(),
            PreflightError::OtherKind { issuer, .. } => {
                message!(cause_issued_by { issuer: format!("{issuer:?}") })
            }
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
            PreflightError::KeyNeeded { .. } => {
                "an agent without a key accepts connections only from its own machine".into()
            }
        }
    }

    pub fn hint(&self) -> Message {
        match self {
            PreflightError::Unresolved { host, .. } | PreflightError::ResolveDeadline { host, .. } => {
                message!(hint_getent { host })
            }
            PreflightError::Refused { addr } => message!(hint_start_agent { host: addr.ip().to_string() }),
            PreflightError::NoAnswer { addr, .. } | PreflightError::Unreachable { addr, .. } => {
                message!(hint_ping { ip: addr.ip().to_string(), port: addr.port().to_string() })
            }
            PreflightError::WrongKey { .. } => {
                "copy the key file from one host to the other; `--key-file` specifies its path".into()
            }
            PreflightError::OtherKind { they_have_key: true, .. } => {
                "use the same method on both hosts: specify the key file of that host with --key-file".into()
            }
            PreflightError::OtherKind { .. } => message!(hint_both_certificates),
            PreflightError::Certificate { fault, .. } => fault.hint(),
            PreflightError::NotAccepted { hint, .. } => (*hint).into(),
            PreflightError::TlsVersion { .. } => "install the same version of goodput on both hosts".into(),
            PreflightError::PeerDiagnosis { addr, .. } => {
                message!(hint_other_port { port: addr.port().to_string() })
            }
            PreflightError::AgentWithoutKey { .. } => {
                "restart the agent with the key file (`--key-file`)".into()
            }
            PreflightError::KeyMissing { .. } | PreflightError::KeyNeeded { .. } => {
                message!(hint_copy_or_make_key)
            }
        }
    }
}

fn kind(lab_key: bool) -> Message {
    if lab_key { "a lab key".into() } else { message!(part_certificates) }
}

pub fn resolve_host(host: &HostAddress, deadline: Duration) -> Result<Vec<SocketAddr>, PreflightError> {
    let (tell, told) = channel();
    let wanted = (host.host.clone(), host.port);
    let unresolved = |said: Message| PreflightError::Unresolved { host: host.host.clone(), said };
    // The resolver cannot be interrupted; a late thread ends by itself.
    let looking = thread::Builder::new().name("goodput-resolve".into()).spawn(move || {
        let _ = tell.send(wanted.to_socket_addrs().map(Iterator::collect::<Vec<_>>));
    });
    looking.map_err(|e| unresolved(e.message()))?;
    match told.recv_timeout(deadline) {
        Ok(Ok(found)) if !found.is_empty() => Ok(found),
        Ok(Ok(_)) => Err(unresolved("the name has no address".into())),
        Ok(Err(e)) => Err(unresolved(e.message())),
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
