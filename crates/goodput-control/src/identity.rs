//! Who this process is, and how it finds out who another one is.
//!
//! There are two kinds of identity. One is derived from the lab key (`identity/lab.rs`): whoever has the key is trusted
//! with everything, and nobody is told from another. The other is brought as files (`identity/brought.rs`): a fleet
//! has an authority of its own, and a certificate's common name says who somebody is.
//!
//! The engine's TLS decides who may connect. It does not tell an agent who asks, and behind a router it cannot; so
//! every question also bears a proof (`identity/proof.rs`), which is checked where it is answered.

mod facts;
mod fault;
mod lab;
mod proof;
mod provided;

pub use facts::{Facts, Moment};
pub use fault::Fault;
pub use lab::{AUTHORITY_NAME, CERTIFICATE_NAME};
pub use proof::{By, ProofError, Purpose};
pub use provided::CertificateFiles;
pub(crate) use provided::server_name;

use crate::key::LabKey;
use provided::ProvidedCertificates;
use ring::hmac;
use std::fmt;
use std::io;
use std::ops::Deref;
use std::path::PathBuf;
use std::sync::Arc;
use zeroize::Zeroizing;

/// Certificates in memory, as PEM, and what proofs are made with.
pub struct Identity {
    pub authority: String,
    /// This process's certificate, with those between it and the authority.
    pub certificate: String,
    private_key: Zeroizing<String>,
    prover: Prover,
}

/// The part of an identity that proofs are made and checked with; clones share it.
#[derive(Clone)]
pub struct Prover(Kind);

#[derive(Clone)]
enum Kind {
    LabKey(hmac::Key),
    ProvidedCertificates(Arc<ProvidedCertificates>),
}

/// Who somebody is, as far as it was proved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Who {
    /// A process on this machine, where no key is used.
    ThisMachine,
    /// Somebody who knows the lab key.
    KeyHolder,
    /// The holder of the certificate with this common name.
    Certificate(String),
}

impl fmt::Display for Who {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Who::ThisMachine => f.write_str("a process on this machine"),
            Who::KeyHolder => f.write_str("a holder of the lab key"),
            Who::Certificate(name) => write!(f, "the certificate {name:?}"),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// It waits for orders: `goodput agent`, `goodput router`.
    Agent,
    Coordinator,
}

#[derive(Debug, thiserror::Error)]
pub enum IdentityError {
    /// Certificates could not be made.
    #[error("cannot make certificates from the lab key: {0}")]
    Make(String),
    #[error("cannot read the {what} {path}")]
    Read {
        /// "certificate", "private key", "authority".
        what: &'static str,
        path: PathBuf,
        source: io::Error,
    },
    /// Others on this machine can read or change the private key.
    #[error("the private key {path} is open to others (mode {mode:03o})")]
    Open { path: PathBuf, mode: u32 },
    /// A file holds something else. Its text is not repeated: it may be a secret.
    #[error("the file {path} holds no usable {what}: {why}")]
    Text {
        /// "certificate", "private key", "authority".
        what: &'static str,
        path: PathBuf,
        why: String,
    },
    /// Certificate and private key do not belong together.
    #[error("the private key {key} does not belong to the certificate {certificate}")]
    OtherKey { certificate: PathBuf, key: PathBuf },
    /// The certificate would be refused by everybody.
    #[error("the certificate {path} {fault}")]
    Faulty {
        /// The certificate's file.
        path: PathBuf,
        fault: Fault,
    },
}

