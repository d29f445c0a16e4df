//! Tests of both kinds of identity: proofs and file errors.

use super::*;
use proptest::prelude::*;
use rcgen::{
    BasicConstraints, CertificateParams, DnType, ExtendedKeyUsagePurpose, IsCa, Issuer, KeyPair,
    KeyUsagePurpose, PKCS_ECDSA_P256_SHA256, PKCS_ED25519, SignatureAlgorithm, date_time_ymd,
};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::Duration;
use tempfile::TempDir;

struct Authority {
    params: CertificateParams,
    key: KeyPair,
}

struct Wanted<'a> {
    name: &'a str,
    hosts: &'a [&'a str],
    from: i64,
    until: i64,
    usages: &'a [ExtendedKeyUsagePurpose],
    algorithm: &'static SignatureAlgorithm,
}

const BOTH: [ExtendedKeyUsagePurpose; 2] =
    [ExtendedKeyUsagePurpose::ServerAuth, ExtendedKeyUsagePurpose::ClientAuth];

fn wanted<'a>(name: &'a str, hosts: &'a [&'a str]) -> Wanted<'a> {
    let now = UnixSeconds::now().0;
    Wanted { name, hosts, from: now - 3600, until: now + 3600, usages: &BOTH, algorithm: &PKCS_ED25519 }
}

impl Authority {
    fn new(name: &str) -> Authority {
        let mut params = CertificateParams::default();
        params.distinguished_name.push(DnType::CommonName, name);
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        params.key_usages = vec![KeyUsagePurpose::KeyCertSign];
        Authority { params, key: KeyPair::generate_for(&PKCS_ED25519).unwrap() }
    }

    fn issue(&self, wanted: &Wanted<'_>) -> (String, String) {
        let key = KeyPair::generate_for(wanted.algorithm).unwrap();
        let hosts: Vec<String> = wanted.hosts.iter().map(|h| (*h).to_string()).collect();
        let mut params = CertificateParams::new(hosts).unwrap();
        params.distinguished_name = rcgen::DistinguishedName::new();
        if !wanted.name.is_empty() {
            params.distinguished_name.push(DnType::CommonName, wanted.name);
        }
        let at = |seconds: i64| date_time_ymd(1970, 1, 1) + Duration::from_secs(seconds as u64);
        (params.not_before, params.not_after) = (at(wanted.from), at(wanted.until));
        params.extended_key_usages = wanted.usages.to_vec();
        let issuer = Issuer::from_params(&self.params, &self.key);
        (params.signed_by(&key, &issuer).unwrap().pem(), key.serialize_pem())
    }

    fn files(&self, folder: &Path, wanted: &Wanted<'_>) -> CertificateFiles {
        let (certificate, key) = self.issue(wanted);
        let named = |what: &str| folder.join(format!("{}.{what}", wanted.name));
        let files =
            CertificateFiles { ca: named("ca"), certificate: named("pem"), private_key: named("key") };
        fs::write(&files.ca, self.params.self_signed(&self.key).unwrap().pem()).unwrap();
        fs::write(&files.certificate, certificate).unwrap();
        fs::write(&files.private_key, key).unwrap();
        fs::set_permissions(&files.private_key, fs::Permissions::from_mode(0o600)).unwrap();
        files
    }

    fn identity(&self, folder: &TempDir, wanted: &Wanted<'_>) -> Identity {
        Identity::from_files(&self.files(folder.path(), wanted), LocalRole::Agent).unwrap()
    }
}

fn hello(by: &Identity, to: &Identity, called: &str) -> Result<PeerIdentity, ProofError> {
    let proof = by.prove_identity(ProofPurpose::Hello, b"words").unwrap();
    to.verify_proof(ProofPurpose::Hello, b"words", &proof, ProofSubject::Agent(called))
}

