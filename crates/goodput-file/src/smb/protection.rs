//! Signing and encryption (MS-SMB2 3.1.4), only if the server requires them, as `smbclient` and Linux do.

use crate::operation_error::OperationError;
use goodput_words::message;
use smb2::client::Cipher;
use smb2::crypto::encryption::{decrypt_message, encrypt_message};
use smb2::crypto::signing::{SigningAlgorithm, sign_message, verify_signature};
use std::sync::atomic::{AtomicU64, Ordering};

/// MS-SMB2 2.2.41.
pub(super) const TRANSFORM_HEADER_BYTES: usize = 52;

pub(super) enum MessageProtection {
    Open,
    Signed { key: Vec<u8>, algorithm: SigningAlgorithm },
    Encrypted { outward: Vec<u8>, inward: Vec<u8>, cipher: Cipher, session: u64, nonces: AtomicU64 },
}

impl MessageProtection {
    pub(super) fn new_encrypted(
        outward: Vec<u8>,
        inward: Vec<u8>,
        cipher: Cipher,
        session: u64,
    ) -> MessageProtection {
        // The library has used low nonces with the same key; nonces must not repeat.
        MessageProtection::Encrypted { outward, inward, cipher, session, nonces: AtomicU64::new(1 << 62) }
    }

    pub(super) fn is_unprotected(&self) -> bool {
        matches!(self, MessageProtection::Open)
    }

    pub(super) fn signs_messages(&self) -> bool {
        matches!(self, MessageProtection::Signed { .. })
    }

    pub(super) fn sign_message(&self, message: &mut [u8], number: u64) -> Result<(), OperationError> {
        match self {
            MessageProtection::Signed { key, algorithm } => {
                sign_message(message, key, *algorithm, number, false).map_err(|error| bad(&error))
            }
            MessageProtection::Open | MessageProtection::Encrypted { .. } => Ok(()),
        }
    }

    /// A plain reply in an encrypted session could come from anyone on the path.
    pub(super) fn verify_protection(
        &self,
        message: &[u8],
        number: u64,
        decrypted: bool,
    ) -> Result<(), OperationError> {
        match self {
            MessageProtection::Signed { key, algorithm } => {
                verify_signature(message, key, *algorithm, number, false).map_err(|error| bad(&error))
            }
            MessageProtection::Encrypted { .. } if !decrypted => {
                Err(OperationError::protocol_violation("it is not encrypted, which was agreed"))
            }
            MessageProtection::Open | MessageProtection::Encrypted { .. } => Ok(()),
        }
    }

    /// Encrypts `message` from byte `from`, if required.
    pub(super) fn encrypt_message(&self, message: &mut Vec<u8>, from: usize) -> Result<(), OperationError> {
        let MessageProtection::Encrypted { outward, cipher, session, nonces, .. } = self else {
            return Ok(());
        };
        let mut nonce = [0; 16];
        nonce[..8].copy_from_slice(&nonces.fetch_add(1, Ordering::Relaxed).to_le_bytes());
        let (header, body) = encrypt_message(&message[from..], outward, *cipher, &nonce, *session)
            .map_err(|error| bad(&error))?;
        message.truncate(from);
        message.extend_from_slice(&header);
        message.extend_from_slice(&body);
        Ok(())
    }

    pub(super) fn decrypt_message(&self, message: &[u8]) -> Result<Vec<u8>, OperationError> {
        let MessageProtection::Encrypted { inward, cipher, .. } = self else {
            return Err(OperationError::protocol_violation("it is encrypted, which was not agreed"));
        };
        let Some((header, body)) = message.split_at_checked(TRANSFORM_HEADER_BYTES) else {
            return Err(OperationError::protocol_violation("it is too short to be encrypted"));
        };
        decrypt_message(header, body, inward, *cipher).map_err(|error| bad(&error))
    }
}

fn bad(error: &smb2::Error) -> OperationError {
    OperationError::connection_lost(message!(cause_place_untrusted_message { why: error.to_string() }))
}
