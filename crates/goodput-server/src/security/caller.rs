//! Who sends a request.

use super::Role;
use axum::http::request::Parts;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};

/// The other end of a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Peer {
    /// Its address.
    pub address: SocketAddr,
    /// True for a program of the user who runs the server, or of root, on this machine.
    pub is_ours: bool,
}

impl Default for Peer {
    /// Nobody known.
    fn default() -> Peer {
        Peer { address: SocketAddr::new(IpAddr::V4(Ipv4Addr::UNSPECIFIED), 0), is_ours: false }
    }
}

/// Who sends a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caller {
    /// What he may do.
    pub role: Role,
    /// How he showed that he may.
    pub how: How,
    /// From where.
    pub address: IpAddr,
}

/// How somebody showed who he is.
#[derive(Clone, PartialEq, Eq)]
pub enum How {
    /// Not at all.
    Stranger,
    /// He is the user who runs the server, on this machine.
    Local {
        /// What his page sends with each change.
        csrf: String,
    },
    /// By the cookie of a session.
    Session {
        /// What its page sends with each change.
        csrf: String,
        /// The cookie.
        cookie: String,
    },
    /// By a token.
    Token {
        /// The token's name.
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
