//! Identities from certificate files: a fleet's own authority instead of a shared key. All that other hosts
//! would reject is checked here first, where the file can be named.

use super::IdentityFile::{self, Authority, Certificate, PrivateKey};
use super::certificate_facts::{CertificateFacts, UnixSeconds};
use super::certificate_problem::CertificateProblem;
use super::{Identity, IdentityError, Kind, LocalRole, Prover};
use goodput_words::Message;
use rustls::RootCertStore;
use rustls::client::verify_server_cert_signed_by_trust_anchor;
use rustls::crypto::{CryptoProvider, ring};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
use rustls::server::danger::ClientCertVerifier;
use rustls::server::{ParsedCertificate, WebPkiClientVerifier};
use rustls::sign::{CertifiedKey, SigningKey};
use rustls::{Error, InconsistentKeys};
use std::fmt;
use std::fs::File;
use std::io::Read;
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use zeroize::Zeroizing;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CertificateFiles {
    /// Trusted authorities.
    pub ca: PathBuf,
    /// Our certificate, followed by intermediates.
    pub certificate: PathBuf,
    /// Must be readable by its owner only.
    pub private_key: PathBuf,
}

/// Parsed contents beside the PEM.
pub(super) struct ProvidedCertificates {
    pub facts: CertificateFacts,
    pub authorities: Vec<String>,
    pub chain: Vec<CertificateDer<'static>>,
    pub signing: Arc<dyn SigningKey>,
    pub provider: CryptoProvider,
    roots: Arc<RootCertStore>,
    clients: Arc<dyn ClientCertVerifier>,
}

impl ProvidedCertificates {
    /// Verifies a coordinator's chain.
    pub fn check_coordinator_certificate(
        &self,
        chain: &[CertificateDer<'static>],
        now: UnixSeconds,
    ) -> Result<CertificateFacts, CertificateProblem> {
        let (own, between) = chain
            .split_first()
            .ok_or(CertificateProblem::Other { said: "it contains no certificate".into() })?;
        let facts = CertificateFacts::from_der(own).map_err(|said| CertificateProblem::Other { said })?;
        self.clients.verify_client_cert(own, between, now.to_unix_time()).map_err(|e| {
            CertificateProblem::from_verifier_error(&e, Some(&facts), &self.authorities, "clientAuth", "")
        })?;
        Ok(facts)
    }

    /// Verifies an agent's chain. `called` is the host's name or address, `None` for our own certificate.
    pub fn check_agent_certificate(
        &self,
        chain: &[CertificateDer<'static>],
        called: Option<&str>,
        now: UnixSeconds,
    ) -> Result<CertificateFacts, CertificateProblem> {
        let (own, between) = chain
            .split_first()
            .ok_or(CertificateProblem::Other { said: "it contains no certificate".into() })?;
        let facts = CertificateFacts::from_der(own).map_err(|said| CertificateProblem::Other { said })?;
        let fault = |e: &Error| {
            CertificateProblem::from_verifier_error(
                e,
                Some(&facts),
                &self.authorities,
                "serverAuth",
                called.unwrap_or_default(),
            )
        };
        let parsed = ParsedCertificate::try_from(own).map_err(|e| fault(&e))?;
        let algorithms = self.provider.signature_verification_algorithms.all;
        verify_server_cert_signed_by_trust_anchor(
            &parsed,
            &self.roots,
            between,
            now.to_unix_time(),
            algorithms,
        )
        .map_err(|e| fault(&e))?;
        if let Some(called) = called {
            let name = tls_server_name(called).ok_or_else(|| CertificateProblem::OtherName {
                called: called.to_string(),
                names: facts.names.clone(),
            })?;
            rustls::client::verify_server_name(&parsed, &name).map_err(|e| fault(&e))?;
        }
        Ok(facts)
    }
}

/// A host for TLS: a name, or an address without its zone; `None` for neither.
pub(crate) fn tls_server_name(called: &str) -> Option<ServerName<'static>> {
    let bare = called.split('%').next().unwrap_or_default();
    match bare.parse::<IpAddr>() {
        Ok(ip) => Some(ServerName::from(ip.to_canonical())),
        Err(_) => ServerName::try_from(called.to_string()).ok(),
    }
}

/// Reads the three files and checks that they match and will be accepted.
pub(super) fn read_certificates(
    files: &CertificateFiles,
    part: LocalRole,
    now: UnixSeconds,
) -> Result<Identity, IdentityError> {
    let provider = ring::default_provider();
    let authority = text(Authority, &files.ca)?;
    let (roots, authorities) = anchors(&authority, &files.ca)?;
    let certificate = text(Certificate, &files.certificate)?;
    let unusable =
        |why: Message| IdentityError::Text { what: Certificate, path: files.certificate.clone(), why };
    let chain = certificates(&certificate).map_err(unusable)?;
    let private_key = Zeroizing::new(secret(&files.private_key)?);
    let signing = key(&private_key, &provider).map_err(|why| IdentityError::Text {
        what: PrivateKey,
        path: files.private_key.clone(),
        why,
    })?;
    match CertifiedKey::new(chain.clone(), signing.clone()).keys_match() {
        Ok(()) | Err(Error::InconsistentKeys(InconsistentKeys::Unknown)) => {}
        Err(Error::InconsistentKeys(_)) => {
            return Err(IdentityError::OtherKey {
                certificate: files.certificate.clone(),
                key: files.private_key.clone(),
            });
        }
        Err(e) => return Err(unusable(e.to_string().into())),
    }
    let roots = Arc::new(roots);
    let clients = WebPkiClientVerifier::builder_with_provider(roots.clone(), Arc::new(provider.clone()))
        .build()
        .map_err(|e| IdentityError::Text {
            what: Authority,
            path: files.ca.clone(),
            why: e.to_string().into(),
        })?;
    let own = chain.first().ok_or_else(|| unusable("there is none in it".into()))?;
    let facts = CertificateFacts::from_der(own).map_err(unusable)?;
    let from_files = ProvidedCertificates { facts, authorities, chain, signing, provider, roots, clients };
    let checked = match part {
        LocalRole::Agent => from_files.check_agent_certificate(&from_files.chain, None, now),
        LocalRole::Coordinator => from_files.check_coordinator_certificate(&from_files.chain, now),
    };
    let named = checked.and_then(|facts| facts.common_name.map(drop).ok_or(CertificateProblem::Nameless));
    named.map_err(|fault| IdentityError::Faulty { path: files.certificate.clone(), fault })?;
    let prover = Prover(Kind::ProvidedCertificates(Arc::new(from_files)));
    Ok(Identity { authority, certificate, private_key, prover })
}

fn anchors(pem: &str, path: &Path) -> Result<(RootCertStore, Vec<String>), IdentityError> {
    let unusable = |why: Message| IdentityError::Text { what: Authority, path: path.to_path_buf(), why };
    let mut roots = RootCertStore::empty();
    let mut names = Vec::new();
    for certificate in certificates(pem).map_err(unusable)? {
        names.push(CertificateFacts::subject_der(&certificate).map_err(unusable)?);
        roots.add(certificate).map_err(|e| unusable(e.to_string().into()))?;
    }
    Ok((roots, names))
}

fn certificates(pem: &str) -> Result<Vec<CertificateDer<'static>>, Message> {
    let found: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(pem.as_bytes()).collect();
    match found {
        Ok(found) if found.is_empty() => Err("there is no BEGIN CERTIFICATE in it".into()),
        Ok(found) => Ok(found),
        Err(e) => Err(e.to_string().into()),
    }
}

