//! `goodput router`: lets agents and coordinators of several sites talk through it.

use super::agent::address;
use super::credentials::{Shown, TypedCredentials};
use super::host_name;
use super::measuring::port;
use crate::failure::Failure;
use clap::Args;
use goodput_control::{ROUTER_PORT, RouterAddress};
use std::net::IpAddr;

/// As typed.
#[derive(Debug, Args)]
#[command(
    after_help = "Agents join with `goodput agent --router HOST`, and are then reached by their names: `goodput \
    hosts --router HOST`, `goodput stream NAME --router HOST`. Only orders and results pass through a router; data goes \
    from host to host. The engine's own router program, zenohd, does the same: docs/fleet.md"
)]
pub struct TypedRouter {
    /// Address to listen on [default: all with a key, loopback without]
    #[arg(long, value_name = "ADDRESS")]
    bind: Option<String>,
    /// Port [default: 7447]
    #[arg(long, value_name = "PORT")]
    port: Option<String>,
    /// Another router, of another site, to be connected to; may be repeated
    #[arg(long, value_name = "HOST[:PORT]")]
    connect: Vec<String>,
    #[command(flatten)]
    credentials: TypedCredentials,
}

/// Be a router.
#[derive(Debug, Clone, PartialEq)]
pub struct Router {
    /// Address to listen on.
    pub bind: Option<IpAddr>,
    /// Port.
    pub port: u16,
    /// Routers to be connected to.
    pub connect: Vec<RouterAddress>,
    /// What this side shows.
    pub credentials: Shown,
}

impl TypedRouter {
    /// What is meant.
    pub fn meaning(self) -> Result<Router, Failure> {
        let mut connect = Vec::new();
        for typed in &self.connect {
            connect.extend(host_name::router("--connect", Some(typed))?);
        }
        Ok(Router {
            bind: self.bind.map(|t| address("--bind", &t)).transpose()?,
            port: port("--port", self.port.as_deref())?.unwrap_or(ROUTER_PORT),
            connect,
            credentials: self.credentials.meaning()?,
        })
    }
}
