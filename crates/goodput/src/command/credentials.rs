//! Finds the credentials: command line, then environment, configuration file, default paths.

use crate::args::credentials::CredentialSource;
use crate::config::Config;
use crate::exit::ExitStatus;
use crate::failure::{self, Failure};
use crate::lab_exec::LabContext;
use goodput_control::identity::{CertificateFiles, LocalRole};
use goodput_control::lab_key::{KEY_FILE_ENV, LabKey};
use goodput_control::{AgentRegistry, AgentRouterAddress, Credentials};
use goodput_model::Message;
use goodput_model::trial::TrialTimeouts;
use goodput_words::message;
use std::env;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub const CREDENTIAL_ENV_VARIABLES: [&str; 3] = ["GOODPUT_CA", "GOODPUT_CERTIFICATE", "GOODPUT_PRIVATE_KEY"];

/// A lab key or certificates from one source; `None` if it names neither. The file names are those of the
/// authority, the certificate and the private key.
fn key_or_certificates(
    names: [&str; 3],
    files: [Option<PathBuf>; 3],
    key: Option<PathBuf>,
    both: Failure,
) -> Result<Option<Credentials>, Failure> {
    let missing: Vec<&str> = names.iter().zip(&files).filter(|(_, f)| f.is_none()).map(|(n, _)| *n).collect();
    match (files, key) {
        ([None, None, None], None) => Ok(None),
        ([None, None, None], Some(key)) => lab_key(Some(&key)),
        ([Some(ca), Some(certificate), Some(private_key)], None) => {
            Ok(Some(Credentials::Certificates(CertificateFiles { ca, certificate, private_key })))
        }
        ([Some(_), Some(_), Some(_)], Some(_)) => {
            Err(both.with_cause("a host has a lab key or a certificate, not both"))
        }
        _ => Err(Failure::usage_error(message!(error_credentials_missing { names: missing }))
            .with_cause("certificates are three files: of the authority, of this side, and the private key")
            .with_hint(message!(hint_credentials_names { names: names.to_vec() }))),
    }
}

pub fn find_credentials(chosen: &CredentialSource) -> Result<Option<Credentials>, Failure> {
    match chosen {
        CredentialSource::KeyFile(file) => return lab_key(Some(file)),
        CredentialSource::Certificates(files) => return Ok(Some(Credentials::Certificates(files.clone()))),
        CredentialSource::Usual => {}
    }
    let variable = |name: &str| env::var_os(name).map(PathBuf::from);
    let both = message!(error_credentials_both_set { key: KEY_FILE_ENV, ca: CREDENTIAL_ENV_VARIABLES[0] });
    let both = Failure::usage_error(both).with_hint(
        "unset one of the two variables, or specify which one to use: --key-file, or the certificate options",
    );
    let files = CREDENTIAL_ENV_VARIABLES.map(variable);
    if let Some(found) = key_or_certificates(CREDENTIAL_ENV_VARIABLES, files, variable(KEY_FILE_ENV), both)? {
        return Ok(Some(found));
    }
    let config = Config::load()?;
    let both =
        Failure::usage_error("the configuration has key_file and ca").with_hint("omit one of the options");
    let files = [config.ca, config.certificate, config.private_key];
    let found = key_or_certificates(["ca", "certificate", "private_key"], files, config.key_file, both)?;
    found.map_or_else(|| lab_key(None), |found| Ok(Some(found)))
}

/// `what` is impossible with unusable credentials.
pub fn open_agent_registry(
    shown: Option<&Credentials>,
    router: Option<AgentRouterAddress>,
    deadlines: TrialTimeouts,
    what: impl Into<Message>,
) -> Result<AgentRegistry, Failure> {
    let identity = shown.map(|s| s.load_identity(LocalRole::Coordinator, "coordinator")).transpose();
    let identity = identity.map_err(|e| failure::failure_from_control_error(what, &e.into()))?;
    Ok(AgentRegistry::new(identity.map(Arc::new), router, deadlines))
}

/// Inside a lab, the lab's key precedes the user's.
pub fn find_lab_or_user_credentials(
    chosen: &CredentialSource,
    place: Option<&LabContext>,
) -> Result<Option<Credentials>, Failure> {
    match (chosen, place) {
        (CredentialSource::Usual, Some(place)) => lab_key(Some(&place.key_file)),
        _ => find_credentials(chosen),
    }
}

fn lab_key(named: Option<&Path>) -> Result<Option<Credentials>, Failure> {
    LabKey::load_first_found(named).map(|found| found.map(|(key, _)| Credentials::LabKey(key))).map_err(|e| {
        Failure::from_error(ExitStatus::Usage, "the lab key cannot be used", &e).with_hint(e.hint())
    })
}
