//! A certificate authority for tests.

use libtest_mimic::Failed;
use rcgen::{
    BasicConstraints, CertificateParams, DistinguishedName, DnType, ExtendedKeyUsagePurpose, IsCa, Issuer,
    KeyPair, KeyUsagePurpose, PKCS_ECDSA_P256_SHA256, date_time_ymd,
};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

pub struct Authority {
    params: CertificateParams,
    key: KeyPair,
}

#[derive(Clone)]
pub struct Files {
    pub ca: PathBuf,
    pub certificate: PathBuf,
    pub private_key: PathBuf,
}

impl Files {
    pub fn options(&self) -> String {
        let [ca, certificate, key] = [&self.ca, &self.certificate, &self.private_key].map(|p| super::word(p));
        format!("--ca {ca} --certificate {certificate} --private-key {key}")
    }
}

pub fn now() -> Result<u64, Failed> {
    Ok(SystemTime::now().duration_since(UNIX_EPOCH)?.as_secs())
}

impl Authority {
    pub fn new(name: &str) -> Result<Authority, Failed> {
        let mut params = CertificateParams::default();
        params.distinguished_name = DistinguishedName::new();
        params.distinguished_name.push(DnType::CommonName, name);
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        params.key_usages = vec![KeyUsagePurpose::KeyCertSign];
        Ok(Authority { params, key: KeyPair::generate_for(&PKCS_ECDSA_P256_SHA256)? })
    }

    pub fn pem(&self) -> Result<String, Failed> {
        Ok(self.params.self_signed(&self.key)?.pem())
    }

    pub fn issue(&self, folder: &Path, name: &str, hosts: &[&str], seconds: i64) -> Result<Files, Failed> {
        let key = KeyPair::generate_for(&PKCS_ECDSA_P256_SHA256)?;
        let hosts: Vec<String> = hosts.iter().map(|h| (*h).to_string()).collect();
        let mut params = CertificateParams::new(hosts)?;
        params.distinguished_name = DistinguishedName::new();
        params.distinguished_name.push(DnType::CommonName, name);
        let at = |seconds: u64| date_time_ymd(1970, 1, 1) + Duration::from_secs(seconds);
        params.not_before = at(now()? - 3600);
        params.not_after = at(now()?.saturating_add_signed(seconds));
        params.extended_key_usages =
            vec![ExtendedKeyUsagePurpose::ServerAuth, ExtendedKeyUsagePurpose::ClientAuth];
        let certificate = params.signed_by(&key, &Issuer::from_params(&self.params, &self.key))?;
        let named = |what: &str| folder.join(format!("{name}.{what}"));
        let files = Files { ca: named("ca"), certificate: named("pem"), private_key: named("key") };
        fs::write(&files.ca, self.pem()?)?;
        fs::write(&files.certificate, certificate.pem())?;
        fs::write(&files.private_key, key.serialize_pem())?;
        fs::set_permissions(&files.private_key, fs::Permissions::from_mode(0o600))?;
        Ok(files)
    }
}
