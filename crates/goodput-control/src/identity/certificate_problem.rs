//! Why a certificate is rejected. Each text is a predicate: "the certificate X …".

use super::certificate_facts::{CertificateFacts, UnixSeconds};
use goodput_words::{Message, error_messages, message};
use rustls::CertificateError;

/// `OtherName::called` is the name or address that the user gave. `UnknownAuthority`: no trusted authority
/// has issued it. `Signature`: its issuer has a trusted name and another key. `Purpose::missing` is an
/// extended key usage: `serverAuth` or `clientAuth`. `Nameless`: it identifies no host.
#[derive(Debug, Clone, PartialEq)]
pub enum CertificateProblem {
    Expired { not_after: UnixSeconds, now: UnixSeconds },
    NotYet { not_before: UnixSeconds, now: UnixSeconds },
    OtherName { called: String, names: Vec<String> },
    UnknownAuthority { issuer: String, believed: Vec<String> },
    Signature { issuer: String },
    Purpose { missing: &'static str },
    Nameless,
    Other { said: Message },
}

error_messages! {
    CertificateProblem {
        CertificateProblem::Expired { not_after, .. } =>
            message!(part_certificate_fault_expired { when: not_after.to_string() }),
        CertificateProblem::NotYet { not_before, .. } =>
            message!(part_certificate_fault_not_yet { when: not_before.to_string() }),
        CertificateProblem::OtherName { called, .. } =>
            message!(part_certificate_fault_name { name: called }),
        CertificateProblem::UnknownAuthority { issuer, .. } =>
            message!(part_certificate_fault_issuer { issuer: format!("{issuer:?}") }),
        CertificateProblem::Signature { issuer } =>
            message!(part_certificate_fault_signature { issuer: format!("{issuer:?}") }),
        CertificateProblem::Purpose { missing: "clientAuth" } =>
            "does not permit its holder to control agents",
        CertificateProblem::Purpose { .. } => "does not permit its holder to run an agent",
        CertificateProblem::Nameless => "has no common name, so it identifies no host",
        CertificateProblem::Other { said } => message!(part_certificate_fault_other { said }),
    }
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
            return CertificateProblem::Other { said: error.to_string().into() };
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
            other => CertificateProblem::Other { said: other.to_string().into() },
        }
    }

    /// The cause, where the text does not say it.
    pub fn cause(&self) -> Option<Message> {
        Some(match self {
            CertificateProblem::Expired { now, .. } | CertificateProblem::NotYet { now, .. } => {
                message!(cause_clock_says { when: now.to_string() })
            }
            CertificateProblem::OtherName { names, .. } if names.is_empty() => {
                "the certificate has no subjectAltName, so it is not valid for any host".into()
            }
            CertificateProblem::OtherName { names, .. } => message!(cause_it_is_for { names: names.clone() }),
            CertificateProblem::UnknownAuthority { believed, .. } => {
                message!(cause_file_of_ca_has { names: believed.clone() })
            }
            CertificateProblem::Signature { .. } => {
                "two authorities have the same name but different keys; one of them is not yours".into()
            }
            CertificateProblem::Purpose { .. } => {
                "the extendedKeyUsage of the certificate lists only other purposes".into()
            }
            CertificateProblem::Nameless | CertificateProblem::Other { .. } => return None,
        })
    }

    pub fn hint(&self) -> Message {
        match self {
            CertificateProblem::Expired { .. } => {
                "issue a new certificate; if the clock is wrong, set it (`date -u` shows it)".into()
            }
            CertificateProblem::NotYet { .. } => {
                "set the clock if it is wrong (`date -u` shows it), or wait".into()
            }
            CertificateProblem::OtherName { names, called } => match names.first() {
                Some(name) => message!(hint_call_the_host { name, called }),
                None => message!(hint_issue_alt_name { called }),
            },
            CertificateProblem::UnknownAuthority { .. } | CertificateProblem::Signature { .. } => {
                message!(hint_one_authority)
            }
            CertificateProblem::Purpose { missing } => {
                message!(hint_issue_usage_missing { missing: *missing })
            }
            CertificateProblem::Nameless => {
                "issue the certificate with a common name (CN) in its subject".into()
            }
            CertificateProblem::Other { .. } => {
                "inspect the certificate with `openssl x509 -noout -text -in FILE`".into()
            }
        }
    }
}