#[test]
fn the_proof_needs_the_key_and_the_words() {
    let key = LabKey::generate().unwrap();
    let (a, b) = (Identity::new(&key, "a").unwrap(), Identity::new(&key, "b").unwrap());
    let stranger = Identity::new(&LabKey::generate().unwrap(), "c").unwrap();
    let proof = a.prove_identity(ProofPurpose::Hello, b"words 1").unwrap();
    let by = ProofSubject::Coordinator;
    assert_eq!(b.verify_proof(ProofPurpose::Hello, b"words 1", &proof, by), Ok(PeerIdentity::KeyHolder));
    assert_eq!(b.verify_proof(ProofPurpose::Hello, b"words 2", &proof, by), Err(ProofError::Wrong));
    assert_eq!(b.verify_proof(ProofPurpose::Question, b"words 1", &proof, by), Err(ProofError::Wrong));
    assert_eq!(stranger.verify_proof(ProofPurpose::Hello, b"words 1", &proof, by), Err(ProofError::Wrong));
    assert_eq!(b.verify_proof(ProofPurpose::Hello, b"words 1", "no proof", by), Err(ProofError::Form));
}

#[test]
fn a_certificate_says_who_and_for_which_host() {
    let folder = tempfile::tempdir().unwrap();
    let fleet = Authority::new("Fleet CA");
    let bench = fleet.identity(&folder, &wanted("bench1", &["bench1", "10.0.0.1"]));
    for algorithm in [&PKCS_ED25519, &PKCS_ECDSA_P256_SHA256] {
        let web = Wanted { algorithm, ..wanted("web1", &["web1", "10.0.0.7", "fd00::7"]) };
        let web = fleet.identity(&folder, &web);
        for called in ["web1", "WEB1", "10.0.0.7", "fd00::7"] {
            assert_eq!(hello(&web, &bench, called), Ok(PeerIdentity::Certificate("web1".into())), "{called}");
        }
        let ProofError::Certificate(wrong) = hello(&web, &bench, "web2").unwrap_err() else { panic!() };
        assert_eq!(wrong.to_string(), "is not valid for the host web2");
        assert!(wrong.hint().starts_with("use the host name web1, or"), "{}", wrong.hint());
        let judged = |proof: &str, words| {
            bench.verify_proof(ProofPurpose::Question, words, proof, ProofSubject::Coordinator).is_ok()
        };
        let proof = web.prove_identity(ProofPurpose::Question, b"words").unwrap();
        let another = bench.prove_identity(ProofPurpose::Question, b"words").unwrap();
        let (head, chain) = (proof.rsplit_once(' ').unwrap().0, another.rsplit_once(' ').unwrap().1);
        assert!(judged(&proof, b"words") && !judged(&proof, b"other"));
        assert!(!judged(&format!("{head} {chain}"), b"words"), "a forged proof");
    }
}

#[test]
fn another_authority_proves_nothing_whatever_its_name() {
    let folder = tempfile::tempdir().unwrap();
    let ours = Authority::new("Fleet CA").identity(&folder, &wanted("a", &["a"]));
    let other = Authority::new("Other CA").identity(&folder, &wanted("b", &["b"]));
    match hello(&other, &ours, "b") {
        Err(ProofError::Certificate(CertificateProblem::UnknownAuthority { issuer, believed })) => {
            assert_eq!((issuer.as_str(), believed), ("Other CA", vec!["Fleet CA".to_string()]));
        }
        other => panic!("{other:?}"),
    }
    let same_name = Authority::new("Fleet CA").identity(&folder, &wanted("c", &["c"]));
    let e = hello(&same_name, &ours, "c").unwrap_err();
    assert!(matches!(e, ProofError::Certificate(CertificateProblem::Signature { .. })), "{e:?}");
    let lab = Identity::new(&LabKey::generate().unwrap(), "d").unwrap();
    assert_eq!(hello(&lab, &ours, "d"), Err(ProofError::Form));
}

