//! A share's password: from a file, the environment or the terminal. Never an argument, never in a result.

use crate::exit::ExitStatus;
use crate::failure::{Failure, OrFailure, WithHint};
use goodput_file::{FileError, smb_password};
use goodput_words::message;
use std::io::IsTerminal;
use std::path::Path;
use zeroize::Zeroizing;

/// Stores the password of `user` at `host` if this process logs on.
pub fn load_password(file: Option<&Path>, user: &str, host: &str) -> Result<(), Failure> {
    let unusable = |e: FileError| {
        Failure::from_error(ExitStatus::Usage, "the password cannot be used", &e)
            .with_hint("put the password on the first line of a file that only you can read (chmod 600)")
    };
    if let Some(file) = file {
        let password = smb_password::read_password_file(file).map_err(unusable)?;
        smb_password::set_password(password);
        return Ok(());
    }
    if smb_password::find_password().map_err(unusable)?.is_some() {
        return Ok(());
    }
    if !std::io::stdin().is_terminal() {
        let variable = smb_password::PASSWORD_FILE_ENV;
        return Err(Failure::usage_error(message!(error_file_password_missing { user, host }))
            .with_cause("no terminal is available to prompt for the password")
            .with_hint(message!(hint_file_password_name { variable })));
    }
    let password = rpassword::prompt_password(format!("password of {user} at {host}: "))
        .or_failure(ExitStatus::Usage, "the password could not be asked for")
        .with_hint("use --password-file with a file that only you can read")?;
    smb_password::set_password(Zeroizing::new(password));
    Ok(())
}
