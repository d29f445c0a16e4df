//! Certificate facts for messages: subject, issuer, names and validity.

use goodput_words::Message;
use rustls::pki_types::UnixTime;
use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::time::Duration;
use x509_parser::certificate::X509Certificate;
use x509_parser::extensions::GeneralName;
use x509_parser::prelude::FromDer;
use x509_parser::x509::X509Name;

/// Whole seconds since 1970 (UTC).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct UnixSeconds(pub i64);

impl UnixSeconds {
    pub fn now() -> UnixSeconds {
        UnixTime::now().into()
    }

    /// For the TLS verifier; times before 1970 become 1970.
    pub(super) fn to_unix_time(self) -> UnixTime {
        UnixTime::since_unix_epoch(Duration::from_secs(u64::try_from(self.0).unwrap_or(0)))
    }
}

impl From<UnixTime> for UnixSeconds {
    fn from(time: UnixTime) -> UnixSeconds {
        UnixSeconds(i64::try_from(time.as_secs()).unwrap_or(i64::MAX))
    }
}

impl fmt::Display for UnixSeconds {
    /// RFC 3339 in UTC; plain seconds outside the calendar's range.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match jiff::Timestamp::from_second(self.0) {
            Ok(time) => time.fmt(f),
            Err(_) => write!(f, "{} s after 1970", self.0),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CertificateFacts {
    /// The subject's common name.
    pub common_name: Option<String>,
    /// The issuer's common name, or its full name without one.
    pub issuer: String,
    /// DNS names and addresses (subjectAltName).
    pub names: Vec<String>,
    pub not_before: UnixSeconds,
    pub not_after: UnixSeconds,
}

impl CertificateFacts {
    pub fn from_der(der: &[u8]) -> Result<CertificateFacts, Message> {
        let (_, certificate) = X509Certificate::from_der(der).map_err(|e| e.to_string())?;
        let alternatives = certificate.subject_alternative_name().map_err(|e| e.to_string())?;
        let names = alternatives.map(|a| a.value.general_names.iter().filter_map(name).collect());
        Ok(CertificateFacts {
            common_name: common_name(certificate.subject()),
            issuer: named(certificate.issuer()),
            names: names.unwrap_or_default(),
            not_before: UnixSeconds(certificate.validity().not_before.timestamp()),
            not_after: UnixSeconds(certificate.validity().not_after.timestamp()),
        })
    }

    /// The subject's distinguished name in DER, for a trust anchor.
    pub(super) fn subject_der(der: &[u8]) -> Result<String, Message> {
        let (_, certificate) = X509Certificate::from_der(der).map_err(|e| e.to_string())?;
        Ok(named(certificate.subject()))
    }
}

fn common_name(name: &X509Name<'_>) -> Option<String> {
    name.iter_common_name().next().and_then(|cn| cn.as_str().ok()).map(str::to_string)
}

fn named(name: &X509Name<'_>) -> String {
    common_name(name).unwrap_or_else(|| name.to_string())
}

/// A host name or address; `None` for other names.
fn name(general: &GeneralName<'_>) -> Option<String> {
    match general {
        GeneralName::DNSName(name) => Some((*name).to_string()),
        GeneralName::IPAddress(bytes) => {
            let v4 = <[u8; 4]>::try_from(*bytes).map(|b| IpAddr::from(Ipv4Addr::from(b)));
            let v6 = || <[u8; 16]>::try_from(*bytes).map(|b| IpAddr::from(Ipv6Addr::from(b)));
            v4.or_else(|_| v6()).ok().map(|ip| ip.to_string())
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_written_in_utc_and_no_bytes_make_it_panic() {
        // Seconds from `date -u -d '2026-05-01 12:30:00' +%s`.
        let moments = [0, 1_777_638_600, i64::MAX].map(|seconds| UnixSeconds(seconds).to_string());
        let far = format!("{} s after 1970", i64::MAX);
        assert_eq!(moments, ["1970-01-01T00:00:00Z", "2026-05-01T12:30:00Z", far.as_str()]);
        assert!(CertificateFacts::from_der(b"").is_err() && CertificateFacts::from_der(&[0x30; 64]).is_err());
    }
}
