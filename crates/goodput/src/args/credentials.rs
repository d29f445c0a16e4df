//! The credentials of this side: a lab key or certificates.

use super::HOSTS_HELP_HEADING;
use crate::failure::Failure;
use clap::Args;
use goodput_control::identity::CertificateFiles;
use std::path::{Path, PathBuf};

/// Secrets are in files: every user of the machine can read a process's arguments.
#[derive(Debug, Args)]
struct CredentialArgs {
    /// Lab key file [env: GOODPUT_KEY_FILE] [default: ~/.config/goodput/key, /etc/goodput/key]
    #[arg(long, value_name = "FILE", help_heading = HOSTS_HELP_HEADING, hide_short_help = true)]
    key_file: Option<PathBuf>,
    /// CA certificate file, as an alternative to a lab key [env: GOODPUT_CA]
    #[arg(long, value_name = "FILE", help_heading = HOSTS_HELP_HEADING, hide_short_help = true, conflicts_with = "key_file")]
    #[arg(requires_all = ["certificate", "private_key"])]
    ca: Option<PathBuf>,
    /// Certificate file of this host [env: GOODPUT_CERTIFICATE]
    #[arg(long, value_name = "FILE", help_heading = HOSTS_HELP_HEADING, hide_short_help = true)]
    #[arg(requires_all = ["ca", "private_key"])]
    certificate: Option<PathBuf>,
    /// Private key file of the certificate [env: GOODPUT_PRIVATE_KEY]
    #[arg(long, value_name = "FILE", help_heading = HOSTS_HELP_HEADING, hide_short_help = true)]
    #[arg(requires_all = ["ca", "certificate"])]
    private_key: Option<PathBuf>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum CredentialSource {
    /// Taken from the environment, the configuration or the default paths.
    #[default]
    Usual,
    KeyFile(PathBuf),
    Certificates(CertificateFiles),
}

impl TryFrom<CredentialArgs> for CredentialSource {
    type Error = Failure;

    fn try_from(args: CredentialArgs) -> Result<CredentialSource, Failure> {
        Ok(match (args.key_file, args.ca, args.certificate, args.private_key) {
            (Some(file), ..) => CredentialSource::KeyFile(file),
            (None, Some(ca), Some(certificate), Some(private_key)) => {
                CredentialSource::Certificates(CertificateFiles { ca, certificate, private_key })
            }
            _ => CredentialSource::Usual,
        })
    }
}

super::args_as!(CredentialArgs => CredentialSource);

impl CredentialSource {
    /// The options that name them, with their values; none for the usual ones.
    pub fn options(&self) -> Vec<(&'static str, String)> {
        let file = |option, path: &Path| (option, path.display().to_string());
        match self {
            CredentialSource::Usual => vec![],
            CredentialSource::KeyFile(path) => vec![file("--key-file", path)],
            CredentialSource::Certificates(files) => vec![
                file("--ca", &files.ca),
                file("--certificate", &files.certificate),
                file("--private-key", &files.private_key),
            ],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::{Command, tests::parsed};

    fn chosen(options: &str) -> Result<CredentialSource, Failure> {
        match parsed(&format!("goodput hosts {options}"))? {
            Command::Hosts(args) => Ok(args.credentials),
            other => panic!("{options}: {other:?}"),
        }
    }

    #[test]
    fn the_three_files_belong_together() {
        assert_eq!(chosen(""), Ok(CredentialSource::Usual));
        assert_eq!(chosen("--key-file f"), Ok(CredentialSource::KeyFile("f".into())));
        let files = CertificateFiles { ca: "a".into(), certificate: "c".into(), private_key: "p".into() };
        let three = chosen("--ca a --certificate c --private-key p");
        assert_eq!(three, Ok(CredentialSource::Certificates(files)));
        let e = chosen("--ca a").unwrap_err();
        assert!(e.error.contains("--certificate") && e.error.contains("--private-key"), "{e}");
        assert!(chosen("--key-file f --ca a --certificate c --private-key p").is_err());
    }
}
