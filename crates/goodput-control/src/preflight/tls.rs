//! A TLS handshake with the certificates that Zenoh will use, to explain its failures.

use super::diagnosis::PeerDiagnosis;
use super::{PreflightError, diagnose_unencrypted_session};
use crate::identity::{
    CertificateFacts, CertificateProblem, Identity, LAB_AUTHORITY_NAME, LAB_CERTIFICATE_NAME, UnixSeconds,
    tls_server_name,
};
use crate::locked;
use crate::message_bus::ZenohBus;
use goodput_words::message;
use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName, UnixTime};
use rustls::{
    AlertDescription, CertificateError, ClientConfig, ClientConnection, DigitallySignedStruct, Error,
    RootCertStore, SignatureScheme,
};
use std::io::{self, Read};
use std::net::{SocketAddr, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

const PLAIN: Duration = Duration::from_secs(1);
/// How long the peer's verdict on our certificate is awaited: it comes with the session tickets, one round
/// trip after our handshake.
const ALERT_TIMEOUT: Duration = Duration::from_millis(500);

/// Shakes hands and explains a failure. `called` is the host as the user names it, `None` for any.
pub fn perform_tls_handshake(
    addr: SocketAddr,
    called: Option<&str>,
    mut stream: TcpStream,
    identity: &Identity,
    deadline: Duration,
) -> Result<(), PreflightError> {
    let until = Instant::now() + deadline;
    let unusable = |e: &dyn ToString| PreflightError::WrongKey { addr, said: e.to_string() };
    let meeting = HandshakeAttempt::new(addr, called, identity).map_err(|e| unusable(&e))?;
    let mut tls = meeting.connection().map_err(|e| unusable(&e))?;
    let mut heard = PrefixReader::default();
    while tls.is_handshaking() {
        if tls.wants_write() {
            let left = until.saturating_duration_since(Instant::now()).max(Duration::from_millis(1));
            let _ = stream.set_write_timeout(Some(left));
            match tls.write_tls(&mut stream) {
                Ok(_) => continue,
                Err(e) => return Err(no_response(addr, &heard, deadline, &e)),
            }
        }
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(silent(addr, &heard, deadline));
        }
        let _ = stream.set_read_timeout(Some(left));
        let read = tls.read_tls(&mut heard.through(&mut stream));
        match read {
            Ok(0) => return Err(heard.stranger(addr, PeerDiagnosis::Closes)),
            Ok(_) => tls.process_new_packets().map_err(|e| meeting.explain(&heard, &e))?,
            Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
            Err(e) => return Err(no_response(addr, &heard, deadline, &e)),
        };
    }
    // In TLS 1.3 our handshake ends before the peer has checked our certificate. Under a lab key both check
    // the same authority.
    if identity.requires_host_name() {
        meeting.await_peer_alert(&mut tls, &mut stream, &heard)?;
    }
    tls.send_close_notify();
    let _ = tls.write_tls(&mut stream);
    Ok(())
}

/// One handshake: peer, identity, and the certificate shown.
struct HandshakeAttempt<'a> {
    addr: SocketAddr,
    called: Option<&'a str>,
    identity: &'a Identity,
    shown: Arc<CertificateRecorder>,
}