proptest! {
    #[test]
    fn no_text_is_a_proof(text in "(x509 )?[ -~]{0,200}") {
        let folder = tempfile::tempdir().unwrap();
        let ours = Authority::new("Fleet CA").identity(&folder, &wanted("a", &["a"]));
        let lab = Identity::new(&LabKey::generate().unwrap(), "a").unwrap();
        for identity in [ours, lab] {
            for by in [ProofSubject::Coordinator, ProofSubject::Agent("a")] {
                prop_assert!(identity.verify_proof(ProofPurpose::Question, b"words", &text, by).is_err());
            }
        }
    }
}

fn refused(files: &CertificateFiles, part: LocalRole) -> (String, String) {
    let e = Identity::from_files(files, part).unwrap_err();
    (e.to_string(), e.hint().to_string())
}

#[test]
fn dates_are_said_with_the_clock() {
    let folder = tempfile::tempdir().unwrap();
    let fleet = Authority::new("Fleet CA");
    let past = Wanted { from: 0, until: 1_777_638_600, ..wanted("old", &["old"]) };
    let files = fleet.files(folder.path(), &past);
    let (said, _) = refused(&files, LocalRole::Agent);
    assert!(said.ends_with("old.pem expired on 2026-05-01T12:30:00Z"), "{said}");
    let e = Identity::from_files(&files, LocalRole::Coordinator).unwrap_err();
    assert!(e.cause().unwrap().starts_with("the clock of this host shows 2"), "{e:?}");
    let now = UnixSeconds::now().0;
    let future = Wanted { from: now + 100, until: now + 200, ..wanted("new", &["new"]) };
    let (said, hint) = refused(&fleet.files(folder.path(), &future), LocalRole::Agent);
    assert!(said.contains("is not valid before 2") && hint.contains("date -u"), "{said} {hint}");
}

#[test]
fn each_file_is_named_with_what_is_wrong() {
    let folder = tempfile::tempdir().unwrap();
    let fleet = Authority::new("Fleet CA");
    let good = fleet.files(folder.path(), &wanted("a", &["a"]));
    let other = fleet.files(folder.path(), &wanted("b", &["b"]));
    let foreign = Authority::new("Other CA").files(folder.path(), &wanted("c", &["c"]));
    let client = fleet.files(folder.path(), &Wanted { usages: &BOTH[1..], ..wanted("d", &["d"]) });
    assert!(Identity::from_files(&client, LocalRole::Coordinator).is_ok());
    let nameless = fleet.files(folder.path(), &wanted("", &["e"]));
    let (certificate, private_key, ca) = (good.private_key.clone(), other.private_key, foreign.ca);
    for (files, words) in [
        (CertificateFiles { private_key, ..good.clone() }, "b.key does not belong to the certificate"),
        (
            CertificateFiles { ca: folder.path().join("none"), ..good.clone() },
            "cannot read the CA certificate",
        ),
        (CertificateFiles { certificate, ..good.clone() }, "a.key contains no usable certificate"),
        (CertificateFiles { ca, ..good.clone() }, "issued by \"Fleet CA\", which this host does not trust"),
        (client, "does not permit its holder to run an agent"),
        (nameless, "no common name"),
    ] {
        let (said, _) = refused(&files, LocalRole::Agent);
        assert!(said.contains(words), "{said}");
    }
    // Others can read the private key.
    fs::set_permissions(&good.private_key, fs::Permissions::from_mode(0o640)).unwrap();
    let (said, hint) = refused(&good, LocalRole::Agent);
    assert!(said.contains("mode 640"), "{said}");
    assert_eq!(hint, format!("chmod 600 {}", good.private_key.display()));
}

#[test]
fn nothing_secret_is_printed() {
    let folder = tempfile::tempdir().unwrap();
    let lab = Identity::new(&LabKey::generate().unwrap(), "a").unwrap();
    let from_files = Authority::new("Fleet CA").identity(&folder, &wanted("a", &["a"]));
    for identity in [lab, from_files] {
        assert_eq!(format!("{identity:?}"), "Identity(hidden)");
        assert!(identity.private_key_pem().contains("PRIVATE KEY"));
    }
}