impl IdentityError {
    pub fn hint(&self) -> String {
        match self {
            IdentityError::Make(_) => "make another key: goodput key new --output FILE".into(),
            IdentityError::Read { .. } => {
                "--ca, --certificate and --private-key (or GOODPUT_CA, GOODPUT_CERTIFICATE, GOODPUT_PRIVATE_KEY) \
                 name the files"
                    .into()
            }
            IdentityError::Open { path, .. } => format!("chmod 600 {}", path.display()),
            IdentityError::Text { what: "private key", .. } => {
                "a PEM file with an RSA, P-256, P-384 or Ed25519 key, not encrypted; docs/SECURITY.md has commands"
                    .into()
            }
            IdentityError::Text { .. } => {
                "a PEM file, as openssl writes it; docs/SECURITY.md has the commands".into()
            }
            IdentityError::OtherKey { .. } => {
                "name the key with which the certificate was requested, or request a new certificate".into()
            }
            IdentityError::Faulty { fault, .. } => fault.hint(),
        }
    }

    /// What lies behind it, where it is not all said.
    pub fn cause(&self) -> Option<String> {
        match self {
            IdentityError::Faulty { fault, .. } => fault.cause(),
            IdentityError::Read { source, .. } => Some(source.to_string()),
            IdentityError::Open { .. } => Some("whoever reads it can pass for this host".into()),
            _ => None,
        }
    }
}

impl Identity {
    /// The identity of this process under the lab key; `common_name` says who it is in logs.
    ///
    /// # Errors
    /// [`IdentityError::Make`].
    pub fn new(key: &LabKey, common_name: &str) -> Result<Identity, IdentityError> {
        lab::derived(key, common_name)
    }

    /// The identity in files that were brought, after a check of everything that others will check.
    ///
    /// # Errors
    /// Any of [`IdentityError`] but [`IdentityError::Make`].
    pub fn brought(files: &CertificateFiles, part: Part) -> Result<Identity, IdentityError> {
        provided::read(files, part, Moment::now())
    }

    /// The private key of this process's certificate, as PEM.
    pub fn private_key(&self) -> &str {
        &self.private_key
    }

    /// True when a host's certificate must bear the name or address by which the host is called. Certificates
    /// derived from the lab key do not: addresses and names in a lab change, and all of its hosts are alike.
    pub fn checks_names(&self) -> bool {
        self.of_files().is_some()
    }

    /// Facts of the certificate that was brought; `None` under a lab key.
    pub fn facts(&self) -> Option<&Facts> {
        self.of_files().map(|b| &b.facts)
    }

    /// Whose certificates are believed, by name; empty under a lab key.
    pub fn authorities(&self) -> &[String] {
        self.of_files().map_or(&[], |b| b.authorities.as_slice())
    }

    /// What proofs are made and checked with.
    pub fn prover(&self) -> &Prover {
        &self.prover
    }

    fn of_files(&self) -> Option<&ProvidedCertificates> {
        match &self.prover.0 {
            Kind::LabKey(_) => None,
            Kind::ProvidedCertificates(brought) => Some(brought),
        }
    }
}

impl Prover {
    /// Proof of being who we are, over words that were never used before. The engine lets in whoever has a
    /// certificate and tells nobody who it was, so both ends ask for this too.
    ///
    /// # Errors
    /// When a private key that was brought cannot sign.
    pub fn prove(&self, purpose: Purpose, words: &[u8]) -> Result<String, ProofError> {
        match &self.0 {
            Kind::LabKey(key) => Ok(proof::by_key(key, purpose, words)),
            Kind::ProvidedCertificates(brought) => proof::by_certificate(brought, purpose, words),
        }
    }

    /// Who made a proof.
    ///
    /// # Errors
    /// Why it proves nothing.
    pub fn verify(&self, purpose: Purpose, words: &[u8], proof: &str, by: By<'_>) -> Result<Who, ProofError> {
        match &self.0 {
            Kind::LabKey(key) => proof::of_key(key, purpose, words, proof),
            Kind::ProvidedCertificates(brought) => {
                proof::of_certificate(brought, purpose, words, proof, by, Moment::now())
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
    /// Secrets are never printed.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Prover(hidden)")
    }
}

impl fmt::Debug for Identity {
    /// Secrets are never printed.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Identity(hidden)")
    }
}

#[cfg(test)]
mod tests;
