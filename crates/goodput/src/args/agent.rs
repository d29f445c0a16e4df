//! `goodput agent`: waits on a host for orders.

use super::measuring::port;
use super::value::shown;
use crate::failure::Failure;
use clap::Args;
use goodput_control::{CONTROL_PORT, DATA_PORT};
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
    /// File with the lab key [default: GOODPUT_KEY_FILE, ~/.config/goodput/key, /etc/goodput/key]
    #[arg(long, value_name = "FILE")]
    key_file: Option<PathBuf>,
    /// The name this host goes by [default: its host name]
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// Folder for results not yet fetched, or memory [default: ~/.local/state/goodput/spool/NAME-PORT]
    #[arg(long, value_name = "DIR|memory")]
    spool: Option<PathBuf>,
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

/// What the agent is asked to do.
#[derive(Debug, Clone, PartialEq)]
pub struct Agent {
    /// Address to listen on.
    pub bind: Option<IpAddr>,
    /// Control port.
    pub port: u16,
    /// Data port.
    pub data_port: u16,
    /// File with the lab key.
    pub key_file: Option<PathBuf>,
    /// The host's name.
    pub name: Option<String>,
    /// Where results wait.
    pub spool: Spool,
}

impl TypedAgent {
    /// What is meant.
    pub fn meaning(self) -> Result<Agent, Failure> {
        let bind = self
            .bind
            .map(|t| {
                t.parse::<IpAddr>().map_err(|_| {
                    Failure::usage(format!("--bind {} is refused", shown(&t)))
                        .because("it is not an IP address")
                        .try_this("type an address of this machine, for example 10.0.0.2 or ::")
                })
            })
            .transpose()?;
        let control = port("--port", self.port.as_deref())?.unwrap_or(CONTROL_PORT);
        let data = port("--data-port", self.data_port.as_deref())?.unwrap_or(DATA_PORT);
        if control == data {
            return Err(Failure::usage("--port and --data-port are the same")
                .because("control and data connections need a port each")
                .try_this("give both, for example --port 6303 --data-port 6304"));
        }
        if let Some(name) = &self.name {
            let plain = name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_'));
            if !plain || name.is_empty() || name.len() > 64 {
                return Err(Failure::usage(format!("--name {} is refused", shown(name)))
                    .because("a host's name is 1 to 64 letters, digits, dots, dashes and underscores")
                    .try_this("type a name like web1"));
            }
        }
        Ok(Agent {
            bind,
            port: control,
            data_port: data,
            key_file: self.key_file,
            name: self.name,
            spool: match self.spool {
                None => Spool::Usual,
                Some(word) if word.as_os_str() == "memory" => Spool::Memory,
                Some(folder) => Spool::Folder(folder),
            },
        })
    }
}
