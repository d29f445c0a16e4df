//! The sender of a request.

use super::Role;
use axum::http::request::Parts;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

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

impl ConnectionPeer {
    pub fn client(&self) -> ClientId {
        if self.is_ours { ClientId::Ours } else { ClientId::of_network(self.address.ip()) }
    }
}

/// Whom a limit counts as one client.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ClientId {
    /// Local programs of the server's user or of root: limits that other local users reach do not apply to them.
    Ours,
    Network(IpAddr),
}

impl ClientId {
    /// An IPv6 host has a /64, and every host many loopback addresses.
    pub fn of_network(address: IpAddr) -> ClientId {
        ClientId::Network(match address.to_canonical() {
            IpAddr::V4(v4) if v4.is_loopback() => IpAddr::V4(Ipv4Addr::LOCALHOST),
            IpAddr::V6(v6) => IpAddr::V6(Ipv6Addr::from(u128::from(v6) & !u128::from(u64::MAX))),
            v4 => v4,
        })
    }
}

/// Whether the last request of a connection was authenticated; shared by the connection and its requests.
#[derive(Debug, Clone, Default)]
pub struct ConnectionAuth(Arc<AtomicBool>);

impl ConnectionAuth {
    pub fn set(&self, is_authenticated: bool) {
        self.0.store(is_authenticated, Ordering::Relaxed);
    }

    pub fn is_authenticated(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caller {
    pub role: Role,
    pub how: AuthMethod,
    pub client: ClientId,
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
            client: super::ConnectionPeer::default().client(),
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
