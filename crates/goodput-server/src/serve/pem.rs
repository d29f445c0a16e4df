//! Reads certificates from PEM files, with errors for the user.

use goodput_words::{Message, error_messages, message};
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use std::path::{Path, PathBuf};

/// `Open`: other users can read the key.
#[derive(Debug)]
pub enum TlsError {
    File { path: PathBuf, why: Message },
    NoCertificate { path: PathBuf },
    NoKey { path: PathBuf },
    Open { path: PathBuf },
    Together(rustls::Error),
    Make(rcgen::Error),
}

error_messages! {
    TlsError {
        TlsError::File { path, .. } => {
            message!(error_serving_cannot_use { path: path.display().to_string() })
        },
        TlsError::NoCertificate { path } => {
            message!(error_serving_no_certificate { path: path.display().to_string() })
        },
        TlsError::NoKey { path } => message!(error_serving_no_key { path: path.display().to_string() }),
        TlsError::Open { path } => message!(error_serving_open_key { path: path.display().to_string() }),
        TlsError::Together(_) => message!(error_serving_certificate_and_key),
        TlsError::Make(_) => message!(error_serving_certificate_make),
    }
    sources {
        TlsError::Together(source) => source,
        TlsError::Make(source) => source,
    }
}

impl TlsError {
    pub(super) fn for_file(path: &Path, why: impl Into<Message>) -> TlsError {
        TlsError::File { path: path.to_path_buf(), why: why.into() }
    }

    pub fn cause(&self) -> Option<Message> {
        match self {
            TlsError::File { why, .. } => Some(why.clone()),
            TlsError::Together(e) => Some(e.to_string().into()),
            TlsError::Make(e) => Some(e.to_string().into()),
            TlsError::NoCertificate { .. } | TlsError::NoKey { .. } | TlsError::Open { .. } => None,
        }
    }

    pub fn hint(&self) -> Message {
        match self {
            TlsError::File { .. } => message!(hint_serving_another_file),
            TlsError::NoCertificate { .. } | TlsError::NoKey { .. } => message!(hint_serving_pem),
            TlsError::Open { path } => format!("chmod 600 {}", path.display()).into(),
            TlsError::Together(_) => message!(hint_serving_key_of_certificate),
            TlsError::Make(_) => message!(hint_serving_certificate),
        }
    }
}

pub(super) fn read_certificates(path: &Path) -> Result<Vec<CertificateDer<'static>>, TlsError> {
    let refused = |e: rustls::pki_types::pem::Error| TlsError::for_file(path, e.to_string());
    let found = CertificateDer::pem_file_iter(path).map_err(refused)?;
    let found: Vec<CertificateDer<'static>> = found.collect::<Result<_, _>>().map_err(refused)?;
    if found.is_empty() {
        return Err(TlsError::NoCertificate { path: path.to_path_buf() });
    }
    Ok(found)
}
