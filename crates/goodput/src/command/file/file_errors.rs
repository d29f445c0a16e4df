//! Hints for failed file work, chosen by words of the cause, which comes from another host or a library.

use crate::exit::ExitStatus;
use crate::failure::Failure;

const HINTS: [(&[&str], &str); 7] = [
    (
        &["folders.allowed"],
        "start that agent with --allow-dir DIR, or name the folder in its policy (folders.allowed)",
    ),
    (
        &["LOGON_FAILURE", "log on", "password", "ACCOUNT_"],
        "look at user, domain and password: smb://[domain;]user@host/share, --password-file FILE",
    ),
    (&["BAD_NETWORK_NAME", "no such share"], "look how the share is called on the server"),
    (
        &["read-only", "Read-only", "only be read", "WRITE_PROTECTED", "EROFS"],
        "name a folder or a share that may be written to",
    ),
    (
        &["No space", "no space", "DISK_FULL", "full", "quota", "bytes are free"],
        "ask for less with --size, or make room",
    ),
    (
        &["denied", "DENIED", "not permitted", "Permission"],
        "name a folder where this user may make folders, or log on as somebody who may",
    ),
    (
        &["No such file", "NOT_FOUND", "not found"],
        "look whether the folder exists there; it is not made for you",
    ),
];

pub fn file_failure(what: impl Into<String>, cause: &str) -> Failure {
    Failure::new(ExitStatus::CannotMeasure, what).with_cause(cause).with_hint(hint_for_cause(cause))
}

pub fn hint_for_cause(cause: &str) -> &'static str {
    let fits = |(words, _): &&(&[&str], &str)| words.iter().any(|word| cause.contains(word));
    HINTS.iter().find(fits).map_or("look after what the cause names and measure again", |(_, hint)| hint)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cause_gets_the_hint_that_belongs_to_it() {
        assert!(
            hint_for_cause("refused by rule folders.allowed of : asked for the folder /a")
                .contains("--allow-dir")
        );
        assert!(hint_for_cause("STATUS_LOGON_FAILURE (0xc000006d)").contains("--password-file"));
        assert!(
            hint_for_cause("cannot write test: No space left on device (os error 28)").contains("--size")
        );
        assert!(hint_for_cause("cannot make it: Read-only file system (os error 30)").contains("written to"));
        assert!(hint_for_cause("something new").contains("measure again"));
    }
}
