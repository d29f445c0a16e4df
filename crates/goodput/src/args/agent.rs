//! `goodput agent`: waits on a host for orders.

use super::credentials::{Shown, TypedCredentials};
use super::host_name::{self, plain_name};
use super::measuring::port;
use super::value::{self, shown};
use crate::failure::Failure;
use clap::Args;
use goodput_control::agent::policy;
use goodput_control::{CONTROL_PORT, DATA_PORT, RouterAddress};
use std::collections::BTreeMap;
use std::net::IpAddr;
use std::path::PathBuf;

/// As typed.
#[derive(Debug, Args)]
pub struct TypedAgent {
    /// Address to listen on [default: all with a key, loopback without]
    #[arg(long, value_name = "ADDRESS")]
    bind: Option<String>,
    /// Control port [default: 5303]
    #[arg(long, value_name = "PORT")]
    port: Option<String>,
    /// Data port, TCP and UDP [default: 5304]
    #[arg(long, value_name = "PORT")]
    data_port: Option<String>,
    #[command(flatten)]
    credentials: TypedCredentials,
    /// The name this host goes by [default: its host name]
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// Folder for results not yet fetched, or memory [default: ~/.local/state/goodput/spool/NAME-PORT]
    #[arg(long, value_name = "DIR|memory")]
    spool: Option<PathBuf>,
    /// A label to find it by (site=tokyo); may be repeated
    #[arg(long, value_name = "KEY=VALUE")]
    label: Vec<String>,
    /// A group that it belongs to, for --group G and @G; may be repeated
    #[arg(long, value_name = "NAME")]
    group: Vec<String>,
    /// Router at which it is present as well, so that other sites reach it by its name; may be repeated
    #[arg(long, value_name = "HOST[:PORT]")]
    router: Vec<String>,
    /// Where data connections come in when it is reached through a router [default: its own addresses]
    #[arg(long, value_name = "ADDRESS")]
    data_address: Vec<String>,
    /// Do not answer those who look for agents on the network (`goodput hosts`)
    #[arg(long)]
    hidden: bool,
    /// Rules for what it does and for whom, or none [default: ~/.config/goodput/policy.toml, /etc/goodput/policy.toml]
    #[arg(long, value_name = "FILE|none")]
    policy: Option<PathBuf>,
    /// A folder in which orders may read and write files, with all that is below it; may be repeated [default: none but
    /// those of the policy]
    #[arg(long, value_name = "DIR")]
    allow_dir: Vec<String>,
    /// A setting of this host that orders may change and put back (mtu, offload, 'sysctl net.ipv4.tcp_rmem', namespace,
    /// any); may be repeated [default: none but those of the policy]
    #[arg(long, value_name = "KNOB")]
    allow_knob: Vec<String>,
    /// A command that orders may run, by its first words, or any; may be repeated [default: none but those of the policy]
    #[arg(long, value_name = "WORDS")]
    allow_command: Vec<String>,
    /// Where it is written down what was there before a setting was changed, or memory [default: knobs.journal in the
    /// spool]
    #[arg(long, value_name = "FILE|memory")]
    knob_journal: Option<PathBuf>,
    /// Print the rules, line by line, and do not start
    #[arg(long)]
    check: bool,
}

/// Where an agent keeps results until they are fetched.
#[derive(Debug, Clone, PartialEq)]
pub enum Spool {
    /// In the user's state folder.
    Usual,
    /// In memory: gone when the agent ends.
    Memory,
    /// In this folder.
    Folder(PathBuf),
}

/// Where an agent writes down what was there before it changed a setting.
#[derive(Debug, Clone, PartialEq)]
pub enum KnobJournal {
    /// In the folder for results, if there is one.
    Usual,
    /// In memory: gone when the agent is killed.
    Memory,
    /// In this file.
    File(PathBuf),
}

