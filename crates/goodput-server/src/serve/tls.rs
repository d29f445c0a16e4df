//! TLS of the server: a provided or a self-signed certificate.

use super::pem::{TlsError, read_certificates};
use super::self_signed;
use crate::security::allowed_hosts::AllowedHosts;
use data_encoding::HEXUPPER;
use goodput_words::ErrorMessage;
use rustls::ServerConfig;
use rustls::crypto::ring::default_provider;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use sha2::{Digest, Sha256};
use std::fs;
use std::net::IpAddr;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tokio_rustls::TlsAcceptor;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TlsSettings {
    /// PEM: the certificate first, then intermediate authorities.
    Files { certificate: PathBuf, key: PathBuf },
    /// Self-signed, stored in this folder.
    Own { folder: PathBuf },
}

pub struct LoadedTlsConfig {
    pub acceptor: TlsAcceptor,
    pub fingerprint: Option<String>,
}

impl TlsSettings {
    /// Reads or creates certificate and key; a self-signed one has these names and this address.
    pub fn load(&self, names: &AllowedHosts, address: IpAddr) -> Result<LoadedTlsConfig, TlsError> {
        let (certificate, key, is_own) = match self {
            TlsSettings::Files { certificate, key } => (certificate.clone(), key.clone(), false),
            TlsSettings::Own { folder } => {
                let (certificate, key) = self_signed::load_or_create_certificate(folder, names, address)?;
                (certificate, key, true)
            }
        };
        let certificates = read_certificates(&certificate)?;
        let fingerprint = certificates.first().filter(|_| is_own).map(|first| fingerprint(first));
        let key = private_key(&key)?;
        let mut config = ServerConfig::builder_with_provider(Arc::new(default_provider()))
            .with_safe_default_protocol_versions()
            .and_then(|builder| builder.with_no_client_auth().with_single_cert(certificates, key))
            .map_err(TlsError::Together)?;
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        Ok(LoadedTlsConfig { acceptor: TlsAcceptor::from(Arc::new(config)), fingerprint })
    }
}

fn private_key(path: &Path) -> Result<PrivateKeyDer<'static>, TlsError> {
    let mode = fs::metadata(path).map_err(|e| TlsError::for_file(path, e.message()))?.mode();
    // A group may read it, as Debian's ssl-cert does.
    if mode & 0o007 != 0 {
        return Err(TlsError::Open { path: path.to_path_buf() });
    }
    PrivateKeyDer::from_pem_file(path).map_err(|e| match e {
        rustls::pki_types::pem::Error::NoItemsFound => TlsError::NoKey { path: path.to_path_buf() },
        e => TlsError::for_file(path, e.to_string()),
    })
}

fn fingerprint(certificate: &CertificateDer<'_>) -> String {
    let hex = HEXUPPER.encode(&Sha256::digest(certificate.as_ref()));
    let pairs: Vec<&str> = (0..hex.len()).step_by(2).filter_map(|at| hex.get(at..at + 2)).collect();
    pairs.join(":")
}
