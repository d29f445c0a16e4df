//! The sender of a request.

use super::Role;
use axum::http::request::Parts;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Peer {
    pub address: SocketAddr,
    /// A local program of the server's user or of root.
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
    /// The server's user on this machine.
    Local {
        /// CSRF token for changes.
        csrf: String,
    },
    Session {
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
    pub fn of(parts: &Parts) -> Caller {
        let stranger =
            || Caller { role: Role::None, how: How::Stranger, address: super::Peer::default().address.ip() };
        parts.extensions.get::<Caller>().cloned().unwrap_or_else(stranger)
    }

    pub fn csrf(&self) -> Option<&str> {
        match &self.how {
            How::Local { csrf } | How::Session { csrf, .. } => Some(csrf),
            How::Stranger | How::Token { .. } => None,
        }
    }
}
