//! Who sends a request.

use super::Role;
use axum::http::request::Parts;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Peer {
    pub address: SocketAddr,
    /// True for a program of the user who runs the server, or of root, on this machine.
    pub is_ours: bool,
}

impl Default for Peer {
    fn default() -> Peer {
        Peer { address: SocketAddr::new(IpAddr::V4(Ipv4Addr::UNSPECIFIED), 0), is_ours: false }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caller {
    pub role: Role,
    pub how: How,
    pub address: IpAddr,
}

#[derive(Clone, PartialEq, Eq)]
pub enum How {
    Stranger,
    /// He is the user who runs the server, on this machine.
    Local {
        /// What his page sends with each change.
        csrf: String,
    },
    Session {
        /// What its page sends with each change.
        csrf: String,
        cookie: String,
    },
    Token {
        name: String,
    },
}

impl std::fmt::Debug for How {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            How::Stranger => write!(f, "Stranger"),
            How::Local { .. } => write!(f, "Local"),
            How::Session { .. } => write!(f, "Session(hidden)"),
            How::Token { name } => write!(f, "Token({name:?})"),
        }
    }
}

impl Caller {
    /// As the gate found him; a stranger where there is none.
    pub fn of(parts: &Parts) -> Caller {
        let stranger =
            || Caller { role: Role::None, how: How::Stranger, address: super::Peer::default().address.ip() };
        parts.extensions.get::<Caller>().cloned().unwrap_or_else(stranger)
    }

    /// What his page must send with each change; tokens need none.
    pub fn csrf(&self) -> Option<&str> {
        match &self.how {
            How::Local { csrf } | How::Session { csrf, .. } => Some(csrf),
            How::Stranger | How::Token { .. } => None,
        }
    }
}
