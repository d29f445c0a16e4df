//! `goodput level-setter`: an internal command that `goodput run` and `goodput why` start for each host.

use super::credentials::CredentialSource;
use super::host_name::{HostName, parse_router_address};
use super::value_parsers::{self, ValueError};
use clap::Args;
use goodput_control::AgentRouterAddress;
use std::path::PathBuf;

#[derive(Debug, Clone, PartialEq, Args)]
pub struct LevelSetterArgs {
    /// Host on which to set the factor levels [default: this machine]
    #[arg(value_name = "HOST")]
    pub host: Option<HostName>,
    /// Control port of the agent on HOST [default: 5303]
    #[arg(long, value_name = "PORT", value_parser = value_parsers::parse_port)]
    pub port: Option<u16>,
    /// Peer host whose route determines the network interface; may be repeated
    #[arg(long, value_name = "HOST", value_parser = single_host)]
    pub towards: Vec<Option<HostName>>,
    /// Client name that the agent records for these changes
    #[arg(long, value_name = "TEXT", default_value = "goodput level-setter")]
    pub client: String,
    /// File on this machine that records the original settings
    #[arg(long, value_name = "FILE", conflicts_with = "host")]
    pub journal: Option<PathBuf>,
    /// Router through which agents are reached by name
    #[arg(long, value_name = "HOST[:PORT]", env = "GOODPUT_ROUTER", value_parser = parse_router_address)]
    pub router: Option<AgentRouterAddress>,
    #[command(flatten)]
    pub credentials: CredentialSource,
}

/// A range of hosts or a share does not determine one interface, and is omitted.
fn single_host(typed: &str) -> Result<Option<HostName>, ValueError> {
    Ok(typed.parse().ok())
}
