//! `goodput key new`: writes a new lab key to a file that only its owner can read.

use crate::exit::ExitStatus;
use crate::failure::Failure;
use crate::output;
use goodput_control::lab_key::LabKey;
use goodput_words::message;
use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

/// Never overwrites a key, because hosts may still trust it.
pub fn create_key(output: Option<PathBuf>, as_json: bool) -> Result<ExitStatus, Failure> {
    let path = match output {
        Some(path) => path,
        None => usual_place().ok_or_else(|| {
            Failure::new(ExitStatus::CannotMeasure, "no folder available for the key")
                .with_cause("HOME is not set")
                .with_hint("goodput key new --output FILE")
        })?,
    };
    make(&path)?;
    if as_json {
        output::print_json(&serde_json::json!({ "schema": "goodput/key/1", "file": path }));
    } else {
        output::print_text(&format!(
            "A new lab key is in {0}\n\
             Copy it to the other hosts by a safe way, for example\n\
             \x20   scp -p {0} OTHER:.config/goodput/key\n\
             Whoever has it may measure between all hosts that have it.\n",
            path.display()
        ));
    }
    Ok(ExitStatus::Done)
}

fn make(path: &Path) -> Result<(), Failure> {
    let key = LabKey::generate().map_err(|e| {
        Failure::from_error(ExitStatus::CannotMeasure, "cannot create a key", &e).with_hint(e.hint())
    })?;
    write(path, &format!("{}\n", key.to_text()))
}

fn usual_place() -> Option<PathBuf> {
    std::env::var_os("HOME").filter(|h| !h.is_empty()).map(|h| Path::new(&h).join(".config/goodput/key"))
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    let failed = |e: std::io::Error| {
        let hint = match e.kind() {
            ErrorKind::AlreadyExists => {
                "copy the existing key to the other hosts, or move it elsewhere, or specify another --output"
            }
            _ => "specify another file with --output",
        };
        let what = message!(error_cannot_write_key { path: path.display().to_string() });
        Failure::from_error(ExitStatus::CannotMeasure, what, &e).with_hint(hint)
    };
    if let Some(folder) = path.parent().filter(|p| !p.as_os_str().is_empty()) {
        fs::create_dir_all(folder).map_err(failed)?;
    }
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path).map_err(failed)?;
    file.write_all(text.as_bytes()).and_then(|()| file.sync_all()).map_err(failed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_never_overwritten_and_reads_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep/key");
        make(&path).unwrap();
        let first = LabKey::read_file(&path).unwrap();
        let refused = make(&path).unwrap_err();
        assert!(refused.hint.unwrap().contains("--output"));
        assert_eq!(LabKey::read_file(&path).unwrap(), first);
    }
}
