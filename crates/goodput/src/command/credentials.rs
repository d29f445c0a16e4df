//! Finds the credentials: command line, then environment, configuration file, default paths.

use crate::args::credentials::ChosenCredentials;
use crate::config::Config;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::lab_exec::LabContext;
use goodput_control::Credentials;
use goodput_control::identity::CertificateFiles;
use goodput_control::key::{KEY_FILE_VARIABLE, LabKey};
use std::env;
use std::path::{Path, PathBuf};

pub const VARIABLES: [&str; 3] = ["GOODPUT_CA", "GOODPUT_CERTIFICATE", "GOODPUT_PRIVATE_KEY"];

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
            _ => Err(Failure::usage(format!("missing: {}", missing.join(", ")))
                .because("certificates are three files: of the authority, of this side, and the private key")
                .try_this(format!("give {}", self.names.join(", ")))),
        }
    }
}

pub fn find(chosen: &ChosenCredentials) -> Result<Option<Credentials>, Failure> {
    let variables =
        CredentialFiles { names: VARIABLES, files: VARIABLES.map(|v| env::var_os(v).map(PathBuf::from)) };
    match chosen {
        ChosenCredentials::KeyFile(file) => return lab_key(Some(file)),
        ChosenCredentials::Certificates(files) => return Ok(Some(Credentials::Certificates(files.clone()))),
        ChosenCredentials::Usual => {}
    }
    let key_variable = env::var_os(KEY_FILE_VARIABLE);
    match (variables.together()?, key_variable) {
        (Some(_), Some(_)) => {
            return Err(Failure::usage(format!("{KEY_FILE_VARIABLE} and {} are set", VARIABLES[0]))
                .because("a host has a lab key or a certificate, not both")
                .try_this("unset one of them, or type which is meant: --key-file, or --ca and the others"));
        }
        (Some(files), None) => return Ok(Some(Credentials::Certificates(files))),
        (None, Some(file)) => return lab_key(Some(Path::new(&file))),
        (None, None) => {}
    }
    let config = Config::find()?;
    let names = ["ca", "certificate", "private_key"];
    let files = [config.ca, config.certificate, config.private_key];
    match (CredentialFiles { names, files }.together()?, config.key_file) {
        (Some(_), Some(_)) => Err(Failure::usage("the configuration has key_file and ca")
            .because("a host has a lab key or a certificate, not both")
            .try_this("leave one of them out")),
        (Some(files), None) => Ok(Some(Credentials::Certificates(files))),
        (None, Some(file)) => lab_key(Some(&file)),
        (None, None) => lab_key(None),
    }
}

/// Inside a lab, the lab's key precedes the user's.
pub fn find_in(
    chosen: &ChosenCredentials,
    place: Option<&LabContext>,
) -> Result<Option<Credentials>, Failure> {
    match (chosen, place) {
        (ChosenCredentials::Usual, Some(place)) => lab_key(Some(&place.key_file)),
        _ => find(chosen),
    }
}

fn lab_key(named: Option<&Path>) -> Result<Option<Credentials>, Failure> {
    LabKey::find(named)
        .map(|found| found.map(|(key, _)| Credentials::LabKey(key)))
        .map_err(|e| Failure::from_error(Exit::Usage, "the lab key cannot be used", &e).try_this(e.hint()))
}
