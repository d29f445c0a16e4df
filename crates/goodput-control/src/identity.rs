//! Identity of this process and verification of others. Derived from the lab key (`identity/lab.rs`), all
//! holders are alike and fully trusted; provided as files (`identity/provided.rs`), the certificate's common
//! name identifies the holder.
//!
//! TLS decides who may connect but does not tell an agent who asks, least of all behind a router; so every
//! request carries a proof (`identity/proof.rs`).

mod certificate_facts;
mod certificate_problem;
mod lab;
mod proof;
mod provided;

pub use certificate_facts::{CertificateFacts, UnixSeconds};
pub use certificate_problem::CertificateProblem;
pub use lab::{LAB_AUTHORITY_NAME, LAB_CERTIFICATE_NAME};
pub use proof::{ProofError, ProofPurpose, ProofSubject};
pub use provided::CertificateFiles;
pub(crate) use provided::tls_server_name;

use crate::lab_key::LabKey;
use crate::path_text;
use goodput_words::{ErrorMessage, Message, error_messages, message};
use provided::ProvidedCertificates;
use ring::hmac;
use std::fmt;
use std::io;
use std::ops::Deref;
use std::path::PathBuf;
use std::sync::Arc;
use zeroize::Zeroizing;

/// PEM certificates in memory, and the key of proofs.
pub struct Identity {
    pub authority: String,
    /// This process's certificate and intermediates.
    pub certificate: String,
    private_key: Zeroizing<String>,
    prover: Prover,
}

/// Makes and checks proofs; clones share the keys.
#[derive(Clone)]
pub struct Prover(Kind);

#[derive(Clone)]
enum Kind {
    LabKey(hmac::Key),
    ProvidedCertificates(Arc<ProvidedCertificates>),
}

/// A proved identity.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum PeerIdentity {
    /// A local process, where no key is used.
    ThisMachine,
    KeyHolder,
    /// With this common name.
    Certificate(String),
}

