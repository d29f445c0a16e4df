//! Derives an authority, certificates and a proof key from the lab key. HKDF-SHA256 (RFC 5869) yields the
//! authority's Ed25519 key, so hosts with the same key share the authority without files. Certificates are
//! valid from 1975 to 4096, because old machines have wrong clocks.

use super::{Identity, IdentityError, Kind, Prover};
use crate::lab_key::LabKey;
use hkdf::Hkdf;
use rcgen::{
    BasicConstraints, CertificateParams, DistinguishedName, DnType, ExtendedKeyUsagePurpose, IsCa, Issuer,
    KeyPair, KeyUsagePurpose, PKCS_ED25519, date_time_ymd,
};
use ring::hmac;
use rustls::pki_types::PrivatePkcs8KeyDer;
use sha2::Sha256;
use zeroize::Zeroizing;

/// Common to all certificates of a lab key; only the authority decides.
pub const LAB_CERTIFICATE_NAME: &str = "goodput";

/// Common to all lab keys: a certificate from it shows that its holder has some lab key.
pub const LAB_AUTHORITY_NAME: &str = "goodput lab authority";

/// PKCS #8 version 1 frame around a bare Ed25519 seed (RFC 8410, section 7).
const PKCS8_ED25519: [u8; 16] =
    [0x30, 0x2e, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20];

pub(super) fn derive_identity(key: &LabKey, common_name: &str) -> Result<Identity, IdentityError> {
    let seed = derive(key, b"goodput lab key 1: certificate authority")?;
    let der = Zeroizing::new([PKCS8_ED25519.as_slice(), &*seed].concat());
    let authority_key =
        KeyPair::from_pkcs8_der_and_sign_algo(&PrivatePkcs8KeyDer::from(der.as_slice()), &PKCS_ED25519)
            .map_err(refused)?;

    let mut authority = valid(LAB_AUTHORITY_NAME);
    authority.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
    authority.key_usages = vec![KeyUsagePurpose::KeyCertSign];
    let authority_pem = authority.self_signed(&authority_key).map_err(refused)?.pem();

    let own_key = KeyPair::generate_for(&PKCS_ED25519).map_err(refused)?;
    let mut own = CertificateParams::new([LAB_CERTIFICATE_NAME.to_string()]).map_err(refused)?;
    let dates = valid(common_name);
    (own.not_before, own.not_after) = (dates.not_before, dates.not_after);
    own.distinguished_name = dates.distinguished_name;
    own.key_usages = vec![KeyUsagePurpose::DigitalSignature];
    own.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth, ExtendedKeyUsagePurpose::ClientAuth];
    let issuer = Issuer::from_params(&authority, &authority_key);
    let certificate = own.signed_by(&own_key, &issuer).map_err(refused)?.pem();

    let proof = hmac::Key::new(hmac::HMAC_SHA256, &*derive(key, b"goodput lab key 1: hello")?);
    Ok(Identity {
        authority: authority_pem,
        certificate,
        private_key: Zeroizing::new(own_key.serialize_pem()),
        prover: Prover(Kind::LabKey(proof)),
    })
}

fn derive(key: &LabKey, purpose: &[u8]) -> Result<Zeroizing<[u8; 32]>, IdentityError> {
    let mut out = Zeroizing::new([0; 32]);
    // Fails for outputs longer than 255 hashes only.
    Hkdf::<Sha256>::new(None, key.secret())
        .expand(purpose, &mut *out)
        .map_err(|e| IdentityError::Make(e.to_string()))?;
    Ok(out)
}

fn valid(common_name: &str) -> CertificateParams {
    let mut params = CertificateParams::default();
    params.not_before = date_time_ymd(1975, 1, 1);
    params.not_after = date_time_ymd(4096, 1, 1);
    params.distinguished_name = DistinguishedName::new();
    params.distinguished_name.push(DnType::CommonName, common_name);
    params
}

fn refused(e: rcgen::Error) -> IdentityError {
    IdentityError::Make(e.to_string())
}
