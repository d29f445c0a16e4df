//! The password of an SMB share. It is in no command line, result or message: each client finds it on its own
//! host, and it is zeroed in memory.

use crate::{ErrorText, FileError, FileErrorKind, attempt, locked};
use goodput_words::message;
use std::ffi::OsString;
use std::fs::File;
use std::io::Read;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::Path;
use std::sync::Mutex;
use zeroize::Zeroizing;

pub const PASSWORD_ENV: &str = "GOODPUT_SMB_PASSWORD";
/// Path of a file with the password on its first line.
pub const PASSWORD_FILE_ENV: &str = "GOODPUT_SMB_PASSWORD_FILE";

/// Windows accepts 127 characters, at most three bytes each.
const LONGEST: u64 = 1024;

static TOLD: Mutex<Option<Zeroizing<String>>> = Mutex::new(None);

pub fn set_password(password: Zeroizing<String>) {
    *locked(&TOLD) = Some(password);
}

pub fn clear_password() {
    *locked(&TOLD) = None;
}

/// The password from [`set_password`], else from [`PASSWORD_ENV`], else from the file that [`PASSWORD_FILE_ENV`] names.
pub fn find_password() -> Result<Option<Zeroizing<String>>, FileError> {
    let told = locked(&TOLD).clone();
    match told {
        Some(told) => Ok(Some(told)),
        None => from_environment(|name| std::env::var_os(name)),
    }
}

fn from_environment(get: impl Fn(&str) -> Option<OsString>) -> Result<Option<Zeroizing<String>>, FileError> {
    if let Some(password) = get(PASSWORD_ENV) {
        return match password.into_string() {
            Ok(password) => Ok(Some(Zeroizing::new(password))),
            Err(_) => Err(refused(PASSWORD_ENV, "it is not UTF-8")),
        };
    }
    get(PASSWORD_FILE_ENV).map(|path| read_password_file(Path::new(&path))).transpose()
}

/// The first line of a file that only its owner can read.
pub fn read_password_file(path: &Path) -> Result<Zeroizing<String>, FileError> {
    let what = format!("{} ({PASSWORD_FILE_ENV})", path.display());
    // O_NONBLOCK: opening a FIFO must not block; it is refused below.
    let opened = File::options().read(true).custom_flags(libc::O_NONBLOCK | libc::O_NOCTTY).open(path);
    let failed = |source| FileError::from_io_error(ErrorText::of(attempt::read_password, &what), source);
    let file = opened.map_err(failed)?;
    let known = file.metadata().map_err(failed)?;
    if !known.is_file() {
        return Err(refused(&what, "it is not a file"));
    }
    if known.mode() & 0o077 != 0 {
        let (mode, path) = (format!("{:04o}", known.mode() & 0o7777), path.display().to_string());
        return Err(refused(&what, message!(cause_place_password_mode { mode, path })));
    }
    // Allocated once: a growing buffer leaves copies behind.
    let mut text = Zeroizing::new(String::with_capacity(LONGEST as usize + 1));
    file.take(LONGEST + 1).read_to_string(&mut text).map_err(failed)?;
    if text.len() as u64 > LONGEST {
        return Err(refused(&what, message!(cause_place_password_too_long { most: LONGEST.to_string() })));
    }
    let line = text.split(['\n', '\r']).next().unwrap_or_default();
    if line.is_empty() {
        return Err(refused(&what, "its first line is empty"));
    }
    Ok(Zeroizing::new(line.to_string()))
}

fn refused(what: &str, why: impl Into<ErrorText>) -> FileError {
    FileError::with_reason(ErrorText::of(attempt::take_password, what), FileErrorKind::Forbidden, why)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::Permissions;
    use std::os::unix::fs::PermissionsExt;

    fn file(text: &str, mode: u32) -> tempfile::NamedTempFile {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), text).unwrap();
        std::fs::set_permissions(file.path(), Permissions::from_mode(mode)).unwrap();
        file
    }

    fn named(path: &Path) -> Result<Option<Zeroizing<String>>, FileError> {
        from_environment(|name| (name == PASSWORD_FILE_ENV).then(|| path.into()))
    }

    #[test]
    fn the_first_line_of_a_file_that_only_its_owner_reads() {
        for text in ["s3cret", "s3cret\n", "s3cret\r\nand a note\n"] {
            assert_eq!(named(file(text, 0o600).path()).unwrap().unwrap().as_str(), "s3cret");
        }
        assert_eq!(named(file(" with spaces \n", 0o400).path()).unwrap().unwrap().as_str(), " with spaces ");
    }

    #[test]
    fn a_file_that_others_may_read_is_refused_with_what_to_type() {
        for mode in [0o644, 0o640, 0o604, 0o620] {
            let bad = named(file("s3cret", mode).path()).unwrap_err();
            assert_eq!(bad.trouble, FileErrorKind::Forbidden);
            let said = format!("{bad}: {}", bad.source);
            assert!(said.contains("chmod 600") && !said.contains("s3cret"), "{said}");
        }
        assert!(named(file("", 0o600).path()).is_err());
        assert!(named(file(&"x".repeat(2000), 0o600).path()).is_err());
        assert_eq!(named(Path::new("/nowhere/at/all")).unwrap_err().trouble, FileErrorKind::NotFound);
        assert!(named(Path::new("/")).is_err());
    }

    #[test]
    fn what_was_told_counts_before_the_environment_and_that_before_a_file() {
        let both =
            from_environment(|name| Some(if name == PASSWORD_ENV { "here" } else { "/nowhere" }.into()));
        assert_eq!(both.unwrap().unwrap().as_str(), "here");
        assert!(from_environment(|_| None).unwrap().is_none());
        set_password(Zeroizing::new("told".into()));
        assert_eq!(find_password().unwrap().unwrap().as_str(), "told");
        clear_password();
    }
}
