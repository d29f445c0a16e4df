//! The configuration file, `~/.config/goodput/config.toml` or else `/etc/goodput/config.toml`:
//!
//! ```toml
//! key_file = "/etc/goodput/key" # or these three:
//! ca = "/etc/goodput/ca.pem"
//! certificate = "/etc/goodput/host.pem"
//! private_key = "/etc/goodput/host.key"
//! ```
//!
//! Command line and environment override it.

use crate::exit::ExitStatus;
use crate::failure::Failure;
use goodput_words::message;
use serde::Deserialize;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// All keys are optional.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    pub key_file: Option<PathBuf>,
    pub ca: Option<PathBuf>,
    pub certificate: Option<PathBuf>,
    pub private_key: Option<PathBuf>,
}

impl Config {
    pub fn load() -> Result<Config, Failure> {
        let home = std::env::var_os("HOME").map(|home| Path::new(&home).join(".config/goodput/config.toml"));
        for file in home.into_iter().chain([PathBuf::from("/etc/goodput/config.toml")]) {
            match std::fs::read_to_string(&file) {
                Ok(text) => return Config::from_toml(&text, &file),
                Err(e) if matches!(e.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {}
                Err(e) => {
                    let what = message!(error_cannot_read_configuration { file: file.display().to_string() });
                    return Err(Failure::from_error(ExitStatus::Usage, what, &e)
                        .with_hint("make it readable, or move it away"));
                }
            }
        }
        Ok(Config::default())
    }

    fn from_toml(text: &str, file: &Path) -> Result<Config, Failure> {
        toml::from_str(text).map_err(|e: toml::de::Error| {
            let before = e.span().and_then(|span| text.get(..span.start)).unwrap_or("");
            let line = before.matches('\n').count() + 1;
            let why = e.message().lines().collect::<Vec<_>>().join(" ");
            Failure::usage_error(message!(error_refused_configuration { file: file.display().to_string() }))
                .with_cause(message!(error_line_why { line: line.to_string(), why }))
                .with_hint("key_file = \"…\", or ca, certificate and private_key")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_line_is_named() {
        let read = |text: &str| Config::from_toml(text, Path::new("config.toml"));
        assert_eq!(read("").unwrap(), Config::default());
        assert_eq!(read("ca = \"/a\"").unwrap().ca, Some("/a".into()));
        let e = read("\nkeyfile = \"/a\"\n").unwrap_err();
        assert!(e.cause.unwrap().starts_with("line 2: unknown field `keyfile`"));
    }
}