impl<'a> HandshakeAttempt<'a> {
    fn new(
        addr: SocketAddr,
        called: Option<&'a str>,
        identity: &'a Identity,
    ) -> Result<HandshakeAttempt<'a>, Error> {
        let mut roots = RootCertStore::empty();
        for certificate in CertificateDer::pem_slice_iter(identity.authority.as_bytes()) {
            roots.add(certificate.map_err(|e| Error::General(e.to_string()))?)?;
        }
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let judge = WebPkiServerVerifier::builder_with_provider(Arc::new(roots), provider)
            .build()
            .map_err(|e| Error::General(e.to_string()))?;
        let shown = CertificateRecorder { judge, anybody: called.is_none(), first: Mutex::default() };
        Ok(HandshakeAttempt { addr, called, identity, shown: Arc::new(shown) })
    }

    fn connection(&self) -> Result<ClientConnection, Error> {
        let pem = |e: rustls::pki_types::pem::Error| Error::General(e.to_string());
        let chain: Result<Vec<_>, _> =
            CertificateDer::pem_slice_iter(self.identity.certificate.as_bytes()).collect();
        let key = PrivateKeyDer::from_pem_slice(self.identity.private_key_pem().as_bytes()).map_err(pem)?;
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ClientConfig::builder_with_provider(provider)
            .with_protocol_versions(&[&rustls::version::TLS13])?
            .dangerous()
            .with_custom_certificate_verifier(self.shown.clone())
            .with_client_auth_cert(chain.map_err(pem)?, key)?;
        let name = if self.identity.requires_host_name() {
            let called = self.called.and_then(tls_server_name);
            called.unwrap_or_else(|| ServerName::from(self.addr.ip().to_canonical()))
        } else {
            ServerName::try_from(LAB_CERTIFICATE_NAME).map_err(|e| Error::General(e.to_string()))?
        };
        ClientConnection::new(Arc::new(config), name)
    }

    /// Reads until the peer sends anything after the handshake: tickets or an alert.
    fn await_peer_alert(
        &self,
        tls: &mut ClientConnection,
        stream: &mut TcpStream,
        heard: &PrefixReader,
    ) -> Result<(), PreflightError> {
        while tls.wants_write() {
            if tls.write_tls(stream).is_err() {
                break;
            }
        }
        let _ = stream.set_read_timeout(Some(ALERT_TIMEOUT));
        match tls.read_tls(stream) {
            Ok(0) => {
                Err(self.not_accepted("the peer closed the connection after the handshake", CERTIFICATE_HINT))
            }
            Ok(_) => tls.process_new_packets().map(drop).map_err(|e| self.explain(heard, &e)),
            Err(e) if matches!(e.kind(), io::ErrorKind::ConnectionReset | io::ErrorKind::BrokenPipe) => {
                Err(self.not_accepted("the peer closed the connection after the handshake", CERTIFICATE_HINT))
            }
            Err(_) => Ok(()),
        }
    }

    /// Explains TLS's own error.
    fn explain(&self, heard: &PrefixReader, e: &Error) -> PreflightError {
        let (addr, said) = (self.addr, e.to_string());
        match e {
            Error::InvalidCertificate(_) => self.untrusted_certificate(e),
            Error::PeerIncompatible(_) => PreflightError::TlsVersion { addr, said },
            Error::AlertReceived(AlertDescription::ProtocolVersion | AlertDescription::HandshakeFailure) => {
                PreflightError::TlsVersion { addr, said }
            }
            Error::AlertReceived(AlertDescription::AccessDenied) => {
                self.not_accepted("the peer does not accept commands from this address", POLICY)
            }
            Error::AlertReceived(_) if !self.identity.requires_host_name() => {
                PreflightError::WrongKey { addr, said }
            }
            Error::AlertReceived(AlertDescription::CertificateExpired) => self.not_accepted(
                "the peer reports that this host's certificate has expired or is not valid yet",
                CLOCKS,
            ),
            Error::AlertReceived(AlertDescription::UnknownCA | AlertDescription::DecryptError) => {
                self.not_accepted("the peer does not trust the issuer of this host's certificate", AUTHORITY)
            }
            Error::AlertReceived(AlertDescription::UnsupportedCertificate) => {
                self.not_accepted("the certificate does not permit control of agents", USAGE)
            }
            Error::AlertReceived(_) => {
                self.not_accepted("the peer does not trust this host's certificate", CERTIFICATE_HINT)
            }
            _ => heard.stranger(addr, PeerDiagnosis::Closes),
        }
    }

    fn untrusted_certificate(&self, e: &Error) -> PreflightError {
        let addr = self.addr;
        let facts = self.shown.facts();
        let lab = facts.as_ref().map(|f| f.issuer == LAB_AUTHORITY_NAME);
        let ours = !self.identity.requires_host_name();
        match (lab, facts) {
            (Some(they_have_key), Some(facts)) if they_have_key != ours => {
                PreflightError::OtherKind { addr, they_have_key, issuer: facts.issuer }
            }
            _ if ours => PreflightError::WrongKey { addr, said: e.to_string() },
            (_, facts) => {
                let believed = self.identity.trusted_authorities();
                let called = self.called.unwrap_or_default();
                let fault = CertificateProblem::from_verifier_error(
                    e,
                    facts.as_ref(),
                    believed,
                    "serverAuth",
                    called,
                );
                PreflightError::Certificate { addr, fault }
            }
        }
    }

    fn not_accepted(&self, said: &'static str, hint: &'static str) -> PreflightError {
        let ours = self.identity.certificate_facts().map_or_else(
            || "the handshake was made with the lab key".into(),
            |f| {
                message!(cause_our_certificate {
                    name: format!("{:?}", f.common_name.as_deref().unwrap_or_default()),
                    issuer: format!("{:?}", f.issuer),
                    from: f.not_before.to_string(),
                    until: f.not_after.to_string(),
                    now: UnixSeconds::now().to_string(),
                })
            },
        );
        PreflightError::NotAccepted { addr: self.addr, said, ours, hint }
    }
}

