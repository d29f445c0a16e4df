//! The sender of a request.

use super::Role;
use axum::http::request::Parts;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ConnectionPeer {
    pub address: SocketAddr,
    /// A local program of the server's user or of root.
    pub is_ours: bool,
}

impl Default for ConnectionPeer {
    fn default() -> ConnectionPeer {
        ConnectionPeer { address: SocketAddr::new(IpAddr::V4(Ipv4Addr::UNSPECIFIED), 0), is_ours: false }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caller {
    pub role: Role,
    pub how: AuthMethod,
    pub address: IpAddr,
}

#[derive(Clone, PartialEq, Eq)]
pub enum AuthMethod {
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

impl std::fmt::Debug for AuthMethod {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            AuthMethod::Stranger => write!(f, "Stranger"),
            AuthMethod::Local { .. } => write!(f, "Local"),
            AuthMethod::Session { .. } => write!(f, "Session(hidden)"),
            AuthMethod::Token { name } => write!(f, "Token({name:?})"),
        }
    }
}

impl Caller {
    pub fn from_parts(parts: &Parts) -> Caller {
        let stranger = || Caller {
            role: Role::None,
            how: AuthMethod::Stranger,
            address: super::ConnectionPeer::default().address.ip(),
        };
        parts.extensions.get::<Caller>().cloned().unwrap_or_else(stranger)
    }

    pub fn csrf_token(&self) -> Option<&str> {
        match &self.how {
            AuthMethod::Local { csrf } | AuthMethod::Session { csrf, .. } => Some(csrf),
            AuthMethod::Stranger | AuthMethod::Token { .. } => None,
        }
    }
}
