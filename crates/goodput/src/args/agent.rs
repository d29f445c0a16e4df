//! `goodput agent`: serves measurements on a host.

use super::HOSTS_HELP_HEADING;
use super::credentials::CredentialSource;
use super::file::target::parse_folder;
use super::host_name::{parse_host_name, parse_local_address, parse_router_address};
use super::value_parsers::{self, Labels, ValueError};
use crate::failure::Failure;
use clap::{Args, ValueHint};
use goodput_control::AgentRouterAddress;
use goodput_control::agent::policy;
use std::net::IpAddr;
use std::path::PathBuf;

const PERMISSIONS: &str = "Permissions";

#[derive(Debug, Clone, PartialEq, Args)]
#[command(mut_arg("label", |label| label.help("Label of this agent, for example site=tokyo; may be repeated").help_heading(HOSTS_HELP_HEADING)))]
#[command(after_long_help = "Examples:
  goodput agent                               on the host to measure to
  goodput agent --router hub --group web --label site=tokyo
  goodput agent --allow-dir /srv/goodput      with file measurements in this folder")]
pub struct AgentArgs {
    /// Address to listen on [default: all with a key, loopback without]
    #[arg(long, value_name = "ADDRESS", value_parser = parse_local_address)]
    pub bind: Option<IpAddr>,
    /// Control port
    #[arg(long, value_name = "PORT", default_value = "5303", value_parser = value_parsers::parse_port)]
    pub port: u16,
    /// Data port, TCP and UDP
    #[arg(long, value_name = "PORT", default_value = "5304", value_parser = value_parsers::parse_port)]
    pub data_port: u16,
    #[command(flatten)]
    pub credentials: CredentialSource,
    /// Name of this host [default: its host name]
    #[arg(long, value_name = "NAME", value_parser = parse_host_name)]
    pub name: Option<String>,
    /// Folder for results until they are fetched, or memory [default: ~/.local/state/goodput/spool/NAME-PORT]
    #[arg(long, value_name = "DIR|memory", hide_short_help = true, value_hint = ValueHint::DirPath)]
    pub spool: Option<PathBuf>,
    #[command(flatten)]
    pub labels: Labels,
    /// Group of this agent, for --group G and @G
    #[arg(long = "group", value_name = "NAME", value_parser = parse_host_name)]
    pub groups: Vec<String>,
    /// Router that connects other sites to this agent
    #[arg(long = "router", value_name = "HOST[:PORT]", value_parser = parse_router_address)]
    pub routers: Vec<AgentRouterAddress>,
    /// Address for data connections that were arranged through a router [default: its own addresses]
    #[arg(long = "data-address", value_name = "ADDRESS", value_parser = parse_local_address, hide_short_help = true)]
    pub data_addresses: Vec<IpAddr>,
    /// Do not answer `goodput hosts`
    #[arg(long)]
    pub hidden: bool,
    /// File with the policy, or none [default: ~/.config/goodput/policy.toml, /etc/goodput/policy.toml]
    #[arg(long, value_name = "FILE|none", help_heading = PERMISSIONS, hide_short_help = true)]
    pub policy: Option<PathBuf>,
    /// Folder for file measurements [default: none]
    ///
    /// It may be repeated, and adds to the folders of the policy.
    #[arg(long = "allow-dir", value_name = "DIR", value_parser = parse_folder, help_heading = PERMISSIONS)]
    #[arg(value_hint = ValueHint::DirPath)]
    pub folders: Vec<String>,
    /// Setting of this host that orders may change [default: none]
    ///
    /// It may be repeated, and adds to those of the policy.
    /// For example mtu, offload, 'sysctl net.ipv4.tcp_rmem', namespace or any. The agent restores it.
    #[arg(long = "allow-knob", value_name = "KNOB", value_parser = rule(policy::validate_knob_rule))]
    #[arg(help_heading = PERMISSIONS, hide_short_help = true)]
    pub knobs: Vec<String>,
    /// Command that orders may run, by its first words, or any [default: none]
    ///
    /// It may be repeated, and adds to those of the policy.
    #[arg(long = "allow-command", value_name = "WORDS", value_parser = rule(policy::validate_command_rule))]
    #[arg(help_heading = PERMISSIONS, hide_short_help = true)]
    pub commands: Vec<String>,
    /// Journal of original settings, or memory [default: knobs.journal in the spool]
    #[arg(long, value_name = "FILE|memory", hide_short_help = true)]
    pub knob_journal: Option<PathBuf>,
    /// Print the policy, line by line, and do not start
    #[arg(long, help_heading = PERMISSIONS)]
    pub check: bool,
}

impl AgentArgs {
    pub fn validate(self: Box<Self>) -> Result<Box<AgentArgs>, Failure> {
        if self.port == self.data_port {
            return Err(Failure::usage_error("--port and --data-port are the same")
                .with_cause("control and data connections need a port each")
                .with_hint("give both, for example --port 6303 --data-port 6304"));
        }
        Ok(self)
    }
}

fn rule(
    check: fn(&str) -> Result<(), String>,
) -> impl Fn(&str) -> Result<String, ValueError> + Clone + Send + Sync + 'static {
    move |typed: &str| {
        check(typed).map_err(|why| ValueError::new(why, "see docs/SECURITY.md, The policy of an agent"))?;
        Ok(typed.to_string())
    }
}
