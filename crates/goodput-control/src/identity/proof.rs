//! Proofs of identity over fresh words. Under a lab key: HMAC-SHA256 (RFC 2104) in hexadecimal. With
//! certificates: `x509 SCHEME SIGNATURE CERTIFICATE…`, with the TLS signature scheme (RFC 8446, section
//! 4.2.3) in hexadecimal, then signature and DER certificates in base 64.

use super::PeerIdentity;
use super::certificate_facts::UnixSeconds;
use super::certificate_problem::CertificateProblem;
use super::provided::ProvidedCertificates;
use data_encoding::{BASE64, HEXLOWER};
use goodput_words::{Message, error_messages, message};
use ring::hmac;
use rustls::SignatureScheme;
use rustls::pki_types::CertificateDer;

const LONGEST_CHAIN: usize = 8;

/// In the signed text, so that a proof has one purpose only: whoever sends `hello` chooses the signed words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProofPurpose {
    Hello,
    Question,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProofSubject<'a> {
    Agent(&'a str),
    Coordinator,
}

#[derive(Debug, Clone, PartialEq)]
pub enum ProofError {
    /// Wrong key or other words.
    Wrong,
    Form,
    Certificate(CertificateProblem),
    Signing(Message),
}

error_messages! {
    ProofError {
        ProofError::Wrong =>
            "it was not made with a key or certificate that this host trusts, or not for this handshake",
        ProofError::Form => "its format is unknown",
        ProofError::Certificate(fault) => message!(error_proof_certificate { why: fault.message() }),
        ProofError::Signing(why) => message!(error_proof_signing { why }),
    }
}

fn signed_words(purpose: ProofPurpose, words: &[u8]) -> Vec<u8> {
    let domain: &[u8] = match purpose {
        ProofPurpose::Hello => b"goodput 2 hello\0",
        ProofPurpose::Question => b"goodput 2 question\0",
    };
    [domain, words].concat()
}

pub(super) fn sign_with_key(key: &hmac::Key, purpose: ProofPurpose, words: &[u8]) -> String {
    HEXLOWER.encode(hmac::sign(key, &signed_words(purpose, words)).as_ref())
}

pub(super) fn verify_with_key(
    key: &hmac::Key,
    purpose: ProofPurpose,
    words: &[u8],
    proof: &str,
) -> Result<PeerIdentity, ProofError> {
    let mac = HEXLOWER.decode(proof.as_bytes()).map_err(|_| ProofError::Form)?;
    // ring compares in constant time.
    hmac::verify(key, &signed_words(purpose, words), &mac).map_err(|_| ProofError::Wrong)?;
    Ok(PeerIdentity::KeyHolder)
}

pub(super) fn sign_with_certificate(
    from_files: &ProvidedCertificates,
    purpose: ProofPurpose,
    words: &[u8],
) -> Result<String, ProofError> {
    let offered = from_files.provider.signature_verification_algorithms.supported_schemes();
    let signer = from_files
        .signing
        .choose_scheme(&offered)
        .ok_or_else(|| ProofError::Signing("there is no signature scheme for it".into()))?;
    let signature =
        signer.sign(&signed_words(purpose, words)).map_err(|e| ProofError::Signing(e.to_string().into()))?;
    let mut proof = format!("x509 {:04x} {}", u16::from(signer.scheme()), BASE64.encode(&signature));
    for certificate in &from_files.chain {
        proof.push(' ');
        proof.push_str(&BASE64.encode(certificate));
    }
    Ok(proof)
}

pub(super) fn verify_with_certificate(
    from_files: &ProvidedCertificates,
    purpose: ProofPurpose,
    words: &[u8],
    proof: &str,
    by: ProofSubject<'_>,
    now: UnixSeconds,
) -> Result<PeerIdentity, ProofError> {
    let (scheme, signature, chain) = parts(proof).ok_or(ProofError::Form)?;
    let facts = match by {
        ProofSubject::Agent(called) => from_files.check_agent_certificate(&chain, Some(called), now),
        ProofSubject::Coordinator => from_files.check_coordinator_certificate(&chain, now),
    };
    let name = facts
        .and_then(|facts| facts.common_name.ok_or(CertificateProblem::Nameless))
        .map_err(ProofError::Certificate)?;
    let own = chain.first().ok_or(ProofError::Form)?;
    let key = webpki::EndEntityCert::try_from(own).map_err(|_| ProofError::Form)?;
    let signed = signed_words(purpose, words);
    let known = from_files.provider.signature_verification_algorithms.mapping;
    let algorithms = known.iter().find(|(s, _)| *s == scheme).map_or(&[][..], |(_, all)| *all);
    if algorithms.iter().any(|a| key.verify_signature(*a, &signed, &signature).is_ok()) {
        Ok(PeerIdentity::Certificate(name))
    } else {
        Err(ProofError::Wrong)
    }
}

/// Scheme, signature and chain; `None` for another format.
fn parts(proof: &str) -> Option<(SignatureScheme, Vec<u8>, Vec<CertificateDer<'static>>)> {
    let mut words = proof.split(' ');
    if words.next()? != "x509" {
        return None;
    }
    let scheme = u16::from_str_radix(words.next()?, 16).ok()?;
    let signature = BASE64.decode(words.next()?.as_bytes()).ok()?;
    let chain: Option<Vec<_>> =
        words.take(LONGEST_CHAIN).map(|w| Some(BASE64.decode(w.as_bytes()).ok()?.into())).collect();
    Some((SignatureScheme::from(scheme), signature, chain?))
}