/// What the agent is asked to do.
#[derive(Debug, Clone, PartialEq)]
pub struct Agent {
    /// Address to listen on.
    pub bind: Option<IpAddr>,
    /// Control port.
    pub port: u16,
    /// Data port.
    pub data_port: u16,
    /// What this side shows.
    pub credentials: Shown,
    /// The host's name.
    pub name: Option<String>,
    /// Where results wait.
    pub spool: Spool,
    /// Labels to find it by.
    pub labels: BTreeMap<String, String>,
    /// Groups that it belongs to.
    pub groups: Vec<String>,
    /// Routers at which it is present.
    pub routers: Vec<RouterAddress>,
    /// Where data connections come in.
    pub data_addresses: Vec<IpAddr>,
    /// Is not to be found.
    pub hidden: bool,
    /// Where its rules are.
    pub policy: Rules,
    /// Folders in which files may be worked on, as absolute paths.
    pub folders: Vec<PathBuf>,
    /// Settings that may be changed.
    pub knobs: Vec<String>,
    /// Commands that may be run.
    pub commands: Vec<String>,
    /// Where it is written down what was there before.
    pub journal: KnobJournal,
    /// Only says what they are.
    pub check: bool,
}

/// Where an agent's rules are.
#[derive(Debug, Clone, PartialEq)]
pub enum Rules {
    /// In the user's file or the machine's, if there is one.
    Usual,
    /// Nowhere: everything is allowed, but files, settings and commands only as it is said.
    None,
    /// In this file.
    File(PathBuf),
}

impl TypedAgent {
    /// What is meant.
    pub fn meaning(self) -> Result<Agent, Failure> {
        let bind = self.bind.map(|t| address("--bind", &t)).transpose()?;
        let data_addresses =
            self.data_address.iter().map(|t| address("--data-address", t)).collect::<Result<_, _>>()?;
        let control = port("--port", self.port.as_deref())?.unwrap_or(CONTROL_PORT);
        let data = port("--data-port", self.data_port.as_deref())?.unwrap_or(DATA_PORT);
        if control == data {
            return Err(Failure::usage("--port and --data-port are the same")
                .because("control and data connections need a port each")
                .try_this("give both, for example --port 6303 --data-port 6304"));
        }
        let name = self.name.map(|t| plain_name("--name", &t)).transpose()?;
        let groups = self.group.iter().map(|t| plain_name("--group", t)).collect::<Result<_, _>>()?;
        let mut routers = Vec::new();
        for typed in &self.router {
            routers.extend(host_name::router("--router", Some(typed))?);
        }
        let mut labels = BTreeMap::new();
        for typed in &self.label {
            let (key, value) = value::label("--label", typed)?;
            if labels.insert(key.clone(), value).is_some() {
                return Err(Failure::usage(format!("--label {} is given twice", shown(&key))));
            }
        }
        let folder = |typed: &String| Ok(PathBuf::from(super::file::target::folder("--allow-dir", typed)?));
        let folders = self.allow_dir.iter().map(folder).collect::<Result<_, Failure>>()?;
        let knobs = rules("--allow-knob", self.allow_knob, policy::knob_rule)?;
        let commands = rules("--allow-command", self.allow_command, policy::command_rule)?;
        Ok(Agent {
            bind,
            port: control,
            data_port: data,
            credentials: self.credentials.meaning()?,
            name,
            spool: match self.spool {
                None => Spool::Usual,
                Some(word) if word.as_os_str() == "memory" => Spool::Memory,
                Some(folder) => Spool::Folder(folder),
            },
            labels,
            groups,
            routers,
            data_addresses,
            hidden: self.hidden,
            policy: match self.policy {
                None => Rules::Usual,
                Some(word) if word.as_os_str() == "none" => Rules::None,
                Some(file) => Rules::File(file),
            },
            folders,
            knobs,
            commands,
            journal: match self.knob_journal {
                None => KnobJournal::Usual,
                Some(word) if word.as_os_str() == "memory" => KnobJournal::Memory,
                Some(file) => KnobJournal::File(file),
            },
            check: self.check,
        })
    }
}

/// Rules as the policy's file takes them.
fn rules(
    option: &str,
    typed: Vec<String>,
    check: fn(&str) -> Result<(), String>,
) -> Result<Vec<String>, Failure> {
    for rule in &typed {
        check(rule).map_err(|why| {
            Failure::usage(format!("{option} {} is refused", shown(rule)))
                .because(why)
                .try_this("see docs/SECURITY.md, The policy of an agent")
        })?;
    }
    Ok(typed)
}

/// An address of this machine.
pub fn address(option: &str, typed: &str) -> Result<IpAddr, Failure> {
    typed.parse().map_err(|_| {
        Failure::usage(format!("{option} {} is refused", shown(typed)))
            .because("it is not an IP address")
            .try_this("type an address of this machine, for example 10.0.0.2 or ::")
    })
}
