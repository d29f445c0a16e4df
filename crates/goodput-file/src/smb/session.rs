//! A session on a share: identifiers, limits and protection.

use super::message::RequestHeader;
use super::protection::MessageProtection;
use smb2::types::Command;

pub(super) const BYTES_PER_CREDIT: u32 = 65_536;

pub(super) struct SmbSession {
    pub(super) protection: MessageProtection,
    pub(super) id: u64,
    pub(super) tree: u32,
    /// Requests may cost more than one credit.
    pub(super) large: bool,
    pub(super) max_read: u32,
    pub(super) max_write: u32,
}

impl SmbSession {
    /// Whether messages are signed, and encrypted; encrypted messages need no signature.
    pub(super) fn signing_and_encryption_flags(&self) -> (bool, bool) {
        (
            self.protection.signs_messages(),
            !self.protection.is_unprotected() && !self.protection.signs_messages(),
        )
    }

    /// MS-SMB2 3.1.5.2.
    pub(super) fn credit_charge(&self, payload: u32) -> u16 {
        if self.large {
            u16::try_from(payload.div_ceil(BYTES_PER_CREDIT).max(1)).unwrap_or(u16::MAX)
        } else {
            1
        }
    }

    pub(super) fn request_header(
        &self,
        command: Command,
        charge: u16,
        ask: u16,
        number: u64,
    ) -> RequestHeader {
        RequestHeader {
            command,
            charge: if self.large { charge } else { 0 },
            ask,
            signed: self.protection.signs_messages(),
            related: false,
            next: 0,
            number,
            tree: self.tree,
            session: self.id,
        }
    }
}