fn key(pem: &str, provider: &CryptoProvider) -> Result<Arc<dyn SigningKey>, Message> {
    if pem.contains("BEGIN ENCRYPTED PRIVATE KEY") || pem.contains("Proc-Type: 4,ENCRYPTED") {
        return Err("it is encrypted, and nobody would be there to type its pass phrase".into());
    }
    let der = PrivateKeyDer::from_pem_slice(pem.as_bytes())
        .map_err(|_| "there is no private key in PEM form in it")?;
    provider.key_provider.load_private_key(der).map_err(|e| e.to_string().into())
}

fn text(what: IdentityFile, path: &Path) -> Result<String, IdentityError> {
    let unreadable = |source| IdentityError::Read { what, path: path.to_path_buf(), source };
    std::fs::read_to_string(path).map_err(unreadable)
}

/// Reads a file that only its owner may open. Checks the permissions of the open file, not of the path.
fn secret(path: &Path) -> Result<String, IdentityError> {
    let unreadable = |source| IdentityError::Read { what: PrivateKey, path: path.to_path_buf(), source };
    let mut file = File::open(path).map_err(unreadable)?;
    let meta = file.metadata().map_err(unreadable)?;
    if let Some(mode) = crate::lab_key::permissions_for_others(path, &meta) {
        return Err(IdentityError::Open { path: path.to_path_buf(), mode });
    }
    let mut text = String::new();
    file.read_to_string(&mut text).map_err(unreadable)?;
    Ok(text)
}

impl fmt::Debug for ProvidedCertificates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ProvidedCertificates({:?})", self.facts)
    }
}
