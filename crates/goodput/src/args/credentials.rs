//! What this side shows to others: a lab key, or certificates of a fleet.

use crate::failure::Failure;
use clap::Args;
use goodput_control::identity::CertificateFiles;
use std::path::PathBuf;

/// As typed. Secrets are in files: what is typed can be read by everybody on the machine.
#[derive(Debug, Clone, Default, Args)]
pub struct TypedCredentials {
    /// File with the lab key [default: GOODPUT_KEY_FILE, ~/.config/goodput/key, /etc/goodput/key]
    #[arg(long, value_name = "FILE")]
    key_file: Option<PathBuf>,
    /// Certificates instead of a key: those of the authority that is believed [default: GOODPUT_CA]
    #[arg(long, value_name = "FILE")]
    ca: Option<PathBuf>,
    /// This side's certificate [default: GOODPUT_CERTIFICATE]
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,
    /// The certificate's private key [default: GOODPUT_PRIVATE_KEY]
    #[arg(long, value_name = "FILE")]
    private_key: Option<PathBuf>,
}

/// What was chosen on the command line.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Shown {
    /// Nothing: the environment, the configuration and the usual places decide.
    #[default]
    Usual,
    /// The lab key in this file.
    KeyFile(PathBuf),
    /// Certificates in these files.
    Certificates(CertificateFiles),
}

/// The three files that belong together, by the names under which they were given.
pub struct Three {
    /// Names in the order of the files: authority, certificate, private key.
    pub names: [&'static str; 3],
    /// What was given for each.
    pub files: [Option<PathBuf>; 3],
}

impl Three {
    /// All of them, or none; else which one is missing.
    pub fn together(self) -> Result<Option<CertificateFiles>, Failure> {
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

impl TypedCredentials {
    /// What is meant.
    pub fn meaning(self) -> Result<Shown, Failure> {
        let names = ["--ca", "--certificate", "--private-key"];
        let certificates =
            Three { names, files: [self.ca, self.certificate, self.private_key] }.together()?;
        match (self.key_file, certificates) {
            (Some(_), Some(_)) => Err(Failure::usage("--key-file and --ca are given")
                .because("a host has a lab key or a certificate, not both")
                .try_this("leave one of them out")),
            (Some(file), None) => Ok(Shown::KeyFile(file)),
            (None, Some(files)) => Ok(Shown::Certificates(files)),
            (None, None) => Ok(Shown::Usual),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(key: bool, ca: bool, certificate: bool, private_key: bool) -> Result<Shown, Failure> {
        let file = |given: bool| given.then(|| PathBuf::from("f"));
        TypedCredentials {
            key_file: file(key),
            ca: file(ca),
            certificate: file(certificate),
            private_key: file(private_key),
        }
        .meaning()
    }

    #[test]
    fn three_files_belong_together() {
        assert_eq!(typed(false, false, false, false), Ok(Shown::Usual));
        assert!(matches!(typed(true, false, false, false), Ok(Shown::KeyFile(_))));
        assert!(matches!(typed(false, true, true, true), Ok(Shown::Certificates(_))));
        let e = typed(false, true, false, false).unwrap_err();
        assert_eq!(e.error, "missing: --certificate, --private-key");
        assert!(typed(true, true, true, true).is_err());
    }
}
