//! Reads the files of passwords (`operator pbkdf2-sha256:600000:…:…`) and tokens (`reader prometheus
//! 9f86d0…`): hashes only, one per line.
//!
//! A token has 256 random bits, so plain SHA-256 suffices. The program reads and writes the files.

use super::password::PasswordHash;
use super::{RandomnessError, Role, random_token};
use data_encoding::HEXLOWER_PERMISSIVE;
use goodput_words::{ErrorMessage, Message, error_messages, message};
use sha2::{Digest, Sha256};
use std::sync::Arc;

#[derive(Debug, Clone, Default)]
pub struct Secrets {
    passwords: Arc<Vec<(Role, PasswordHash)>>,
    tokens: Arc<Vec<Token>>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Token {
    role: Role,
    name: String,
    digest: [u8; 32],
}

#[derive(Debug, Clone, PartialEq)]
pub struct SecretsParseError {
    /// Counted from 1.
    pub line: usize,
    /// The reason, never the content.
    pub why: Message,
}

error_messages! {
    SecretsParseError {
        SecretsParseError { line, why } => message!(error_line_why { line: line.to_string(), why }),
    }
}

impl Secrets {
    /// From the texts of both files; fails at the first invalid line.
    pub fn parse(passwords: &str, tokens: &str) -> Result<Secrets, SecretsParseError> {
        let passwords = lines(passwords, |words| match words {
            [role, hash] => Ok((role_of(role)?, hash.parse::<PasswordHash>().map_err(|e| e.message())?)),
            _ => Err(message!(part_secrets_role_and_hash)),
        })?;
        let tokens = lines(tokens, |words| match words {
            [role, name, digest] => {
                let bytes = HEXLOWER_PERMISSIVE.decode(digest.as_bytes()).ok();
                let digest = bytes.and_then(|b| b.try_into().ok());
                let digest = digest.ok_or_else(|| message!(part_secrets_no_digest))?;
                Ok(Token { role: role_of(role)?, name: (*name).to_string(), digest })
            }
            _ => Err(message!(part_secrets_role_name_digest)),
        })?;
        Ok(Secrets { passwords: Arc::new(passwords), tokens: Arc::new(tokens) })
    }

    pub fn is_empty(&self) -> bool {
        self.passwords.is_empty() && self.tokens.is_empty()
    }

    /// The highest role that this password opens. Slow: each is tried.
    pub fn role_for_password(&self, password: &str) -> Option<Role> {
        self.passwords.iter().filter(|(_, hashed)| hashed.verify(password)).map(|(role, _)| *role).max()
    }

    pub fn role_for_token(&self, token: &str) -> Option<(Role, &str)> {
        let digest: [u8; 32] = Sha256::digest(token).into();
        self.tokens.iter().find(|t| t.digest == digest).map(|t| (t.role, t.name.as_str()))
    }
}

/// A new token and its line for the file; fails without system randomness.
pub fn new_token(role: Role, name: &str) -> Result<(String, String), RandomnessError> {
    let token = random_token()?;
    let digest: [u8; 32] = Sha256::digest(&token).into();
    let line = format!("{} {name} {}", role_name(role), HEXLOWER_PERMISSIVE.encode(&digest));
    Ok((token, line))
}

pub fn format_password_line(role: Role, password: &str) -> Result<String, RandomnessError> {
    Ok(format!("{} {}", role_name(role), PasswordHash::new(password)?))
}

pub fn role_name(role: Role) -> &'static str {
    match role {
        Role::None => "none",
        Role::Reader => "reader",
        Role::Operator => "operator",
    }
}

fn role_of(word: &str) -> Result<Role, Message> {
    match word {
        "reader" => Ok(Role::Reader),
        "operator" => Ok(Role::Operator),
        _ => Err(message!(part_secrets_no_role)),
    }
}

fn lines<T>(text: &str, read: impl Fn(&[&str]) -> Result<T, Message>) -> Result<Vec<T>, SecretsParseError> {
    let counted = text.lines().enumerate().map(|(i, line)| (i + 1, line.trim()));
    counted
        .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
        .map(|(number, line)| {
            let words: Vec<&str> = line.split_whitespace().collect();
            read(&words).map_err(|why| SecretsParseError { line: number, why })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_line_is_named_and_not_repeated() {
        let plain = Secrets::parse("# x\noperator hunter2", "").unwrap_err();
        assert_eq!(plain.line, 2);
        assert!(!plain.to_string().contains("hunter2"));
        assert!(Secrets::parse("root pbkdf2-sha256:1:a:b", "").unwrap_err().why.contains("neither reader"));
        assert!(Secrets::parse("", "reader name").is_err());
        assert!(Secrets::parse("", "reader name 00").is_err());
    }
}
