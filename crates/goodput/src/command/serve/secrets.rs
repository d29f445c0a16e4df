//! The files of passwords and tokens.

use super::home;
use crate::args::serve::LoginFiles;
use crate::exit::ExitStatus;
use crate::failure::{Failure, OrFailure, WithHint};
use crate::{language, output};
use goodput_model::Message;
use goodput_server::security::password::{MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH};
use goodput_server::security::secrets::{self, Secrets, SecretsParseError, role_name};
use goodput_server::security::{RandomnessError, Role};
use goodput_words::message;
use std::fs::{self, File, OpenOptions};
use std::io::{BufRead, ErrorKind, IsTerminal, Read, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use zeroize::Zeroizing;

/// A named file must exist; the defaults may be missing.
pub fn read_secrets(files: &LoginFiles) -> Result<Secrets, Failure> {
    let (passwords, tokens) = places(files)?;
    let passwords_text = contents(&passwords, files.passwords.is_some(), "password operator")?;
    let tokens_text = contents(&tokens, files.tokens.is_some(), "token reader NAME")?;
    // Reads each alone to find which one is invalid.
    let refused = |file: &Path, e: &SecretsParseError| {
        let what = message!(error_cannot_be_used { file: file.display().to_string() });
        Failure::from_error(ExitStatus::Usage, what, e)
            .with_hint("create password and token files with goodput serve password and goodput serve token")
    };
    Secrets::parse(&passwords_text, "").map_err(|e| refused(&passwords, &e))?;
    Secrets::parse(&passwords_text, &tokens_text).map_err(|e| refused(&tokens, &e))
}

pub fn set_password(role: Role, files: &LoginFiles) -> Result<ExitStatus, Failure> {
    let (file, _) = places(files)?;
    let password = asked(role)?;
    if password.chars().count() < MIN_PASSWORD_LENGTH || password.len() > MAX_PASSWORD_LENGTH {
        return Err(Failure::usage_error("this password is not accepted")
            .with_cause(message!(cause_password_letters { count: MIN_PASSWORD_LENGTH }))
            .with_hint("use four random words: they are easy to remember and hard to guess"));
    }
    let line = secrets::format_password_line(role, &password).map_err(|e| no_random(&e))?;
    let own = format!("{} ", role_name(role));
    put(&file, &own, &line)?;
    let (role, file) = (role_name(role), file.display().to_string());
    language::print_message(message!(progress_password_set { role, file }));
    language::print_message("restart goodput serve to apply the change");
    Ok(ExitStatus::Done)
}

pub fn create_token(role: Role, name: &str, files: &LoginFiles) -> Result<ExitStatus, Failure> {
    let (_, file) = places(files)?;
    let (token, line) = secrets::new_token(role, name).map_err(|e| no_random(&e))?;
    let token = Zeroizing::new(token);
    put(&file, &format!(" {name} "), &line)?;
    output::print_text(&format!("{}\n", *token));
    language::print_message(message!(progress_token_shown_once { file: file.display().to_string() }));
    language::print_message("restart goodput serve to apply the change");
    Ok(ExitStatus::Done)
}

fn no_random(e: &RandomnessError) -> Failure {
    Failure::from_error(ExitStatus::CannotMeasure, "nothing secret can be made", e)
}

fn places(files: &LoginFiles) -> Result<(PathBuf, PathBuf), Failure> {
    let place = |named: &Option<PathBuf>, usual: &str| {
        named.clone().or_else(|| home().map(|home| home.join(".config/goodput").join(usual))).ok_or_else(
            || {
                Failure::usage_error("no folder available for passwords and tokens")
                    .with_cause("HOME is not set")
                    .with_hint("specify files with --password-file and --token-file")
            },
        )
    };
    Ok((place(&files.passwords, "passwords")?, place(&files.tokens, "tokens")?))
}

/// A file that others can read or write, or that belongs to another user, is refused.
fn contents(file: &Path, must_be_there: bool, command: &str) -> Result<String, Failure> {
    let unusable = |e: &std::io::Error| {
        let what = message!(error_cannot_read { path: file.display().to_string() });
        Failure::from_error(ExitStatus::Usage, what, e)
            .with_hint(message!(hint_serve_writes_file { command }))
    };
    let mut open = match File::open(file) {
        Err(e) if e.kind() == ErrorKind::NotFound && !must_be_there => return Ok(String::new()),
        opened => opened.map_err(|e| unusable(&e))?,
    };
    let meta = open.metadata().map_err(|e| unusable(&e))?;
    let refused = |cause: Message, command: &str| {
        let error = message!(error_file_refused { file: file.display().to_string() });
        let hint = format!("{command} {}", file.display());
        Err(Failure::usage_error(error).with_cause(cause).with_hint(hint))
    };
    if meta.mode() & 0o077 != 0 {
        return refused(message!(cause_others_can_read), "chmod 600");
    }
    if let Some(owner) = goodput_host::foreign_owner(&meta) {
        return refused(message!(cause_owner_can_change { owner: owner.to_string() }), "chown root");
    }
    let mut text = String::new();
    open.read_to_string(&mut text).map_err(|e| unusable(&e))?;
    Ok(text)
}

/// Atomically replaces the lines that contain `own`, or appends.
fn put(file: &Path, own: &str, line: &str) -> Result<(), Failure> {
    let before = contents(file, false, "password")?;
    // The role begins a line, a token's name follows between spaces.
    let is_own = |old: &&str| if own.starts_with(' ') { old.contains(own) } else { old.starts_with(own) };
    let kept = before.lines().filter(|old| !is_own(old));
    let text = kept.chain([line]).map(|l| format!("{l}\n")).collect::<String>();
    let written = || {
        if let Some(folder) = file.parent().filter(|p| !p.as_os_str().is_empty()) {
            fs::create_dir_all(folder)?;
        }
        let new = file.with_extension(format!("{}.new", std::process::id()));
        let mut to = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&new)?;
        to.write_all(text.as_bytes()).and_then(|()| to.sync_all())?;
        fs::rename(&new, file)
    };
    let failed = message!(error_cannot_write { path: file.display().to_string() });
    written().or_failure(ExitStatus::CannotMeasure, failed).with_hint("choose another file")
}

