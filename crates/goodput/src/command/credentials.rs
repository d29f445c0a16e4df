//! Finds the credentials: command line, then environment, configuration file, default paths.

use crate::args::credentials::CredentialSource;
use crate::config::Config;
use crate::exit::ExitStatus;
use crate::failure::Failure;
use crate::lab_exec::LabContext;
use goodput_control::Credentials;
use goodput_control::identity::CertificateFiles;
use goodput_control::lab_key::{KEY_FILE_ENV, LabKey};
use std::env;
use std::path::{Path, PathBuf};

pub const CREDENTIAL_VARIABLES: [&str; 3] = ["GOODPUT_CA", "GOODPUT_CERTIFICATE", "GOODPUT_PRIVATE_KEY"];

struct CredentialFiles {
    /// Order: authority, certificate, private key.
    names: [&'static str; 3],
    files: [Option<PathBuf>; 3],
}

impl CredentialFiles {
    /// All three or none; else an error names the missing one.
    fn together(self) -> Result<Option<CertificateFiles>, Failure> {
        let missing: Vec<&str> =
            self.names.iter().zip(&self.files).filter(|(_, f)| f.is_none()).map(|(n, _)| *n).collect();
        match self.files {
            [Some(ca), Some(certificate), Some(private_key)] => {
                Ok(Some(CertificateFiles { ca, certificate, private_key }))
            }
            [None, None, None] => Ok(None),
            _ => Err(Failure::usage_error(format!("missing: {}", missing.join(", ")))
                .with_cause(
                    "certificates are three files: of the authority, of this side, and the private key",
                )
                .with_hint(format!("give {}", self.names.join(", ")))),
        }
    }
}

pub fn find_credentials(chosen: &CredentialSource) -> Result<Option<Credentials>, Failure> {
    let variables = CredentialFiles {
        names: CREDENTIAL_VARIABLES,
        files: CREDENTIAL_VARIABLES.map(|v| env::var_os(v).map(PathBuf::from)),
    };
    match chosen {
        CredentialSource::KeyFile(file) => return lab_key(Some(file)),
        CredentialSource::Certificates(files) => return Ok(Some(Credentials::Certificates(files.clone()))),
        CredentialSource::Usual => {}
    }
    let key_variable = env::var_os(KEY_FILE_ENV);
    match (variables.together()?, key_variable) {
        (Some(_), Some(_)) => {
            return Err(Failure::usage_error(format!(
                "{KEY_FILE_ENV} and {} are set",
                CREDENTIAL_VARIABLES[0]
            ))
            .with_cause("a host has a lab key or a certificate, not both")
            .with_hint(
                "unset one of them, or specify which one to use: --key-file, or the certificate options",
            ));
        }
        (Some(files), None) => return Ok(Some(Credentials::Certificates(files))),
        (None, Some(file)) => return lab_key(Some(Path::new(&file))),
        (None, None) => {}
    }
    let config = Config::load()?;
    let names = ["ca", "certificate", "private_key"];
    let files = [config.ca, config.certificate, config.private_key];
    match (CredentialFiles { names, files }.together()?, config.key_file) {
        (Some(_), Some(_)) => Err(Failure::usage_error("the configuration has key_file and ca")
            .with_cause("a host has a lab key or a certificate, not both")
            .with_hint("omit one of the options")),
        (Some(files), None) => Ok(Some(Credentials::Certificates(files))),
        (None, Some(file)) => lab_key(Some(&file)),
        (None, None) => lab_key(None),
    }
}

/// Inside a lab, the lab's key precedes the user's.
pub fn find_credentials_in(
    chosen: &CredentialSource,
    place: Option<&LabContext>,
) -> Result<Option<Credentials>, Failure> {
    match (chosen, place) {
        (CredentialSource::Usual, Some(place)) => lab_key(Some(&place.key_file)),
        _ => find_credentials(chosen),
    }
}

fn lab_key(named: Option<&Path>) -> Result<Option<Credentials>, Failure> {
    LabKey::load(named).map(|found| found.map(|(key, _)| Credentials::LabKey(key))).map_err(|e| {
        Failure::from_error(ExitStatus::Usage, "the lab key cannot be used", &e).with_hint(e.hint())
    })
}
