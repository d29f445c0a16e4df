//! Hints for failed file work, chosen by words of the cause, which comes from another host or a library.

use crate::exit::ExitStatus;
use crate::failure::Failure;
use goodput_model::Message;

const HINTS: [(&[&str], &str); 9] = [
    (
        &["folders.allowed"],
        "start that agent with --allow-dir DIR, or add the folder to its policy (folders.allowed)",
    ),
    (
        &["smb.accounts"],
        "start that agent with --allow-smb USER@HOST, or add the account to its policy (smb.accounts)",
    ),
    (
        &["peers.addresses"],
        "choose a server that the agent's policy permits, or add its address to the policy (peers.addresses)",
    ),
    (
        &["LOGON_FAILURE", "log on", "password", "ACCOUNT_"],
        "check the user, domain and password: smb://[domain;]user@host/share, --password-file FILE",
    ),
    (&["BAD_NETWORK_NAME", "no such share"], "check the name of the share on the server"),
    (
        &["read-only", "Read-only", "only be read", "WRITE_PROTECTED", "EROFS"],
        "choose a writable folder or share",
    ),
    (
        &["No space", "no space", "DISK_FULL", "full", "quota", "bytes are free"],
        "choose a smaller --size, or free some disk space",
    ),
    (
        &["denied", "DENIED", "not permitted", "Permission"],
        "choose a folder in which this user may create folders, or log on as a user with this permission",
    ),
    (
        &["No such file", "NOT_FOUND", "not found"],
        "check that the folder exists on that host; goodput does not create it",
    ),
];

pub fn file_operation_failure(what: impl Into<Message>, cause: &Message) -> Failure {
    Failure::new(ExitStatus::CannotMeasure, what).with_cause(cause).with_hint(hint_for_cause(cause))
}

pub fn hint_for_cause(cause: &str) -> &'static str {
    let fits = |(words, _): &&(&[&str], &str)| words.iter().any(|word| cause.contains(word));
    HINTS.iter().find(fits).map_or("fix the cause, then measure again", |(_, hint)| hint)
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
        let password = "refused by rule smb.accounts: asked for this host's SMB password for ann@nas";
        assert!(hint_for_cause(password).contains("--allow-smb"));
        assert!(hint_for_cause("STATUS_LOGON_FAILURE (0xc000006d)").contains("--password-file"));
        assert!(
            hint_for_cause("cannot write test: No space left on device (os error 28)").contains("--size")
        );
        assert!(hint_for_cause("cannot make it: Read-only file system (os error 30)").contains("writable"));
        assert!(hint_for_cause("something new").contains("measure again"));
    }
}