/// From the terminal, twice; else the first line of standard input.
fn asked(role: Role) -> Result<Zeroizing<String>, Failure> {
    let unreadable =
        |e: std::io::Error| Failure::from_error(ExitStatus::Usage, "the password cannot be read", &e);
    if !std::io::stdin().is_terminal() {
        let mut line = Zeroizing::new(String::new());
        std::io::stdin().lock().read_line(&mut line).map_err(unreadable)?;
        return Ok(Zeroizing::new(line.trim_end_matches(['\n', '\r']).to_string()));
    }
    let prompt = |words: &str| rpassword::prompt_password(words).map(Zeroizing::new).map_err(unreadable);
    let first = prompt(&format!("new password of the role {}: ", role_name(role)))?;
    if prompt("the same again: ")? != first {
        return Err(Failure::usage_error("the two passwords differ"));
    }
    Ok(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(folder: &Path) -> LoginFiles {
        LoginFiles { passwords: Some(folder.join("deep/passwords")), tokens: Some(folder.join("tokens")) }
    }

    #[test]
    fn a_line_takes_the_place_of_the_old_one_of_its_name() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("tokens");
        for (own, line) in [
            (" ci ", "reader ci 1"),
            (" cin ", "reader cin 2"),
            (" ci ", "operator ci 3"),
            ("reader ", "reader 4"),
        ] {
            put(&file, own, line).unwrap();
        }
        assert_eq!(fs::read_to_string(&file).unwrap(), "operator ci 3\nreader 4\n");
        assert_eq!(fs::metadata(&file).unwrap().mode() & 0o777, 0o600);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left beside it");
    }

    #[test]
    fn files_are_read_with_care() {
        let folder = tempfile::tempdir().unwrap();
        let files = files(folder.path());
        // A named file must exist.
        assert!(read_secrets(&files).unwrap_err().hint.unwrap().contains("goodput serve password"));
        let (token, line) = secrets::new_token(Role::Reader, "ci").unwrap();
        put(files.tokens.as_deref().unwrap(), " ci ", &line).unwrap();
        put(files.passwords.as_deref().unwrap(), "operator ", "# nobody").unwrap();
        assert_eq!(read_secrets(&files).unwrap().role_for_token(&token), Some((Role::Reader, "ci")));
        let open = std::os::unix::fs::PermissionsExt::from_mode(0o644);
        fs::set_permissions(files.tokens.as_deref().unwrap(), open).unwrap();
        assert!(read_secrets(&files).unwrap_err().hint.unwrap().starts_with("chmod 600"));
        // Only root can give a file away.
        if std::os::unix::fs::chown(files.passwords.as_deref().unwrap(), Some(65_534), None).is_ok() {
            let refused = read_secrets(&files).unwrap_err();
            assert!(refused.hint.unwrap().starts_with("chown root"), "{:?}", refused.cause);
            std::os::unix::fs::chown(files.passwords.as_deref().unwrap(), Some(0), None).unwrap();
        }
        fs::remove_file(files.tokens.as_deref().unwrap()).unwrap();
        put(files.tokens.as_deref().unwrap(), " ci ", "reader ci hunter2").unwrap();
        let refused = read_secrets(&files).unwrap_err();
        assert!(refused.error.contains("tokens") && !refused.to_string().contains("hunter2"), "{refused}");
    }
}
