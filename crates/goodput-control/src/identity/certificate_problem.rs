//! Why a certificate is rejected. Each text is a predicate: "the certificate X …".

use super::certificate_facts::{CertificateFacts, UnixSeconds};
use rustls::CertificateError;
use std::fmt;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CertificateProblem {
    Expired {
        not_after: UnixSeconds,
        now: UnixSeconds,
    },
    NotYet {
        not_before: UnixSeconds,
        now: UnixSeconds,
    },
    OtherName {
        /// The name or address that the user gave.
        called: String,
        names: Vec<String>,
    },
    /// No trusted authority has issued it.
    UnknownAuthority {
        issuer: String,
        believed: Vec<String>,
    },
    /// Its issuer has a trusted name and another key.
    Signature {
        issuer: String,
    },
    Purpose {
        /// The extended key usage that is missing: `serverAuth` or `clientAuth`.
        missing: &'static str,
    },
    /// It identifies no host.
    Nameless,
    Other {
        said: String,
    },
}

impl CertificateProblem {
    /// Converts the verifier's error. `missing` is the required usage, `called` the name of the host.
    pub(crate) fn from_verifier_error(
        error: &rustls::Error,
        facts: Option<&CertificateFacts>,
        believed: &[String],
        missing: &'static str,
        called: &str,
    ) -> CertificateProblem {
        let issuer = || facts.map_or_else(|| "an unknown issuer".to_string(), |f| f.issuer.clone());
        let names = || facts.map(|f| f.names.clone()).unwrap_or_default();
        let now = UnixSeconds::now();
        let rustls::Error::InvalidCertificate(error) = error else {
            return CertificateProblem::Other { said: error.to_string() };
        };
        match error {
            CertificateError::ExpiredContext { time, not_after } => {
                CertificateProblem::Expired { not_after: (*not_after).into(), now: (*time).into() }
            }
            CertificateError::Expired => {
                CertificateProblem::Expired { not_after: facts.map_or(now, |f| f.not_after), now }
            }
            CertificateError::NotValidYetContext { time, not_before } => {
                CertificateProblem::NotYet { not_before: (*not_before).into(), now: (*time).into() }
            }
            CertificateError::NotValidYet => {
                CertificateProblem::NotYet { not_before: facts.map_or(now, |f| f.not_before), now }
            }
            CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
                CertificateProblem::OtherName { called: called.to_string(), names: names() }
            }
            CertificateError::UnknownIssuer => {
                let issuer = issuer();
                // The issuer's name alone proves nothing: another key ends here too.
                if believed.contains(&issuer) {
                    CertificateProblem::Signature { issuer }
                } else {
                    CertificateProblem::UnknownAuthority { issuer, believed: believed.to_vec() }
                }
            }
            CertificateError::BadSignature => CertificateProblem::Signature { issuer: issuer() },
            CertificateError::InvalidPurpose | CertificateError::InvalidPurposeContext { .. } => {
                CertificateProblem::Purpose { missing }
            }
            other => CertificateProblem::Other { said: other.to_string() },
        }
    }

    /// The cause, where the text does not say it.
    pub fn cause(&self) -> Option<String> {
        match self {
            CertificateProblem::Expired { now, .. } | CertificateProblem::NotYet { now, .. } => {
                Some(format!("the clock of this host shows {now}"))
            }
            CertificateProblem::OtherName { names, .. } if names.is_empty() => {
                Some("the certificate has no subjectAltName, so it is not valid for any host".into())
            }
            CertificateProblem::OtherName { names, .. } => {
                Some(format!("the certificate is valid for {}", names.join(", ")))
            }
            CertificateProblem::UnknownAuthority { believed, .. } => {
                Some(format!("the --ca file contains these authorities: {}", believed.join(", ")))
            }
            CertificateProblem::Signature { .. } => {
                Some("two authorities have the same name but different keys; one of them is not yours".into())
            }
            CertificateProblem::Purpose { .. } => {
                Some("the extendedKeyUsage of the certificate lists only other purposes".into())
            }
            CertificateProblem::Nameless | CertificateProblem::Other { .. } => None,
        }
    }

    pub fn hint(&self) -> String {
        match self {
            CertificateProblem::Expired { .. } => {
                "issue a new certificate; if the clock is wrong, set it (`date -u` shows it)".into()
            }
            CertificateProblem::NotYet { .. } => {
                "set the clock if it is wrong (`date -u` shows it), or wait".into()
            }
            CertificateProblem::OtherName { names, called } => match names.first() {
                Some(name) => {
                    format!("use the host name {name}, or issue a certificate whose subjectAltName contains {called}")
                }
                None => format!("issue a certificate whose subjectAltName contains {called}"),
            },
            CertificateProblem::UnknownAuthority { .. } | CertificateProblem::Signature { .. } => {
                "issue the certificates of both hosts from one authority, and specify its certificate as --ca on both".into()
            }
            CertificateProblem::Purpose { missing } => {
                format!("issue the certificate with extendedKeyUsage = serverAuth, clientAuth (missing: {missing})")
            }
            CertificateProblem::Nameless => "issue the certificate with a common name (CN) in its subject".into(),
            CertificateProblem::Other { .. } => "inspect the certificate with `openssl x509 -noout -text -in FILE`".into(),
        }
    }
}

impl fmt::Display for CertificateProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CertificateProblem::Expired { not_after, .. } => write!(f, "expired on {not_after}"),
            CertificateProblem::NotYet { not_before, .. } => write!(f, "is not valid before {not_before}"),
            CertificateProblem::OtherName { called, .. } => write!(f, "is not valid for the host {called}"),
            CertificateProblem::UnknownAuthority { issuer, .. } => {
                write!(f, "was issued by {issuer:?}, which this host does not trust")
            }
            CertificateProblem::Signature { issuer } => {
                write!(f, "is not signed by the trusted authority {issuer:?}")
            }
            CertificateProblem::Purpose { missing: "clientAuth" } => {
                f.write_str("does not permit its holder to control agents")
            }
            CertificateProblem::Purpose { .. } => f.write_str("does not permit its holder to run an agent"),
            CertificateProblem::Nameless => f.write_str("has no common name, so it identifies no host"),
            CertificateProblem::Other { said } => write!(f, "cannot be used: {said}"),
        }
    }
}