impl PeerIdentity {
    pub fn message(&self) -> Message {
        match self {
            PeerIdentity::ThisMachine => "a process on this machine".into(),
            PeerIdentity::KeyHolder => "a holder of the lab key".into(),
            PeerIdentity::Certificate(name) => {
                message!(part_identity_certificate { name: format!("{name:?}") })
            }
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LocalRole {
    /// Waits for orders: `goodput agent`, `goodput router`.
    Agent,
    Coordinator,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IdentityFile {
    Certificate,
    PrivateKey,
    Authority,
}

/// `Open`: users other than its owner can access the private key. `Text`: the content is not repeated,
/// because it may be secret. `Faulty`: others would reject the certificate.
#[derive(Debug)]
pub enum IdentityError {
    Make(String),
    Read { what: IdentityFile, path: PathBuf, source: io::Error },
    Open { path: PathBuf, mode: u32 },
    Text { what: IdentityFile, path: PathBuf, why: Message },
    OtherKey { certificate: PathBuf, key: PathBuf },
    Faulty { path: PathBuf, fault: CertificateProblem },
}

error_messages! {
    IdentityError {
        IdentityError::Make(why) => message!(error_certificate_make { why }),
        IdentityError::Read { what, path, .. } => {
            let path = path_text(path);
            match what {
                IdentityFile::Certificate => message!(error_cannot_read_certificate { path }),
                IdentityFile::PrivateKey => message!(error_cannot_read_private_key { path }),
                IdentityFile::Authority => message!(error_cannot_read_authority { path }),
            }
        },
        IdentityError::Open { path, mode } =>
            message!(error_is_open { path: path_text(path), mode: format!("{mode:03o}") }),
        IdentityError::Text { what, path, why } => {
            let path = path_text(path);
            match what {
                IdentityFile::Certificate => message!(error_no_usable_certificate { path, why }),
                IdentityFile::PrivateKey => message!(error_no_usable_private_key { path, why }),
                IdentityFile::Authority => message!(error_no_usable_authority { path, why }),
            }
        },
        IdentityError::OtherKey { certificate, key } =>
            message!(error_other_private_key { key: path_text(key), certificate: path_text(certificate) }),
        IdentityError::Faulty { path, fault } =>
            message!(error_certificate_fault { path: path_text(path), why: fault.message() }),
    }
    sources { IdentityError::Read { source, .. } => source }
}

impl IdentityError {
    pub fn hint(&self) -> Message {
        match self {
            IdentityError::Make(_) => "create another key: goodput key new --output FILE".into(),
            IdentityError::Read { .. } => message!(hint_certificate_options),
            IdentityError::Open { path, .. } => format!("chmod 600 {}", path.display()).into(),
            IdentityError::Text { what: IdentityFile::PrivateKey, .. } => message!(hint_pem_key),
            IdentityError::Text { .. } => {
                "use a PEM file, as openssl writes it; docs/SECURITY.md has the commands".into()
            }
            IdentityError::OtherKey { .. } => message!(hint_requested_key),
            IdentityError::Faulty { fault, .. } => fault.hint(),
        }
    }

    pub fn cause(&self) -> Option<Message> {
        match self {
            IdentityError::Faulty { fault, .. } => fault.cause(),
            IdentityError::Read { source, .. } => Some(source.message()),
            IdentityError::Open { .. } => {
                Some("anyone who can read the key can impersonate this host".into())
            }
            _ => None,
        }
    }
}

impl Identity {
    /// An identity under the lab key; `common_name` appears in logs.
    pub fn new(key: &LabKey, common_name: &str) -> Result<Identity, IdentityError> {
        lab::derive_identity(key, common_name)
    }

    /// An identity from files, after all checks that others make.
    pub fn from_files(files: &CertificateFiles, part: LocalRole) -> Result<Identity, IdentityError> {
        provided::read_certificates(files, part, UnixSeconds::now())
    }

    pub fn private_key_pem(&self) -> &str {
        &self.private_key
    }

    /// True when an agent's certificate must be for the host name or address used. False under a lab key.
    pub fn requires_host_name(&self) -> bool {
        self.of_files().is_some()
    }

    /// `None` under a lab key.
    pub fn certificate_facts(&self) -> Option<&CertificateFacts> {
        self.of_files().map(|b| &b.facts)
    }

    /// Names of trusted authorities; empty under a lab key.
    pub fn trusted_authorities(&self) -> &[String] {
        self.of_files().map_or(&[], |b| b.authorities.as_slice())
    }

    pub fn prover(&self) -> &Prover {
        &self.prover
    }

    fn of_files(&self) -> Option<&ProvidedCertificates> {
        match &self.prover.0 {
            Kind::LabKey(_) => None,
            Kind::ProvidedCertificates(from_files) => Some(from_files),
        }
    }
}

impl Prover {
    /// As others see this process.
    pub fn own_identity(&self) -> PeerIdentity {
        match &self.0 {
            Kind::LabKey(_) => PeerIdentity::KeyHolder,
            Kind::ProvidedCertificates(from_files) => {
                PeerIdentity::Certificate(from_files.facts.common_name.clone().unwrap_or_default())
            }
        }
    }

    /// Proves this identity over fresh words. Both ends ask for it, because Zenoh does not report whose
    /// certificate it accepted.
    pub fn prove_identity(&self, purpose: ProofPurpose, words: &[u8]) -> Result<String, ProofError> {
        match &self.0 {
            Kind::LabKey(key) => Ok(proof::sign_with_key(key, purpose, words)),
            Kind::ProvidedCertificates(from_files) => {
                proof::sign_with_certificate(from_files, purpose, words)
            }
        }
    }

    pub fn verify_proof(
        &self,
        purpose: ProofPurpose,
        words: &[u8],
        proof: &str,
        by: ProofSubject<'_>,
    ) -> Result<PeerIdentity, ProofError> {
        match &self.0 {
            Kind::LabKey(key) => proof::verify_with_key(key, purpose, words, proof),
            Kind::ProvidedCertificates(from_files) => {
                proof::verify_with_certificate(from_files, purpose, words, proof, by, UnixSeconds::now())
            }
        }
    }
}

impl Deref for Identity {
    type Target = Prover;

    fn deref(&self) -> &Prover {
        &self.prover
    }
}

impl fmt::Debug for Prover {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Prover(hidden)")
    }
}

impl fmt::Debug for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Identity(hidden)")
    }
}

#[cfg(test)]
mod tests;
