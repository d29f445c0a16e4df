//! A self-signed certificate, stored so that its fingerprint needs to be compared only once.

use super::pem::{TlsError, read_certificates};
use crate::security::allowed_hosts::AllowedHosts;
use goodput_words::ErrorMessage;
use jiff::{Timestamp, ToSpan, tz::TimeZone};
use rcgen::{
    CertificateParams, DistinguishedName, DnType, ExtendedKeyUsagePurpose, KeyPair, KeyUsagePurpose,
};
use std::collections::BTreeSet;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use x509_parser::prelude::{FromDer, GeneralName, X509Certificate};

/// Validity in days; some systems refuse longer ones.
const DAYS: i64 = 820;
/// Renewal before the end, in days.
const EARLY: i64 = 30;

/// The stored certificate and key, or new ones if the names differ or the end is near.
pub fn load_or_create_certificate(
    folder: &Path,
    names: &AllowedHosts,
    address: IpAddr,
) -> Result<(PathBuf, PathBuf), TlsError> {
    let (certificate, key) = (folder.join("certificate.pem"), folder.join("private.key"));
    let wanted = subjects(names, address);
    if key.exists() && still_good(&certificate, &wanted, Timestamp::now()) {
        return Ok((certificate, key));
    }
    let (certificate_pem, key_pem) = made(&wanted, Timestamp::now()).map_err(TlsError::Make)?;
    fs::DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(folder)
        .map_err(|e| TlsError::for_file(folder, e.message()))?;
    put(&key, &key_pem, 0o600)?;
    put(&certificate, &certificate_pem, 0o644)?;
    Ok((certificate, key))
}

fn subjects(names: &AllowedHosts, address: IpAddr) -> BTreeSet<String> {
    let loopback = [IpAddr::V4(Ipv4Addr::LOCALHOST), IpAddr::V6(Ipv6Addr::LOCALHOST)];
    let own = Some(address).filter(|a| !a.is_unspecified());
    let addresses = loopback.into_iter().chain(own).map(|a| a.to_string());
    names.iter().map(str::to_string).chain(addresses).collect()
}

fn still_good(certificate: &Path, wanted: &BTreeSet<String>, now: Timestamp) -> bool {
    let Ok(certificates) = read_certificates(certificate) else { return false };
    let Some((_, parsed)) = certificates.first().and_then(|der| X509Certificate::from_der(der).ok()) else {
        return false;
    };
    let Ok(Some(names)) = parsed.subject_alternative_name() else { return false };
    let has: BTreeSet<String> = names.value.general_names.iter().filter_map(name).collect();
    let valid = parsed.validity();
    let late = now.as_second() + EARLY * 86_400;
    wanted.is_subset(&has)
        && valid.not_before.timestamp() <= now.as_second()
        && late < valid.not_after.timestamp()
}

fn name(name: &GeneralName<'_>) -> Option<String> {
    match name {
        GeneralName::DNSName(name) => Some((*name).to_string()),
        GeneralName::IPAddress(bytes) => match bytes.len() {
            4 => <[u8; 4]>::try_from(*bytes).ok().map(|b| IpAddr::from(b).to_string()),
            _ => <[u8; 16]>::try_from(*bytes).ok().map(|b| IpAddr::from(b).to_string()),
        },
        _ => None,
    }
}

fn made(names: &BTreeSet<String>, now: Timestamp) -> Result<(String, String), rcgen::Error> {
    let mut params = CertificateParams::new(names.iter().cloned().collect::<Vec<_>>())?;
    params.distinguished_name = DistinguishedName::new();
    params.distinguished_name.push(DnType::CommonName, "goodput");
    // From yesterday: another machine's clock may be behind.
    let day = |days: i64| {
        let at = now.checked_add((days * 24).hours()).unwrap_or(now).to_zoned(TimeZone::UTC);
        rcgen::date_time_ymd(at.year().into(), at.month().unsigned_abs(), at.day().unsigned_abs())
    };
    (params.not_before, params.not_after) = (day(-1), day(DAYS));
    params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
    params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
    let key = KeyPair::generate()?;
    let certificate = params.self_signed(&key)?;
    Ok((certificate.pem(), key.serialize_pem()))
}

fn put(path: &Path, text: &str, mode: u32) -> Result<(), TlsError> {
    let new = path.with_extension(format!("{}.new", std::process::id()));
    let written = || {
        let mut file = OpenOptions::new().write(true).create(true).truncate(true).mode(mode).open(&new)?;
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        fs::rename(&new, path)
    };
    written().map_err(|e| TlsError::for_file(path, e.message()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_certificate_is_kept_until_it_no_longer_fits_or_is_near_its_end() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().join("tls");
        let names = AllowedHosts::new(["lab7".to_string()]);
        let address = "10.0.0.7".parse().unwrap();
        let (certificate, key) = load_or_create_certificate(&folder, &names, address).unwrap();
        let first = fs::read(&certificate).unwrap();
        let mode = std::os::unix::fs::MetadataExt::mode(&fs::metadata(&key).unwrap());
        assert_eq!(mode & 0o777, 0o600);
        // Whether it is made anew for these names.
        for (names, anew) in [(&["lab7"][..], false), (&[], false), (&["lab8"], true)] {
            load_or_create_certificate(
                &folder,
                &AllowedHosts::new(names.iter().map(|n| n.to_string())),
                address,
            )
            .unwrap();
            assert_eq!(fs::read(&certificate).unwrap() != first, anew, "{names:?}");
        }
        let folder = tempfile::tempdir().unwrap();
        let wanted = subjects(&AllowedHosts::new([]), "10.0.0.7".parse().unwrap());
        let (pem, _) = made(&wanted, Timestamp::now()).unwrap();
        let file = folder.path().join("certificate.pem");
        fs::write(&file, pem).unwrap();
        let later = |days: i64| Timestamp::now() + (days * 24).hours();
        for (days, good) in [(0, true), (700, true), (800, false), (-3, false)] {
            assert_eq!(still_good(&file, &wanted, later(days)), good, "{days}");
        }
    }
}
