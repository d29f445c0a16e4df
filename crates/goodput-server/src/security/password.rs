//! Password hashes: PBKDF2 with HMAC-SHA-256 (RFC 8018) by `ring`.

use super::RandomnessError;
use data_encoding::BASE64URL_NOPAD;
use goodput_words::{error_messages, message};
use ring::pbkdf2::{self, PBKDF2_HMAC_SHA256};
use ring::rand::{SecureRandom, SystemRandom};
use std::num::NonZeroU32;
use std::str::FromStr;

/// OWASP's Password Storage Cheat Sheet for PBKDF2 with HMAC-SHA-256.
const ROUNDS: u32 = 600_000;
/// Limits the CPU time that a file may demand.
const MAX_ROUNDS: u32 = 10_000_000;
const SALT: usize = 16;
const HASH: usize = 32;
/// Remote attempts are limited to five per minute.
pub const MIN_PASSWORD_LENGTH: usize = 8;
pub const MAX_PASSWORD_LENGTH: usize = 1024;

/// `pbkdf2-sha256:ROUNDS:SALT:HASH`.
#[derive(Clone, PartialEq, Eq)]
pub struct PasswordHash {
    rounds: NonZeroU32,
    salt: Vec<u8>,
    hash: Vec<u8>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PasswordHashError;

error_messages! { PasswordHashError { PasswordHashError => message!(part_secrets_no_hash) } }

impl PasswordHash {
    pub fn new(password: &str) -> Result<PasswordHash, RandomnessError> {
        let mut salt = vec![0; SALT];
        SystemRandom::new().fill(&mut salt).map_err(|_| RandomnessError)?;
        let rounds = NonZeroU32::new(ROUNDS).unwrap_or(NonZeroU32::MIN);
        let mut hash = vec![0; HASH];
        pbkdf2::derive(PBKDF2_HMAC_SHA256, rounds, &salt, password.as_bytes(), &mut hash);
        Ok(PasswordHash { rounds, salt, hash })
    }

    /// Takes constant time.
    pub fn verify(&self, password: &str) -> bool {
        password.len() <= MAX_PASSWORD_LENGTH
            && pbkdf2::verify(PBKDF2_HMAC_SHA256, self.rounds, &self.salt, password.as_bytes(), &self.hash)
                .is_ok()
    }
}

impl std::fmt::Display for PasswordHash {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (salt, hash) = (BASE64URL_NOPAD.encode(&self.salt), BASE64URL_NOPAD.encode(&self.hash));
        write!(f, "pbkdf2-sha256:{}:{salt}:{hash}", self.rounds)
    }
}

impl std::fmt::Debug for PasswordHash {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Hashed(hidden)")
    }
}

impl FromStr for PasswordHash {
    type Err = PasswordHashError;

    fn from_str(text: &str) -> Result<PasswordHash, PasswordHashError> {
        let parts: Vec<&str> = text.split(':').collect();
        let ["pbkdf2-sha256", rounds, salt, hash] = parts.as_slice() else { return Err(PasswordHashError) };
        let rounds: NonZeroU32 = rounds.parse().map_err(|_| PasswordHashError)?;
        let decode = |text: &str| BASE64URL_NOPAD.decode(text.as_bytes()).map_err(|_| PasswordHashError);
        let hashed = PasswordHash { rounds, salt: decode(salt)?, hash: decode(hash)? };
        let fits = rounds.get() <= MAX_ROUNDS && hashed.salt.len() >= 8 && hashed.hash.len() == HASH;
        if fits { Ok(hashed) } else { Err(PasswordHashError) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_reads_back_and_a_new_hash_knows_its_password() {
        // Few rounds, since debug builds are slow.
        let text = "pbkdf2-sha256:4096:c2FsdHNhbHQ:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
        assert_eq!(text.parse::<PasswordHash>().unwrap().to_string(), text);
        assert!(!text.parse::<PasswordHash>().unwrap().verify("password"));
        for wrong in [
            "",
            "password",
            "pbkdf2-sha256:0:c2FsdHNhbHQ:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
            "pbkdf2-sha256:99999999:c2FsdHNhbHQ:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
            "pbkdf2-sha256:4096:c2Fs:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
            "pbkdf2-sha256:4096:c2FsdHNhbHQ:AAAA",
        ] {
            assert!(wrong.parse::<PasswordHash>().is_err(), "{wrong}");
        }
        let hashed = PasswordHash::new("correct horse").unwrap();
        assert!(hashed.verify("correct horse"));
        assert!(!hashed.verify("correct horsf"));
        assert_ne!(hashed, PasswordHash::new("correct horse").unwrap(), "each has a salt of its own");
    }
}
