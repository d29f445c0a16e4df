//! Reads certificates from PEM files, with errors for the user.

use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use std::path::{Path, PathBuf};

#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    #[error("cannot use {}", path.display())]
    File { path: PathBuf, why: Box<dyn std::error::Error + Send + Sync> },
    #[error("{} holds no {what}", path.display())]
    Empty { path: PathBuf, what: &'static str },
    /// Other users can read the key.
    #[error("everybody on this machine can read the private key {}", path.display())]
    Open { path: PathBuf },
    #[error("certificate and private key cannot be used together")]
    Together(#[source] rustls::Error),
    #[error("no certificate could be made")]
    Make(#[source] rcgen::Error),
}

impl TlsError {
    pub(super) fn for_file(
        path: &Path,
        why: impl Into<Box<dyn std::error::Error + Send + Sync>>,
    ) -> TlsError {
        TlsError::File { path: path.to_path_buf(), why: why.into() }
    }

    pub fn cause(&self) -> Option<String> {
        match self {
            TlsError::File { why, .. } => Some(crate::problem::error_chain(why.as_ref())),
            TlsError::Together(e) => Some(e.to_string()),
            TlsError::Make(e) => Some(e.to_string()),
            TlsError::Empty { .. } | TlsError::Open { .. } => None,
        }
    }

    pub fn hint(&self) -> String {
        match self {
            TlsError::File { .. } => {
                "name another file, or let the program make a certificate: --tls-self".into()
            }
            TlsError::Empty { .. } => "it must be PEM: a text with -----BEGIN …-----".into(),
            TlsError::Open { path } => format!("chmod 600 {}", path.display()),
            TlsError::Together(_) => "name the key that the certificate was made for".into(),
            TlsError::Make(_) => "name a certificate with --tls-cert and --tls-key".into(),
        }
    }
}

pub(super) fn read_certificates(path: &Path) -> Result<Vec<CertificateDer<'static>>, TlsError> {
    let refused = |e: rustls::pki_types::pem::Error| TlsError::for_file(path, e.to_string());
    let found = CertificateDer::pem_file_iter(path).map_err(refused)?;
    let found: Vec<CertificateDer<'static>> = found.collect::<Result<_, _>>().map_err(refused)?;
    if found.is_empty() {
        return Err(TlsError::Empty { path: path.to_path_buf(), what: "certificate" });
    }
    Ok(found)
}
