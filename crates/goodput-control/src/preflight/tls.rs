//! The TLS handshake with the certificates that the engine will use, to learn why it would fail.

use super::diagnosis::Stranger;
use super::{PreflightError, look_plainly};
use crate::bus::ZenohBus;
use crate::identity::{CERTIFICATE_NAME, Identity};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
use rustls::{AlertDescription, ClientConfig, ClientConnection, Error, RootCertStore};
use std::io::{self, Read};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long a peer that does not speak TLS is asked what else it speaks.
const PLAIN: Duration = Duration::from_secs(1);

/// Shakes hands and says what went wrong, if something did.
pub fn shake_hands(
    addr: SocketAddr,
    mut stream: TcpStream,
    identity: &Identity,
    deadline: Duration,
) -> Result<(), PreflightError> {
    let until = Instant::now() + deadline;
    let wrong = |e: &dyn ToString| PreflightError::WrongKey { addr, said: e.to_string() };
    let config = client(identity).map_err(|e| wrong(&e))?;
    let name = ServerName::try_from(CERTIFICATE_NAME).map_err(|e| wrong(&e))?;
    let mut tls = ClientConnection::new(Arc::new(config), name).map_err(|e| wrong(&e))?;
    let mut heard = Heard::default();
    while tls.is_handshaking() {
        if tls.wants_write() {
            let left = until.saturating_duration_since(Instant::now()).max(Duration::from_millis(1));
            let _ = stream.set_write_timeout(Some(left));
            match tls.write_tls(&mut stream) {
                Ok(_) => continue,
                Err(e) => return Err(no_words(addr, &heard, deadline, &e)),
            }
        }
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(silent(addr, &heard, deadline));
        }
        let _ = stream.set_read_timeout(Some(left));
        let read = tls.read_tls(&mut heard.through(&mut stream));
        match read {
            Ok(0) => return Err(heard.stranger(addr, Stranger::Closes)),
            Ok(_) => tls.process_new_packets().map_err(|e| explain(addr, &heard, &e))?,
            Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
            Err(e) => return Err(no_words(addr, &heard, deadline, &e)),
        };
    }
    tls.send_close_notify();
    let _ = tls.write_tls(&mut stream);
    Ok(())
}

fn client(identity: &Identity) -> Result<ClientConfig, Error> {
    let pem = |e: rustls::pki_types::pem::Error| Error::General(e.to_string());
    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from_pem_slice(identity.authority.as_bytes()).map_err(pem)?)?;
    let certificate = CertificateDer::from_pem_slice(identity.certificate.as_bytes()).map_err(pem)?;
    let key = PrivateKeyDer::from_pem_slice(identity.private_key().as_bytes()).map_err(pem)?;
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    ClientConfig::builder_with_provider(provider)
        .with_protocol_versions(&[&rustls::version::TLS13])?
        .with_root_certificates(roots)
        .with_client_auth_cert(vec![certificate], key)
}

/// What TLS's own error means for a person.
fn explain(addr: SocketAddr, heard: &Heard, e: &Error) -> PreflightError {
    let said = e.to_string();
    match e {
        Error::InvalidCertificate(_) => PreflightError::WrongKey { addr, said },
        Error::PeerIncompatible(_) => PreflightError::TlsVersion { addr, said },
        Error::AlertReceived(AlertDescription::ProtocolVersion | AlertDescription::HandshakeFailure) => {
            PreflightError::TlsVersion { addr, said }
        }
        Error::AlertReceived(_) => PreflightError::WrongKey { addr, said },
        _ => heard.stranger(addr, Stranger::Closes),
    }
}

/// A read or write that failed: in time or not, after some words or none.
fn no_words(addr: SocketAddr, heard: &Heard, deadline: Duration, e: &io::Error) -> PreflightError {
    match e.kind() {
        io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => silent(addr, heard, deadline),
        _ => heard.stranger(addr, Stranger::Closes),
    }
}

/// Nothing came in time.
fn silent(addr: SocketAddr, heard: &Heard, deadline: Duration) -> PreflightError {
    heard.stranger(addr, Stranger::Silent { deadline })
}

/// Remembers the first bytes that came.
#[derive(Default)]
struct Heard {
    first: Vec<u8>,
}

impl Heard {
    fn through<'a>(&'a mut self, stream: &'a mut TcpStream) -> impl Read + 'a {
        struct Through<'a>(&'a mut Vec<u8>, &'a mut TcpStream);
        impl Read for Through<'_> {
            fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
                let n = self.1.read(into)?;
                let room = 64usize.saturating_sub(self.0.len());
                self.0.extend_from_slice(&into[..n.min(room)]);
                Ok(n)
            }
        }
        Through(&mut self.first, stream)
    }

    /// Whoever said this is no agent of ours; `otherwise` when it said nothing.
    fn stranger(&self, addr: SocketAddr, otherwise: Stranger) -> PreflightError {
        if !self.first.is_empty() {
            return PreflightError::Stranger { addr, stranger: Stranger::from_bytes(&self.first) };
        }
        // An agent without a key takes our first bytes for the length of a long message, waits for the rest
        // and hangs up. It can only be on this machine.
        if addr.ip().is_loopback() && ZenohBus::connect(addr, None, PLAIN).is_ok() {
            return PreflightError::AgentWithoutKey { addr };
        }
        // Some servers close on what they do not understand, and answer to a plain line.
        match (&otherwise, look_plainly(addr, PLAIN)) {
            (Stranger::Closes, named @ PreflightError::Stranger { stranger: Stranger::Known(_), .. }) => {
                named
            }
            _ => PreflightError::Stranger { addr, stranger: otherwise },
        }
    }
}