const POLICY: &str = "send commands from a host that the policy permits, or add this address to coordinators.addresses on that host";
const CLOCKS: &str = "compare `date -u` on both hosts; if the clocks agree, issue a new certificate";
const AUTHORITY: &str = "specify the certificate of this host's authority as --ca on that host, or get a certificate from that host's authority";
const USAGE: &str = "issue the certificate with extendedKeyUsage = serverAuth, clientAuth";
const CERTIFICATE_HINT: &str = "inspect both certificates with `openssl x509 -noout -text -in FILE`";

/// Verifies the peer's certificate and keeps it for messages.
#[derive(Debug)]
struct CertificateRecorder {
    judge: Arc<WebPkiServerVerifier>,
    anybody: bool,
    first: Mutex<Option<CertificateDer<'static>>>,
}

impl CertificateRecorder {
    fn facts(&self) -> Option<CertificateFacts> {
        CertificateFacts::from_der(locked(&self.first).as_ref()?).ok()
    }
}

impl ServerCertVerifier for CertificateRecorder {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        server_name: &ServerName<'_>,
        ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        *locked(&self.first) = Some(end_entity.clone().into_owned());
        match self.judge.verify_server_cert(end_entity, intermediates, server_name, ocsp_response, now) {
            // Names are checked last: the rest is valid.
            Err(Error::InvalidCertificate(
                CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. },
            )) if self.anybody => Ok(ServerCertVerified::assertion()),
            judged => judged,
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.judge.verify_tls12_signature(message, certificate, signed)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.judge.verify_tls13_signature(message, certificate, signed)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.judge.supported_verify_schemes()
    }
}

fn no_response(addr: SocketAddr, heard: &PrefixReader, deadline: Duration, e: &io::Error) -> PreflightError {
    match e.kind() {
        io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => silent(addr, heard, deadline),
        _ => heard.stranger(addr, PeerDiagnosis::Closes),
    }
}

fn silent(addr: SocketAddr, heard: &PrefixReader, deadline: Duration) -> PreflightError {
    heard.stranger(addr, PeerDiagnosis::Silent { deadline })
}

#[derive(Default)]
struct PrefixReader {
    first: Vec<u8>,
}

impl PrefixReader {
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

    /// The peer is not an agent; `otherwise` when it sent nothing.
    fn stranger(&self, addr: SocketAddr, otherwise: PeerDiagnosis) -> PreflightError {
        if !self.first.is_empty() {
            return PreflightError::PeerDiagnosis {
                addr,
                stranger: PeerDiagnosis::from_first_bytes(&self.first),
            };
        }
        // An agent without a key, which is local, reads our first bytes as a length, waits and closes.
        if addr.ip().is_loopback() && ZenohBus::connect(addr, None, PLAIN).is_ok() {
            return PreflightError::AgentWithoutKey { addr };
        }
        // Some servers close on TLS but answer a plain line.
        match (&otherwise, diagnose_unencrypted_session(addr, PLAIN)) {
            (
                PeerDiagnosis::Closes,
                named @ PreflightError::PeerDiagnosis { stranger: PeerDiagnosis::Known(_), .. },
            ) => named,
            _ => PreflightError::PeerDiagnosis { addr, stranger: otherwise },
        }
    }
}
