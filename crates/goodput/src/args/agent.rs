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
use goodput_model::Message;
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
    /// Address to listen on [default: all addresses with a lab key, loopback without]
    #[arg(long, value_name = "ADDRESS", value_parser = parse_local_address)]
    pub bind: Option<IpAddr>,
    /// Port for control connections
    #[arg(long, value_name = "PORT", default_value = "5303", value_parser = value_parsers::parse_port)]
    pub port: u16,
    /// TCP and UDP port for measurement data
    #[arg(long, value_name = "PORT", default_value = "5304", value_parser = value_parsers::parse_port)]
    pub data_port: u16,
    #[command(flatten)]
    pub credentials: CredentialSource,
    /// Name of this agent [default: the host name]
    #[arg(long, value_name = "NAME", value_parser = parse_host_name)]
    pub name: Option<String>,
    /// Folder that stores results until they are fetched, or memory [default:
    /// ~/.local/state/goodput/spool/NAME-PORT]
    #[arg(long, value_name = "DIR|memory", hide_short_help = true, value_hint = ValueHint::DirPath)]
    pub spool: Option<PathBuf>,
    #[command(flatten)]
    pub labels: Labels,
    /// Group of this agent, which other commands select with --group G or @G
    #[arg(long = "group", value_name = "NAME", value_parser = parse_host_name)]
    pub groups: Vec<String>,
    /// Router through which other sites reach this agent
    #[arg(long = "router", value_name = "HOST[:PORT]", value_parser = parse_router_address)]
    pub routers: Vec<AgentRouterAddress>,
    /// Address for data connections that are set up through a router [default: this host's addresses]
    #[arg(long = "data-address", value_name = "ADDRESS", value_parser = parse_local_address, hide_short_help = true)]
    pub data_addresses: Vec<IpAddr>,
    /// Do not appear in the output of `goodput hosts`
    #[arg(long, hide_short_help = true)]
    pub hidden: bool,
    /// Policy file, or none [default: ~/.config/goodput/policy.toml, /etc/goodput/policy.toml]
    #[arg(long, value_name = "FILE|none", help_heading = PERMISSIONS, hide_short_help = true)]
    pub policy: Option<PathBuf>,
    /// Folder in which file measurements are allowed [default: none]
    ///
    /// Repeat the option for more folders. They are added to those of the policy file.
    #[arg(long = "allow-dir", value_name = "DIR", value_parser = parse_folder, help_heading = PERMISSIONS)]
    #[arg(value_hint = ValueHint::DirPath)]
    pub folders: Vec<String>,
    /// User and server for which this host's SMB password may be used [default: none]
    ///
    /// Repeat the option for more accounts; they are added to those of the policy file. A domain, and a port
    /// other than 445, are part of the account: 'LAB;bench@nas:1445'. The agent reads the password from
    /// GOODPUT_SMB_PASSWORD or the file GOODPUT_SMB_PASSWORD_FILE.
    #[arg(long = "allow-smb", value_name = "USER@HOST", value_parser = rule(policy::validate_smb_account))]
    #[arg(help_heading = PERMISSIONS, hide_short_help = true)]
    pub smb_accounts: Vec<String>,
    /// Setting of this host that coordinators may change [default: none]
    ///
    /// Repeat the option for more settings; they are added to those of the policy file. Examples: mtu,
    /// offload, 'sysctl net.ipv4.tcp_rmem', namespace, any. The agent restores the original value afterwards.
    #[arg(long = "allow-knob", value_name = "KNOB", value_parser = rule(policy::validate_knob_rule))]
    #[arg(help_heading = PERMISSIONS, hide_short_help = true)]
    pub knobs: Vec<String>,
    /// Command that coordinators may run, given by its first words, or any [default: none]
    ///
    /// Repeat the option for more commands. They are added to those of the policy file.
    #[arg(long = "allow-command", value_name = "WORDS", value_parser = rule(policy::validate_command_rule))]
    #[arg(help_heading = PERMISSIONS, hide_short_help = true)]
    pub commands: Vec<String>,
    /// File that records the original settings, or memory [default: knobs.journal in the spool folder]
    #[arg(long, value_name = "FILE|memory", hide_short_help = true)]
    pub knob_journal: Option<PathBuf>,
    /// Print the effective policy and exit
    #[arg(long, help_heading = PERMISSIONS)]
    pub check: bool,
}

impl AgentArgs {
    pub fn validate(&self) -> Result<(), Failure> {
        if self.port == self.data_port {
            return Err(Failure::usage_error("--port and --data-port are the same")
                .with_cause("control and data connections need different ports")
                .with_hint("specify both ports, for example --port 6303 --data-port 6304"));
        }
        Ok(())
    }
}

fn rule(
    check: fn(&str) -> Result<(), Message>,
) -> impl Fn(&str) -> Result<String, ValueError> + Clone + Send + Sync + 'static {
    move |typed: &str| {
        check(typed).map_err(|why| ValueError::new(why, "see docs/SECURITY.md, The policy of an agent"))?;
        Ok(typed.to_string())
    }
}
