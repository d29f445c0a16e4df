//! What this side shows: from the command line, the environment, the configuration file, or the usual places; the first
//! that says anything.

use crate::args::credentials::{Shown, Three};
use crate::config::Config;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::inside::Place;
use goodput_control::Credentials;
use goodput_control::key::{KEY_FILE_VARIABLE, LabKey};
use std::env;
use std::path::{Path, PathBuf};

/// The variables that name the three files.
pub const VARIABLES: [&str; 3] = ["GOODPUT_CA", "GOODPUT_CERTIFICATE", "GOODPUT_PRIVATE_KEY"];

/// A lab key, certificates, or nothing.
pub fn find(shown: &Shown) -> Result<Option<Credentials>, Failure> {
    let variables = Three { names: VARIABLES, files: VARIABLES.map(|v| env::var_os(v).map(PathBuf::from)) };
    match shown {
        Shown::KeyFile(file) => return lab_key(Some(file)),
        Shown::Certificates(files) => return Ok(Some(Credentials::Certificates(files.clone()))),
        Shown::Usual => {}
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
    match (Three { names, files }.together()?, config.key_file) {
        (Some(_), Some(_)) => Err(Failure::usage("the configuration has key_file and ca")
            .because("a host has a lab key or a certificate, not both")
            .try_this("leave one of them out")),
        (Some(files), None) => Ok(Some(Credentials::Certificates(files))),
        (None, Some(file)) => lab_key(Some(&file)),
        (None, None) => lab_key(None),
    }
}

/// The same inside a lab, whose own key comes before the user's.
pub fn find_in(shown: &Shown, place: Option<&Place>) -> Result<Option<Credentials>, Failure> {
    match (shown, place) {
        (Shown::Usual, Some(place)) => lab_key(Some(&place.key_file)),
        _ => find(shown),
    }
}

fn lab_key(named: Option<&Path>) -> Result<Option<Credentials>, Failure> {
    LabKey::find(named)
        .map(|found| found.map(|(key, _)| Credentials::LabKey(key)))
        .map_err(|e| Failure::from_error(Exit::Usage, "the lab key cannot be used", &e).try_this(e.hint()))
}
