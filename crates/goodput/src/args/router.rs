//! `goodput router`: connects agents and coordinators of several sites.

use super::credentials::CredentialSource;
use super::host_name::{parse_local_address, parse_router_address};
use super::value_parsers;
use clap::Args;
use goodput_control::AgentRouterAddress;
use std::net::IpAddr;

#[derive(Debug, Clone, PartialEq, Args)]
#[command(
    after_long_help = "Agents join with `goodput agent --router HOST`. They are then reached by their names: `goodput \
    hosts --router HOST`, `goodput stream NAME --router HOST`. Only orders and results pass through a router; data flows \
    from host to host. The messaging engine's own router program, zenohd, works as well: docs/fleet.md"
)]
pub struct RouterArgs {
    /// Address to listen on [default: all addresses with a lab key, loopback without]
    #[arg(long, value_name = "ADDRESS", value_parser = parse_local_address)]
    pub bind: Option<IpAddr>,
    /// Port to listen on
    #[arg(long, value_name = "PORT", default_value = "7447", value_parser = value_parsers::parse_port)]
    pub port: u16,
    /// Router of another site to connect to; may be repeated
    #[arg(long, value_name = "HOST[:PORT]", value_parser = parse_router_address)]
    pub connect: Vec<AgentRouterAddress>,
    #[command(flatten)]
    pub credentials: CredentialSource,
}
