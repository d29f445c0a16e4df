//! A certificate authority for tests.

use crate::stage::*;
use rcgen::{
    BasicConstraints, CertificateParams, DistinguishedName, DnType, ExtendedKeyUsagePurpose, IsCa, Issuer,
    KeyPair, KeyUsagePurpose, PKCS_ECDSA_P256_SHA256, date_time_ymd,
};
use std::time::{SystemTime, UNIX_EPOCH};

pub struct Authority {
    params: CertificateParams,
    key: KeyPair,
}

pub struct Files {
    pub ca: String,
    pub certificate: String,
    pub private_key: String,
}

impl Files {
    pub fn options(&self) -> String {
        let Files { ca, certificate, private_key } = self;
        format!("--ca {ca} --certificate {certificate} --private-key {private_key}")
    }
}

fn named(mut params: CertificateParams, name: &str) -> CertificateParams {
    params.distinguished_name = DistinguishedName::new();
    params.distinguished_name.push(DnType::CommonName, name);
    params
}

impl Authority {
    pub fn new(name: &str) -> Result<Authority, Failed> {
        let mut params = named(CertificateParams::default(), name);
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        params.key_usages = vec![KeyUsagePurpose::KeyCertSign];
        Ok(Authority { params, key: KeyPair::generate_for(&PKCS_ECDSA_P256_SHA256)? })
    }

    pub fn pem(&self) -> Result<String, Failed> {
        Ok(self.params.self_signed(&self.key)?.pem())
    }

    pub fn issue(&self, home: &Home, name: &str, hosts: &[&str]) -> Result<Files, Failed> {
        let key = KeyPair::generate_for(&PKCS_ECDSA_P256_SHA256)?;
        let hosts: Vec<String> = hosts.iter().map(|h| (*h).to_string()).collect();
        let mut params = named(CertificateParams::new(hosts)?, name);
        let now = date_time_ymd(1970, 1, 1) + SystemTime::now().duration_since(UNIX_EPOCH)?;
        params.not_before = now - Duration::from_secs(3_600);
        params.not_after = now + Duration::from_secs(86_400);
        params.extended_key_usages =
            vec![ExtendedKeyUsagePurpose::ServerAuth, ExtendedKeyUsagePurpose::ClientAuth];
        let certificate = params.signed_by(&key, &Issuer::from_params(&self.params, &self.key))?;
        Ok(Files {
            ca: home.file(&format!("{name}.ca"), self.pem()?)?,
            certificate: home.file(&format!("{name}.pem"), certificate.pem())?,
            private_key: home.secret(&format!("{name}.key"), key.serialize_pem())?,
        })
    }
}
