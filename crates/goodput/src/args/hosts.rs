//! `goodput hosts`: lists the agents.

use super::credentials::CredentialSource;
use super::host_name::{parse_host_name, parse_router_address};
use super::value_parsers::Labels;
use clap::Args;
use goodput_control::AgentRouterAddress;

#[derive(Debug, Clone, PartialEq, Args)]
#[command(mut_arg("label", |label| label.help("List only agents with this label; may be repeated").hide_short_help(false)))]
#[command(
    after_long_help = "It sends a multicast request on this network for about a second, then each agent that replies, over mutual TLS. With --router it asks for the agents at the router instead. Agents with another key or version are listed with the reason. Hidden agents, agents behind a router of the network, and agents without a key on other machines are not found; use their address.\n\nAs HOST of a measurement, a bare name is first looked up by the system's resolver. If the resolver does not know it, it is the agent of exactly that name found on this network. With --router it is the agent of that name there and nothing else. If two agents have the name, the error lists them."
)]
pub struct HostsArgs {
    /// Keep running and report each agent that appears, disappears or measures; press Ctrl-C to stop
    #[arg(long)]
    pub watch: bool,
    /// List only agents of this group
    #[arg(long, value_name = "NAME", value_parser = parse_host_name)]
    pub group: Option<String>,
    #[command(flatten)]
    pub labels: Labels,
    /// List the agents at this router instead of those on the local network
    #[arg(long, value_name = "HOST[:PORT]", env = "GOODPUT_ROUTER", value_parser = parse_router_address)]
    pub router: Option<AgentRouterAddress>,
    #[command(flatten)]
    pub credentials: CredentialSource,
    /// Print one JSON document; with --watch print one line per change
    #[arg(long)]
    pub json: bool,
}
