//! A session on a share: identifiers, limits and protection.

use super::message::Head;
use super::protection::Protection;
use smb2::types::Command;

pub(super) const CREDIT: u32 = 65_536;

pub(super) struct Session {
    pub(super) protection: Protection,
    pub(super) id: u64,
    pub(super) tree: u32,
    /// Requests may cost more than one credit.
    pub(super) large: bool,
    pub(super) max_read: u32,
    pub(super) max_write: u32,
}

impl Session {
    /// Whether messages are signed, and encrypted; encrypted messages need no signature.
    pub(super) fn protected(&self) -> (bool, bool) {
        (self.protection.signs(), !self.protection.is_open() && !self.protection.signs())
    }

    /// MS-SMB2 3.1.5.2.
    pub(super) fn charge(&self, payload: u32) -> u16 {
        if self.large { u16::try_from(payload.div_ceil(CREDIT).max(1)).unwrap_or(u16::MAX) } else { 1 }
    }

    pub(super) fn head(&self, command: Command, charge: u16, ask: u16, number: u64) -> Head {
        Head {
            command,
            charge: if self.large { charge } else { 0 },
            ask,
            signed: self.protection.signs(),
            related: false,
            next: 0,
            number,
            tree: self.tree,
            session: self.id,
        }
    }
}
